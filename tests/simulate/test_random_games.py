"""Simulating: the same summary from every engine and backend, on any number of threads, in any slices."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import upcard
from upcard.engine.api import Limits
from upcard.engine.loader import make_game
from upcard.engine.native import lower
from upcard.engine.native.backends.c_compiler import Compiler
from upcard.engine.native.backends.select import (
    Backend,
    NoMachineCode,
    UnknownBackend,
    choose_backend,
)
from upcard.engine.native.kernels.accumulate import MAX_LENGTHS
from upcard.engine.native.playout_code import Playouts, playouts
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.simulate.native_batch import NativeBatch
from upcard.simulate.random_games import RandomGames, play_out
from upcard.simulate.summary import Row, Summary
from upcard.simulate.sums_detail import Sums

FAILS = """(game
 (setup (create players 2)
        (create deck (game vloc D) (deck (N (A, B, C, D, E)))))
 (stage player
  (end (>= (game sto N) 3))
  (choice ((inc (game sto N))
           (move (top (game vloc D)) (top (game vloc E))))))
 (do ((move (top (game vloc D)) (top (game vloc F)))
      (move (top (game vloc D)) (top (game vloc F)))
      (move (top (game vloc D)) (top (game vloc F)))))
 (scoring max ((current player) sto SCORE)))
"""
HUGE = """(game
 (setup (create players 3)
        (create deck (game vloc D) (deck (N (A, B)))))
 (stage player
  (end (>= (game sto N) 2))
  (choice ((inc (game sto N))
           (inc ((current player) sto SCORE) 9000000000000000000)
           (dec ((current player) sto SCORE) 9000000000000000000)
           (inc ((current player) sto SCORE) 2147483647)
           (inc ((current player) sto SCORE) 2147483648))))
 (scoring min ((current player) sto SCORE)))
"""
LONG = """(game
 (setup (create players 1)
        (create deck (game vloc D) (deck (N (A, B)))))
 (stage player
  (end (>= (game sto N) 1650))
  (choice ((inc (game sto N) 1) (inc (game sto N) 2) ((< (game sto N) 9) (inc (game sto N) 300)))))
 (scoring max (game sto N)))
