"""The picture of the movement graph: well-formed, readable, and true to what was counted."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.contrast import contrast
from tests.graph.movements import EDGES, NODES, small_game

import upcard
from upcard.engine.api import TABLE, Place
from upcard.graph.fold import fold
from upcard.graph.movement import Movement, kind_of, movement
from upcard.graph.node_layout import Rect
from upcard.graph.svg import STYLE, Caption, Picture, dot, picture, svg
from upcard.library import names

SVG = "{http://www.w3.org/2000/svg}"
CAPTION = Caption("How & where <cards> move", "One game")


def drawn(name: str, games: int = 1) -> Picture:
    game = upcard.load(name)
    return picture(movement(game, games, 4), game.narrator, CAPTION)


def within(inner: Rect, outer: Rect) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


@pytest.mark.parametrize("name", names())
def test_every_library_game_can_be_read(name: str) -> None:
    made = drawn(name)
    for one, other in combinations(made.texts, 2):
        assert not one.room.overlaps(other.room), f"{one.text} and {other.text}"
    for text in made.texts:
        assert text.text.strip()
        assert within(text.room, Rect(0, 0, made.width, made.height)), text.text
    for one_box, other_box in combinations(made.layout.boxes.values(), 2):
        assert not one_box.frame.overlaps(other_box.frame)
    for node, rect in made.layout.nodes.items():
        assert within(rect, made.layout.boxes[node.owner].frame)
        assert made.words[node].name
    assert set(made.counts) == {one.line for one in made.routes}, "each way has its number"


@pytest.mark.parametrize("name", names())
def test_ways_run_over_no_place_and_no_name(name: str) -> None:
    made = drawn(name)
    assert made.routes
    for one in made.routes:
        points = one.points(3.0)
        for node, rect in made.layout.nodes.items():
            assert not any(rect.grown(-1).holds(point) for point in points), (one.line, node)
        for box in made.layout.boxes.values():
            assert not any(box.title.holds(point) for point in points), (one.line, box.owner)
        source, target = made.layout.nodes[one.line.source], made.layout.nodes[one.line.target]
        assert source.grown(1).holds(points[0])
        assert target.grown(1).holds(points[-1])


def test_the_small_game_is_drawn_whole(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    root = ElementTree.fromstring(svg(movement(game), game.narrator, CAPTION))
    places = [
        rect.get("class", "") for rect in root.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None
    ]
    assert sorted(places) == sorted(f"node {kind}" for kind in NODES.values())
    ways = [
        group.find(f"{SVG}path") for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None
    ]
    assert sorted(way.get("class", "") for way in ways if way is not None) == sorted(
        f"way {kind}" for _, _, kind in EDGES
    )
    written = [text.text for text in root.iter(f"{SVG}text")]
    assert "How & where <cards> move" in written
    assert written.count("Hand") == 2
    assert "hidden, 6 cards" in written
    assert {"Table", "p0", "p1"} <= set(written)
    numbers = sorted(text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") == "count")
    assert numbers == sorted(str(count) for count in EDGES.values())


def test_more_cards_make_wider_lines(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    root = ElementTree.fromstring(svg(movement(game), game.narrator, CAPTION))
    widths: dict[str, set[float]] = {}
    for group in root.iter(f"{SVG}g"):
        title, path = group.find(f"{SVG}title"), group.find(f"{SVG}path")
        if title is not None and path is not None and title.text:
            found = re.search(r": (\d+) in 1 game, (\w+)$", title.text)
            assert found is not None
            widths.setdefault(f"{found[2]} {found[1]}", set()).add(float(path.get("stroke-width", "0")))
    assert len(widths["plain 1"]) == len(widths["plain 2"]) == 1
    assert min(widths["plain 2"]) > max(widths["plain 1"])


def test_a_width_means_one_number_of_cards_whatever_the_kind(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    root = ElementTree.fromstring(svg(movement(game), game.narrator, CAPTION))
    widths: dict[str, set[str]] = {}
    kinds: dict[str, set[str]] = {}
    for group in root.iter(f"{SVG}g"):
        title, path = group.find(f"{SVG}title"), group.find(f"{SVG}path")
        if title is not None and path is not None and title.text:
            found = re.search(r": (\d+) in 1 game, (\w+)$", title.text)
            assert found is not None
            widths.setdefault(found[1], set()).add(path.get("stroke-width", ""))
            kinds.setdefault(found[1], set()).add(found[2])
    assert len(kinds["1"]) == 4, "public, plain, taken and remembered"
    assert all(len(found) == 1 for found in widths.values()), widths


def test_text_is_drawn_last_and_colours_follow_the_reader(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    text = svg(movement(game), game.narrator, CAPTION)
    assert text.rindex("<path") < text.index("<text")
    assert text.rindex("<rect") < text.index("<text")
    assert "prefers-color-scheme: dark" in text
    for way in ("taken", "shared", "remembered"):
        assert re.search(rf"\.way\.{way} {{[^}}]*stroke-dasharray", text), way
    light, dark = (re.findall(r"(--[a-z-]+): #", part) for part in text.split("@media")[:2])
    assert sorted(light) == sorted(dark)


def test_a_picture_has_a_name_and_states_its_finding(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    root = ElementTree.fromstring(svg(movement(game), game.narrator, None))
    title, about = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert about is not None
    assert title.text == "How the cards move"
    assert about.text == (
        "One game, 15 moves of cards: 3 into public places, 1 taken from public places, 6 given to another "
        "player, 5 between places that not everyone sees, 1 noted in a memory."
    )


def test_names_come_from_the_sheet() -> None:
    made = drawn("euchre")
    assert list(made.owners.values()) == ["Table", "South", "West", "North", "East"]
    assert {words.name for words in made.words.values()} >= {"Hand", "Trick", "Pack", "Upcard"}


def test_places_used_alike_are_drawn_once() -> None:
    game = upcard.load("golf-six")
    made = movement(game)
    folded, apart = fold(made), fold(made, every_place=True)
    assert len(apart.nodes) == len(made.places) == 54
    assert len(folded.nodes) == 14
    assert sum(line.count for line in folded.lines) == sum(made.edges.values())
    assert {place for places in folded.nodes.values() for place in places} == made.places
    for node, places in folded.nodes.items():
        assert {place.owner for place in places} == {node.owner}
        assert len({kind_of(place) for place in places}) == 1


def test_numbered_places_are_one_node() -> None:
    made = Movement(2)
    made.places = {Place(TABLE, "vloc", "MELD", number) for number in range(3)}
    (places,) = fold(made).nodes.values()
    assert [place.number for place in places] == [0, 1, 2]


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6, 7, 8, 11])
def test_any_number_of_players_finds_a_seat(seats: int, tmp_path: Path) -> None:
    path = tmp_path / "round.rcy"
    path.write_text(
        f"""(game
 (setup (create players {seats}) (create deck (game iloc PACK) (deck (A (A, B, C, D)) (B (A, B, C, D)))))
 (do ((all player 'P (do ((move (top (game iloc PACK)) (top ('P iloc HAND)))
  (move (top ('P iloc HAND)) (top ((next player) iloc HAND)))
  (move (top (game iloc PACK)) (top (game iloc PACK))))))))
 (scoring max ((current player) sto SCORE)))
