"""Random programs by both engines: no difference, no form left out, and no planted fault missed.

The programs are named by numbers, so every run is the same. `python -m tests.engine.fuzz` goes on for longer.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from functools import cache
from subprocess import PIPE

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine.fuzz.children import ROOT
from tests.engine.fuzz.compare import (
    NotLowered,
    Played,
    TooLong,
    by_machine,
    by_reference,
    compare,
    first_difference,
    load,
)
from tests.engine.fuzz.faults import FAULTS
from tests.engine.fuzz.forms import EXPECTED, NEVER_EXECUTED, WAYS, node_types
from tests.engine.fuzz.shape import Written, program
from tests.engine.fuzz.shrink import read, shrink, write

from upcard.engine.native.backends import llvm
from upcard.engine.native.lower import lower

COMMAND = [sys.executable, "-m", "tests.engine.fuzz", "--seed", "5"]
SEED = 4
PROGRAMS = 120
"""Compared here. What they execute together is every form of the language."""
STEPPED = 12
"""Played both ways here; the long run does this with every program."""
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
        return by_reference(load(program(SEED, number)))
    except TooLong:
        return None


@pytest.mark.parametrize("part", range(4))
def test_no_program_differs(part: int) -> None:
    """Whole games; `test_no_program_shows_a_difference` steps through some of them."""
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


def test_no_program_shows_a_difference() -> None:
    for number in range(PROGRAMS, PROGRAMS + STEPPED):
        try:
            found = compare(program(SEED, number))
        except (NotLowered, TooLong):
            continue
        assert found.difference is None, f"program {number}: {found.difference}"
        assert found.stepping["Choice"] or not found.playing["Choice"]


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
            return compare(Written(text)).difference is not None
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


def test_the_long_run_reports_seed_and_count() -> None:
    ran = subprocess.run([*COMMAND, "--programs", "3"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == "seed 5: 3 programs played by both engines both ways, 0 differ"
    assert f"of {len(EXPECTED)} executed in whole games" in ran.stdout


def test_ctrl_c_sums_up_the_long_run() -> None:
    command = [*COMMAND, "--minutes", "60"]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True, cwd=ROOT) as run:
        assert run.stderr is not None
        assert run.stderr.readline() == "seed 5, from program 0\n"
        run.send_signal(signal.SIGINT)
        out, errors = run.communicate()
    assert run.returncode == 0, errors
    assert errors.strip() == "stopped"
    assert re.search(r"^seed 5: \d+ programs played by both engines both ways, 0 differ$", out, re.MULTILINE)


def test_programs_read_back() -> None:
    text = program(SEED, 0).text
    assert read(write(read(text))) == read(text)


def test_a_number_names_one_program() -> None:
    assert program(SEED, 7) == program(SEED, 7)
    assert program(SEED, 7) != program(SEED, 8)
