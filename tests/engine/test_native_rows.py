"""The native engine against the reference: everything at every decision of some deals, then rows of more.

Programs: everything in tests/lang that can be loaded, our games, the documents, and generated ones.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests import documents
from tests.engine.generated import programs

import upcard
from upcard.analysis.simulating import Row, native_rows, play_out
from upcard.analysis.verifying import compare
from upcard.engine.contract import Limits
from upcard.engine.native.game import NativeGame
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.recycle.front import check
from upcard.recycle.source import Source

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

ROOT = Path(__file__).resolve().parents[2]
LANG = sorted((ROOT / "tests" / "lang").rglob("*.rcy"))
OWN = sorted((ROOT / "tests" / "recycle" / "programs").glob("*.rcy"))
LIMITS = Limits(decisions=60, steps=2000)


def signature(row: Row) -> tuple[object, ...]:
    """All of a row; of a failure, where it happened (the wording is free)."""
    failure = row.failure and (row.failure.line, row.failure.column, row.failure.decision)
    return (row.ending, row.decisions, row.choices, row.forced, row.scores, row.winners, failure)


def same(loaded: LoadedGame, games: int) -> None:
    game = ReferenceGame(loaded.name, loaded.program, loaded.facts)
    native_game = NativeGame(game.name, game.program, game.facts)
    for deal in range(min(games, 3)):
        difference = compare(native_game, 3, deal, LIMITS)
        assert difference is None, str(difference)
    native = native_rows(game, games, seed=3, limits=LIMITS, workers=1)
    for deal, row in enumerate(native):
        assert signature(row) == signature(play_out(game, 3, deal, LIMITS)), f"deal {deal}"


def load(text: str, name: str) -> ReferenceGame | None:
    checked = check(Source(name, text), lint=False)
    return None if checked.program is None or checked.facts is None else ReferenceGame(name, *checked.sound())


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of small programs: what is tested is the lowering, so LLVM need not try hard."""
    monkeypatch.setenv("UPCARD_OPT", "0")


@pytest.mark.parametrize("path", LANG + OWN, ids=lambda path: path.name)
def test_small_programs(path: Path, quickly: None) -> None:
    game = load(path.read_text(encoding="utf-8"), path.name)
    if game is not None:
        same(game, 4)


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_our_games(name: str) -> None:
    same(upcard.load(name), 120)


def test_house_rules() -> None:
    same(upcard.load("euchre", rules={"stick": "no", "alone": "no"}), 60)


@pytest.mark.parametrize("number", [documents.EUCHRE, documents.WHIST])
def test_documents(number: int) -> None:
    game = load(documents.program(number), "document")
    assert game is not None
    same(game, 120)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_generated_programs(text: str) -> None:
    game = load(text, "generated")
    if game is not None:
        same(game, 3)


def test_rows_do_not_depend_on_threads_or_slices() -> None:
    game = upcard.load("euchre")
    one = [signature(row) for row in native_rows(game, 3000, seed=9, workers=1)]
    two = [signature(row) for row in native_rows(game, 3000, seed=9, workers=2)]
    assert one == two
    few = [signature(row) for row in islice(native_rows(game, 100, seed=9), 100)]
    assert few == one[:100]
