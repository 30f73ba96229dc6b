"""What the lints say, and where they keep quiet."""

from __future__ import annotations

import string
import cProfile
from itertools import islice, product

import pytest
from tests import documents

from upcard.recycle.front import check
from upcard.recycle.source import Source

DECK = "(create deck (game iloc STOCK) (deck (RANK (A, K, Q, J, TEN, NINE)) (SUIT (H, S, D, C))))"
DEAL = """(do ((shuffle (game iloc STOCK))
     (all player 'P (repeat 5 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))"""
PLAY = "(choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))))"
SCORE = "(scoring max ((current player) sto SCORE))"
HERE = ";; here"


def game(*body: str, declares: str = "", teams: str = "", scoring: str = SCORE, deal: str = DEAL) -> str:
    """A program around some elements; 24 cards, four players with five each in HAND."""
    setup = f"(setup (create players 4) {teams}\n{DECK})"
    return "\n".join(["(game", declares, setup, deal, *body, scoring, ")"])


def stage(*body: str, end: str = "(== (game sto TURN) 9)") -> str:
    """A stage that counts its turns."""
    return "\n".join([f"(stage player (end {end}", ")", *body, "(do ((inc (game sto TURN)))))"])


def warnings(text: str) -> list[tuple[str, int]]:
    checked = check(Source("test", text))
    assert not checked.errors, [(e.message, checked.source.line(e.span.start)) for e in checked.errors]
    return [(w.code, checked.source.line(w.span.start)) for w in checked.warnings]


def marked(text: str) -> list[int]:
    return [number for number, line in enumerate(text.split("\n"), 1) if HERE in line]


FOLLOW = "(filter ((current player) iloc HAND) 'L (== (cardatt SUIT 'L) (game str LEAD)))"
LEAD = "(any ((current player) iloc HAND) 'C (do ((set (game str LEAD) (cardatt SUIT 'C)) (turn pass))))"
RESET = "(do ((set (game str LEAD) NONE)))"
VALUES = "(do ((set (game points VALUE) (((RANK : A) 14) ((RANK : K) 13)))))"

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


TRICK = "(stage player (end (all player 'P (> (size ('P vloc TRICK)) 0)))"
ORDER = "((SUIT : (game str LEAD)) 100) ((RANK : A) 14) ((RANK : K) 13) ((RANK : Q) 12) ((RANK : J) 11)"
WIN = f"""(do ((set (game points ORDER) ({ORDER}))
     (set (game str LEAD) NONE)
     (cycle next (owner (max (union (all player 'P ('P vloc TRICK))) using (game points ORDER))))
     (inc ((next player) sto SCORE))
     (all player 'P (move (top ('P vloc TRICK)) (top (game vloc DISCARD))))))"""


def tricks(*items: str) -> str:
    """A trick-taking game whose players choose among these items."""
    return game(
        RESET,
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        TRICK,
        "(choice (" + "\n".join(items) + ")))",
        WIN + ")",
    )


TO_TRICK = "(move 'C (top ((current player) vloc TRICK)))"
HAND = "((current player) iloc HAND)"
FIRST = (
    f"((== (game str LEAD) NONE) (any {HAND} 'C (do ({TO_TRICK} (set (game str LEAD) (cardatt SUIT 'C))))))"
)
FREE = f"(any {HAND} 'C {TO_TRICK})"
SUITED = f"(any {FOLLOW} 'C {TO_TRICK})"
SAME = "(== (cardatt SUIT 'X) (game str LEAD))"

