"""Alternatives by what they are: the kernels' words against the moves that an observation shows."""

from __future__ import annotations

import ctypes
import random
from collections import Counter
from functools import cache

import pytest
from tests.players.in_python import game_words, pointer, workspace

import upcard
from upcard.engine.api import Limits
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state import NativeState
from upcard.players.search import action_id as k
from upcard.players.search.search_code import SearchCode, machine_of
from upcard.players.search.visibility import visibility_of

LIMITS = Limits()
PICKED = (k.Picked.size + k.PickedCard.size * k.MAX_OPENED) // 8


@cache
def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def listed(machine: SearchCode, state: NativeState) -> list[tuple[int, int]]:
    """Identity and sort of all that machine code lists in a state."""
    m = machine
    ctypes.memmove(m.room.address, state._memory.address, m.layout.size)
    m.work.limits(LIMITS.decisions, LIMITS.steps)
    assert m.compiled.relist(m.room.address, m.work.address) == 0
    picked = (ctypes.c_int64 * PICKED)()
    ids = k.ActionIds.at(bytearray(k.ActionId.size * state.choices))
    pointers = [ctypes.c_void_p] * 4
    identify = m.code._loaded.function(
        "identify", ctypes.c_int64, *pointers, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
    )
    visibility, seat = visibility_of(m).table, state.to_move
    count = identify(
        m.base,
        visibility,
        m.room.address,
        m.work.address,
        seat,
        ctypes.addressof(picked),
        ids,
    )
    assert count == state.choices
    return [(ids.each[i].identity, ids.each[i].sort) for i in range(count)]


GAMES = ["euchre", "hearts", "kuhn-poker", "scopa", "golf-six", "crazy-eights", "president", "go-fish"]


@pytest.mark.parametrize("name", GAMES)
def test_every_alternative_is_called_as_its_move_is(name: str) -> None:
    game = native(name)
    machine = machine_of(game)
    rng = random.Random(5)
    for deal in range(3):
        state = game.native_deal(3, deal, limits=LIMITS)
        while state.to_move is not None and state.decisions < 60:
            moves = state.observe(state.to_move).moves
            pc = state._memory.words[machine.layout.words["pc"]]
            found = listed(machine, state)
            named = visibility_of(machine).identities(pc, moves)
            assert Counter(identity for identity, _ in found) == Counter(named)
            blank = [any(None in (p.get("card", 0), *p.get("cards", ())) for p in m.picks) for m in moves]
            assert [sort != k.SEEN_BY_CHOOSER for _, sort in found] == blank
            # whatever is seen stands at its own number
            for (identity, sort), name_, hidden in zip(found, named, blank, strict=True):
                assert hidden or (identity == name_ and sort == k.SEEN_BY_CHOOSER)
            seen = [identity for identity, sort in found if sort == k.SEEN_BY_CHOOSER]
            assert len(set(seen)) == len(seen)
            state.play(rng.randrange(state.choices))


def test_a_card_passed_face_down_is_known_to_those_who_see_it() -> None:
    """In Hearts a card goes from hand to hand: the giver knows it, the taker comes to, nobody else."""
    game = native("hearts")
    m = machine_of(game)
    state = game.native_deal(3, 0, limits=LIMITS)
    chooser = state.to_move
    assert chooser is not None
    words = game_words(m)
    visibility, work = visibility_of(m).table, workspace(m)
    seen: dict[int, set[int]] = {seat: set() for seat in range(4)}
    takers = set()
    for index in range(state.choices):
        listed(m, state)
        picked = k.Picked.at((ctypes.c_int64 * PICKED)())
        here = pointer(m.room)
        k.open_index(words, visibility, here, work, index, picked)
        (card,) = [m.numbers[p["card"]] for p in state.moves[index].picks]
        assert picked.count == 1
        assert picked.cards[0].card == card
        assert k.blanks(visibility, picked, chooser) == 0
        m.compiled.apply(m.room.address, m.work.address, index)
        for seat in range(4):
            seen[seat].add(k.seen_as(words, visibility, picked, here, seat, 1))
        place = m.layout.places[m.room.where(m.layout)[card]]
        takers |= set(place.seats_that_see(4))
    for seat in range(4):
        assert len(seen[seat]) == (state.choices if seat in takers | {chooser} else 1)


def test_the_kernels_in_python_say_the_same() -> None:
    for name in ("euchre", "scopa", "golf-six"):
        game = native(name)
        m = machine_of(game)
        state = game.native_deal(8, 2, limits=LIMITS)
        for _ in range(4):
            found = listed(m, state)
            ids = k.ActionIds.at(bytearray(k.ActionId.size * state.choices))
            picked = k.Picked.at((ctypes.c_int64 * PICKED)())
            count = k.identify(
                game_words(m),
                visibility_of(m).table,
                pointer(m.room),
                workspace(m),
                state.to_move or 0,
                picked,
                ids,
            )
            assert [(ids.each[i].identity, ids.each[i].sort) for i in range(count)] == found
            state.play(state.choices - 1)
