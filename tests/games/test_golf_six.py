"""Golf with six cards against its rules. South begins, East deals; six cards each, then the first discard."""

from __future__ import annotations

import pytest
from tests.cli.runner import upcard as upcard_command
from tests.games.tables import Table

import upcard

PLACES = ["top left", "top middle", "top right", "bottom left", "bottom middle", "bottom right"]
PLAIN = {
    "south": "3s 4s 5s 6s 7s 8s",
    "west": "3h 4h 5h 6h 7h 8h",
    "north": "3c 4c 5c 6c 7c 8c",
    "east": "3d 4d 5d 6d 7d 8d",
}


def golf(discard: str = "Ks", draws: str = "", turned: bool = True, rule: str = "", **hands: str) -> Table:
    dealt = {**PLAIN, **hands}
    order = [card for cards in dealt.values() for card in cards.split()]
    rules = dict([rule.split("=")]) if rule else {}
    table = Table(upcard.load("golf-six", rules=rules), [*order, discard, *draws.split()])
    if turned:
        table.do(*["turn up the top left card"] * 4, *["turn up the top middle card"] * 4)
    return table


def pair(south: str, west: str, draws: str = "", rules: dict[str, str] | None = None) -> Table:
    """Two players, their first two cards turned up."""
    game = upcard.load("golf-six", rules={"players": "two", **(rules or {})})
    table = Table(game, [*south.split(), *west.split(), "Jh", *draws.split()])
    table.do(*["turn up the top left card"] * 2, *["turn up the top middle card"] * 2)
    return table


def test_everybody_turns_two_cards_up_one_at_a_time() -> None:
    table = golf(turned=False)
    seats = []
    for _ in range(8):
        seats.append(table.state.to_move)
        table.do(table.options()[-1])
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]
    assert table.state.to_move == 0
    assert table.options()[0] == "draw from the stock"


def test_any_face_down_card_may_be_turned_up() -> None:
    table = golf(turned=False)
    assert table.options() == [f"turn up the {place} card" for place in PLACES]
    table.do("turn up the bottom left card", *["turn up the top left card"] * 3)
    assert table.options() == [f"turn up the {place} card" for place in PLACES if place != "bottom left"]


def seen(table: Table, seat: int) -> set[str]:
    view = table.state.observe(seat)
    return {table._face[c] for cards in view.places.values() for c in cards if c}


def test_face_down_cards_are_seen_by_nobody() -> None:
    table = golf()
    for seat in range(4):
        assert seen(table, seat) == {"3s", "4s", "3h", "4h", "3c", "4c", "3d", "4d", "Ks"}


def test_a_turn_draws_from_the_stock_or_takes_the_discard() -> None:
    assert golf().options() == ["draw from the stock", "take the Ks"]


def test_a_drawn_card_is_seen_by_its_player_alone() -> None:
    table = golf(draws="9s")
    table.do("draw from the stock")
    assert "9s" in seen(table, 0)
    assert "9s" not in seen(table, 1)


def test_a_card_from_the_stock_replaces_any_card_or_is_thrown_away() -> None:
    table = golf(draws="9s 9h")
    table.do("draw from the stock")
    assert table.options() == [*(f"replace the {place} card" for place in PLACES), "discard the 9s"]
    table.do("discard the 9s")
    assert table.state.to_move == 1
    assert table.options() == ["draw from the stock", "take the 9s"]


def test_a_card_from_the_discards_must_be_used() -> None:
    table = golf()
    table.do("take the Ks")
    assert table.options() == [f"replace the {place} card" for place in PLACES]


@pytest.mark.parametrize(("place", "out"), list(zip(PLACES, PLAIN["south"].split(), strict=True)))
def test_what_was_there_goes_on_the_discards_whether_face_up_or_down(place: str, out: str) -> None:
    table = golf(draws="9s")
    table.do("draw from the stock", f"replace the {place} card")
    assert table.options()[1] == f"take the {out}"
    assert "9s" in seen(table, 3)


def close(table: Table, places: list[str]) -> None:
    """The seat to move replaces the named cards; the others throw away what they draw."""
    seat = table.state.to_move
    for place in places:
        while table.state.to_move != seat:
            table.do("draw from the stock", table_throw(table))
        table.do("draw from the stock", f"replace the {place} card")


def table_throw(table: Table) -> str:
    """The drawn card is known only after drawing."""
    copy = table.state.copy()
    copy.play(0)
    return copy.moves[-1].text.translate(str.maketrans("♠♥♣♦", "shcd"))


def test_the_others_have_one_more_turn_after_somebodys_last_card_is_up() -> None:
    table = golf()
    close(table, PLACES[2:])
    turns = []
    while table.state.to_move is not None:
        turns.append(table.state.to_move)
        table.do("draw from the stock", table_throw(table))
    assert turns == [1, 2, 3]


