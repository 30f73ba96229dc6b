"""Observations that machine code writes: what they keep, that they do not change, and how they are made."""

from __future__ import annotations

import copy
import ctypes
import pickle
import random
import struct
from typing import Any

import pytest

import upcard
from upcard.engine.api import IllegalMove, Limits, Move, Observation
from upcard.engine.native import machine_memory
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import pointer
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead
from upcard.engine.native.seat_view import seat_knowledge, step
from upcard.engine.native.seat_view.view_code import ViewBuffer, view_buffer
from upcard.engine.native.seat_view.view_facts import ViewFacts
from upcard.engine.native.state import NativeState
from upcard.engine.shared import views
from upcard.engine.shared.state import BaseState
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

FIELDS = tuple(Observation.__dataclass_fields__)
GAMES = upcard.games()


def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def walk(state: BaseState, decisions: int, seed: int = 0) -> None:
    """Plays random alternatives."""
    draw = random.Random(seed)
    for _ in range(decisions):
        if state.to_move is None:
            return
        state.play(draw.randrange(state.choices))


def made_at_once(state: BaseState, seat: int) -> Observation:
    """The observation as it is made from the table that follows the game."""
    return views.observe(state, seat, None)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_read_later_is_what_was_seen_then(name: str) -> None:
    """Observations that are read when the game is over are those of their time."""
    game = native(name)
    state = game.deal(seed=11, limits=Limits(decisions=60))
    draw = random.Random(11)
    kept: list[tuple[Observation, dict[str, Any]]] = []
    while state.to_move is not None:
        for seat in {state.to_move, state.decisions % game.seats}:
            kept.append((state.observe(seat), made_at_once(state, seat).to_json()))
        state.play(draw.randrange(state.choices))
    for seat in range(game.seats):
        kept.append((state.observe(seat), made_at_once(state, seat).to_json()))
    for seen, expected in kept:
        assert seen.to_json() == expected


def test_a_field_is_made_when_it_is_read_and_then_kept() -> None:
    seen = native("euchre").deal(seed=7).observe(0)
    assert not {"places", "moves", "records"} & seen.__dict__.keys()
    assert seen.places is seen.places
    assert "moves" not in seen.__dict__
    assert seen.moves is seen.moves
    with pytest.raises(AttributeError, match="an observation has no attribute 'hands'"):
        _ = seen.hands  # type: ignore[attr-defined]


def test_observations_are_plain_data_however_they_were_made() -> None:
    state = native("euchre").deal(seed=7)
    walk(state, 9)
    for seat in range(4):
        expected = made_at_once(state, seat)
        assert state.observe(seat) == expected
        assert pickle.loads(pickle.dumps(state.observe(seat))) == expected
        assert copy.deepcopy(state.observe(seat)) == expected
        assert Observation.from_json(state.observe(seat).to_json()) == expected
        assert state.observe(seat).key == expected.key
        assert repr(state.observe(seat)) == repr(expected)
        assert set(pickle.loads(pickle.dumps(state.observe(seat))).__dict__) == set(FIELDS)


def test_an_observation_leads_to_no_state_and_no_game() -> None:
    """What it can be made of lies in its own words and in the program: nothing leads to a state."""
    state = native("euchre").deal(seed=7)
    walk(state, 9)
    seen = state.observe(1)
    found: dict[int, object] = {}
    ahead: list[object] = [seen.__dict__["_read"].__self__]
    while ahead:
        one = ahead.pop()
        if id(one) in found or isinstance(one, str | bytes | int | type(None) | type):
            continue
        found[id(one)] = one
        assert not isinstance(one, NativeState | NativeGame), "a state can be reached"
        names = [*getattr(type(one), "__slots__", ()), *getattr(one, "__dict__", {})]
        ahead += [getattr(one, name, None) for name in names if isinstance(name, str)]
        if isinstance(one, dict):
            ahead += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set | frozenset):
            ahead += one
    assert len(found) > 100, "this looked at what an observation is made of"


@pytest.mark.parametrize("name", ["euchre", "go-fish", "golf-six", "cuckoo", "cribbage"])
def test_seats_know_the_same_by_machine_code(name: str) -> None:
    """What the kernels keep for every seat is what the rules of knowledge give."""
    game = native(name)
    facts = ViewFacts(pointer(game.seat_views.address))
    places = game.words.places
    for deal in range(3):
        state = game.deal(seed=2, number=deal)
        while state.to_move is not None and state.decisions < 40:
            assert isinstance(state, NativeState)
            assert state.knowledge is not None
            assert state._known is not None
            known = pointer(state._known.address)
            for seat in range(game.seats):
                for card in range(facts.room):
                    row = seat_knowledge.row_at(facts, seat, card)
                    where = {p for n, p in enumerate(places) if seat_knowledge.has_bit(known, row, n)}
                    assert where == state.knowledge.where[seat][card]
                    placed = seat_knowledge.has_bit(known, seat_knowledge.placed_at(facts, seat), card)
                    assert bool(placed) == state.knowledge.placed[seat][card]
            walk(state, 1, deal)


