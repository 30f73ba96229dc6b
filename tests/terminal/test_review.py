"""Reviews that are played out: blind play is blamed, and a walk lets moves be tried."""

from __future__ import annotations

import pytest
from tests.advice.positions import match_of, native

import upcard
from upcard.advice.playouts import Effort
from upcard.engine.api import Move
from upcard.engine.native.game import NativeGame
from upcard.players.protocol import Player
from upcard.players.registry import player_factory
from upcard.players.search.quick_player import PLAYOUTS
from upcard.spec_grammar import Budget
from upcard.terminal.opponent_levels import adviser
from upcard.terminal.review import review
from upcard.terminal.review_walk import Position, ReviewWalk
from upcard.terminal.seat_view import View
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view

pytestmark = pytest.mark.skipif(
    not isinstance(upcard.load("euchre"), NativeGame), reason="reviews are played out in machine code"
)
EFFORT = Effort(24, 1)


def highest_cards(name: str, number: int) -> tuple[list[tuple[View, Move]], list[Position], int]:
    """A deal in which seat 0 always takes the last card of its menu and the others play quickly."""
    game = native(name)
    state = game.deal(6, number, given={})  # in Hearts, cards are passed to the left
    make = player_factory("quick", game)
    players = [make(1, number, seat) for seat in range(game.seats)]
    seen, steps = [], []
    while state.to_move is not None:
        seat = state.to_move
        observation = state.observe(seat, match_of(game))
        view = make_view(observation, TableNarrator.at(game.narrator, observation))
        player = players[seat]
        assert isinstance(player, Player)
        move = view.options[-1].move if seat == 0 else player.choose(observation, Budget(PLAYOUTS // 4)).move
        if seat == 0:
            seen.append((view, move))
        steps.append(Position(state.copy(), observation, move))
        state.play(move)
    assert state.outcome is not None
    assert state.outcome.scores is not None
    return seen, steps, state.outcome.scores[0]


def test_hearts_played_blindly_is_blamed() -> None:
    """None of 14 decisions cost more than the error, it said, after a deal for 20 points."""
    seen, _, points = highest_cards("hearts", 1)
    assert points >= 13
    choices = [pair for pair in seen if len(pair[0].options) > 1]
    asked = player_factory("pimc", native("hearts"))(1, 0, 0)
    found = review(native("hearts"), choices[7:8], asked, "pimc", effort=EFFORT)
    assert [decision.mark for decision in found.judged] == ["??"], found.lines
    assert "Your only decision cost something" in " ".join(found.lines)


def test_a_move_is_tried_with_the_cards_that_everybody_held() -> None:
    _, steps, _ = highest_cards("euchre", 2)
    walk = ReviewWalk(native("euchre"), steps, adviser(native("euchre")), 1, False)
    assert len(walk.hands(0)) >= 4
    view = make_view(steps[0].observation, TableNarrator.at(native("euchre").narrator, steps[0].observation))
    lines = walk.tried(0, view.options[1])
    assert "with the cards that everybody held" in lines[0]
    assert lines[1].startswith("Played on 12 times by quick:64: ")
    assert "On average" in lines[2]
    assert any("Trump" in line or "trump" in line for line in lines[4:])


def test_open_hands_are_listed_once() -> None:
    """In Blackjack everybody had "no cards", and below it a hand."""
    game = native("blackjack")
    state = game.deal(1)
    assert state.to_move is not None
    observation = state.observe(state.to_move, match_of(game))
    steps = [Position(state.copy(), observation, observation.moves[0])]
    lines = ReviewWalk(game, steps, adviser(game), 1, False).hands(0)
    assert not [line for line in lines if "no cards" in line]
    assert [line for line in lines if line.startswith("> ")] == [lines[0]]
    assert "hand: " in lines[0]
