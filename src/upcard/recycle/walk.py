"""Walks the nodes of a program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from upcard.recycle.program import Node


def children(node: Node) -> list[Node]:
    """The nodes directly below, in the order of the text; a binding is no node, so a use is a leaf."""
    found: list[Node] = []
    for name in parts(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif type(value) is tuple:
            _collect(value, found)
    return found


_known: dict[type[Node], tuple[str, ...]] = {}


def parts(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a class of nodes without the span, in the order of the text."""
    if kind not in _known:
        _known[kind] = tuple(field.name for field in fields(kind) if field.name != "span")
    return _known[kind]


def _collect(values: tuple[object, ...], found: list[Node]) -> None:
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif type(value) is tuple:
            _collect(value, found)


def below(node: Node) -> Iterator[Node]:
    """The node and everything under it, in the order of the text."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        under = children(here)
        under.reverse()
        stack += under
