"""One message for one mistake."""

from __future__ import annotations

import pytest
from tests.recycle.check_text import checked, game

# --- one message for one mistake -----------------------------------------------------------------

FIVE = {
    "words and values": (
        ["E107", "E301", "E302", "E201", "E303"],
        game(
            """(do (
              (shufle (game iloc STOCK))
              (inc ('NOBODY sto X) 1)
              (inc (game sto X) HEARTS)
              (move (top (game iloc STOCK)))
              ((== (current player) 3) (turn pass))))"""
        ),
    ),
    "characters": (
        ["E102", "E105", "E104", "E106", "E103"],
        game(
            """(do (
              (set (game str X) "HEARTS")
              (shuffle (game vloc PILE2))
              (all player 'p (turn pass))
              (inc (game sto X) 99999999999999999999)
              (turn pass) ; done
              ))"""
        ),
    ),
    "shapes": (
        ["E205", "E207", "E208", "E203", "E209"],
        game(
            """(do ((choice ((turn pass)))))
               (do (turn pass))
               (do ((repeat all (turn pass))))
               (shuffle (game iloc STOCK))
               (choice ((create teams (0, 1))))"""
        ),
    ),
    "setup": (
        ["E213", "E114", "E402", "E210", "E201"],
        game(
            "(stage player (choice ((turn pass))))",
            """(create players 4)
               (create teams (0, 2) 1)
               (create deck (game mem STOCK) (deck (RANK (A, K))))
               (create deck (game iloc STOCK) (deck (RANK (A K))))
               (shuffle (game iloc STOCK))""",
        ),
    ),
    "collections": (
        ["E304", "E211", "E302", "E202", "E201"],
        game(
            """(all ((current team) iloc HAND) 'C (turn pass))
               (do ((shuffle (game vloc new))))
               (all 7 'N (inc (game sto X) 'N))
               (all () 'N (turn pass))
               (all (game iloc STOCK) N (move 'N (top (game vloc PILE))))"""
        ),
    ),
    "point maps": (
        ["E212", "E212", "E302", "E201", "E204"],
        game(
            """(do (
              (set (game points V) ((RANK : A) 3))
              (set (game points V) (((RANK : A) (SUIT : H))))
              (inc (game sto X) (sum (game iloc STOCK) using (game sto V)))
              (inc (game sto X) (sum (game iloc STOCK) (game points V)))
              (inc (game sto X) (shuffle (game iloc STOCK)))))"""
        ),
    ),
    "wrong variables": (
        ["E305", "E302", "E301", "E302", "E201"],
        game(
            """(all 'N 'K (inc (game sto X) 'K))
               (all player 'P (do ((inc ('Q sto X) 1) (inc ('P sto X) 1))))
               (all (RED, BLUE) 'C (do ((inc ('C sto X) 1) (inc ('C sto Y) 1) (cycle next 'C))))
               (let 3 M (inc (game sto X) 'M))""",
            declares="(declare (current player) 'WHO) (declare 3 'N)",
        ),
    ),
    "control": (
        ["E201", "E201", "E201", "E201", "E210"],
        game(
            """(stage (end (== 1 1)) (do ((turn pass))))
               (stage player (end (== 1 1) (== 2 2)) (do ((turn pass))))
               (do (((== 1 1))))
               (choice ((turn)))
               (end (== 1 1))"""
        ),
    ),
}


@pytest.mark.parametrize("name", FIVE)
def test_five_mistakes_give_five_messages(name: str) -> None:
    expected, text = FIVE[name]
    result = checked(text)
    found = [d.code for d in result.diagnostics]
    assert sorted(found) == sorted(expected), [(d.code, d.message) for d in result.diagnostics]
    assert [d.span.start for d in result.diagnostics] == sorted(d.span.start for d in result.diagnostics)
