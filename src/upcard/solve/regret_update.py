"""Kernels on the sequence form: regret minimization, averages, best responses.

A sequence of a seat is what it has done on the way to a position: sequence 0 is nothing, every other one an
action at an information set. A plan holds for each sequence the product of the seat's probabilities on the
way. What a sequence is worth is a sum over the ends that it leads to at once: the payoff there, times
chance, times the plans of the other seats. The sequences behind an information set add what they are worth
to the sequence before it, from the last set to the first.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Float,
    Int,
    Ptr,
    f64,
    fsqrt,
    i64,
    itof,
    set_f64,
    u32,
)
from upcard.engine.native.kernels.structs import Array, Struct

CFR_PLUS = 0
DCFR = 1
PCFR_PLUS = 2
"""Algorithms: docs/reference/solving.md describes them."""


class Seat(Struct):
    """The sequence form of one seat."""

    sets: Int
    sequences: Int
    first: Ptr
    """For each information set its first sequence, then the number of sequences."""
    parent: Ptr
    """For each information set the sequence before it."""
    rows: Ptr
    """For each sequence the first of its ends, then their number."""
    others: Ptr
    """For each end the sequences of the other seats, in the order of seats."""
    payoffs: Ptr
    """For each end the payoff of this seat times the probability of chance."""
    regrets: Ptr
    last: Ptr
    """The regrets of the last iteration alone."""
    strategy: Ptr
    plan: Ptr
    total: Ptr
    """The weighted sum of all plans so far."""
    average: Ptr
    """The average strategy, and its plan."""
    mean: Ptr
    worth: Ptr
    """What each sequence is worth."""
    response: Ptr
    """For each information set the number of the best action."""


class Problem(Struct):
    seats: Int
    algorithm: Int
    iterations: Int
    """Done so far."""
    forms: Array[Seat]


def set_worth(problem: Problem, seat: Int, averaged: Int) -> None:
    """What the sequences of a seat are worth by the ends that they lead to at once."""
    form = problem.forms[seat]
    seats = problem.seats
    rows = form.rows
    others = form.others
    payoffs = form.payoffs
    worth = form.worth
    if seats == 2:
        other = problem.forms[1 - seat]
        plan = other.mean if averaged != 0 else other.plan
        end = i64(rows, 0)
        for s in range(form.sequences):
            begin = end
            end = i64(rows, s + 1)
            total = 0.0
            for e in range(begin, end):
                total = total + f64(payoffs, e) * f64(plan, u32(others, e))
            set_f64(worth, s, total)
        return
    for s in range(form.sequences):
        total = 0.0
        for e in range(i64(rows, s), i64(rows, s + 1)):
            product = f64(payoffs, e)
            column = e * (seats - 1)
            for one in range(seats):
                if one != seat:
                    beside = problem.forms[one]
                    plan = beside.mean if averaged != 0 else beside.plan
                    product = product * f64(plan, u32(others, column))
                    column = column + 1
            total = total + product
        set_f64(worth, s, total)


def match_regrets(form: Seat, begin: Int, end: Int, ahead: Int) -> None:
    """The strategy in proportion to positive regrets; `ahead` counts those of the last iteration twice."""
    strategy = form.strategy
    regrets = form.regrets
    last = form.last
    total = 0.0
    for s in range(begin, end):
        wanted = f64(regrets, s)
        if ahead != 0:
            wanted = wanted + f64(last, s)
        if wanted < 0.0:
            wanted = 0.0
        set_f64(strategy, s, wanted)
        total = total + wanted
    if total > 0.0:
        scale = 1.0 / total
        for s in range(begin, end):
            set_f64(strategy, s, f64(strategy, s) * scale)
    else:
        share = 1.0 / itof(end - begin)
        for s in range(begin, end):
            set_f64(strategy, s, share)


def update_seat(problem: Problem, seat: Int, iteration: Int) -> None:
    """Regrets, strategy, plan and average of one seat against the plans of the others."""
    set_worth(problem, seat, 0)
    form = problem.forms[seat]
    algorithm = problem.algorithm
    first = form.first
    parent = form.parent
    worth = form.worth
    regrets = form.regrets
    last = form.last
    strategy = form.strategy
    t = itof(iteration)
    power = t * fsqrt(t)
    kept = power / (power + 1.0)
    end = form.sequences
    number = form.sets - 1
    while number >= 0:
        begin = i64(first, number)
        value = 0.0
        for s in range(begin, end):
            value = value + f64(strategy, s) * f64(worth, s)
        for s in range(begin, end):
            regret = f64(worth, s) - value
            total = f64(regrets, s) + regret
            if algorithm == DCFR:
                total = total * (kept if total > 0.0 else 0.5)
            elif total < 0.0:
                total = 0.0
            set_f64(regrets, s, total)
            if algorithm == PCFR_PLUS:
                set_f64(last, s, regret)
        match_regrets(form, begin, end, 1 if algorithm == PCFR_PLUS else 0)
        before = i64(parent, number)
        set_f64(worth, before, f64(worth, before) + value)
        end = begin
        number = number - 1
    add_plan(form, t if algorithm == CFR_PLUS else t * t)


def add_plan(form: Seat, weight: Float) -> None:
    """The plan of the strategy, which is added to the average with a weight."""
    first = form.first
    parent = form.parent
    strategy = form.strategy
    plan = form.plan
    total = form.total
    end = 1
    for number in range(form.sets):
        begin = end
        end = i64(first, number + 1)
        reached = f64(plan, i64(parent, number))
        for s in range(begin, end):
            chance = reached * f64(strategy, s)
            set_f64(plan, s, chance)
            set_f64(total, s, f64(total, s) + weight * chance)


def iterate(problem: Problem, count: Int) -> None:
    """Iterations: every seat in turn is updated against the newest plans of the others."""
    seats = problem.seats
    for _ in range(count):
        iteration = problem.iterations + 1
        for seat in range(seats):
            update_seat(problem, seat, iteration)
        problem.iterations = iteration


def set_average(form: Seat) -> None:
    """The average strategy, uniform where the seat never came, and its plan."""
    first = form.first
    total = form.total
    average = form.average
    mean = form.mean
    set_f64(mean, 0, 1.0)
    for number in range(form.sets):
        begin = i64(first, number)
        end = i64(first, number + 1)
        reached = f64(mean, i64(form.parent, number))
        weight = 0.0
        for s in range(begin, end):
            weight = weight + f64(total, s)
        for s in range(begin, end):
            share = f64(total, s) / weight if weight > 0.0 else 1.0 / itof(end - begin)
            set_f64(average, s, share)
            set_f64(mean, s, reached * share)


def set_mean(form: Seat) -> None:
    """The plan of the average strategy, where that was given from outside."""
    first = form.first
    average = form.average
    mean = form.mean
    set_f64(mean, 0, 1.0)
    for number in range(form.sets):
        reached = f64(mean, i64(form.parent, number))
        for s in range(i64(first, number), i64(first, number + 1)):
            set_f64(mean, s, reached * f64(average, s))


def expected_payoff(problem: Problem, seat: Int) -> Float:
    """What a seat gets if all follow their average strategies."""
    set_worth(problem, seat, 1)
    form = problem.forms[seat]
    worth = form.worth
    mean = form.mean
    value = 0.0
    for s in range(form.sequences):
        value = value + f64(worth, s) * f64(mean, s)
    return value


def best_response(problem: Problem, seat: Int) -> Float:
    """What a seat gets at best against the average strategies of the others."""
    set_worth(problem, seat, 1)
    form = problem.forms[seat]
    first = form.first
    worth = form.worth
    response = form.response
    number = form.sets - 1
    while number >= 0:
        begin = i64(first, number)
        best = f64(worth, begin)
        chosen = 0
        for s in range(begin + 1, i64(first, number + 1)):
            value = f64(worth, s)
            if value > best:
                best = value
                chosen = s - begin
        set_f64(response, number, itof(chosen))
        before = i64(form.parent, number)
        set_f64(worth, before, f64(worth, before) + best)
        number = number - 1
    return f64(worth, 0)


KERNELS = (
    set_worth,
    match_regrets,
    update_seat,
    add_plan,
    iterate,
    set_average,
    set_mean,
    expected_payoff,
    best_response,
)
