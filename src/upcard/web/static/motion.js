// Cards move from where they were to where they are. Nothing moves for people who asked for less motion.

const DURATION = 320;

/** @typedef {Map<string, DOMRect>} Places */

/** Where every card is drawn. @param {HTMLElement} root @returns {Places} */
export function placesOf(root) {
  const found = new Map();
  for (const drawn of root.querySelectorAll("[data-card]")) {
    found.set(/** @type {HTMLElement} */ (drawn).dataset.card ?? "", drawn.getBoundingClientRect());
  }
  return found;
}

/**
 * Animates from earlier places. A card that was not to be seen comes from the player whose it is.
 * @param {HTMLElement} root @param {Places} before
 */
export function move(root, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || before.size === 0) return;
  for (const drawn of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-card]"))) {
    const now = drawn.getBoundingClientRect();
    const home = root.querySelector(`[data-chair="${drawn.dataset.from ?? ""}"]`);
    const then = before.get(drawn.dataset.card ?? "") ?? home?.getBoundingClientRect();
    if (then === undefined || now.width === 0) continue;
    const x = then.x + then.width / 2 - now.x - now.width / 2;
    const y = then.y + then.height / 2 - now.y - now.height / 2;
    if (Math.hypot(x, y) < 4) continue;
    drawn.animate(
      [{ translate: `${x}px ${y}px` }, { translate: "0 0" }],
      { duration: DURATION, easing: "cubic-bezier(.2,.8,.3,1)" },
    );
  }
}
