"""Every game of the library, both engines side by side; and that a difference would be seen."""

from __future__ import annotations

from typing import Any

import pytest
from tests import documents

import upcard
from upcard.analysis.simulating import native_rows
from upcard.analysis.verifying import compare, verify
from upcard.cli import verifying
from upcard.engine.contract import Limits
from upcard.engine.loading import game_of
from upcard.engine.native.game import NativeGame
from upcard.engine.native.lower.builder import ONE, add
from upcard.engine.native.lower.storing import Storing
from upcard.library import names
from upcard.recycle import program as p
from upcard.recycle.front import check
from upcard.recycle.source import Source

LIMITS = Limits(decisions=150)


def native(game: Any) -> NativeGame:
    assert isinstance(game, NativeGame)
    return game


@pytest.mark.parametrize("name", names())
def test_library(name: str) -> None:
    game = native(upcard.load(name))
    for deal in range(2):
        difference = compare(game, 21, deal, LIMITS)
        assert difference is None, str(difference)


@pytest.mark.parametrize("name", names())
def test_what_users_run_plays_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code that was compared above is made without LLVM's passes; with them it plays the same games."""
    game = upcard.load(name)
    plain = list(native_rows(game, 200, seed=22, limits=LIMITS, workers=1))
    monkeypatch.delenv("UPCARD_OPT", raising=False)
    assert list(native_rows(game, 200, seed=22, limits=LIMITS, workers=1)) == plain


@pytest.mark.parametrize("number", [documents.EUCHRE, documents.WHIST])
def test_documents(number: int) -> None:
    game = native(game_of("document", *check(Source("document", documents.program(number))).sound()))
    assert not any(verify(game, 3, seed=4))


@pytest.fixture
def wrong_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code that adds one to every number it stores."""

    def set_one_more(self: Storing, node: p.SetInt) -> None:
        at = self.store(node.store, self.layout.ints)
        value = self.keep(add(self.value(node.value), ONE))
        self.set_word(at, value)

    right = Storing.__init__

    def planted(self: Storing, *arguments: Any) -> None:
        right(self, *arguments)
        self._actions[p.SetInt] = lambda node: set_one_more(self, node)

    monkeypatch.setattr(Storing, "__init__", planted)
    monkeypatch.setenv("UPCARD_CACHE", "off")


TEXT = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C)))))
 (stage player
  (end (== (game sto TURNS) 4))
  (choice ((any (game iloc STOCK) 'C (do ((set (game sto LAST) 2) (inc (game sto TURNS)))))))
  (do ((set ((current player) sto SUM) 5))))
 (scoring max ((current player) sto SUM)))
"""


def test_a_difference_is_told_with_its_line(
    wrong_code: None, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.rcy"
    path.write_text(TEXT)
    with pytest.raises(Exception) as stopped:  # noqa: PT011  (typer's own way of leaving)
        verifying.verify(str(path), 3, 0, [], [], None, 1)  # type: ignore[arg-type]
    assert getattr(stopped.value, "exit_code", None) == 1
    said = capsys.readouterr().out
    assert said.startswith("deal 0, decision 0, line 5: effects of alternative 0 is ")
    assert "in the reference engine" in said
    assert "(choice ((any (game iloc STOCK)" in said


def test_no_difference_is_said_too(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    path = tmp_path / "right.rcy"
    path.write_text(TEXT)
    verifying.verify(str(path), 3, 0, [], [], None, 1)  # type: ignore[arg-type]
    assert capsys.readouterr().out == "right: 3 games, no difference\n"
