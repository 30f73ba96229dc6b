"""Which locations keep an order that can be seen."""

from __future__ import annotations

import pytest
from tests.recycle.check_text import checked, do, game

from upcard.recycle.frontend import check
from upcard.recycle.source import Source

# --- order facts (27.1) --------------------------------------------------------------------------

DEAL = (
    "(shuffle (game iloc STOCK))"
    "(all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))"
)
PLAY = "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc TRICK))))"

ORDER = {
    "a lone hand is poured away": (
        do(
            DEAL,
            "(move (top (game iloc STOCK)) (top (game vloc TURNED)))",
            "(set (game str TRUMP) (cardatt SUIT (top (game vloc TURNED))))",
        )
        + "(all player 'P ((== ('P str BID) DUMMY)"
        " (repeat all (move (top ('P iloc HAND)) (top ('P iloc ALONE))))))"
        + f"(choice ({PLAY}))"
        + "(all player 'P ((> (size ('P vloc TRICK)) 0)"
        " (move (top ('P vloc TRICK)) (top (game vloc DISCARD)))))",
        {"table iloc STOCK", "table vloc TURNED", "player vloc TRICK"},
        {"player iloc HAND", "player iloc ALONE", "table vloc DISCARD"},
    ),
    "the last card of a hand names the trump": (
        do(DEAL, "(set (game str TRUMP) (cardatt SUIT (top ((previous player) iloc HAND))))")
        + f"(choice ({PLAY}))"
        + "(all player 'P (move (top ('P vloc TRICK)) (top (game vloc DISCARD))))",
        {"table iloc STOCK", "player vloc TRICK", "player iloc HAND"},
        {"table vloc DISCARD"},
    ),
    "shedding": (
        do(DEAL, "(move (top (game iloc STOCK)) (top (game vloc PILE)))")
        + "(choice ((any (filter ((current player) iloc HAND) 'C"
        " (== (cardatt SUIT 'C) (cardatt SUIT (top (game vloc PILE))))) 'C"
        " (move 'C (top (game vloc PILE))))))"
        + do(
            "(move (top (game vloc PILE)) (top (game vloc SPARE)))",
            "(repeat all (move (top (game vloc PILE)) (top (game iloc STOCK))))",
            "(shuffle (game iloc STOCK))",
            "(move (top (game vloc SPARE)) (top (game vloc PILE)))",
        ),
        {"table iloc STOCK", "table vloc PILE", "table vloc SPARE"},
        {"player iloc HAND"},
    ),
    "fishing": (
        do(DEAL, "(repeat 4 (move (top (game iloc STOCK)) (top (game vloc POOL))))")
        + "(choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PLAYED))))))"
        + "(choice ((any (filter (subsets (game vloc POOL)) 'S (== (sum 'S using (game points V))"
        " (score (top (game vloc PLAYED)) using (game points V)))) 'S"
        " (all 'S 'K (move 'K (top ((current player) iloc WON)))))))"
        + do(
            "(repeat all (move (top (game vloc POOL)) (top ((current player) iloc WON))))",
            "(all (partition SUIT ((current player) iloc WON)) 'G (inc (game sto X) (size 'G)))",
        ),
        {"table iloc STOCK", "table vloc PLAYED"},
        {"player iloc HAND", "table vloc POOL", "player iloc WON"},
    ),
    "exchange": (
        do(DEAL, "(repeat 3 (move (top (game iloc STOCK)) (bottom (game vloc ROW))))")
        + "(choice ((swap ((current player) iloc HAND) (game vloc ROW))"
        " (any ((current player) iloc HAND) 'C (move 'C (top (game vloc DISCARD))))))"
        + "(all player 'P (all (partition SUIT ('P iloc HAND)) 'G"
        " ((> (size 'G) ('P sto BEST)) (set ('P sto BEST) (size 'G)))))",
        {"table iloc STOCK", "player iloc HAND", "table vloc ROW"},
        {"table vloc DISCARD"},
    ),
}


@pytest.mark.parametrize("name", ORDER)
def test_order_facts(name: str) -> None:
    body, ordered, unordered = ORDER[name]
    _, facts = checked(game(body)).sound()
    found = {
        f"{f.family.owner} {f.family.cls} {f.family.name}": f.ordered is not None for f in facts.families
    }
    assert found == dict.fromkeys(ordered, True) | dict.fromkeys(unordered, False)


def test_setup_has_its_order() -> None:
    """Players, then teams, then decks."""
    deck = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"
    for wrong in (f"{deck} (create players 2)", f"(create players 2) {deck} (create teams (0) (1))"):
        text = f"(game (setup {wrong}) (choice ((turn pass))) (scoring max 1))"
        assert [d.code for d in check(Source("x", text)).errors] == ["E210"]
