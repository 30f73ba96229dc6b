"""How cards move, counted: a game followed by hand, and what must hold of every game."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.graph.movements import EDGES, NODES, small_game

import upcard
from upcard.engine.api import TABLE, Place, walk_records
from upcard.graph.movement import Movement, kind_of, movement, movements, place_of, way_of
from upcard.library import names
from upcard.players import RandomPlayer


def edges_of(made: Movement) -> dict[tuple[str, str, str], int]:
    return {(edge["from"], edge["to"], edge["kind"]): edge["count"] for edge in made.to_json()["edges"]}


def test_a_game_followed_by_hand(tmp_path: Path) -> None:
    made = movement(small_game(tmp_path))
    data = made.to_json()
    assert {node["id"]: node["kind"] for node in data["nodes"]} == NODES
    assert edges_of(made) == EDGES
    assert made.moves == data["moves"] == 15
    assert data["cards"] == 6
    # one card stays in the stock; the swap shows each player what the other held
    assert data["seen"] == [5, 5]
    (stock,) = [node for node in data["nodes"] if node["starts"]]
    assert stock["id"] == "table.iloc.STOCK"
    assert stock["starts"] == {"DEFAULT": 6}
    assert (stock["owner"], stock["class"], stock["name"]) == ("table", "iloc", "STOCK")


def test_many_games_add_up(tmp_path: Path) -> None:
    made = movement(small_game(tmp_path), games=5)
    assert made.games == 5
    assert edges_of(made) == {edge: 5 * count for edge, count in EDGES.items()}
    assert made.to_json()["seen"] == [25, 25]


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        (Place(TABLE, "vloc", "A"), "public"),
        (Place(0, "vloc", "A"), "public"),
        (Place(TABLE, "oloc", "A"), "public"),
        (Place(0, "oloc", "A"), "private"),
        (Place(0, "iloc", "A"), "private"),
        (Place(TABLE, "iloc", "A"), "hidden"),
        (Place(TABLE, "hloc", "A"), "hidden"),
        (Place(1, "hloc", "A"), "hidden"),
        (Place(TABLE, "mem", "A"), "memory"),
    ],
)
def test_kinds_of_places(place: Place, kind: str) -> None:
    assert kind_of(place) == kind


@pytest.mark.parametrize(
    ("source", "target", "way"),
    [
        ("table.vloc.A", "seat0.vloc.A", "public"),
        ("table.iloc.A", "table.vloc.A", "public"),
        ("seat0.vloc.A", "seat0.iloc.A", "taken"),
        ("seat0.vloc.A", "table.iloc.A", "taken"),
        ("seat0.iloc.A", "seat1.iloc.A", "shared"),
        ("seat0.iloc.A", "seat1.hloc.A", "shared"),
        ("seat0.iloc.A", "table.iloc.A", "plain"),
        ("seat0.iloc.A", "table.hloc.A", "plain"),
        ("seat0.iloc.A", "seat0.hloc.A", "plain"),
        ("seat0.iloc.A", "seat0.iloc.B", "plain"),
        ("table.iloc.A", "seat0.iloc.A", "plain"),
        ("seat0.hloc.A", "seat1.iloc.A", "plain"),
    ],
)
def test_ways(source: str, target: str, way: str) -> None:
    assert way_of(place_of(source), place_of(target)) == way


def test_places_are_read_from_records() -> None:
    for place in (Place(TABLE, "vloc", "MELD", 3), Place(12, "iloc", "HAND"), Place(0, "mem", "SEEN")):
        assert place_of(place.text) == place


@pytest.mark.parametrize(("name", "nodes", "edges"), [("agram", 8, 9)])
def test_published_sizes(name: str, nodes: int, edges: int) -> None:
    data = movement(upcard.load(name)).to_json()
    assert (len(data["nodes"]), len(data["edges"])) == (nodes, edges)


@pytest.mark.parametrize("name", names())
def test_every_move_of_a_library_game_is_counted(name: str) -> None:
    game = upcard.load(name)
    state = game.deal(3, 0)
    players = [RandomPlayer(3, 0, seat) for seat in range(game.seats)]
    while (seat := state.to_move) is not None:
        state.play(players[seat].pick(state.choices))
    done = list(walk_records(state.records))
    made = movement(game, 1, 3)
    moved = sum(record["do"] == "move" for record in done)
    swapped = sum(2 for record in done if record["do"] == "swap" and "card" in record)
    exact = not any(record["do"] == "swap" and "card" not in record for record in done)
    assert made.moves == moved + swapped if exact else made.moves > moved
    noted = sum(count for edge, count in made.edges.items() if edge.way == "remembered")
    assert noted == sum(record["do"] == "remember" for record in done)
    held = {edge.source for edge in made.edges} | {edge.target for edge in made.edges}
    assert held <= made.places
    assert all(place.name and place.number >= 0 for place in made.places)
    assert made.cards == len(state.faces)
    assert all(0 < seen <= made.cards for seen in made.seen)


def test_the_same_for_any_number_of_workers() -> None:
    game = upcard.load("kuhn-poker")
    alone = movement(game, 25, 7)
    assert alone.games == 25
    together = movement(game, 25, 7, workers=2)
    assert together.to_json() == alone.to_json()


def test_pieces_come_in_deal_order() -> None:
    game = upcard.load("kuhn-poker")
    parts = [part.to_json() for part in movements(game, 4, 1)]
    assert len(parts) == 4
    again = Movement(game.seats)
    for part in movements(game, 2, 1):
        again.merge(part)
    merged = movement(game, 2, 1)
    assert again.to_json() == merged.to_json()
    assert parts[0] == movement(game, 1, 1).to_json()


def test_both_engines_move_cards_alike() -> None:
    native, book = upcard.load("cribbage"), upcard.load("cribbage", engine="reference")
    assert movement(native, 2, 5).to_json() == movement(book, 2, 5).to_json()


def test_a_game_that_fails_is_counted_as_far_as_it_went(tmp_path: Path) -> None:
    path = tmp_path / "failing.rcy"
    path.write_text(
        """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B)))))
 (do ((move (top (game iloc STOCK)) (top (game vloc PILE)))
      (move (top (game vloc NONE)) (top (game vloc PILE)))))
 (scoring max ((current player) sto SCORE)))
""",
        encoding="utf-8",
    )
    made = movement(upcard.load(path))
    assert made.failed == 1
    assert edges_of(made) == {("table.iloc.STOCK", "table.vloc.PILE", "public"): 1}
