"""Traces of games: sums worked out by hand, and the same from both engines, whatever the slices."""

from __future__ import annotations

import ctypes
import json
import random
from collections.abc import Iterable
from fractions import Fraction

import pytest
from tests.simulate.test_random_games import FAILS, HUGE, LONG, ROOMY, backend, load

import upcard
from upcard.engine.api import Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.backends.select import Backend, choose_backend
from upcard.engine.native.kernels.language import Memory
from upcard.engine.native.kernels.trace import SEAT_BITS, TraceHeads, add_traces
from upcard.engine.shared.game import LoadedGame
from upcard.files.decode import Mismatch
from upcard.simulate import traces_detail
from upcard.simulate.random_games import RandomGames, reference_game
from upcard.simulate.slice_sums import SumBlock, recording_code
from upcard.simulate.trace_sums import TraceSums
from upcard.simulate.traces import Trace, slope_of, slope_scale, trace_game
from upcard.simulate.traces_detail import Traces
from upcard.stats.histogram import MAX_BINS, Histogram

__all__ = ["backend"]

WIDE = """(game
 (setup (create players 2)
        (create deck (game iloc D) (deck (N (A, B)))))
 (stage player
  (end (>= (game sto N) 4))
  (choice ((any (range 0 .. 99) 'I
   (do ((inc (game sto N) 1) (inc ((current player) sto SCORE) 'I)))))))
 (scoring max ((current player) sto SCORE)))
"""


def sides_of(game: LoadedGame) -> tuple[tuple[int, ...], ...]:
    return game.deal(0, 0).teams


def traced(game: LoadedGame, seed: int, limits: Limits | None = None) -> RandomGames[Trace, TraceSums]:
    return RandomGames(game, Traces(sides_of(game)), seed, limits)


def whole(parts: Iterable[TraceSums], game: LoadedGame) -> TraceSums:
    made = TraceSums(sides_of(game), game.program.scoring.highest)
    for part in parts:
        made = made + part
    return made


def one_by_one(game: LoadedGame, seed: int, start: int, end: int, limits: Limits) -> TraceSums:
    book = reference_game(game)
    made = TraceSums(sides_of(game), game.program.scoring.highest)
    for deal in range(start, end):
        made.add(trace_game(book.deal(seed, deal, limits=limits, recording=False)), deal)
    return made


# --- histograms ----------------------------------------------------------------------------------


def test_few_numbers_are_counted_one_by_one() -> None:
    found = Histogram.of({5: 2, -3: 1, 9: 1})
    assert found.counts == {-3: 1, 5: 2, 9: 1}
    assert found.at(0, 1, 2, 3) == [-3, 5, 5, 9]
    assert found.at(2, 2) == [5, 5]
    assert (found.mean, found.count, found.tally.least, found.tally.most) == (4, 4, -3, 9)


def test_many_numbers_are_in_wider_bins_whatever_the_order_and_the_parts() -> None:
    chance = random.Random(7)
    values = [chance.randrange(-5000, 20_000) for _ in range(9000)]
    found = Histogram()
    for value in values:
        found.add(value)
    assert 1 < len(found.bins) <= MAX_BINS
    # half as wide would be too many
    assert len({value >> found.shift - 1 for value in values}) > MAX_BINS
    backwards = Histogram.together(
        [Histogram.of({value: 1}) for value in reversed(values[:10])] + [Histogram(), Histogram()]
    )
    for start in (10, 4000):
        part = Histogram()
        for value in values[start : 4000 if start == 10 else None]:
            part.add(value)
        backwards.merge(part)
    assert backwards == found
    assert found.mean == sum(values) / len(values)
    middle = sorted(values)[3200]
    assert abs(found.at(3200)[0] - middle) <= 1 << found.shift
    assert Histogram.from_json(json.loads(json.dumps(found.to_json()))) == found


@pytest.mark.parametrize(
    "words",
    [
        [],
        [1, 2, 3],
        [2, 3, 5, 1, 2, 0, 1, 1],
        [1, 1, 1, 1, 1, 0, None, 1],
        [0, 0, 0, 1, 1, 0],
        [1, 1, 0, 1, 1, 0, 1, 1],
        [1, 1, 1, 1, 1, 64, 0, 1],
        [1, 1, 1, 1, 1, 0, 2, 1],
    ],
)
def test_what_is_no_histogram(words: list[int | None]) -> None:
    with pytest.raises(Mismatch, match=r"must be|do not agree"):
        Histogram.from_json(words)


