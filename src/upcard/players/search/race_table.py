"""The chance to win a race of two sides from every score, computed in machine code.

`library.equity` solves any match, score by score, in Python; a race to 121 with hundreds of results of a deal
takes it half a minute. Here is the common case: points are never lost, and all of them count.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from upcard.engine.native import machine_memory
from upcard.engine.native.backends.select import Backend, once_per_backend
from upcard.engine.native.kernels.language import Float, Int, Memory, Ptr, f64, i64, set_f64
from upcard.engine.native.kernels.loaded_kernels import load_kernels
from upcard.engine.native.kernels.structs import Struct
from upcard.library.equity import Distribution
from upcard.library.sheet import MatchRules

LEAST = 1e-12
"""Of the chance that a score ever changes."""


class RaceTable(Struct):
    to: Int
    play_on: Int
    """1: a tie at the target is played on."""
    highest: Int
    results: Int
    """Results of a deal."""
    points: Ptr
    """Two words for each: what it adds to either side where the first side deals."""
    turned: Ptr
    """The same where the second side deals."""
    chances: Ptr
    table: Ptr
    """By turn, then by both totals: the first side's chance to win."""


def row_of(race: RaceTable, turn: Int, mine: Int, theirs: Int) -> Int:
    side = race.to + 1
    return (turn * side + mine) * side + theirs


def known_chance(race: RaceTable, turn: Int, mine: Int, theirs: Int) -> Float:
    """At a score that is over or solved; the scores count from the target down."""
    most = mine if mine > theirs else theirs
    if most >= race.to and (mine != theirs or race.play_on == 0):
        if mine == theirs:
            return 0.5
        return 1.0 if (mine > theirs) == (race.highest != 0) else 0.0
    if most > race.to:  # equal, and played on
        return f64(race.table, row_of(race, turn, race.to, race.to))
    return f64(race.table, row_of(race, turn, mine, theirs))


def solve_score(race: RaceTable, mine: Int, theirs: Int) -> None:
    """Both turns at one score; all higher scores are solved."""
    first = 0.0
    first_stays = 0.0
    second = 0.0
    second_stays = 0.0
    for n in range(race.results):
        chance = f64(race.chances, n)
        a = mine + i64(race.points, 2 * n)
        b = theirs + i64(race.points, 2 * n + 1)
        stays = 0
        if a == mine and b == theirs:
            stays = 1
        if mine == race.to and a == b:  # a tie beyond the target is like one at it
            stays = 1
        if stays != 0:
            first_stays = first_stays + chance
        else:
            first = first + chance * known_chance(race, 1, a, b)
        a = mine + i64(race.turned, 2 * n)
        b = theirs + i64(race.turned, 2 * n + 1)
        stays = 0
        if a == mine and b == theirs:
            stays = 1
        if mine == race.to and a == b:
            stays = 1
        if stays != 0:
            second_stays = second_stays + chance
        else:
            second = second + chance * known_chance(race, 0, a, b)
    changes = 1.0 - first_stays * second_stays
    value = 0.0
    if changes > LEAST:
        value = (first + first_stays * second) / changes
    set_f64(race.table, row_of(race, 0, mine, theirs), value)
    set_f64(race.table, row_of(race, 1, mine, theirs), second + second_stays * value)


def solve_race(race: RaceTable) -> Int:
    """All scores that are not over, from the highest down."""
    to = race.to
    if race.play_on != 0:
        solve_score(race, to, to)
    for down in range(1, to + 1):
        for less in range(1, to + 1):
            solve_score(race, to - down, to - less)
    return 1


KERNELS = (row_of, known_chance, solve_score, solve_race)


@once_per_backend
def _solve(backend: Backend) -> tuple[Any, Any]:
    loaded = load_kernels("race", KERNELS, backend=backend)
    return loaded.function("solve_race", ctypes.c_int64, ctypes.c_void_p), loaded


def fits(rules: MatchRules, dealing: Distribution) -> bool:
    """Whether the race is of the common case."""
    never_falls = all(points >= 0 for deal in dealing for points in deal)
    return rules.to is not None and rules.over == "counts" and never_falls


class SolvedRace:
    """A race with the first side dealing in turn 0."""

    def __init__(self, rules: MatchRules, dealing: Distribution, highest: bool) -> None:
        """`dealing`: what a deal adds to the side that deals and to the other."""
        assert rules.to is not None
        self._rules, self._highest = rules, highest
        self._to = rules.to
        points = machine_memory.words_of([number for deal in dealing for number in deal])
        turned = machine_memory.words_of([number for deal in dealing for number in reversed(deal)])
        chances = machine_memory.floats_of(list(dealing.values()))
        self._table = machine_memory.floats(2 * (rules.to + 1) ** 2)
        race = RaceTable.pack(
            to=rules.to,
            play_on=int(rules.ties == "play on"),
            highest=int(highest),
            results=len(chances),
            points=Memory(points),
            turned=Memory(turned),
            chances=Memory(chances),
            table=Memory(self._table),
        )
        _solve()[0](race.address)

    def win(self, totals: Sequence[int], turn: int) -> float:
        """The first side's chance."""
        mine, theirs = totals
        to, most = self._to, max(totals)
        if most >= to and (mine != theirs or self._rules.ties != "play on"):
            return 0.5 if mine == theirs else float((mine > theirs) == self._highest)
        if most > to:
            mine = theirs = to
        return self._table[(turn * (to + 1) + mine) * (to + 1) + theirs]
