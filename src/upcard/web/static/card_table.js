// <card-table>: the felt with players, piles, the trick, your hand and your choices. It draws a state and
// reports what the person does; it knows no rules.

import { cardButton, lyingCard, pile } from "./cards.js";
import { el } from "./dom.js";
import { move, placesOf } from "./motion.js";
import { rove } from "./roving_focus.js";
import { strings } from "./strings.js";

/** @typedef {import("./table_state.js").TableState} TableState */

const text = strings.table;
const FEW = 8;
/** Cards in a row of a hand, at most. */
const LEAST_STEP = 23;

export class CardTable extends HTMLElement {
  constructor() {
    super();
    /** @type {TableState | null} */
    this.state = null;
    /** @type {(option: number) => void} */
    this.play = () => {};
    this.turn = "";
    this.narrow = 0;
    /** @type {Set<string>} */
    this.playable = new Set();
    new ResizeObserver(() => this.resized()).observe(this);
  }

  resized() {
    if (Math.abs(this.clientWidth - this.narrow) > 8 && this.state?.deal) this.draw(this.state, this.play);
  }

  /** @param {TableState} state @param {(option: number) => void} play */
  draw(state, play) {
    this.state = state;
    this.play = play;
    this.narrow = this.clientWidth;
    const deal = state.deal;
    const before = placesOf(this);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const key = this.contains(focused) ? focused?.dataset.key : undefined;
    const [you, ...others] = deal.chairs;
    const watching = state.you < 0;
    this.classList.toggle("many", watching || others.length > 3);
    this.playable = state.playable;
    const held = watching ? [] : you.places.filter((/** @type {any} */ place) => place.kind === "hand").flatMap((/** @type {any} */ place) => place.cards);
    this.classList.toggle("from-hand", held.some((/** @type {string} */ card) => this.playable.has(card)));
    this.replaceChildren(
      el("div", { class: "others" }, (watching ? deal.chairs : others).map((/** @type {any} */ chair, /** @type {number} */ at) =>
        this.chair(chair, watching ? at : at + 1, deal.chairs.length))),
      this.middle(deal),
      watching ? null : this.you(you),
      this.choices(),
    );
    for (const group of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll("[data-group]"))) {
      rove(group, key ? group.querySelector(`[data-key="${CSS.escape(key)}"]`) : null);
    }
    move(this, before);
    this.focusAgain(key, deal);
  }

  /** Keeps the focus where it was; on your turn it goes to your first choice. @param {string | undefined} key @param {any} deal */
  focusAgain(key, deal) {
    const fresh = deal.turn !== this.turn;
    this.turn = deal.turn;
    const same = key ? /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${CSS.escape(key)}"]`)) : null;
    const idle = document.activeElement === document.body || document.activeElement === null;
    if (fresh && deal.your_turn && (key !== undefined || idle)) {
      const first = same && same.getAttribute("aria-disabled") !== "true" ? same
        : this.querySelector("button.playable, .choices button");
      /** @type {HTMLElement | null} */ (first)?.focus({ preventScroll: true });
    } else if (key !== undefined) {
      const stays = same ?? this.querySelector(".hand button");
      /** @type {HTMLElement | null} */ (stays)?.focus({ preventScroll: true });
    }
  }

  // --- players ---------------------------------------------------------------------------------

  /** @param {any} chair @param {number} at @param {number} count */
  chair(chair, at, count) {
    const hands = chair.places.filter((/** @type {any} */ place) => place.kind === "hand");
    const open = chair.places.filter((/** @type {any} */ place) => place.kind === "open");
    return el(
      "section",
      { class: `chair at-${side(at, count)}`, "aria-label": this.chairLabel(chair), "data-chair": chair.seat },
      this.pill(chair),
      el("div", { class: "holding" },
        hands.map((/** @type {any} */ place) => this.otherHand(place)),
        open.length ? el("div", { class: open.length > 3 ? "piles grid" : "piles" }, open.map((/** @type {any} */ place) => this.pile(place, chair.seat))) : null),
      this.counts(chair),
    );
  }

  /** @param {any} chair */
  chairLabel(chair) {
    return [chair.name, ...chair.notes.map((/** @type {"you" | "partner" | "dealer"} */ note) => text.marks[note])].join(", ");
  }

  /** @param {any} chair */
  pill(chair) {
    const moving = this.state?.deal.to_move === chair.seat;
    const person = this.state?.document.people[chair.person];
    const dealer = chair.notes.includes("dealer");
    const partner = chair.notes.includes("partner");
    return el(
      "h2",
      { class: moving ? "pill moving" : "pill" },
      el("span", { class: person?.here ? "dot here" : "dot", "aria-hidden": "true" }),
      el("span", { class: "name" }, chair.name),
      person?.bot_plays ? el("small", {}, text.botPlays) : person?.here === false ? el("small", {}, text.away) : null,
      partner ? el("small", {}, text.marks.partner) : null,
      dealer ? el("span", { class: "dealer", title: text.marks.dealer, role: "img", "aria-label": text.marks.dealer }, "D") : null,
    );
  }

  /** @param {any} chair */
  counts(chair) {
    const parts = chair.counts.map((/** @type {[string, string]} */ [words, value]) => el("span", { class: "count" }, `${words} `, el("b", {}, value)));
    if (chair.status) parts.unshift(el("span", { class: "status" }, chair.status));
    return parts.length ? el("p", { class: "counts" }, parts) : null;
  }

  /** A hand of another player: backs, or what can be seen of it. @param {any} place */
  otherHand(place) {
    const count = place.cards.length;
    const hidden = place.cards.every((/** @type {string} */ card) => card === "");
    const shown = place.cards.slice(-13);
    return el(
      "div",
      { class: hidden ? "backs" : "backs open", role: "group", "aria-label": hidden ? text.faceDownPile(place.words, count) : text.pile(place.words, count) },
      shown.map((/** @type {string} */ card) => hidden ? el("span", { class: "card down", "aria-hidden": "true" }, ...lyingCard("", {}).childNodes) : this.card(card)),
      el("b", { class: "number", "aria-hidden": "true" }, String(count)),
    );
  }

  // --- the middle --------------------------------------------------------------------------------

  /** @param {any} deal */
  middle(deal) {
    const trick = deal.trick;
    const has = trick.cards.length > 0;
    return el(
      "section",
      { class: has ? "middle with-trick" : "middle", "aria-label": text.facts },
      deal.middle.length ? el("div", { class: "piles" }, deal.middle.map((/** @type {any} */ place) => this.pile(place))) : null,
      has ? this.trick(deal) : null,
    );
  }

  /** @param {any} deal */
  trick(deal) {
    const { cards, taker } = deal.trick;
    const seats = deal.chairs.map((/** @type {any} */ chair) => chair.seat);
    const name = (/** @type {number} */ seat) => deal.chairs.find((/** @type {any} */ chair) => chair.seat === seat)?.name ?? "";
    const lying = cards.map((/** @type {[number, string]} */ [seat, card]) => {
      const made = lyingCard(card, this.state?.cards ?? {}, { "data-from": seat, title: name(seat) });
      made.setAttribute("aria-label", `${name(seat)}: ${this.state?.cards[card]}`);
      const angle = Math.PI / 2 + (2 * Math.PI * seats.indexOf(seat)) / seats.length;
      made.style.left = `${50 + 30 * Math.cos(angle)}%`;
      made.style.top = `${50 + 27 * Math.sin(angle)}%`;
      if (seat === taker) made.classList.add("taker");
      return made;
    });
    return el(
      "div",
      { class: taker >= 0 ? "trick taken" : "trick", role: "group", "aria-label": taker >= 0 ? text.took(name(taker)) : text.trick },
      lying,
      taker >= 0 ? el("p", { class: "took", "aria-hidden": "true" }, text.took(name(taker))) : null,
    );
  }

  /** @param {any} place @param {number | undefined} [from] */
  pile(place, from) {
    return pile(place, (card) => this.card(card, from));
  }

  /** A card on the table: a button if a choice is about it. @param {string} card @param {number | undefined} [from] */
  card(card, from) {
    const state = /** @type {TableState} */ (this.state);
    const part = card && state.options.some((option) => option.cards.includes(card));
    return part ? this.button(card) : lyingCard(card, state.cards, from === undefined ? {} : { "data-from": from });
  }

  /** @param {string} card */
  button(card) {
    const state = /** @type {TableState} */ (this.state);
    const best = state.advice?.best ? state.options[state.advice.best - 1] : null;
    return cardButton(card, state.cards, {
      playable: this.playable.has(card),
      selected: state.selected.has(card),
      suggested: best?.cards.includes(card) ?? false,
      onclick: () => {
        const number = state.touch(card);
        if (number) this.play(number);
        else this.draw(state, this.play);
      },
    });
  }

  // --- you ---------------------------------------------------------------------------------------

  /** @param {any} chair */
  you(chair) {
    const hands = chair.places.filter((/** @type {any} */ place) => place.kind === "hand");
    const all = chair.places.filter((/** @type {any} */ place) => place.kind === "open");
    // a stack that nobody sees, such as the tricks you took, is a number; a pattern of cards stays as it lies
    const stacks = all.length > 3 ? [] : all.filter((/** @type {any} */ place) => place.cards.every((/** @type {string} */ card) => card === ""));
    const open = all.filter((/** @type {any} */ place) => !stacks.includes(place));
    const counts = [...chair.counts, ...stacks.map((/** @type {any} */ place) => [place.words, String(place.cards.length)])];
    return el(
      "section",
      { class: open.length > 3 ? "you beside" : "you", "aria-label": this.chairLabel(chair), "data-chair": chair.seat },
      open.length ? el("div", { class: open.length > 3 ? "piles grid" : "piles" }, open.map((/** @type {any} */ place) => this.pile(place, chair.seat))) : null,
      hands.map((/** @type {any} */ place) => this.hand(place)),
      el("div", { class: "line" }, this.pill(chair), this.counts({ ...chair, counts })),
    );
  }

  /** @param {any} place */
  hand(place) {
    const count = place.cards.length;
    const width = Math.max(280, this.clientWidth - 24);
    const size = matchMedia("(max-width: 640px)").matches ? 62 : 82;
    const inRow = Math.max(1, Math.floor((width - size) / LEAST_STEP) + 1);
    const rows = Math.ceil(count / inRow);
    const each = Math.ceil(count / rows);
    const group = el("div", { class: "hand", role: "group", "aria-label": text.yourHand, "data-group": "hand" });
    for (let at = 0; at < count; at += each) {
      const cards = place.cards.slice(at, at + each);
      const row = el("div", { class: "fan" }, cards.map((/** @type {string} */ card) => card ? this.button(card) : this.card(card)));
      row.style.setProperty("--count", String(cards.length));
      row.style.setProperty("--turn", `${Math.min(1.1, 16 / cards.length)}deg`);
      row.style.setProperty("--drop", `${Math.min(0.35, 48 / cards.length ** 2)}px`);
      [...row.children].forEach((child, n) => {
        const off = n - (cards.length - 1) / 2;
        /** @type {HTMLElement} */ (child).style.setProperty("--off", String(off));
      });
      group.append(row);
    }
    if (place.total) group.append(el("p", { class: "total" }, place.total));
    return group;
  }

  // --- choices -----------------------------------------------------------------------------------

  choices() {
    const state = /** @type {TableState} */ (this.state);
    const options = state.options;
    const box = el("div", { class: "choices", role: "group", "aria-label": text.choices, "data-group": "choices" });
    if (!options.length || (state.simple && state.selected.size === 0 && this.drawnCards(options))) return box;
    const fitting = state.fitting([...state.selected]);
    const chosen = fitting.filter(({ option }) => option.cards.length === state.selected.size && state.selected.size > 0);
    const without = fitting.filter(({ option }) => option.cards.length === 0 || !this.drawnCards([option]));
    const few = fitting.length <= FEW;
    const shown = few ? fitting : [...chosen, ...without];
    box.classList.toggle("compact", shown.length > 4);
    box.append(...shown.map((one) => this.choice(one, chosen.includes(one))));
    if (!few && shown.length < fitting.length) {
      if (!chosen.length) box.append(el("p", { class: "ask" }, text.chooseCards));
      box.append(el("details", { open: this.unfolded, ontoggle: (/** @type {Event} */ event) => { this.unfolded = /** @type {HTMLDetailsElement} */ (event.target).open; } },
        el("summary", {}, text.allChoices(fitting.length)),
        el("div", { class: "list" }, fitting.filter((one) => !shown.includes(one)).map((one) => this.choice(one, false)))));
    }
    return box;
  }

  unfolded = false;

  /** @param {{option: {text: string}, number: number}} one @param {boolean} main */
  choice({ option, number }, main) {
    const suggested = this.state?.advice?.best === number;
    return el("button", {
      type: "button", class: ["choice", main && "main", suggested && "suggested"].filter(Boolean).join(" "), "data-key": `option ${number}`,
      onclick: () => this.play(number),
    }, option.text);
  }

  /** Whether the cards of these options lie on the table or in your hand. @param {import("./table_state.js").Option[]} options */
  drawnCards(options) {
    const deal = this.state?.deal;
    const lying = new Set([...deal.middle, ...deal.chairs.flatMap((/** @type {any} */ chair) => chair.places)].flatMap((place) => place.cards));
    return options.every((option) => option.cards.every((card) => lying.has(card)));
  }
}

/** Where the player sits who is a number of places to your left. @param {number} at @param {number} count */
function side(at, count) {
  if (count === 2) return "top";
  const each = count <= 6 ? 1 : 2;
  if (at <= each) return "left";
  return at >= count - each ? "right" : "top";
}

customElements.define("card-table", CardTable);
