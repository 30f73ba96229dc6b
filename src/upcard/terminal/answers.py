"""Parses typed answers: menu numbers, cards, words of the menu, table commands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from upcard.narration.card_text import CardNotation
from upcard.recycle.diagnostics import suggest
from upcard.terminal.seat_view import Option, View
from upcard.terminal_text import to_ascii

COMMANDS: Mapping[str, str] = {
    "?": "explain the keys",
    "h": "a hint, with values and a reason",
    "u": "the last trick again",
    "c": "lay the hand down; granted when no lie of the unseen cards can stop it",
    "r": "the rules of the game",
    "v": "review the last hand that was finished",
    "t": "the whole table in lines (with --plain; in a window it is always there)",
    "q": "save and quit; upcard play --resume goes on",
}
LONG = {
    "help": "?",
    "keys": "?",
    "hint": "h",
    "claim": "c",
    "rules": "r",
    "review": "v",
    "table": "t",
    "quit": "q",
    "exit": "q",
    "save": "q",
}
LONGEST = 40
"""Of a longer answer only so much is repeated in a sentence."""


@dataclass(frozen=True)
class Command:
    key: str


class Unclear(Exception):
    """An answer that means nothing here; the message is for whoever gave it."""


def understand(text: str, view: View) -> Option | Command:
    """What an answer means. Raises `Unclear` with what is wrong and what to do."""
    given = " ".join("".join(c if c.isprintable() else " " for c in text).split()).lower()
    if not given:
        raise Unclear("nothing was entered; " + _what_to_do(view))
    if given in COMMANDS:
        return Command(given)
    if given.isascii() and given.isdigit():
        return _by_number(given, view)
    found = _by_cards(given, view) or _by_words(given, view)
    if found is not None:
        return found
    if given in LONG:
        return Command(LONG[given])
    raise Unclear(_sentence(given, view))


def _by_number(given: str, view: View) -> Option:
    number = int(given) if len(given) <= 9 else 0
    if 1 <= number <= len(view.options):
        return view.options[number - 1]
    shown = given if len(given) <= LONGEST else given[:LONGEST] + "..."
    raise Unclear(f"there is no {shown} here; {_what_to_do(view)}")


def card_names(view: View) -> dict[str, str]:
    """Every card of the game by what may be typed for it: its face in plain letters, 10 also as t."""
    observation, sheet = view.observation, view.narrator.sheet
    faces = CardNotation.of(sheet, ascii_only=True)
    found: dict[str, str] = {}
    for card, attributes in observation.cards.items():
        name = re.sub(r"[^a-z0-9]", "", to_ascii(faces.card(attributes)).lower())
        found.setdefault(name, card)
        if name.startswith("10"):
            found.setdefault("t" + name[2:], card)
        found.setdefault(view.card(card).lower(), card)
    return found


def _by_cards(given: str, view: View) -> Option | None:
    names = card_names(view)
    # equal cards of several packs look alike: compare faces, not cards
    words = given.replace(",", " ").split()
    if not words or not all(word in names for word in words):
        return None
    wanted = sorted(view.card(names[word]) for word in words)
    fitting = [o for o in view.options if sorted(view.card(card) for card in o.cards) == wanted]
    if len(fitting) == 1 or (fitting and all(o.text == fitting[0].text for o in fitting)):
        return fitting[0]
    if fitting:
        numbers = ", ".join(f"{o.number} {o.text}" for o in fitting[:4])
        raise Unclear(f"{' '.join(wanted)} may mean several things: {numbers}; choose by number")
    held = {view.card(card) for card in view.hand}
    missing = [card for card in wanted if card not in held]
    if missing and held:
        raise Unclear(f"you do not hold {' '.join(missing)}; {_what_to_do(view)}")
    raise Unclear(f"{' '.join(wanted)} cannot be chosen now; {_what_to_do(view)}")


def _by_words(given: str, view: View) -> Option | None:
    texts = {option.number: to_ascii(option.text).lower() for option in view.options}
    plain = to_ascii(given)
    for fits in (
        lambda text: text == plain,
        lambda text: text.startswith(plain),
        lambda text: len(plain) >= 3 and plain in text,
    ):
        fitting = [option for option in view.options if fits(texts[option.number])]
        if not fitting:
            continue
        shortest = min(fitting, key=lambda option: len(option.text))
        if all(texts[option.number].startswith(texts[shortest.number]) for option in fitting):
            return shortest
        several = ", ".join(f"{o.number} {o.text}" for o in fitting[:4])
        raise Unclear(f"{given[:LONGEST]} may mean several things: {several}; choose by number")
    return None


def _sentence(given: str, view: View) -> str:
    shown = given if len(given) <= LONGEST else given[:LONGEST] + "..."
    meant = suggest(given, [*(option.text.lower() for option in view.options), *LONG])
    near = f"did you mean {meant}? " if meant else ""
    return f"{shown} is nothing to choose here; {near}{_what_to_do(view)}"


def _what_to_do(view: View) -> str:
    last = len(view.options)
    if not last:
        return "? explains the keys"
    numbers = "enter 1" if last == 1 else f"enter a number from 1 to {last}"
    cards = ", or a card" if any(option.cards for option in view.options) else ""
    return f"{numbers}{cards}; ? explains the keys"
