"""Ninety-Eight against its rules, not against its program. Each test names the rule it stands for.

Two players unless a test says otherwise: four cards for South, four for West, then the stock.
"""

from __future__ import annotations

import pytest
from tests.games.tables import Table

import upcard


def game(cards: str, **rules: str) -> Table:
    return Table(upcard.load("ninety-eight", rules={"players": "2", **rules}), cards.split())


def options(table: Table) -> dict[str, int]:
    """For each card that can be played, what it makes the pile."""
    said = [word.removeprefix("play ").split(", making ") for word in table.options()]
    return {card: int(pile) for card, pile in said}


def play(table: Table, *cards: str) -> None:
    for card in cards:
        table.do(next(word for word in table.options() if word.startswith(f"play {card}, ")))


def test_number_cards_add_their_number_and_the_ace_one() -> None:
    table = game("As 2s 3s 4s 5s 6s 7s 8s")
    assert options(table) == {"As": 1, "2s": 2, "3s": 3, "4s": 4}
    play(table, "4s")
    assert options(table) == {"5s": 9, "6s": 10, "7s": 11, "8s": 12}


def test_a_nine_adds_nine_a_ten_takes_ten_off_even_below_nothing() -> None:
    assert options(game("9s 10s 9h 10h 5s 6s 7s 8s")) == {"9s": 9, "9h": 9, "10s": -10, "10h": -10}


def test_jacks_and_queens_change_nothing_and_a_king_makes_it_ninety_eight() -> None:
    table = game("8s 2s 3s 4s Js Qs Ks 5s")
    play(table, "8s")
    assert options(table) == {"Js": 8, "Qs": 8, "Ks": 98, "5s": 13}


def test_a_king_leaves_ninety_eight_as_it_is() -> None:
    table = game("Ks 2s 3s 4s Kh Qs Js 10s")
    play(table, "Ks")
    assert options(table) == {"Kh": 98, "Qs": 98, "Js": 98, "10s": 88}
    play(table, "Kh")
    assert table.state.to_move == 0


def test_ninety_eight_itself_is_safe_and_ninety_nine_loses() -> None:
    table = game("Ks 2s 3s As Qs Js 10s Qh")
    play(table, "Ks", "Qs")
    assert table.state.to_move == 0
    assert options(table)["As"] == 99
    play(table, "As")
    assert table.scores() == (1, 0)


def test_the_one_who_goes_above_loses_and_nobody_else() -> None:
    table = game("Ks 2s 3s As 9s Js 10s Qh 4s 5s 6s 7s", players="3")
    play(table, "Ks", "9s")
    assert table.scores() == (0, 1, 0)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0, 2)
    # the round is over at once: the loser draws no more
    assert len(table.state.observe(1).places["seat1.iloc.HAND"]) == 3


def test_every_play_is_followed_by_a_draw_so_the_choice_is_always_among_four() -> None:
    table = game("As 2s 3s 4s 5s 6s 7s 8s Qh Kh")
    play(table, "As", "5s")
    assert set(options(table)) == {"2s", "3s", "4s", "Qh"}
    play(table, "2s")
    assert set(options(table)) == {"6s", "7s", "8s", "Kh"}


def test_the_cards_played_are_shuffled_when_the_stock_is_used_up() -> None:
    # kings, queens, jacks and tens only keep the pile where it is for 16 plays; then tens come back
    safe = [f"{rank}{suit}" for rank in ("Q", "J", "10") for suit in "shcd"]
    low = [f"{rank}{suit}" for rank in ("A", "2", "3") for suit in "shcd"]
    table = game(" ".join([*safe, *low]))
    plays = 0
    while table.state.to_move is not None and plays < 60:
        can = options(table)
        best = min(can, key=lambda card: (can[card], card))
        assert len(can) == 4
        play(table, best)
        plays += 1
    # eight of 52 cards are dealt, so the stock lasts for 44 plays
    assert plays > 44


def test_a_ten_may_go_either_way_when_the_house_says_so() -> None:
    table = game("10s 2s 3s 4s 5s 6s 7s 8s", tens="either")
    tens = {word for word in table.options() if "10s" in word}
    assert tens == {"play 10s, making -10", "play 10s, making 10"}
    assert len(table.options()) == 5


def test_one_ten_or_one_ace_is_played_at_a_time() -> None:
    table = game("10s 10h As Ah 5s 6s 7s 8s", tens="either")
    assert sorted(word for word in table.options() if word.endswith(" 10")) == [
        "play 10h, making 10",
        "play 10s, making 10",
    ]
    table = game("10s 10h As Ah 5s 6s 7s 8s", aces="either")
    assert sorted(word for word in table.options() if word.endswith(" 11")) == [
        "play Ah, making 11",
        "play As, making 11",
    ]


def test_the_card_played_last_lies_on_top() -> None:
    table = game("As 2s 3s 4s 5s 6s 7s 8s")
    play(table, "As", "5s", "2s")
    seen = table.state.observe(0)
    ranks = [seen.cards[card or ""]["RANK"] for card in seen.places["table.vloc.PLAYED"]]
    assert ranks == ["ACE", "FIVE", "TWO"]


def test_an_ace_may_be_eleven_when_the_house_says_so() -> None:
    table = game("As 2s 3s 10s 5s 6s 7s 8s", aces="either")
    aces = {word for word in table.options() if "As" in word}
    assert aces == {"play As, making 1", "play As, making 11"}
    assert len(table.options()) == 5


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_everybody_has_four_cards_and_the_turn_goes_round(players: int) -> None:
    state = upcard.load("ninety-eight", rules={"players": str(players)}).deal(seed=3)
    turns = []
    while state.to_move is not None:
        turns.append(state.to_move)
        # published convergence of exactly one half: the number of choices never changes
        assert len(state.moves) == 4
        state.play(max(state.moves, key=lambda move: -int(move.text.split()[-1])))
    assert turns == [i % players for i in range(len(turns))]
    assert state.outcome is not None
    assert state.outcome.scores is not None
    assert sum(state.outcome.scores) == 1
    assert state.outcome.scores[turns[-1]] == 1


def test_four_play_unless_another_number_is_asked_for() -> None:
    state = upcard.load("ninety-eight").deal(seed=3)
    turns = []
    for _ in range(5):
        turns.append(state.to_move)
        state.play(0)
    assert turns == [0, 1, 2, 3, 0]
