"""Nodes of a tree as they are found, each behind its children; and the same nodes in depth order."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from upcard.solve.game_tree import CHANCE, END, GameTree, InformationSet

Payoff: TypeAlias = tuple[Fraction, ...]


@dataclass
class NodeList:
    """Nodes behind their children, as they are found."""

    seat: list[int] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    children: list[tuple[int, ...]] = field(default_factory=list)
    weights: list[tuple[Fraction, ...]] = field(default_factory=list)
    payoffs: list[Payoff | None] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)

    def add(
        self,
        seat: int,
        at: int,
        name: str,
        children: tuple[int, ...] = (),
        weights: tuple[Fraction, ...] = (),
        payoff: Payoff | None = None,
    ) -> int:
        """A node behind its children; `name` tells its information set from all others."""
        told = repr((seat, name, weights, payoff)).encode()
        digest = hashlib.blake2b(told + b"".join(self.digests[child] for child in children), digest_size=16)
        self.seat.append(seat)
        self.at.append(at)
        self.children.append(children)
        self.weights.append(weights)
        self.payoffs.append(payoff)
        self.digests.append(digest.digest())
        return len(self.seat) - 1

    def add_all(self, others: NodeList, numbers: list[int]) -> None:
        """Adds the nodes of another list, whose information sets have these numbers here."""
        before = len(self.seat)
        self.seat += others.seat
        self.at += [numbers[at] if at >= 0 else at for at in others.at]
        self.children += [tuple(before + child for child in children) for children in others.children]
        self.weights += others.weights
        self.payoffs += others.payoffs
        self.digests += others.digests

    def forget_from(self, node: int) -> None:
        """Removes the nodes that were added last."""
        for column in (self.seat, self.at, self.children, self.weights, self.payoffs, self.digests):
            del column[node:]


def flatten(nodes: NodeList, root: int, sets: list[InformationSet], seats: int) -> tuple[GameTree, list[int]]:
    """The nodes in depth order, and the information sets with them; and which sets these are."""
    tree = GameTree(seats)
    order = [root]
    tree.probability.append(1.0)
    numbers: dict[int, int] = {}
    for node in order:  # grows meanwhile
        seat, children = nodes.seat[node], nodes.children[node]
        tree.seat.append(seat)
        tree.first.append(len(order))
        tree.count.append(len(children))
        order.extend(children)
        weights = nodes.weights[node]
        tree.probability.extend(map(float, weights) if weights else [1.0] * len(children))
        if seat == END:
            tree.at.append(tree.ends)
            tree.payoffs.extend(map(float, nodes.payoffs[node] or ()))
        elif seat == CHANCE:
            tree.at.append(-1)
        else:
            tree.at.append(numbers.setdefault(nodes.at[node], len(numbers)))
    for old in numbers:
        one = sets[old]
        parent = None if one.parent is None else (numbers[one.parent[0]], one.parent[1])
        tree.information_sets.append(replace(one, parent=parent))
    assert all(one <= other for one, other in pairwise(tree.first)), "children lie in depth order"
    return tree, list(numbers)
