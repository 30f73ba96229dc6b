// Dialogs: the result of a deal, hints, the invitation, and leaving.

import { lyingCard } from "./cards.js";
import { el } from "./dom.js";
import { strings } from "./strings.js";

/** Shows a dialog; it is removed when it is closed. @param {string} title @param {(Node | string)[]} content @param {(dialog: HTMLDialogElement) => (Node | string)[]} buttons */
export function dialog(title, content, buttons) {
  const made = /** @type {HTMLDialogElement} */ (el("dialog", { "aria-labelledby": "dialog-title" }));
  made.append(el("h2", { id: "dialog-title" }, title), ...content, el("div", { class: "buttons" }, buttons(made)));
  made.addEventListener("close", () => made.remove());
  for (const other of document.querySelectorAll("dialog")) /** @type {HTMLDialogElement} */ (other).close();
  document.body.append(made);
  made.showModal();
  return made;
}

/** @param {HTMLDialogElement} of @param {string} [words] */
export function closeButton(of, words = strings.table.close) {
  return el("button", { type: "button", onclick: () => of.close() }, words);
}

/**
 * The result of a deal, or of the match with what proves the shuffle.
 * @param {any} document @param {(message: object) => void} send
 */
export function resultDialog(document, send) {
  const { table, result, you } = document;
  const text = strings.result;
  const ended = table.state === "over" || table.state === "stopped";
  const title = table.state === "over" ? text.over : table.state === "stopped" ? text.stopped
    : text.title(table.deal_word, result.deal + 1);
  const lines = [...(result?.lines ?? []), ...(table.problem ? [table.problem] : [])];
  const content = [...lines.map((line) => el("p", {}, line)), ...(table.seed ? [shuffle(table)] : [])];
  const made = dialog(title, content, (of) => {
    const look = you >= 0 && result ? [reviewButton(result.deal, send)] : [];
    if (!ended) return [el("button", { type: "button", class: "main", autofocus: true, onclick: () => of.close() }, text.next), ...look];
    const again = el("button", { type: "button", class: "main", onclick: () => { of.close(); send({ type: "rematch" }); } }, text.rematch);
    const record = el("a", { class: "button", href: `/api/tables/${table.code}/record`, download: "" }, text.record);
    return [...(you >= 0 ? [again] : []), ...look, ...(table.state === "over" ? [record] : []), closeButton(of)];
  });
  made.addEventListener("close", () => you >= 0 && result && send({ type: "continue", deal: result.deal }));
  return made;
}

/** @param {number} deal @param {(message: object) => void} send */
function reviewButton(deal, send) {
  const button = el("button", { type: "button" }, strings.result.review);
  button.addEventListener("click", () => {
    button.textContent = strings.result.reviewing;
    button.setAttribute("disabled", "");
    send({ type: "review", deal });
  });
  return button;
}

/** @param {any} table @param {any} message */
export function reviewDialog(table, message) {
  return dialog(strings.result.reviewed(table.deal_word, message.deal + 1),
    [el("div", { class: "review" }, message.lines.map((/** @type {string} */ line) => el("p", {}, line)))], (of) => [closeButton(of)]);
}

/** @param {any} table */
function shuffle(table) {
  const text = strings.result;
  const answer = el("p", { role: "status" });
  const check = async () => {
    if (!globalThis.crypto?.subtle) {
      answer.textContent = text.cannot;
      return;
    }
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${table.salt}:${table.seed}`));
    const digits = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    answer.textContent = digits === table.fingerprint ? text.fits : text.differs;
  };
  return el("details", { class: "shuffle" }, el("summary", {}, text.seed),
    el("p", {}, text.fingerprint, el("code", {}, table.fingerprint)), el("p", {}, text.seedIs(table.seed, table.salt)),
    el("button", { type: "button", onclick: check }, text.check), answer);
}

/** @param {any} advice */
export function hintDialog(advice) {
  const numbers = advice.lines.filter((/** @type {string} */ line) => /^[* ] /.test(line) || /^ {4}/.test(line));
  const sentences = advice.lines.filter((/** @type {string} */ line) => !numbers.includes(line));
  const content = [...sentences.slice(0, -1).map((/** @type {string} */ line) => el("p", {}, line)),
    ...(numbers.length ? [el("pre", { tabIndex: 0 }, numbers.join("\n"))] : []),
    el("p", { class: "soft" }, sentences.at(-1) ?? "")];
  return dialog(strings.table.hintTitle, content, (of) => [closeButton(of)]);
}

/** The cards of the last trick, in the order of play. @param {any} state */
export function trickDialog(state) {
  const { last_trick: trick, chairs } = state.deal;
  const name = (/** @type {number} */ seat) => chairs.find((/** @type {any} */ chair) => chair.seat === seat)?.name ?? "";
  const cards = trick.cards.map((/** @type {[number, string]} */ [seat, card]) =>
    el("li", {}, lyingCard(card, state.cards), el("span", {}, name(seat))));
  const content = [el("ol", { class: "cards" }, cards), ...(trick.taker >= 0 ? [el("p", {}, strings.table.took(name(trick.taker)))] : [])];
  return dialog(strings.table.lastTrick, content, (of) => [closeButton(of)]);
}

/** @param {any} table @param {string} token */
export function inviteDialog(table, token) {
  const text = strings.table;
  const link = `${location.origin}/table/${table.code}`;
  const content = [el("p", {}, text.shareText), copyField(text.link, link), copyField(text.code, table.code)];
  if (token) content.push(el("h3", {}, text.personal), el("p", {}, text.personalText), copyField(text.personal, `${link}#seat=${token}`, true));
  return dialog(text.shareTitle, content, (of) => [closeButton(of)]);
}

/** @param {string} words @param {string} value @param {boolean} [secret] */
function copyField(words, value, secret = false) {
  const input = /** @type {HTMLInputElement} */ (el("input", { readOnly: true, value, "aria-label": words, type: secret ? "password" : "text" }));
  const button = el("button", { type: "button" }, strings.table.copy);
  button.addEventListener("click", async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(value);
      button.textContent = strings.table.copied;
    } catch {
      input.type = "text"; // a page without https may not copy: the text is selected instead
      input.select();
    }
  });
  return el("p", { class: "copy" }, input, button);
}

/** Phrases to choose from. @param {(message: object) => void} send */
export function phraseDialog(send) {
  const { say, phrases } = strings.table;
  const made = dialog(say, [el("div", { class: "phrases" }, Object.entries(phrases).map(([phrase, words]) =>
    el("button", { type: "button", onclick: () => { made.close(); send({ type: "say", phrase }); } }, words)))], (of) => [closeButton(of)]);
  return made;
}

/** @param {() => void} leave */
export function leaveDialog(leave) {
  const text = strings.table;
  return dialog(text.leave, [el("p", {}, text.leaveSure)], (of) => [
    el("button", { type: "button", class: "danger", onclick: () => { of.close(); leave(); } }, text.leave),
    closeButton(of, text.cancel),
  ]);
}
