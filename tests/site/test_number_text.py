"""Rules in words become paragraphs, lists and small tables."""

from __future__ import annotations

from upcard.site.number_text import format_interval, link_source, prose, whole_percent
from upcard.stats.interval_text import between, percent, told
from upcard.stats.intervals import Interval


def test_lines_of_two_columns_are_a_table() -> None:
    rows = ["    most cards     one point", "    the <best>     the sum of", "                   all four"]
    found = prose("\n".join(["Each scores", "", *rows]))
    assert found.count("<tr>") == 2
    assert "most cards</th><td>one point</td>" in found
    assert "the &lt;best&gt;</th><td>the sum of all four</td>" in found, "a line goes on with the row above"


def test_other_lines_are_kept() -> None:
    assert "<table" not in prose("One sentence,\nand how it goes on.")
    assert prose("There is\n  - one\n  - two").count('class="lines"') == 1
    assert "<table" not in prose("There is\n  - one\n  - two")
    assert "<b>Play.</b> Follow suit." in prose("Play. Follow\nsuit.")


def test_nothing_is_minus_zero() -> None:
    found = Interval(40, -0.0001, -0.0004, 0.0002)
    assert not found.mean or "-0.00" in f"{found.mean:.2f}"
    small = Interval(40, -1e-9, None, None)
    for said in (told(small), percent(small), between(small), format_interval(small)):
        assert said.startswith("0.0"), said
    assert between(Interval(40, 0.1, -1e-9, 0.2)).startswith("0.100 (0.000 to")


def test_a_source_links_to_where_it_comes_from() -> None:
    assert link_source("Pagat on Whist, https://www.pagat.com/whist/whist.html") == (
        '<a href="https://www.pagat.com/whist/whist.html" rel="noreferrer noopener">Pagat on Whist</a>'
    )
    assert link_source("a book, printed in 1900") == "a book, printed in 1900"
    assert "https://example.org/a" in link_source("see https://example.org/a for more")


def test_a_small_share_is_not_nothing() -> None:
    """The lone marches of Euchre, five in a thousand, were drawn with a 0 below them."""
    assert [whole_percent(share) for share in (0.0, 0.005, 0.0149, 0.625, 1.0)] == [
        "0",
        "<1",
        "1",
        "62",
        "100",
    ]
