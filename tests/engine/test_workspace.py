"""Workspaces begin small, grow when a decision needs more, and give everything back.

Where chunks are made tiny, nearly every list begins another one: games stay the same, and the sanitizers see
nothing.
"""

from __future__ import annotations

import ctypes
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine import sanitized
from tests.engine.fuzz.compare import NotLowered, TooLong, compare, load
from tests.engine.fuzz.shape import Written, program
from tests.engine.sanitized_programs import hold, small_programs

import upcard
from upcard.engine.api import Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.game import NativeGame
from upcard.engine.native.lower import lower
from upcard.engine.native.lower import workspace_plan as work_room
from upcard.engine.native.lower.runtime import AT
from upcard.engine.native.workspace import Workspace
from upcard.library import names

SUBSETS = """(game (setup (create players 2)
  (create deck (game vloc D) (deck (N (A, B, C, D, E, F, G, H, I, J, K, L, M)))))
 (stage player (end (== (game sto TURNS) 2))
  (choice ((any (subsets (game vloc D)) 'S (do ((inc (game sto TURNS)) (inc (game sto X) (size 'S)))))))
 )
 (scoring max (game sto X)))"""
"""A decision has an alternative for every set of cards but the empty one, with a list each."""
ALTERNATIVES = (1 << 13) - 1


def native(text: str) -> NativeGame:
    game = load(Written(text))
    return NativeGame(game.name, game.program, game.facts)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_room, "FIRST_BYTES", 64)
    monkeypatch.setenv("UPCARD_CACHE", "off")  # it knows nothing of tiny chunks


@pytest.mark.parametrize("name", names())
def test_every_game_begins_small(name: str) -> None:
    game = upcard.load(name)
    for logging in (False, True):
        assert lower(game.program, game.facts, logging).work.size < 1 << 20


def test_a_large_decision_grows_and_gives_back() -> None:
    game = native(SUBSETS)
    state = game.native_deal(1, 0, limits=Limits())
    work = game.stepping.workspace
    assert state.choices == len(state.moves) == ALTERNATIVES
    assert work.taken > 1 << 19
    again = game.reference_game.deal(1, 0)
    for index in (8190, 4097):
        assert state.moves[index] == again.moves[index]
        state.play(index)
        again.play(index)
    assert state.outcome == again.outcome
    after = work.taken
    for number in range(3):  # what was taken once is used again
        assert game.native_deal(1, number, limits=Limits()).choices == ALTERNATIVES
    assert work.taken == after


def test_what_was_taken_is_given_back() -> None:
    """Every address that came from the system goes back to it, once."""
    open_now: set[int] = set()
    libc = ctypes.pythonapi
    kind, gone = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t), ctypes.c_void_p
    real = kind(ctypes.cast(libc.PyMem_RawCalloc, ctypes.c_void_p).value or 0)
    drop = ctypes.CFUNCTYPE(None, gone)(ctypes.cast(libc.PyMem_RawFree, gone).value or 0)

    def take(count: int, size: int) -> int:
        made = int(real(count, size))
        open_now.add(made)
        return made

    def give_back(address: int) -> None:
        open_now.remove(address)
        drop(address)

    taking, giving = kind(take), ctypes.CFUNCTYPE(None, gone)(give_back)
    game = native(SUBSETS)
    work = Workspace(game.playing.lowered.work)
    work.head.take = ctypes.cast(taking, gone).value or 0
    work.head.give_back = ctypes.cast(giving, gone).value or 0
    work.allocator = replace(work.allocator, free=give_back)
    work.limits(10, 1000)
    state = machine_memory.words(game.playing.size // 8)
    game.playing.deal(state, work.address, 1, 0)
    assert len(open_now) > 4
    del work
    assert not open_now


def test_a_system_without_memory_is_a_failure_in_words() -> None:
    """As before, and the next decision that needs less is played."""
    game = native(SUBSETS)
    nothing = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)(lambda count, size: 0)
    compiled = game.playing
    words, state = compiled.layout.words, machine_memory.words(compiled.size // 8)
    work = Workspace(compiled.lowered.work)
    work.limits(10, 1000)
    taking = work.head.take
    work.head.take = ctypes.cast(nothing, ctypes.c_void_p).value or 0
    compiled.deal(state, work.address, 1, 0)
    fault = compiled.lowered.fault_of(memoryview(state).cast("B"))
    assert fault is not None
    assert fault[1] == "this needs more memory than the native engine has"
    assert work.word(AT["listing"]) == 0
    work.head.take = taking
    compiled.deal(state, work.address, 1, 0)
    assert compiled.lowered.fault_of(memoryview(state).cast("B")) is None
    assert memoryview(state).cast("B").cast("q")[words["choices"]] == ALTERNATIVES


@pytest.mark.usefixtures("tiny")
def test_tiny_chunks_change_nothing() -> None:
    same = 0
    for number in range(16):
        try:
            found = compare(program(11, number))
        except (TooLong, NotLowered):
            continue
        assert found.difference is None, f"seed 11, program {number}: {found.difference}"
        same += 1
    assert same > 8


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("logging", [False, True], ids=["plain", "logging"])
def test_tiny_chunks_under_the_sanitizers(logging: bool, tmp_path: Path) -> None:
    reason = sanitized.why_not()
    if reason is not None:
        pytest.skip(reason)
    hold([*small_programs(3, 9), upcard.load("cribbage")], tmp_path, logging, deals=1)
