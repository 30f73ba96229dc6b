"""The value of a game of two seats by linear programming on sequences (Koller, Megiddo and von Stengel).

It is written from the tree alone, without the sequence form that solving uses.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

from upcard.solve.game_tree import CHANCE, END, GameTree

Sequence = tuple[int, int] | None
"""An information set and an action; None is nothing done."""


def value_of(tree: GameTree) -> float:
    """What the first seat gets if both play optimally."""
    assert tree.seats == 2
    numbers: list[dict[Sequence, int]] = [{None: 0}, {None: 0}]
    for number, one in enumerate(tree.information_sets):
        for action in range(len(one.actions)):
            numbers[one.seat].setdefault((number, action), len(numbers[one.seat]))
    payoffs: dict[tuple[int, int], float] = defaultdict(float)

    def walk(node: int, chance: float, last: tuple[Sequence, Sequence]) -> None:
        seat = tree.seat[node]
        if seat == END:
            payoffs[numbers[0][last[0]], numbers[1][last[1]]] += chance * tree.payoff(node)[0]
            return
        for action in range(tree.count[node]):
            child = tree.first[node] + action
            if seat == CHANCE:
                walk(child, chance * tree.probability[child], last)
            else:
                done = (tree.at[node], action)
                walk(child, chance, (done, last[1]) if seat == 0 else (last[0], done))

    walk(0, 1.0, (None, None))
    sizes = [len(numbers[0]), len(numbers[1])]
    rows, columns = zip(*payoffs, strict=True)
    paid = coo_matrix((list(payoffs.values()), (rows, columns)), shape=sizes)
    plans = [_plan_constraints(tree, seat, numbers[seat]) for seat in (0, 1)]
    (own, own_right), (other, other_right) = plans
    # maximise other_right . v with paid^T x - other^T v >= 0, own x = own_right, x >= 0
    costs = np.concatenate([np.zeros(sizes[0]), -other_right])
    above = hstack([-paid.T, other.T])
    equal = hstack([own, coo_matrix((own.shape[0], other.shape[0]))])
    bounds = [(0, None)] * sizes[0] + [(None, None)] * other.shape[0]
    solved = linprog(costs, above, np.zeros(sizes[1]), equal, own_right, bounds=bounds, method="highs")
    assert solved.success, solved.message
    return -float(solved.fun)


def _plan_constraints(
    tree: GameTree, seat: int, numbers: dict[Sequence, int]
) -> tuple[coo_matrix, np.ndarray]:
    """The plans of a seat: the empty sequence has probability 1, and actions share that of the sequence
    before them."""
    rows, columns, values = [0], [0], [1.0]
    count = 1
    for number, one in enumerate(tree.information_sets):
        if one.seat != seat:
            continue
        rows.append(count)
        columns.append(numbers[one.parent])
        values.append(-1.0)
        for action in range(len(one.actions)):
            rows.append(count)
            columns.append(numbers[number, action])
            values.append(1.0)
        count += 1
    right = np.zeros(count)
    right[0] = 1.0
    return coo_matrix((values, (rows, columns)), shape=(count, len(numbers))), right
