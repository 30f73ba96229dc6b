"""Every game of the library, both engines side by side; and that a difference would be seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests import documents

import upcard
from upcard.cli.commands import verify as verifying
from upcard.cli.console import Stop
from upcard.engine.api import Limits
from upcard.engine.loader import make_game
from upcard.engine.native.game import NativeGame
from upcard.engine.native.lower.builder import ONE, add
from upcard.engine.native.lower.context import ACTIONS, Context
from upcard.engine.native.lower.values import storage_word
from upcard.library import find, names, read_sheet
from upcard.library.rule_combinations import pairwise_combinations
from upcard.library.sheet import HouseRule
from upcard.recycle import program as p
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.simulate.random_games import native_batch
from upcard.simulate.sums_detail import Sums
from upcard.verify.engines import compare, verify, verify_rules

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


def house(name: str) -> tuple[HouseRule, ...]:
    sheet = find(name).sheet
    assert sheet is not None
    return read_sheet(sheet).house_rules


@pytest.mark.parametrize("number", range(len(pairwise_combinations(house("euchre")))))
def test_euchre_by_every_pair_of_house_rules(number: int) -> None:
    """`upcard verify euchre --all-rules` plays every combination."""
    one = pairwise_combinations(house("euchre"))[number : number + 1]
    found = list(verify_rules(native(upcard.load("euchre")), one, 2, seed=30 + number))
    assert found == [None], str(found[0])


@pytest.mark.parametrize("name", names())
def test_what_users_run_plays_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code that was compared above is made without LLVM's passes; with them it plays the same games."""
    game = upcard.load(name)
    plain = list(native_batch(game, Sums(), 22, LIMITS).games(0, 200, workers=1))
    monkeypatch.delenv("UPCARD_OPT", raising=False)
    assert list(native_batch(game, Sums(), 22, LIMITS).games(0, 200, workers=1)) == plain


@pytest.mark.parametrize("number", [documents.EUCHRE, documents.WHIST])
def test_documents(number: int) -> None:
    game = native(make_game("document", *check(Source("document", documents.program(number))).sound()))
    assert not any(verify(game, 3, seed=4))


@pytest.fixture
def wrong_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code that adds one to every number it stores."""

    def set_one_more(ctx: Context, node: p.SetInt) -> None:
        at = storage_word(ctx, node.store)
        value = ctx.keep(add(ctx.value(node.value), ONE))
        ctx.set_word(at, value)

    monkeypatch.setitem(ACTIONS, p.SetInt, set_one_more)
    monkeypatch.setenv("UPCARD_CACHE", "off")


TEXT = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C)))))
 (stage player
  (end (== (game sto TURNS) 4))
  (choice ((any (game iloc STOCK) 'C (do ((set (game sto LAST) 2) (inc (game sto TURNS)))))))
  (do ((set ((current player) sto SUM) 5))))
 (scoring max ((current player) sto SUM)))
"""


def test_a_difference_names_its_line(
    wrong_code: None, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.rcy"
    path.write_text(TEXT)
    with pytest.raises(Exception) as stopped:  # noqa: PT011  (typer's own way of leaving)
        verifying.verify(str(path), 3, 0, [], [], None, 1, None, False, False)
    assert getattr(stopped.value, "exit_code", None) == 1
    said = capsys.readouterr().out
    assert said.startswith("deal 0, decision 0, line 5: effects of alternative 0 is ")
    assert "in the reference engine" in said
    assert "(choice ((any (game iloc STOCK)" in said


def test_no_difference_is_said_too(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    path = tmp_path / "right.rcy"
    path.write_text(TEXT)
    verifying.verify(str(path), 3, 0, [], [], None, 1, None, False, False)
    assert capsys.readouterr().out == "right: 3 games, no difference\n"


def folder_with_rules(where: Path) -> str:
    """A game with a house rule that decides how much is stored."""
    text = TEXT.replace("(game\n", "(game\n (declare 5 'MUCH)\n").replace("SUM) 5)", "SUM) 'MUCH)")
    (where / "rules.rcy").write_text(text)
    (where / "game.toml").write_text(
        'title = "Wrong"\n[[rule]]\nname = "much"\nset = "MUCH"\ntitle = "How much"\n'
        'choices = { five = "5", seven = "7" }\ndefault = "five"\n'
    )
    return f"{where}/rules.rcy"


def test_every_combination_of_house_rules_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder_with_rules(tmp_path)
    verifying.verify(path, 1, 0, [], [], None, 1, None, True, False)
    assert "2 combinations of house rules, 1 game each, no difference" in capsys.readouterr().out


def test_a_difference_names_its_house_rules(
    wrong_code: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder_with_rules(tmp_path)
    with pytest.raises(Exception) as stopped:  # noqa: PT011  (typer's own way of leaving)
        verifying.verify(path, 1, 0, [], ["much=seven"], None, 1, None, False, True)
    assert getattr(stopped.value, "exit_code", None) == 1
    assert capsys.readouterr().out.endswith("  with --rule much=seven\n")


def test_a_game_without_house_rules_has_one_combination(tmp_path: Path) -> None:
    path = tmp_path / "right.rcy"
    path.write_text(TEXT)
    with pytest.raises(Stop, match="right has no house rules; leave --all-rules"):
        verifying.verify(str(path), 1, 0, [], [], None, 1, None, True, False)
