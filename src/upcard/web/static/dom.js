// Building elements. Text is always text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with properties and children. `class`, `data-*`, `aria-*` and `role` are attributes; `on*` are
 * listeners; other keys are properties.
 * @param {string} name
 * @param {Record<string, any>} [given]
 * @param {...(Node | string | null | undefined | false | Array<Node | string | null | undefined | false>)} children
 */
export function el(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class" || key === "role" || key === "for" || key.includes("-")) made.setAttribute(key, String(value));
    else /** @type {any} */ (made)[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return made;
}

/** @param {Node | string | false | null | undefined} child */
function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

/** A drawing that shows a symbol of the page. @param {string} symbol */
export function drawing(symbol) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-1 -1 62 88");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

/** Adds the symbols of an SVG document to the page. @param {string} text */
export function addSymbols(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const holder = document.importNode(parsed.documentElement, true);
  holder.setAttribute("class", "symbols");
  holder.setAttribute("aria-hidden", "true");
  document.body.prepend(holder);
}
