"""Narrator: names moves in menus and tells what happened.

A game with a sheet is told in the sheet's phrases; any other in the names its program uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from upcard.library.sheet import Phrase, Sheet
from upcard.narration.card_text import CardNotation
from upcard.recycle.program import Program
from upcard.terminal_text import to_ascii

Record: TypeAlias = dict[str, Any]
"""One line of a transcript, as `upcard.engine.api` describes it; narration lies below the engines."""


class Broken(Protocol):
    """A run-time error: what the narrator tells of it."""

    @property
    def message(self) -> str: ...

    @property
    def line(self) -> int: ...

    @property
    def form(self) -> str: ...


class Result(Protocol):
    """How a deal ended: what the narrator tells of it."""

    @property
    def ending(self) -> str: ...

    @property
    def scores(self) -> tuple[int, ...] | None: ...

    @property
    def failure(self) -> Broken | None: ...


class Seen(Protocol):
    """What a narrator needs to know about a state."""

    @property
    def to_move(self) -> int | None: ...

    @property
    def faces(self) -> Mapping[str, Mapping[str, str]]:
        """Attributes by card id."""


@dataclass
class Line:
    """A sentence in the making: like actions one after the other become one sentence."""

    saying: Phrase | None
    text: str
    seat: str
    cards: list[str] = field(default_factory=list)


class Narrator:
    def __init__(self, sheet: Sheet | None, base: int, ascii_only: bool = False) -> None:
        self.sheet = _in_ascii(sheet) if ascii_only and sheet is not None else sheet
        self.base = base
        self.faces = CardNotation.of(sheet, ascii_only)

    @classmethod
    def plain(cls, program: Program) -> Narrator:
        return cls(None, program.base)

    def in_ascii(self) -> Narrator:
        return Narrator(self.sheet, self.base, ascii_only=True)

    # --- names ---------------------------------------------------------------------------------

    def seat(self, seat: int) -> str:
        names = self.sheet.seat_names if self.sheet else ()
        return names[seat] if seat < len(names) else f"p{seat + self.base}"

    def owner(self, text: str) -> str:
        """`table`, `seat2`, `team0` in words."""
        if text.startswith("seat"):
            return self.seat(int(text[4:]))
        return f"team {int(text[4:]) + self.base}" if text.startswith("team") else "the table"

    def word(self, value: object) -> str:
        known = self.sheet.words if self.sheet else {}
        return known.get(value, value) if isinstance(value, str) else str(value)

    def card(self, card: str | None, known: Mapping[str, Mapping[str, str]]) -> str:
        return "a card" if card is None else self.faces.card(known.get(card, {}))

    # --- moves ---------------------------------------------------------------------------------

    def move(self, effects: Iterable[Record], state: Seen) -> str:
        """A move for a menu."""
        parts: list[Line] = []
        known = state.faces
        for effect in effects:
            self._add(parts, effect, state.to_move, known, menu=True)
        return ", ".join(text for part in parts if (text := self._finish(part)))

    # --- stories -------------------------------------------------------------------------------

    def tell(self, records: Iterable[Record], known: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
        """Sentences for a stretch of records."""
        lines: list[Line] = []
        for record in records:
            if record["do"] == "decision":
                for action in record["actions"]:
                    self._add(lines, action, record["seat"], known, menu=False)
            else:
                self._add(lines, record, None, known, menu=False)
            # the last line may still grow
            while len(lines) > 1:
                yield from filter(None, [self._finish(lines.pop(0))])
        for line in lines:
            yield from filter(None, [self._finish(line)])

    def result(self, outcome: Result, teams: Sequence[Sequence[int]]) -> str:
        if outcome.failure is not None:
            failure = outcome.failure
            return f"The game broke off: {failure.message} (line {failure.line}: {failure.form})."
        assert outcome.scores is not None
        ending = {"stuck": " It went on and on without a decision.", "cut_off": " It was cut off."}
        scores = "; ".join(
            f"{self.side(team)} {outcome.scores[team[0]]}" for team in self._sides(outcome, teams)
        )
        return f"Score: {scores}.{ending.get(outcome.ending, '')}"

    def side(self, team: Sequence[int]) -> str:
        return " and ".join(self.seat(seat) for seat in team)

    def _sides(self, outcome: Result, teams: Sequence[Sequence[int]]) -> list[Sequence[int]]:
        """Teams whose members scored alike are named together."""
        sides: list[Sequence[int]] = []
        for team in teams:
            scores = {outcome.scores[seat] for seat in team} if outcome.scores else set()
            sides.extend([team] if len(scores) == 1 else [(seat,) for seat in team])
        return sides

    # --- one action ----------------------------------------------------------------------------

    def _add(
        self,
        lines: list[Line],
        record: Record,
        actor: int | None,
        known: Mapping[str, Mapping[str, str]],
        menu: bool,
    ) -> None:
        saying = self._saying(record, "player" if actor is not None else "game")
        if self.sheet is not None and saying is None and self.sheet.phrases:
            return  # a sheet with phrases has said all that is worth telling
        text = (saying.pick if menu else saying.tell) if saying else _usual(record, menu)
        if not text:
            return
        who = self._who(record, actor)
        cards = [self.card(record["card"], known)] if "card" in record else []
        filled = self._fill(text, record, who, known)
        if lines and cards and lines[-1].saying is saying and lines[-1].text == filled:
            lines[-1].cards.extend(cards)
        else:
            lines.append(Line(saying, filled, who, cards))

    def _finish(self, line: Line) -> str:
        return line.text.replace("{cards}", " ".join(line.cards)).replace("{card}", " ".join(line.cards))

    def _saying(self, record: Record, by: str) -> Phrase | None:
        phrases = self.sheet.phrases if self.sheet else ()
        fitting = (saying for saying in phrases if saying.by in (None, by))
        return next((saying for saying in fitting if _matches(saying, record)), None)

    def _who(self, record: Record, actor: int | None) -> str:
        """Whom a sentence is about: who acted, or else whose place or storage it is."""
        if actor is not None:
            return self.seat(actor)
        if "seat" in record:
            return self.seat(record["seat"])
        for key in ("owner", "to", "from", "place"):
            owner = str(record.get(key) or "").split(".")[0]
            if owner.startswith(("seat", "team")):
                return self.owner(owner)
        return "the table"

    def _fill(self, text: str, record: Record, who: str, known: Mapping[str, Mapping[str, str]]) -> str:
        filled = text.replace("{seat}", who)
        for key in ("owner", "from", "to", "place"):
            if "{" + key + "}" in filled:
                filled = filled.replace("{" + key + "}", self._place(str(record.get(key) or "")))
        if "{value}" in filled:
            filled = filled.replace("{value}", self.word(record.get("value")))
        if "{name}" in filled:
            filled = filled.replace("{name}", str(record.get("name")))
        if "{other}" in filled:
            filled = filled.replace("{other}", self.card(record.get("other"), known))
        if "{target}" in filled:
            filled = filled.replace("{target}", self.seat(record["seat"]) if "seat" in record else "")
        # a sentence starts with a capital, but p0 is a name as it is
        nameless = filled[:1] == "p" and filled[1:2].isdigit()
        return filled[:1].upper() + filled[1:] if text.startswith("{") and not nameless else filled

    def _place(self, text: str) -> str:
        owner, *rest = text.split(".")
        if not rest:
            return self.owner(owner)
        name = rest[1] + (f" {rest[2]}" if len(rest) > 2 else "")
        return f"{self.owner(owner)}'s {name}"


def _matches(saying: Phrase, record: Record) -> bool:
    if saying.do != record["do"]:
        return False
    return (
        saying.source in (None, _name_of(record.get("from") or record.get("place")))
        and saying.target in (None, _name_of(record.get("to")))
        and saying.name in (None, record.get("name"))
        and (saying.value is None or saying.value == str(record.get("value")))
        and (saying.owner is None or saying.owner == str(record.get("owner", "")).rstrip("0123456789"))
    )


def _name_of(place: str | None) -> str | None:
    return place.split(".")[2] if place and place.count(".") >= 2 else None


_USUAL = {
    "move": ("{seat}: {card} from {from} to {to}", "{card} from {from} to {to}"),
    "remember": ("{seat}: {card} is remembered in {to}", "remember {card} in {to}"),
    "forget": ("{seat}: {card} is forgotten in {from}", "forget {card} in {from}"),
    "shuffle": ("{place} is shuffled", "shuffle {place}"),
    "swap": ("{from} and {to} are swapped", "swap {from} and {to}"),
    "set": ("{owner}'s {name} becomes {value}", "{owner}'s {name} becomes {value}"),
    "pass": ("{seat} passes", "pass"),
    "hidden": ("", "..."),
}


def _usual(record: Record, menu: bool) -> str:
    """What is said without a sheet, in the program's own names."""
    if record["do"] == "swap" and "card" in record:
        return "swap {card} and {other}" if menu else "{seat}: {card} and {other} are swapped"
    if record["do"] == "shuffle" and record.get("place") is None:
        return ""
    told, picked = _USUAL.get(record["do"], ("", ""))
    return picked if menu else told


def _in_ascii(sheet: Sheet) -> Sheet:
    """The words that a table or a story is made of, in plain letters before anything is laid out."""
    return replace(
        sheet,
        title=to_ascii(sheet.title),
        rules=to_ascii(sheet.rules),
        seat_names=tuple(map(to_ascii, sheet.seat_names)),
        place_names=tuple(map(to_ascii, sheet.place_names)),
        deal_word=to_ascii(sheet.deal_word),
        words={value: to_ascii(word) for value, word in sheet.words.items()},
        table={name: to_ascii(words) for name, words in sheet.table.items()},
        phrases=tuple(
            replace(saying, tell=to_ascii(saying.tell), pick=to_ascii(saying.pick))
            for saying in sheet.phrases
        ),
    )
