"""Reads the event log of stepping code and applies its effects to a table that follows the state.

After each effect is applied to the table, the seats' knowledge is updated, so that the rules of knowledge
(docs/language/knowing.md) see the table as it was right after every single action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from upcard.engine.api import TABLE, Record, team_owner
from upcard.engine.native.lower import Lowered
from upcard.engine.native.lower.card_faces import CardFace
from upcard.engine.native.lower.runtime import (
    CYCLE,
    DECK,
    EXCHANGE,
    FORGET,
    MOVE,
    PASS,
    POINTS,
    REMEMBER,
    SET_INT,
    SET_STR,
    SHUFFLE,
    SWAP,
    TEAMS,
)
from upcard.engine.shared.effect_records import stage_record
from upcard.engine.shared.flat_program import StageStep
from upcard.engine.shared.knowledge import Effect
from upcard.engine.shared.table import PointMap, Table
from upcard.recycle import program as p
from upcard.recycle.walk import below

Awards: TypeAlias = tuple[tuple[tuple[tuple[str, str], ...], int], ...]


class Words:
    """What the numbers in a state and in its event log stand for: places, storages, strings, teams."""

    def __init__(self, lowered: Lowered) -> None:
        layout = lowered.layout
        self.lowered = lowered
        self.places = layout.places
        self.strings = list(layout.strings)
        self.base = layout.program.base
        self.team_sites = [node for node in below(layout.program) if isinstance(node, p.CreateTeams)]
        self.ints = self._storage_words(layout.ints, 1)
        self.strs = self._storage_words(layout.strs, 1)
        self.maps = self._storage_words(layout.maps, layout.map_stride)

    def _storage_words(self, space: dict[tuple[str, str], int], stride: int) -> dict[int, tuple[int, str]]:
        """From the word of a storage to its owner and name."""
        owners = {}
        for (kind, name), first in space.items():
            for i in range(self.lowered.layout.owners(kind)):
                owner = TABLE if kind == "table" else i if kind == "player" else team_owner(i)
                owners[first + i * stride] = (owner, name)
        return owners

    def awards(self, site: int, captured: Sequence[int]) -> Awards:
        """The awards of the point map that a form set, with the values it captured."""
        left = iter(captured)

        def text(part: p.Expr) -> str:
            return part.text if isinstance(part, p.Str) else self.strings[next(left)]

        awards = []
        for award in self.lowered.map_sites[site].awards:
            pairs = tuple((text(key), text(value)) for key, value in award.pairs)
            amount = award.amount.value if isinstance(award.amount, p.Int) else next(left)
            awards.append((pairs, amount))
        return tuple(awards)

    def teams(self, site: int, seats: Sequence[int], all_seats: int) -> tuple[tuple[int, ...], ...]:
        left = iter(seats)
        listed = [tuple(next(left) for _ in team) for team in self.team_sites[site].teams]
        return *listed, *((seat,) for seat in range(all_seats) if seat not in seats)


def read_events(log: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
    at = 0
    while at < len(log):
        kind, count = log[at], log[at + 1]
        yield kind, log[at + 2 : at + 2 + count]
        at += 2 + count


def apply_event(
    words: Words, table: Table, kind: int, values: Sequence[int], faces: Sequence[CardFace] = ()
) -> Effect:
    """Applies one logged effect to the table; returns it as the reference engine describes it.

    `faces` are all cards; only the creation of a deck needs them.
    """
    places = words.places
    if kind == MOVE:
        return _move(words, table, values)
    if kind == SET_INT:
        return _store(table, table.ints, words.ints[values[0]], values[1])
    if kind == SET_STR:
        return _store(table, table.strs, words.strs[values[0]], words.strings[values[1]])
    if kind == SHUFFLE:
        place, given = values[0], bool(values[1])
        order = tuple(values[3:])
        if place >= 0:
            table.rearrange(table.cards_at(places[place]), order)
        return "shuffle", places[place] if place >= 0 else None, order, given
    if kind == CYCLE:
        current, seat = values
        index, queue = table.seat_cycles[-1]
        table.set_cycle(*((seat, queue) if current else (index, seat)))
        return "cycle", "current" if current else "next", seat
    if kind == POINTS:
        key = words.maps[values[0]]
        awards = words.awards(values[1], values[2:])
        table.store(table.maps, key, PointMap(awards))
        return "points", *key, awards
    if kind == REMEMBER:
        card, where, memory, index = values
        table.refer(card, places[memory], index)
        return "remember", card, places[where], places[memory], index
    if kind == FORGET:
        card, memory, index = values
        table.unrefer(places[memory], index)
        return "forget", card, places[memory], index
    if kind == SWAP:
        a, b = places[values[0]], places[values[1]]
        if a != b:
            table.swap_places(a, b)
        return "swap", a, b
    if kind == EXCHANGE:
        card, place, by_position, other, its_place, its_position = values
        if card != other:
            table.swap_cards(card, other)
        ours = card, places[place], bool(by_position)
        return "exchange", *ours, other, places[its_place], bool(its_position)
    if kind == TEAMS:
        teams = words.teams(values[0], values[1:], table.seats)
        table.make_teams(teams)
        return "teams", teams
    if kind == DECK:
        place, first, count = values
        for card in range(first, first + count):
            face = faces[card]
            table.new_card(face.back, face.attributes, places[place])
        return "deck", places[place], tuple(range(first, first + count))
    assert kind == PASS, f"no effect has the number {kind}"
    return ("pass",)


def apply_stage(table: Table, step: StageStep, line: int) -> Record:
    """Applies a logged stage to the cycles of a table; returns its record."""
    of, what = step.stage.of, step.what
    if what == "enter":
        table.enter(of)
    elif what == "leave":
        table.leave_stage(of)
    elif what == "again":
        table.advance(of)
    return stage_record(of, what if what in ("enter", "leave") else "round", line, table)


def _move(words: Words, table: Table, values: Sequence[int]) -> Effect:
    card, source, place, index, by_position = values
    target = words.places[place]
    got = table.move(card, target, None if index < 0 else index)  # -1: no order is kept
    return "move", card, words.places[source], target, got, bool(by_position)


def _store(table: Table, space: dict[tuple[int, str], Any], key: tuple[int, str], value: Any) -> Effect:
    table.store(space, key, value)
    return "set", *key, value
