"""Numbers, conditions, strings, players and teams (docs/language: values, points, players and teams)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from upcard.engine.api import TABLE
from upcard.engine.reference.evaluator import Evaluator, value_of
from upcard.engine.shared.table import EMPTY_MAP, UNBOUND, PointMap
from upcard.recycle import arithmetic, failures
from upcard.recycle import program as p
from upcard.recycle.arithmetic import NumberError, checked
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT


def guarded(m: Evaluator, node: p.Node, compute: Callable[[], int]) -> int:
    """A number that may not exist, reported at the form that asked for it."""
    try:
        return compute()
    except NumberError as error:
        raise m.fault(node, str(error)) from None


@value_of(p.Var)
def _var(m: Evaluator, node: p.Var) -> Any:
    value = m.table.env[node.binding.slot]
    if value is UNBOUND:
        raise m.fault(node, failures.NO_VALUE_YET, node.binding.name)
    return value


# --- numbers -------------------------------------------------------------------------------------


@value_of(p.Int)
def _int(m: Evaluator, node: p.Int) -> int:
    return node.value


@value_of(p.IntStore)
def _int_store(m: Evaluator, node: p.IntStore) -> int:
    return m.table.ints.get((m.owner(node.owner), m.value(node.name)), 0)


@value_of(p.Size)
def _size(m: Evaluator, node: p.Size) -> int:
    if isinstance(node.of, p.Range):
        low, high = range_of(m, node.of)
        return max(0, high - low + 1)
    value = m.value(node.of)
    return len(m.cards_in(value) if node.of.kind is Kind.CARDS else value)


@value_of(p.Arithmetic)
def _arithmetic(m: Evaluator, node: p.Arithmetic) -> int:
    numbers = [m.value(operand) for operand in node.operands]
    result: int = numbers[0]
    try:
        for number in numbers[1:]:
            result = arithmetic.combine(node.operator, result, number)
    except NumberError as error:
        raise m.fault(node, str(error)) from None
    return result


@value_of(p.Tri)
def _tri(m: Evaluator, node: p.Tri) -> int:
    n = m.value(node.of)
    return guarded(m, node, lambda: arithmetic.triangle(n))


@value_of(p.Fib)
def _fib(m: Evaluator, node: p.Fib) -> int:
    n = m.value(node.of)
    return guarded(m, node, lambda: arithmetic.fibonacci(n))


@value_of(p.Random)
def _random(m: Evaluator, node: p.Random) -> int:
    low = m.value(node.low) if node.low is not None else 0
    high = m.value(node.high)
    if high < low:
        raise m.fault(node, failures.NOTHING_TO_DRAW, low, high)
    if high - low + 1 > 2**63:
        raise m.fault(node, failures.RANDOM_TOO_WIDE)
    return int(low + m.stream.below(high - low + 1))


@value_of(p.Pid)
def _pid(m: Evaluator, node: p.Pid) -> int:
    return int(m.value(node.player)) + m.base


@value_of(p.SumOver)
def _sum_over(m: Evaluator, node: p.SumOver) -> int:
    total = 0
    elements = m.elements(node.source)
    m.count(node, len(elements))
    for element in elements:
        m.table.bind(node.binding.slot, element)
        amount = m.value(node.store)
        total = guarded(m, node, lambda: checked(total + amount))  # noqa: B023 (called at once)
    return total


@value_of(p.Range)
def _range(m: Evaluator, node: p.Range) -> list[int]:
    low, high = range_of(m, node)
    m.count_cards(node, max(0, high - low + 1))
    return list(range(low, high + 1))


def range_of(m: Evaluator, node: p.Range) -> tuple[int, int]:
    """The first and the last number; none where the last is less."""
    low, high = m.value(node.low), m.value(node.high)
    if high - low + 1 > MAX_COUNT:
        raise m.fault(node, failures.TOO_MANY_NUMBERS)
    return low, high


@value_of(p.Numbers)
def _numbers(m: Evaluator, node: p.Numbers) -> list[int]:
    return list(node.values)


# --- scores --------------------------------------------------------------------------------------


@value_of(p.MapStore)
def _map(m: Evaluator, node: p.MapStore) -> PointMap:
    return m.table.maps.get((m.owner(node.owner), m.value(node.name)), EMPTY_MAP)


def score(m: Evaluator, node: p.Node, card: int, using: PointMap) -> int:
    m.look(card)
    try:
        return using.score(m.table.cards[card], checked)
    except NumberError as error:
        raise m.fault(node, str(error)) from None


@value_of(p.Score)
def _score(m: Evaluator, node: p.Score) -> int:
    card = m.value(node.card)
    using = m.value(node.using)
    if card is None:
        raise m.fault(node, failures.NO_CARD_TO_SCORE)
    return score(m, node, card, using)


@value_of(p.Sum)
def _sum(m: Evaluator, node: p.Sum) -> int:
    cards = m.cards(node.cards)
    using = m.value(node.using)
    m.count_cards(node, len(cards))
    total = 0
    try:
        for card in cards:
            total = checked(total + score(m, node, card, using))
    except NumberError as error:
        raise m.fault(node, str(error)) from None
    return total


@value_of(p.BestScore)
def _best_score(m: Evaluator, node: p.BestScore) -> int:
    cards = m.cards(node.cards)
    using = m.value(node.using)
    if not cards:
        raise m.fault(node, failures.NO_CARDS_TO_SCORE)
    m.count_cards(node, len(cards))
    scores = [score(m, node, card, using) for card in cards]
    return max(scores) if node.greatest else min(scores)


# --- conditions ----------------------------------------------------------------------------------


@value_of(p.Truth)
def _truth(m: Evaluator, node: p.Truth) -> bool:
    return node.value


@value_of(p.Logic)
def _logic(m: Evaluator, node: p.Logic) -> bool:
    decides = node.operator == "or"
    for operand in node.operands:
        if bool(m.value(operand)) == decides:
            return decides
    return not decides


@value_of(p.Not)
def _not(m: Evaluator, node: p.Not) -> bool:
    return not m.value(node.of)


@value_of(p.Compare)
def _compare(m: Evaluator, node: p.Compare) -> bool:
    left, right = m.value(node.left), m.value(node.right)
    if node.operator == "<":
        return bool(left < right)
    if node.operator == ">":
        return bool(left > right)
    return bool(left <= right) if node.operator == "<=" else bool(left >= right)


@value_of(p.Same)
def _same(m: Evaluator, node: p.Same) -> bool:
    """Cards by identity; no card equals only no card."""
    left, right = m.value(node.left), m.value(node.right)
    if node.of is Kind.CARD:
        for card in (left, right):
            if card is not None:
                m.look(card)
    return bool(left == right) is not node.negated


@value_of(p.Quantified)
def _quantified(m: Evaluator, node: p.Quantified) -> bool:
    decides = not node.every
    slot = node.binding.slot
    elements = m.elements(node.source)
    m.count(node, len(elements))
    for element in elements:
        m.table.bind(slot, element)
        if bool(m.value(node.test)) == decides:
            return decides
    return not decides


# --- strings -------------------------------------------------------------------------------------


@value_of(p.Str)
def _str(m: Evaluator, node: p.Str) -> str:
    return node.text


@value_of(p.Names)
def _names(m: Evaluator, node: p.Names) -> list[str]:
    return list(node.texts)


@value_of(p.StrStore)
def _str_store(m: Evaluator, node: p.StrStore) -> str:
    return m.table.strs.get((m.owner(node.owner), m.value(node.name)), "")


@value_of(p.CardAtt)
def _cardatt(m: Evaluator, node: p.CardAtt) -> str:
    key = m.value(node.key)
    card: int | None = m.value(node.card)
    if card is None:
        return ""
    m.look(card)
    return m.table.cards[card].attributes.get(key, "")


# --- players and teams ---------------------------------------------------------------------------


@value_of(p.SeatAt)
def _seat_at(m: Evaluator, node: p.SeatAt) -> int:
    if node.which == "current":
        return m.table.current
    return m.table.next if node.which == "next" else m.table.previous


@value_of(p.SeatNumber)
def _seat_number(m: Evaluator, node: p.SeatNumber) -> int:
    number = m.value(node.number)
    seat = int(number - m.base)
    if not 0 <= seat < m.table.seats:
        raise m.fault(node, failures.NO_SUCH_PLAYER, number)
    return seat


@value_of(p.OwnerOf)
def _owner_of(m: Evaluator, node: p.OwnerOf) -> int:
    card: int | None = m.value(node.card)
    if card is None:
        raise m.fault(node, failures.NO_CARD_TO_OWN)
    m.look(card)
    owner = m.table.where[card].owner
    if owner == TABLE:
        raise m.fault(node, failures.OWNED_BY_TABLE)
    return owner


@value_of(p.TeamAt)
def _team_at(m: Evaluator, node: p.TeamAt) -> int:
    if not m.table.teams:
        raise m.fault(node, failures.NO_TEAMS_YET)
    step = {"current": 0, "next": 1, "previous": -1}[node.which]
    return (m.table.team_cycles[-1] + step) % len(m.table.teams)


@value_of(p.TeamNumber)
def _team_number(m: Evaluator, node: p.TeamNumber) -> int:
    number = m.value(node.number)
    team = int(number - m.base)
    if not 0 <= team < len(m.table.teams):
        raise m.fault(node, failures.NO_SUCH_TEAM, number)
    return team


@value_of(p.TeamOf)
def _team_of(m: Evaluator, node: p.TeamOf) -> int:
    seat = m.value(node.player)
    if not m.table.teams:
        raise m.fault(node, failures.NO_TEAMS_YET)
    return next(i for i, members in enumerate(m.table.teams) if seat in members)


@value_of(p.Players)
def _players(m: Evaluator, node: p.Players) -> list[int]:
    return [seat for seat in range(m.table.seats) if not (node.others and seat == m.table.current)]


@value_of(p.Teams)
def _teams(m: Evaluator, node: p.Teams) -> list[int]:
    current = m.table.team_cycles[-1]
    return [team for team in range(len(m.table.teams)) if not (node.others and team == current)]


@value_of(p.Members)
def _members(m: Evaluator, node: p.Members) -> list[int]:
    team = m.value(node.team)
    if team >= len(m.table.teams):
        raise m.fault(node, failures.TEAM_IS_GONE)
    return list(m.table.teams[team])
