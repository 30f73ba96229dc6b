"""docs/reference/rows.md describes every column and every member of the metadata, and nothing else."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from tests.docs.steps import DOCS

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


def test_every_column_is_described_with_its_type() -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed here")
    described = [(name, row[1]) for row in table("Columns") for name in names(row[0])]
    expected = [(field.name, str(field.type).replace("string", "text")) for field in schema_of(1)]
    assert described == expected


def test_every_member_of_the_metadata_is_described() -> None:
    described = [name for row in table("Metadata") for name in names(row[0])]
    assert described == [*(field.name for field in fields(Header)), "crc"]


def test_the_size_and_the_name_of_a_part() -> None:
    assert f"A file holds {PART:,} deals" in PAGE
    assert f"`{part_name(0, PART)}` holds the deals from 0 to {PART - 1:,}" in PAGE
