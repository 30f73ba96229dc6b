"""What answers mean, and what is said about those that mean nothing."""

from __future__ import annotations

import pytest
from tests.terminal.sessions import loaded

from upcard.players import RandomPlayer
from upcard.terminal.answers import Command, UnclearAnswer, parse_answer
from upcard.terminal.seat_view import Option, View
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view
from upcard.terminal.ui import question


def at(name: str, decisions: int = 0, seed: int = 3) -> View:
    game = loaded(name)
    state = game.deal(seed, 0)
    players = [RandomPlayer(seed, 0, seat) for seat in range(game.seats)]
    while state.decisions < decisions:
        assert state.to_move is not None
        state.play(players[state.to_move].pick(state.choices))
    assert state.to_move is not None
    observation = state.observe(state.to_move)
    return make_view(observation, TableNarrator.at(game.narrator, observation))


def chosen(text: str, view: View) -> str:
    found = parse_answer(text, view)
    assert isinstance(found, Option)
    return found.text


def test_bids_by_number_and_by_words() -> None:
    view = at("euchre")
    assert [option.text for option in view.options] == ["pass", "order it up", "order it up and go alone"]
    assert chosen("2", view) == "order it up"
    assert chosen(" PASS ", view) == "pass"
    assert chosen("p", view) == "pass"
    assert chosen("order", view) == "order it up", "the plain one, which all others begin with"
    assert chosen("alone", view) == "order it up and go alone"
    assert question(view) == "Your turn: order the Q♦ up, or pass?"


def test_cards_by_name() -> None:
    view = at("whist", seed=4)
    assert question(view) == "Your turn: play a card."
    assert any(view.card(option.cards[0]).startswith("10") for option in view.options)
    for option in view.options:
        face = view.card(option.cards[0])
        letters = face[:-1] + {"♠": "s", "♥": "h", "♣": "c", "♦": "d"}[face[-1]]
        assert chosen(letters.lower(), view) == option.text
        assert chosen(letters.upper(), view) == option.text
        assert chosen(face, view) == option.text
        if face.startswith("10"):
            assert chosen("t" + letters[-1], view) == option.text


def test_several_cards_at_once() -> None:
    view = at("cribbage")
    assert len(view.options[0].cards) == 2
    one, two = (view.card(card) for card in view.options[4].cards)
    assert chosen(f"{two} {one}", view) == view.options[4].text
    assert chosen(f"{one}, {two}", view) == view.options[4].text


@pytest.mark.parametrize(
    ("text", "key"), [("?", "?"), ("H", "h"), ("hint", "h"), ("quit", "q"), ("rules", "r")]
)
def test_commands(text: str, key: str) -> None:
    assert parse_answer(text, at("euchre")) == Command(key)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "you entered nothing; enter a number from 1 to 13, or a card, or ? for the keys"),
        ("0", "there is no choice 0; enter a number from 1 to 13"),
        ("14", "there is no choice 14"),
        ("9" * 5000, "there is no choice 9999999999"),
        ("²", "² is not a choice here"),
        ("-1", "-1 is not a choice here"),
        ("\x1b[2J\x00", "[2j is not a choice here"),
        ("play", "play could mean 1 play"),
        ("quti", "did you mean quit?"),
        ("z" * 5000, "z... is not a choice here"),
    ],
)
def test_an_unknown_answer_is_explained(text: str, sentence: str) -> None:
    with pytest.raises(UnclearAnswer) as unclear:
        parse_answer(text, at("whist"))
    assert sentence in str(unclear.value)
    assert len(str(unclear.value)) < 300


def test_a_card_that_is_not_held_or_may_not_be_played() -> None:
    view = next(
        view
        for view in (at("whist", number) for number in range(1, 40))
        if len(view.options) < len(view.hand)
    )
    may = {card for option in view.options for card in option.cards}
    blocked = next(card for card in view.hand if card not in may)
    with pytest.raises(UnclearAnswer, match="cannot be chosen now"):
        parse_answer(view.card(blocked), view)
    missing = next(card for card in view.observation.cards if card not in view.hand)
    with pytest.raises(UnclearAnswer, match="you do not hold"):
        parse_answer(view.card(missing), view)
