"""Kernels that play batches of random games, from the deal or from a state.

What a game gives is called by name: `begin` deals, `playout` goes on from a state to its end. In machine code
they are the game's own functions; under CPython a test puts them here. `facts` are words about the game:
where in a state and in a workspace the kernels find what they read.
"""

from __future__ import annotations

from upcard.engine.native.kernels.accumulate import ROW_WORDS
from upcard.engine.native.kernels.language import Int, Ptr, add, i64, offset, set_i64
from upcard.engine.native.kernels.random_numbers import name_word, seed_stream
from upcard.engine.native.kernels.resample import clone

SEATS = 0
STATE_WORDS = 1
ENDING = 2
DECISIONS = 3
SCORES = 4
FAULT = 5
NAME = 6
CHANCE = 7
CHOICES = 8
FORCED = 9
STREAMS = 10
"""The words of `facts`: up to CHANCE they are of the state, then of the workspace."""
FAILED = 4


def begin(state: Ptr, work: Ptr, seed: Int, number: Int) -> Int:
    """A fresh deal, set up, with its stream."""
    raise NotImplementedError("a game gives this")


def playout(state: Ptr, work: Ptr) -> Int:
    """On to the end, by the seats' own streams; the workspace counts choices and forced decisions."""
    raise NotImplementedError("a game gives this")


def seat_streams(work: Ptr, facts: Ptr, name: Int) -> None:
    """A stream for each seat, named by a word more."""
    for seat in range(i64(facts, SEATS)):
        seed_stream(offset(work, 8 * (i64(facts, STREAMS) + 4 * seat)), name_word(name, seat))


def play_games(state: Ptr, work: Ptr, facts: Ptr, seed: Int, first: Int, count: Int, out: Ptr) -> None:
    """A row for each deal played by random players."""
    seats = i64(facts, SEATS)
    width = ROW_WORDS + seats + 1
    for n in range(count):
        number = add(first, n)
        row = offset(out, 8 * n * width)
        set_i64(work, i64(facts, CHOICES), 0)
        set_i64(work, i64(facts, FORCED), 0)
        begin(state, work, seed, number)
        seat_streams(work, facts, name_word(name_word(name_word(0, seed), number), 1))
        if i64(state, i64(facts, ENDING)) == 0:
            playout(state, work)
        set_i64(row, 0, i64(state, i64(facts, ENDING)))
        set_i64(row, 1, i64(state, i64(facts, DECISIONS)))
        set_i64(row, 2, i64(work, i64(facts, CHOICES)))
        set_i64(row, 3, i64(work, i64(facts, FORCED)))
        for seat in range(seats):
            set_i64(row, ROW_WORDS + seat, i64(state, i64(facts, SCORES) + seat))
        set_i64(row, ROW_WORDS + seats, i64(state, i64(facts, FAULT)))


def play_noted(
    state: Ptr,
    work: Ptr,
    facts: Ptr,
    seed: Int,
    first: Int,
    count: Int,
    out: Ptr,
    noted: Ptr,
    words: Int,
    notes: Ptr,
) -> None:
    """The same, and of each deal's last state so many words, which `noted` names by where they lie."""
    width = ROW_WORDS + i64(facts, SEATS) + 1
    for n in range(count):
        play_games(state, work, facts, seed, add(first, n), 1, offset(out, 8 * n * width))
        for k in range(words):
            set_i64(notes, n * words + k, i64(state, i64(noted, k)))


def play_on(state: Ptr, work: Ptr, facts: Ptr, start: Ptr, name: Int, count: Int, sums: Ptr) -> Int:
    """Random games on from one state, scores added up by seat; gives how many failed: those have no scores.

    `state` is room to play in; `start` stays as it is. The seats go on drawing from their streams from game
    to game, and each game gets a stream of its own, so that what chance brings differs too.
    """
    seats = i64(facts, SEATS)
    failed = 0
    seat_streams(work, facts, name)
    for n in range(count):
        clone(state, start, i64(facts, STATE_WORDS))
        own = name_word(name, n + seats)
        set_i64(state, i64(facts, NAME), own)
        seed_stream(offset(state, 8 * i64(facts, CHANCE)), own)
        playout(state, work)
        if i64(state, i64(facts, ENDING)) == FAILED:
            failed = failed + 1
        else:
            for seat in range(seats):
                set_i64(sums, seat, add(i64(sums, seat), i64(state, i64(facts, SCORES) + seat)))
    return failed


KERNELS = (clone, seat_streams, play_games, play_noted, play_on)
GIVEN = (begin, playout)
