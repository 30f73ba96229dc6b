"""Endings solved in machine code, held to plain minimax and max-n over the stepping engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import upcard
from upcard.engine.contract import Limits
from upcard.engine.loading import game_of
from upcard.engine.native.game import NativeGame
from upcard.engine.native.playout import PlainState
from upcard.players.solving import Solver
from upcard.recycle.front import check
from upcard.recycle.source import Source

SEED = 11
LIMITS = Limits(decisions=10_000)


@cache
def game(name: str) -> NativeGame:
    found = upcard.load(name)
    assert isinstance(found, NativeGame)
    return found


@cache
def solver(name: str) -> Solver:
    return Solver(game(name))


def from_text(text: str) -> NativeGame:
    made = game_of("x", *check(Source("x.rcy", text)).sound())
    assert isinstance(made, NativeGame)
    return made


def cards_in_hands(state: Any) -> int:
    places = state.table.places
    return sum(len(cards) for place, cards in places.items() if place.cls == "iloc" and place.owner >= 0)


def ending(played: NativeGame, deal: int, left: int, rng: random.Random) -> tuple[Any, PlainState] | None:
    """A deal played at random until so many cards are in hands and there is a choice; in both engines."""
    state = played.native_deal(SEED, deal, limits=LIMITS, recording=False)
    plain = PlainState(played.playing, played.words, SEED, deal, LIMITS)
    while state.to_move is not None:
        if cards_in_hands(state) <= left and state.choices > 1:
            return state, plain
        index = rng.randrange(state.choices)
        state.play(index)
        plain.play(index)
    return None


def endings(name: str, left: int, count: int) -> list[tuple[Any, PlainState]]:
    rng = random.Random(f"{name} {left}")
    found = [ending(game(name), deal, left, rng) for deal in range(count)]
    return [pair for pair in found if pair is not None]


def sides_of(played: NativeGame, state: Any) -> list[int]:
    teams = state.table.teams
    return [next(t for t, team in enumerate(teams) if seat in team) for seat in range(played.seats)]


def minimax(state: Any, sides: list[int], worth: Callable[[int, int], int]) -> int:
    """To side 0."""
    if state.to_move is None:
        scores = state.outcome.scores
        return worth(scores[sides.index(0)], scores[sides.index(1)])
    best = max if sides[state.to_move] == 0 else min
    return best(minimax(after(state, i), sides, worth) for i in range(state.choices))


def max_n(state: Any, sign: int) -> tuple[int, ...]:
    if state.to_move is None:
        return tuple(state.outcome.scores)
    seat = state.to_move
    return max((max_n(after(state, i), sign) for i in range(state.choices)), key=lambda s: sign * s[seat])


def after(state: Any, index: int) -> Any:
    state = state.copy()
    state.play(index)
    return state


def difference(a: int, b: int) -> int:
    return a - b


@pytest.mark.parametrize(
    ("name", "left", "count"),
    [
        ("euchre", 8, 40),
        ("euchre", 12, 6),
        ("whist", 12, 6),
        ("spades", 8, 8),
        ("klaverjassen", 8, 8),
        ("sueca", 10, 8),
        ("german-whist", 10, 8),
    ],
)
def test_two_sides_play_for_the_difference(name: str, left: int, count: int) -> None:
    found = endings(name, left, count)
    assert found
    for state, plain in found:
        sides = sides_of(game(name), state)
        sign = 1 if sides[state.to_move] == 0 else -1
        solved = solver(name).solve(plain.memory)
        assert solved.complete, solved.why
        expected = [sign * minimax(after(state, i), sides, difference) for i in range(state.choices)]
        assert list(solved.values) == expected