"""
ROOMY = Limits(decisions=3000, steps=10_000)


def load(text: str) -> LoadedGame:
    return make_game("test", *check(Source("test", text), lint=False).sound())


def reference_game(game: LoadedGame, games: int, seed: int, limits: Limits) -> Summary:
    game = ReferenceGame(game.name, game.program, game.facts, game.narrator)
    summary = Summary(game.seats)
    for deal in range(games):
        summary.add(play_out(game, seed, deal, limits), deal)
    return summary


def simulation(game: LoadedGame, seed: int = 0, limits: Limits | None = None) -> RandomGames[Row, Summary]:
    return RandomGames(game, Sums(), seed, limits)


def figures(summary: Summary) -> tuple[object, ...]:
    """All of a summary; of failures, where they happened (the wording is free)."""
    failures = [(deal, failure.line, failure.column) for deal, failure in summary.failures]
    return (summary.to_json(), summary.lengths, summary.tallies, summary.firsts, failures)


@pytest.fixture(params=["llvm", "c", "wasm"])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Backend:
    monkeypatch.setenv("UPCARD_BACKEND", request.param)
    try:
        return choose_backend()
    except NoMachineCode as error:
        pytest.skip(f"this backend is not here: {error}")


def whole(parts: Iterator[Summary], seats: int) -> Summary:
    summary = Summary(seats)
    for part in parts:
        summary.merge(part)
    return summary


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_our_games_come_to_the_same_with_every_backend(name: str, backend: Backend) -> None:
    game = upcard.load(name)
    run = simulation(game, 11)
    assert run.engine == "native"
    assert figures(whole(run.sums(0, 60), 4)) == figures(reference_game(game, 60, 11, Limits()))


@pytest.mark.parametrize(("text", "games"), [(FAILS, 300), (HUGE, 300), (LONG, 12)])
def test_failures_huge_scores_and_long_games(text: str, games: int, backend: Backend) -> None:
    game = load(text)
    expected = reference_game(game, games, 5, ROOMY)
    assert figures(whole(simulation(game, 5, ROOMY).sums(0, games, 2), game.seats)) == figures(expected)


def test_the_programs_above_are_what_they_should_be() -> None:
    failing = reference_game(load(FAILS), 100, 5, ROOMY)
    assert failing.ends["failed"] > 3
    assert failing.ends["finished"] > 3
    assert len(failing.failures) == 3
    huge = reference_game(load(HUGE), 100, 5, ROOMY)
    assert any((tally.most or 0) > 2**62 for tally in huge.tallies)
    long = reference_game(load(LONG), 12, 5, ROOMY)
    assert min(long.lengths) < MAX_LENGTHS <= max(long.lengths)


def test_threads_and_slices_make_no_difference(backend: Backend) -> None:
    game = upcard.load("euchre")
    batch = NativeBatch(playouts(game.program, game.facts, backend), 9, Limits(), Sums())
    one = whole(batch.sums(0, 3000, 1), 4)
    assert one.games == 3000
    assert one == whole(batch.sums(0, 3000, 2), 4)
    for size in (1, 7, 1000):
        cut = Summary(4)
        for start in range(0, 3000, size):
            cut.merge(batch.recorder.sums(start, min(size, 3000 - start)))
        assert cut == one
    rows = Summary(4)
    for deal, row in enumerate(batch.games(0, 3000, 2)):
        rows.add(row, deal)
    assert rows == one


def test_parts_come_in_deal_order() -> None:
    """What is kept when somebody interrupts is that of the first deals."""
    game = upcard.load("euchre")
    summary = Summary(4)
    for part in simulation(game, 3).sums(0, 100_000):
        summary.merge(part)
        if summary.games > 500:
            break
    assert summary == game.simulate(summary.games, 3)


def test_a_game_simulates_itself() -> None:
    game = upcard.load("euchre", rules={"stick": "no"})
    assert game.simulate(40, 2, workers=1) == reference_game(game, 40, 2, Limits())
    cut = game.simulate(40, 2, limits=Limits(decisions=3))
    assert cut.ends["cut_off"] == 40


def test_processes_of_the_reference_engine_give_the_same() -> None:
    game = ReferenceGame("test", *check(Source("test", FAILS), lint=False).sound())
    parts = simulation(game, 5, ROOMY).sums(0, 120, 2)
    assert whole(parts, 2) == reference_game(game, 120, 5, ROOMY)


def test_a_seed_of_any_size() -> None:
    game = upcard.load("euchre")
    assert game.simulate(20, 2**64 + 5) == game.simulate(20, 5)
    assert game.simulate(20, -1) == game.simulate(20, 2**64 - 1)


# --- who makes machine code ------------------------------------------------------------------------


def without_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UPCARD_BACKEND", raising=False)
    monkeypatch.setitem(sys.modules, "llvmlite", None)


def test_without_llvm_the_compiler_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")):
        pytest.skip("there is no C compiler here")
    without_llvm(monkeypatch)
    run = simulation(upcard.load("euchre"))
    assert run.engine == "native"
    assert run.note == "llvmlite is not installed; using the C compiler instead"
    assert whole(run.sums(0, 10), 4).games == 10


def test_without_any_of_them_the_reference_engine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    without_llvm(monkeypatch)
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    run = simulation(upcard.load("euchre"))
    assert run.engine == "reference"
    assert run.note == (
        "using the reference engine: llvmlite is not installed, and there is no C compiler no-such-compiler, "
        "and wasmtime is not installed; pip install 'upcard[wasm]'"
    )
    assert whole(run.sums(0, 10), 4).games == 10


def test_a_compiler_that_fails_is_no_disaster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "win32":
        pytest.skip("the compiler here is a shell script")
    script = tmp_path / "cc"
    script.write_text("#!/bin/sh\necho 'no licence' >&2\nexit 3\n", encoding="ascii")
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    monkeypatch.setenv("UPCARD_BACKEND", "c")
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "cache"))
    run = simulation(upcard.load("euchre"))
    assert run.engine == "reference"
    assert run.note.endswith("failed: no licence")
    assert not [path for path in (tmp_path / "cache").iterdir() if path.is_dir()]


def test_the_backend_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", "reference")
    run = simulation(upcard.load("euchre"))
    assert (run.engine, run.note) == (
        "reference",
        "using the reference engine: UPCARD_BACKEND is set to reference, which turns machine code off",
    )
    monkeypatch.setenv("UPCARD_BACKEND", "steam")
    with pytest.raises(UnknownBackend, match="llvm, c, wasm or reference, not steam"):
        simulation(upcard.load("euchre"))


def test_the_compiler_s_own_options_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"{sys.executable} -O1")
    assert Compiler.find("").command == (sys.executable, "-O1")
    plain = Compiler.find("").identity
    monkeypatch.setenv("CC", f"{sys.executable} -O0")
    assert Compiler.find("").identity != plain


# --- starting again ----------------------------------------------------------------------------------


def test_a_second_start_lowers_nothing(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "cache"))
    game = load(FAILS)
    first = playouts(game.program, game.facts, backend)

    def refuse(*_: object) -> None:
        raise AssertionError("lowered again")

    with monkeypatch.context() as now:
        now.setattr(lower, "lower", refuse)
        second = playouts(game.program, game.facts, backend)
        other = load(FAILS.replace("3", "4"))
        with pytest.raises(AssertionError, match="lowered again"):
            playouts(other.program, other.facts, backend)
    assert first.facts == second.facts
    assert summed(first) == summed(second)


def summed(code: Playouts) -> Summary:
    return NativeBatch(code, 1, ROOMY, Sums()).recorder.sums(0, 50)


def test_half_a_cache_is_as_good_as_none(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "cache"))
    game = load(FAILS)
    expected = summed(playouts(game.program, game.facts, backend))
    kept = {path: path.read_bytes() for path in (tmp_path / "cache").iterdir()}
    assert len(kept) == 2
    for path in kept:
        path.unlink()
        assert summed(playouts(game.program, game.facts, backend)) == expected
        assert path.read_bytes()[:50] == kept[path][:50]


def test_house_rules_are_part_of_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "cache"))
    with_rule, without = upcard.load("euchre"), upcard.load("euchre", rules={"alone": "no"})
    for game in (with_rule, without, with_rule):
        assert game.simulate(10, 4) == reference_game(game, 10, 4, Limits())
    assert with_rule.simulate(10, 4) != without.simulate(10, 4)
