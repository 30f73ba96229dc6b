"""Going through a program's nodes."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.recycle.program import Node


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below, in the order of the text; a binding is no node, so a use is a leaf."""
    for name in node.__dataclass_fields__:
        yield from _nodes(getattr(node, name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)


def below(node: Node) -> Iterator[Node]:
    """The node and everything under it, in the order of the text."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(reversed(list(children(here))))
