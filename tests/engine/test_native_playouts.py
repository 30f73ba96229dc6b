"""The kernels around a game's own code: the same rows and sums under CPython as in machine code."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import upcard
from upcard.engine.api import Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels import playout as kernels
from upcard.engine.native.kernels.language import Memory as Flat
from upcard.engine.native.kernels.language import Ptr, i64, offset, set_i64
from upcard.engine.native.kernels.playout import FinalWords, GameFacts, row_bytes
from upcard.engine.native.kernels.random_numbers import below
from upcard.engine.native.lower.runtime import AT, SEATS_AT
from upcard.engine.native.state_memory import Memory
from upcard.engine.native.stepping_code import Compiled
from upcard.engine.native.workspace import Workspace


@dataclass
class Given:
    """What a game gives, for CPython: its machine code, one decision at a time."""

    compiled: Compiled
    work: Workspace
    depth: int = 0

    def begin(self, state: Ptr, work: Ptr, seed: int, number: int) -> int:
        self.depth = self.compiled.deal(state.address, self.work.address, seed, number)
        return 0

    def playout(self, state: Ptr, work: Ptr) -> int:
        words = self.compiled.layout.words
        while i64(state, words["ending"]) == 0:
            have = i64(state, words["choices"])
            set_i64(work, AT["choices"], i64(work, AT["choices"]) + have)
            set_i64(work, AT["forced"], i64(work, AT["forced"]) + (have == 1))
            seat = i64(state, words["seat_index"] + self.depth)
            pick = below(offset(work, 8 * (SEATS_AT + 4 * seat)), have)
            self.compiled.apply(state.address, self.work.address, pick)
            if i64(state, words["ending"]) == 0:
                self.depth = self.compiled.advance(state.address, self.work.address)
        return 0


def facts(compiled: Compiled) -> GameFacts:
    return GameFacts.at(bytearray(compiled.lowered.module.data["facts"]))


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Given:
    game = upcard.load(request.param)
    assert isinstance(game, NativeGame)
    compiled = game.playing
    work = compiled.workspace
    work.limits(Limits().decisions, Limits().steps)
    work.stack([])
    made = Given(compiled, work)
    monkeypatch.setattr(kernels, "begin", made.begin)
    monkeypatch.setattr(kernels, "playout", made.playout)
    return made


@pytest.mark.parametrize("given", ["euchre", "whist", "hearts"], indirect=True)
def test_rows(given: Given) -> None:
    compiled, count = given.compiled, 5
    width = row_bytes(compiled.layout.seats) // 8
    machine = machine_memory.words(width * count)
    room = Memory(compiled.size)
    compiled.playouts.random_games(room.address, given.work.address, 9, 2, count, machine)
    rows = bytearray(8 * width * count)
    work = Flat(given.work._map)
    kernels.play_games(Flat(bytearray(compiled.size)), work, facts(compiled), 9, 2, count, Flat(rows))
    assert bytes(rows) == bytes(machine)


@pytest.mark.parametrize("given", ["euchre", "hearts"], indirect=True)
def test_words_of_final_states(given: Given) -> None:
    compiled, count = given.compiled, 4
    width = row_bytes(compiled.layout.seats) // 8
    at = [*compiled.layout.ints.values(), *compiled.layout.strs.values()]
    wanted = machine_memory.words_of([*at])
    machine, kept = machine_memory.words(width * count), machine_memory.words(len(at) * count)
    room = Memory(compiled.size)
    final = FinalWords.pack(count=len(at), wanted=Flat(wanted), kept=Flat(kept))
    play = compiled.playouts.games_to_words
    play(room.address, given.work.address, 9, 2, count, machine, final.address)
    rows, again = bytearray(8 * width * count), bytearray(8 * len(at) * count)
    work, state = Flat(given.work._map), Flat(bytearray(compiled.size))
    final.kept = Flat(again)
    kernels.play_to_words(state, work, facts(compiled), 9, 2, count, Flat(rows), final)
    assert bytes(rows) == bytes(machine)
    assert bytes(again) == bytes(kept)
    assert any(again)


@pytest.mark.parametrize("given", ["euchre"], indirect=True)
def test_sums_of_games_on_from_a_state(given: Given) -> None:
    compiled, seats = given.compiled, given.compiled.layout.seats
    start = Memory(compiled.size)
    depth = compiled.deal(start.address, given.work.address, 4, 1)
    sums = machine_memory.words(seats)
    room = Memory(compiled.size)
    assert compiled.rollouts(room.address, given.work.address, start.address, 77, 6, sums) == 0
    given.depth = depth
    found = bytearray(8 * seats)
    state, work = Flat(bytearray(compiled.size)), Flat(given.work._map)
    begun = Flat(bytearray(bytes(start.words)))
    words = compiled.layout.words
    right = given.playout

    def playout(state: Ptr, work: Ptr) -> int:
        given.depth = depth
        compiled.relist(state.address, given.work.address)  # the alternatives of where it starts
        assert i64(state, words["ending"]) == 0
        return right(state, work)

    kernels.playout = playout
    assert kernels.play_on(state, work, facts(compiled), begun, 77, 6, Flat(found)) == 0
    assert bytes(found) == bytes(sums)
