"""The quick player: the same in a game as inside a hint, blind to what its seat does not see, and no fool."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import upcard
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state_memory import Memory
from upcard.players.protocol import Budget, Player
from upcard.players.registry import player_factory
from upcard.players.search.quick_player import QuickTable, public_homes
from upcard.players.search.search_code import machine_of

pytestmark = pytest.mark.skipif(
    not isinstance(upcard.load("euchre"), NativeGame), reason="it searches in machine code"
)


def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def made(game: NativeGame, seed: int, seat: int) -> Player:
    player = player_factory("quick", game)(seed, 0, seat)
    assert isinstance(player, Player)
    return player


@pytest.mark.parametrize("name", ["euchre", "hearts", "cribbage", "spades", "crazy-eights", "kuhn-poker"])
def test_it_plays_legal_moves_and_the_same_ones_again(name: str) -> None:
    game = native(name)
    played = []
    for _ in range(2):
        state = game.deal(5, 1)
        players = [made(game, 3, seat) for seat in range(game.seats)]
        moves: list[str] = []
        while state.to_move is not None and len(moves) < 25:
            seen = state.observe(state.to_move)
            move = players[state.to_move].choose(seen, Budget(16)).move
            assert move in seen.moves
            moves.append(move.key)
            state.play(move)
        played.append(moves)
    assert played[0] == played[1]


def test_deals_in_machine_code_are_those_of_players_at_a_table() -> None:
    """Results of whole deals agree, so that a hint's values are those of players that can be seated."""
    game = native("euchre")
    table = QuickTable.of_deals(game, 16)
    state = Memory(machine_of(game).layout.size)
    inside: Counter[tuple[int, ...]] = Counter()
    outside: Counter[tuple[int, ...]] = Counter()
    deals = 120
    for number in range(deals):
        for run in range(3):
            table.deal(state, run, number)
            scores = table.scores(state)
            assert scores is not None
            inside[scores] += 1
        dealt = game.deal(0, number)
        players = [made(game, number, seat) for seat in range(4)]
        while dealt.to_move is not None:
            dealt.play(players[dealt.to_move].choose(dealt.observe(dealt.to_move), Budget(16)).move)
        assert dealt.outcome is not None
        assert dealt.outcome.scores is not None
        outside[dealt.outcome.scores] += 1
    for scores in inside:
        here, there = inside[scores] / (3 * deals), outside[scores] / deals
        error = (here * (1 - here) * (1 / deals + 1 / (3 * deals))) ** 0.5
        assert abs(here - there) < 3.5 * error + 0.01, scores


def test_it_sees_only_what_its_seat_sees() -> None:
    """Other cards in the hands of others change nothing."""
    game = native("euchre")
    state = game.deal(2, 3)
    seat = state.to_move
    assert seat is not None
    seen = state.observe(seat)
    other = state.sample(seat, 1)
    assert other.observe(seat).places == seen.places
    choices = {
        made(game, 7, seat).choose(replace(view, records=seen.records), Budget(32)).move.key
        for view in (seen, other.observe(seat))
    }
    assert len(choices) == 1


def test_it_remembers_where_everybody_saw_a_card_go() -> None:
    game = native("euchre")
    machine = machine_of(game)
    state = game.deal(2, 3)
    while state.to_move is not None and not any(
        cards for text, cards in state.observe(0).places.items() if text.endswith("TAKEN")
    ):
        state.play(0)
    seen = state.observe(0)
    homes = public_homes(machine, seen)
    taken = [n for n, place in enumerate(homes) if place >= 0 and machine.texts[place].endswith("TAKEN")]
    assert len(taken) in (3, 4)


def test_it_beats_random_play() -> None:
    game = native("euchre")
    quick = random = 0
    for number in range(60):
        state = game.deal(8, number)
        side = number % 2
        players = [
            made(game, number, seat) if seat % 2 == side else player_factory("random", game)(number, 0, seat)
            for seat in range(4)
        ]
        while state.to_move is not None:
            player = players[state.to_move]
            if isinstance(player, Player):
                state.play(player.choose(state.observe(state.to_move), Budget(16)).move)
            else:
                state.play(player.pick(state.choices))
        assert state.outcome is not None
        assert state.outcome.scores is not None
        quick += state.outcome.scores[side]
        random += state.outcome.scores[1 - side]
    assert quick > 1.3 * random
