"""Rules in words become paragraphs, lists and small tables."""

from __future__ import annotations

from upcard.site.number_text import prose


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
