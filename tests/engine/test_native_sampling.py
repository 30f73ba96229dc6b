"""Imagined games: the kernel against the reference engine, and against itself under CPython."""

from __future__ import annotations

import ctypes

import pytest

import upcard
from upcard.engine.api import Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels import language as subset
from upcard.engine.native.kernels import resample as sampling_kernels
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.resample_plan import make_plan
from upcard.engine.native.state import NativeState
from upcard.engine.native.state_memory import Memory
from upcard.engine.rng import Stream


def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def halfway(game: NativeGame, decisions: int) -> NativeState:
    state = game.native_deal(4, 1, limits=Limits())
    for _ in range(decisions):
        state.play(state.choices - 1)
    return state


@pytest.mark.parametrize("name", ["euchre", "whist"])
@pytest.mark.parametrize("memory", [True, False])
def test_the_same_worlds_as_the_reference_engine(name: str, memory: bool) -> None:
    game = native(name)
    ours, theirs = halfway(game, 0), game.reference_game.deal(4, 1)
    compared = 0
    while ours.to_move is not None:
        if ours.decisions % 5 == 0:
            compared += 1
            for seat in range(game.seats):
                world, other = ours.sample(seat, 3, memory=memory), theirs.sample(seat, 3, memory=memory)
                assert world.table.content()[:-1] == other.table.content()[:-1]
                assert world.chance == other.machine.chance.state
                assert world.moves == other.moves
        index = ours.choices - 1
        ours.play(index)
        theirs.play(index)
    assert compared > 0


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_a_seat_keeps_what_it_sees(name: str) -> None:
    state = halfway(native(name), 9)
    for seat in range(4):
        worlds = [state.sample(seat, k) for k in range(6)]
        for world in worlds:
            seen = {p: c for p, c in state.table.places.items() if p.seen_by(seat) and c}
            assert seen == {p: c for p, c in world.table.places.items() if p.seen_by(seat) and c}
        hidden = [p for p in state.table.places if not p.seen_by(seat) and state.table.at(p)]
        laid = {tuple(tuple(world.table.at(p)) for p in hidden) for world in worlds}
        assert len(laid) > 1, "worlds differ in what is hidden"


@pytest.mark.parametrize("name", ["euchre", "whist"])
def test_the_kernel_under_cpython(name: str) -> None:
    game = native(name)
    state = halfway(game, 13)
    seat = state.to_move
    assert seat is not None
    memory = state._memory
    plan = make_plan(game.words, memory, state.table, state.knowledge, seat)
    stream = Stream((5, 6, 7))
    by_machine = Memory(game.stepping.size)
    chance = machine_memory.words_of([signed(word) for word in stream.state])
    from upcard.engine.native.resample_plan import sampling

    failed = sampling().resample(
        by_machine.address, plan.base.address, plan.address, ctypes.addressof(chance)
    )
    in_python = bytearray(game.stepping.size)
    drawn = bytearray(bytes((ctypes.c_int64 * 4)(*map(signed, stream.state))))
    assert failed == sampling_kernels.resample(
        subset.Memory(in_python),
        subset.Memory(bytearray(bytes(plan.base.words))),
        plan.words,
        subset.Memory(drawn),
    )
    assert bytes(by_machine.words) == bytes(in_python)
    assert bytes(chance) == bytes(drawn)
