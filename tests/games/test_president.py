"""President against its rules. Ada is the eldest and leads; hands are Ada, Ben, Cleo, Dan, Eve."""

from __future__ import annotations

from tests.games.tables import Table

import upcard

IN_ORDER = (
    "2s 2h 2c 2d As Ah Ac Ad Ks Kh Kc",
    "Qs Qh Qc Qd Js Jh Jc Jd 10s 10h 10c",
    "Kd 10d 9s 9h 9c 9d 8s 8h 8c 8d",
    "7s 7h 7c 7d 6s 6h 6c 6d 5s 5h",
    "5c 5d 4s 4h 4c 4d 3s 3h 3c 3d",
)
"""Who sits first wins everything: a round that runs through all five places."""

MIXED = (
    "3s 5s 6h 6c 9h 9c 9d Jh Jc Ks Kh",
    "3h 5h 7s 7h 8h 8c 10s 10h Qs Qh Ah",
    "3c 3d 5c 7c 9s 10c Js Qc Kc 2s",
    "4s 4h 6s 7d 8s 10d Jd Kd Ac 2h",
    "4c 4d 5d 6d 8d Qd As Ad 2c 2d",
)


def president(hands: tuple[str, ...], *rules: str) -> Table:
    order = [card for hand in hands for card in hand.split()]
    return Table(upcard.load("president", rules=dict(rule.split("=") for rule in rules)), order)


def offered(table: Table) -> list[str]:
    """What may be played, the cards of a set in a fixed order, and `pass`."""
    return sorted(
        " ".join(sorted(option.removeprefix("play ").split(), key=_suit)) for option in table.options()
    )


def _suit(card: str) -> int:
    return "shcd".find(card[-1])


def play(table: Table, *sets: str) -> None:
    for cards in sets:
        options = [o.removeprefix("play ").split() for o in table.options()]
        (index,) = [i for i, o in enumerate(options) if sorted(o) == sorted(cards.split())]
        table.state.play(index)


def test_all_cards_are_dealt_and_the_eldest_leads() -> None:
    table = president(MIXED)
    assert table.state.to_move == 0
    sizes = [len(table.state.observe(seat).places[f"seat{seat}.iloc.HAND"]) for seat in range(5)]
    assert sizes == [11, 11, 10, 10, 10]
    four = Table(upcard.load("president", rules={"players": "4"}), [])
    assert len(four.state.observe(3).places["seat3.iloc.HAND"]) == 13


def test_a_lead_is_one_to_four_cards_of_a_rank_and_nobody_passes_it() -> None:
    singles = MIXED[0].split()
    pairs = ["6h 6c", "9h 9c", "9h 9d", "9c 9d", "Jh Jc", "Ks Kh"]
    assert offered(president(MIXED)) == sorted([*singles, *pairs, "9h 9c 9d"])
    fours = [o for o in offered(president(IN_ORDER)) if len(o.split()) == 4]
    assert fours == ["2s 2h 2c 2d", "As Ah Ac Ad"]


def test_one_follows_with_as_many_cards_of_a_higher_rank_or_passes() -> None:
    table = president(MIXED)
    play(table, "6h 6c")
    assert table.state.to_move == 1
    assert offered(table) == sorted(["7s 7h", "8h 8c", "10s 10h", "Qs Qh", "pass"])
    play(table, "8h 8c")
    assert table.state.to_move == 2
    assert offered(table) == ["pass"]


def test_an_equal_rank_beats_only_by_house_rule() -> None:
    table = president(MIXED)
    play(table, "5s")
    assert "5h" not in offered(table)
    assert "7s" in offered(table)
    table = president(MIXED, "equal=yes")
    play(table, "5s")
    assert "5h" in offered(table)
    assert "3h" not in offered(table)


def test_the_two_is_highest_then_ace_king_queen_jack_ten() -> None:
    table = president(MIXED)
    for card, seat in (("9h", 0), ("10s", 1), ("Js", 2), ("Kd", 3), ("As", 4)):
        assert table.state.to_move == seat
        play(table, card)
    assert offered(table) == ["pass"]  # Ada's king does not beat an ace
    play(table, "pass")
    assert offered(table) == ["pass"]
    play(table, "pass")
    assert offered(table) == ["2s", "pass"]
    play(table, "2s")
    assert offered(table) == ["pass"]  # Dan's two is no higher


