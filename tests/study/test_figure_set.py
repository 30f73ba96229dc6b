"""Figures are drawn from what there is, the same every time; columns hold what happened."""

from __future__ import annotations

import sys
from functools import reduce
from operator import add
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.study.studies import SAYER, small_game

import upcard
from upcard.study.choice_columns import cells, columns, drawn_as_steps
from upcard.study.figures.figure_style import DARK, LIGHT, NoFigures, need_matplotlib
from upcard.study.game_log import Watched
from upcard.study.plan import Plan
from upcard.study.statistics import summed as sums_of
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed


def summed(folder: Path, searching: bool = True) -> Summed:
    study = Study(Plan.of(small_game(folder), 20, 7, [SAYER] if searching else [], 3))
    for _ in study.play(1):
        pass
    return Summed(study)


def course(*choices: int) -> Watched:
    return Watched(0, "finished", (0, 1), (0,) * len(choices), choices)


def test_a_column_shows_only_what_happened() -> None:
    """Neighbours that differ (Cribbage: 15, 15, 4, 4, 4, 3 ...) must not blur into each other."""
    games = [course(15, 15, 4, 1 + n % 4) for n in range(40)]
    first, second, third, last = columns(sums_of(games, ((0,), (1,)), True))
    assert (second.mean, second.low, second.high, second.counts) == (15, 15, 15, {15: 40})
    assert (third.mean, third.low, third.high) == (4, 4, 4)
    assert (last.mean, last.low, last.high) == (2.5, 1, 4)
    assert (first.first, last.last) == (1, 4)


def test_leaders_and_followers_make_a_saw_tooth() -> None:
    game = upcard.load("whist")
    plan = Plan.of(game, 40, 1)
    total = reduce(add, plan.traced_games.sums(0, 40), plan.no_games())
    means = [one.mean for one in columns(total)]
    assert len(means) == 52
    for trick in range(12):
        leader, *followers = means[4 * trick : 4 * trick + 4]
        assert leader == 13 - trick
        assert leader > max(followers)


def test_columns_end_where_few_games_go_on() -> None:
    games = [course(4)] * 30 + [course(4, 2)] * 9
    assert [one.last for one in columns(sums_of(games, ((0,), (1,)), True))] == [1]


def test_long_games_are_a_density_strip() -> None:
    games = [course(*([3, 1] * 150)) for _ in range(12)]
    found = columns(sums_of(games, ((0,), (1,)), True))
    assert not drawn_as_steps(found)
    assert len(found) <= 128
    height, shares = cells(found)
    assert height == 1
    assert {row for _, row, _ in shares} == {1, 3}, "nothing at 2, which never happened"
    for column in found:
        assert sum(share for one, _, share in shares if one is column) == pytest.approx(1)
    assert drawn_as_steps(columns(sums_of([course(3, 1)] * 12, ((0,), (1,)), True)))


def test_all_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed here")
    from upcard.study.figures.figure_set import draw

    names = draw(summed(tmp_path), tmp_path / "one")
    # whoever leads has as many choices as whoever follows, so there is nothing to show of that
    assert names == ["branching", "length", "scores", "lead-history", "spread", "profile"]
    expected = {f"{name}{dark}.{end}" for name in names for dark in ("", "-dark") for end in ("png", "svg")}
    assert {path.name for path in (tmp_path / "one").iterdir()} == expected
    light = (tmp_path / "one" / "branching.svg").read_text(encoding="utf-8")
    dark = (tmp_path / "one" / "branching-dark.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(light).tag.endswith("svg")
    assert LIGHT.paper in light
    assert DARK.paper in dark
    assert DARK.paper not in light


def test_figures_are_the_same_every_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed here")
    from upcard.study.figures.figure_set import drawings
    from upcard.study.figures.figure_style import save

    found = summed(tmp_path, searching=False)
    assert list(drawings(found)) == ["branching", "length", "scores", "profile"]
    drawn, size = drawings(found)["scores"]
    for name in ("one", "two"):
        save(drawn, tmp_path / name, "scores", size)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_comparisons(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed here")
    from upcard.study.figures.comparison_figures import draw

    found = summed(tmp_path)
    names = draw({"one": found, "two": found}, tmp_path / "figures")
    assert names == ["profile", "choices", "branching", "length", "scores", "lead-history"]
    assert (tmp_path / "figures" / "lead-history-dark.png").stat().st_size > 1000


def test_one_sentence_where_matplotlib_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(NoFigures, match=r"^figures need matplotlib: pip install 'upcard\[figures\]'$"):
        need_matplotlib()
