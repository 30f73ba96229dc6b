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
from tests.lang.cases import all_cases

import upcard
from upcard.engine.api import Limits
from upcard.engine.native.game import NativeGame
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.recycle import program as p
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.recycle.walk import below
from upcard.simulate.native_batch import NativeBatch
from upcard.simulate.random_games import native_batch, play_out
from upcard.simulate.summary import Row
from upcard.simulate.sums_detail import Sums
from upcard.verify.engines import compare

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

ROOT = Path(__file__).resolve().parents[2]
OWN = sorted((ROOT / "tests" / "recycle" / "programs").glob("*.rcy"))
PROGRAMS = {path.name: path.read_text(encoding="utf-8") for path in OWN}
PROGRAMS |= {case.name: case.text for case in all_cases() if case.error is None or case.overrides}
"""Those that load; of the house rules that a case sets, each keeps the value that its program gives it."""
LIMITS = Limits(decisions=60, steps=2000)
SLOW = {"choices/too_many"}
"""A million alternatives take the reference engine ten seconds each time: once is enough, for the row."""


def signature(row: Row) -> tuple[object, ...]:
    """All of a row; of a failure, where it happened (the wording is free)."""
    failure = row.failure and (row.failure.line, row.failure.column, row.failure.decision)
    return (row.ending, row.decisions, row.choices, row.forced, row.scores, row.winners, failure)


def same(loaded: LoadedGame, games: int) -> None:
    game = ReferenceGame(loaded.name, loaded.program, loaded.facts)
    native_game = NativeGame(game.name, game.program, game.facts)
    first = play_out(game, 3, 0, LIMITS)
    if not first.decisions and not draws(game):
        games = 1  # nobody is asked and nothing drawn, so that all deals are this one; some are very long
    for deal in range(0 if loaded.name in SLOW else min(games, 3)):
        difference = compare(native_game, 3, deal, LIMITS)
        assert difference is None, str(difference)
    native = NativeBatch(native_game.playing.playouts, 3, LIMITS, Sums()).games(0, games, workers=1)
    for deal, row in enumerate(native):
        expected = play_out(game, 3, deal, LIMITS) if deal else first
        assert signature(row) == signature(expected), f"deal {deal}"


def draws(game: ReferenceGame) -> bool:
    return any(isinstance(node, p.Shuffle | p.Random | p.BestCard) for node in below(game.program))


def load(text: str, name: str) -> ReferenceGame:
    return ReferenceGame(name, *check(Source(name, text), lint=False).sound())


@pytest.mark.parametrize("name", PROGRAMS)
def test_small_programs(name: str) -> None:
    same(load(PROGRAMS[name], name), 4)


def test_there_are_many_small_programs() -> None:
    assert len(PROGRAMS) > 200
    assert set(PROGRAMS) >= SLOW


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_our_games(name: str, as_shipped: None) -> None:
    same(upcard.load(name), 120)


def test_house_rules(as_shipped: None) -> None:
    same(upcard.load("euchre", rules={"stick": "no", "alone": "no"}), 60)


@pytest.mark.parametrize("number", [documents.EUCHRE, documents.WHIST])
def test_documents(number: int, as_shipped: None) -> None:
    same(load(documents.program(number), "document"), 120)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_generated_programs(text: str) -> None:
    same(load(text, "generated"), 3)


def test_rows_do_not_depend_on_threads_or_slices(as_shipped: None) -> None:
    game = upcard.load("euchre")
    batch = native_batch(game, Sums(), seed=9)
    one = [signature(row) for row in batch.games(0, 3000, workers=1)]
    two = [signature(row) for row in batch.games(0, 3000, workers=2)]
    assert one == two
    few = [signature(row) for row in islice(batch.games(0, 100), 100)]
    assert few == one[:100]
