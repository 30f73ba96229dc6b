"""The sequence form of a tree: for each seat its sequences, and for each sequence the ends it leads to."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from upcard.solve.game_tree import CHANCE, END, GameTree


@dataclass
class SeatForm:
    """The sequences of one seat. Sequence 0 is nothing done; the others are actions at information sets."""

    sets: list[int]
    """The information sets of this seat, by their numbers in the tree."""
    first: array[int]
    """For each of them its first sequence, then the number of sequences."""
    parent: array[int]
    """For each of them the sequence before it."""
    rows: array[int]
    """For each sequence the first of its ends, then their number."""
    others: array[int]
    """For each end the sequences of the other seats, in the order of seats."""
    payoffs: array[float]
    """For each end the payoff times the probability of chance."""

    @property
    def sequences(self) -> int:
        return self.first[-1]


@dataclass
class SequenceForm:
    tree: GameTree
    seats: list[SeatForm]
    numbers: array[int]
    """For each information set of the tree its number among those of its seat."""

    def first_sequence(self, information_set: int) -> int:
        """The sequence of the first action at an information set of the tree."""
        seat = self.tree.information_sets[information_set].seat
        return self.seats[seat].first[self.numbers[information_set]]


def sequence_form(tree: GameTree) -> SequenceForm:
    seats = [
        SeatForm([], array("q"), array("q"), array("q"), array("I"), array("d")) for _ in range(tree.seats)
    ]
    next_sequence = [1] * tree.seats
    first = array("q")
    numbers = array("q")
    for number, one in enumerate(tree.information_sets):
        form = seats[one.seat]
        numbers.append(len(form.sets))
        form.sets.append(number)
        first.append(next_sequence[one.seat])
        form.first.append(next_sequence[one.seat])
        form.parent.append(0 if one.parent is None else first[one.parent[0]] + one.parent[1])
        next_sequence[one.seat] += len(one.actions)
    for seat, form in enumerate(seats):
        form.first.append(next_sequence[seat])
    found: dict[tuple[int, ...], list[float]] = {}
    for sequences, chance, node in _ends(tree, first):
        sums = found.setdefault(sequences, [0.0] * tree.seats)
        for seat, payoff in enumerate(tree.payoff(node)):
            sums[seat] += chance * payoff
    for seat, form in enumerate(seats):
        _fill_rows(form, seat, found)
    return SequenceForm(tree, seats, numbers)


def _ends(tree: GameTree, first: array[int]) -> Iterator[tuple[tuple[int, ...], float, int]]:
    """For each end the sequences of all seats, the probability of chance, and the node."""
    reached: list[tuple[tuple[int, ...], float] | None] = [None] * tree.nodes
    reached[0] = ((0,) * tree.seats, 1.0)
    for node in range(tree.nodes):
        here = reached[node]
        reached[node] = None  # nobody asks again
        assert here is not None
        sequences, chance = here
        seat = tree.seat[node]
        if seat == END:
            yield sequences, chance, node
            continue
        for action in range(tree.count[node]):
            child = tree.first[node] + action
            if seat == CHANCE:
                reached[child] = (sequences, chance * tree.probability[child])
            else:
                sequence = first[tree.at[node]] + action
                reached[child] = ((*sequences[:seat], sequence, *sequences[seat + 1 :]), chance)


def _fill_rows(form: SeatForm, seat: int, found: dict[tuple[int, ...], list[float]]) -> None:
    rows: list[list[tuple[tuple[int, ...], float]]] = [[] for _ in range(form.sequences)]
    for sequences, payoffs in found.items():
        others = (*sequences[:seat], *sequences[seat + 1 :])
        if payoffs[seat] != 0.0:
            rows[sequences[seat]].append((others, payoffs[seat]))
    for row in rows:
        form.rows.append(len(form.payoffs))
        for others, payoff in row:
            form.others.extend(others)
            form.payoffs.append(payoff)
    form.rows.append(len(form.payoffs))
