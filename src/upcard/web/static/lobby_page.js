// The lobby: choose a game, its rules and who sits where; or join a table by its code.

import { el } from "./dom.js";
import { forgetSeat, keepName, keepSeat, keptName, keptSeats } from "./memory.js";
import { strings } from "./strings.js";

const text = strings.lobby;

/** @typedef {{name: string, title: string, choices: string[], default: string}} Rule */
/** @typedef {{name: string, title: string, family: string, line: string, summary: string, seats: string[], rules: Rule[], to: number, targets: number[]}} Game */

const main = el("main");
document.body.append(el("header", {}, el("h1", {}, text.title), el("p", {}, text.about)), main);
const note = el("p", { class: "note", role: "alert", hidden: true });

/** @type {{games: Game[], levels: string[]}} */
let lobby = { games: [], levels: [] };
start();

async function start() {
  try {
    lobby = await (await fetch("/api/lobby")).json();
  } catch {
    main.replaceChildren(el("p", { class: "note", role: "alert" }, strings.errors.request));
    return;
  }
  show();
  addEventListener("hashchange", show);
}

function show() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const game = lobby.games.find((one) => one.name === wanted);
  note.hidden = true;
  main.replaceChildren(...(game ? [settings(game)] : [tables(), list()]));
  scrollTo(0, 0);
  if (game) /** @type {HTMLElement | null} */ (main.querySelector("h2"))?.focus();
}

// --- joining -------------------------------------------------------------------------------------

function tables() {
  const input = /** @type {HTMLInputElement} */ (el("input", { id: "code", maxLength: 20, autocomplete: "off", spellcheck: false, placeholder: text.code }));
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const answer = await fetch(`/api/tables/${encodeURIComponent(input.value.trim() || "none")}`).catch(() => null);
    const found = answer === null ? { why: strings.errors.request } : await answer.json();
    if (answer?.ok) location.assign(`/table/${found.code}`);
    else say(found.why);
  };
  const kept = keptSeats();
  return el("section", { class: "join" },
    el("form", { onsubmit: join }, el("label", { for: "code" }, text.join), el("div", {}, input, el("button", {}, text.joinButton))),
    note,
    kept.length ? el("h2", {}, text.yours) : null,
    kept.length ? el("ul", {}, kept.map(({ code, title }) => el("li", {},
      el("a", { href: `/table/${code}` }, el("b", {}, title), ` ${code}`),
      el("button", { type: "button", class: "plain", "aria-label": text.forget(code), onclick: () => { forgetSeat(code); show(); } }, "×")))) : null);
}

function list() {
  const search = /** @type {HTMLInputElement} */ (el("input", { type: "search", "aria-label": text.search, placeholder: text.search }));
  const found = el("div", { class: "families" });
  const fill = () => {
    const words = search.value.trim().toLowerCase();
    const fitting = lobby.games.filter((game) => `${game.title} ${game.family} ${game.line}`.toLowerCase().includes(words));
    const families = [...new Set(fitting.map((game) => game.family))];
    found.replaceChildren(...families.map((family) => el("section", {},
      el("h3", {}, family),
      el("ul", {}, fitting.filter((game) => game.family === family).map((game) => el("li", {}, el("a", { href: `#${encodeURIComponent(game.name)}` },
        el("b", {}, game.title), el("span", {}, game.line), el("small", {}, text.players(game.seats.length)))))))),
      ...(fitting.length ? [] : [el("p", {}, text.none)]));
  };
  search.addEventListener("input", fill);
  fill();
  return el("section", { class: "games" }, el("div", { class: "heading" }, el("h2", {}, text.choose), search), found);
}

// --- a new table ---------------------------------------------------------------------------------

