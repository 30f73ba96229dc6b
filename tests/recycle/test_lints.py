"""What the lints say, and where."""

from __future__ import annotations

import pytest
from tests.recycle.lint_text import (
    FOLLOW,
    LEAD,
    PLAY,
    RESET,
    VALUES,
    game,
    marked,
    stage,
    warnings,
)

from upcard.recycle.frontend import check
from upcard.recycle.source import Source

WARN: list[tuple[str, str]] = [
    # W502: any outside a choice
    ("W502", game("(any player 'P (inc ('P sto SCORE))) ;; here", stage(PLAY))),
    ("W502", game("(do ((turn pass)\n (any (range 1..3) 'N (inc (game sto POT) 'N)))) ;; here", stage(PLAY))),
    # W503: scoring through the team cycle
    (
        "W503",
        game(
            "(all team 'T (inc ('T sto SCORE)))", scoring="(scoring max\n ((current team) sto SCORE)) ;; here"
        ),
    ),
    ("W503", game(scoring="(scoring min (+ 1\n (size (other team)))) ;; here")),
    # W504: read but never written
    (
        "W504",
        game(
            "(do ((set (game str TRUMPSUIT) H)))",
            "(do (((== (game str TRUMPSIUT) H) ;; here\n (turn pass))))",
            "(do (((== (game str TRUMPSUIT) H) (turn pass))))",
        ),
    ),
    (
        "W504",
        game(stage(PLAY), scoring="(scoring max (sum (game vloc PILE) using\n (game points WORTH))) ;; here"),
    ),
    ("W504", game("(do (((== (size\n (game mem SEEN)) 0) ;; here\n (turn pass))))")),
    (
        "W504",
        game(
            "(all player 'P (inc ('P sto POINTS)))",
            scoring="(scoring max\n ((current player) sto PIONTS)) ;; here",
        ),
    ),
    (
        "W504",
        game(
            "(all team 'T (inc ('T sto POINTS)))",
            scoring="(scoring max\n ((current player) sto POINTS)) ;; here",
        ),
    ),
    (
        "W504",
        game(
            stage(PLAY, end="(or (== (game sto TURN) 9) (== (size\n (game vloc STOCK)) 0)) ;; here"),
            stage(PLAY),
        ),
    ),
    (
        "W504",
        game(
            stage(PLAY),
            "(do ((repeat all (move (top\n (game vloc PIEL)) ;; here\n (top (game vloc OUT))))))",
        ),
    ),
    # W505: one letter away
    (
        "W505",
        game(
            "(do ((set (game sto ROUND) 1)))",
            "(do (((== (game sto ROUND) 1)\n (set (game sto ROUMD) 2)))) ;; here",
        ),
    ),
    (
        "W505",
        game(
            stage(PLAY),
            "(do (((> (size (game vloc PILE)) 1) (move (top (game vloc PILE))\n (top (game vloc"
            " PIKLE)))))) ;; here",
        ),
    ),
    # W506: no such value, no such key
    ("W506", game("(do ((set (game points V) (((RANK : A) 1)\n ((RANK : TWO) 2))))) ;; here", stage(PLAY))),
    ("W506", game("(do ((set (game points V) (((RANK : A) 1)\n ((SIUT : H) 2))))) ;; here", stage(PLAY))),
    ("W506", game("(do (((== (cardatt SUIT (top (game iloc STOCK)))\n HEARTS) ;; here\n (turn pass))))")),
    ("W506", game("(do (((!= (cardatt\n COLOR ;; here\n (top (game iloc STOCK))) NONE) (turn pass))))")),
    ("W506", game("(do (((> (size (partition\n COLOR ;; here\n (game iloc STOCK))) 2) (turn pass))))")),
    # W507: a stage that cannot end
    ("W507", game(stage(PLAY, end="\n (== (game sto ROUND) 3) ;; here"))),
    (
        "W507",
        game("(stage team (end\n (== (size ((current player) iloc HAND)) 0)) ;; here\n (do ((turn pass))))"),
    ),
    (
        "W507",
        game(
            "(do ((set (game sto N) 1)))",
            stage("(do ((inc (game sto M))))", end="\n (== (game sto N) 2) ;; here"),
        ),
    ),
    # W508: many subsets
    (
        "W508",
        game(
            stage(
                "(choice ((turn pass) (any\n (subsets ((current player) iloc HAND)) 'S ;; here\n"
                " (repeat all (move (top 'S) (top ((next player) iloc HAND)))))))"
            )
        ),
    ),
    (
        "W508",
        game(
            "(do (((> (size\n (subsets (filter (game iloc STOCK) 'C (!= (cardatt RANK 'C) A))))"
            " 3) ;; here\n (turn pass))))",
            deal="",
        ),
    ),
    # W509: looking at hidden cards
    (
        "W509",
        game(
            stage(
                "(choice ((turn pass) (\n (== (cardatt SUIT (top (game iloc STOCK))) H) ;; here\n"
                " (move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))"
            )
        ),
    ),
    (
        "W509",
        game(
            stage(
                "(choice ((turn pass) (any (other player) 'P (any (filter ('P iloc HAND) 'C\n"
                " (== (cardatt RANK 'C) A)) 'C ;; here\n (move 'C (top (game vloc PILE)))))))"
            )
        ),
    ),
    (
        "W509",
        game(
            "(all player 'P (move (top ('P iloc HAND)) (top ('P hloc ROW))))",
            stage(
                "(choice ((turn pass) (any ((current player) hloc ROW) 'C (\n"
                " (== (cardatt RANK 'C) A) ;; here\n (move 'C (top (game vloc PILE)))))))"
            ),
        ),
    ),
    (
        "W509",
        game(
            stage(
                "(let\n (cardatt SUIT (top (game iloc STOCK))) ;; here\n 'S (choice ((turn pass) ((== 'S H)"
                " (move (top (game iloc STOCK)) (top ((current player) iloc HAND)))))))"
            )
        ),
    ),
    # W510: nothing left to choose
    ("W510", game("\n(choice (((== (game sto X) 1) (turn pass)))) ;; here")),
    (
        "W510",
        game(
            RESET,
            stage(
                f"(choice ( ;; here\n((== (game str LEAD) NONE) {LEAD})\n((!= (game str LEAD)"
                f" NONE) (any {FOLLOW} 'C (turn pass)))))"
            ),
        ),
    ),
    ("W510", game(RESET, stage(f"(choice ( ;; here\n (any {FOLLOW} 'C (move 'C (top (game vloc PILE))))))"))),
    (
        "W510",
        game(
            "(do ((set (game str PHASE) DRAW)))",
            stage(
                "(choice ( ;; here\n((== (game str PHASE) DRAW) (set (game str PHASE) PLAY))\n"
                "((== (game str PHASE) PLAY) (set (game str PHASE) STOP))))",
                end="(== (game str PHASE) NEVER)",
            ),
        ),
    ),
    (
        "W510",
        game(
            stage(
                "(choice ( ;; here\n (any ((current player) iloc HAND) 'C ((== (cardatt RANK 'C) A)"
                " (move 'C (top (game vloc PILE)))))))"
            )
        ),
    ),
    (
        "W510",
        game(
            "(do ((set (game sto N) (size (game iloc STOCK)))))",
            stage("(choice ( ;; here\n((< (game sto N) 3) (turn pass))\n((> (game sto N) 3) (turn pass))))"),
        ),
    ),
    (
        "W510",
        game(
            VALUES,
            stage(
                "(choice ( ;; here\n (any (runs all 3 ((current player) iloc HAND) using (game"
                " points VALUE)) 'R (repeat all (move (top 'R) (top (game vloc PILE)))))))"
            ),
        ),
    ),
    # W511: players in no team
    (
        "W511",
        game(
            teams="\n(create teams (0, 1)) ;; here",
            scoring="(scoring max ((team (current player)) sto SCORE))",
        ),
    ),
    (
        "W511",
        game(
            teams="\n(create teams (1, 4) (2)) ;; here",
            scoring="(scoring max ((team (current player)) sto SCORE))",
        ),
    ),
    # W514: after a draw
    (
        "W514",
        game(
            stage(
                "(choice ((do ((shuffle (game iloc STOCK))"
                " (move (top (game iloc STOCK)) (top (game vloc PILE)))\n"
                " ((== (cardatt SUIT (top (game vloc PILE))) H) ;; here\n (inc (game sto HITS)))))))"
            )
        ),
    ),
    (
        "W514",
        game(
            stage(
                "(choice ((do ((set (game sto DIE) (random 1 .. 6))\n (any (range 1..(game sto"
                " DIE)) 'N ;; here\n (set (game sto PICK) 'N))))))"
            )
        ),
    ),
    (
        "W514",
        game(stage("(choice ((do ((turn pass)\n ((== (random 1) 0) ;; here\n (inc (game sto HITS)))))))")),
    ),
    # W515: always fails
    (
        "W515",
        game(
            "(do ((remember (top (game iloc STOCK)) (top (game mem SEEN)))\n (move (top (game"
            " mem SEEN)) ;; here\n (top (game vloc PILE)))))"
        ),
    ),
    ("W515", game("(do ((move (top (game iloc STOCK))\n (top (game mem SEEN))))) ;; here")),
    ("W515", game("(do ((remember (top (game iloc STOCK))\n (top (game vloc SEEN))))) ;; here")),
    ("W515", game("(do ((forget\n (top (game iloc STOCK))))) ;; here")),
    (
        "W515",
        game(
            "(do ((remember (top (game iloc STOCK)) (top (game mem SEEN)))\n (all (game mem"
            " SEEN) 'C (forget 'C)))) ;; here"
        ),
    ),
    (
        "W515",
        game("(do ((move (top (game iloc STOCK))\n (top (union (game vloc A) (game vloc B)))))) ;; here"),
    ),
    ("W515", game("(do ((swap (game vloc ROW)\n (top 3 (game iloc STOCK))))) ;; here")),
    ("W515", game("(do ((swap (game iloc STOCK)\n (game mem SEEN)))) ;; here")),
    # W516: never used
    ("W516", game(stage(PLAY), declares="(declare 5 'CARDS) ;; here")),
    ("W516", game("(let (top (game iloc STOCK))\n 'C ;; here\n (inc (game sto N)))", stage(PLAY))),
    ("W516", game(stage(f"(let (size (game iloc STOCK)) 'N ;; here\n {PLAY})"))),
]


@pytest.mark.parametrize(("code", "text"), WARN, ids=[f"{i}-{code}" for i, (code, _) in enumerate(WARN)])
def test_a_mistake_is_told_once_and_on_its_line(code: str, text: str) -> None:
    assert warnings(text) == [(code, line) for line in marked(text)]


def test_every_message_says_what_to_do() -> None:
    for _, text in WARN:
        checked = check(Source("test", text))
        assert checked.warnings
        for warning in checked.warnings:
            assert warning.hint
            assert warning.message[0].islower() or warning.message[0] in "'ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            assert not warning.message.endswith(".")
            assert warning.span.end > warning.span.start