def test_closing_again_gives_nobody_another_turn() -> None:
    table = pair("3s 4s 5s 6s 7s 8s", "3h 4h 5h 6h 7h 8h")
    for place in PLACES[2:5]:
        for _ in range(2):
            table.do("draw from the stock", f"replace the {place} card")
    table.do("draw from the stock", "replace the bottom right card")
    assert table.state.to_move == 1
    table.do("draw from the stock", "replace the bottom right card")
    assert table.state.to_move is None


def final(south: str, rules: dict[str, str] | None = None) -> int:
    """South's score with these six cards. West's six cards come to a known sum and are all turned up."""
    spare = [f"{r}{s}" for r in ("9", "10") for s in "shcd" if f"{r}{s}" not in south]
    table = pair(south, " ".join(["Kh", "Ah", "3h", "4h", "5h", spare[0]]), "6h 7h 8h 6d 7d 8d 9d 10d", rules)
    for place in PLACES[2:]:
        table.do("draw from the stock", table_throw(table))  # South
        table.do("draw from the stock", f"replace the {place} card")
    table.do("draw from the stock", table_throw(table))
    return table.scores()[0]


@pytest.mark.parametrize(
    ("rank", "worth"),
    [("A", 1), ("2", -2), *((str(n), n) for n in range(3, 11)), ("J", 10), ("Q", 10), ("K", 0)],
)
def test_what_a_card_counts(rank: str, worth: int) -> None:
    # queens, jacks and kings in columns of their own cancel out but for one column
    column = ["Ks", rank + "c"] if rank != "K" else ["As", "Kc"]
    table = f"{column[0]} Qs Js {column[1]} Qd Jd"
    if rank in "QJ":
        table = f"{column[0]} 4s 5s {column[1]} 4d 5d"
    assert final(table) == (worth if rank != "K" else 1)


@pytest.mark.parametrize("column", [0, 1, 2])
def test_equal_cards_one_above_the_other_count_nothing(column: int) -> None:
    cards = "3s 4s 5s 6s 7s 8s".split()
    whole = 3 + 4 + 5 + 6 + 7 + 8
    first, second = cards[column], cards[column + 3]
    worth = int(first[:-1])
    cards[column + 3] = first[:-1] + "d"
    assert final(" ".join(cards)) == whole - worth - int(second[:-1])


def test_equal_cards_side_by_side_count() -> None:
    assert final("3s 3d 5s 6s 7s 8s") == 3 + 3 + 5 + 6 + 7 + 8
    assert final("3s 4s 5s 7s 3d 8s") == 3 + 4 + 5 + 7 + 3 + 8


def test_a_column_of_twos_counts_nothing() -> None:
    assert final("2s 4s 5s 2d 7s 8s") == 4 + 5 + 7 + 8


def test_twos_count_nothing_as_a_house_rule() -> None:
    assert final("2s 4s 5s 6s 7s 8s", {"twos": "nothing"}) == 4 + 5 + 6 + 7 + 8
    assert final("2s 4s 5s 6s 7s 8s") == -2 + 4 + 5 + 6 + 7 + 8


def test_the_lowest_score_wins() -> None:
    table = pair("Ks Qs Js Kd Qd Jd", "3h 4h 5h 6h 7h 8h", "9s 9h 9c 9d")
    for place in PLACES[2:]:
        table.do("draw from the stock", table_throw(table))
        table.do("draw from the stock", f"replace the {place} card")
    table.do("draw from the stock", table_throw(table))
    assert table.scores()[0] == 0
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)


def test_a_used_up_stock_is_made_of_the_discards_below_the_top_one() -> None:
    table = pair("3s 4s 5s 6s 7s 8s", "3h 4h 5h 6h 7h 8h")
    for _ in range(52 - 12 - 1):
        thrown = table_throw(table)
        table.do("draw from the stock", thrown)
    view = table.state.observe(0)
    assert len(view.places["table.vloc.DISCARD"]) == 1
    assert len(view.places["table.iloc.STOCK"]) == 39
    top = table.options()[1]
    assert top.removeprefix("take the ") in thrown
    table.do("draw from the stock")
    assert top.removeprefix("take the ") not in table.options()[-1]


def test_cards_turned_up_at_the_end_are_said_with_their_places() -> None:
    """Three players in a row had a card "there"."""
    lines = upcard_command("watch", "golf-six", "--seed", "2").stdout.splitlines()
    assert lines[-2] == "East has 4♠ at the top middle."
    assert "East lays 5♥ in its place." in lines
    assert not [line for line in lines if line.endswith("there.")]
