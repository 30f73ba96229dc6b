"""Finds lets around a choice that may read cards hidden from the chooser.

Inside a choice both engines record when an alternative reads a hidden face. A let around the choice is
evaluated before anything is listed, so it is judged by where its cards may be: an item that uses a let which
may have read a hidden card may reveal that card by what it does.
"""

from __future__ import annotations

from collections.abc import Sequence

from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

READS_FACES = (
    *(p.CardAtt, p.Score, p.Sum, p.BestScore, p.BestCard, p.OwnerOf),
    *(p.Sort, p.EndRun, p.Partition, p.Tuples, p.Runs),
)
"""Forms that read faces; `intersect`, `disjunction` and the comparison of cards do so too."""


def telling_items(choice: p.Choice, lets: Sequence[p.LetChoice]) -> frozenset[int]:
    """The items that use a let around the choice which may have read a hidden card."""
    telling: set[int] = set()
    for let in lets:
        used = any(_slot(node) in telling for node in below(let.value))
        if used or (_reads_faces(let.value) and _may_be_hidden(let.value)):
            telling.add(let.binding.slot)
    if not telling:
        return frozenset()
    return frozenset(
        number
        for number, item in enumerate(choice.items)
        if any(_slot(node) in telling for node in below(item))
    )


def _slot(node: p.Node) -> int | None:
    return node.binding.slot if isinstance(node, p.Var) else None


def _reads_faces(value: p.Expr) -> bool:
    return any(
        isinstance(node, READS_FACES)
        or (isinstance(node, p.Combination) and node.how != "union")
        or (isinstance(node, p.Same) and node.of is Kind.CARD)
        for node in below(value)
    )


def _may_be_hidden(value: p.Expr) -> bool:
    """Whether its cards may be where the current player does not see them."""
    nodes = list(below(value))
    owners = any(isinstance(node, p.OwnerOf) for node in nodes)
    for node in nodes:
        # a collection bound further out counts as the places of its cards
        if isinstance(node, p.Var) and node.binding.how == "let" and _may_be_hidden(node.binding.source):
            return True
        if isinstance(node, p.PlaceForm):
            own = isinstance(node.owner, p.SeatAt) and node.owner.which == "current"
            open_to_all = node.cls == "vloc" or (node.cls == "mem" and not owners)
            others = node.cls == "oloc" and isinstance(node.owner, p.Table)
            if not (open_to_all or others or (own and node.cls == "iloc")):
                return True
    return False
