"""Narrator: names moves in menus and describes what happened.

A game with a sheet is narrated in the sheet's phrases, any other in the names of its program.
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
"""One line of a transcript (`upcard.engine.api`, which this package cannot import)."""


class FailureLike(Protocol):
    """What the narrator needs of a failure (`api.Failure`)."""

    @property
    def message(self) -> str: ...

    @property
    def line(self) -> int: ...

    @property
    def form(self) -> str: ...


class OutcomeLike(Protocol):
    """What the narrator needs of an outcome (`api.Outcome`)."""

    @property
    def ending(self) -> str: ...

    @property
    def scores(self) -> tuple[int, ...] | None: ...

    @property
    def failure(self) -> FailureLike | None: ...


class StateLike(Protocol):
    """What the narrator needs of a state (`api.State`)."""

    @property
    def to_move(self) -> int | None: ...

    @property
    def faces(self) -> Mapping[str, Mapping[str, str]]:
        """Attributes by card id."""


@dataclass
class Line:
    """A sentence under construction: consecutive actions of the same kind share one."""

    phrase: Phrase | None
    text: str
    seat: str
    cards: list[str] = field(default_factory=list)


class Narrator:
    def __init__(self, sheet: Sheet | None, base: int, ascii_only: bool = False) -> None:
        self.sheet = _in_ascii(sheet) if ascii_only and sheet is not None else sheet
        self.base = base
        self.ascii_only = ascii_only
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

    def move(self, effects: Iterable[Record], state: StateLike) -> str:
        """A move for a menu: in the sheet's words, else in the names of the program. Never empty."""
        effects = list(effects)
        return (
            self._menu_text(effects, state)
            or self.without_phrases()._menu_text(effects, state)
            or ", ".join(filter(None, (self._effect(effect) for effect in effects)))
            or "do nothing"
        )

    def _menu_text(self, effects: Iterable[Record], state: StateLike) -> str:
        parts: list[Line] = []
        for effect in effects:
            self._add(parts, effect, state.to_move, state.faces, menu=True)
        return ", ".join(text for part in parts if (text := self._finish(part)))

    def _effect(self, effect: Record) -> str:
        """An effect that is worth mentioning only if a move has no others."""
        if effect["do"] == "cycle":
            return f"{self.seat(effect['seat'])} is {'next' if effect['which'] == 'next' else 'to play'}"
        if effect["do"] == "points":
            return f"{self.owner(effect['owner'])}'s {effect['name']} is set"
        return "shuffle" if effect["do"] == "shuffle" else ""

    def without_phrases(self) -> Narrator:
        """A narrator with the generic sentences, for what the sheet has no phrases for."""
        return Narrator(self._bare_sheet(), self.base, self.ascii_only)

    def _bare_sheet(self) -> Sheet | None:
        return replace(self.sheet, phrases=()) if self.sheet is not None else None

    # --- sentences -----------------------------------------------------------------------------

    def tell(self, records: Iterable[Record], known: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
        """Sentences for a stretch of records."""
        lines: list[Line] = []
        for record in records:
            if record["do"] == "decision":
                # a decision without any phrase would be missing from the story
                narrator = self if self._has_phrase(record) else self.without_phrases()
                for action in record["actions"]:
                    narrator._add(lines, action, record["seat"], known, menu=False)
            else:
                self._add(lines, record, None, known, menu=False)
            # the last line may still grow
            while len(lines) > 1:
                yield from filter(None, [self._finish(lines.pop(0))])
        for line in lines:
            yield from filter(None, [self._finish(line)])

    def result(self, outcome: OutcomeLike, teams: Sequence[Sequence[int]]) -> str:
        if outcome.failure is not None:
            failure = outcome.failure
            return f"The game failed: {failure.message} (line {failure.line}: {failure.form})."
        assert outcome.scores is not None
        ending = {
            "stuck": " It was stopped because it went on without a decision.",
            "cut_off": " It was cut off.",
        }
        scores = "; ".join(
            f"{self.side(team)} {outcome.scores[team[0]]}" for team in self._sides(outcome, teams)
        )
        return f"Score: {scores}.{ending.get(outcome.ending, '')}"

    def side(self, team: Sequence[int]) -> str:
        return " and ".join(self.seat(seat) for seat in team)

    def _sides(self, outcome: OutcomeLike, teams: Sequence[Sequence[int]]) -> list[Sequence[int]]:
        """Teams; members with different scores are listed separately."""
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
        acting = f"seat{actor}" if actor is not None else _owner_of(record)
        phrase = self._find_phrase(record, "player" if actor is not None else "game", acting)
        if self.sheet is not None and phrase is None and self.sheet.phrases:
            return  # a sheet's phrases cover all that is worth narrating
        text = (phrase.pick if menu else phrase.tell) if phrase else _default_phrase(record, menu)
        if not text:
            return
        subject = self.owner(acting)
        cards = [self.card(record["card"], known)] if "card" in record else []
        filled = self._fill(text, record, subject, known)
        if lines and cards and lines[-1].phrase is phrase and lines[-1].text == filled:
            lines[-1].cards.extend(cards)
        else:
            lines.append(Line(phrase, filled, subject, cards))

    def _finish(self, line: Line) -> str:
        return line.text.replace("{cards}", " ".join(line.cards)).replace("{card}", " ".join(line.cards))

    def _has_phrase(self, decision: Record) -> bool:
        """Whether the sheet describes any action of a decision, be it with nothing to tell."""
        if self.sheet is None or not self.sheet.phrases:
            return True
        acting = f"seat{decision['seat']}"
        return any(self._find_phrase(action, "player", acting) for action in decision["actions"])

    def _find_phrase(self, record: Record, by: str, acting: str) -> Phrase | None:
        if self.sheet is None:
            return None
        places = self.sheet.place_names
        seat = int(acting[4:]) if acting.startswith("seat") else len(places)
        place = places[seat] if seat < len(places) else None
        fitting = (p for p in self.sheet.phrases if p.by in (None, by) and p.who in (None, place))
        return next((phrase for phrase in fitting if _matches(phrase, record)), None)

    def _fill(self, text: str, record: Record, subject: str, known: Mapping[str, Mapping[str, str]]) -> str:
        filled = text.replace("{seat}", subject)
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
        # a sentence starts with a capital, except for generated names such as p0
        nameless = filled[:1] == "p" and filled[1:2].isdigit()
        return filled[:1].upper() + filled[1:] if text.startswith("{") and not nameless else filled

    def _place(self, text: str) -> str:
        owner, *rest = text.split(".")
        if not rest:
            return self.owner(owner)
        name = rest[1] + (f" {rest[2]}" if len(rest) > 2 else "")
        return f"{self.owner(owner)}'s {name}"


def _owner_of(record: Record) -> str:
    """Whom an action of the rules concerns: the owner of the place or storage, as `seat2` or `table`."""
    if "seat" in record:
        return f"seat{record['seat']}"
    for key in ("owner", "to", "from", "place"):
        owner = str(record.get(key) or "").split(".")[0]
        if owner.startswith(("seat", "team")):
            return owner
    return "table"


def _matches(phrase: Phrase, record: Record) -> bool:
    if phrase.do != record["do"]:
        return False
    return (
        phrase.source in (None, _name_of(record.get("from") or record.get("place")))
        and phrase.target in (None, _name_of(record.get("to")))
        and phrase.name in (None, record.get("name"))
        and (phrase.value is None or phrase.value == str(record.get("value")))
        and (phrase.owner is None or phrase.owner == str(record.get("owner", "")).rstrip("0123456789"))
    )


def _name_of(place: str | None) -> str | None:
    return place.split(".")[2] if place and place.count(".") >= 2 else None


_DEFAULT_PHRASES = {
    "move": ("{seat}: {card} from {from} to {to}", "{card} from {from} to {to}"),
    "remember": ("{seat}: {card} is remembered in {to}", "remember {card} in {to}"),
    "forget": ("{seat}: {card} is forgotten in {from}", "forget {card} in {from}"),
    "shuffle": ("{place} is shuffled", "shuffle {place}"),
    "swap": ("{from} and {to} are swapped", "swap {from} and {to}"),
    "set": ("{owner}'s {name} becomes {value}", "{owner}'s {name} becomes {value}"),
    "pass": ("{seat} passes", "pass"),
    "hidden": ("", "..."),
}


def _default_phrase(record: Record, menu: bool) -> str:
    """The phrase without a sheet, in the program's own names."""
    if record["do"] == "swap" and "card" in record:
        return "swap {card} and {other}" if menu else "{seat}: {card} and {other} are swapped"
    if record["do"] == "shuffle" and record.get("place") is None:
        return ""
    sentence, menu_text = _DEFAULT_PHRASES.get(record["do"], ("", ""))
    return menu_text if menu else sentence


def _in_ascii(sheet: Sheet) -> Sheet:
    """The sheet with ASCII texts. Replacements may be longer, so this comes before layout."""
    return replace(
        sheet,
        title=to_ascii(sheet.title),
        rules=to_ascii(sheet.rules),
        seat_names=tuple(map(to_ascii, sheet.seat_names)),
        place_names=tuple(map(to_ascii, sheet.place_names)),
        deal_word=to_ascii(sheet.deal_word),
        words={value: to_ascii(word) for value, word in sheet.words.items()},
        table={name: to_ascii(words) for name, words in sheet.table.items()},
        totals=tuple(
            replace(
                total,
                tell=to_ascii(total.tell),
                extra=replace(total.extra, tell=to_ascii(total.extra.tell)) if total.extra else None,
            )
            for total in sheet.totals
        ),
        phrases=tuple(
            replace(phrase, tell=to_ascii(phrase.tell), pick=to_ascii(phrase.pick))
            for phrase in sheet.phrases
        ),
    )
