"""The lay-down: the five top trumps, played alone, cannot be beaten from any seat."""

from __future__ import annotations

import random
from itertools import chain

import pytest
from tests.games.tables import Table
from tests.games.test_euchre import order_alone

import upcard

SUITS, TWIN = "shcd", dict(zip("shcd", "cdsh", strict=True))


@pytest.mark.parametrize("seat", range(4), ids="first second third dealer".split())
@pytest.mark.parametrize("first_round", [True, False], ids=["ordered", "named"])
def test_the_five_top_trumps_alone_sweep_against_every_lie(seat: int, first_round: bool) -> None:
    """Whatever the others hold and play. In the first round the dealer takes one of the five up."""
    for lie in range(25):
        chance = random.Random(f"{seat} {first_round} {lie}")
        trump = chance.choice(SUITS)
        tops = [f"J{trump}", f"J{TWIN[trump]}", f"A{trump}", f"K{trump}", f"Q{trump}"]
        rest = [rank + suit for suit in SUITS for rank in "9 10 J Q K A".split() if rank + suit not in tops]
        chance.shuffle(rest)
        dealt_up = first_round and seat == 3
        if dealt_up:
            turned = chance.choice([card for card in tops if card[-1] == trump])
            held = [*(card for card in tops if card != turned), rest.pop()]
        else:
            turned = next(card for card in rest if (card[-1] == trump) == first_round)
            rest.remove(turned)
            held = tops
        hands = [held if one == seat else [rest.pop() for _ in range(5)] for one in range(4)]
        rule = chance.choice(["", "lead=maker", "defend=yes", "defend=yes lead=maker"])
        rules = dict(one.split("=") for one in rule.split())
        table = Table(upcard.load("euchre", rules=rules), [*chain(*hands), turned], seed=lie)
        names = {"s": "spades", "h": "hearts", "c": "clubs", "d": "diamonds"}
        alone = order_alone(seat) if first_round else f"make {names[trump]} trump, go alone"
        while table.state.to_move is not None and alone not in table.options():
            table.do("pass")
        while table.state.to_move != seat:
            table.do("pass")
        table.do(alone)
        while table.state.to_move is not None:
            options = table.options()
            mine = [f"play {top}" for top in tops if f"play {top}" in options]
            if table.state.to_move == seat and options[0].startswith("discard"):
                option = next(option for option in options if option.split()[1] not in tops)
            elif table.state.to_move == seat:
                option = mine[0]
            else:
                option = chance.choice(options)
            table.do(option if option in ("pass", "defend alone") else option.split()[1])
        assert table.scores() == ((4, 0, 4, 0) if seat % 2 == 0 else (0, 4, 0, 4)), f"lie {lie}"
