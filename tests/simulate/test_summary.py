"""What many games come to: exact, and the same whoever sums and however the games are cut into parts."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard.engine.api import ENDINGS, Failure, rank
from upcard.engine.native import machine_memory
from upcard.engine.native.backends.select import NoMachineCode, choose_backend
from upcard.engine.native.kernels.accumulate import SliceSums, add_rows
from upcard.engine.native.kernels.language import Memory
from upcard.engine.native.kernels.playout import row_bytes
from upcard.simulate.slice_sums import SumBlock, recording_code
from upcard.simulate.summary import KEPT_FAILURES, Row, Summary

FAILURE = Failure("broken", 3, 1, "(form)", 3, 2, {})
SEATS, LENGTHS = 3, 8

numbers = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([2**31 - 1, 2**31, -(2**31), 1 - 2**31, 2**63 - 1, -(2**63)]),
    st.integers(-(2**63), 2**63 - 1),
)


@st.composite
def rows(draw: st.DrawFn, highest: bool) -> Row:
    ending = draw(st.sampled_from(ENDINGS))
    decisions = draw(st.integers(0, LENGTHS + 2))
    choices = draw(st.one_of(st.integers(0, 40), st.sampled_from([2**31 - 1, 2**31, 2**62])))
    forced = draw(st.integers(0, decisions))
    if ending == "failed":
        return Row(ending, decisions, choices, forced, None, (), FAILURE)
    scores = tuple(draw(st.lists(numbers, min_size=SEATS, max_size=SEATS)))
    winners = tuple(seat for seat, place in enumerate(rank(scores, highest)) if place == 0)
    return Row(ending, decisions, choices, forced, scores, winners, None)


some_rows = st.booleans().flatmap(lambda highest: st.tuples(st.just(highest), st.lists(rows(highest))))


def by_python(found: list[Row], first: int = 0) -> Summary:
    summary = Summary(SEATS)
    for n, row in enumerate(found):
        summary.add(row, first + n)
    return summary


def in_words(found: list[Row]) -> bytes:
    words: list[int] = []
    for row in found:
        scores = row.scores or (7,) * SEATS  # meaningless after a failure
        words += [ENDINGS.index(row.ending) + 1, row.decisions, row.choices, row.forced]
        words += [1 if row.failure else 0, *scores]
    assert 8 * len(words) == row_bytes(SEATS) * len(found)
    return struct.pack(f"<{len(words)}q", *words)


Adder = Callable[[SliceSums, int], int]


@cache
def in_machine_code() -> Adder:
    try:
        code = recording_code(choose_backend())
    except NoMachineCode as error:
        pytest.skip(f"there is no machine code here: {error}")
    return lambda sums, count: int(code.add_rows(sums.address, count))


def by_kernels(found: list[Row], highest: bool, add: Adder) -> Summary:
    block = SumBlock(SEATS, [(seat,) for seat in range(SEATS)], highest, LENGTHS)
    ctypes.memset(block.sums.block.address, 0x55, 8 * block.sums.block_words)
    data = in_words(found)
    rows, aside = machine_memory.words(len(data) // 8 + 1), machine_memory.words(len(found) + 1)
    ctypes.memmove(rows, data, len(data))
    block.sums.rows, block.sums.aside = Memory(rows), Memory(aside)
    count = add(block.sums, len(found))
    summary = Summary(SEATS)
    block.add_to(summary)
    for mine, tally in zip(summary.tallies, block.tallies(), strict=False):
        mine.merge(tally)
    indices = struct.unpack_from(f"<{count}q", aside)
    for n in indices:
        summary.add(found[n], n)
    small = [n for n, row in enumerate(found) if is_small(row)]
    assert sorted({*range(len(found))} - set(small)) == list(indices)
    return summary


def is_small(row: Row) -> bool:
    return (
        row.failure is None
        and row.decisions < LENGTHS
        and row.choices < 2**31
        and all(-(2**31) < score < 2**31 for score in row.scores or ())
    )


@settings(max_examples=60, deadline=None)
@given(some_rows)
def test_kernels_sum_as_python_does(drawn: tuple[bool, list[Row]]) -> None:
    highest, found = drawn
    assert by_kernels(found, highest, add_rows) == by_python(found)


@settings(max_examples=200, deadline=None)
@given(some_rows)
def test_machine_code_sums_as_python_does(drawn: tuple[bool, list[Row]]) -> None:
    highest, found = drawn
    assert by_kernels(found, highest, in_machine_code()) == by_python(found)


def test_squares_carry_into_the_second_word() -> None:
    big = 2**31 - 1
    row = Row("finished", 4, big, 4, (big, -big, 0), (0,), None)
    found = [row] * 20
    assert 20 * big * big > 2**64
    for add in (add_rows, in_machine_code()):
        assert by_kernels(found, True, add) == by_python(found)


@settings(max_examples=100, deadline=None)
@given(some_rows, st.lists(st.integers(1, 5)), st.randoms(use_true_random=False))
def test_parts_in_any_order_give_the_whole(
    drawn: tuple[bool, list[Row]], sizes: list[int], random: Any
) -> None:
    _, found = drawn
    parts, start = [], 0
    for size in [*sizes, len(found)]:
        parts.append(by_python(found[start : start + size], start))
        start = min(start + size, len(found))
    random.shuffle(parts)
    merged = Summary(SEATS)
    for part in parts:
        merged.merge(part)
    whole = by_python(found)
    assert merged == whole
    assert merged.to_json() == whole.to_json()


@settings(max_examples=100, deadline=None)
@given(some_rows)
def test_figures_are_what_they_say(drawn: tuple[bool, list[Row]]) -> None:
    _, found = drawn
    data = by_python(found).to_json()

    def figures(values: list[Fraction]) -> dict[str, float | None]:
        """The definition, in fractions."""
        n = len(values)
        if not n:
            return {"mean": None, "se": None}
        mean = sum(values, Fraction()) / n
        squares = sum(((value - mean) ** 2 for value in values), Fraction())
        return {"mean": float(mean), "se": math.sqrt(squares / (n - 1) / n) if n > 1 else 0.0}

    played = [row for row in found if row.decisions]
    expected = figures([Fraction(row.decisions) for row in found])
    assert {key: data["decisions"][key] for key in ("mean", "se")} == expected
    assert data["branching"] == figures([Fraction(row.choices, row.decisions) for row in played])
    assert data["forced_share"] == figures([Fraction(row.forced, row.decisions) for row in played])
    scored = [row for row in found if row.scores is not None]
    for seat in range(SEATS):
        assert data["scores"][seat] == figures([Fraction(row.scores[seat]) for row in scored if row.scores])
        shares = [Fraction(int(seat in row.winners), len(row.winners)) for row in scored]
        assert data["first_place"][seat] == figures(shares)["mean"]


def test_the_first_failures_are_kept() -> None:
    failed = Row("failed", 2, 4, 0, None, (), FAILURE)
    parts = [by_python([failed], deal) for deal in (40, 7, 12, 3, 90)]
    whole = Summary(SEATS)
    for part in parts:
        whole.merge(part)
    assert [deal for deal, _ in whole.failures] == [3, 7, 12]
    assert len(whole.failures) == KEPT_FAILURES


def test_games_that_are_all_alike_have_no_error() -> None:
    row = Row("finished", 7, 15, 3, (1, 0, 0), (0,), None)
    summary = by_python([row] * 1001)
    assert summary.branching.error == summary.forced_share.error == 0.0
    assert summary.branching.mean == 15 / 7
