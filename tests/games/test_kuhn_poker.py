"""Kuhn poker against its rules, and against its solution: the first player loses a chip in eighteen games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from tests.games.tables import Table

import upcard
from upcard.engine.state import State

GAME = upcard.load("kuhn-poker", engine="reference")


def kuhn(ann: str, ben: str) -> Table:
    return Table(GAME, [ann, ben])


@pytest.mark.parametrize(("ann", "ben"), list(permutations("JQK", 2)))
def test_each_line_and_what_it_pays(ann: str, ben: str) -> None:
    won = 1 if "JQK".index(ann) > "JQK".index(ben) else -1
    lines = {
        ("check", "check"): won,
        ("check", "bet", "fold"): -1,
        ("check", "bet", "call"): 2 * won,
        ("bet", "fold"): 1,
        ("bet", "call"): 2 * won,
    }
    for line, pays in lines.items():
        table = kuhn(ann, ben)
        table.do(*line)
        assert table.scores() == (pays, -pays), line
        assert table.state.outcome is not None
        assert table.state.outcome.winners == ((0,) if pays > 0 else (1,))


def test_the_first_player_checks_or_bets() -> None:
    table = kuhn("J", "K")
    assert table.state.to_move == 0
    assert table.options() == ["check", "bet"]


def test_after_a_check_the_other_checks_or_bets() -> None:
    table = kuhn("J", "K")
    table.do("check")
    assert table.state.to_move == 1
    assert table.options() == ["check", "bet"]


def test_after_a_bet_the_other_folds_or_calls() -> None:
    table = kuhn("J", "K")
    table.do("bet")
    assert table.state.to_move == 1
    assert table.options() == ["fold", "call"]


def test_a_bet_after_a_check_comes_back_to_the_first_player() -> None:
    table = kuhn("J", "K")
    table.do("check", "bet")
    assert table.state.to_move == 0
    assert table.options() == ["fold", "call"]


def cards_seen(table: Table, seat: int) -> set[str]:
    seen = table.state.observe(seat)
    return {seen.cards[card]["RANK"] for cards in seen.places.values() for card in cards if card}


def test_a_player_sees_one_card_until_the_showdown() -> None:
    table = kuhn("J", "K")
    assert cards_seen(table, 0) == {"JACK"}
    assert cards_seen(table, 1) == {"KING"}
    table.do("bet", "call")
    assert cards_seen(table, 0) == {"JACK", "KING"}


def test_who_folds_shows_nothing_and_sees_nothing() -> None:
    table = kuhn("J", "K")
    table.do("bet", "fold")
    assert cards_seen(table, 0) == {"JACK"}
    assert cards_seen(table, 1) == {"KING"}


def test_both_pay_a_chip_before_the_cards() -> None:
    table = kuhn("Q", "K")
    table.do("check", "check")
    assert table.scores() == (-1, 1)


# --- the solution --------------------------------------------------------------------------------

Strategy = Callable[[str, tuple[str, ...]], Fraction]
"""From a card and what was said so far to the chance of the bold move: to bet, or to call."""


def deals() -> list[tuple[str, str]]:
    return list(permutations("JQK", 2))


def bold(state: State) -> int:
    """Which move bets or calls."""
    return next(i for i, move in enumerate(state.moves) if move.text in ("bet", "call"))


def best_reply(seat: int, other: Strategy) -> Fraction:
    """What the seat wins on average when it knows how the other plays, and answers in the best way.

    All deals with the same card of the seat are played side by side: at its decisions it must do the same in
    all of them, for it cannot tell them apart.
    """
    total = Fraction(0)
    for card in "JQK":
        worlds = [(kuhn(*d).state, d, Fraction(1, 6)) for d in deals() if d[seat] == card]
        total += _best(worlds, (), seat, other)
    return total


def _best(
    worlds: Sequence[tuple[State, tuple[str, str], Fraction]],
    said: tuple[str, ...],
    seat: int,
    other: Strategy,
) -> Fraction:
    first = worlds[0][0]
    if first.to_move is None:
        won = Fraction(0)
        for state, _, weight in worlds:
            assert state.outcome is not None
            assert state.outcome.scores is not None
            won += weight * state.outcome.scores[seat]
        return won
    mover, words = first.to_move, [move.text for move in first.moves]
    assert all(state.to_move == mover for state, _, _ in worlds)
    values = []
    for i, word in enumerate(words):
        after = []
        for state, dealt, weight in worlds:
            chance = Fraction(1)
            if mover != seat:
                p = other(dealt[mover], said)
                chance = p if i == bold(state) else 1 - p
            copy = state.copy()
            copy.play(i)
            after.append((copy, dealt, weight * chance))
        values.append(_best(after, (*said, word), seat, other))
    return max(values) if mover == seat else sum(values, Fraction(0))


def first_player(alpha: Fraction) -> Strategy:
    """The known family of best strategies: bluff with the jack, and bet the king three times as often."""
    table: Mapping[tuple[str, tuple[str, ...]], Fraction] = {
        ("J", ()): alpha,
        ("Q", ()): Fraction(0),
        ("K", ()): 3 * alpha,
        ("J", ("check", "bet")): Fraction(0),
        ("Q", ("check", "bet")): alpha + Fraction(1, 3),
        ("K", ("check", "bet")): Fraction(1),
    }
    return lambda card, said: table[card, said]


def second_player(card: str, said: tuple[str, ...]) -> Fraction:
    if said == ("check",):
        return {"J": Fraction(1, 3), "Q": Fraction(0), "K": Fraction(1)}[card]
    return {"J": Fraction(0), "Q": Fraction(1, 3), "K": Fraction(1)}[card]


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_the_first_player_loses_a_chip_in_eighteen_games(alpha: Fraction) -> None:
    # whatever Ben does, he gets no more than 1/18; whatever Ann does, she gets no more than -1/18
    assert best_reply(1, first_player(alpha)) == Fraction(1, 18)
    assert best_reply(0, second_player) == Fraction(-1, 18)


def test_without_bluffing_more_is_lost() -> None:
    def honest(card: str, said: tuple[str, ...]) -> Fraction:
        return Fraction(card == "K")

    assert best_reply(1, honest) > Fraction(1, 18)
    assert best_reply(0, honest) > Fraction(-1, 18)
