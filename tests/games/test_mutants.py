"""The tool that measures tests, measured: on a game of one trick, with tests that see all or nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.games.mutants import mutants

from upcard.recycle.source import Source

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="mutants are played in forked processes")

RULES = """\
(game
 (setup
  (create players 2)
  (create deck (game iloc PACK) (deck (RANK (LOW, MIDDLE, HIGH)))))
 (do (
  (shuffle (game iloc PACK))
  (all player 'P (move (top (game iloc PACK)) (top ('P iloc HAND))))
  (set (game points HEIGHT) (((RANK : MIDDLE) 1) ((RANK : HIGH) 2)))))
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN)))))))
 (do (
  (all player 'P
   ((> (sum ('P vloc SHOWN) using (game points HEIGHT)) 1) (set ('P sto POINTS) 1)))))
 (scoring max ((current player) sto POINTS)))
"""

TELLING = """
import itertools
import upcard

def test_only_the_highest_card_scores():
    game = upcard.load("tiny")
    ranks = {card: face["RANK"] for card, face in game.deal(0, 0).faces.items()}
    for order in itertools.permutations(ranks):
        state = game.deal(0, 0, stacked=[order])
        seats = []
        while state.to_move is not None:
            seats.append(state.to_move)
            assert len(state.moves) == 1
            state.play(0)
        dealt = [ranks[order[2]], ranks[order[1]]]
        assert seats == [0, 1]
        assert state.outcome.ending == "finished"
        assert state.outcome.scores == tuple(int(rank == "HIGH") for rank in dealt)
        if "HIGH" in dealt:
            assert state.outcome.winners == (dealt.index("HIGH"),)
"""
BLIND = "def test_nothing():\n    assert True\n"


def measured(tmp_path: Path, tests: str, *options: str) -> subprocess.CompletedProcess[str]:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "rules.rcy").write_text(RULES, encoding="utf-8")
    file = tmp_path / "test_tiny.py"
    file.write_text(tests, encoding="utf-8")
    command = [sys.executable, "-m", "tests.games.mutants", "tiny", "--games", "50", "--workers", "1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(
        [*command, "--folder", str(folder), "--tests", str(file), *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=110,
    )


def test_mutants_are_single_edits_of_each_sort() -> None:
    made = mutants(Source("tiny", RULES))
    assert {m.sort for m in made} == {
        "condition always holds",
        "condition dropped",
        "condition never holds",
        "comparison turned",
        "number changed",
        "operator exchanged",
    }
    turned = next(m for m in made if m.sort == "comparison turned" and m.text == ">=")
    assert turned.line == 14
    assert [line[:6] for line in turned.diff()] == ["- ((> ", "+ ((>= "[:6]]
    assert len({m.program for m in made}) == len(made)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are run in forked processes")
def test_blind_tests_catch_nothing(tmp_path: Path) -> None:
    result = measured(tmp_path, BLIND, "--limit", "6", "--seed", "1")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "not caught" in result.stdout
    assert "   0.0%" in result.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are run in forked processes")
def test_telling_tests_catch_most(tmp_path: Path) -> None:
    result = measured(tmp_path, TELLING, "--limit", "6", "--seed", "1")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "not caught" not in result.stdout


def test_a_game_without_tests_is_misuse(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.games.mutants", "nosuchgame"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    assert "is not there" in result.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are run in forked processes")
def test_tests_that_fail_on_the_game_itself_measure_nothing(tmp_path: Path) -> None:
    result = measured(tmp_path, "def test_wrong():\n    assert False\n", "--limit", "2")
    assert result.returncode == 2, result.stdout + result.stderr
    assert "the tests fail on tiny itself" in result.stderr
