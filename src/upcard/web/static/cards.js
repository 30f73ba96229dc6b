// Cards, piles and hands as elements.

import { drawing, el } from "./dom.js";
import { strings } from "./strings.js";

const text = strings.table;
const MAX_SHOWN = 12;

/** A card that only lies there; "" is face down. @param {string} card @param {Record<string, string>} names @param {object} [more] */
export function lyingCard(card, names, more = {}) {
  return el(
    "span",
    { class: card ? "card" : "card down", role: "img", "aria-label": card ? names[card] : text.faceDown, "data-card": card || undefined, ...more },
    drawing(card ? `card-${card}` : "card-back"),
  );
}

/**
 * A card that can be clicked.
 * @param {string} card @param {Record<string, string>} names
 * @param {{playable: boolean, selected: boolean, suggested: boolean, onclick: () => void}} how
 */
export function cardButton(card, names, how) {
  const name = names[card];
  const label = how.selected ? text.selected(name) : how.playable ? text.playable(name) : text.notPlayable(name);
  const classes = ["card", how.playable && "playable", how.selected && "selected", how.suggested && "suggested"];
  return el(
    "button",
    {
      type: "button", class: classes.filter(Boolean).join(" "), "aria-label": how.suggested ? `${label}, ${text.suggestion}` : label,
      "aria-disabled": how.playable || how.selected ? undefined : "true", "aria-pressed": how.selected ? "true" : undefined,
      "data-card": card, "data-key": `card ${card}`,
      onclick: () => (how.playable || how.selected) && how.onclick(),
    },
    drawing(`card-${card}`),
  );
}

/**
 * The cards of a place with its label.
 * @param {any} place @param {(card: string) => HTMLElement} makeCard
 */
export function pile(place, makeCard) {
  const hidden = place.cards.every((/** @type {string} */ card) => card === "");
  const shown = place.cards.slice(hidden ? -Math.min(3, place.cards.length) : -MAX_SHOWN);
  const count = place.cards.length;
  const label = hidden ? text.faceDownPile(place.words, count) : text.pile(place.words, count);
  return el(
    "div",
    { class: hidden ? "pile stack" : "pile", role: "group", "aria-label": label },
    el("div", { class: "spread" }, shown.map((/** @type {string} */ card) => makeCard(card))),
    el("div", { class: "label", "aria-hidden": "true" }, place.words,
      (hidden || shown.length < count) && count > 1 ? el("b", {}, String(count)) : null,
      place.total ? el("span", { class: "total" }, place.total) : null),
  );
}
