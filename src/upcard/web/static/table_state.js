// The state of the client: the document of the server, kept up to date by numbered differences, and what the
// person has selected. No rules: every choice is one that the server offers.

/** @typedef {{text: string, cards: string[]}} Option */

export class TableState {
  constructor() {
    /** @type {any} */
    this.document = null;
    this.number = 0;
    /** @type {Record<string, string>} names of the cards, by id */
    this.cards = {};
    /** @type {Set<string>} */
    this.selected = new Set();
    /** @type {any} the answer to the last wish for a hint, while it is still about this turn */
    this.advice = null;
    this.turn = "";
  }

  /** Takes a message; false if a difference is missing, so that the table must be joined again. @param {any} message */
  take(message) {
    if (message.type === "welcome") {
      this.document = message.document;
      this.cards = message.cards;
      this.number = message.number;
    } else if (message.type === "change") {
      if (this.document === null) return true;
      if (message.number !== this.number + 1) return false;
      this.document = patched(this.document, message.patch);
      this.number = message.number;
    } else if (message.type === "advice") {
      this.advice = message;
    }
    const turn = this.deal?.turn ?? "";
    if (turn !== this.turn) {
      this.turn = turn;
      this.selected = new Set();
      this.advice = null;
    }
    return true;
  }

  get deal() {
    return this.document?.deal;
  }

  get table() {
    return this.document?.table;
  }

  get you() {
    return this.document?.you ?? -1;
  }

  /** @returns {Option[]} */
  get options() {
    return this.deal?.options ?? [];
  }

  /** Whether every option is one card of its own: then a click plays it. */
  get simple() {
    const cards = this.options.map((option) => option.cards.join());
    return this.options.every((option) => option.cards.length === 1) && new Set(cards).size === cards.length;
  }

  /** Cards that belong to an option which holds all that is selected. */
  get playable() {
    return new Set(this.fitting([...this.selected]).flatMap(({ option }) => option.cards));
  }

  /** Options that hold all these cards, with their numbers. @param {string[]} cards */
  fitting(cards) {
    return this.options
      .map((option, at) => ({ option, number: at + 1 }))
      .filter(({ option }) => cards.every((card) => option.cards.includes(card)));
  }

  /**
   * A click on a card: the number of the option that it plays, or 0 if it only changes what is selected.
   * @param {string} card
   */
  touch(card) {
    if (this.selected.has(card)) {
      this.selected.delete(card);
      return 0;
    }
    const fitting = this.fitting([...this.selected, card]);
    if (fitting.length === 0) {
      const alone = this.fitting([card]);
      if (alone.length === 0) return 0;
      this.selected = new Set();
      return this.touch(card);
    }
    if (fitting.length === 1 && fitting[0].option.cards.length === 1) return fitting[0].number;
    this.selected.add(card);
    return 0;
  }
}

/** A merge patch (RFC 7386) applied. @param {any} old @param {any} patch @returns {any} */
export function patched(old, patch) {
  const made = { ...old };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete made[key];
    else if (typeof value === "object" && !Array.isArray(value)) {
      const before = made[key];
      made[key] = patched(typeof before === "object" && !Array.isArray(before) ? before : {}, value);
    } else made[key] = value;
  }
  return made;
}
