"""What each piece of a text is to a reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.library import find, names
from upcard.recycle.highlight_roles import Role, pieces
from upcard.recycle.reserved_words import RESERVED

PROGRAM = """;; a duel
(game
 (declare TRUE 'STICK)
 (setup
  (create players 2)
  (create deck (game iloc PACK)
   (deck (SUIT (SPADES (TWIN (CLUBS))) (HEARTS (TWIN (DIAMONDS)))) (RANK (A, K)))))
 (do ((repeat all (move (top (game iloc PACK)) (top ((current player) vloc PILE))))))
 (stage player
  (end (and (== 'STICK TRUE) (> (game sto N) 3)))
  (choice ((any ('P iloc HAND) 'C (inc (game sto N) 2)))))
 (do ((set (game points V) (((SUIT : SPADES) 5))) (set (game str LED) (cardatt SUIT (top (game iloc PACK))))))
 (scoring max ((current player) sto N)))
"""


def roles(text: str) -> list[tuple[str, Role]]:
    return [(piece.text, piece.role) for piece in pieces(text) if piece.role is not Role.SPACE]


@pytest.mark.parametrize(
    ("text", "role"),
    [
        (";; a duel", Role.COMMENT),
        ("declare", Role.BLOCK),
        ("stage", Role.BLOCK),
        ("any", Role.BLOCK),
        ("'STICK", Role.DECLARED),
        ("'C", Role.VARIABLE),
        ("'P", Role.VARIABLE),
        ("PACK", Role.PLACE),
        ("PILE", Role.PLACE),
        ("N", Role.SLOT),
        ("LED", Role.SLOT),
        ("V", Role.SLOT),
        ("SUIT", Role.KEY),
        ("TWIN", Role.KEY),
        ("RANK", Role.KEY),
        ("SPADES", Role.VALUE),
        ("HEARTS", Role.VALUE),
        ("CLUBS", Role.VALUE),
        ("K", Role.VALUE),
        ("TRUE", Role.VALUE),
        ("move", Role.ACTION),
        ("repeat", Role.ACTION),
        ("create", Role.ACTION),
        ("top", Role.OPERATION),
        ("cardatt", Role.OPERATION),
        ("all", Role.OPERATION),
        ("current", Role.OWNER),
        ("iloc", Role.CLASS),
        ("points", Role.STORAGE),
        ("and", Role.LOGIC),
        ("==", Role.OPERATOR),
        ("3", Role.NUMBER),
        (":", Role.MARK),
        ("(", Role.PARENTHESIS),
    ],
)
def test_each_piece_has_its_role_everywhere(text: str, role: Role) -> None:
    found = {known for piece, known in roles(PROGRAM) if piece == text}
    assert found == {role}


def test_game_is_a_block_or_the_table() -> None:
    found = [known for piece, known in roles(PROGRAM) if piece == "game"]
    assert found[0] is Role.BLOCK
    assert set(found[1:]) == {Role.OWNER}


def test_every_word_of_the_language_has_a_role() -> None:
    for word in RESERVED:
        ((_, role),) = roles(word)
        assert role is not Role.WRONG, word


@pytest.mark.parametrize("text", ["Hand", "moov", "'c", "'", ";", "=", "5a", "é", '"A"', "\x00"])
def test_what_is_no_token_is_wrong(text: str) -> None:
    assert Role.WRONG in {role for _, role in roles(f"(game {text} )")}


@pytest.mark.parametrize("name", names())
def test_library_games_have_nothing_wrong(name: str) -> None:
    text = find(name).rules.read_text(encoding="utf-8")
    made = list(pieces(text))
    assert "".join(piece.text for piece in made) == text
    assert not [piece for piece in made if piece.role is Role.WRONG]


@given(st.text(alphabet="()';:,. \n=<ABHgamevlocdeckdeclare01é", max_size=60) | st.text(max_size=30))
def test_any_text_comes_back(text: str) -> None:
    made = list(pieces(text))
    assert "".join(piece.text for piece in made) == text
    assert [piece.start for piece in made] == [
        sum(len(before.text) for before in made[:number]) for number in range(len(made))
    ]
