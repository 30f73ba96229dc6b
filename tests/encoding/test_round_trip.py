"""Encodings say what observations say, and machine code writes the same bytes: games and generated programs.

`python -m tests.encoding.round_trip` goes on for longer.
"""

from __future__ import annotations

import pytest
from tests.encoding.round_trip import LIMITS, compare
from tests.games.noninterference import generated

from upcard.encoding import NoEncoding
from upcard.engine.api import Limits
from upcard.engine.loader import load
from upcard.engine.native.game import NativeGame
from upcard.library import names

SHORT = Limits(decisions=16, steps=2000)
"""Long enough to be in the middle of every game of the library."""
PROGRAMS = 12


@pytest.mark.parametrize("name", names())
def test_an_encoding_says_what_the_observation_says(name: str) -> None:
    game = load(name, engine="native")
    compared = compare(game, range(1), seed=5, limits=LIMITS if game.seats < 3 else SHORT)
    assert compared.states == compared.observations > game.seats
    assert compared.actions >= compared.masks > 0


@pytest.mark.parametrize("name", ["euchre", "cribbage", "golf-six"])
def test_the_reference_engine_gives_the_same_bytes(name: str) -> None:
    game = load(name, engine="native")
    assert isinstance(game, NativeGame)
    one, other = game.deal(5, 1, limits=SHORT), game.reference_game.deal(5, 1, limits=SHORT)
    compare(game.reference_game, range(1), seed=5, limits=Limits(decisions=4))
    while one.to_move is not None:
        for seat in range(game.seats):
            assert game.encoding.observe(one, seat) == game.reference_game.encoding.observe(other, seat)
        assert game.encoding.mask_of(one) == game.reference_game.encoding.mask_of(other)
        one.play(0)
        other.play(0)


def test_generated_programs_are_encoded() -> None:
    compared = 0
    for game in generated(PROGRAMS, seed=4):
        try:
            compared += compare(game, range(1), seed=4, limits=SHORT).observations
        except NoEncoding:
            continue
    assert compared > 20 * PROGRAMS
