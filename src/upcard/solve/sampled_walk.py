"""Kernels of Monte Carlo counterfactual regret minimization with external sampling.

Chance and the other seats are sampled, and all actions of one seat are tried. A sample touches few nodes, so
that trees that are too large for whole iterations still make progress.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr, f64, i64, itof, lshr, offset, set_f64
from upcard.engine.native.kernels.random_numbers import next_word
from upcard.engine.native.kernels.structs import Struct
from upcard.solve.regret_update import Problem, match_regrets

UNIT = 1.0 / (1 << 53)
CHANCE, END = -1, -2
"""As in `game_tree`."""


class Walk(Struct):
    """The tree that is sampled."""

    problem: Problem
    seat: Ptr
    place: Ptr
    """The information set of a decision, the number of an end."""
    first: Ptr
    count: Ptr
    probability: Ptr
    payoffs: Ptr
    number: Ptr
    """For each information set its number among those of its seat."""
    values: Ptr
    """Room for the values of actions, for one path."""
    stream: Ptr


def draw(stream: Ptr) -> Float:
    """A number from 0 to below 1."""
    return itof(lshr(next_word(stream), 11)) * UNIT


def sample_child(walk: Walk, node: Int) -> Int:
    """A child of a chance node."""
    left = draw(walk.stream)
    child = i64(walk.first, node)
    last = child + i64(walk.count, node) - 1
    while child < last:
        left = left - f64(walk.probability, child)
        if left < 0.0:
            return child
        child = child + 1
    return last


def sample_action(walk: Walk, strategy: Ptr, begin: Int, end: Int) -> Int:
    """The number of an action, drawn by a strategy."""
    left = draw(walk.stream)
    for s in range(begin, end - 1):
        left = left - f64(strategy, s)
        if left < 0.0:
            return s - begin
    return end - 1 - begin


def walk_node(walk: Walk, node: Int, traverser: Int, room: Int) -> Float:
    """The sampled value of a node to a seat, whose regrets are updated on the way."""
    problem = walk.problem
    seats = problem.seats
    form = problem.forms[traverser]
    begin = 0
    end = 0
    while 1:
        seat = i64(walk.seat, node)
        if seat == END:
            return f64(walk.payoffs, i64(walk.place, node) * seats + traverser)
        if seat == CHANCE:
            node = sample_child(walk, node)
            continue
        form = problem.forms[seat]
        number = i64(walk.number, i64(walk.place, node))
        begin = i64(form.first, number)
        end = i64(form.first, number + 1)
        match_regrets(form, begin, end, 0)
        if seat == traverser:
            break
        if seat == traverser + 1 or (seat == 0 and traverser == seats - 1):
            # the seat behind the traverser counts what it plays where the others lead it
            for s in range(begin, end):
                set_f64(form.total, s, f64(form.total, s) + f64(form.strategy, s))
        node = i64(walk.first, node) + sample_action(walk, form.strategy, begin, end)
    child = i64(walk.first, node)
    actions = end - begin
    values = offset(walk.values, 8 * room)
    for a in range(actions):
        set_f64(values, a, walk_node(walk, child + a, traverser, room + actions))
    value = 0.0
    for a in range(actions):
        value = value + f64(form.strategy, begin + a) * f64(values, a)
    for a in range(actions):
        set_f64(form.regrets, begin + a, f64(form.regrets, begin + a) + f64(values, a) - value)
    return value


def sample(walk: Walk, count: Int) -> None:
    """Iterations: a walk through the tree for every seat in turn."""
    problem = walk.problem
    seats = problem.seats
    for _ in range(count):
        for seat in range(seats):
            walk_node(walk, 0, seat, 0)
        problem.iterations = problem.iterations + 1


KERNELS = (draw, sample_child, sample_action, walk_node, sample)
