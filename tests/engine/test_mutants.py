"""Mutants of the library's programs: a bounded run, and proof that a run would notice what is wrong."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine.fuzz.children import Children
from tests.engine.fuzz.compare import compare
from tests.engine.fuzz.faults import FAULTS
from tests.engine.fuzz.library import FAILURES, HANG, PLAYED, REFUSED, TOO_LONG, answer, result_of
from tests.engine.fuzz.mutation import EDITS, mutant
from tests.engine.fuzz.shape import Written
from tests.engine.play_through import shipped_programs

SEED = 7
MUTANTS = 56
PROGRAMS = shipped_programs()


@pytest.mark.parametrize("part", range(2))
def test_no_mutant_fails(part: int) -> None:
    results: Counter[str] = Counter()
    for number in range(part, MUTANTS, 2):
        one = mutant(PROGRAMS, SEED, number)
        result, why = result_of(answer(Written(one.text), lambda stage: None))
        assert result not in FAILURES, f"mutant {number} of {one.game}: {why}"
        results[result] += 1
    assert results[PLAYED] >= 3
    assert results[REFUSED] >= 3


def test_a_number_names_one_mutant() -> None:
    made = [mutant(PROGRAMS, SEED, number) for number in range(84)]
    assert made[-5:] == [mutant(PROGRAMS, SEED, number) for number in range(79, 84)]
    assert {one.game for one in made} == set(PROGRAMS)
    assert {edit for one in made for edit in one.edits} == set(EDITS)
    changed = [one for one in made if one.text != PROGRAMS[one.game]]
    assert len(changed) > 75


def test_a_planted_fault_shows() -> None:
    """A library program, as it is, with a mistake in the lowering."""
    written = Written(PROGRAMS["agram"])
    assert compare(written).difference is None
    with FAULTS["the_queue_outlives_the_advance"].plant():
        found = compare(written)
    assert found.difference is not None


@pytest.mark.parametrize("workers", [1, 2])
def test_children_that_die_are_findings(workers: int) -> None:
    texts = ["one", "abort", "two", "loop", "three", "fault", "four"]
    with Children("tests.engine.misbehaving_child", workers, seconds=0.5) as children:
        found = list(children.answers(texts, Written))
    assert [text for text, _ in found] == texts
    answers = dict(found)
    assert [answers[text] for text in ("one", "two", "three", "four")] == [
        {"did": text} for text in ("one", "two", "three", "four")
    ]
    assert [(answers[t]["died"], answers[t]["stage"]) for t in ("abort", "loop", "fault")] == [
        ("crashes", "about to abort"),
        ("hangs", "about to loop"),
        ("crashes", "about to fault"),
    ]


def test_only_running_a_program_may_take_long() -> None:
    assert result_of({"died": "hangs", "stage": "simulate", "code": -27})[0] == TOO_LONG
    assert result_of({"died": "hangs", "stage": "lowering", "code": -27})[0] == HANG
