"""Runs both engines side by side and compares everything at every decision.

Three ways of playing go along: the reference engine, stepping code (which notes what it does), and the
code of whole games, whose memory must read the same as the others' tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from upcard.engine.api import Limits, Stacked
from upcard.engine.loader import with_house_rules
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state import NativeState
from upcard.engine.native.unlogged_state import UnloggedState
from upcard.engine.reference import ReferenceState
from upcard.engine.shared.flat_program import Ask, Bind, Block, StageStep, Step
from upcard.parallel.pool import in_order
from upcard.players import RandomPlayer


@dataclass(frozen=True)
class Difference:
    """The first thing on which two engines disagree."""

    deal: int
    decision: int
    line: int
    what: str
    reference: str
    native: str

    def __str__(self) -> str:
        return (
            f"deal {self.deal}, decision {self.decision}, line {self.line}: {self.what} "
            f"is {self.reference} in the reference engine and {self.native} in the native one"
        )


class _Differs(Exception):
    def __init__(self, what: str, reference: Any, native: Any) -> None:
        self.what, self.reference, self.native = what, reference, native
        super().__init__(what)


@dataclass(frozen=True)
class _Task:
    game: NativeGame
    seed: int
    limits: Limits


PIECE = 5
"""Deals that a process compares at a time."""


def verify(
    game: NativeGame, games: int, seed: int, workers: int | Executor = 1, limits: Limits | None = None
) -> Iterator[list[Difference]]:
    """The differences in each piece of the deals."""
    return in_order(_compare_piece, _Task(game, seed, limits or Limits()), games, PIECE, workers)


@dataclass(frozen=True)
class _House:
    game: NativeGame
    combinations: tuple[Mapping[str, str], ...]
    games: int
    seed: int
    limits: Limits


def verify_rules(
    game: NativeGame,
    combinations: Sequence[Mapping[str, str]],
    games: int,
    seed: int,
    workers: int | Executor = 1,
    limits: Limits | None = None,
) -> Iterator[Difference | None]:
    """Compares combinations of house rules on some deals each; the first difference of each, or None. Every
    combination has its own deals, so that many combinations see many deals."""
    task = _House(game, tuple(combinations), games, seed, limits or Limits())
    for found in in_order(_compare_rules, task, len(combinations), 1, workers):
        yield from found


def _compare_rules(task: _House, start: int, end: int) -> list[Difference | None]:
    return [_compare_house(task, number) for number in range(start, end)]


def _compare_house(task: _House, number: int) -> Difference | None:
    game = with_house_rules(task.game, task.combinations[number])
    assert isinstance(game, NativeGame)
    deals = range(number * task.games, (number + 1) * task.games)
    found = (compare(game, task.seed, deal, task.limits) for deal in deals)
    return next((difference for difference in found if difference is not None), None)


def _compare_piece(task: _Task, start: int, end: int) -> list[Difference]:
    found = (compare(task.game, task.seed, deal, task.limits) for deal in range(start, end))
    return [difference for difference in found if difference is not None]


def compare(
    game: NativeGame, seed: int, deal: int, limits: Limits, stacked: Stacked = ()
) -> Difference | None:
    """One deal with random players; the first difference, or None."""
    reference = game.reference_game.deal(seed, deal, stacked=stacked, limits=limits)
    native = game.native_deal(seed, deal, stacked=stacked, limits=limits)
    plain = UnloggedState(game.playing, game.words, seed, deal, limits, stacked, native.given)
    players = [RandomPlayer(seed, deal, seat) for seat in range(game.seats)]
    told = 0
    while True:
        try:
            _same(reference, native, plain, told)
        except _Differs as error:
            line = game.program.source.line(_node_of(reference).span.start)
            shown = (_short(error.reference, error.native), _short(error.native, error.reference))
            return Difference(deal, reference.decisions, line, error.what, *shown)
        seat = reference.to_move
        if seat is None:
            return None
        told = len(reference.records)
        index = players[seat].pick(reference.choices)
        reference.play(index)
        native.play(index)
        plain.play(index)


def _same(reference: ReferenceState, native: NativeState, plain: UnloggedState, told: int) -> None:
    """Compares everything that both states report; raises at the first difference. The first `compared` lines
    of the record were compared before, and lines never change."""
    failed = reference.outcome is not None and reference.outcome.ending == "failed"
    if failed:
        _same_failure(reference, native, plain)
        for seat in range(reference.game.seats):
            _same_view(reference, native, seat, told)
        return
    _equal("seat to move", reference.to_move, native.to_move)
    _equal("outcome", reference.outcome, native.outcome)
    ours, theirs = reference.moves, native.moves
    _equal("number of alternatives", len(ours), len(theirs))
    for number, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        _equal(f"alternative {number}", a.key, b.key)
        _equal(f"effects of alternative {number}", a.effects, b.effects)
    _equal("number of records", len(reference.records), len(native.records))
    new = zip(reference.records[told:], native.records[told:], strict=True)
    for number, (line, other) in enumerate(new, told):
        _equal(f"record {number}", line, other)
    for who, table in (("", native.memory_table()), (" of whole games", plain.table())):
        for what, a, b in zip(_PARTS, reference.table.content(), table.content(), strict=False):
            # machine code may keep a map as sets of cards, without the keys that made them
            if not (what == "point maps" and who):
                _equal(what + who, a, b)
    drawn = tuple(reference.machine.chance.state)
    _equal("draws", drawn, native.chance)
    _equal("draws of whole games", drawn, plain.chance)
    _equal("choices of whole games", reference.choices, plain.choices)
    _equal("outcome of whole games", reference.outcome and reference.outcome.scores, plain.scores)
    for seat in range(reference.game.seats):
        _same_view(reference, native, seat, told)


_PARTS = ("cards", "places", "integers", "strings", "point maps", "teams", "seat cycles", "team cycles")


def _same_failure(reference: ReferenceState, native: NativeState, plain: UnloggedState) -> None:
    assert reference.outcome is not None
    failure = reference.outcome.failure
    assert failure is not None
    place = failure.line, failure.column
    source = reference.game.program.source
    for who, fault in (("failing form", native.fault), ("failing form of whole games", plain.fault)):
        if fault is None:
            raise _Differs(who, f"{failure.form} ({failure.message})", "none")
        start = fault[0].span.start
        _equal(who, place, (source.line(start), source.column(start)))
        _equal(f"message of the {who}", failure.message, fault[1])
    _equal("outcome", reference.outcome, native.outcome)


def _same_view(reference: ReferenceState, native: NativeState, seat: int, told: int) -> None:
    """Compares byte for byte, including the order of unordered places and the texts of moves."""
    ours, theirs = reference.observe(seat), native.observe(seat)
    for name in ours.__dataclass_fields__:
        a, b = getattr(ours, name), getattr(theirs, name)
        if name == "records":
            a, b = a[told:], b[told:]
        if name == "moves":
            a, b = ([move.to_json() for move in moves] for moves in (a, b))
        what = f"seat {seat}'s view of {name}"
        _equal(what, a, b)
        _equal(what, json.dumps(a), json.dumps(b))


def _equal(what: str, reference: Any, native: Any) -> None:
    if reference != native:
        raise _Differs(what, reference, native)


def _node_of(state: ReferenceState) -> Any:
    code: list[Step] = state.game.code
    if state.position >= len(code):
        return state.game.program.scoring
    step = code[state.position]
    if isinstance(step, Ask):
        return step.choice
    if isinstance(step, Block):
        return step.item
    return step.node if isinstance(step, Bind) else _stage(step)


def _stage(step: StageStep) -> Any:
    return step.stage


def _short(value: Any, other: Any) -> str:
    """A short form of a value; of two dictionaries only the differences."""
    if isinstance(value, dict) and isinstance(other, dict):
        value = {key: value.get(key) for key in {**value, **other} if value.get(key) != other.get(key)}
    text = str(value)
    return text if len(text) <= 200 else text[:197] + "..."
