"""docs/reference/rows.md describes every column and every member of the metadata, and nothing else."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from tests.docs.steps import DOCS, run_page

import upcard
from upcard.simulate.row_folder import part_name
from upcard.simulate.row_part import PART, Header
from upcard.simulate.row_table import schema_of

PAGE = (DOCS / "reference" / "rows.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The cells of the rows of the first table below a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def schemas() -> dict[str, object]:
    """The schema of each table by the heading of its section."""
    contest = upcard.arena.run("kuhn-poker", ["random", "random"], deals=1)
    study = upcard.study.run("kuhn-poker", 1)
    return {
        "Games of a simulation": schema_of(1),
        "Games of a contest": contest.to_arrow().schema,
        "Standings of a contest": contest.to_arrow("standings").schema,
        "Pairs of a contest": contest.to_arrow("pairs").schema,
        "Games of a study": study.to_arrow().schema,
        "Decisions of a study": study.to_arrow("decisions").schema,
        "Profile of a study": study.to_arrow("profile").schema,
        "Strategy": upcard.solve.run("kuhn-poker", iterations=1).to_arrow().schema,
    }


def test_every_column_is_described_with_its_type() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed here")
    words = {"string": "text", "list<item: string>": "list of text"}
    for heading, schema in schemas().items():
        described = [(name, row[1]) for row in table(heading) for name in names(row[0])]
        found = [(field.name, str(field.type)) for field in schema]  # type: ignore[attr-defined]
        expected = [(name, words.get(kind, kind)) for name, kind in found if not re.search(r"_[1-9]$", name)]
        assert described == expected, heading


def test_the_example_runs(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed here")
    run_page(DOCS / "reference" / "rows.md", tmp_path)


def test_every_member_of_the_metadata_is_described() -> None:
    described = [name for row in table("Metadata of a simulation") for name in names(row[0])]
    assert described == [*(field.name for field in fields(Header)), "crc"]


def test_the_size_and_the_name_of_a_part() -> None:
    assert f"A file holds {PART:,} deals" in PAGE
    assert f"`{part_name(0, PART)}` holds the deals from 0 to {PART - 1:,}" in PAGE