# --- sums ----------------------------------------------------------------------------------------


def test_sums_by_hand() -> None:
    made = TraceSums(((0, 2), (1,)), True)
    made.add(Trace("finished", (0, 1, 2), (3, 2, 1), (4, 4, 0)), 0)  # a tie of both sides
    made.add(Trace("cut_off", (0, 1), (1, 1), (0, 1, 2)), 1)
    made.add(Trace("finished", (), (), (0, 5, 2)), 2)
    made.add(Trace("failed", (0,), (9,), None), 3)
    assert made.ends == {"finished": 2, "stuck": 0, "cut_off": 1, "failed": 1}
    assert (made.games, made.scored, made.first_failed) == (4, 3, 3)
    assert made.decisions.mean == pytest.approx(5 / 3)
    assert made.branching.mean == (2 + 1) / 2  # a game without decisions has no mean
    assert made.forced_share.mean == pytest.approx((1 / 3 + 1) / 2)
    assert made.slope.mean == pytest.approx((-1 + 0 + 0) / 3)
    assert made.ties.mean == pytest.approx(1 / 3)
    assert made.first_share(0).mean == pytest.approx((0.5 + 1 + 0) / 3)
    assert made.won(1).mean == pytest.approx(2 / 3)
    assert [one.counts for one in made.scores] == [{0: 2, 4: 1}, {1: 1, 4: 1, 5: 1}, {0: 1, 2: 2}]
    assert [one.counts for one in made.choices] == [{1: 1, 3: 1}, {1: 1, 2: 1}, {1: 1}]


def test_slopes_are_those_of_least_squares() -> None:
    for choices in ((4, 1, 3, 3), (1, 2), (7, 7, 7), (5, 1, 1, 1, 9)):
        n = len(choices)
        middle, level = Fraction(n + 1, 2), Fraction(sum(choices), n)
        top = sum((x - middle) * (y - level) for x, y in enumerate(choices, 1))
        bottom = sum((x - middle) ** 2 for x in range(1, n + 1))
        assert Fraction(slope_of(choices), slope_scale(n)) == top / bottom


def test_adding_leaves_both_as_they_were() -> None:
    one, other = TraceSums(((0,), (1,)), True), TraceSums(((0,), (1,)), True)
    one.add(Trace("finished", (0,), (2,), (1, 0)), 0)
    other.add(Trace("finished", (0, 1), (2, 5), (1, 1)), 1)
    before = json.dumps(one.to_json()), json.dumps(other.to_json())
    both = one + other
    assert both.games == 2
    assert (json.dumps(one.to_json()), json.dumps(other.to_json())) == before


def test_sums_as_json_and_what_is_none() -> None:
    game = upcard.load("euchre")
    made = whole(traced(game, 1).sums(0, 50), game)
    text = json.dumps(made.to_json())
    assert TraceSums.from_json(json.loads(text), made.sides, made.highest) == made
    for name, wrong in (
        ("ends", [1, 0, 0, 0]),
        ("ends", [50, 0, 0]),
        ("lengths", [[17, 50, 1, 1]]),
        ("firsts", [[1, 0]]),
        ("scores", made.to_json()["scores"][:3]),
        ("choices", made.to_json()["choices"][1:]),
    ):
        with pytest.raises(Mismatch):
            TraceSums.from_json({**json.loads(text), name: wrong}, made.sides, made.highest)


# --- both engines --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["euchre", "hearts", "goofspiel", "crazy-eights"])
def test_machine_code_comes_to_the_same_as_the_book(name: str) -> None:
    game = upcard.load(name)
    native = traced(game, 11)
    assert native.engine == "native"
    expected = one_by_one(game, 11, 20, 32, Limits())
    assert whole(native.sums(20, 32, 2), game) == expected
    book = traced(reference_game(game), 11)
    assert book.engine == "reference"
    assert whole(book.sums(20, 32, 1), game) == expected
    assert list(native.rows(20, 32)) == list(book.rows(20, 32))
    assert list(native.games(28, 32)) == list(book.games(28, 32))


@pytest.mark.parametrize(("text", "games"), [(FAILS, 300), (HUGE, 300), (LONG, 12), (WIDE, 60)])
def test_failures_huge_scores_long_games_and_many_choices(text: str, games: int, backend: Backend) -> None:
    game = load(text)
    run = traced(game, 5, ROOMY)
    assert run.engine == "native"
    assert whole(run.sums(0, games, 2), game) == one_by_one(game, 5, 0, games, ROOMY)


