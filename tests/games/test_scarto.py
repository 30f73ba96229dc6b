"""Scarto against its rules. Ada is the eldest and leads, Cleo deals and lays three cards away.

Faces are printed with French suits: s swords, c batons, h cups, d coins, T trumps; N is a knight.
"""

from __future__ import annotations

import random

import pytest
from tests.games.tables import Table

import upcard

LONG = "1 2 3 4 5 6 7 8 9 10 J N Q K".split()
ROUND = "10 9 8 7 6 5 4 3 2 1 J N Q K".split()
TRUMPS = [str(n) for n in range(1, 22)]
COUNTS = {"K": 5, "Q": 4, "N": 3, "J": 2}
DECK = [rank + suit for suit in "scT" for rank in (TRUMPS if suit == "T" else LONG)]
DECK += [rank + suit for suit in "hd" for rank in LONG] + ["Fool"]


def scarto(ada: str, ben: str, cleo: str, angel: str = "20", seed: int = 0) -> Table:
    """Hands that are not full are filled up from what is left, lowest cards first."""
    hands = [hand.split() for hand in (ada, ben, cleo)]
    rest = [
        card for card in sorted(DECK, key=lambda c: (c[-1] in "Tl", c)) if not any(card in h for h in hands)
    ]
    for hand, size in zip(hands, (25, 25, 28), strict=True):
        while len(hand) < size:
            hand.append(rest.pop(0))
    order = [card for hand in hands for card in hand]
    return Table(upcard.load("scarto", rules={} if angel == "20" else {"angel": angel}), order, seed=seed)


def suit(name: str) -> str:
    return " ".join(rank + name for rank in LONG)


SWORDS_AND_BATONS = suit("s") + " " + " ".join(suit("c").split()[:11])
CUPS_AND_COINS = suit("h") + " " + " ".join(suit("d").split()[:11])
TRUMPS_AND_COURTS = " ".join(f"{n}T" for n in TRUMPS) + " Nc Qc Kc Nd Qd Kd Fool"


def test_the_dealer_has_28_cards_and_lays_three_away() -> None:
    table = scarto(SWORDS_AND_BATONS, CUPS_AND_COINS, TRUMPS_AND_COURTS)
    sizes = [len(table.state.observe(seat).places[f"seat{seat}.iloc.HAND"]) for seat in range(3)]
    assert sizes == [25, 25, 28]
    for _ in range(3):
        assert table.state.to_move == 2
        table.state.play(0)
    assert table.state.to_move == 0
    assert len(table.options()) == 25


def test_neither_kings_nor_the_two_great_trumps_nor_the_fool_are_laid_away() -> None:
    table = scarto(SWORDS_AND_BATONS, CUPS_AND_COINS, TRUMPS_AND_COURTS)
    trumps = [f"{n}T" for n in TRUMPS if n not in ("1", "20")]
    assert sorted(table.options()) == sorted(f"discard {c}" for c in [*trumps, "Nc", "Qc", "Nd", "Qd"])
    table = scarto(SWORDS_AND_BATONS, CUPS_AND_COINS, TRUMPS_AND_COURTS, angel="21")
    assert "discard 20T" in table.options()
    assert "discard 21T" not in table.options()


def test_a_dealer_without_trumps_may_lay_the_fool_away() -> None:
    trumps = " ".join(f"{n}T" for n in TRUMPS)
    table = scarto(trumps, "", f"{suit('s')} {' '.join(suit('c').split()[:13])} Fool")
    assert "discard Fool" in table.options()


def followers() -> Table:
    ada = "5s 3s 4s 6s 7s 3h 4h 5h 6h 7h 8h 9h 10h Jh Nh 4T 5T 6T 9c 8c 7c 6c 5c 4c 3c"
    ben = "Ks 2s 1s 8s Fool 7T 10T 11T 12T 1c 2c 10c Jc 1h 2h Qh 9s 10s Js Ns Qs Nc Qc 13T 14T"
    cleo = "8T 9T 3T 1T 2T Kh Kd Kc 1d 2d 3d 4d 5d 6d 7d 8d 9d 10d Jd Nd Qd 15T 16T 17T 18T 19T 20T 21T"
    table = scarto(ada, ben, cleo)
    for card in ("1d", "2d", "3d"):
        table.do(f"discard {card}")
    return table


def test_follow_suit_or_play_the_fool() -> None:
    table = followers()
    table.do("5s")
    swords = [f"play {rank}s" for rank in "1 2 8 9 10 J N Q K".split()]
    assert sorted(table.options()) == sorted([*swords, "play Fool"])


def test_without_the_suit_a_trump_must_be_played_but_not_a_higher_one() -> None:
    table = followers()
    table.do("5s", "Ks")
    assert sorted(table.options()) == sorted(f"play {n}T" for n in "1 2 3 8 9 15 16 17 18 19 20 21".split())


def test_without_suit_and_trump_anything_goes() -> None:
    table = scarto(SWORDS_AND_BATONS, CUPS_AND_COINS, TRUMPS_AND_COURTS)
    table.do("discard Nc", "discard Qc", "discard Nd")
    table.do("play 1s")
    assert len(table.options()) == 25


def test_after_a_led_fool_the_next_card_is_the_lead() -> None:
    table = followers()
    table.do("5s", "Ks", "1T")
    assert table.state.to_move == 2
    table.do("8d")
    assert sorted(table.options()) == sorted(["play 4T", "play 5T", "play 6T"])
    table.do("4T", "Fool")
    assert table.state.to_move == 0


