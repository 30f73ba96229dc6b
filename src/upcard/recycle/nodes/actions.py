"""Nodes of items: blocks, simple actions, decks and teams."""

from __future__ import annotations

from typing import ClassVar, Literal

from upcard.recycle import failures
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.collections import Location
from upcard.recycle.nodes.node import Binding, Expr, Node, node
from upcard.recycle.nodes.syntax import UNBOUNDED, Operand, Syntax
from upcard.recycle.nodes.values import IntStore, MapStore, Storage, StrStore

_CARD = Operand("card", Kind.CARD)
_PLACE = Operand("place", Kind.CARD, what="the place of a {head}")


@node()
class Item(Node):
    """Something done: a simple action, or a block of them."""


@node()
class BadItem(Item):
    """Takes the place of something that was reported."""


@node(page="shape#do-and-conditionals", failures=())
class Do(Item):
    items: tuple[Item, ...]
    syntax: ClassVar = Syntax(
        "do", "({head} ((turn pass) (turn pass)))", count=(1, 1), role="block", layout="items"
    )


@node(page="shape#do-and-conditionals", failures=())
class When(Item):
    """(BOOL ITEM)"""

    test: Expr
    item: Item


@node(page="actions#all-and-any", failures=())
class ForAll(Item):
    """(all X 'V ITEM); also an `any` outside a choice, which means the same (`was_any`)."""

    source: Expr
    binding: Binding
    item: Item
    was_any: bool = False
    syntax: ClassVar = Syntax(
        "all any", "({head} player 'P (inc ('P sto COUNT)))", count=(3, 3), role="block", layout="binder"
    )


@node(page="choices#how-items-unfold", failures=(failures.TOO_MANY_PICKS,))
class ForAny(Item):
    """(any X 'V ITEM) inside a choice. `site` numbers the any forms of a program."""

    source: Expr
    binding: Binding
    item: Item
    site: int


@node(page="shape#let", failures=())
class Let(Item):
    value: Expr
    binding: Binding
    item: Item
    syntax: ClassVar = Syntax(
        "let",
        "(let (top (game vloc PILE)) 'C (move 'C (top (game vloc POOL))))",
        count=(3, 3),
        role="block",
        layout="binder",
    )


@node(page="actions#repeat", failures=(failures.TOO_MANY_TIMES,))
class Repeat(Item):
    """(repeat n ITEM)"""

    count: Expr
    item: Item
    syntax: ClassVar = Syntax(
        "repeat",
        "(repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND))))",
        count=(2, 2),
        role="action",
    )


@node(page="actions#repeat", failures=())
class RepeatAll(Item):
    """(repeat all (move CARD PLACE)), (repeat all (forget CARD)): as often as CARD's collection has cards."""

    item: Move | Forget
    syntax: ClassVar = Syntax(inside="all")


@node()
class Action(Item):
    """A simple action: what alternatives are counted by."""


# cards


@node(
    page="actions#move",
    failures=(
        failures.NO_CARD_TO_MOVE,
        failures.MOVED_FROM_MEMORY,
        failures.MOVED_INTO_MEMORY,
        failures.NOT_A_LOCATION,
        failures.NO_CARD_BESIDE,
        failures.NO_SUCH_PLACE,
    ),
)
class Move(Action):
    card: Expr
    place: Expr
    syntax: ClassVar = Syntax(
        "move",
        "(move (top (game vloc PILE)) (top ('P iloc HAND)))",
        (_CARD, _PLACE),
        role="action",
        layout="aligned",
    )


@node(
    page="actions#remember-and-forget",
    failures=(
        failures.NO_CARD_TO_REMEMBER,
        failures.NOT_A_MEMORY,
        failures.NOT_A_LOCATION,
        failures.NO_CARD_BESIDE,
        failures.NO_SUCH_PLACE,
        failures.TOO_MANY_REFERENCES,
    ),
)
class Remember(Action):
    card: Expr
    place: Expr
    syntax: ClassVar = Syntax(
        "remember",
        "(remember (top (game vloc PILE)) (top (game mem SEEN)))",
        (_CARD, _PLACE),
        role="action",
        layout="aligned",
    )


@node(page="actions#remember-and-forget", failures=(failures.NO_CARD_TO_FORGET, failures.NOT_REMEMBERED))
class Forget(Action):
    card: Expr
    syntax: ClassVar = Syntax("forget", "(forget (top (game mem SEEN)))", (_CARD,), role="action")


