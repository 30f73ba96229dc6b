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
    "h": "get a hint, with values and a reason",
    "u": "show the last trick again",
    "l": "show the log of the whole hand",
    "z": "take your last decision back; the match then does not count in your statistics",
    "c": "lay your hand down and claim the rest; granted if no opponent can stop you",
    "r": "show the rules of the game",
    "v": "review the last finished hand",
    "t": "show the whole table (with --plain; otherwise it is always on the screen)",
    "q": "save and quit; upcard play --resume continues",
}
LONG_NAMES = {
    "help": "?",
    "keys": "?",
    "hint": "h",
    "log": "l",
    "undo": "z",
    "claim": "c",
    "rules": "r",
    "review": "v",
    "table": "t",
    "quit": "q",
    "exit": "q",
    "save": "q",
}
LONGEST = 40
"""Longer answers are cut to this length when a message repeats them."""


@dataclass(frozen=True)
class Command:
    key: str


class UnclearAnswer(Exception):
    """An answer that matches nothing; the message is for the person."""


def parse_answer(text: str, view: View) -> Option | Command:
    """The option or command that an answer means. `UnclearAnswer` says what is wrong and what to do."""
    answer = " ".join("".join(c if c.isprintable() else " " for c in text).split()).lower()
    if not answer:
        raise UnclearAnswer("you entered nothing; " + _how_to_answer(view))
    if answer in COMMANDS:
        return Command(answer)
    if answer.isascii() and answer.isdigit():
        return _by_number(answer, view)
    option = _by_cards(answer, view) or _by_words(answer, view)
    if option is not None:
        return option
    if answer in LONG_NAMES:
        return Command(LONG_NAMES[answer])
    raise UnclearAnswer(_explain_unknown(answer, view))


def _by_number(answer: str, view: View) -> Option:
    number = int(answer) if len(answer) <= 9 else 0
    if 1 <= number <= len(view.options):
        return view.options[number - 1]
    shown = answer if len(answer) <= LONGEST else answer[:LONGEST] + "..."
    raise UnclearAnswer(f"there is no choice {shown}; {_how_to_answer(view)}")


def card_names(view: View) -> dict[str, str]:
    """Every card by what a person may type for it: its face in ASCII letters, 10 also as t."""
    observation, sheet = view.observation, view.narrator.sheet
    faces = CardNotation.of(sheet, ascii_only=True)
    cards: dict[str, str] = {}
    for card, attributes in observation.cards.items():
        name = re.sub(r"[^a-z0-9]", "", to_ascii(faces.card(attributes)).lower())
        cards.setdefault(name, card)
        if name.startswith("10"):
            cards.setdefault("t" + name[2:], card)
        cards.setdefault(view.card(card).lower(), card)
    return cards


def _by_cards(answer: str, view: View) -> Option | None:
    names = card_names(view)
    # compare faces, not cards: a game with several packs has equal ones
    words = answer.replace(",", " ").split()
    if not words or not all(word in names for word in words):
        return None
    wanted = sorted(view.card(names[word]) for word in words)
    matches = [o for o in view.options if sorted(view.card(card) for card in o.cards) == wanted]
    if len(matches) == 1 or (matches and all(o.text == matches[0].text for o in matches)):
        return matches[0]
    if matches:
        numbers = ", ".join(f"{o.number} {o.text}" for o in matches[:4])
        raise UnclearAnswer(f"{' '.join(wanted)} could mean {numbers}; enter a number")
    held = {view.card(card) for card in view.hand}
    missing = [card for card in wanted if card not in held]
    if missing and held:
        raise UnclearAnswer(f"you do not hold {' '.join(missing)}; {_how_to_answer(view)}")
    raise UnclearAnswer(f"{' '.join(wanted)} cannot be chosen now; {_how_to_answer(view)}")


def _by_words(answer: str, view: View) -> Option | None:
    texts = {option.number: to_ascii(option.text).lower() for option in view.options}
    plain = to_ascii(answer)
    for fits in (
        lambda text: text == plain,
        lambda text: text.startswith(plain),
        lambda text: len(plain) >= 3 and plain in text,
    ):
        matches = [option for option in view.options if fits(texts[option.number])]
        if not matches:
            continue
        shortest = min(matches, key=lambda option: len(option.text))
        if all(texts[option.number].startswith(texts[shortest.number]) for option in matches):
            return shortest
        several = ", ".join(f"{o.number} {o.text}" for o in matches[:4])
        raise UnclearAnswer(f"{answer[:LONGEST]} could mean {several}; enter a number")
    return None


def _explain_unknown(answer: str, view: View) -> str:
    shown = answer if len(answer) <= LONGEST else answer[:LONGEST] + "..."
    suggestion = suggest(answer, [*(option.text.lower() for option in view.options), *LONG_NAMES])
    question = f"did you mean {suggestion}? " if suggestion else ""
    return f"{shown} is not a choice here; {question}{_how_to_answer(view)}"


def _how_to_answer(view: View) -> str:
    last = len(view.options)
    if not last:
        return "press ? for the keys"
    numbers = "enter 1" if last == 1 else f"enter a number from 1 to {last}"
    cards = ", or a card" if any(option.cards for option in view.options) else ""
    return f"{numbers}{cards}, or ? for the keys"
