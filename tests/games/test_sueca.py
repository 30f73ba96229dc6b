"""Sueca against its rules. South is the eldest, West deals and owns the last card; play goes to the right."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.games.tables import Table

import upcard
from upcard.players import RandomPlayer

ORDER = "2 3 4 5 6 Q J K 7 A".split()
COUNTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}


def suit(name: str) -> str:
    return " ".join(rank + name for rank in ORDER)


def sueca(last: str, *hands: str) -> Table:
    """The last card of the pack, and what South, East, North and West are dealt before it."""
    return Table(upcard.load("sueca"), [card for hand in hands for card in hand.split()], bottom=[last])


def one_suit_each() -> Table:
    return sueca("Ad", suit("s"), suit("h"), suit("c"), " ".join(suit("d").split()[:-1]))


def test_ten_cards_each_and_the_eldest_leads() -> None:
    table = one_suit_each()
    assert table.state.to_move == 0
    assert len(table.options()) == 10
    assert [len(table.state.observe(seat).places[f"seat{seat}.iloc.HAND"]) for seat in range(4)] == [10] * 4


def test_everybody_saw_the_last_card_go_to_the_dealer() -> None:
    observed = one_suit_each().state.observe(0)
    ace = next(c for c, face in observed.cards.items() if face == {"SUIT": "DIAMONDS", "RANK": "ACE"})
    assert observed.memory[ace] == {"where": ["seat3.iloc.HAND"], "placed": False}


def test_all_ten_tricks_win_four_games() -> None:
    # West, the dealer, holds every trump
    table = one_suit_each()
    while table.state.to_move is not None:
        table.state.play(0)
    assert table.scores() == (0, 4, 0, 4)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (1, 3)


SPLIT = ("2s 3s 4s 5s Qs 2h 3h 4h 5h 6h", "6s Js Ks 7s As Qh Jh Kh 7h Ah")
REST = ("2c 3c 4c 5c 6c Qc Jc Kc 7c 2d", "3d 4d 5d 6d Qd Jd Kd 7d Ad")


def test_follow_suit_when_able() -> None:
    table = sueca("Ac", *SPLIT, *REST)
    table.do("2s")
    assert table.options() == ["play 6s", "play Js", "play Ks", "play 7s", "play As"]


def test_who_cannot_follow_may_play_anything_and_need_not_trump() -> None:
    table = sueca("Ac", *SPLIT, *REST)
    table.do("2s", "6s")
    assert len(table.options()) == 10
    table.do("2d")
    assert len(table.options()) == 10


def test_the_highest_trump_wins() -> None:
    table = sueca("Ac", *SPLIT, *REST)
    table.do("2s", "As", "2c", "3d")
    assert table.state.to_move == 2
    table = sueca("Ac", *SPLIT, *REST)
    table.do("2s", "As", "7c", "Ac")
    assert table.state.to_move == 3


def test_the_winner_takes_the_four_cards() -> None:
    table = sueca("Ac", *SPLIT, *REST)
    table.do("2s", "As", "2c", "3d", "3c")
    places = table.state.observe(0).places
    assert [len(places.get(f"seat{seat}.hloc.TAKEN", ())) for seat in range(4)] == [0, 0, 4, 0]


@pytest.mark.parametrize(("low", "high"), list(pairwise(ORDER)))
def test_each_rank_beats_the_one_below(low: str, high: str) -> None:
    others = [rank for rank in ORDER if rank not in (low, high)]
    south = " ".join(f"{rank}s" for rank in [low, *others[:4]]) + " 2h 3h 4h 5h 6h"
    east = " ".join(f"{rank}s" for rank in [high, *others[4:]]) + " Qh Jh Kh 7h Ah"
    table = sueca("Ac", south, east, *REST)
    table.do(f"{low}s", f"{high}s", "2d", "3d")
    assert table.state.to_move == 1
    table = sueca("Ac", east, south, *REST)
    table.do(f"{high}s", f"{low}s", "2d", "3d")
    assert table.state.to_move == 0


def trump_of(deal: int) -> str:
    strings = upcard.load("sueca").deal(1, deal).observe(0).strings
    return next(value for key, value in strings.items() if key.endswith("TRUMP"))[0].lower()


def referee(deal: int) -> tuple[int, int, tuple[int, ...]]:
    """Plays a deal at random, checks who wins each trick, and counts.

    The answer is the points and the tricks of East and West, and what the program scores."""
    state = upcard.load("sueca").deal(1, deal)
    players = [RandomPlayer(1, deal, seat) for seat in range(4)]
    trump, counted, tricks = trump_of(deal), 0, 0
    while state.to_move is not None:
        played: dict[int, str] = {}
        for _ in range(4):
            seat = state.to_move
            index = players[seat].pick(len(state.moves))
            played[seat] = state.moves[index].text.split()[1].translate(str.maketrans("♠♥♣♦", "shcd"))
            state.play(index)
        led = next(iter(played.values()))[-1]
        best = max(played, key=lambda s: _height(played[s], led, trump))
        assert state.to_move in (best, None)
        if best in (1, 3):
            counted += sum(COUNTS.get(card[:-1], 0) for card in played.values())
            tricks += 1
    assert state.outcome is not None
    assert state.outcome.scores is not None
    return counted, tricks, state.outcome.scores


def _height(card: str, led: str, trump: str) -> tuple[bool, bool, int]:
    return card[-1] == trump, card[-1] == led, ORDER.index(card[:-1])


def games(points: int, tricks: int) -> int:
    return 0 if points <= 60 else 1 if points <= 90 else 4 if tricks == 10 else 2


@pytest.mark.parametrize(
    ("deal", "points"), [(212, 59), (9, 60), (23, 61), (142, 90), (107, 91), (78, 30), (11, 29)]
)
def test_more_than_half_wins_one_game_and_more_than_ninety_two(deal: int, points: int) -> None:
    counted, tricks, scores = referee(deal)
    assert counted == points
    theirs, ours = games(counted, tricks), games(120 - counted, 10 - tricks)
    assert scores == (ours, theirs, ours, theirs)


def test_tricks_and_points_of_random_games_are_counted_right() -> None:
    for deal in range(25):
        counted, tricks, scores = referee(deal)
        assert scores[:2] == (games(120 - counted, 10 - tricks), games(counted, tricks))