@node(page="actions#shuffle", failures=(failures.WRONG_STACK,), draws=True)
class Shuffle(Action):
    cards: Expr
    syntax: ClassVar = Syntax(
        "shuffle", "(shuffle (game iloc STOCK))", (Operand("cards", Kind.CARDS),), role="action"
    )


@node(
    page="actions#swap",
    failures=(failures.NOT_SWAPPABLE, failures.NO_CARD_TO_SWAP, failures.SWAPPED_IN_MEMORY),
)
class Swap(Action):
    """Of two card collections (`whole`) or of two cards."""

    left: Expr
    right: Expr
    whole: bool
    syntax: ClassVar = Syntax(
        "swap",
        "(swap ((current player) iloc HAND) (game vloc ROW)), or (swap 'A 'B) for cards",
        count=(2, 2),
        role="action",
        layout="aligned",
        newer=0,
    )


# storages


@node(page="actions#set-inc-dec", failures=(failures.TEAM_IS_GONE,))
class Store(Action):
    """Changes a storage."""

    store: Storage
    syntax: ClassVar = Syntax(
        "set",
        "(set (game sto COUNT) 3), (set (game str TRUMP) HEARTS) or (set (game points VALUE) ...)",
        count=(2, 2),
        role="action",
        layout="store",
    )


@node()
class SetInt(Store):
    store: IntStore
    value: Expr


@node(failures=(failures.TOO_WIDE, failures.TEAM_IS_GONE))
class AddInt(Store):
    """inc (sign 1) and dec (sign -1); no amount means 1."""

    store: IntStore
    amount: Expr | None
    sign: Literal[1, -1]
    syntax: ClassVar = Syntax(
        "inc dec",
        "({head} (game sto COUNT)) or ({head} (game sto COUNT) 3)",
        count=(1, 2),
        role="action",
        layout="store",
    )


@node()
class SetStr(Store):
    store: StrStore
    value: Expr


@node(page="points#setting-a-map", failures=())
class Award(Node):
    """((KEY : VALUE)+ INT)"""

    pairs: tuple[tuple[Expr, Expr], ...]
    amount: Expr


@node(page="points#setting-a-map")
class SetPoints(Store):
    store: MapStore
    awards: tuple[Award, ...]


# turns


@node(page="players-and-teams#cycle", failures=())
class Cycle(Action):
    """(cycle next X) queues a player, (cycle current X) makes it the current one."""

    which: Literal["next", "current"]
    player: Expr
    syntax: ClassVar = Syntax(
        "cycle", "(cycle next (owner 'C)) or (cycle current 'P)", count=(2, 2), role="action"
    )


@node(page="actions#turn-pass-and-cycle", failures=())
class Pass(Action):
    """(turn pass)"""

    syntax: ClassVar = Syntax(
        "turn", "(turn pass)", count=(1, 1), inside="pass", role="action", inside_role="action"
    )


# decks and teams


@node(page="setup#decks", failures=())
class Attribute(Node):
    """(KEY CHILD+) of a deck. A child is one value and the attributes below it (mostly none)."""

    key: Expr
    children: tuple[Child, ...]
    syntax: ClassVar = Syntax("deck")


@node(page="setup#decks", failures=())
class Child(Node):
    value: Expr
    below: tuple[Attribute, ...]


@node(page="setup#decks", failures=(failures.TOO_MANY_MADE,))
class CreateDeck(Action):
    back: Expr | None
    location: Location
    attributes: tuple[Attribute, ...]
    syntax: ClassVar = Syntax(
        "create",
        "(create deck (game iloc STOCK) (deck (RANK (A, K)) (SUIT (H, S))))",
        count=(3, 4),
        inside="deck",
        role="action",
    )


@node(page="setup#teams", failures=(failures.NO_SUCH_PLAYER, failures.IN_TWO_TEAMS))
class CreateTeams(Action):
    """Members as written, not yet counted from 0."""

    teams: tuple[tuple[Expr, ...], ...]
    syntax: ClassVar = Syntax(
        "create",
        "(create teams (0, 2) (1, 3))",
        count=(2, UNBOUNDED),
        inside="teams",
        role="action",
        inside_role="owner",
    )
