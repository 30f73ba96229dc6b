"""Arguments that make no sense are refused with a sentence, by every function that a user calls."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine.loader import make_game
from upcard.match.match_play import Participant, Table
from upcard.match.match_series import play_many
from upcard.parallel.pool import in_order
from upcard.players.spec import resolve_player
from upcard.recycle.diagnostics import Refused
from upcard.simulate.random_games import RandomGames, simulate
from upcard.simulate.sums_detail import Sums
from upcard.simulate.traces_detail import Traces
from upcard.study.plan import Plan

GAMES = {engine: upcard.load("kuhn-poker", engine=engine) for engine in ("native", "reference")}


def table(engine: str) -> Table:
    game = GAMES[engine]
    return Table.of(game, [Participant(f"P{seat}", "random") for seat in range(game.seats)])


def contest(engine: str, deals: Any = 2, seed: Any = 0) -> Contest:
    game = GAMES[engine]
    return Contest.of(game, [resolve_player("random", game), resolve_player("random", game)], deals, seed)


CALLS: dict[str, Callable[[str], object]] = {
    "simulate workers -3": lambda e: simulate(GAMES[e], 10, workers=-3),
    "simulate workers 0": lambda e: simulate(GAMES[e], 10, workers=0),
    "simulate workers True": lambda e: simulate(GAMES[e], 10, workers=True),
    "simulate many workers": lambda e: simulate(GAMES[e], 10, workers=1_000_000),
    "simulate games -1": lambda e: simulate(GAMES[e], -1),
    "simulate games 1.5": lambda e: simulate(GAMES[e], 1.5),  # type: ignore[arg-type]
    "simulate games as text": lambda e: simulate(GAMES[e], "10"),  # type: ignore[arg-type]
    "simulate seed 1.5": lambda e: simulate(GAMES[e], 1, seed=1.5),  # type: ignore[arg-type]
    "simulate seed None": lambda e: simulate(GAMES[e], 1, seed=None),  # type: ignore[arg-type]
    "simulate limits 5": lambda e: simulate(GAMES[e], 1, limits=5),  # type: ignore[arg-type]
    "sums with workers -1": lambda e: RandomGames(GAMES[e], Sums()).sums(0, 10, -1),
    "the game's simulate": lambda e: GAMES[e].simulate(10, workers=-3),
    "deal seed as text": lambda e: GAMES[e].deal("7"),  # type: ignore[arg-type]
    "deal seed True": lambda e: GAMES[e].deal(True),
    "deal number 0.5": lambda e: GAMES[e].deal(0, 0.5),  # type: ignore[arg-type]
    "deal limits": lambda e: GAMES[e].deal(0, 0, limits=500),  # type: ignore[arg-type]
    "observe seat 2": lambda e: GAMES[e].deal().observe(2),
    "observe seat -1": lambda e: GAMES[e].deal().observe(-1),
    "observe seat True": lambda e: GAMES[e].deal().observe(True),
    "observe seat as text": lambda e: GAMES[e].deal().observe("0"),  # type: ignore[arg-type]
    "sample seat 9": lambda e: GAMES[e].deal().sample(9),
    "sample seat -1": lambda e: GAMES[e].deal().sample(-1),
    "sample k 0.5": lambda e: GAMES[e].deal().sample(0, 0.5),  # type: ignore[arg-type]
    "matches -1": lambda e: list(play_many(table(e), -1, 0)),
    "matches with workers -3": lambda e: list(play_many(table(e), 3, 0, -3)),
    "contest of -1 deals": lambda e: contest(e, -1),
    "contest of seed as text": lambda e: contest(e, 2, "1"),
    "arena with workers -3": lambda e: list(Run(contest(e)).play(-3)),
    "study of -1 games": lambda e: Plan.of(GAMES[e], -1),
    "study of 1.5 games": lambda e: Plan.of(GAMES[e], 1.5),  # type: ignore[arg-type]
    "traces with workers -3": lambda e: RandomGames(GAMES[e], Traces(((0,), (1,)))).sums(0, 3, -3),
    "traces from -1": lambda e: RandomGames(GAMES[e], Traces(((0,), (1,)))).sums(-1, 3),
    "load engine x": lambda _: upcard.load("kuhn-poker", engine="x"),  # type: ignore[arg-type]
    "load engine None": lambda _: upcard.load("kuhn-poker", engine=None),  # type: ignore[arg-type]
    "load base 2": lambda _: upcard.load("kuhn-poker", base=2),  # type: ignore[arg-type]
    "load base True": lambda _: upcard.load("kuhn-poker", base=True),  # type: ignore[arg-type]
    "game of engine x": lambda e: make_game("", GAMES[e].program, GAMES[e].facts, engine="x"),  # type: ignore[arg-type]
    "limits of -1 decisions": lambda _: upcard.Limits(decisions=-1),
    "limits of 0 steps": lambda _: upcard.Limits(steps=0),
    "limits as text": lambda _: upcard.Limits(decisions="5"),  # type: ignore[arg-type]
    "pieces of 0": lambda _: in_order(max, None, 5, 0, 1),  # type: ignore[arg-type]
    "pieces by -1 workers": lambda _: in_order(max, None, 5, 1, -1),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("engine", GAMES)
@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_argument_is_refused_with_a_sentence(call: str, engine: str) -> None:
    with pytest.raises(upcard.BadArgument) as caught:
        CALLS[call](engine)
    said = str(caught.value)
    assert said
    assert "\n" not in said
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, Refused)
    assert str(pickle.loads(pickle.dumps(caught.value))) == said  # it comes back from a worker


@pytest.mark.parametrize("engine", GAMES)
@pytest.mark.parametrize("move", [True, False, 1.0, "0", None, -1, 99])
def test_what_is_no_move_is_refused(move: Any, engine: str) -> None:
    state = GAMES[engine].deal(1)
    with pytest.raises(upcard.IllegalMove):
        state.play(move)
    assert state.decisions == 0


@pytest.mark.parametrize("seed", [0, -1, 2**63, 2**64 + 5, -(2**70)])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    """Seeds that are the same in 64 bits give the same games, with both engines."""
    scores = [[game.simulate(20, given).scores for given in (seed, seed % 2**64)] for game in GAMES.values()]
    assert scores[0][0] == scores[0][1] == scores[1][0] == scores[1][1]


@pytest.mark.parametrize("engine", GAMES)
def test_no_games_are_fine(engine: str) -> None:
    assert GAMES[engine].simulate(0).games == 0
