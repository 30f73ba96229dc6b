"""Worlds weighted by how likely the watched moves were: held to lists of all that can be."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests.players.in_python import game_words, pointer, workspace
from tests.players.small_games import GAMES, deviation, histories, sampled, small

import upcard
from upcard.engine.chance import Stream
from upcard.engine.contract import Limits, Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state import NativeState
from upcard.players import believing_kernels as k
from upcard.players.believing import Belief
from upcard.players.finding_kernels import STORY_BELIEF
from upcard.players.worlds import Imagination

SAMPLES = 2000
FAR = 5.0
BY_CHANCE = Belief(times=0)
"""Everybody takes any alternative as soon as any other."""


def decisions(played: NativeGame, deal: int) -> Iterator[NativeState]:
    """A random game, stopped at every decision but the first."""
    state = played.native_deal(5, deal, limits=Limits())
    rng = random.Random(f"{played.name} {deal}")
    while state.to_move is not None:
        if state.decisions:
            yield state
        state.play(rng.randrange(state.choices))


@pytest.mark.parametrize("name", GAMES)
def test_against_players_of_chance_worlds_are_as_likely_as_all_histories_say(name: str) -> None:
    played = small(name)
    told_apart = 0
    for deal in range(2 if name == "draw" else 4):
        minds = [Imagination(played) for _ in range(played.seats)]
        for state in decisions(played, deal):
            assert state.to_move is not None
            observation = state.observe(state.to_move)
            expected = histories(played, observation, by_chance=True)
            worlds = minds[state.to_move].worlds(observation, BY_CHANCE)
            found, samples = sampled(played, worlds, SAMPLES, deal)
            assert samples > SAMPLES / 5
            assert deviation(expected, found, samples) < FAR
            told_apart += deviation(histories(played, observation), found, samples) > FAR
    # what somebody chose tells nothing where everybody always has as many alternatives in every world
    assert told_apart or name in ("reshuffle", "bids")


def after(game: NativeGame, decided: int, seed: int = 3) -> Observation:
    state = game.native_deal(seed, 0, limits=Limits())
    rng = random.Random(seed)
    while state.decisions < decided or state.choices < 2:
        state.play(rng.randrange(state.choices))
    assert state.to_move is not None
    return state.observe(state.to_move)


@pytest.mark.parametrize("times", [0, 2])
def test_machine_code_believes_what_python_believes(times: int) -> None:
    game = upcard.load("euchre")
    assert isinstance(game, NativeGame)
    worlds = Imagination(game).worlds(after(game, 9), Belief(times))
    m, packed = worlds.machine, worlds.story._packed
    assert m.code.imagine_world(*worlds.arguments(Stream((1,))), m.room.address, m.room.address, 1)
    at = packed[STORY_BELIEF]
    watched = slice(at + packed[at + k.WATCHED_AT], at + packed[at + k.ROOM_AT])
    first = packed[watched]
    assert any(first[1::2]), "how likely the moves were in the first world is noted"
    found = []
    for by_machine in (True, False):
        packed[watched] = first
        worlds.arguments(Stream((1, 2, 3)))
        if by_machine:
            given = worlds.story.address, worlds.swaps.buffer_info()[0], m.work.address, m.spare[0]
            likely = m.code.likelihood(m.base, *given)
        else:
            story, swaps, stream = (pointer(block) for block in (packed, worlds.swaps, m.stream))
            likely = k.likelihood(game_words(m), story, swaps, workspace(m), stream)
        found.append((likely, list(m.stream)))
    assert found[0] == found[1]
    assert (found[0][0] == 1.0) == (times == 0), "only what is played out differs from one time to the next"
