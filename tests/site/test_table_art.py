"""The picture of the table shows what one seat sees, and nothing else."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from tests.site.page_reader import Element, ids, read

import upcard
from upcard.engine.shared.game import LoadedGame
from upcard.graph.node_layout import Rect, text_width
from upcard.site.card_art import LARGE, SMALL, card
from upcard.site.sample_position import FROM, TO, SamplePosition, moment
from upcard.site.table_art import table_picture

GAMES = ["euchre", "kuhn-poker", "golf-six", "go-fish", "goofspiel", "president", "scarto", "rummy"]


def at_the_table(name: str | Path, seed: int = 0) -> tuple[LoadedGame, SamplePosition]:
    game = upcard.load(name, engine="reference")
    found = moment(game, seed)
    assert found is not None
    return game, found


def faces(picture: Element) -> list[str]:
    cards = [group for group in picture.all("g") if group.attributes.get("class", "").startswith("card")]
    return [group.all("title")[0].text for group in cards]


@pytest.mark.parametrize("name", GAMES)
def test_only_what_the_seat_sees(name: str) -> None:
    _, found = at_the_table(name)
    view = found.view
    seen = {view.card(one) for cards in view.observation.places.values() for one in cards if one is not None}
    picture = read(table_picture(view))
    assert set(faces(picture)) <= seen
    assert set(map(view.card, view.hand)) <= set(faces(picture)), "one's own hand is shown whole"
    assert len(ids(picture)) == len(set(ids(picture))) == 6
    for chair in view.chairs:
        assert any(chair.name == span.text for span in picture.all("tspan"))


@pytest.mark.parametrize("name", GAMES)
def test_no_words_overlap(name: str) -> None:
    _, found = at_the_table(name)
    picture = read(table_picture(found.view))
    (drawing,) = picture.all("svg")
    width, height = map(float, drawing.attributes["viewbox"].split()[2:])
    rooms = []
    for words in drawing.all("text"):
        if words.parent is not None and "card" in words.parent.attributes.get("class", ""):
            continue
        size = float(words.attributes["font-size"])
        room = text_width(words.text, size)
        x, y = float(words.attributes["x"]) - room / 2, float(words.attributes["y"])
        rooms.append((words.text, Rect(x, y - 0.8 * size, room, size)))
    assert len(rooms) >= 2
    for (one, a), (other, b) in combinations(rooms, 2):
        assert not a.overlaps(b), f"{one} and {other}"
    for words_of, room_of in rooms:
        assert room_of.x >= 0, words_of
        assert room_of.x + room_of.width <= width, words_of
        assert room_of.y + room_of.height <= height, words_of


def test_the_sample_position_is_part_way_through_and_reproducible() -> None:
    game, found = at_the_table("hearts", 5)
    assert FROM <= found.decision / found.decisions <= TO
    assert found.decisions == 64
    again = moment(game, 5)
    assert again is not None
    assert table_picture(again.view) == table_picture(found.view)


def test_cards_that_may_not_be_played_lie_lower() -> None:
    for seed in range(20):
        _, found = at_the_table("whist", seed)
        playable = {one for option in found.view.options for one in option.cards}
        if len(playable) < len(found.view.hand):
            break
    height: dict[str, float] = {}
    for group in read(table_picture(found.view)).all("g"):
        for title in group.all("title"):
            place = re.fullmatch(r"translate\((\S+) (\S+)\)", group.attributes["transform"])
            assert place is not None
            height[title.text] = float(place[2])
    high = {height[found.view.card(one)] for one in found.view.hand if one in playable}
    low = {height[found.view.card(one)] for one in found.view.hand if one not in playable}
    assert len(high) == len(low) == 1
    assert max(high) < min(low)


@pytest.mark.parametrize("seats", [1, 2, 3, 5, 6, 9, 12])
def test_any_number_of_players_fits(seats: int, tmp_path: Path) -> None:
    path = tmp_path / "round.rcy"
    path.write_text(
        f"""(game
 (setup (create players {seats})
  (create deck (game iloc PACK) (deck (A (A, B, C, D)) (B (A, B, C, D, E, F)))))
 (do ((all player 'P (repeat 2 (move (top (game iloc PACK)) (top ('P iloc HAND)))))))
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc TRICK)))))))
 (scoring max ((current player) sto SCORE)))
""",
        encoding="utf-8",
    )
    _, found = at_the_table(path)
    picture = read(table_picture(found.view))
    assert (
        len({span.text for span in picture.all("tspan") if span.attributes.get("class") == "name"}) == seats
    )


def test_a_game_without_decisions_has_no_sample_position(tmp_path: Path) -> None:
    path = tmp_path / "none.rcy"
    path.write_text(
        """(game (setup (create players 2) (create deck (game iloc PACK) (deck (RANK (A, B)))))
 (do ((set (game sto X) 1))) (scoring max ((current player) sto S)))""",
        encoding="utf-8",
    )
    assert moment(upcard.load(path, engine="reference"), 0) is None


def test_faces_of_any_words() -> None:
    suited = read(card("10♥", 0, 0, LARGE))
    assert [use.attributes["href"] for use in suited.all("use")] == ["#suit-heart"] * 2
    assert suited.all("g")[0].attributes["class"] == "card red"
    worded = read(card("EXCEEDINGLY-LONG-WORDS", 0, 0, SMALL))
    lines = [line.text for line in worded.all("text")]
    assert len(lines) == 3
    assert all(len(line) <= 5 for line in lines)
    assert worded.all("title")[0].text == "EXCEEDINGLY-LONG-WORDS"
    assert not read(card(None, 0, 0, SMALL)).all("text")
