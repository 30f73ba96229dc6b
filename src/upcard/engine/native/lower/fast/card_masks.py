"""Conditions on a card as sets of cards, and collections computed as sets, without lists."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ZERO, add, binary, const, scaled
from upcard.engine.native.lower.cards import combined, counted_set, set_from, set_of
from upcard.engine.native.lower.context import Context, Words, set_of_form
from upcard.engine.native.lower.list_values import each_collection
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


def card_mask(ctx: Context, test: p.Expr, binding: p.Binding) -> Words | None:
    """The cards for which a condition on a card variable holds; None where sets cannot express it."""
    return _mask(ctx, test, binding) if has_mask(ctx, test, binding) else None


def has_mask(ctx: Context, test: p.Expr, binding: p.Binding) -> bool:
    """Tested before anything is written: tests nest, and code written in vain would double each time."""
    return ctx.analysis.safe(test) and not ctx.logging and _has_mask(ctx, test, binding)


def _has_mask(ctx: Context, test: p.Expr, binding: p.Binding) -> bool:
    if not ctx.analysis.mentions(test, binding):
        return True
    if isinstance(test, p.Not):
        return _has_mask(ctx, test.of, binding)
    if isinstance(test, p.Logic):
        return all(_has_mask(ctx, operand, binding) for operand in test.operands)
    return isinstance(test, p.Same) and _attribute(ctx, test, binding) is not None


def _mask(ctx: Context, test: p.Expr, binding: p.Binding) -> Words:
    if not ctx.analysis.mentions(test, binding):
        bit = ctx.keep(ctx.value(test))
        return (binary("sub", ZERO, bit),) * ctx.layout.set_words
    if isinstance(test, p.Not):
        return _complement(_mask(ctx, test.of, binding))
    if isinstance(test, p.Logic):
        result, *others = (_mask(ctx, operand, binding) for operand in test.operands)
        for other in others:
            result = combined("and" if test.operator == "and" else "or", result, other)
        return result
    assert isinstance(test, p.Same)
    sides = _attribute(ctx, test, binding)
    assert sides is not None
    key, value = sides
    words = cards_with(ctx, key, ctx.keep(ctx.value(value)))
    return _complement(words) if test.negated else words


def _complement(words: Words) -> Words:
    return tuple(ir.Unary("not", word) for word in words)


def _attribute(ctx: Context, test: p.Same, binding: p.Binding) -> tuple[str, p.Expr] | None:
    """(== (cardatt KEY 'C) VALUE), either way round: the key and the value."""
    if test.of is not Kind.STR or ctx.layout.moving_faces:
        return None
    for side, value in ((test.left, test.right), (test.right, test.left)):
        if isinstance(side, p.CardAtt) and isinstance(side.card, p.Var) and side.card.binding is binding:
            key = text_of(side.key)
            if key is not None and not ctx.analysis.mentions(value, binding):
                return key, value
    return None


def cards_with(ctx: Context, key: str, value: ir.Expr) -> Words:
    """The cards whose attribute of that name is a string: a row of a table of sets."""
    layout, words = ctx.layout, ctx.layout.set_words

    def cards_of(text: str) -> int:
        return sum(1 << i for i, face in enumerate(layout.cards) if face.attributes.get(key, "") == text)

    data = ctx.data(f"cards_{layout.strings[key]}", map(cards_of, layout.strings), 8 * words)
    if isinstance(value, ir.Const):
        row = ctx.module.data[data.name][int(value.value) * 8 * words :][: 8 * words]
        return tuple(
            const(int.from_bytes(row[8 * w : 8 * w + 8], "little", signed=True)) for w in range(words)
        )
    at = scaled(value, words)
    return tuple(ir.Load("i64", data, add(at, const(w))) for w in range(words))


def is_quick(ctx: Context, test: p.Expr) -> bool:
    """A few loads and comparisons for a few seats, without loops."""
    slow = (p.Quantified, p.Combination, p.SumOver, p.Score, p.Sort)
    inner = list(below(test))
    few = len(inner) <= 20 and ctx.layout.seats <= 8
    if not few or not ctx.analysis.safe(test) or any(isinstance(node, slow) for node in inner):
        return False
    return all(has_mask(ctx, n.test, n.binding) for n in inner if isinstance(n, p.Filter))


# --- collections ---------------------------------------------------------------------------------


@set_of_form(p.Filter)
def _filter(ctx: Context, node: p.Filter) -> Words | None:
    chosen = card_mask(ctx, node.test, node.binding)
    if chosen is None:
        return None
    return combined("and", counted_set(ctx, node, set_from(ctx, node.source)), chosen)


@set_of_form(p.Combination)
def _union(ctx: Context, node: p.Combination) -> Words | None:
    if node.how != "union" or node in ctx.counts.large:
        return None
    made = tuple(ctx.variable(ZERO, "set") for _ in range(ctx.layout.set_words))
    for part in node.parts:
        if part.kind is Kind.CARDS:
            _unite(ctx, made, set_from(ctx, part))
        else:
            with each_collection(ctx, part) as collection:
                _unite(ctx, made, set_of(ctx, collection))
    return made


def _unite(ctx: Context, made: tuple[ir.Local, ...], more: Words) -> None:
    for word, other in zip(made, more, strict=True):
        ctx.set(word, binary("or", word, other))