/** @param {Game} game */
function settings(game) {
  const name = /** @type {HTMLInputElement} */ (el("input", { id: "name", required: true, maxLength: 20, value: keptName(), autocomplete: "nickname" }));
  const seats = el("div", { class: "chairs" });
  const rules = game.rules.map((rule) => ({ rule, ...ruleField(rule, () => fillSeats()) }));
  const pace = choice("pace", Object.entries(text.paces), "normal");
  const targets = game.targets.length > 1 ? choice("to", game.targets.map((to) => [String(to), String(to)]), String(game.to)) : null;
  /** @type {HTMLSelectElement[]} */
  let kinds = [];

  function count() {
    const rule = rules.find(({ rule: one }) => one.name === "players");
    return rule && /^\d+$/.test(rule.value()) ? Number(rule.value()) : game.seats.length;
  }

  function fillSeats() {
    const before = kinds.map((kind) => kind.value);
    kinds = Array.from({ length: count() - 1 }, (_, at) => choice(`seat-${at}`,
      [...lobby.levels.map((level) => [level, text.levels[/** @type {keyof typeof text.levels} */ (level)] ?? level]), ["open", text.open]],
      before[at] ?? "steady"));
    seats.replaceChildren(
      el("p", { class: "field" }, el("span", {}, seatName(0)), el("span", { class: "yours" }, text.you)),
      ...kinds.map((kind, at) => el("p", { class: "field" }, el("label", { for: kind.id }, seatName(at + 1)), kind)));
  }

  /** @param {number} at */
  function seatName(at) {
    return game.seats[at] ?? strings.waiting.seat(at + 1);
  }

  async function make(/** @type {Event} */ event) {
    event.preventDefault();
    keepName(name.value);
    const chosen = Object.fromEntries(rules.filter(({ rule, value }) => value() !== rule.default).map(({ rule, value }) => [rule.name, value()]));
    const wanted = { game: game.name, name: name.value, seats: ["open", ...kinds.map((kind) => kind.value)], rules: chosen, to: targets ? Number(targets.value) : 0, pace: pace.value };
    const answer = await fetch("/api/tables", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted) }).catch(() => null);
    const made = answer === null ? { why: strings.errors.request } : await answer.json();
    if (!answer?.ok) {
      say(made.why);
      return;
    }
    keepSeat(made.code, made.token, game.title);
    location.assign(`/table/${made.code}`);
  }

  fillSeats();
  return el("section", { class: "settings" },
    el("a", { href: "#", class: "back" }, text.back),
    el("h2", { tabIndex: -1 }, game.title),
    el("p", { class: "summary" }, game.summary || game.line),
    el("form", { onsubmit: make },
      el("p", { class: "field" }, el("label", { for: "name" }, text.name), name),
      el("fieldset", {}, el("legend", {}, text.seats), seats),
      el("p", { class: "field" }, el("label", { for: pace.id }, text.pace), pace),
      targets ? el("p", { class: "field" }, el("label", { for: targets.id }, text.target), targets) : null,
      rules.length ? el("fieldset", {}, el("legend", {}, text.houseRules), rules.map(({ field }) => field)) : null,
      note,
      el("button", { class: "main" }, text.make)));
}

/** A switch for yes and no, a list for more. @param {Rule} rule @param {() => void} onchange */
function ruleField(rule, onchange) {
  const id = `rule-${rule.name}`;
  const twofold = rule.choices.length === 2 && rule.choices.includes("yes") && rule.choices.includes("no");
  if (twofold) {
    const box = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", role: "switch", id, checked: rule.default === "yes", onchange }));
    return { value: () => (box.checked ? "yes" : "no"), field: el("p", { class: "field switch" }, el("label", { for: id }, rule.title), box) };
  }
  const list = choice(id, rule.choices.map((word) => [word, word]), rule.default);
  list.addEventListener("change", onchange);
  return { value: () => list.value, field: el("p", { class: "field" }, el("label", { for: id }, rule.title), list) };
}

/** @param {string} id @param {string[][]} options @param {string} chosen */
function choice(id, options, chosen) {
  const made = el("select", { id }, options.map(([value, words]) => el("option", { value }, words)));
  const list = /** @type {HTMLSelectElement} */ (made);
  list.value = chosen;
  return list;
}

/** @param {string} sentence */
function say(sentence) {
  note.textContent = sentence;
  note.hidden = false;
}