@pytest.mark.parametrize("name", ["euchre", "go-fish", "golf-six"])
def test_kernels_write_the_same_under_python(name: str) -> None:
    game = native(name)
    state = game.deal(seed=5)
    walk(state, 6)
    assert isinstance(state, NativeState)
    assert state.to_move is not None
    assert state._known is not None
    seat, kernels = state.to_move, game.seat_views
    work = state._listed_here()
    log = b"".join(entry for entry in state._log or () if isinstance(entry, bytes))
    words = struct.unpack(f"<{len(log) // 8}q", log)
    compiled, interpreted = ViewBuffer(), ViewBuffer()
    raw = machine_memory.words_of([*words])
    here = kernels.address, state._memory.address, work.address, state._known.address
    count = kernels.observe(*here, compiled.address, seat, log, len(words))
    assert count == step.observe(
        ViewFacts(pointer(here[0])),
        pointer(here[1]),
        WorkspaceHead(pointer(here[2])),
        pointer(here[3]),
        step.ViewRoom(pointer(interpreted.address)),
        seat,
        pointer(ctypes.addressof(raw)),
        len(words),
    )
    assert count > 50
    assert compiled.words[:count] == interpreted.words[:count]


@pytest.mark.parametrize("name", ["euchre", "scopa", "rummy", "cribbage", "go-fish"])
@pytest.mark.parametrize("room", [0, 24, 64])
def test_buffers_that_are_too_small_are_enlarged(name: str, room: int) -> None:
    """The log of a step, the event of a decision and a view, each where they do not fit at first."""
    game, plain = native(name), native(name).reference_game
    view_buffer(game.stepping.workspace).enlarge(room)
    state, expected = game.deal(seed=3), plain.deal(seed=3)
    draw = random.Random(3)
    for _ in range(25):
        if state.to_move is None:
            break
        index = draw.randrange(state.choices)
        view_buffer(game.stepping.workspace).enlarge(room)
        state.play(index)
        expected.play(index)
        view_buffer(game.stepping.workspace).enlarge(room)
        for seat in range(game.seats):
            assert state.observe(seat) == expected.observe(seat)
    assert state.records == expected.records


@pytest.mark.parametrize("name", GAMES)
def test_moves_are_found_by_their_names(name: str) -> None:
    game = native(name)
    state = game.deal(seed=4)
    while state.to_move is not None and state.decisions < 25:
        assert [state._index_of(move) for move in state.moves] == list(range(state.choices))
        seen = state.observe(state.to_move).moves
        assert [state._index_of(move) for move in seen] == [index for _, index in state.shown]
        assert seen == tuple(move for move, _ in state.shown)
        walk(state, 1, state.decisions)


@pytest.mark.parametrize(
    "wrong",
    [
        Move(0, ({"card": "DEFAULT:0"},), 0),
        Move(99, (), 0),
        Move(0, (), 1),
        Move(0, (), -1),
        Move(0, ({},), 0),
        Move(0, ({"card": 3, "cards": []},), 0),
        Move(0, ({"cards": 3},), 0),
        Move("pass", (), 0),  # type: ignore[arg-type]
        Move(1 << 70, (), 0),
    ],
)
def test_a_wrong_move_is_refused_and_changes_nothing(wrong: Move) -> None:
    state = native("euchre").deal(seed=7)
    twin = state.copy()
    with pytest.raises(IllegalMove, match="is not legal here"):
        state.play(wrong)
    assert state == twin


def test_copies_share_what_was_followed_and_then_go_their_own_ways() -> None:
    game = native("euchre")
    state = game.deal(seed=7)
    walk(state, 3)
    before = state.records[:]
    twin = state.copy()
    walk(state, 4, 1)
    walk(twin, 4, 2)
    assert state.records[: len(before)] == twin.records[: len(before)] == before
    assert state.records != twin.records
    for one in (state, twin):
        assert isinstance(one, NativeState)
        again = game.reference_game.deal(seed=7)
        for index in one._played or ():
            again.play(index)
        assert one.records == again.records
        for seat in range(4):
            assert one.observe(seat) == again.observe(seat)


def test_a_game_whose_decks_are_made_in_play_is_observed_by_its_table() -> None:
    text = """(game
     (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C)))))
     (stage player
      (end (== (size (game vloc PILE)) 3))
      (do ((create deck (game iloc EXTRA) (deck (RANK (X, Y))))))
      (choice ((any (game iloc STOCK) 'C (move 'C (top (game vloc PILE)))))))
     (scoring max 0))"""
    result = check(Source("made", text))
    program, facts = result.sound()
    game = NativeGame("made", program, facts)
    assert not game.seat_views.fits
    state = game.native_deal(1, 0, limits=Limits())
    twin = game.reference_game.deal(1)
    while state.to_move is not None:
        for seat in range(2):
            assert state.observe(seat) == twin.observe(seat)
        state.play(0)
        twin.play(0)
    assert state.records == twin.records