def test_who_follows_a_led_fool_plays_anything_and_that_is_the_lead() -> None:
    table = followers()
    table.do("4T", "7T", "1T")
    assert table.state.to_move == 1
    table.do("Fool")
    assert len(table.options()) == 24
    assert "play Kh" in table.options()
    table.do("8d")
    assert sorted(table.options()) == ["play 5T", "play 6T"]
    table.do("5T")
    assert table.state.to_move == 0


TRUMPS_UPWARDS = [*TRUMPS[:19], "21", "20"]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("two_suits", ["sc", "hd"])
@pytest.mark.parametrize("seed", range(6))
def test_each_card_beats_the_one_below_it(first: int, two_suits: str, seed: int) -> None:
    """Ada and Ben share two suits and the trumps and play them pair by pair; Cleo can only throw away.

    Several seeds, because chance would decide between equal cards, and might be right.
    """
    ranks, low_leads = LONG if two_suits == "sc" else ROUND, seed % 2 == 0
    rows = [[rank + name for rank in ranks] for name in two_suits]
    rows.append([rank + "T" for rank in TRUMPS_UPWARDS])
    pairs = [(row[i], row[i + 1]) for row in rows for i in range(first, len(row) - 1, 2)]
    hands: list[list[str]] = [[], []]
    tricks, leader = [], 0
    for low, high in pairs:
        led, played = (low, high) if low_leads else (high, low)
        hands[leader].append(led)
        hands[1 - leader].append(played)
        winner = 1 - leader if low_leads else leader
        tricks.append((leader, led, played, winner))
        leader = winner
    cleo = suit("h") + " " + suit("d") if two_suits == "sc" else suit("s") + " " + suit("c")
    table = scarto(" ".join(hands[0]), " ".join(hands[1]), cleo, seed=seed)
    for _ in range(3):
        table.state.play(0)
    for leader, led, played, winner in tricks:
        assert table.state.to_move == leader
        table.do(led)
        if leader == 0:
            table.do(played)
            table.state.play(0)
        else:
            table.state.play(0)
            table.do(played)
        assert table.state.to_move == winner, f"{played} on {led}"


def test_who_plays_the_fool_keeps_it_and_does_not_win() -> None:
    table = followers()
    table.do("5s", "Fool", "2T")
    assert table.state.to_move == 2
    seen = table.state.observe(0)
    assert len(seen.places["seat1.vloc.KEPT"]) == 1
    assert len(seen.places["seat2.hloc.TAKEN"]) == 2


# --- a referee of its own ------------------------------------------------------------------------


def height(card: str, led: str, angel: str) -> int:
    if card == "Fool":
        return -1
    rank, name = card[:-1], card[-1]
    if name == "T":
        return 100 + (50 if rank == angel else int(rank))
    return (LONG if name in "sc" else ROUND).index(rank) if name == led else -1


def allowed(hand: list[str], led: str) -> list[str]:
    same, trumps = [c for c in hand if led and c[-1] == led], [c for c in hand if c[-1] == "T"]
    excuse = [c for c in hand if c == "Fool"]
    if not led:
        return hand
    return same + excuse if same else trumps + excuse if trumps else hand


def worth(cards: list[str], angel: str) -> int:
    """Threes less two; what is left over, two cards at most, less one."""
    plain = [c for c in cards if c != "Fool"]
    total = sum(5 if c in ("1T", angel + "T") else COUNTS.get(c[:-1], 1) for c in plain)
    return total - 2 * (len(plain) // 3) - len(plain) % 3 // 2 + (4 if "Fool" in cards else 0)


@pytest.mark.parametrize(
    ("seed", "angel"), [(1, "20"), (2, "20"), (3, "21"), (4, "20"), (5, "21"), (6, "20")]
)
def test_random_games_agree_with_a_referee(seed: int, angel: str) -> None:
    rng = random.Random(seed)
    order = rng.sample(DECK, 78)
    hands = [order[:25], order[25:50], order[50:]]
    table = Table(upcard.load("scarto", rules={"angel": angel}), order)
    taken: list[list[str]] = [[], [], []]
    for _ in range(3):
        fine = [c for c in hands[2] if not c.startswith("K") and c not in ("1T", angel + "T", "Fool")]
        assert table.state.to_move == 2
        assert sorted(table.options()) == sorted(f"discard {card}" for card in fine)
        card = rng.choice(sorted(fine))
        table.do(f"discard {card}")
        hands[2].remove(card)
        taken[2].append(card)
    leader = 0
    for _ in range(25):
        trick: dict[int, str] = {}
        led = ""
        for seat in (leader, (leader + 1) % 3, (leader + 2) % 3):
            assert table.state.to_move == seat
            fine = allowed(hands[seat], led)
            assert sorted(table.options()) == sorted(f"play {card}" for card in fine)
            trick[seat] = rng.choice(sorted(fine))
            table.do(f"play {trick[seat]}")
            hands[seat].remove(trick[seat])
            if not led and trick[seat] != "Fool":
                led = trick[seat][-1]
        leader = max(trick, key=lambda s: height(trick[s], led, angel))
        for seat, card in trick.items():
            taken[seat if card == "Fool" else leader].append(card)
    counted = [worth(cards, angel) for cards in taken]
    assert sum(counted) == 78
    assert table.scores() == tuple(points - 26 for points in counted)
    assert table.state.outcome is not None
    assert set(table.state.outcome.winners) == {s for s in range(3) if counted[s] == max(counted)}
