// What this browser remembers: its name, and the tokens of its seats by table.

const SEATS = "upcard.seats";
const NAME = "upcard.name";
const MAX_SEATS = 50;

/** @typedef {{code: string, token: string, title: string}} KeptSeat */

/** @returns {KeptSeat[]} newest first */
export function keptSeats() {
  try {
    const found = JSON.parse(localStorage.getItem(SEATS) ?? "[]");
    return Array.isArray(found) ? found.filter((seat) => typeof seat?.code === "string") : [];
  } catch {
    return [];
  }
}

/** @param {string} code */
export function tokenFor(code) {
  return keptSeats().find((seat) => seat.code === code)?.token ?? "";
}

/** @param {string} code @param {string} token @param {string} title */
export function keepSeat(code, token, title) {
  const others = keptSeats().filter((seat) => seat.code !== code);
  store(SEATS, JSON.stringify([{ code, token, title }, ...others].slice(0, MAX_SEATS)));
}

/** @param {string} code */
export function forgetSeat(code) {
  store(SEATS, JSON.stringify(keptSeats().filter((seat) => seat.code !== code)));
}

export function keptName() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name */
export function keepName(name) {
  store(NAME, name);
}

/** @param {string} key @param {string} value */
function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // a browser that keeps nothing can still play until the page is closed
  }
}
