"""Messages name the line that is wrong; `python -m tests.recycle.broken_texts` counts more faults."""

from __future__ import annotations

from tests.recycle.broken_texts import are_good, good_programs, rates

from upcard.recycle.frontend import check

EACH = 100
"""Faults of each kind."""


def test_the_programs_are_good() -> None:
    assert len(good_programs()) > 5
    for source in good_programs():
        assert not check(source).errors, source.name


def test_messages_name_the_damaged_line() -> None:
    found = rates(EACH)
    assert are_good(found), found
