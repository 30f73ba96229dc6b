"""Runs every program below this folder and compares with what is written in it (see cases.py)."""

from __future__ import annotations

import re

import pytest
from tests.engine.play_through import lie, place, play
from tests.lang.cases import Case, all_cases

from upcard.engine.api import owner_text

CASES = all_cases()


def by_name(cases: list[Case]) -> dict[str, Case]:
    return {case.name: case for case in cases}


REFUSED = by_name([case for case in CASES if case.error is not None])
PLAYED = by_name([case for case in CASES if case.error is None])


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    case = REFUSED[name]
    checked = case.checked()
    found = [(d.code, checked.source.line(d.span.start)) for d in checked.errors]
    assert case.error is not None
    assert found[0] == case.error
    assert {line for _, line in found} == {case.error[1]}, "one fault, reported where it is"


@pytest.mark.parametrize("name", PLAYED)
def test_played(name: str) -> None:
    case = PLAYED[name]
    state = case.deal()
    met = list(play(state, case.numbers("picks") or ()))
    outcome, table = state.outcome, state.machine.table
    assert outcome is not None
    if case.fails is not None:
        assert outcome.failure is not None, outcome
        assert (outcome.failure.line, outcome.ending) == (case.fails, "failed"), outcome.failure
    else:
        scores = " ".join(str(score) for score in outcome.scores or ())
        assert f"{outcome.ending} {scores}" == case.said["expect"][0], outcome.failure
    if (alternatives := case.numbers("alternatives")) is not None:
        assert [count for _, count in met] == alternatives
    if (choosers := case.numbers("choosers")) is not None:
        assert [seat for seat, _ in met] == choosers
    for where, cards in case.pairs("lies"):
        assert (where, lie(state, where)) == (where, cards)
    for where, cards in case.pairs("ids"):
        assert (where, " ".join(table.cards[c].id for c in table.at(place(where)))) == (where, cards)
    stored = {
        f"{owner_text(owner)}.{name}": str(value)
        for space in (table.ints, table.strs)
        for (owner, name), value in space.items()
    }
    for name, value in case.pairs("stores"):
        assert (name, stored.get(name, "")) == (name, value)
    warned = {d.code for d in case.checked().warnings}
    assert set(case.said.get("warns", ())) <= warned


def test_every_program_says_what_it_is_about_and_how_it_ends() -> None:
    for case in CASES:
        ends = [case.error is not None, case.fails is not None, "expect" in case.said]
        assert ends.count(True) == 1, case.name
        first = case.text.splitlines()[0]
        assert re.fullmatch(r";; .*\.", first), case.name
    assert len(CASES) > 100
