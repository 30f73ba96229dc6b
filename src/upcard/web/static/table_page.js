// The page of a table: connects, keeps the state, and draws it.

import "./card_table.js";
import "./table_log.js";
import "./waiting_room.js";
import { Connection } from "./connection.js";
import { hintDialog, inviteDialog, leaveDialog, phraseDialog, resultDialog, reviewDialog, trickDialog } from "./dialogs.js";
import { addSymbols, el } from "./dom.js";
import { forgetSeat, keepSeat, tokenFor } from "./memory.js";
import { strings } from "./strings.js";
import { TableState } from "./table_state.js";

const text = strings.table;
const code = decodeURIComponent(location.pathname.split("/")[2] ?? "").toUpperCase();
const state = new TableState();

// a personal link brings its token behind the #, which no server sees
const personal = new URLSearchParams(location.hash.slice(1)).get("seat");
if (personal) {
  keepSeat(code, personal, code);
  history.replaceState(null, "", location.pathname);
}

const status = el("p", { class: "connection", role: "status" }, text.connecting);
const title = el("h1", {}, "");
const scores = el("ul", { class: "scores", "aria-label": text.score });
const hint = el("button", { type: "button", hidden: true, onclick: askHint }, text.hint);
const invite = el("button", { type: "button", onclick: () => inviteDialog(state.table, tokenFor(code)) }, text.share);
const leave = el("button", { type: "button", hidden: true, onclick: () => leaveDialog(() => connection.send({ type: "leave" })) }, text.leave);
const say = el("button", { type: "button", hidden: true, onclick: () => phraseDialog((message) => connection.send(message)) }, text.say);
const lastTrick = el("button", { type: "button", hidden: true, onclick: () => trickDialog(state) }, text.lastTrick);
const question = el("p", { class: "question" });
const felt = /** @type {import("./card_table.js").CardTable} */ (document.createElement("card-table"));
const log = /** @type {import("./table_log.js").TableLog} */ (document.createElement("table-log"));
const waiting = /** @type {import("./waiting_room.js").WaitingRoom} */ (document.createElement("waiting-room"));
const bubbles = el("div", { class: "bubbles", role: "status" });
const facts = el("dl", { class: "facts" });
const about = el("section", { class: "about" });
const note = el("p", { class: "note", role: "alert", hidden: true });

document.body.append(
  el("header", {}, el("a", { href: "/", class: "home", "aria-label": text.lobby }, "Upcard"), title, scores, el("nav", {}, lastTrick, hint, say, invite)),
  el("main", {}, el("div", { class: "play" }, status, bubbles, note, waiting, question, felt), el("aside", {}, facts, log, about, leave)),
);

/** @type {Map<string, number>} how many phrases of each person were heard */
const heard = new Map();
let shownResult = "";
let symbolsAsked = false;

const connection = new Connection(code, () => tokenFor(code), take, (now) => {
  status.hidden = now === "open";
  if (now === "lost") status.textContent = text.lost;
});

/** @param {any} message */
function take(message) {
  if (message.type === "refused") {
    tell(message.why);
    hint.removeAttribute("disabled");
  }
  if (message.type === "seated") keepSeat(code, message.token, state.table?.title ?? code);
  const before = state.you;
  if (!state.take(message)) {
    connection.rejoin();
    return;
  }
  if (message.type === "advice") {
    hint.removeAttribute("disabled");
    note.hidden = true;
    if (state.advice) hintDialog(message);
  }
  if (message.type === "reviewed") reviewDialog(state.table, message);
  if (message.type === "welcome" && before >= 0 && state.you < 0) forgetSeat(code);
  if (state.document) draw();
}

function draw() {
  const { table, people, you } = state.document;
  if (!symbolsAsked) fetchSymbols();
  document.title = state.deal?.your_turn ? `● ${table.title}` : table.title;
  title.textContent = state.deal?.title ?? table.title;
  scores.replaceChildren(...(state.deal?.scores ?? []).map((/** @type {[string, number]} */ [who, points]) => el("li", {}, `${who} `, el("b", {}, String(points)))));
  leave.hidden = say.hidden = you < 0;
  hear(people);
  waiting.draw(state.document, (message) => connection.send(message));
  about.replaceChildren(el("h2", {}, text.rules), ...table.rules.map((/** @type {string} */ line) => el("p", {}, line)),
    ...table.notes.map((/** @type {string} */ line) => el("p", {}, line)),
    table.watching ? el("p", {}, text.watching(table.watching)) : "",
    table.fingerprint ? el("p", { class: "soft" }, `${strings.result.fingerprint}: `, el("code", {}, table.fingerprint)) : "");
  const deal = state.deal;
  felt.hidden = question.hidden = !deal;
  hint.hidden = !deal?.your_turn;
  lastTrick.hidden = !deal?.last_trick.cards.length;
  if (!deal) return;
  const moving = deal.chairs.find((/** @type {any} */ chair) => chair.seat === deal.to_move);
  const sentence = deal.your_turn ? text.yourTurn(deal.question) : moving ? text.waitsFor(people[moving.person]?.name ?? moving.name) : "";
  question.textContent = sentence;
  question.classList.toggle("mine", deal.your_turn);
  facts.replaceChildren(...deal.facts.flatMap((/** @type {[string, string]} */ [words, value]) => [el("dt", {}, words), el("dd", {}, value)]));
  felt.draw(state, play);
  log.show(deal.log);
  log.say(deal.your_turn ? deal.question : "");
  showResult();
}

/** @param {number} option */
function play(option) {
  note.hidden = true;
  if (!connection.send({ type: "play", turn: state.turn, option })) tell(text.lost);
}

function askHint() {
  if (!connection.send({ type: "hint", turn: state.turn })) return;
  hint.setAttribute("disabled", "");
  tell(text.thinking);
}

function showResult() {
  const { table, result } = state.document;
  if (!result && table.state !== "stopped") return;
  const seen = `${table.match} ${result?.deal} ${table.state}`;
  const first = shownResult === "";
  if (seen === shownResult) return;
  shownResult = seen;
  // who joins in the middle of a deal is not shown how the last one ended
  const fresh = (state.deal?.turn ?? "").endsWith(".0") || table.state !== "playing";
  if (!first || fresh) resultDialog(state.document, (message) => connection.send(message));
}

/** Phrases that were said since the last time are shown for a moment. @param {Record<string, any>} people */
function hear(people) {
  const first = heard.size === 0;
  for (const [person, { name, said: [number, phrase] }] of Object.entries(people)) {
    const fresh = number > (heard.get(person) ?? 0);
    heard.set(person, number);
    const words = text.phrases[/** @type {keyof typeof text.phrases} */ (phrase)];
    if (first || !fresh || !words) continue;
    const bubble = el("p", {}, text.said(name, words));
    bubbles.append(bubble);
    setTimeout(() => bubble.remove(), 7000);
  }
}

/** @param {string} sentence */
function tell(sentence) {
  note.textContent = sentence;
  note.hidden = false;
}

async function fetchSymbols() {
  symbolsAsked = true;
  try {
    const answer = await fetch(`/api/tables/${code}/cards.svg`);
    if (!answer.ok) throw new Error(String(answer.status));
    addSymbols(await answer.text());
  } catch {
    symbolsAsked = false;
  }
}
