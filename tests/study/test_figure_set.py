"""Figures are drawn from what there is, the same every time; smoothing on numbers worked out by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.study.studies import CHOICES, SAYER, small_game

from upcard.study.figures.choice_figures import choices_by_decision, smoothed
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


def test_smoothing_keeps_what_is_level_and_what_is_not_wide() -> None:
    assert smoothed([3, 3, 3, 3], [1.0] * 4) == pytest.approx([3, 3, 3, 3])
    assert smoothed([1, 5, 2], [0.0] * 3) == pytest.approx([1, 5, 2])
    # a bell of width 1 weighs neighbours exp(-1/2)
    weight = 2.718281828459045**-0.5
    assert smoothed([0, 1, 0], [1.0] * 3)[1] == pytest.approx(1 / (1 + 2 * weight))


def test_a_course_begins_and_ends_as_it_is() -> None:
    games = [Watched(n, "finished", (0, 1), (0,) * 7, CHOICES) for n in range(12)]
    numbers, middle, low, high = choices_by_decision(sums_of(games, ((0,), (1,)), True), 2)
    assert numbers == [1, 2, 3, 4, 5, 6, 7]
    assert (middle[0], middle[-1]) == pytest.approx((2, 1), abs=0.02)
    assert all(a <= b + 1e-9 for a, b in zip(low, high, strict=True))


def test_a_course_ends_where_few_games_go_on() -> None:
    games = [Watched(0, "finished", (0, 1), (0,), (4,))] * 30 + [
        Watched(0, "finished", (0, 1), (0, 0), (4, 2))
    ] * 9
    assert choices_by_decision(sums_of(games, ((0,), (1,)), True), 2)[0] == [1]


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
