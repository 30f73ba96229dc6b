"""The program under analysis, with facts that several lints need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from upcard.lazy import lazy_property
from upcard.recycle import program as p
from upcard.recycle.constants import Known, constant, text_of
from upcard.recycle.facts import Facts, owner_word
from upcard.recycle.kinds import Kind
from upcard.recycle.order import Family, Origins
from upcard.recycle.source import Span
from upcard.recycle.walk import below


class Key(NamedTuple):
    """Storages or locations that go by one name in a program; no name stands for a computed one."""

    space: str
    """sto, str, points, or the class of a location"""
    owner: str
    """table, player or team"""
    name: str | None

    @property
    def nameless(self) -> Key:
        return Key(self.space, self.owner, None)


def family_key(family: Family) -> Key:
    return Key(family.cls, family.owner, family.name)


class Subject:
    def __init__(self, program: p.Program, facts: Facts) -> None:
        self.program = program
        self.facts = facts
        self.origins = Origins()
        self._known: Known = {}

    @lazy_property
    def nodes(self) -> list[p.Node]:
        """Every node, in the order of the text."""
        return list(below(self.program))

    @lazy_property
    def choices(self) -> list[p.Choice]:
        return [node for node in self.nodes if isinstance(node, p.Choice)]

    # --- values that are known without playing -------------------------------------------------

    def number(self, expr: p.Expr) -> int | None:
        return constant(expr, self._known)

    def text(self, expr: p.Expr) -> str | None:
        return text_of(expr, self._known)

    # --- names ---------------------------------------------------------------------------------

    def key(self, node: p.Named) -> Key:
        space: str = node.word if isinstance(node, p.Storage) else node.cls
        return Key(space, owner_word(node.owner), self.text(node.name))

    def families(self, expr: p.Expr) -> Iterator[Key]:
        """Where the cards of a value can come from."""
        return map(family_key, self.origins.of(expr))

    def spot(self, span: Span) -> Span:
        """The part of a span on its first line: a finding about a whole form points at its start."""
        end = self.program.source.text.find("\n", span.start, span.end)
        return Span(span.start, end) if end > span.start else span

    def words(self, node: p.Node) -> str:
        """The writer's own words, shortened for a message."""
        text = " ".join(self.program.source.text[node.span.start : node.span.end].split())
        return text if len(text) <= 40 else text[:37] + "..."


# --- variables -----------------------------------------------------------------------------------


def meaning(expr: p.Expr) -> p.Expr:
    """What a variable that stands for a whole value was bound to; anything else is itself."""
    while isinstance(expr, p.Var) and expr.binding.how != "each":
        expr = expr.binding.source
    return expr


def element_source(expr: p.Expr) -> p.Expr | None:
    """For the variable of a loop: the collection that it goes through."""
    if isinstance(expr, p.Var) and expr.binding.how == "each":
        return meaning(expr.binding.source)
    return None


def live(expr: p.Expr) -> p.PlaceForm | None:
    """The location that a collection is; None when it is computed, or comes in ways not followed here."""
    expr = meaning(expr)
    if isinstance(expr, p.Location):
        return expr
    if isinstance(expr, p.ListElement):
        return _listed(expr.lists)
    source = element_source(expr)
    return _listed(source) if source is not None and source.kind is Kind.LISTS else None


def _listed(lists: p.Expr) -> p.PlaceForm | None:
    """What the elements of a list of collections are, if locations."""
    lists = meaning(lists)
    while isinstance(lists, p.Filter):
        lists = meaning(lists.source)
    if isinstance(lists, p.Indexed):
        return lists
    return live(lists.body) if isinstance(lists, p.Each) else None


def looked_at(expr: p.Expr) -> Iterator[p.Node]:
    """Everything below a value, and below what its let and declare variables stand for, each once."""
    slots: set[int] = set()
    stack: list[p.Expr] = [expr]
    while stack:
        for node in below(stack.pop()):
            yield node
            if isinstance(node, p.Var) and node.binding.how != "each" and node.binding.slot not in slots:
                slots.add(node.binding.slot)
                stack.append(node.binding.source)
