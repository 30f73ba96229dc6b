"""Recognizes loops that copy words, which become `memory.copy`."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.native import ir

LEAST_BYTES = 64
"""Less is copied word by word."""


@dataclass(frozen=True)
class CopyLoop:
    """Copies from the counter's value to before `end`."""

    width: ir.Width
    target: ir.Expr
    source: ir.Expr
    counter: ir.Local
    end: ir.Expr
    last: ir.Local | None
    """A local that keeps the last index."""


def find(loop: ir.While) -> CopyLoop | None:
    """What the loop copies:

    while i < end: target[i] = source[i]; i = i + 1       or
    while i < end: k = i; i = i + 1; target[k] = source[k]
    """
    test, body = loop.test, loop.body
    if not (isinstance(test, ir.Binary) and test.op == "slt" and isinstance(test.left, ir.Local)):
        return None
    counter, last = test.left, None
    if len(body) == 3 and isinstance(body[0], ir.Assign) and body[0].value == counter:
        last, step, store = body[0].local, body[1], body[2]
    elif len(body) == 2:
        store, step = body
    else:
        return None
    index = last or counter
    if not (
        isinstance(step, ir.Assign)
        and step == ir.Assign(counter, ir.Binary("add", counter, ir.Const(1)))
        and isinstance(store, ir.Store)
        and isinstance(store.value, ir.Load)
        and store.width == store.value.width == "i64"
        and store.index == store.value.index == index
    ):
        return None
    changed = {counter.name, index.name}
    if not all(_is_constant(node, changed) for node in (test.right, store.base, store.value.base)):
        return None
    return CopyLoop(store.width, store.base, store.value.base, counter, test.right, last)


def _is_constant(node: ir.Expr, changed: set[str]) -> bool:
    """Whether a value stays the same while these locals and memory change."""
    if isinstance(node, ir.Local):
        return node.name not in changed
    if isinstance(node, ir.Offset):
        return _is_constant(node.base, changed) and _is_constant(node.bytes, changed)
    if isinstance(node, ir.Binary):
        return _is_constant(node.left, changed) and _is_constant(node.right, changed)
    return isinstance(node, ir.Const | ir.Data)
