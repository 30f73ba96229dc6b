"""Order facts: which locations keep their cards in an order that a program can see.

The rules (docs/language/order.md) are semantics, not optimisation: where no order can be seen,
cards lie in card order, in every engine. They are applied as written and by nothing cleverer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.source import Span
from upcard.recycle.walk import below, children


class Family(NamedTuple):
    """All locations of one owner kind, class and name; no name stands for every name."""

    owner: Literal["table", "player"]
    cls: str
    name: str | None


class Reason(NamedTuple):
    text: str
    span: Span


@dataclass
class OrderFacts:
    """The ordered families, each with the first reason found."""

    ordered: dict[Family, Reason] = field(default_factory=dict)

    def reason(self, family: Family) -> Reason | None:
        """Why a family is ordered; None when it is not."""
        if family in self.ordered:
            return self.ordered[family]
        return self.ordered.get(family._replace(name=None))

    def is_ordered(self, owner: Literal["table", "player"], cls: str, name: str) -> bool:
        return self.reason(Family(owner, cls, name)) is not None


def family_of(node: p.PlaceForm) -> Family:
    owner: Literal["table", "player"] = "table" if isinstance(node.owner, p.Table) else "player"
    return Family(owner, node.cls, node.name.text if isinstance(node.name, p.Str) else None)


Families: TypeAlias = frozenset[Family]


class Origins:
    """from(E): where the cards of a value can come from. Remembers, since variables may lead back often."""

    def __init__(self) -> None:
        self._known: dict[p.Expr, Families] = {}

    def of(self, expr: p.Expr) -> Families:
        known = self._known.get(expr)
        if known is None:
            known = self._known[expr] = self._find(expr)
        return known

    def _find(self, expr: p.Expr) -> Families:
        if isinstance(expr, p.PlaceForm):
            return frozenset({family_of(expr)})
        if isinstance(expr, p.Var):
            return self.of(expr.binding.source)
        found: set[Family] = set()
        for child in children(expr):
            if isinstance(child, p.Expr) and child.kind in (Kind.CARD, Kind.CARDS, Kind.LISTS):
                found |= self.of(child)
        return frozenset(found)

    def in_memory(self, expr: p.Expr) -> bool:
        """Whether cards of a value can come from a memory: everyone knows them, but not where they lie."""
        return any(family.cls == "mem" for family in self.of(expr))


def is_groups(expr: p.Expr) -> bool:
    """A list of collections whose sequence follows from the order of cards."""
    if isinstance(expr, p.Groups):
        return True
    if isinstance(expr, p.Each):
        return expr.source.kind is Kind.CARDS or is_groups(expr.source)
    if isinstance(expr, p.Filter):
        return is_groups(expr.source)
    if isinstance(expr, p.Var) and expr.binding.how != "each":
        return is_groups(expr.binding.source)
    return False


def is_tally(loop: p.ForAll) -> bool:
    """A loop that only counts: in whatever order, the same result."""
    changed: set[str | None] = set()
    targets: set[int] = set()
    nodes = list(below(loop.item))
    for node in nodes:
        if isinstance(node, p.AddInt):
            targets.add(id(node.store))
            changed.add(_literal(node.store.name))
        elif isinstance(node, p.Action) or node.draws:
            return False
    for node in nodes:
        if isinstance(node, p.IntStore) and id(node) not in targets and changed:
            name = _literal(node.name)
            if name is None or None in changed or name in changed:
                return False
    return True


def _literal(name: p.Expr) -> str | None:
    return name.text if isinstance(name, p.Str) else None


@dataclass
class _Found:
    """What one walk over the program finds: rules 1 and 2 at once, rules 3 and 4 to be closed over."""

    origins: Origins = field(default_factory=Origins)
    readings: list[tuple[Families, Reason]] = field(default_factory=list)
    pours: list[tuple[Families, Families, Reason]] = field(default_factory=list)
    swaps: list[tuple[Families, Families, Reason]] = field(default_factory=list)


def order_facts(program: p.Program) -> OrderFacts:
    found = _Found()
    for node in (*program.declares, program.setup, *program.body, program.scoring):
        _visit(node, found)
    facts = OrderFacts()
    for families, why in found.readings:
        for family in families:
            facts.ordered.setdefault(family, why)
    _close(found, facts)
    return facts


def _close(found: _Found, facts: OrderFacts) -> None:
    """Rules 3 and 4. Each is looked at when a family that it waits for becomes ordered, not in rounds."""
    rules = [(place, source, why) for source, place, why in found.pours]
    rules += [rule for a, b, why in found.swaps for rule in ((a, b, why), (b, a, why))]
    by_family: dict[Family, list[int]] = {}
    by_group: dict[tuple[str, str], list[int]] = {}
    for number, (triggers, _, _) in enumerate(rules):
        for family in triggers:
            by_family.setdefault(family, []).append(number)
            by_group.setdefault(family[:2], []).append(number)
    fresh, fired = list(facts.ordered), [False] * len(rules)
    while fresh:
        family = fresh.pop()
        if family.name is None:  # it stands for every name of its owner and class
            due = by_group.get(family[:2], [])
        else:
            due = by_family.get(family, []) + by_family.get(family._replace(name=None), [])
        for number in due:
            if fired[number]:
                continue
            fired[number] = True
            _, forced, why = rules[number]
            for other in forced:
                if facts.reason(other) is None:
                    facts.ordered[other] = why
                    fresh.append(other)


def _visit(node: p.Node, found: _Found) -> None:
    reading = _reading(node)
    if reading is not None:
        found.readings.append((found.origins.of(reading[0]), Reason(reading[1], node.span)))
    if isinstance(node, p.PlaceForm) and node.cls == "mem":
        found.readings.append((frozenset({family_of(node)}), Reason("a memory keeps its order", node.span)))
    if isinstance(node, p.Swap) and node.whole:
        why = Reason("swapped with an ordered place", node.span)
        found.swaps.append((found.origins.of(node.left), found.origins.of(node.right), why))
    if isinstance(node, p.RepeatAll) and isinstance(node.item, p.Move):
        source = _poured(node.item.card)
        if source is not None:
            _pour(source, node.item.place, node.span, found)
            return
    if isinstance(node, p.ForAll):
        if node.source.kind is Kind.CARDS and _moves_each(node):
            assert isinstance(node.item, p.Move)
            _pour(node.source, node.item.place, node.span, found)
            return
        if (node.source.kind is Kind.CARDS or is_groups(node.source)) and not is_tally(node):
            found.readings.append((found.origins.of(node.source), Reason("looped over in order", node.span)))
    if isinstance(node, p.Move | p.Remember):
        _visit(node.card, found)
        _visit_place(node.place, found)
        return
    for child in children(node):
        _visit(child, found)


def _reading(node: p.Node) -> tuple[p.Expr, str] | None:
    """Rule 2 for values, and the shuffle of rule 1."""
    if isinstance(node, p.Shuffle):
        return node.cards, "shuffled"
    if isinstance(node, p.EndCard):
        return node.cards, f"its {node.end} card is read"
    if isinstance(node, p.CardAt):
        return node.cards, "a card is read by number"
    if isinstance(node, p.ListElement) and is_groups(node.lists):
        return node.lists, "one of its groups is read by place"
    if isinstance(node, p.TopOf):
        return node.cards, "its top card is read"
    if isinstance(node, p.EndCards):
        return node.cards, f"its {node.end} cards are read"
    if isinstance(node, p.EndRun):
        return node.cards, f"a run at its {node.end} is read"
    return None


def _poured(card: p.Expr) -> p.Expr | None:
    """E of a pour's (top E), (bottom E) or E alone, when E is a location form or a variable."""
    if isinstance(card, p.EndPosition) and isinstance(card.cards, p.Location | p.Var):
        return card.cards
    return card if isinstance(card, p.Var) else None


def _moves_each(loop: p.ForAll) -> bool:
    move = loop.item
    return isinstance(move, p.Move) and isinstance(move.card, p.Var) and move.card.binding is loop.binding


def _pour(source: p.Expr, place: p.Expr, span: Span, found: _Found) -> None:
    why = Reason("poured into an ordered place", span)
    found.pours.append((found.origins.of(source), found.origins.of(place), why))
    _visit(source, found)
    _visit_place(place, found)


def _visit_place(place: p.Expr, found: _Found) -> None:
    """Naming a place reads nothing; what its own parts read counts."""
    if isinstance(place, p.Position):
        for child in children(place):
            _visit(child, found)
    else:
        _visit(place, found)