def test_the_programs_above_are_what_they_should_be() -> None:
    wide = one_by_one(load(WIDE), 5, 0, 5, ROOMY)
    assert wide.choices[0].counts == {100: 5}
    failing = one_by_one(load(FAILS), 5, 0, 50, ROOMY)
    assert 0 < failing.ends["failed"] < 50
    assert failing.first_failed is not None


def test_neither_slices_nor_room_nor_threads_make_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    game = upcard.load("euchre")
    run = traced(game, 3)
    expected = whole(run.sums(0, 2000, 1), game)
    assert whole(run.sums(0, 2000, 3), game) == expected
    monkeypatch.setattr(traces_detail, "ROOM", 600)  # a few games at a go
    monkeypatch.setattr(traces_detail, "COLUMNS", 2)  # most games are set aside at first
    assert run.batch is not None
    parts = [run.batch.recorder.sums(start, 250) for start in range(0, 2000, 250)]
    assert whole(reversed(parts), game) == expected


def test_workers_make_no_difference_by_the_book() -> None:
    game = upcard.load("kuhn-poker", engine="reference")
    run = traced(game, 3)
    assert whole(run.sums(5, 120, 2), game) == whole(run.sums(5, 120, 1), game)


def test_the_kernel_that_adds_is_the_same_under_cpython() -> None:
    """On rows made up, among them what has to be set aside."""
    seats, lengths, columns = 3, 6, 5
    games = [
        (1, [2, 3, 1], [5, 5, 0], 0),
        (3, [], [1, 2, 3], 0),
        (4, [4], [0, 0, 0], 1),  # failed
        (1, [1, 1, 1, 1, 1], [0, 7, 7], 0),
        (2, [4, 9], [1, 1, 1], 0),  # more choices than there are columns
        (1, [1] * 6, [1, 1, 2], 0),  # more decisions than there are lengths
        (1, [1], [1, 2**31, 2], 0),  # a score of more than 31 bits
    ]
    rows, heads, decisions = list[int](), list[int](), list[int]()
    for ending, choices, scores, fault in games:
        rows += [ending, len(choices), sum(choices), choices.count(1), fault, *scores]
        heads += [slope_of(choices), len(decisions)]
        decisions += [n % seats + (offered << SEAT_BITS) for n, offered in enumerate(choices)]
    code, kept = recording_code(choose_backend()), [_words(rows), _words(decisions), _words(heads)]
    found = []
    for add in (
        lambda b, count: code.add_traces(b.sums.address, b.traced.address, count),
        lambda b, count: add_traces(b.sums, b.traced, count),
    ):
        block, aside = SumBlock(seats, ((0, 2), (1,)), True, lengths, columns), _words([0] * len(games))
        ctypes.memset(block.sums.block.address, 0x55, 8 * block.sums.block_words)
        block.sums.rows, block.traced.decisions = map(Memory, kept[:2])
        block.traced.heads = TraceHeads.at(kept[2])
        block.sums.aside = Memory(aside)
        assert add(block, len(games)) == 4
        assert list(aside)[:4] == [2, 4, 5, 6]
        sums = TraceSums(block.sides, True)
        block.add_to(sums)
        words = ctypes.string_at(block.sums.block.address, 8 * block.sums.block_words)
        found.append((sums, list(block.choices()), words, list(block.sums.totals.ends), block.longest))
    assert found[0] == found[1]
    sums, counted, _, ends, longest = found[0]
    assert (ends[1:], longest) == ([2, 0, 1, 0], 5)
    # side 0 was first with the other, first alone, and first with the other
    assert sums.firsts == [[1, 2], [0, 2]]
    assert counted == [{1: 1, 2: 1}, {1: 1, 3: 1}, {1: 2}, {1: 1}, {1: 1}]
    assert sums.lengths[3] == [1, 6, 36, 1, 1, -12, 144]


def _words(values: list[int]) -> ctypes.Array[ctypes.c_int64]:
    return machine_memory.words_of(values)


def test_traces_are_of_the_games_that_are_simulated() -> None:
    """Whatever bits a seed has."""
    game = upcard.load("euchre")
    seed = 2**63 + 5
    simulated = game.simulate(200, seed)
    found = whole(traced(game, seed).sums(0, 200), game)
    assert found.ends == simulated.ends
    assert found.branching == simulated.branching
    assert [one.tally for one in found.scores] == simulated.tallies
