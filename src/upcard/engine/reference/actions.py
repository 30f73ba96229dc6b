"""Simple actions (docs/language/actions.md): operands left to right, then the change, then its effect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal, NamedTuple

from upcard.engine.api import Place
from upcard.engine.reference.collections import Held, held
from upcard.engine.reference.evaluator import Evaluator, act_of
from upcard.engine.reference.values import guarded
from upcard.engine.shared.table import PointMap, Snapshot
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.arithmetic import checked
from upcard.recycle.limits import MAX_REFERENCES

# --- places --------------------------------------------------------------------------------------


class Spot(NamedTuple):
    """Where a card is to go: an end of a place, an index in it, or the position of another card."""

    place: Place
    at: Literal["top", "bottom", "index", "card"]
    number: int
    """The index, or the other card."""


def spot(m: Evaluator, node: p.Expr) -> Spot:
    if isinstance(node, p.CardAt):
        index = m.value(node.index)
        return Spot(_real(m, node, m.value(node.cards)), "index", index)
    if isinstance(node, p.EndCard):
        return Spot(_real(m, node, m.value(node.cards)), node.end, 0)
    if isinstance(node, p.TopOf):
        return Spot(_real(m, node, m.value(node.cards)), "top", 0)
    card = m.value(node)
    if card is None:
        raise m.fault(node, failures.NO_CARD_BESIDE)
    return Spot(m.locate(node, card), "card", card)


def _real(m: Evaluator, node: p.Expr, collection: Place | Snapshot) -> Place:
    if isinstance(collection, Snapshot):
        raise m.fault(node, failures.NOT_A_LOCATION)
    return collection


def _index(m: Evaluator, node: p.Node, where: Spot, cards: list[int]) -> int:
    """The index that a spot means among cards that no longer hold the moved one."""
    if where.at == "index":
        if not 0 <= where.number <= len(cards):
            raise m.fault(node, failures.NO_SUCH_PLACE, where.number, len(cards))
        return where.number
    if where.at == "card":
        return cards.index(where.number)
    return len(cards) if where.at == "top" else 0


def _in_memory(what: Held) -> bool:
    return isinstance(what.of, Place) and what.of.cls == "mem"


# --- cards ---------------------------------------------------------------------------------------


@act_of(p.Move)
def _move(m: Evaluator, node: p.Move) -> None:
    what = held(m, node.card)
    where = spot(m, node.place)
    if what.card is None:
        raise m.fault(node, failures.NO_CARD_TO_MOVE)
    if _in_memory(what):
        raise m.fault(node, failures.MOVED_FROM_MEMORY)
    if where.place.cls == "mem":
        raise m.fault(node, failures.MOVED_INTO_MEMORY)
    source = m.locate(node.card, what.card)
    if where.at == "card" and where.number == what.card:
        got = m.table.at(source).index(what.card)
    else:
        rest = [card for card in m.table.at(where.place) if card != what.card]
        got = m.table.move(what.card, where.place, _index(m, node, where, rest))
    if isinstance(what.of, Snapshot):
        m.table.leave(what.of, what.at)
    m.did("move", what.card, source, where.place, got, what.by_position)


@act_of(p.Remember)
def _remember(m: Evaluator, node: p.Remember) -> None:
    what = held(m, node.card)
    where = spot(m, node.place)
    if what.card is None:
        raise m.fault(node, failures.NO_CARD_TO_REMEMBER)
    if where.place.cls != "mem":
        raise m.fault(node, failures.NOT_A_MEMORY)
    held_there = list(m.table.at(where.place))
    index = _index(m, node, where, held_there)
    if len(held_there) >= MAX_REFERENCES:
        raise m.fault(node, failures.TOO_MANY_REFERENCES)
    m.table.refer(what.card, where.place, index)
    m.did("remember", what.card, m.locate(node.card, what.card), where.place, index)


@act_of(p.Forget)
def _forget(m: Evaluator, node: p.Forget) -> None:
    what = held(m, node.card)
    if what.card is None:
        raise m.fault(node, failures.NO_CARD_TO_FORGET)
    if not isinstance(what.of, Place) or what.of.cls != "mem":
        raise m.fault(node, failures.NOT_REMEMBERED)
    m.table.unrefer(what.of, what.at)
    m.did("forget", what.card, what.of, what.at)


@act_of(p.Shuffle)
def _shuffle(m: Evaluator, node: p.Shuffle) -> None:
    of = m.value(node.cards)
    cards = of.cards if isinstance(of, Snapshot) else m.table.cards_at(of)
    m.count_cards(node, len(cards))
    order = list(cards)
    supplied = None
    if len(cards) > 1 and not m.listing:
        supplied = m.stacked[m.shuffles] if m.shuffles < len(m.stacked) else None
        m.shuffles += 1
    if supplied is None:
        m.stream.shuffle(order)
    else:
        numbers = {card.id: card.order for card in m.table.cards}
        given = [numbers.get(str(card), -1) for card in supplied]
        if sorted(given) != sorted(cards):
            raise m.fault(node, failures.WRONG_STACK)
        order = given
    m.table.rearrange(cards, order)
    place = None if isinstance(of, Snapshot) else of
    m.did("shuffle", place, tuple(order), supplied is not None)


@act_of(p.Swap)
def _swap(m: Evaluator, node: p.Swap) -> None:
    if node.whole:
        a, b = m.value(node.left), m.value(node.right)
        for side in (a, b):
            if not isinstance(side, Place) or side.cls == "mem":
                raise m.fault(node, failures.NOT_SWAPPABLE)
        if a != b:
            m.table.swap_places(a, b)
        m.did("swap", a, b)
        return
    left, right = held(m, node.left), held(m, node.right)
    if left.card is None or right.card is None:
        raise m.fault(node, failures.NO_CARD_TO_SWAP)
    if _in_memory(left) or _in_memory(right):
        raise m.fault(node, failures.SWAPPED_IN_MEMORY)
    pa, pb = m.locate(node.left, left.card), m.locate(node.right, right.card)
    if left.card != right.card:
        m.table.swap_cards(left.card, right.card)
    m.did("exchange", left.card, pa, left.by_position, right.card, pb, right.by_position)


# --- storages ------------------------------------------------------------------------------------


@act_of(p.SetInt)
def _set_int(m: Evaluator, node: p.SetInt) -> None:
    key = (m.owner(node.store.owner), m.value(node.store.name))
    _store_int(m, key, m.value(node.value))


@act_of(p.AddInt)
def _add_int(m: Evaluator, node: p.AddInt) -> None:
    key = (m.owner(node.store.owner), m.value(node.store.name))
    amount = m.value(node.amount) if node.amount is not None else 1
    result = guarded(m, node, lambda: checked(m.table.ints.get(key, 0) + node.sign * amount))
    _store_int(m, key, result)


def _store_int(m: Evaluator, key: tuple[int, str], number: int) -> None:
    m.table.store(m.table.ints, key, number)
    m.did("set", *key, number)


@act_of(p.SetStr)
def _set_str(m: Evaluator, node: p.SetStr) -> None:
    key = (m.owner(node.store.owner), m.value(node.store.name))
    text = m.value(node.value)
    m.table.store(m.table.strs, key, text)
    m.did("set", *key, text)


@act_of(p.SetPoints)
def _set_points(m: Evaluator, node: p.SetPoints) -> None:
    key = (m.owner(node.store.owner), m.value(node.store.name))
    awards = tuple(
        (tuple((m.value(k), m.value(v)) for k, v in award.pairs), m.value(award.amount))
        for award in node.awards
    )
    m.table.store(m.table.maps, key, PointMap(awards))
    m.did("points", *key, awards)


# --- turns ---------------------------------------------------------------------------------------


@act_of(p.Cycle)
def _cycle(m: Evaluator, node: p.Cycle) -> None:
    seat = m.value(node.player)
    index, queue = m.table.seat_cycles[-1]
    if node.which == "next":
        m.table.set_cycle(index, seat)
    else:
        m.table.set_cycle(seat, queue)
    m.did("cycle", node.which, seat)


@act_of(p.Pass)
def _pass(m: Evaluator, node: p.Pass) -> None:
    m.did("pass")


# --- decks and teams -----------------------------------------------------------------------------


@act_of(p.CreateDeck)
def _create_deck(m: Evaluator, node: p.CreateDeck) -> None:
    back = m.value(node.back) if node.back is not None else "DEFAULT"
    place = m.value(node.location)
    faces = [m.facts.in_order(face) for face in _faces(m, node.attributes)]
    if len(m.table.cards) + len(faces) > m.facts.most_cards:
        raise m.fault(node, failures.TOO_MANY_MADE, m.facts.most_cards)
    made = [m.table.new_card(back, face, place) for face in faces]
    m.did("deck", place, tuple(made))


def _faces(m: Evaluator, attributes: tuple[p.Attribute, ...]) -> Iterator[dict[str, str]]:
    """The product of the attributes: the first varies slowest."""
    columns = [list(_leaves(m, attribute)) for attribute in attributes]
    for row in product(*columns):
        face: dict[str, str] = {}
        for leaf in row:
            face.update(leaf)
        yield face


def _leaves(m: Evaluator, attribute: p.Attribute) -> Iterator[dict[str, str]]:
    key = m.value(attribute.key)
    for child in attribute.children:
        value = m.value(child.value)
        for lower in _faces(m, child.below):
            yield {key: value, **lower}


@act_of(p.CreateTeams)
def _create_teams(m: Evaluator, node: p.CreateTeams) -> None:
    listed = [[m.value(number) - m.base for number in team] for team in node.teams]
    named = [seat for team in listed for seat in team]
    for seat in named:
        if not 0 <= seat < m.table.seats:
            raise m.fault(node, failures.NO_SUCH_PLAYER, seat + m.base)
    if len(set(named)) != len(named):
        raise m.fault(node, failures.IN_TWO_TEAMS)
    alone = [(seat,) for seat in range(m.table.seats) if seat not in named]
    make_teams(m, (*(tuple(team) for team in listed), *alone))


def make_teams(m: Evaluator, teams: tuple[tuple[int, ...], ...]) -> None:
    m.table.make_teams(teams)
    m.did("teams", teams)
