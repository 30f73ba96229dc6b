// <table-log>: what happened, in sentences, read out politely; and what needs an answer, read out at once.

import { el } from "./dom.js";
import { strings } from "./strings.js";

export class TableLog extends HTMLElement {
  constructor() {
    super();
    this.list = el("ol");
    this.box = el("div", { class: "log", role: "log", "aria-live": "polite", "aria-label": strings.table.log, tabIndex: 0 }, this.list);
    this.urgent = el("p", { class: "heard", "aria-live": "assertive", role: "alert" });
    /** @type {string[]} */
    this.lines = [];
  }

  connectedCallback() {
    this.replaceChildren(el("h2", {}, strings.table.log), this.box, this.urgent);
  }

  /** Shows the lines of the deal; only new ones are added. @param {Record<string, string>} log */
  show(log) {
    const lines = Object.entries(log).sort(([one], [other]) => Number(one) - Number(other)).map(([, line]) => line);
    const goesOn = this.lines.every((line, at) => lines[at] === line);
    if (!goesOn) this.list.replaceChildren();
    for (const line of lines.slice(goesOn ? this.lines.length : 0)) this.list.append(el("li", {}, line));
    this.lines = lines;
    this.box.scrollTop = this.box.scrollHeight;
  }

  /** @param {string} sentence */
  say(sentence) {
    if (this.urgent.textContent !== sentence) this.urgent.textContent = sentence;
  }
}

customElements.define("table-log", TableLog);
