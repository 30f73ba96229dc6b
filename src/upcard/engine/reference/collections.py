"""Cards, card collections and lists of collections (docs/language: cards and places, collections)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, product
from typing import Any, NamedTuple

from upcard.engine.api import Place
from upcard.engine.reference.evaluator import Evaluator, value_of
from upcard.engine.reference.values import score
from upcard.engine.shared.table import PointMap, Snapshot
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT, MAX_GROUPED, MAX_NUMBER, MAX_SUBSETS, SUBSETS_A_UNIT


class Held(NamedTuple):
    """A card and how it was reached: through which collection, at which index."""

    card: int | None
    of: Place | Snapshot | None
    at: int
    by_position: bool
    """Taken as top, bottom or (n ...) directly of an ordered location: everyone saw which position."""


def held(m: Evaluator, node: p.Expr) -> Held:
    """The position that a card expression designates."""
    if isinstance(node, p.EndPosition):
        of = m.value(node.cards)
        cards = m.cards_in(of)
        if not cards:
            return Held(None, of, 0, False)
        at_top = isinstance(node, p.TopOf) or node.end == "top"
        index = len(cards) - 1 if at_top else 0
        return Held(cards[index], of, index, _ordered_place(m, of))
    if isinstance(node, p.CardAt):
        index = m.value(node.index)
        of = m.value(node.cards)
        cards = m.cards_in(of)
        if not 0 <= index < len(cards):
            raise m.fault(node, failures.NO_SUCH_CARD, index, len(cards))
        return Held(cards[index], of, index, _ordered_place(m, of))
    if isinstance(node, p.BestCard):
        return _best(m, node)
    return Held(m.value(node), None, 0, False)


def _ordered_place(m: Evaluator, of: Place | Snapshot) -> bool:
    return isinstance(of, Place) and m.table.is_ordered(of)


def _best(m: Evaluator, node: p.BestCard) -> Held:
    of = m.value(node.cards)
    cards = m.cards_in(of)
    using = m.value(node.using)
    if not cards:
        raise m.fault(node, failures.NO_GREATEST_CARD if node.greatest else failures.NO_LEAST_CARD)
    m.count_cards(node, len(cards))
    scores = [score(m, node, card, using) for card in cards]
    best = max(scores) if node.greatest else min(scores)
    # ties are numbered in card order, a card held twice counts twice
    tied = sorted((card, i) for i, card in enumerate(cards) if scores[i] == best)
    card, index = tied[m.stream.below(len(tied))]
    return Held(card, of, index, False)


@value_of(p.EndCard, p.TopOf, p.CardAt, p.BestCard)
def _card(m: Evaluator, node: p.Expr) -> int | None:
    return held(m, node).card


# --- card collections ----------------------------------------------------------------------------


@value_of(p.Location)
def _location(m: Evaluator, node: p.Location) -> Place:
    owner = m.owner(node.owner)
    name = m.value(node.name)
    number = 0
    if node.number is not None:
        number = m.value(node.number)
        if not 0 <= number <= MAX_NUMBER:
            raise m.fault(node, failures.NO_SUCH_NUMBER, number)
    return Place(owner, node.cls, name, number)


def operands(m: Evaluator, node: p.Expr, parts: Iterable[p.Expr]) -> list[Sequence[int]]:
    """Collections, and lists of collections taken apart."""
    found: list[Sequence[int]] = []
    for part in parts:
        value = m.value(part)
        if part.kind is Kind.LISTS:
            found.extend(list(m.cards_in(inner)) for inner in value)
        else:
            found.append(list(m.cards_in(value)))
    if sum(map(len, found)) > MAX_COUNT:
        raise m.fault(node, failures.TOO_MANY_CARDS)
    m.count_cards(node, sum(map(len, found)))
    return found


@value_of(p.Combination)
def _combination(m: Evaluator, node: p.Combination) -> Snapshot:
    given = operands(m, node, node.parts)
    if node.how == "union":
        return Snapshot([card for cards in given for card in cards])
    for cards in given:
        for card in cards:
            m.look(card)
    sets = [frozenset(cards) for cards in given]
    wanted = len(sets) if node.how == "intersect" else 1
    first_seen = dict.fromkeys(card for cards in given for card in cards)
    return Snapshot([card for card in first_seen if sum(card in s for s in sets) == wanted])


@value_of(p.Filter)
def _filter(m: Evaluator, node: p.Filter) -> Any:
    slot = node.binding.slot
    kept = []
    elements = m.elements(node.source)
    m.count(node, len(elements))
    for element in elements:
        m.table.bind(slot, element)
        if m.value(node.test):
            kept.append(element)
    return Snapshot(kept) if node.kind is Kind.CARDS else kept


@value_of(p.Sort)
def _sort(m: Evaluator, node: p.Sort) -> Snapshot:
    cards = m.cards(node.cards)
    using = m.value(node.using)
    m.count_cards(node, len(cards))
    return Snapshot(sorted(cards, key=lambda card: score(m, node, card, using)))


@value_of(p.EndCards)
def _end_cards(m: Evaluator, node: p.EndCards) -> Snapshot:
    count = m.value(node.count)
    cards = m.cards(node.cards)
    if count > len(cards):
        raise m.fault(node, failures.TOO_FEW_CARDS, count, len(cards))
    m.count_cards(node, len(cards))
    if count <= 0:
        return Snapshot(())
    return Snapshot(cards[-count:] if node.end == "top" else cards[:count])


@value_of(p.EndRun)
def _end_run(m: Evaluator, node: p.EndRun) -> Snapshot:
    least = m.value(node.least)
    cards = m.cards(node.cards)
    using = m.value(node.using)
    m.count_cards(node, len(cards) ** 2)
    for length in range(len(cards), max(least, 1) - 1, -1):
        tried = cards[-length:] if node.end == "top" else cards[:length]
        by_score = sorted((score(m, node, card, using), i) for i, card in enumerate(tried))
        if all(b[0] - a[0] == 1 for a, b in pairwise(by_score)):
            return Snapshot([tried[i] for _, i in by_score])
    return Snapshot(())


# --- one of a list -------------------------------------------------------------------------------


@value_of(p.ListEnd)
def _list_end(m: Evaluator, node: p.ListEnd) -> Place | Snapshot:
    lists: list[Place | Snapshot] = m.value(node.lists)
    if not lists:
        raise m.fault(node, failures.NO_COLLECTIONS)
    return lists[0] if node.end == "top" else lists[-1]


@value_of(p.ListAt)
def _list_at(m: Evaluator, node: p.ListAt) -> Place | Snapshot:
    index: int = m.value(node.index)
    lists: list[Place | Snapshot] = m.value(node.lists)
    if not 0 <= index < len(lists):
        raise m.fault(node, failures.NO_SUCH_COLLECTION, index, len(lists))
    return lists[index]


# --- lists of collections ------------------------------------------------------------------------


@value_of(p.Partition)
def _partition(m: Evaluator, node: p.Partition) -> list[Snapshot]:
    # operands are evaluated as they stand in the text; older programs have the key last
    last = node.key.span.start > node.parts[0].span.start
    given = operands(m, node, node.parts) if last else []
    key = m.value(node.key)
    groups: dict[str, list[int]] = {}
    for cards in given if last else operands(m, node, node.parts):
        for card in cards:
            m.look(card)
            groups.setdefault(m.table.cards[card].attributes.get(key, ""), []).append(card)
    return [Snapshot(cards) for cards in groups.values()]


def by_score(m: Evaluator, node: p.Node, cards: Sequence[int], using: PointMap) -> dict[int, list[int]]:
    """Cards of each score, scores ascending."""
    groups: dict[int, list[int]] = {}
    for card in cards:
        groups.setdefault(score(m, node, card, using), []).append(card)
    return dict(sorted(groups.items()))


def collected(m: Evaluator, node: p.Node, groups: Iterable[Iterable[int]]) -> list[Snapshot]:
    found: list[Snapshot] = []
    cards = 0
    for group in groups:
        made = Snapshot(list(group))
        cards += len(made.cards)
        if len(found) == MAX_COUNT or cards > MAX_GROUPED:
            raise m.fault(node, failures.TOO_MANY_GROUPS)
        m.count(node, 1)
        found.append(made)
    return found


@value_of(p.Tuples)
def _tuples(m: Evaluator, node: p.Tuples) -> list[Snapshot]:
    count = m.value(node.count)
    cards = m.cards(node.cards)
    using = m.value(node.using)
    if count < 1:
        raise m.fault(node, failures.EMPTY_TUPLES, count)
    m.count_cards(node, len(cards))
    groups = [group for group in by_score(m, node, cards, using).values() if len(group) >= count]
    return collected(m, node, (chosen for group in groups for chosen in combinations(group, count)))


@value_of(p.Subsets)
def _subsets(m: Evaluator, node: p.Subsets) -> list[Snapshot]:
    cards = list(m.cards(node.cards))
    if len(cards) > MAX_SUBSETS:
        raise m.fault(node, failures.TOO_MANY_SUBSETS, len(cards))
    m.count(node, (1 << len(cards)) // SUBSETS_A_UNIT)
    return [
        Snapshot([card for bit, card in enumerate(cards) if chosen >> bit & 1])
        for chosen in range(1, 1 << len(cards))
    ]


@value_of(p.Runs)
def _runs(m: Evaluator, node: p.Runs) -> list[Snapshot]:
    least = m.value(node.least)
    cards = m.cards(node.cards)
    using = m.value(node.using)
    m.count_cards(node, len(cards))
    groups = by_score(m, node, cards, using)
    stretches: list[list[int]] = []
    for value in groups:
        if stretches and value == stretches[-1][-1] + 1:
            stretches[-1].append(value)
        else:
            stretches.append([value])
    chosen: Iterable[list[int]] = stretches
    if node.every:
        chosen = (
            whole[start:end]
            for whole in stretches
            for start in range(len(whole))
            for end in range(start + max(least, 1), len(whole) + 1)
        )
    long_enough = (stretch for stretch in chosen if len(stretch) >= least)
    return collected(
        m, node, (run for stretch in long_enough for run in product(*(groups[value] for value in stretch)))
    )


@value_of(p.Each)
def _each(m: Evaluator, node: p.Each) -> list[Place | Snapshot]:
    found = []
    elements = m.elements(node.source)
    m.count(node, len(elements))
    for element in elements:
        m.table.bind(node.binding.slot, element)
        found.append(m.value(node.body))
    return found


@value_of(p.Indexed)
def _indexed(m: Evaluator, node: p.Indexed) -> list[Place]:
    owner = m.owner(node.owner)
    name = m.value(node.name)
    places = (Place(owner, node.cls, name, number) for number in range(MAX_NUMBER + 1))
    return [place for place in places if m.table.at(place)]
