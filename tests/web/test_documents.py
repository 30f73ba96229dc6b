"""Differences, names of cards, drawings, and the schema of the messages."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

import upcard
from upcard.web import messages
from upcard.web.card_names import card_name
from upcard.web.card_symbols import symbols
from upcard.web.merge_patch import difference, patched
from upcard.web.message_schema import schema
from upcard.web.public_observation import public
from upcard.web.tokens import holder, new_code, tidy_code


def random_document(draw: random.Random, depth: int = 0) -> dict[str, Any]:
    def value() -> Any:
        if depth < 3 and draw.random() < 0.3:
            return random_document(draw, depth + 1)
        return draw.choice([0, 1, 2, "", "a", [0], [1], True])

    return {key: value() for key in "abcd" if draw.random() < 0.6}


@pytest.mark.parametrize("seed", range(100))
def test_a_difference_leads_from_one_document_to_the_other(seed: int) -> None:
    draw = random.Random(seed)
    old, new = random_document(draw), random_document(draw)
    patch = json.loads(json.dumps(difference(old, new)))
    # JSON knows no difference between 1 and True, which are equal in Python
    assert json.dumps(patched(old, patch), sort_keys=True) == json.dumps(new, sort_keys=True)
    assert difference(new, new) == {}


def test_names_of_cards() -> None:
    assert card_name("K♠") == "king of spades"
    assert card_name("10♦") == "ten of diamonds"
    assert card_name("Q") == "queen"
    assert card_name("Fool") == "Fool"


@pytest.mark.parametrize("game", upcard.games())
def test_every_card_of_a_game_has_a_name_and_a_drawing(game: str) -> None:
    loaded = upcard.load(game, engine="reference")
    seen = loaded.deal(seed=1).observe(0)
    faces = {card: loaded.narrator.card(card, seen.cards) for card in seen.cards}
    drawing = symbols(faces)
    for card, face in faces.items():
        assert f'id="card-{card}"' in drawing
        assert card_name(face)


def test_spectators_see_what_every_seat_sees() -> None:
    state = upcard.load("euchre", engine="reference").deal(seed=7)
    seen = public([state.observe(seat) for seat in range(4)])
    assert seen.places["table.vloc.UPCARD"] == state.observe(0).places["table.vloc.UPCARD"]
    assert all(seen.places[f"seat{seat}.iloc.HAND"] == (None,) * 5 for seat in range(4))
    hidden = {card for seat in range(4) for card in state.observe(seat).places[f"seat{seat}.iloc.HAND"]}
    moved = [record for record in seen.records if record["do"] != "create"]  # which cards there are is public
    assert not [card for card in hidden if str(card) in json.dumps(moved)]
    assert seen.moves == ()


def test_codes_and_tokens() -> None:
    code = new_code()
    assert tidy_code(code) == tidy_code(f" {code.lower().replace('-', '')} ") == code
    for wrong in ("", "AAAA", "AAAA-AAA0", "AAAA-AAAAA", "ÄÄÄÄ-ÄÄÄÄ"):
        assert tidy_code(wrong) is None
    assert holder("x", {}) is None


def test_the_schema_names_every_message() -> None:
    found = schema()
    for name in ("Join", "Sit", "Start", "Play", "Continue", "Hint", "Review", "Rematch", "Say", "Leave"):
        assert name in found["$defs"]
    for name in ("Welcome", "Change", "Seated", "Advice", "Refused", "Document", "Settings", "Lobby"):
        assert name in found["$defs"]
    asked = [sys.executable, "-m", "upcard.web.message_schema"]
    printed = subprocess.run(asked, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert json.loads(printed) == found


def test_what_is_no_message_is_refused() -> None:
    for data in (
        b"",
        b"null",
        b"{}",
        b'{"type":"shout"}',
        b'{"type":"play"}',
        b'{"type":"play","turn":1,"option":1}',
    ):
        with pytest.raises(messages.BadMessage):
            messages.parse(data)
