// Roving focus: one stop of the Tab key for a group, arrow keys inside it.

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/** Makes the buttons of a group reachable by arrow keys. @param {HTMLElement} group @param {Element | null} [start] */
export function rove(group, start = null) {
  const buttons = members(group);
  const first = buttons.find((button) => button === start)
    ?? buttons.find((button) => button.getAttribute("aria-disabled") !== "true") ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === first ? 0 : -1;
  if (group.dataset.roving) return;
  group.dataset.roving = "on";
  group.addEventListener("keydown", (event) => {
    const all = members(group);
    const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    let next = at;
    if (event.key in STEPS) next = (at + STEPS[event.key] + all.length) % all.length;
    else if (event.key === "Home") next = 0;
    else if (event.key === "End") next = all.length - 1;
    else return;
    event.preventDefault();
    for (const button of all) button.tabIndex = -1;
    all[next].tabIndex = 0;
    all[next].focus();
  });
}

/** @param {HTMLElement} group @returns {HTMLButtonElement[]} */
function members(group) {
  return /** @type {HTMLButtonElement[]} */ ([...group.querySelectorAll("button[data-key]")]);
}
