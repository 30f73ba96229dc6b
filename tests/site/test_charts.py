"""Charts of pages: what they draw is what was counted, in colours that can be read."""

from __future__ import annotations

import re

import pytest
from tests.contrast import contrast
from tests.site.page_reader import Element, read

from upcard.site.chart import Chart, mark, tick_text, ticks
from upcard.site.page_data import PageOptions, load_page_data
from upcard.site.page_frame import style
from upcard.site.study_sections import bar, shares_bar
from upcard.stats.intervals import Interval

LARGEST = 700_000
"""Bytes of a page."""


def page_of(name: str, games: int = 60) -> Element:
    from upcard.site.game_page import game_page

    made = load_page_data(PageOptions(name, games=games, players="none", seed=1))
    for _ in made.play(1):
        pass
    page = game_page(made)
    assert len(page.encode()) < LARGEST
    return read(page)


@pytest.mark.parametrize("name", ["president", "rummy", "whist", "scarto"])
def test_pages_of_long_games_are_small(name: str) -> None:
    root = page_of(name)
    (branching,) = root.one("branching").all("svg")
    assert len(branching.all("rect")) > 30
    assert "darker" not in root.one("branching").text, "on a dark page more is lighter"


def test_the_second_decision_of_cribbage_is_drawn_at_fifteen() -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    root = page_of("cribbage")
    (drawing,) = root.one("branching").all("svg")
    (line,) = [
        path
        for path in drawing.all("path")
        if path.attributes["class"] == "ink" and "V" in path.attributes["d"]
    ]
    steps = re.findall(r"V([0-9.]+)H", line.attributes["d"])
    assert steps[0] == steps[1] != steps[2], "15, 15 and then the play"
    assert "15" in drawing.all("desc")[0].text
    # over the first two decisions there is no band: every game has the same number
    chart = Chart("x", 258, (0.5, 10.5), (0, 15.5))
    for band in drawing.all("rect"):
        assert float(band.attributes["x"]) > chart.px(2.5)


def test_a_dealer_s_edge_is_described_over_both_deals() -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    root = page_of("cribbage")
    text = root.one("scores").text
    assert re.search(r"North has the last seat in every deal here, and the last seat wins 8\d", text)
    assert "over both deals no player has an edge" in text
    (tiles,) = [found for found in root.all("dl") if found.attributes.get("class") == "glance"]
    assert "of deals are won by the last seat" in tiles.text
    assert "fairness" not in tiles.text


def test_strips_show_values_outside_their_range_as_arrows() -> None:
    inside = read(bar(Interval(9, 0.4, 0.3, 0.5)))
    (mean,) = inside.all("circle")
    assert 8 < float(mean.attributes["cx"]) < 112
    for value, tip in ((-0.3, 1), (1.2, 119)):
        outside = read(bar(Interval(9, value, value - 0.1, value + 0.1)))
        assert not outside.all("circle"), "a mark at the end would say 0 or 1"
        (arrow,) = [p for p in outside.all("path") if p.attributes["class"] == "beyond"]
        assert f"L{tip} 8Z" in arrow.attributes["d"]
        assert not [p for p in outside.all("path") if p.attributes["class"] == "interval"]
    partly = read(bar(Interval(9, 0.05, -0.2, 0.3)))
    (line,) = [p for p in partly.all("path") if p.attributes["class"] == "interval"]
    assert line.attributes["d"].startswith("M8.0 8H")


def test_shares_say_what_they_are() -> None:
    root = read(shares_bar([("who plays", 0.25, "c0"), ("the deal", 0.75, "c1"), ("the rest", 0.0, "c7")]))
    assert len(root.all("rect")) == 2
    assert root.all("desc")[0].text == (
        "What explains the variance of results: who plays 25 %, the deal 75 %, the rest 0 %."
    )


def test_ticks_are_round_and_marks_differ() -> None:
    assert ticks(0, 13, 5, whole=True) == [0, 5, 10]
    assert ticks(0, 1, 5) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks(-3, 3, 5) == [-2, 0, 2]
    assert (tick_text(-0.0), tick_text(-2), tick_text(0.25)) == ("0", "−2", "0.25")
    assert len({mark(number, 10, 10, 4) for number in range(6)}) == 6


# --- contrast ------------------------------------------------------------------------------------

TEXT = {
    "ink": ("surface", "page"),
    "soft": ("surface", "page"),
    "accent": ("surface", "page"),
    "warn": ("warn-page",),
    "page": ("accent",),
    "cloth": ("felt",),
    "black-suit": ("card",),
    "red-suit": ("card",),
    **dict.fromkeys("kfovnsq", ("surface",)),
}
"""Colours of text, and what they stand on."""


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read(dark: bool) -> None:
    """A contrast of 4.5 : 1 at least, in both settings."""
    parts = re.split(r"(@media \(prefers-color-scheme: dark\) \{.*?\} ?\n?\})", str(style()), flags=re.DOTALL)
    colours: dict[str, str] = {}
    for part in parts:
        if dark or not part.startswith("@media"):
            for name, value in re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", part):
                if name not in colours or part.startswith("@media"):
                    colours[name] = value
    for text, grounds in TEXT.items():
        for ground in grounds:
            assert contrast(colours[text], colours[ground]) >= 4.5, f"{text} on {ground}"


def test_faint_text_is_not_made_fainter() -> None:
    """Half-transparent text has less contrast than its colour says."""
    for rule in re.findall(r"[^{}]*text[^{}]*\{[^}]*\}", str(style())):
        assert "opacity" not in rule, rule
    (label,) = re.findall(r"\.table \.label, \.table \.fact \{[^}]*\}", str(style()))
    assert "opacity" not in label