""",
        encoding="utf-8",
    )
    game = upcard.load(path, engine="reference")
    made = picture(movement(game), game.narrator, CAPTION)
    assert len(made.layout.boxes) == seats + 1
    for one, other in combinations(made.layout.boxes.values(), 2):
        assert not one.frame.overlaps(other.frame)
    for one_text, other_text in combinations(made.texts, 2):
        assert not one_text.room.overlaps(other_text.room)
    ElementTree.fromstring(svg(movement(game), game.narrator, CAPTION))


def test_a_back_of_their_own_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "backs.rcy"
    path.write_text(
        """(game
 (setup (create players 2)
  (create deck BLUE (game iloc PACK) (deck (RANK (A, B))))
  (create deck (game iloc BOX) (deck (RANK (C, D)))))
 (do ((move (top (game iloc PACK)) (top ((0 player) iloc HAND)))
  (move (top (game iloc BOX)) (top ((1 player) iloc HAND)))))
 (scoring max ((current player) sto SCORE)))
""",
        encoding="utf-8",
    )
    game = upcard.load(path, engine="reference")
    made = movement(game)
    marked = {place.text for place in made.places if made.own_back(place)}
    assert marked == {"table.iloc.PACK", "seat0.iloc.HAND"}, "where such cards lie, not only where they start"
    root = ElementTree.fromstring(svg(made, game.narrator, CAPTION))
    bold = [rect.find(f"{SVG}title") for rect in root.iter(f"{SVG}rect") if "backs" in rect.get("class", "")]
    assert len(bold) == 2
    assert dot(made, game.narrator, CAPTION).count("penwidth=3]") == 2
    (pack,) = [node for node in made.to_json()["nodes"] if node["id"] == "seat0.iloc.HAND"]
    assert pack["backs"] == ["BLUE"]


def test_words_on_places_and_lines_can_be_read() -> None:
    """A contrast of 4.5 : 1 at least, in both settings."""
    for part in STYLE.split("@media")[:2]:
        colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part))
        for text in ("ink", "soft"):
            for ground in ("page", "public", "private", "hidden", "memory"):
                assert contrast(colours[text], colours[ground]) >= 4.5, f"{text} on {ground}"


def test_dot_names_every_place_and_way(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    text = dot(movement(game), game.narrator, Caption('The "best" game', ""))
    assert r'label="The \"best\" game"' in text
    for place in NODES:
        assert f'"{place}" [label=' in text
    for source, target, _ in EDGES:
        assert f'"{source}" -> "{target}" [label=' in text
    assert text.count("{") == text.count("}")
