"""Euchre against its rules, not against its program. Each test names the rule it stands for.

South is the eldest, East deals. Hands are South, West, North, East; then comes the turned card.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.games.tables import Table

import upcard

PLAIN = {
    "south": "9s 10s 9h 10h 9c",
    "west": "Qs Ks Qh Kh 10c",
    "north": "Js As Jh Ah Qc",
    "east": "9d 10d Qd Kd Kc",
}


def euchre(up: str = "Jc", rule: str = "", **hands: str) -> Table:
    return dealt(up, rule, hands, seed=0)


def dealt(up: str, rule: str, hands: Mapping[str, str], seed: int) -> Table:
    full = {**PLAIN, **hands}
    order = [card for seat in ("south", "west", "north", "east") for card in full[seat].split()]
    rules = dict(one.split("=") for one in rule.split())
    return Table(upcard.load("euchre", rules=rules), [*order, up], seed=seed)


def order(seat: int | None) -> str:
    """The call that makes the upcard trump; the dealer takes the card."""
    return "pick it up" if seat == 3 else "order it up"


def order_alone(seat: int | None) -> str:
    return f"{order(seat)} and go alone"


def test_first_round_offers_pass_order_and_alone_to_the_eldest() -> None:
    table = euchre()
    assert table.state.to_move == 0
    assert table.options() == ["pass", "order it up", "order it up and go alone"]


def test_the_dealer_takes_the_turned_card_and_may_bury_it() -> None:
    table = euchre()
    table.do("pass", "order it up")
    assert table.state.to_move == 3
    assert sorted(table.options()) == sorted(f"discard {c}" for c in "9d 10d Qd Kd Kc Jc".split())


def test_nobody_but_the_dealer_takes_a_card() -> None:
    table = euchre()
    table.do("order it up", "Kc")
    assert table.state.to_move == 0
    assert len(table.options()) == 5


def test_second_round_leaves_the_turned_suit_out() -> None:
    table = euchre()
    table.do(*["pass"] * 4)
    assert table.state.to_move == 0
    named = table.options()
    assert named[0] == "pass"
    assert len(named) == 7
    assert not any("clubs" in option for option in named)


def test_the_dealer_is_stuck() -> None:
    table = euchre()
    table.do(*["pass"] * 7)
    assert table.state.to_move == 3
    assert "pass" not in table.options()
    assert len(table.options()) == 6


def test_without_stick_two_rounds_of_passes_score_nothing() -> None:
    table = euchre(rule="stick=no")
    table.do(*["pass"] * 8)
    assert table.scores() == (0, 0, 0, 0)


def test_without_going_alone_it_is_not_offered() -> None:
    table = euchre(rule="alone=no")
    assert table.options() == ["pass", "order it up"]


def test_without_going_alone_it_is_not_offered_in_the_second_round_either() -> None:
    table = euchre(rule="alone=no")
    table.do(*["pass"] * 4)
    assert sorted(table.options()) == sorted(
        ["pass", "make spades trump", "make hearts trump", "make diamonds trump"]
    )


def test_going_alone_in_the_second_round_sends_the_partner_out() -> None:
    table = euchre()
    table.do(*["pass"] * 5, "make hearts trump, go alone")
    seats = []
    for _ in range(6):
        seats.append(table.state.to_move)
        table.do(table.options()[0].split()[1])
    assert set(seats) == {0, 1, 2}


def test_follow_suit_when_able() -> None:
    table = euchre()
    table.do("order it up", "Jc", "9s")
    assert table.options() == ["play Qs", "play Ks"]


def test_the_left_bower_does_not_follow_its_printed_suit() -> None:
    # clubs are trump: the jack of spades is a club, so spades are followed with the ace alone
    table = euchre()
    table.do("order it up", "9d", "9s", "Qs")
    assert table.options() == ["play As"]


def test_the_left_bower_must_follow_trump() -> None:
    # a club is led: West holds one, North the queen and the left bower
    table = euchre()
    table.do("order it up", "9d", "9c")
    assert table.options() == ["play 10c"]
    table.do("10c")
    assert table.options() == ["play Js", "play Qc"]


def test_a_led_left_bower_asks_for_trump() -> None:
    # North wins the first trick with the ace of spades and leads the left bower
    table = euchre()
    table.do("order it up", "9d", "9s", "Qs", "As", "10d")
    assert table.state.to_move == 2
    table.do("Js")
    assert set(table.options()) == {"play Kc", "play Jc"}
    table.do("Kc")
    assert table.options() == ["play 9c"]


def test_right_beats_left_beats_ace() -> None:
    hands = {"south": "Ac 9s 10s 9h 10h", "west": "Js Qs Ks Qh Kh", "east": "Jc 9d 10d Qd Kd"}
    table = euchre(up="Kc", north="Qc As Jh Ah 10c", **hands)
    table.do("order it up", "9d")
    table.do("Ac", "Js", "10c", "Jc")
    assert table.state.to_move == 3


def test_void_may_play_anything() -> None:
    hands = {"east": "9d 10d Qd Kd Jd"}
    table = euchre(up="Jc", **hands)
    table.do(*["pass"] * 4, "make diamonds trump")
    table.do("9s", "Qs", "As")
    assert len(table.options()) == 5


def march(*, alone: bool) -> Table:
    """East holds the five top clubs once the jack is taken up."""
    hands = {
        "east": "Js Ac Kc Qc 9d",
        "north": "10d As Jh Ah Ad",
        "south": "9s 10s 9h 10h 9c",
        "west": "Qs Ks Qh Kh 10c",
    }
    table = euchre(up="Jc", **hands)
    table.do("pass", "pass", "pass", "pick it up and go alone" if alone else "pick it up", "9d")
    return table


def play_out(table: Table, seat: int) -> None:
    """The named seat plays from its highest trump down, the others the first legal card."""
    trumps = ["play Jc", "play Js", "play Ac", "play Kc", "play Qc"]
    while table.state.to_move is not None:
        options = table.options()
        wanted = next((t for t in trumps if t in options), options[0])
        table.do((wanted if table.state.to_move == seat else options[0]).split()[1])


def test_a_march_scores_two() -> None:
    table = march(alone=False)
    play_out(table, 3)
    assert table.scores() == (0, 2, 0, 2)


def test_a_lone_march_scores_four_and_the_partner_never_plays() -> None:
    table = march(alone=True)
    seen = set()
    while table.state.to_move is not None:
        seen.add(table.state.to_move)
        trumps = [t for t in ("play Jc", "play Js", "play Ac", "play Kc", "play Qc") if t in table.options()]
        table.do((trumps or table.options())[0].split()[1])
    assert seen == {0, 2, 3}
    assert table.scores() == (0, 4, 0, 4)


def test_the_next_seat_leads_when_the_eldest_sits_out() -> None:
    table = euchre()
    table.do("pass", "pass", "order it up and go alone", "Kc")
    assert table.state.to_move == 1


def test_euchred_makers_give_the_others_two_and_no_more_for_a_lone_hand() -> None:
    # South orders the jack to East with a hand of nines and tens, alone: East and West take everything
    table = euchre(up="Jc", east="Js Ac Kc Qc 9d", north="10d As Jh Ah Ad")
    table.do("order it up and go alone", "9d")
    play_out(table, 3)
    assert table.scores() == (0, 2, 0, 2)


def test_three_tricks_score_one() -> None:
    # clubs: East has the three top trumps and two losing hearts; North wins the hearts
    hands = {
        "east": "Js Ac 9h 10h 9d",
        "north": "10d As Jh Ah Kh",
        "south": "9s 10s Jd Qd 9c",
        "west": "Qs Ks Qh Kd 10c",
    }
    table = euchre(up="Jc", **hands)
    table.do("pass", "pass", "pass", "pick it up", "9d")
    table.do("9s", "Qs", "As", "Ac")
    table.do("Jc", "9c", "10c", "10d")
    table.do("Js", "10s", "Ks", "Jh")
    table.do("9h", "Jd", "Qh", "Ah")
    table.do("Kh", "10h", "Qd", "Kd")
    assert table.scores() == (0, 1, 0, 1)


def test_a_trick_is_won_by_the_suit_led_when_nobody_trumps() -> None:
    hands = {"east": "Ad 10d Qd Kd Kc"}
    table = euchre(**hands)
    table.do("order it up", "Kc")
    table.do("9h", "Qh", "Ah", "10d")
    assert table.state.to_move == 2


def test_euchred_by_three_tricks_gives_the_others_two() -> None:
    # East orders the jack up and takes two tricks; North and South take three
    hands = {
        "east": "Js 9h 10h 9s 9d",
        "north": "10d As Jh Ah Kh",
        "south": "Ks 10s Jd Qd 9c",
        "west": "Qs 10c Qh Kd Ad",
    }
    table = euchre(up="Jc", **hands)
    table.do("pass", "pass", "pass", "pick it up", "9d")
    table.do("Ks", "Qs", "As", "9s")  # North
    table.do("Ah", "9h", "Jd", "Qh")  # North
    table.do("Kh", "10h", "Qd", "Kd")  # North
    table.do("Jh", "Jc", "10s", "Ad")  # East
    table.do("Js", "9c", "10c", "10d")
    assert table.scores() == (2, 0, 2, 0)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0, 2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pair", ["A K", "K Q", "Q J", "J 10", "10 9"])
def test_in_a_plain_suit_each_rank_beats_the_next(pair: str, seed: int) -> None:
    # clubs are trump; North has only spades and East only diamonds to throw on a heart
    high, low = (rank + "h" for rank in pair.split())
    rest = [rank + "h" for rank in "A K Q J 10 9".split() if rank not in pair.split()]
    for led, answer, winner in ((low, high, 1), (high, low, 0)):
        hands = {
            "south": f"{led} 10c Qc Js Jc",
            "west": f"{answer} Kc Ac {rest[0]} {rest[1]}",
            "north": "9s 10s Qs Ks As",
            "east": "9d 10d Jd Qd Kd",
        }
        table = dealt("9c", "", hands, seed)
        table.do("order it up", "9c", led, answer, "9s", "9d")
        assert table.state.to_move == winner


def test_the_lowest_trump_beats_the_highest_plain_card() -> None:
    hands = {"south": "Ah 10h 9h 9s 10s", "west": "Kh Qs Ks Qh 10c", "east": "9c 10d Qd Kd Kc"}
    table = euchre(north="Js As Jh Ad Qc", **hands)
    table.do("order it up", "Jc", "Ah", "Kh", "Jh", "9c")
    assert table.state.to_move == 3


def test_the_winner_of_a_trick_takes_its_cards() -> None:
    table = euchre()
    table.do("order it up", "9d", "9s", "Qs", "As", "10d")
    places = table.state.observe(0).places
    assert [len(places.get(f"seat{seat}.hloc.TAKEN", ())) for seat in range(4)] == [0, 0, 4, 0]


# --- house rules: each with a position that it decides ------------------------------------------

STRONG_EAST = {"east": "Js Ac Kc Qc 9d", "north": "10d As Jh Ah Ad"}
"""With the jack of clubs taken up East holds the five top trumps."""


def replies(table: Table) -> list[tuple[int | None, list[str]]]:
    """Who is asked for what until a card is played."""
    asked = []
    while not table.options()[0].startswith("play"):
        asked.append((table.state.to_move, table.options()))
        table.do("pass")
    return asked


def seats_of_tricks(table: Table, tricks: int) -> list[int]:
    """Who plays, from here on, in so many tricks of two."""
    seats = []
    for _ in range(2 * tricks):
        assert table.state.to_move is not None
        seats.append(table.state.to_move)
        table.do(table.options()[0].split()[1])
    return seats


def test_stick_decides_whether_the_dealer_may_pass_last() -> None:
    for rule, may in (("stick=yes", False), ("stick=no", True)):
        table = euchre(rule=rule)
        table.do(*["pass"] * 7)
        assert ("pass" in table.options()) == may


def test_the_dealers_partner_orders_alone_or_not_at_all() -> None:
    for rule, offered in (("partner=no", 3), ("partner=yes", 2)):
        table = euchre(rule=rule)
        table.do("pass")
        assert table.state.to_move == 1
        assert len(table.options()) == offered
    assert table.options() == ["pass", "order it up and go alone"]


def test_only_the_dealers_partner_and_only_in_the_first_round() -> None:
    table = euchre(rule="partner=yes")
    for _ in range(4):
        seat = table.state.to_move
        assert (order(seat) in table.options()) == (seat != 1)
        table.do("pass")
    table.do("pass")
    assert table.state.to_move == 1
    assert "make hearts trump" in table.options()


def test_where_nobody_plays_alone_the_dealers_partner_orders_as_everybody_does() -> None:
    table = euchre(rule="partner=yes alone=no")
    table.do("pass")
    assert table.options() == ["pass", "order it up"]


def test_the_turned_card_may_be_buried_or_not() -> None:
    for rule, cards in (("bury=yes", "9d 10d Qd Kd Kc Jc"), ("bury=no", "9d 10d Qd Kd Kc")):
        table = euchre(rule=rule)
        table.do("order it up")
        assert sorted(table.options()) == sorted(f"discard {card}" for card in cards.split())


def test_other_cards_of_the_turned_suit_and_rank_may_be_buried() -> None:
    table = euchre(rule="bury=no", east="9d 10d Jd Kd Kc", south="9s 10s 9h 10h Qd")
    table.do("order it up")
    assert {"discard Kc", "discard Jd"} <= set(table.options())


def test_against_a_lone_hand_the_defenders_are_asked_in_turn() -> None:
    asked = [(1, ["pass", "defend alone"]), (3, ["pass", "defend alone"])]
    for rule, expected in (("defend=no", []), ("defend=yes", asked)):
        table = euchre(rule=rule)
        table.do("order it up and go alone", "Kc")
        assert replies(table) == expected
        assert table.state.to_move == 0


def test_the_eldest_defends_first_when_the_dealers_side_plays_alone() -> None:
    table = euchre(rule="defend=yes")
    table.do("pass", "order it up and go alone", "Kc")
    assert [seat for seat, _ in replies(table)] == [0, 2]


def test_the_second_round_is_answered_too() -> None:
    table = euchre(rule="defend=yes")
    table.do(*["pass"] * 6, "make hearts trump, go alone")
    assert [seat for seat, _ in replies(table)] == [1, 3]


def test_nobody_defends_alone_against_partners() -> None:
    for start in (["order it up", "Kc"], [*["pass"] * 4, "make hearts trump"]):
        table = euchre(rule="defend=yes")
        table.do(*start)
        assert replies(table) == []


def test_a_misdeal_asks_nobody_to_defend() -> None:
    table = euchre(rule="defend=yes stick=no")
    table.do(*["pass"] * 8)
    assert table.scores() == (0, 0, 0, 0)


def test_a_lone_defender_sends_the_partner_out() -> None:
    table = euchre(rule="defend=yes")
    table.do("order it up and go alone", "Kc", "defend alone")
    assert table.state.to_move == 0  # East is not asked
    assert set(seats_of_tricks(table, 5)) == {0, 1}
    assert table.state.outcome is not None


@pytest.mark.parametrize("defender", [0, 1, 2, 3])
def test_of_two_seats_that_sit_out_side_by_side_both_are_skipped(defender: int) -> None:
    # whoever plays alone is left or right of the lone defender: then two neighbours sit out
    for maker in ((defender + 1) % 4, (defender + 3) % 4):
        table = euchre(rule="defend=yes")
        table.do(*["pass"] * maker, order_alone(maker), "Kc")
        if table.state.to_move != defender:
            table.do("pass")
        table.do("defend alone")
        seats = seats_of_tricks(table, 5)
        assert set(seats) == {maker, defender}
        assert all(a != b for a, b in zip(seats[::2], seats[1::2], strict=True))
        assert seats[0] == next(seat for seat in (0, 1, 2, 3) if seat in (maker, defender))


@pytest.mark.parametrize(("alone", "points"), [(True, 4), (False, 2)])
def test_a_euchre_by_a_lone_defender_scores_four(alone: bool, points: int) -> None:
    table = euchre(up="Jc", rule="defend=yes", **STRONG_EAST)
    table.do("order it up and go alone", "9d", "pass", "defend alone" if alone else "pass")
    play_out(table, 3)
    assert table.scores() == (0, points, 0, points)


def test_three_tricks_are_enough_for_a_lone_defender() -> None:
    # South alone; East, alone, has the three top trumps; South's ace and king of hearts take the others
    hands = {
        "south": "Ah Kh 9h 10h 9c",
        "west": "Qs Ks Qh 9s 10c",
        "north": "10d As Jh 10s Qc",
        "east": "Js Ac Qd Kd 9d",
    }
    table = euchre(up="Jc", rule="defend=yes", **hands)
    table.do("order it up and go alone", "9d", "pass", "defend alone")
    table.do("Ah", "Qd", "Kh", "Kd", "9h", "Ac", "Jc", "9c", "Js", "10h")
    assert table.scores() == (0, 4, 0, 4)


def test_a_lone_defender_scores_nothing_for_two_tricks() -> None:
    hands = {
        "south": "Ah Kh Qh 9h 9c",
        "west": "Qs Ks 10h 9s 10c",
        "north": "10d As Jh 10s Qc",
        "east": "Js 9d Qd Kd Jd",
    }
    table = euchre(up="Jc", rule="defend=yes", **hands)
    table.do("order it up and go alone", "9d", "pass", "defend alone")
    table.do("Ah", "Qd", "Kh", "Kd", "Qh", "Jd", "9h", "Js", "Jc", "9c")
    assert table.scores() == (1, 0, 1, 0)


def test_a_lone_hand_that_sweeps_a_lone_defender_scores_four() -> None:
    table = euchre(up="Jc", rule="defend=yes", **STRONG_EAST)
    table.do("pass", "pass", "pass", "pick it up and go alone", "9d", "defend alone")
    play_out(table, 3)
    assert table.scores() == (0, 4, 0, 4)


@pytest.mark.parametrize(
    ("maker", "leaders"),
    [(0, (0, 1)), (1, (0, 2)), (2, (1, 3)), (3, (0, 0))],
    ids="first second third dealer".split(),
)
def test_who_leads_against_a_lone_hand(maker: int, leaders: tuple[int, int]) -> None:
    for rule, leader in zip(("lead=dealer", "lead=maker"), leaders, strict=True):
        table = euchre(rule=rule)
        table.do(*["pass"] * maker, order_alone(maker), "Kc")
        assert table.state.to_move == leader
        table = euchre(rule=rule)
        table.do(*["pass"] * (4 + maker), "make hearts trump, go alone")
        assert table.state.to_move == leader


def test_partners_who_make_trump_do_not_change_who_leads() -> None:
    table = euchre(rule="lead=maker")
    table.do("pass", "order it up", "Kc")
    assert table.state.to_move == 0


def test_the_seat_that_sits_out_is_skipped_left_of_a_lone_hand() -> None:
    # South plays alone, East defends alone: West and North sit out
    for rule, leader in (("lead=dealer", 0), ("lead=maker", 3)):
        table = euchre(rule=f"defend=yes {rule}")
        table.do("order it up and go alone", "Kc", "pass", "defend alone")
        assert table.state.to_move == leader
