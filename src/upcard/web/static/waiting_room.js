// <waiting-room>: who sits where before the match, and open seats during it.

import { el } from "./dom.js";
import { keepName, keptName } from "./memory.js";
import { strings } from "./strings.js";

const text = strings.waiting;

export class WaitingRoom extends HTMLElement {
  drawn = "";

  /** @param {any} document @param {(message: object) => void} send */
  draw(document, send) {
    const seen = JSON.stringify([document.you, document.people, document.table.state, document.table.fingerprint]);
    if (seen === this.drawn) return; // a name that is being typed stays
    this.drawn = seen;
    const waiting = document.table.state === "waiting";
    const people = Object.entries(document.people);
    const free = people.some(([, person]) => person.kind === "open");
    this.hidden = !waiting && !(document.you < 0 && free);
    const name = el("input", { id: "sit-name", maxLength: 20, required: true, value: keptName(), autocomplete: "nickname" });
    this.replaceChildren(
      el("h2", {}, waiting ? text.title : strings.table.youWatch),
      document.you < 0 && free ? el("p", { class: "field" }, el("label", { for: "sit-name" }, text.name), name) : "",
      el("ol", { class: "seats" }, people.map(([number, person]) => this.seat(Number(number), person, document, name, send))),
      waiting ? this.start(document, send) : "",
      waiting ? el("p", { class: "soft" }, text.fingerprint) : "",
    );
  }

  /** @param {number} number @param {any} person @param {any} document @param {HTMLElement} name @param {(message: object) => void} send */
  seat(number, person, document, name, send) {
    const input = /** @type {HTMLInputElement} */ (name);
    const sit = () => {
      if (!input.reportValidity()) return;
      keepName(input.value);
      send({ type: "sit", person: number, name: input.value });
    };
    const about = person.kind === "bot" ? text.bot(person.level) : person.kind === "open" ? text.openSeat
      : person.here ? "" : strings.table.away;
    return el(
      "li",
      { class: person.kind },
      el("span", { class: person.here ? "dot here" : "dot", "aria-hidden": "true" }),
      el("span", {}, el("b", {}, person.kind === "open" ? text.seat(number + 1) : person.name),
        number === document.you ? ` (${strings.table.marks.you})` : "",
        about ? el("small", {}, person.kind === "open" ? `${about}; ${text.botUntil(person.level)}` : about) : ""),
      document.you < 0 && person.kind === "open" ? el("button", { type: "button", onclick: sit }, text.sit) : "",
    );
  }

  /** @param {any} document @param {(message: object) => void} send */
  start(document, send) {
    if (document.you !== 0) return el("p", {}, text.waitFor(document.people[0].name));
    return el("button", { type: "button", class: "main", onclick: () => send({ type: "start" }) }, text.start);
  }
}

customElements.define("waiting-room", WaitingRoom);
