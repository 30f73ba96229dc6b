"""What an observation of a program can hold: its places, storages and choices, found from the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from upcard.engine.api import TABLE, Place
from upcard.engine.native.lower.builder import NotLowered
from upcard.engine.native.lower.card_faces import MAX_CARDS, CardFace, is_fixed, static_cards
from upcard.engine.shared.flat_program import Ask, Step, stage_depths
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.table import single_seats
from upcard.recycle import program as p
from upcard.recycle.constants import constant
from upcard.recycle.diagnostics import Refused
from upcard.recycle.facts import owner_word
from upcard.recycle.limits import MAX_NUMBER
from upcard.recycle.lints.lint_subject import Subject, element_source, meaning
from upcard.recycle.walk import below

Owner: TypeAlias = Literal["table", "player", "team"]

MAX_SEATS = 255
"""A seat, counted from 1, is a byte."""


class NoEncoding(Refused):
    """Why a game has no encoding of fixed size: it is not known which cards there are, or there are too many.

    >>> issubclass(upcard.NoEncoding, upcard.Refused)
    True
    """


@dataclass(frozen=True)
class PlaceGroup:
    """The places of one owner kind, class and name."""

    owner: Owner
    cls: str
    name: str
    numbers: int
    ordered: bool

    @property
    def text(self) -> str:
        return f"{self.owner}.{self.cls}.{self.name}"

    def place(self, owner: int, number: int) -> Place:
        return Place(owner, self.cls, self.name, number)

    def is_seen(self, turn: int) -> bool:
        """Whether a seat sees the faces in a place of the owner `turn` seats after it."""
        seat = 1
        return Place(TABLE if self.owner == "table" else seat + turn, self.cls, self.name).seen_by(seat)


@dataclass(frozen=True)
class StoreGroup:
    """The storages of one owner kind and name."""

    owner: Owner
    name: str
    values: tuple[str, ...] = ()
    """The strings that can be stored, the empty one first; none for numbers."""

    @property
    def text(self) -> str:
        return f"{self.owner}.{'str' if self.values else 'sto'}.{self.name}"


@dataclass(frozen=True)
class Content:
    """All that observations of a program are about."""

    seats: int
    fixed_teams: tuple[tuple[int, ...], ...] | None
    """The teams, if the text fixes them."""
    cards: tuple[CardFace, ...]
    backs: tuple[str, ...]
    places: tuple[PlaceGroup, ...]
    strings: tuple[StoreGroup, ...]
    numbers: tuple[StoreGroup, ...]
    code: tuple[Step, ...]
    asks: tuple[int, ...]
    """The steps at which somebody decides."""
    ask_lines: tuple[int, ...]
    seat_levels: int
    """How many stages of players can be open, with one more outside all stages."""
    team_levels: int
    """The same of teams; 0 in a game without stages of teams."""

    @property
    def teams(self) -> int:
        """The most teams that there can be."""
        return self.seats if self.fixed_teams is None else len(self.fixed_teams)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Seats that win together, as far as the text fixes it."""
        return single_seats(self.seats) if self.fixed_teams is None else self.fixed_teams

    @property
    def card_ids(self) -> list[str]:
        return [f"{card.back}:{card.number}" for card in self.cards]


def content_of(game: LoadedGame) -> Content:
    """Raises `NoEncoding` if it is not known which cards there are."""
    program, facts = game.program, game.facts
    if not is_fixed(program):
        raise NoEncoding(
            f"{game.name} has no encoding of fixed size, because chance or play decides which cards there "
            "are; use observations"
        )
    if program.players >= MAX_SEATS:
        raise NoEncoding(f"{game.name} has no encoding, because it has {MAX_SEATS} seats or more")
    try:
        cards, _ = static_cards(program, facts)
    except NotLowered:
        raise NoEncoding(f"{game.name} has no encoding, because it has more than {MAX_CARDS} cards") from None
    texts = PossibleTexts(game, cards)
    asks = [(number, step) for number, step in enumerate(game.code) if isinstance(step, Ask)]
    depths = stage_depths(game.code)
    has_team_stages = any(isinstance(node, p.Stage) and node.of == "team" for node in texts.nodes_of_body)
    return Content(
        seats=game.seats,
        fixed_teams=_fixed_teams(program, texts),
        cards=tuple(cards),
        backs=tuple(dict.fromkeys(card.back for card in cards)),
        places=tuple(_places(game, texts)),
        strings=tuple(_stores(texts, p.StrStore)),
        numbers=tuple(_stores(texts, p.IntStore)),
        code=tuple(game.code),
        asks=tuple(number for number, _ in asks),
        ask_lines=tuple(program.source.line(step.choice.span.start) for _, step in asks),
        seat_levels=1 + max((depth.seat for depth in depths), default=0),
        team_levels=1 + max((depth.team for depth in depths), default=0) if has_team_stages else 0,
    )