GAMES: dict[str, str] = {
    "tricks, by the size of a filter": tricks(
        FIRST,
        f"((and (!= (game str LEAD) NONE) (== (size {FOLLOW}) 0)) {FREE})",
        f"((!= (game str LEAD) NONE) {SUITED})",
    ),
    "tricks, by any and not any": tricks(
        FIRST,
        f"((and (!= (game str LEAD) NONE) (any {HAND} 'X {SAME})) {SUITED})",
        f"((and (!= (game str LEAD) NONE) (not (any {HAND} 'X {SAME}))) {FREE})",
    ),
    "tricks, by all unlike": tricks(
        FIRST,
        f"((and (!= (game str LEAD) NONE) (all {HAND} 'X (!= (cardatt SUIT 'X) (game str LEAD)))) {FREE})",
        f"((not (== (game str LEAD) NONE)) (any {HAND} 'C ((== (game str LEAD) (cardatt SUIT 'C))"
        f" {TO_TRICK})))",
    ),
    "tricks, with a flag": game(
        RESET,
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        TRICK,
        f"(do ((set (game str CAN) FALSE) ((> (size {FOLLOW}) 0) (set (game str CAN) TRUE))))",
        f"(choice (((== (game str CAN) TRUE) {SUITED})\n((== (game str CAN) FALSE) {FREE}))))",
        WIN.replace("(set (game str LEAD) NONE)", "(set (game str LEAD) H)") + ")",
    ),
    "tricks, through a let": game(
        RESET,
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        TRICK,
        f"(let {FOLLOW} 'F (choice (((== (size 'F) 0) {FREE}) (any 'F 'C {TO_TRICK})))))",
        WIN.replace("(set (game str LEAD) NONE)", "(set (game str LEAD) H)") + ")",
    ),
    "bidding": game(
        "(stage player (end (or (== (game sto PASSES) 4) (== (game sto BID) 9)))",
        "(choice ((do ((inc (game sto PASSES)) (turn pass)))",
        "(any (range 1..9) 'N ((> 'N (game sto BID)) (do ((set (game sto BID) 'N)",
        "(set (game sto BIDDER) (pid (current player)))))))))",
        "(do (((== (game sto PASSES) 4) (set (game sto BID) 1)))))",
        "(do (((> (game sto BIDDER) 0) (inc (((game sto BIDDER) player) sto SCORE) (game sto BID)))))",
    ),
    "naming a suit that was not turned": game(
        "(do ((move (top (game iloc STOCK)) (top (game vloc TURNED)))",
        "(set (game str TRUMP) (cardatt SUIT (top (game vloc TURNED))))))",
        "(choice ((any (H, S, D, C) 'S ((!= 'S (game str TRUMP)) (set (game str TRUMP) 'S)))))",
        "(choice (((!= (game str TRUMP) H) (set (game str TRUMP) H))\n"
        "((!= (game str TRUMP) S) (set (game str TRUMP) S))))",
        "(do (((== (game str TRUMP) H) (inc ((current player) sto SCORE)))))",
    ),
    "shedding, with a reshuffle in the choice": game(
        "(do ((move (top (game iloc STOCK)) (top (game vloc PILE)))))",
        "(stage player (end (any player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any (filter {HAND} 'C (or (== (cardatt SUIT 'C) (cardatt SUIT (top (game vloc PILE))))",
        "(== (cardatt RANK 'C) (cardatt RANK (top (game vloc PILE)))))) 'C (move 'C (top (game vloc PILE))))",
        "(do (((== (size (game iloc STOCK)) 0)",
        "(do ((repeat all (move (bottom (game vloc PILE)) (top (game iloc STOCK)))) (shuffle"
        " (game iloc STOCK)))))",
        "((> (size (game iloc STOCK)) 0) (move (top (game iloc STOCK)) (top ((current player) iloc HAND))))",
        "(turn pass))))))",
        "(all player 'P (set ('P sto SCORE) (- 0 (size ('P iloc HAND)))))",
    ),
    "shedding, drawing several": game(
        stage(
            "(choice ((repeat 2 (do (((== (size (game iloc STOCK)) 0)",
            "(do ((repeat all (move (top (game vloc PILE)) (top (game iloc STOCK)))) (shuffle"
            " (game iloc STOCK)))))",
            "(move (top (game iloc STOCK)) (top (game vloc PILE))))))))",
        ),
    ),
    "fishing by rank": game(
        "(do ((repeat 4 (move (top (game iloc STOCK)) (top (game vloc POOL))))))",
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (do ((all (filter (game vloc POOL) 'X",
        "(== (cardatt RANK 'X) (cardatt RANK 'C))) 'X (move 'X (top ((current player) vloc WON))))",
        "(move 'C (top (game vloc POOL))))))))",
        "(do (((== (size (game vloc POOL)) 0) (inc ((current player) sto SWEEPS)))))",
        ")",
        scoring="(scoring max (+ (size ((current player) vloc WON)) ((current player) sto SWEEPS)))",
    ),
    "fishing by sums, guarded": game(
        VALUES,
        "(do ((repeat 4 (move (top (game iloc STOCK)) (top (game vloc POOL))))))",
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (do ((move 'C (top (game vloc PLAYED))))))))",
        "(choice ((move (top (game vloc PLAYED)) (top (game vloc POOL)))",
        "((<= (size (game vloc POOL)) 12) (any (subsets (game vloc POOL)) 'S",
        "((== (sum 'S using (game points VALUE)) (score (top (game vloc PLAYED)) using (game points VALUE)))",
        "(do ((repeat all (move (top 'S) (top ((current player) vloc WON))))",
        "(move (top (game vloc PLAYED)) (top ((current player) vloc WON)))))))))))",
        scoring="(scoring max (size ((current player) vloc WON)))",
    ),
    "rummy": game(
        VALUES,
        "(do ((move (top (game iloc STOCK)) (top (game vloc DISCARD)))))",
        "(stage player (end (or (any player 'P (== (size ('P iloc HAND)) 0)) (== (size (game"
        " iloc STOCK)) 0)))",
        "(choice ((move (top (game iloc STOCK)) (top ((current player) iloc HAND)))",
        "((> (size (game vloc DISCARD)) 0) (move (top (game vloc DISCARD)) (top ((current"
        " player) iloc HAND))))))",
        "(choice ((turn pass)",
        f"(any (partition SUIT {HAND}) 'G (any (runs all 3 'G using (game points VALUE)) 'R",
        "(repeat all (move (top 'R) (top ((current player) vloc MELD))))))",
        f"(any (tuples 3 {HAND} using (game points VALUE)) 'T",
        "(repeat all (move (top 'T) (top ((current player) vloc MELD)))))))",
        f"(choice ((any {HAND} 'C (move 'C (top (game vloc DISCARD)))))))",
        scoring="(scoring max (size ((current player) vloc MELD)))",
    ),
    "climbing with sets": game(
        "(stage player (end (any player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((turn pass) (any (partition RANK {HAND}) 'G (any (subsets 'G) 'S",
        "((>= (size 'S) (size (game vloc SHOWN))) (do ((repeat all (move (top (game vloc SHOWN))",
        "(top (game vloc DISCARD)))) (all 'S 'C (move 'C (top (game vloc SHOWN))))))))))))",
        "(all player 'P (set ('P sto SCORE) (- 0 (size ('P iloc HAND)))))",
    ),
    "subsets of a dealt hand": game(
        stage(
            f"(choice ((turn pass) (any (subsets {HAND}) 'S (all 'S 'C (move 'C (top (game vloc PILE)))))))"
        )
    ),
    "memory of what was played": game(
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (do ((move 'C (top (game vloc PILE)))",
        "((== (size (game mem LED)) 0) (remember 'C (top (game mem LED)))))))))",
        "(do (((== (size (game vloc PILE)) 8) (do ((inc ((owner (top (game mem LED))) sto SCORE)",
        "(score (top (game mem LED)) using (game points VALUE))) (forget (top (game mem LED)))))))))",
        deal=DEAL + VALUES,
    ).replace("(owner (top (game mem LED)))", "(current player)"),
    "turning blind cards": game(
        "(all player 'P (repeat 2 (move (top ('P iloc HAND)) (top ('P hloc ROW)))))",
        "(stage player (end (all player 'P (== (size ('P hloc ROW)) 0)))",
        "(choice (((> (size ((current player) hloc ROW)) 0) (any ((current player) hloc ROW) 'C",
        "(do ((move 'C (top ((current player) vloc ROW)))",
        "((== (cardatt RANK (top ((current player) vloc ROW))) A) (inc ((current player) sto SCORE)))))))",
        "((== (size ((current player) hloc ROW)) 0) (turn pass)))))",
    ),
    "house rules": game(
        stage(
            "(choice (((== 'STICK TRUE) (set (game str BID) MAKE))",
            "((!= 'STICK TRUE) (do ((set (game str BID) MAKE) (turn pass))))))",
            "(do (((and (== (game str BID) MAKE) (> 'LIMIT 3)) (inc ((current player) sto SCORE)))))",
        ),
        declares="(declare TRUE 'STICK) (declare (+ 2 3) 'LIMIT)",
    ),
    "numbered rows": game(
        "(all (range 0..3) 'N (move (top (game iloc STOCK)) (top (game vloc ROW 'N))))",
        "(stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))",
        f"(choice ((any {HAND} 'C (any (indexed game vloc ROW) 'R (move 'C (top 'R))))))",
        "(do (((> (size (game vloc ROW 2)) 5) (swap (game vloc ROW 2) ((current player) vloc WON))))))",
        scoring="(scoring min (size ((current player) vloc WON)))",
    ),
    "exchanging with a row": game(
        "(do ((repeat 3 (move (top (game iloc STOCK)) (top (game vloc ROW))))))",
        stage(
            f"(choice ((turn pass) (swap {HAND} (game vloc ROW))",
            f"(any {HAND} 'A (any (game vloc ROW) 'B (swap 'A 'B)))))",
        ),
    ),
    "counting computed names": game(
        stage(PLAY),
        "(do ((all (game vloc PILE) 'C (inc (game sto (cardatt SUIT 'C))))",
        "(all (H, S) 'N (inc (game sto 'N)))))",
        scoring="(scoring max (+ (game sto H) (game sto D)))",
    ),
    "teams and partners": game(
        stage(PLAY),
        "(stage team (end (all team 'T (== ('T str DONE) TRUE)))",
        "(do ((set ((current team) str DONE) TRUE) (all (current team) 'M",
        "(inc ((current team) sto SCORE) (size ('M iloc HAND)))))))",
        teams="(create teams (1, 3) (2, 4))",
        scoring="(scoring max ((team (current player)) sto SCORE))",
    ),
}

NEAR: dict[str, str] = {
    "W502 any as a condition": game(
        "(do (((any player 'P (> ('P sto SCORE) 3)) (inc (game sto N)))))", stage(PLAY)
    ),
    "W502 any in a choice": game("(choice ((any player 'P (inc ('P sto SCORE)))))"),
    "W503 through the player": game(
        "(all team 'T (inc ('T sto SCORE)))", scoring="(scoring max ((team (current player)) sto SCORE))"
    ),
    "W503 in a stage": game(
        "(stage team (end (> ((current team) sto N) 2)) (do ((inc ((current team) sto N)))))"
    ),
    "W504 written later": game("(do (((== (game str T) H) (turn pass))))", "(do ((set (game str T) H)))"),
    "W504 a computed name": game(
        "(any (A, B) 'N (set (game str 'N) H))".replace("any", "all"),
        "(do (((== (game str T) H) (turn pass))))",
    ),
    "W504 a number left at 0": game("(do (((== (game sto DEALS) 0) (inc (game sto POT)))))"),
    "W504 an empty place": game("(do (((== (size (game vloc KITTY)) 0) (turn pass))))"),
    "W504 filled through a variable": game(
        "(let (game vloc KITTY) 'K (move (top (game iloc STOCK)) (top 'K)))",
        "(do ((move (top (game vloc KITTY)) (top (game vloc KITTEN)))))",
    ),
    "W505 a series": game("(do ((inc (game sto PILEA)) (inc (game sto PILEA)) (inc (game sto PILEB))))"),
    "W505 short names": game("(do ((inc (game sto BID)) (inc (game sto BID)) (inc (game sto BED))))"),
    "W505 short words": game("(do ((inc (game sto LEAD)) (inc (game sto LEAD)) (inc (game sto DEAD))))"),
    "W505 trick and tricks": game(
        stage(
            "(do ((move (top ((current player) iloc HAND)) (top (game vloc TRICK)))\n(move (top"
            " (game vloc TRICK)) (top (game vloc TRICKS)))))",
            end="(== (size ((current player) iloc HAND)) 0)",
        )
    ),
    "W505 both used": game(
        "(do ((inc (game sto ROUND)) (inc (game sto ROUNDS))))",
        scoring="(scoring max (+ (game sto ROUND) (game sto ROUNDS)))",
    ),
    "W506 nothing": game("(do (((!= (cardatt SUIT (top (game iloc STOCK))) NONE) (turn pass))))"),
    "W506 a computed value": game(
        "(do ((set (game str T) H) (set (game points V) (((SUIT : (game str T)) 1)))))"
    ),
    "W506 a computed deck": game(
        "(do (((== (cardatt MARK (top (game vloc X))) SPECIAL) (turn pass))))",
        deal="(do ((set (game str K) GOLD) (create deck (game vloc X) (deck (MARK ((game str K)))))))",
    ),
    "W507 the cycle": game("(stage player (end (== (current player) (3 player))) (do ((turn pass))))"),
    "W507 chance": game("(stage player (end (== (random 3) 0)) (do ((turn pass))))"),
    "W507 an owner": game(
        stage(PLAY),
        "(stage team (end (== (owner (top ((0 player) vloc X))) (0 player)))\n(do ((move (top"
        " (game iloc STOCK)) (top ((0 player) vloc X))))))",
    ),
    "W507 an inner stage": game(
        "(stage player (end (== (game sto N) 3))\n(stage player (end (== (game sto N) 3)) (do"
        " ((inc (game sto N))))))"
    ),
    "W507 a computed name": game(
        "(stage team (end (== (game sto N) 3)) (all (M, N) 'X (inc (game sto 'X))))"
    ),
    "W507 through memory": game(
        "(do ((remember (top (game iloc STOCK)) (top (game mem M)))))",
        "(stage team (end (== (size (game iloc STOCK)) 0))\n(let (top (game mem M)) 'C (move 'C"
        " (top (game vloc Y)))))",
    ),
    "W508 a few cards": game("(do (((> (size (subsets (top 5 (game iloc STOCK)))) 3) (turn pass))))"),
    "W508 one rank": game(
        "(do (((> (size (subsets (filter (game iloc STOCK) 'C (== (cardatt RANK 'C) A)))) 3) (turn pass))))"
    ),
    "W508 pairs": game(
        VALUES,
        "(all (tuples 2 (game iloc STOCK) using (game points VALUE)) 'T (inc (game sto N) (size"
        " (subsets 'T))))",
    ),
    "W508 guarded in and": game(
        "(do (((and (< (size (game iloc STOCK)) 9) (any (subsets (game iloc STOCK)) 'S (== (size"
        " 'S) 2))) (turn pass))))"
    ),
    "W509 the own hand": game(
        f"(choice ((turn pass) (any (filter {HAND} 'C (== (cardatt RANK 'C) A)) 'C (move 'C (top"
        f" (game vloc PILE))))))"
    ),
    "W509 sizes": game(
        "(choice ((turn pass) ((> (size (game iloc STOCK)) (size ((next player) iloc HAND)))"
        " (inc (game sto N)))))"
    ),
    "W509 outside a choice": game(
        "(do (((== (cardatt RANK (top (game iloc STOCK))) A) (inc (game sto N)))))"
    ),
    "W509 blind": game(
        "(choice ((any ((next player) iloc HAND) 'C (move 'C (top ((current player) iloc HAND))))))"
    ),
    "W509 bound player": game(
        "(let (current player) 'ME (choice ((turn pass) (any ('ME iloc HAND) 'C ((== (cardatt"
        " RANK 'C) A) (move 'C (top (game vloc PILE))))))))"
    ),
    "W509 another's oloc": game(
        "(all player 'P (move (top ('P iloc HAND)) (top ('P oloc HAT))))",
        "(choice ((turn pass) ((== (cardatt RANK (top ((next player) oloc HAT))) A) (inc (game sto N)))))",
    ),
    "W510 three ways": game(
        "(do ((set (game sto N) (size (game iloc STOCK)))))",
        "(choice (((< (game sto N) 3) (turn pass)) ((== (game sto N) 3) (turn pass)) ((> (game"
        " sto N) 3) (turn pass))))",
    ),
    "W510 whole numbers": game(
        "(do ((set (game sto N) (size (game iloc STOCK)))))",
        "(choice (((<= (game sto N) 3) (turn pass)) ((>= (game sto N) 4) (turn pass))))",
    ),
    "W510 two numbers": game(
        "(do ((inc (game sto N) (random 5))))",
        "(choice (((<= (game sto N) (game sto M)) (turn pass)) ((< (game sto M) (game sto N)) (turn pass))))",
    ),
    "W510 a flag": game(
        "(do (((== (size (game iloc STOCK)) 4) (set (game sto FLAG) 1))))",
        "(choice (((== (game sto FLAG) 0) (turn pass)) ((== (game sto FLAG) 1) (turn pass))))",
    ),
    "W510 counted up": game(
        stage(
            "(choice (((== (game sto TURN) 0) (turn pass)) ((== (game sto TURN) 1) (turn pass))))",
            end="(== (game sto TURN) 2)",
        )
    ),
    "W510 until the end": game(stage("(choice (((< (game sto TURN) 9) (turn pass))))")),
    "W510 all suits": game(
        "(choice (((== (cardatt SUIT (top (game vloc PILE))) H) (turn pass)) ((== (cardatt SUIT"
        " (top (game vloc PILE))) S) (turn pass)) ((== (cardatt SUIT (top (game vloc PILE))) D)"
        " (turn pass)) ((== (cardatt SUIT (top (game vloc PILE))) C) (turn pass))))",
        deal=DEAL + "(do ((move (top (game iloc STOCK)) (top (game vloc PILE)))))",
    ),
    "W510 each card has a case": game(
        f"(choice ((any {HAND} 'C (do (((== (cardatt RANK 'C) A) (inc (game sto N))) ((!="
        f" (cardatt RANK 'C) A) (dec (game sto N))))))))"
    ),
    "W510 players who still play": game(
        "(choice ((any (filter (other player) 'P (> (size ('P iloc HAND)) 0)) 'P (cycle next 'P))))"
    ),
    "W510 de Morgan": game(
        "(choice (((and (== (game sto N) 1) (== (game sto M) 1)) (turn pass)) ((or (!= (game sto"
        " N) 1) (not (== (game sto M) 1))) (turn pass))))",
        "(do ((inc (game sto N)) (inc (game sto M))))",
    ),
    "W510 a player": game(
        "(choice (((== (current player) (1 player)) (turn pass)) ((!= (1 player) (current"
        " player)) (turn pass))))"
    ),
    "W511 all named": game(
        teams="(create teams (0, 1) (2) (3))", scoring="(scoring max ((team (current player)) sto SCORE))"
    ),
    "W511 computed": game(
        declares="(declare 1 'X)",
        deal="(do ((set (game sto S) 1) (create teams ((game sto S), 2))))"
        + "(do ((inc ((team ('X player)) sto SCORE))))",
        scoring="(scoring max ((team (current player)) sto SCORE))",
    ),
    "W514 the draw comes last": game(
        "(choice (((> (size (game iloc STOCK)) 0) (do ((turn pass) (shuffle (game iloc"
        " STOCK))))) (turn pass)))"
    ),
    "W514 sizes stay": game(
        "(choice ((do ((shuffle (game iloc STOCK)) ((> (size (game iloc STOCK)) 0) (move (top"
        " (game iloc STOCK)) (top (game vloc PILE))))))))"
    ),
    "W514 something else": game(
        f"(choice ((do ((shuffle (game iloc STOCK)) (any {HAND} 'C (move 'C (top (game vloc PILE))))))))"
    ),
    "W514 the score of the best": game(
        VALUES,
        f"(choice ((do ((turn pass) ((> (score (max {HAND} using (game points VALUE)) using (game"
        f" points VALUE)) 12) (inc (game sto N)))))))",
    ),
    "W514 in two alternatives": game(
        "(choice ((shuffle (game iloc STOCK)) ((== (cardatt RANK (top (game vloc UP))) A) (turn pass))))",
        deal=DEAL + "(do ((move (top (game iloc STOCK)) (top (game vloc UP)))))",
    ),
    "W515 a remembered card": game(
        "(do ((remember (top (game iloc STOCK)) (top (game mem M)))))",
        "(let (top (game mem M)) 'C (move 'C (top (game vloc PILE))))",
    ),
    "W515 through a filter": game(
        "(do ((remember (top (game iloc STOCK)) (top (game mem M))) (move (top (filter (game mem"
        " M) 'C (== (cardatt RANK 'C) A))) (top (game vloc PILE)))))"
    ),
    "W515 beside a card": game(
        "(do ((move (top (game iloc STOCK)) (top (game vloc PILE)))))",
        "(all (game vloc PILE) 'C (move (top (game iloc STOCK)) 'C))",
    ),
    "W515 a listed place": game(
        "(all (all player 'P ('P vloc ROW)) 'R (move (top (game iloc STOCK)) (top 'R)))"
    ),
    "W515 a best reference": game(
        VALUES,
        "(do ((remember (top (game iloc STOCK)) (top (game mem M))) (forget (max (game mem M)"
        " using (game points VALUE)))))",
    ),
    "W516 used in another": game(
        "(do ((inc (game sto N) 'B)))", declares="(declare 5 'A) (declare (+ 'A 1) 'B)"
    ),
    "W516 a loop that counts": game("(all player 'P (inc (game sto N)))"),
    "W516 used in the setup": game(stage(PLAY), declares="(declare 4 'N)").replace(
        "(create players 4)", "(create players 'N)"
    ),
}


@pytest.mark.parametrize("name", [*GAMES, *NEAR])
def test_what_is_right_is_left_alone(name: str) -> None:
    text = GAMES.get(name) or NEAR[name]
    assert warnings(text) == []


@pytest.mark.parametrize("number", [documents.EUCHRE, documents.WHIST])
def test_published_games_have_nothing_to_warn_of(number: int) -> None:
    text = documents.document(number)
    program = text[text.index("(game\n") :]
    assert {code for code, _ in warnings(program)} <= {"W501"}


def test_every_message_says_what_to_do() -> None:
    for _, text in WARN:
        checked = check(Source("test", text))
        for warning in checked.warnings:
            assert warning.hint
            assert warning.message[0].islower() or warning.message[0] in "'ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            assert not warning.message.endswith(".")
            assert warning.span.end > warning.span.start


# --- big programs --------------------------------------------------------------------------------


def names(count: int) -> list[str]:
    return ["".join(letters) for letters in islice(product(string.ascii_uppercase[:10], repeat=6), count)]


def _many_names() -> str:
    reads = "".join(f"((== (game str {name}) H) (inc (game sto {name[::-1]}X)))\n" for name in names(3000))
    return game(f"(do ({reads}))")


def _many_choices() -> str:
    tests = [f"(== (game sto {name}) 1)" for name in names(11)]
    items = "".join(f"((and {a} (not {b})) (turn pass))" for a in tests for b in tests)
    return game(
        "(do (" + "".join(f"(inc (game sto {n}))" for n in names(11)) + "))", f"(choice ({items}))\n" * 60
    )


def _let_chain(value: str, first: str, last: str) -> str:
    """Each let uses the one before it twice: 2 to the 60th if it were followed each time."""
    lets, previous = f"(let {first} 'A ", "A"
    for name in names(60):
        lets += f"\n(let {value.replace('?', previous)} '{name} "
        previous = name
    return game(stage(lets + last.replace("?", previous) + ")" * 61))


def _deep_loops() -> str:
    loops = "(repeat 2 " * 150
    return game(f"(choice ((turn pass) {loops}(do ((shuffle (game iloc STOCK)) (turn pass))){')' * 150}))")


def _declare_chain() -> str:
    chain = "(declare 1 'A)\n" + "".join(f"(declare 1 '{name})\n" for name in names(3000))
    return game("(do ((inc (game sto N) 'A)))", declares=chain)


MOST_CALLS = 50_000_000

BIG = {
    "many names": _many_names,
    "many choices": _many_choices,
    "lets of conditions": lambda: _let_chain(
        "(and '? (not '?))", "(== 1 (game sto N))", "(choice (('? (turn pass))))"
    ),
    "lets of unions": lambda: _let_chain(
        "(union '? '?)", "(game iloc STOCK)", "(choice ((turn pass) (any (subsets '?) 'S (turn pass))))"
    ),
    "lets of filters": lambda: _let_chain(
        "(filter '? 'C (and (any '? 'D (== 'C 'D)) (any '? 'D (!= 'C 'D)) (> (size '?) (size '?))))",
        HAND,
        "(choice ((any '? 'C (turn pass)) ((== (size '?) 0) (turn pass))))",
    ),
    "deep loops": _deep_loops,
    "many declares": _declare_chain,
}


@pytest.mark.parametrize("name", BIG)
def test_big_programs_are_linted_in_few_steps(name: str) -> None:
    """Steps are calls of functions: they are the same on every machine."""
    source = Source("test", BIG[name]())
    profile = cProfile.Profile()
    checked = profile.runcall(check, source)
    calls = sum(entry.callcount for entry in profile.getstats())
    assert not checked.errors
    assert len(checked.warnings) <= 100
    assert calls < MOST_CALLS, f"{calls:,} calls"
