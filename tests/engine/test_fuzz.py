"""Random programs by both engines: no difference, no form left out, and no planted fault missed.

The programs are named by numbers, so every run is the same. `python -m tests.engine.fuzz` goes on for longer.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine.fuzz.compare import (
    NotLowered,
    Played,
    TooLong,
    by_machine,
    by_reference,
    compare,
    first_difference,
)
from tests.engine.fuzz.faults import FAULTS
from tests.engine.fuzz.forms import EXPECTED, NEVER_EXECUTED, WAYS, node_types
from tests.engine.fuzz.shape import Written, program
from tests.engine.fuzz.shrink import read, shrink, write

from upcard.engine.native.backends import llvm
from upcard.engine.native.lower import lower

SEED = 4
PROGRAMS = 120
"""Compared here. What they execute together is every form of the language."""
FOR_FAULTS = 120
"""A planted fault must show within so many programs."""
SHOWN_BY = {
    "unions_run_backwards": 65,
    "division_is_unsigned": 103,
    "a_new_current_seat_empties_the_queue": 50,
    "snapshots_are_not_shuffled": 49,
    "one_matching_pair_is_enough": 98,
    "picks_follow_the_list": 19,
    "the_queue_outlives_the_advance": 50,
}
"""Where a fault was seen before it is looked for first; if it is not there any more, everywhere."""


@cache
def played(number: int) -> Played | None:
    """What the reference engine made of a program; None for one that takes it too long."""
    try:
        return by_reference(program(SEED, number))
    except TooLong:
        return None


@pytest.mark.parametrize("part", range(4))
def test_no_program_differs(part: int) -> None:
    for number in range(part, PROGRAMS, 4):
        mine = played(number)
        if mine is None:
            continue
        try:
            lowered = lower(mine.game.program, mine.game.facts)
        except NotLowered:
            continue
        native = by_machine(lowered, llvm.to_llvm(lowered.module))
        difference = first_difference(mine.rows, native)
        assert difference is None, f"program {number}: {difference}\n{program(SEED, number).text}"


def test_every_form_is_executed() -> None:
    covered: Counter[str] = Counter()
    for number in range(PROGRAMS):
        mine = played(number)
        if mine is not None:
            covered.update(mine.covered)
    assert [name for name in EXPECTED if not covered[name]] == []


def test_most_programs_are_played_to_an_end() -> None:
    rows = [row for n in range(PROGRAMS) if (mine := played(n)) is not None for row in mine.rows]
    finished = [row for row in rows if row[0] in ("finished", "cut_off") and row[1] >= 2]
    assert len(rows) >= 3 * PROGRAMS * 9 // 10
    assert len(finished) >= len(rows) * 2 // 3


def test_every_type_of_node_is_known() -> None:
    """A new node must be executed too, or be listed with a reason why it cannot be."""
    assert set(WAYS) <= set(node_types())
    assert all(NEVER_EXECUTED.values())


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_found(name: str) -> None:
    plant, touches = FAULTS[name]
    for number in sorted(range(FOR_FAULTS), key=lambda number: number != SHOWN_BY.get(name)):
        mine = played(number)
        if mine is None or not any(mine.covered[form] for form in touches):
            continue
        try:
            with plant():
                lowered = lower(mine.game.program, mine.game.facts)
        except NotLowered:
            continue
        if first_difference(mine.rows, by_machine(lowered, llvm.to_llvm(lowered.module))) is not None:
            return
    pytest.fail(f"nothing shows {name} within {FOR_FAULTS} programs")


def test_a_difference_is_made_small() -> None:
    """With a fault planted, shrinking keeps the form that shows it and little else."""
    plant = FAULTS["unions_run_backwards"].plant

    def differs(text: str) -> bool:
        try:
            return compare(Written(text))[0] is not None
        except Exception:  # most of what is tried is no program at all
            return False

    text = """(game (setup (create players 1) (create deck (game vloc D) (deck (N (A, B, C)))))
 (do ((inc (game sto X) 2) (set (game str HUE) RED)))
 (do ((move (bottom (game vloc D)) (top (game vloc E)))))
 (do (((== (cardatt N (top (union (game vloc D) (game vloc E)))) A) (inc (game sto X) 5))))
 (scoring max (game sto X)))"""
    with plant():
        small = shrink(text, differs, tries=150)
    assert "union" in small
    assert "HUE" not in small
    assert len(small) < len(text)
    assert not differs(small)


def test_programs_read_back() -> None:
    text = program(SEED, 0).text
    assert read(write(read(text))) == read(text)


def test_a_number_names_one_program() -> None:
    assert program(SEED, 7) == program(SEED, 7)
    assert program(SEED, 7) != program(SEED, 8)