def _fixed_teams(program: p.Program, texts: PossibleTexts) -> tuple[tuple[int, ...], ...] | None:
    if any(isinstance(node, p.CreateTeams) for node in texts.nodes_of_body):
        return None
    setup = program.setup.teams
    if setup is None:
        return single_seats(program.players)
    written = [[constant(number) for number in team] for team in setup.teams]
    if any(number is None for team in written for number in team):
        return None
    teams = [tuple(number - program.base for number in team if number is not None) for team in written]
    named = {seat for team in teams for seat in team}
    return (*teams, *((seat,) for seat in range(program.players) if seat not in named))


def _places(game: LoadedGame, texts: PossibleTexts) -> Iterator[PlaceGroup]:
    found: dict[tuple[Owner, str, str], int] = {}
    for node in texts.nodes:
        if not isinstance(node, p.PlaceForm):
            continue
        numbers = MAX_NUMBER + 1
        if isinstance(node, p.Location):
            if node.number is None:
                numbers = 1
            elif isinstance(node.number, p.Int):
                numbers = min(numbers, node.number.value + 1)
        owner: Owner = "table" if isinstance(node.owner, p.Table) else "player"
        for name in texts.of(node.name):
            key = owner, node.cls, name
            found[key] = max(found.get(key, 1), numbers)
    for (owner, cls, name), numbers in found.items():
        ordered = game.facts.order.is_ordered("table" if owner == "table" else "player", cls, name)
        yield PlaceGroup(owner, cls, name, numbers, ordered)


def _stores(texts: PossibleTexts, sort: type[p.Storage]) -> Iterator[StoreGroup]:
    found: dict[tuple[Owner, str], None] = {}
    for node in texts.nodes:
        if isinstance(node, sort):
            for name in texts.of(node.name):
                found[_owner(node), name] = None
    for owner, name in found:
        yield StoreGroup(owner, name, texts.stored(owner, name) if sort is p.StrStore else ())


def _owner(node: p.Storage) -> Owner:
    word = owner_word(node.owner)
    return "table" if word == "table" else "team" if word == "team" else "player"


class PossibleTexts:
    """Which strings a value can be, as far as the text of a program tells; otherwise all that it has."""

    def __init__(self, game: LoadedGame, cards: list[CardFace]) -> None:
        self._subject = Subject(game.program, game.facts)
        self.nodes = self._subject.nodes
        self.nodes_of_body = [node for element in game.program.body for node in below(element)]
        every = dict.fromkeys(game.facts.strings)
        values: dict[str, dict[str, None]] = {}
        for card in cards:
            every.update(dict.fromkeys((*card.attributes, *card.attributes.values(), card.back)))
            for key, value in card.attributes.items():
                values.setdefault(key, {})[value] = None
        self._every, self._values = tuple(every), values

    def of(self, expr: p.Expr) -> tuple[str, ...]:
        """The strings that a value can be."""
        return self._closed([expr])

    def stored(self, owner: Owner, name: str) -> tuple[str, ...]:
        """The strings that a storage can hold, the empty one first."""
        return tuple(dict.fromkeys(("", *self._closed(self._stores_in(owner, name)))))

    def _closed(self, exprs: Iterable[p.Expr]) -> tuple[str, ...]:
        """The strings that one of some values can be, read from storages too."""
        waiting, known = list(exprs), set[p.Expr]()
        found: dict[str, None] = {}
        while waiting:
            expr = waiting.pop(0)
            if expr in known:
                continue
            known.add(expr)
            if isinstance(expr, p.StrStore):
                found[""] = None
                text = self._subject.text(expr.name)
                waiting += self._stores_in(_owner(expr), text)
                continue
            if isinstance(expr, p.Var) and element_source(expr) is None and meaning(expr) is not expr:
                waiting.append(meaning(expr))
                continue
            texts = self._of(expr)
            if texts is None:
                return self._every
            found.update(dict.fromkeys(texts))
        return tuple(found)

    def _stores_in(self, owner: Owner, name: str | None) -> list[p.Expr]:
        """What is stored under a name; no name stands for every name."""
        found: list[p.Expr] = []
        for node in self.nodes:
            if isinstance(node, p.SetStr) and _owner(node.store) == owner:
                text = self._subject.text(node.store.name)
                if name is None or text is None or text == name:
                    found.append(node.value)
        return found

    def _of(self, expr: p.Expr) -> tuple[str, ...] | None:
        text = self._subject.text(expr)
        if text is not None:
            return (text,)
        if isinstance(expr, p.CardAtt):
            key = self._subject.text(expr.key)
            return None if key is None else ("", *self._values.get(key, ()))
        source = element_source(expr)
        while isinstance(source, p.Filter):
            source = meaning(source.source)
        return source.texts if isinstance(source, p.Names) else None
