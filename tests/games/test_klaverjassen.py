"""Klaverjassen against its rules. South is the eldest, East deals; hands are South, West, North, East."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.games.tables import Table

import upcard
from upcard.players import RandomPlayer

SUITS = {"SPADES": "s", "HEARTS": "h", "CLUBS": "c", "DIAMONDS": "d"}
PLAIN_ORDER = "7 8 9 J Q K 10 A".split()
TRUMP_ORDER = "7 8 Q K 10 A 9 J".split()
ROW = "7 8 9 10 J Q K A".split()
PLAIN_COUNT = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_COUNT = {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3}


def klaverjas(*hands: str, trump: str = "spades", style: str = "rotterdam") -> Table:
    """South has named the trump suit."""
    game = upcard.load("klaverjassen", rules={"trump": "forced", "style": style})
    table = Table(game, [card for hand in hands for card in hand.split()])
    table.do(f"play with {trump} as trump")
    return table


def suit(name: str) -> str:
    return " ".join(rank + name for rank in ROW)


ONE_SUIT_EACH = (suit("s"), suit("h"), suit("c"), suit("d"))

HANDS = (
    "7s 8s 7h 8h 9h 10h 7c 8c",
    "9s Js Jh Qh 9c 10c Jc Qc",
    "10s Qs Kh Ah Kc Ac 7d 8d",
    "Ks As 9d 10d Jd Qd Kd Ad",
)
"""East has two spades and no hearts or clubs."""


# --- choosing trump ------------------------------------------------------------------------------


def test_a_suit_drawn_by_lot_is_offered_to_each_in_turn() -> None:
    game = upcard.load("klaverjassen")
    suits = set()
    for deal in range(40):
        state = game.deal(3, deal)
        offer, passing = (move.text for move in state.moves)
        assert passing == "pass"
        suits.add(offer)
    assert suits == {f"play with {name.lower()} as trump" for name in SUITS}


def test_who_takes_the_offer_plays_and_the_eldest_leads() -> None:
    state = upcard.load("klaverjassen").deal(3, 1)
    state.play(1)
    assert state.to_move == 1
    state.play(0)
    assert state.to_move == 0
    assert len(state.moves) == 8


def test_after_four_passes_the_eldest_must_name_another_suit() -> None:
    state = upcard.load("klaverjassen").deal(3, 1)
    offered = state.moves[0].text
    for seat in range(4):
        assert state.to_move == seat
        state.play(1)
    assert state.to_move == 0
    named = {move.text for move in state.moves}
    assert len(named) == 3
    assert offered not in named


def test_a_forced_eldest_names_any_suit() -> None:
    state = upcard.load("klaverjassen", rules={"trump": "forced"}).deal(3, 1)
    assert state.to_move == 0
    assert [move.text for move in state.moves] == [f"play with {name.lower()} as trump" for name in SUITS]


# --- following -----------------------------------------------------------------------------------


def test_follow_suit_when_able() -> None:
    table = klaverjas(*HANDS)
    table.do("7h")
    assert table.options() == ["play Jh", "play Qh"]


def test_when_trumps_are_led_go_higher_if_you_can() -> None:
    table = klaverjas(*HANDS)
    table.do("8s")
    assert table.options() == ["play 9s", "play Js"]
    table.do("9s")
    assert table.options() == ["play 10s", "play Qs"]  # neither beats the nine: follow with any
    table.do("10s")
    assert table.options() == ["play Ks", "play As"]


def test_who_cannot_follow_must_trump_even_the_partners_trick_in_rotterdam() -> None:
    table = klaverjas(*HANDS)
    table.do("10h", "Jh", "Kh")
    assert table.options() == ["play Ks", "play As"]
    table = klaverjas("10h 7h 8h 9h 7c 8c 9c Jc", "Ks As 9d 10d Jd Qd Kd Ad", "Ah Jh Qh Kh 10c Qc Kc Ac",
                      "7s 8s 9s 10s Js Qs 7d 8d", trump="spades")  # fmt: skip
    table.do("10h", "Ks", "Ah")
    assert table.options() == ["play 9s", "play 10s", "play Js"]


PARTNER = (
    "10h 7h 8h 9h 7c 8c 9c Jc",
    "Jh Qh Kh 10c Qc Kc Ac 7d",
    "8s 9s 9d 10d Jd Qd Kd Ad",
    "7s 10s Js Qs Ks As Ah 8d",
)


def test_nobody_needs_to_trump_the_partners_trick_in_amsterdam() -> None:
    hands = (PARTNER[1], PARTNER[0], PARTNER[3], PARTNER[2])
    table = klaverjas(*hands, style="amsterdam")
    table.do("Kh", "9h", "Ah")  # North wins; East, the other side, must trump
    assert table.options() == ["play 8s", "play 9s"]
    table = klaverjas(*PARTNER, style="amsterdam")
    table.do("10h", "Kh")  # South's ten is winning: North may trump or not
    assert len(table.options()) == 8
    table = klaverjas(*PARTNER, style="rotterdam")
    table.do("10h", "Kh")
    assert table.options() == ["play 8s", "play 9s"]


UNDER = (
    "10h 7h 8h 9h 7c 8c 9c Jc",
    "9s As 9d 10d Jd Qd Kd Ad",
    "7s 8s 10c Qc Kc Ac 7d 8d",
    "10s Js Qs Ks Ah Jh Qh Kh",
)


def test_a_lower_trump_must_be_played_in_rotterdam_and_may_not_in_amsterdam() -> None:
    table = klaverjas(*UNDER)
    table.do("7h", "9s")
    assert table.options() == ["play 7s", "play 8s"]
    table = klaverjas(*UNDER, style="amsterdam")
    table.do("7h", "9s")
    assert table.options() == ["play 10c", "play Qc", "play Kc", "play Ac", "play 7d", "play 8d"]


def test_who_has_nothing_but_low_trumps_plays_one_in_amsterdam_too() -> None:
    hands = ("10h 7h 8h 9h 7c 8c 9c Jc", "Js 10c Qc Kc Ac 7d 8d Jd",
             "7s 8s 9s 10s Qs Ks As 9d", "Ah Jh Qh Kh 10d Qd Kd Ad")  # fmt: skip
    table = klaverjas(*hands, style="amsterdam")
    table.do("7h", "Js", "9d", "Ah")
    table.do("Jd")
    assert table.options() == [f"play {rank}s" for rank in "7 8 9 10 Q K A".split()]


# --- roem and score ------------------------------------------------------------------------------


def roem_told(table: Table) -> dict[str, int]:
    """Per side the roem so far."""
    return {key: value for key, value in table.state.observe(0).integers.items() if "ROEM" in key and value}


@pytest.mark.parametrize(("trump", "worth"), [("hearts", [20]), ("clubs", [])])
def test_king_and_queen_count_20_in_trumps_only(trump: str, worth: list[int]) -> None:
    hands = (
        "Qh 7h 7s 8s 9s 10s Js As",
        "8h 7c 8c 9c 10c Jc Qc Kc",
        "Kh 9h Ac 7d 8d 9d 10d Jd",
        "10h Ah Jh Qs Ks Qd Kd Ad",
    )
    table = klaverjas(*hands, trump=trump)
    table.do("Qh", "8h", "Kh", "10h")
    assert list(roem_told(table).values()) == worth


ROWS = (
    "7h 10h 7s 8s 9s Qs Ks As",
    "8h Jh 7c 8c 9c 10c Jc Qc",
    "9h Qh Kc Ac 7d 8d 9d 10d",
    "10s Js Kh Ah Jd Qd Kd Ad",
)
ROW_OF_FOUR = (
    "7h Jh 7s 8s 9s 10s Js As",
    "8h Qh 7c 8c 9c 10c Jc Qc",
    "9h Kh Kc Ac 7d 8d 9d 10d",
    "10h Ah Jd Qd Kd Ad Ks Qs",
)
LONG = (
    "Qh 7h 7s 8s 9s 10s Js As",
    "Jh 8h 7c 8c 9c 10c Jc Qc",
    "Kh 9h Kc Ac 7d 8d 9d 10d",
    "Ah 10h Jd Qd Kd Ad Ks Qs",
)


def test_three_in_a_row_count_20_and_four_50() -> None:
    table = klaverjas(*ROWS, trump="spades")
    table.do("7h", "8h", "9h", "Kh")
    assert list(roem_told(table).values()) == [20]
    table = klaverjas(*ROW_OF_FOUR, trump="spades")
    table.do("7h", "8h", "9h", "10h")
    assert list(roem_told(table).values()) == [50]


def test_king_and_queen_of_trumps_add_to_a_row() -> None:
    table = klaverjas(*LONG, trump="clubs")
    table.do("Qh", "Jh", "Kh", "Ah")
    assert list(roem_told(table).values()) == [50]
    table = klaverjas(*LONG, trump="hearts")
    table.do("Qh", "Jh", "9h", "Ah")
    assert list(roem_told(table).values()) == []
    table = klaverjas(*ROW_OF_FOUR, trump="hearts")
    table.do("Jh", "Qh", "9h", "Ah")
    assert list(roem_told(table).values()) == []
    table = klaverjas(*LONG, trump="hearts")
    table.do("Qh", "Jh", "Kh", "10h")
    assert list(roem_told(table).values()) == [50 + 20]


def pit(same: str) -> Table:
    """South, with all the spades, wins every trick; in one of them all play the given rank."""
    table = klaverjas(*ONE_SUIT_EACH)
    others = [rank for rank in ROW if rank != same]
    for i, rank in enumerate(others):
        table.do(rank + "s", *(others[(i + j) % 7] + name for j, name in enumerate("hcd", 1)))
    table.do(same + "s", *(same + name for name in "hcd"))
    return table


def test_four_of_a_rank_count_100_and_four_jacks_200_and_a_pit_100() -> None:
    assert pit("8").scores() == (162 + 100 + 100, 0, 162 + 100 + 100, 0)
    assert pit("J").scores() == (162 + 200 + 100, 0, 162 + 200 + 100, 0)


def test_a_wet_side_gives_everything_away() -> None:
    # diamonds are trumps, and East has all of them: a pit against the makers
    table = klaverjas(*ONE_SUIT_EACH, trump="diamonds")
    for i in range(8):
        cards = [ROW[(i + j) % 8] + name for j, name in enumerate("shcd")]
        table.do(*(cards if i == 0 else [cards[3], *cards[:3]]))
    assert table.scores() == (0, 262, 0, 262)


# --- a referee of its own ------------------------------------------------------------------------


def height(card: str, led: str, trump: str) -> int:
    if card[-1] == trump:
        return 20 + TRUMP_ORDER.index(card[:-1])
    return 10 + PLAIN_ORDER.index(card[:-1]) if card[-1] == led else 0


def roem(trick: list[str], trump: str) -> int:
    found = 0
    for name in "shcd":
        rows = [ROW.index(card[:-1]) for card in trick if card[-1] == name]
        best = max((n for n in (3, 4) for a in range(6) if set(range(a, a + n)) <= set(rows)), default=0)
        found += {0: 0, 3: 20, 4: 50}[best]
    if {"K" + trump, "Q" + trump} <= set(trick):
        found += 20
    ranks = {card[:-1] for card in trick}
    if len(ranks) == 1:
        found += 200 if ranks == {"J"} else 100
    return found


def allowed(hand: list[str], trick: dict[int, str], seat: int, trump: str, style: str) -> list[str]:
    if not trick:
        return hand
    led = next(iter(trick.values()))[-1]
    best = max(trick, key=lambda s: height(trick[s], led, trump))
    beating = [c for c in hand if c[-1] == trump and height(c, led, trump) > height(trick[best], led, trump)]
    same, trumps = [c for c in hand if c[-1] == led], [c for c in hand if c[-1] == trump]
    rest = [c for c in hand if c[-1] != trump]
    if same:
        return beating or same if led == trump else same
    if style == "rotterdam":
        return beating or trumps or hand
    if best == (seat + 2) % 4:
        return rest + beating or hand
    return beating or rest or hand


def plain(text: str) -> str:
    return text.split()[1].translate(str.maketrans("♠♥♣♦", "shcd"))


@pytest.mark.parametrize("style", ["rotterdam", "amsterdam"])
def test_random_games_agree_with_a_referee(style: str) -> None:
    game = upcard.load("klaverjassen", rules={"style": style})
    wet = 0
    for deal in range(25):
        state = game.deal(4, deal)
        players = [RandomPlayer(4, deal, seat) for seat in range(4)]
        maker = 0
        while state.moves[0].text.startswith("play with"):
            assert state.to_move is not None
            maker = state.to_move
            state.play(players[maker].pick(len(state.moves)))
        strings = state.observe(0).strings
        trump = SUITS[next(value for key, value in strings.items() if key.endswith("TRUMP"))]
        assert state.to_move == 0
        cards, extra, won = [0, 0], [0, 0], [0, 0]
        hands = []
        for seat in range(4):
            seen = state.observe(seat)
            hands.append([_face(seen.cards[card or ""]) for card in seen.places[f"seat{seat}.iloc.HAND"]])
        for trick_number in range(8):
            trick: dict[int, str] = {}
            for _ in range(4):
                seat = state.to_move
                assert seat is not None
                offered = [plain(move.text) for move in state.moves]
                assert sorted(offered) == sorted(allowed(hands[seat], trick, seat, trump, style))
                index = players[seat].pick(len(offered))
                trick[seat] = offered[index]
                hands[seat].remove(offered[index])
                state.play(index)
            led = next(iter(trick.values()))[-1]
            winner = max(trick, key=lambda s: height(trick[s], led, trump))
            assert state.to_move in (winner, None)
            side = winner % 2
            won[side] += 1
            extra[side] += roem(list(trick.values()), trump)
            for card in trick.values():
                cards[side] += (TRUMP_COUNT if card[-1] == trump else PLAIN_COUNT).get(card[:-1], 0)
            if trick_number == 7:
                cards[side] += 10
                extra[side] += 100 if won[side] == 8 else 0
        assert sum(cards) == 162
        totals = [cards[0] + extra[0], cards[1] + extra[1]]
        mine, theirs = maker % 2, 1 - maker % 2
        if totals[mine] <= totals[theirs]:
            wet += 1
            totals[mine], totals[theirs] = 0, 162 + sum(extra)
        assert state.outcome is not None
        assert state.outcome.scores == (totals[0], totals[1], totals[0], totals[1])
    assert 3 < wet < 22


def _face(attributes: Mapping[str, str]) -> str:
    ranks = dict(zip("SEVEN EIGHT NINE TEN JACK QUEEN KING ACE".split(), ROW, strict=True))
    return ranks[attributes["RANK"]] + SUITS[attributes["SUIT"]]
