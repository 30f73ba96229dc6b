"""Small programs for the lints to look at, and what they say of one."""

from __future__ import annotations

from upcard.recycle.frontend import check
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
