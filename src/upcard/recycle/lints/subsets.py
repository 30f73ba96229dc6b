"""W508: subsets of a collection that can hold more than 15 cards.

Fifteen cards have 32,767 subsets, and above twenty the game fails. How many cards a collection can hold is
told by simple rules: what the text counts out (a top 5, a deal of 7 outside all stages), cards that must
agree in some attribute, a guard on the size right around it; otherwise all the cards there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from upcard.lazy import lazy_property
from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.card_counts import dealt
from upcard.recycle.lints.conditions import Conditions
from upcard.recycle.lints.domains import Domains
from upcard.recycle.lints.formulas import Every, Formula, Test
from upcard.recycle.lints.lint_subject import Key, Subject, meaning
from upcard.recycle.walk import children

MAX_CARDS = 15


def big_subsets(subject: Subject) -> Iterator[Diagnostic]:
    total = subject.facts.cards
    nodes = subject.nodes
    if total is None or total <= MAX_CARDS or not any(isinstance(node, p.Subsets) for node in nodes):
        return
    if sum(isinstance(node, p.CreateDeck) for node in nodes) > len(subject.program.setup.decks):
        return  # made in play: nobody knows how many cards there are
    yield from _Search(subject, total).visit(subject.program, {})


class _Search:
    def __init__(self, subject: Subject, total: int) -> None:
        self._subject = subject
        self._total = total
        self._conditions = Conditions(subject, Domains(subject))
        self._known: dict[p.Expr, int] = {}
        """For one subsets form: variables may lead back to the same collection very often."""

    @lazy_property
    def _dealt(self) -> dict[Key, int]:
        return dealt(self._subject)

    def visit(self, node: p.Node, guards: dict[int, int]) -> Iterator[Diagnostic]:
        """Walks with what the conditions around say: terms that count cards, and how many at most."""
        if isinstance(node, p.Subsets):
            self._known.clear()
            most = self._most(node.cards, guards)
            if most > MAX_CARDS:
                many = "above 20 the game fails" if most > 20 else f"that is {2**most - 1:,} collections"
                yield Diagnostic(
                    "W508",
                    self._subject.spot(node.span),
                    f"these can be the subsets of {most} cards, and {many}",
                    "limit the size first, as in ((<= (size (game vloc POOL)) "
                    "12) (any (subsets ...) 'S ...))",
                )
        if isinstance(node, p.When):
            yield from self.visit(node.test, guards)
            yield from self.visit(node.item, self._under(node.test, guards))
        elif isinstance(node, p.Logic) and node.operator == "and":
            for operand in node.operands:
                yield from self.visit(operand, guards)
                guards = self._under(operand, guards)
        else:
            for child in children(node):
                yield from self.visit(child, guards)

    def _under(self, test: p.Expr, guards: dict[int, int]) -> dict[int, int]:
        formula = self._conditions.of(test, {})
        parts: tuple[Formula, ...] = formula.parts if isinstance(formula, Every) else (formula,)
        found = dict(guards)
        for part in parts:
            if (
                isinstance(part, Test)
                and isinstance(part.constant, int)
                and part.operator in ("<", "<=", "==")
            ):
                most = part.constant - (part.operator == "<")
                found[part.term] = min(most, found.get(part.term, most))
        return found if len(found) <= 1000 else guards

    # --- how many cards at most ----------------------------------------------------------------

    def _most(self, cards: p.Expr, guards: dict[int, int]) -> int:
        cards = meaning(cards)
        if cards not in self._known:
            guard = self._total
            if guards:
                guard = guards.get(self._conditions.count(cards, True, {}), guard)
            self._known[cards] = min(guard, self._count(cards, guards))
        return self._known[cards]

    def _count(self, cards: p.Expr, guards: dict[int, int]) -> int:
        if isinstance(cards, p.Location):
            return min(self._total, self._dealt.get(self._subject.key(cards), self._total))
        if isinstance(cards, p.Filter):
            return min(self._most(cards.source, guards), self._alike(cards))
        if isinstance(cards, p.Sort | p.EndRun):
            return self._most(cards.cards, guards)
        if isinstance(cards, p.EndCards):
            count = self._subject.number(cards.count)
            return min(self._most(cards.cards, guards), self._total if count is None else max(count, 0))
        if isinstance(cards, p.Combination):
            if any(part.kind is Kind.LISTS for part in cards.parts):
                return self._total
            parts = [self._most(part, guards) for part in cards.parts]
            return min(self._total, min(parts) if cards.how == "intersect" else sum(parts))
        if isinstance(cards, p.ListElement):
            return self._member(cards.lists, guards)
        if isinstance(cards, p.Var):
            return self._member(cards.binding.source, guards)
        return self._total

    def _member(self, lists: p.Expr, guards: dict[int, int]) -> int:
        """The most cards in one collection of a list."""
        lists = meaning(lists)
        while isinstance(lists, p.Filter):
            lists = meaning(lists.source)
        if isinstance(lists, p.Partition):
            return self._group(self._subject.text(lists.key))
        if isinstance(lists, p.Tuples):
            count = self._subject.number(lists.count)
            return self._total if count is None else max(count, 0)
        if isinstance(lists, p.Subsets | p.Runs):
            return self._most(lists.cards, guards)
        return self._most(lists.body, guards) if isinstance(lists, p.Each) else self._total

    def _alike(self, cards: p.Filter) -> int:
        """A filter for one value of an attribute."""
        tests = cards.test.operands if isinstance(cards.test, p.Logic) else (cards.test,)
        if isinstance(cards.test, p.Logic) and cards.test.operator == "or":
            return self._total
        most = self._total
        for test in tests:
            if isinstance(test, p.Same) and not test.negated:
                for side in (test.left, test.right):
                    if isinstance(side, p.CardAtt) and _is_element(side.card, cards):
                        most = min(most, self._group(self._subject.text(side.key)))
        return most

    def _group(self, key: str | None) -> int:
        return self._total if key is None else self._groups.get(key, self._total)

    @lazy_property
    def _groups(self) -> dict[str, int]:
        """For each key that every card has: how many cards have one value of it at most."""
        counts: dict[str, Counter[str]] = {}
        for line in self._subject.program.setup.decks:
            times = 1
            deck: p.Item = line
            while isinstance(deck, p.Repeat):
                times *= max(self._subject.number(deck.count) or 0, 0)
                deck = deck.item
            assert isinstance(deck, p.CreateDeck)
            _spread(self._subject, deck.attributes, times, counts)
        return {
            key: max(found.values())
            for key, found in counts.items()
            if "" not in found and found.total() == self._total
        }


def _is_element(card: p.Expr, cards: p.Filter) -> bool:
    return isinstance(card, p.Var) and card.binding is cards.binding


def _spread(
    subject: Subject, attributes: tuple[p.Attribute, ...], times: int, counts: dict[str, Counter[str]]
) -> None:
    """Adds how many cards get each value. Values that are computed go under the empty string."""
    sizes = [sum(_cards(child) for child in attribute.children) for attribute in attributes]
    whole = 1
    for size in sizes:
        whole *= size
    for attribute, size in zip(attributes, sizes, strict=True):
        key = subject.text(attribute.key) or ""
        share = times * (whole // size) if size else 0
        for child in attribute.children:
            value = subject.text(child.value) or ""
            counts.setdefault(key, Counter())[value] += share * _cards(child)
            _spread(subject, child.below, share, counts)


def _cards(child: p.Child) -> int:
    size = 1
    for attribute in child.below:
        size *= sum(map(_cards, attribute.children))
    return size
