"""Kernels that play batches of random games, from the deal or from a state.

They call a game's own functions by name: `begin` deals, `playout` goes on from a state to its end. In machine
code these are in the game's module; under CPython a test puts them here.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, add, i64, offset, set_i64
from upcard.engine.native.kernels.random_numbers import name_word, seed_stream
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.kernels.structs import Array, Struct

FAILED = 4
"""The ending of a game that failed; it has no scores."""


class GameFacts(Struct):
    """The size of a game's state, and where its words lie."""

    seats: Int
    state_words: Int
    ending: Int
    decisions: Int
    scores: Int
    fault: Int
    name: Int
    chance: Int
    offered: Int
    """How many moves the decision has."""
    mover: Int
    """The seat to move, by the number of stages around the decision."""
    choices: Int
    """From here on words of the workspace: choices and forced decisions of a playout, the seats' streams."""
    forced: Int
    streams: Int


class GameRow(Struct):
    """A finished game."""

    ending: Int
    decisions: Int
    choices: Int
    forced: Int
    fault: Int
    scores: Array[Int]
    """Per seat; meaningless if the game failed."""


class FinalWords(Struct):
    """Which words of final states to keep, and where."""

    count: Int
    wanted: Ptr
    """Their indices in a state."""
    kept: Ptr


def begin(state: Ptr, work: Ptr, seed: Int, number: Int) -> Int:
    """A fresh deal, set up, with its stream."""
    raise NotImplementedError("a game gives this")


def playout(state: Ptr, work: Ptr) -> Int:
    """On to the end, by the seats' own streams; the workspace counts choices and forced decisions."""
    raise NotImplementedError("a game gives this")


def row_bytes(seats: Int) -> Int:
    return GameRow.size + 8 * seats


def deal_name(seed: Int, number: Int) -> Int:
    """The name of a deal's random players, from which their streams are seeded."""
    return name_word(name_word(name_word(0, seed), number), 1)


def seat_streams(work: Ptr, facts: GameFacts, name: Int) -> None:
    """A stream for each seat, seeded by the name and the seat."""
    for seat in range(facts.seats):
        seed_stream(offset(work, 8 * (facts.streams + 4 * seat)), name_word(name, seat))


def write_row(row: GameRow, state: Ptr, facts: GameFacts, decisions: Int, choices: Int, forced: Int) -> None:
    row.ending = i64(state, facts.ending)
    row.decisions = decisions
    row.choices = choices
    row.forced = forced
    row.fault = i64(state, facts.fault)
    for seat in range(facts.seats):
        row.scores[seat] = i64(state, facts.scores + seat)


def play_games(state: Ptr, work: Ptr, facts: GameFacts, seed: Int, first: Int, count: Int, rows: Ptr) -> None:
    """A row for each deal played by random players."""
    for n in range(count):
        number = add(first, n)
        set_i64(work, facts.choices, 0)
        set_i64(work, facts.forced, 0)
        begin(state, work, seed, number)
        seat_streams(work, facts, deal_name(seed, number))
        if i64(state, facts.ending) == 0:
            playout(state, work)
        row = GameRow(offset(rows, n * row_bytes(facts.seats)))
        decisions = i64(state, facts.decisions)
        write_row(row, state, facts, decisions, i64(work, facts.choices), i64(work, facts.forced))


def play_to_words(
    state: Ptr, work: Ptr, facts: GameFacts, seed: Int, first: Int, count: Int, rows: Ptr, final: FinalWords
) -> None:
    """The same, and some words of each deal's final state."""
    for n in range(count):
        play_games(state, work, facts, seed, add(first, n), 1, offset(rows, n * row_bytes(facts.seats)))
        for k in range(final.count):
            set_i64(final.kept, n * final.count + k, i64(state, i64(final.wanted, k)))


def play_on(state: Ptr, work: Ptr, facts: GameFacts, start: Ptr, name: Int, count: Int, sums: Ptr) -> Int:
    """Random games from one state to the end, scores summed by seat; returns how many failed: those have no
    scores.

    `state` is memory to play in; `start` is not changed. The seats' streams go on from game to game, and each
    game has its own stream for chance.
    """
    failed = 0
    seat_streams(work, facts, name)
    for n in range(count):
        clone(state, start, facts.state_words)
        own = name_word(name, n + facts.seats)
        set_i64(state, facts.name, own)
        seed_stream(offset(state, 8 * facts.chance), own)
        playout(state, work)
        if i64(state, facts.ending) == FAILED:
            failed = failed + 1
        else:
            for seat in range(facts.seats):
                set_i64(sums, seat, add(i64(sums, seat), i64(state, facts.scores + seat)))
    return failed


KERNELS = (clone, row_bytes, deal_name, seat_streams, write_row, play_games, play_to_words, play_on)
GIVEN = (begin, playout)