def test_every_rank_beats_the_one_below_and_no_higher_one() -> None:
    ranks = "3 4 5 6 7 8 9 10 J Q K A 2".split()
    rest = [r + s for s in "hcd" for r in ranks]
    hands = (" ".join(f"{rank}s" for rank in ranks), *(" ".join(rest[i : i + 13]) for i in (0, 13, 26)))
    for lead, rank in enumerate(ranks):
        table = president(hands, "players=4")
        play(table, f"{rank}s")
        assert sorted(offered(table)) == sorted(["pass", *(f"{higher}h" for higher in ranks[lead + 1 :])])


def test_who_played_last_leads_anew_when_all_others_have_passed() -> None:
    table = president(MIXED)
    play(table, "6h 6c", "7s 7h", "pass", "pass", "2c 2d")
    assert table.state.to_move == 0
    play(table, "pass", "pass")
    assert table.state.to_move == 4
    assert offered(table) == sorted(["4c", "4d", "4c 4d", "5d", "6d", "8d", "Qd", "As", "Ad", "As Ad"])


def test_who_has_passed_stays_out_until_the_next_lead() -> None:
    table = president(MIXED)
    play(table, "5s", "pass", "7c", "8s", "Qd", "Ks")
    assert table.state.to_move == 2  # Ben has passed
    play(table, "pass", "pass", "As")
    assert table.state.to_move == 0
    play(table, "pass")
    assert table.state.to_move == 4
    play(table, "4c", "6h", "7s")
    assert table.state.to_move == 2


def test_the_house_may_let_those_who_passed_come_in_again() -> None:
    table = president(MIXED, "again=yes")
    play(table, "5s", "pass", "7c", "8s", "Qd", "Ks")
    assert table.state.to_move == 1
    play(table, "Ah", "pass", "2h", "pass", "pass", "pass")
    # Cleo passed before the two was played: it is not hers any more only if she passes again
    assert table.state.to_move == 2
    play(table, "pass")
    assert table.state.to_move == 3
    assert "pass" not in offered(table)


def run_through(table: Table) -> None:
    """Ada, Ben, Cleo, Dan: each leads all there is, and nobody can beat it."""
    leads = ["2s 2h 2c 2d", "As Ah Ac Ad", "Ks Kh Kc", "Qs Qh Qc Qd", "Js Jh Jc Jd", "10s 10h 10c"]
    leads += ["9s 9h 9c 9d", "8s 8h 8c 8d", "10d", "Kd", "7s 7h 7c 7d", "6s 6h 6c 6d", "5s", "5h"]
    for lead in leads:
        play(table, lead)
        while table.state.to_move is not None and "pass" in table.options():
            play(table, "pass")


def test_when_the_last_cards_win_the_next_player_with_cards_leads() -> None:
    table = president(IN_ORDER)
    seats = []
    for lead in ("2s 2h 2c 2d", "As Ah Ac Ad", "Ks Kh Kc"):
        play(table, lead)
        while "pass" in table.options():
            assert table.state.to_move is not None
            seats.append(table.state.to_move)
            play(table, "pass")
    assert seats == [1, 2, 3, 4] * 3
    assert table.state.to_move == 1
    play(table, "Qs Qh Qc Qd")
    assert table.state.to_move == 2


def test_who_has_no_cards_left_is_not_asked_again_where_those_who_passed_may_come_in() -> None:
    table = president(IN_ORDER, "again=yes")
    for lead in ("2s 2h 2c 2d", "As Ah Ac Ad", "Ks Kh Kc"):
        play(table, lead)
        while "pass" in table.options():
            play(table, "pass")
    play(table, "Qs Qh Qc Qd", "pass", "pass", "pass")
    assert table.state.to_move == 1
    assert "pass" not in table.options()


def test_the_president_scores_two_and_the_vice_one() -> None:
    table = president(IN_ORDER)
    run_through(table)
    assert table.scores() == (2, 1, 0, 0, 0)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)


def test_places_score_a_point_for_each_player_beaten() -> None:
    table = president(IN_ORDER, "score=places")
    run_through(table)
    assert table.scores() == (4, 3, 2, 1, 0)
