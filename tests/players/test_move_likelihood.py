"""Worlds weighted by how likely the watched moves were: held to lists of all that can be."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from tests.players.in_python import game_words, pointer, workspace
from tests.players.small_games import GAMES, deviation, histories, lie, sampled, small

import upcard
from upcard.engine.api import Limits, Observation
from upcard.engine.loader import make_game
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state import NativeState
from upcard.engine.native.state_memory import read_table
from upcard.engine.rng import Stream
from upcard.players.belief import move_likelihood as k
from upcard.players.belief.determinization import Determinizer
from upcard.players.belief.kernel_structs import HistoryHead
from upcard.players.belief.opponent_model import Belief
from upcard.players.search.flat_search import BELIEVED_SLICE, SLICE, slice_of
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

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
        minds = [Determinizer(played) for _ in range(played.seats)]
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
    worlds = Determinizer(game).worlds(after(game, 9), Belief(times))
    m, packed = worlds.machine, worlds.history.replay.packed
    worlds.begin(Stream((1,)))
    assert m.code.sample_world(worlds.words, m.room.address, m.room.address, 1)
    history = HistoryHead.at(packed)
    belief = k.BeliefHead.at(packed, 8 * history.belief)
    watched = slice(history.belief + belief.watched_at, history.belief + belief.room_at)
    first = packed[watched]
    assert any(first[1::2]), "how likely the moves were in the first world is noted"
    found = []
    for by_machine in (True, False):
        packed[watched] = first
        worlds.begin(Stream((1, 2, 3)))
        if by_machine:
            given = worlds.history.replay.address, worlds.swaps.buffer_info()[0], m.work.address, m.spare[0]
            likely = m.code.likelihood(m.base, *given)
        else:
            swaps, stream = pointer(worlds.swaps), pointer(m.stream)
            likely = k.likelihood(game_words(m), history, swaps, workspace(m), stream)
        found.append((likely, list(m.stream)))
    assert found[0] == found[1]
    assert (found[0][0] == 1.0) == (times == 0), "only what is played out differs from one time to the next"


BRAG = """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (SUIT (RED, BLACK)) (RANK (ONE, TWO, THREE)))))
 (do ((shuffle (game iloc PACK))
      (all player 'P (move (top (game iloc PACK)) (top ('P iloc HAND))))))
 (stage player
  (end (all player 'P (or (== ('P str CALL) BRAG) (== ('P str CALL) PASS))))
  (choice ((set ((current player) str CALL) BRAG) (set ((current player) str CALL) PASS))))
 (do (
  (all player 'P
   (do (
    ((== ('P str CALL) PASS) (inc ('P sto POINTS) 1))
    (all ('P iloc HAND) 'C
     ((and (== ('P str CALL) BRAG) (== (cardatt SUIT 'C) RED)) (inc ('P sto POINTS) 2))))))))
 (scoring max ((current player) sto POINTS)))
"""
"""Whoever brags gets two points with a red card and none with a black one; whoever passes gets one."""


@pytest.mark.parametrize("call, likelier", [("BRAG", "RED"), ("PASS", "BLACK")])
def test_whoever_chose_is_taken_to_have_had_a_reason(call: str, likelier: str) -> None:
    game = make_game("brag", *check(Source("brag.rcy", BRAG)).sound())
    assert isinstance(game, NativeGame)
    state = game.native_deal(2, 0, limits=Limits())
    state.play(["BRAG", "PASS"].index(call))
    seen = state.observe(1)
    shares = {}
    for times in (0, 8):
        weighed = {"RED": 0.0, "BLACK": 0.0}
        worlds = Determinizer(game).worlds(seen, Belief(times))
        for memory, weight in itertools.islice(worlds.sample(Stream((7,))), 400):
            (held,) = dict(lie(read_table(game.words, memory)))["seat0.iloc.HAND"]
            weighed[seen.cards[worlds.machine.ids[held]]["SUIT"]] += weight
        shares[times] = weighed[likelier] / sum(weighed.values())
    # two cards of one suit and three of the other are left; by chance a call tells nothing
    assert min(abs(shares[0] - 0.4), abs(shares[0] - 0.6)) < 0.07
    # the other call is sure to bring a point less, and so is made less often
    assert shares[8] > shares[0] + 0.15


def test_time_is_looked_at_more_often_where_worlds_take_long() -> None:
    game = upcard.load("euchre")
    assert isinstance(game, NativeGame)
    seen = after(game, 9)
    assert slice_of(Determinizer(game).worlds(seen)) == SLICE
    assert slice_of(Determinizer(game).worlds(seen, Belief(4))) == BELIEVED_SLICE < SLICE
