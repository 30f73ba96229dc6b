"""Picks a position worth drawing: part-way through a game, cards on the table."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.shared.game import LoadedGame
from upcard.players.random_player import RandomPlayer
from upcard.terminal.seat_view import CardPlace, View, look
from upcard.terminal.table_narrator import TableNarrator

FROM, TO, MIDDLE = 0.3, 0.8, 0.55
"""The range of a game, as shares of its length, to pick from, and its best point."""


@dataclass(frozen=True)
class SamplePosition:
    view: View
    decision: int
    """From 1."""
    decisions: int
    """Of the whole game."""


def moment(game: LoadedGame, seed: int, deal: int = 0) -> SamplePosition | None:
    """A position of a game of random players; None if it has no decision."""
    length = _length(game, seed, deal)
    best: tuple[float, SamplePosition] | None = None
    state = game.deal(seed, deal)
    players = [RandomPlayer(seed, deal, seat) for seat in range(game.seats)]
    for number in range(length):
        seat = state.to_move
        assert seat is not None, "the game is the same as before"
        done = (number + 0.5) / length
        if FROM <= done <= TO or (best is None and number == length // 2):
            observation = state.observe(seat)
            view = look(observation, TableNarrator.at(game.narrator, observation))
            worth = _worth(view) - 4 * abs(done - MIDDLE)
            if best is None or worth > best[0]:
                best = worth, SamplePosition(view, number + 1, length)
        state.play(players[seat].pick(state.choices))
    return best[1] if best else None


def _length(game: LoadedGame, seed: int, deal: int) -> int:
    state = game.deal(seed, deal, recording=False)
    players = [RandomPlayer(seed, deal, seat) for seat in range(game.seats)]
    while (seat := state.to_move) is not None:
        state.play(players[seat].pick(state.choices))
    return state.decisions


def _worth(view: View) -> float:
    """Higher if more cards are visible and there is a choice."""
    around = [place for chair in view.chairs for place in chair.places if not place.private]
    stats = sum(min(2, _faces(place)) for place in around) + sum(
        min(3, _faces(place)) for place in view.table
    )
    holding = sum(1 for chair in view.chairs if chair.places)
    return min(8, stats) + holding + (2 if len(view.options) > 1 else 0) + (1 if view.hand else 0)


def _faces(place: CardPlace) -> int:
    return sum(card is not None for card in place.cards)
