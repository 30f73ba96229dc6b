"""States and games are values: they pickle, copy and compare, and play on alike."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard.arguments import BadArgument
from upcard.engine.loader import Engine, load
from upcard.engine.shared.state import BaseState

GAMES = upcard.games()
AT = (0, 3, 11)
"""Decisions at which states are pickled."""


def walk(state: BaseState, decisions: int) -> None:
    """Plays alternatives in turn."""
    for number in range(decisions):
        if state.to_move is None:
            return
        state.play((7 * number + 3) % state.choices)


def assert_equal_in_all(one: BaseState, other: BaseState) -> None:
    assert one == other
    assert one.records == other.records
    assert one.outcome == other.outcome
    assert one.moves == other.moves
    for seat in range(one.game.seats):
        assert one.observe(seat) == other.observe(seat)


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("name", GAMES)
def test_a_state_pickles_and_plays_on_alike(name: str, engine: Engine) -> None:
    game = load(name, engine=engine)
    for decisions in AT:
        state = game.deal(seed=5, number=decisions)
        walk(state, decisions)
        kept = repr(state)
        for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
            assert_equal_in_all(state, twin)
            assert twin.game is game
            if twin.to_move is not None:
                further = state.copy()
                walk(further, 6)
                walk(twin, 6)
                assert_equal_in_all(further, twin)
        assert repr(state) == kept, "its copies played, not the state"


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_finished_and_a_failed_game_and_a_sample_pickle(engine: Engine) -> None:
    game = load("euchre", engine=engine)
    finished = game.deal(seed=1)
    walk(finished, 100)
    assert finished.outcome is not None
    failed = game.deal(stacked=[["DEFAULT:0"]])
    assert failed.outcome is not None
    assert failed.outcome.failure is not None
    open_game = game.deal(seed=1)
    walk(open_game, 6)
    for state in (finished, failed):
        assert_equal_in_all(state, pickle.loads(pickle.dumps(state)))
    for quick in (open_game.sample(1, 2), game.deal(seed=1, recording=False)):
        twin = pickle.loads(pickle.dumps(quick))
        assert twin == quick
        walk(quick, 30)
        walk(twin, 30)
        assert twin == quick
        assert twin.outcome == quick.outcome


OTHER_PROCESS = """
import pickle, sys
state = pickle.load(sys.stdin.buffer)
while state.to_move is not None:
    state.play(state.choices - 1)
pickle.dump((state.outcome.scores, len(state.records), state), sys.stdout.buffer)
"""


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_another_process_plays_a_state_on(engine: Engine) -> None:
    state = load("hearts", rules={}, engine=engine).deal(seed=9)
    walk(state, 5)
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS], input=pickle.dumps(state), stdout=subprocess.PIPE, timeout=100
    )
    assert done.returncode == 0
    scores, records, theirs = pickle.loads(done.stdout)
    while state.to_move is not None:
        state.play(state.choices - 1)
    assert state.outcome is not None
    assert (state.outcome.scores, len(state.records)) == (scores, records)
    assert theirs == state


def test_a_pickled_game_has_its_rules_and_is_made_once() -> None:
    game = load("euchre", rules={"stick": "no"})
    data = pickle.dumps(game)
    assert pickle.loads(data) is game
    assert copy.deepcopy(game) is game
    identity, text = game.identity, game.narrator.seat(0)
    del game
    again = pickle.loads(data)
    assert again.identity == identity
    assert again.narrator.seat(0) == text
    assert pickle.loads(data) is again


def test_a_state_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(load("kuhn-poker").deal())
    monkeypatch.setattr("upcard.engine.shared.state.code_digest", lambda *folders: "another")
    with pytest.raises(BadArgument, match="another version of Upcard"):
        pickle.loads(data)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_after_leaves_the_state_as_it_was(engine: Engine) -> None:
    state = load("euchre", engine=engine).deal(seed=7)
    before = state.copy()
    afterwards = [state.after(move) for move in state.moves]
    assert state == before
    played = state.copy()
    played.play(state.moves[1])
    assert afterwards[1] == played
    with pytest.raises(upcard.IllegalMove):
        state.after("nonsense")  # type: ignore[arg-type]


def reprs() -> list[Any]:
    game = upcard.load("euchre", rules={"stick": "no"})
    state = game.deal(seed=7)
    over = game.deal(seed=7)
    while over.to_move is not None:
        over.play(0)
    return [game, state, over, state.moves[0], state.observe(0), state.observe(1), over.observe(0)]


def test_a_repr_says_what_it_is_on_one_line() -> None:
    said = [repr(value) for value in reprs()]
    assert said[0] == "<Game euchre (STICK FALSE): 4 seats, native engine>"
    assert said[1] == "<State of euchre, seed 7, deal 0: decision 0, South to move, 3 moves>"
    assert said[2].startswith("<State of euchre, seed 7, deal 0: finished, scores ")
    assert said[3] == "<Move pass: [0,[],0]>"
    assert said[4] == "<Observation of euchre by seat 0: decision 0, seat 0 to move, 3 moves>"
    assert said[5] == "<Observation of euchre by seat 1: decision 0, seat 0 to move>"
    assert said[6].endswith("game over>")
    assert not [text for text in said if "\n" in text or len(text) > 120]


def test_a_program_from_a_file_pickles(tmp_path: Path) -> None:
    file = tmp_path / "own.rcy"
    file.write_text(
        Path(upcard.__file__).with_name("games").joinpath("kuhn-poker/rules.rcy").read_text("utf-8")
    )
    state = load(file).deal(seed=2)
    file.unlink()
    assert pickle.loads(pickle.dumps(state)) == state
