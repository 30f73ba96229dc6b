"""The catalogue: every game with its players, family and summary line.

Listing the games must not wait for thirty programs to be checked. The number of players is read from the
program's text where it is a literal; only otherwise is the program checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.files.bounded import read_stream
from upcard.library.lookup import GameFiles, find, names
from upcard.library.sheet import Sheet
from upcard.library.sheet_format import read_sheet

FAMILIES = (
    "trick taking",
    "climbing",
    "shedding",
    "collecting",
    "fishing",
    "adding",
    "exchange",
    "press your luck",
    "bluff",
)
"""The order in which families are listed; any other family comes after them."""

_COMMENT = re.compile(r";;[^\n]*")
_PLAYERS = re.compile(r"\(\s*create\s+players\s+(?:([0-9]{1,9})|'([A-Z]+))\s*\)")
_DECLARED = r"\(\s*declare\s+([0-9]{1,9})\s+'%s\s*\)"
_SENTENCE_END = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["”']))\s+(?=["“'A-Z0-9])""")


@dataclass(frozen=True)
class Entry:
    """A game of the library, as the list shows it."""

    name: str
    title: str
    family: str
    players: int | None
    """By the default rules; None for a program with errors."""
    offered: tuple[int, ...]
    """Every number that the house rule `players` offers, and the usual one."""
    line: str

    @property
    def seats(self) -> str:
        return format_span(self.offered) or "?"

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "family": self.family,
            "players": self.players,
            "players_offered": list(self.offered),
            "line": self.line,
        }


def catalogue() -> list[Entry]:
    """Every game of the library, family by family, then by name."""
    entries = [entry_of(find(name)) for name in names()]
    return sorted(entries, key=lambda entry: (*_family_order(entry.family), entry.name))


def entry_of(found: GameFiles) -> Entry:
    sheet = read_sheet(found.sheet) if found.sheet else Sheet(found.name)
    players = players_of(found.rules)
    line = sheet.line or first_sentence(sheet.summary)
    return Entry(found.name, sheet.title, sheet.family, players, players_offered(sheet, players), line)


def players_of(rules: Path) -> int | None:
    """The number of players by a program's default rules."""
    # `;;` occurs only in comments; what is left has one form like this
    text = _COMMENT.sub("", read_stream(rules).decode("utf-8", "replace"))
    created = _PLAYERS.search(text)
    if created and created[1]:
        return int(created[1])
    declared = re.search(_DECLARED % created[2], text) if created else None
    if declared:
        return int(declared[1])
    from upcard.recycle.frontend import check_bytes

    program = check_bytes(read_stream(rules), str(rules), lint=False).program
    return program.players if program else None


def players_offered(sheet: Sheet, usual: int | None) -> tuple[int, ...]:
    """The numbers of players that the house rule `players` offers, and the usual one."""
    offered = [
        choice for rule in sheet.house_rules if rule.name == "players" for choice in rule.choices.items()
    ]
    numbers = {int(value) for _, value in offered if re.fullmatch("[0-9]{1,9}", value)}
    return tuple(sorted(numbers | ({usual} if usual else set())))


def format_span(numbers: tuple[int, ...]) -> str:
    """2-4, or 2, 4 where there is a gap."""
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers))


def first_sentence(text: str) -> str:
    return _SENTENCE_END.split(text, maxsplit=1)[0]


def _family_order(family: str) -> tuple[int, str]:
    if family in FAMILIES:
        return FAMILIES.index(family), ""
    return (len(FAMILIES), family) if family else (len(FAMILIES) + 1, "")
