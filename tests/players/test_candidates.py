"""What a decision of another seat can have been: what it really was is always among it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine.fuzz.compare import IllTyped, NotLowered, load
from tests.engine.fuzz.shape import program

import upcard
from upcard.engine.api import Limits, Record
from upcard.engine.native.game import NativeGame
from upcard.engine.record_view import redact
from upcard.library import names
from upcard.players.belief import action_match as k
from upcard.players.belief.candidates import Candidate, Candidates
from upcard.players.search.search_code import SearchCode
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

LIMITS = Limits(decisions=60, steps=300)


def decisions(game: NativeGame, seed: int, deal: int) -> Iterator[tuple[int, Record]]:
    """Of a random game: the step that asks, and the full record."""
    state: Any = game.native_deal(seed, deal, limits=LIMITS)
    draw = random.Random(f"{seed} {deal}")
    while state.to_move is not None:
        pc, told = state._position, len(state.records)
        state.play(draw.randrange(state.choices))
        if state.outcome is None or state.outcome.ending != "failed":
            yield pc, state.records[told]


def is_real(machine: SearchCode, candidate: Candidate, record: Record) -> bool:
    """Whether a candidate is what was decided, as far as it says."""
    if candidate.item != record["item"]:
        return False
    if candidate.picks is None:
        return True
    if len(candidate.picks) != len(record["picks"]):
        return False
    for (kind, value), pick in zip(candidate.picks, record["picks"], strict=True):
        ((word, real),) = pick.items()
        sort = {"card": k.ONE_CARD, "cards": k.CARDS}.get(word, k.PLAIN)
        if kind & 3 != sort:
            return False
        number: Any = real
        if word == "card":
            number = machine.numbers[real]
        elif word == "cards":
            number = tuple(sorted(machine.numbers[card] for card in real))
        elif word == "string":
            number = machine.layout.strings.get(real, -1)
        elif word == "place":
            number = machine.places[real]
        if value is not None and value != number:
            return False
    return True


def missed(game: NativeGame, seed: int, deals: int) -> list[str]:
    machine = SearchCode(game)
    candidates = Candidates(machine)
    found = []
    for deal in range(deals):
        for pc, record in decisions(game, seed, deal):
            for seat in range(game.seats):
                if seat != record["seat"]:
                    actions = [redact(action, seat) for action in record["actions"]]
                    if not any(is_real(machine, c, record) for c in candidates.of(pc, actions)):
                        found.append(f"{game.name}, deal {deal}, seat {seat}: {record}")
    return found


@pytest.mark.parametrize("name", names())
def test_what_was_decided_is_a_candidate(name: str) -> None:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    assert missed(game, 4, 2) == []


def test_what_was_decided_is_a_candidate_in_generated_programs() -> None:
    played = 0
    for number in range(25):
        try:
            loaded = load(program(8, number))
            game = NativeGame(loaded.name, loaded.program, loaded.facts)
            assert missed(game, 4, 2) == [], number
            played += 1
        except (IllTyped, NotLowered):
            continue
    assert played >= 20


def test_a_move_that_names_its_item_by_what_it_does_has_one_candidate() -> None:
    """In Euchre's auction everybody hears what is said."""
    game = upcard.load("euchre")
    assert isinstance(game, NativeGame)
    machine = SearchCode(game)
    candidates = Candidates(machine)
    for pc, record in decisions(game, 4, 0):
        if record["actions"][0]["do"] == "set":
            assert len(candidates.of(pc, record["actions"])) == 1


BRANCHES = """(game
 (setup (create players 2) (create deck (game vloc D) (deck (N (A, B)))))
 (choice ({item} (do ((turn pass) (set (game sto Y) 1)))))
 (choice ((turn pass)))
 (scoring max 0))"""


@pytest.mark.parametrize(
    "item",
    [
        "(do (" + " ".join("((== (game sto X) 0) (turn pass))" for _ in range(40)) + "))",
        "(repeat 2000 (turn pass))",
    ],
)
def test_what_cannot_be_read_in_time_may_have_been_anything(item: str) -> None:
    checked = check(Source("branches.rcy", BRANCHES.format(item=item)), lint=False)
    game = NativeGame("branches", *checked.sound())
    state = game.native_deal(1, 0, limits=LIMITS)
    machine = SearchCode(game)
    for index in (0, 1):
        after = state.copy()
        after.play(index)
        (record,) = (line for line in after.records if line["do"] == "decision")
        found = Candidates(machine).of(0, record["actions"])
        assert any(is_real(machine, candidate, record) for candidate in found)
