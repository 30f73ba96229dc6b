"""Conditions on a card as sets of cards, and collections computed as sets, without lists."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ZERO, add, binary, const, scaled
from upcard.engine.native.lower.cards import counted_set, set_from, set_of
from upcard.engine.native.lower.context import Context, Words, set_of_form
from upcard.engine.native.lower.list_values import each_collection
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


def card_mask(ctx: Context, test: p.Expr, binding: p.Binding) -> tuple[ir.Expr, ...] | None:
    """The cards for which a condition on a card variable holds; None where sets cannot say it."""
    return _mask(ctx, test, binding) if has_mask(ctx, test, binding) else None


def has_mask(ctx: Context, test: p.Expr, binding: p.Binding) -> bool:
    return ctx.analysis.safe(test) and not ctx.logging and _has_mask(ctx, test, binding)


def _has_mask(ctx: Context, test: p.Expr, binding: p.Binding) -> bool:
    """Asked before anything is written: tests nest, and code written in vain would double each time."""
    if not ctx.analysis.mentions(test, binding):
        return True
    if isinstance(test, p.Not):
        return _has_mask(ctx, test.of, binding)
    if isinstance(test, p.Logic):
        return all(_has_mask(ctx, operand, binding) for operand in test.operands)
    if isinstance(test, p.Same) and test.of is Kind.STR:
        pairs = ((test.left, test.right), (test.right, test.left))
        return any(_is_attribute(ctx, card_side, other, binding) for card_side, other in pairs)
    return False


def _is_attribute(ctx: Context, card_side: p.Expr, other: p.Expr, binding: p.Binding) -> bool:
    if not isinstance(card_side, p.CardAtt) or ctx.analysis.mentions(other, binding):
        return False
    is_card = isinstance(card_side.card, p.Var) and card_side.card.binding is binding
    return text_of(card_side.key) is not None and is_card and not ctx.layout.moving_faces


def _mask(ctx: Context, test: p.Expr, binding: p.Binding) -> tuple[ir.Expr, ...] | None:
    if not ctx.analysis.mentions(test, binding):
        bit = ctx.keep(ctx.value(test))
        return tuple(binary("sub", ZERO, bit) for _ in range(ctx.layout.set_words))
    if isinstance(test, p.Not):
        inner = _mask(ctx, test.of, binding)
        return None if inner is None else tuple(ir.Unary("not", w) for w in inner)
    if isinstance(test, p.Logic):
        parts = [_mask(ctx, operand, binding) for operand in test.operands]
        found = [part for part in parts if part is not None]
        if len(found) != len(parts):
            return None
        result = found[0]
        for part in found[1:]:
            op = "and" if test.operator == "and" else "or"
            result = tuple(binary(op, a, b) for a, b in zip(result, part, strict=True))
        return result
    if isinstance(test, p.Same) and test.of is Kind.STR:
        made = _attribute_mask(ctx, test.left, test.right, binding)
        made = made or _attribute_mask(ctx, test.right, test.left, binding)
        if made is not None and test.negated:
            return tuple(ir.Unary("not", w) for w in made)
        return made
    return None


def _attribute_mask(
    ctx: Context, card_side: p.Expr, other: p.Expr, binding: p.Binding
) -> tuple[ir.Expr, ...] | None:
    """(== (cardatt KEY 'C) X) as a row of a table of sets."""
    if not _is_attribute(ctx, card_side, other, binding):
        return None
    assert isinstance(card_side, p.CardAtt)
    key = text_of(card_side.key)
    assert key is not None
    return cards_with(ctx, key, ctx.keep(ctx.value(other)))


def cards_with(ctx: Context, key: str, value: ir.Expr) -> tuple[ir.Expr, ...]:
    """The cards whose attribute of that name is a string: a row of a table of sets."""
    data = f"cards_{ctx.layout.strings[key]}"
    words = ctx.layout.set_words
    if data not in ctx.module.data:
        rows = []
        for text in ctx.layout.strings:
            held = [i for i, face in enumerate(ctx.layout.cards) if face.attributes.get(key, "") == text]
            number = sum(1 << i for i in held)
            rows.append(number.to_bytes(8 * words, "little"))
        ctx.module.data[data] = b"".join(rows)
    if isinstance(value, ir.Const):
        row = ctx.module.data[data][int(value.value) * 8 * words :][: 8 * words]
        return tuple(
            const(int.from_bytes(row[8 * w : 8 * w + 8], "little", signed=True)) for w in range(words)
        )
    at = scaled(value, words)
    return tuple(ir.Load("i64", ir.Data(data), add(at, const(w))) for w in range(words))


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
    words = counted_set(ctx, node, set_from(ctx, node.source))
    return tuple(binary("and", a, b) for a, b in zip(words, chosen, strict=True))


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


def _unite(ctx: Context, made: tuple[ir.Local, ...], more: tuple[ir.Expr, ...]) -> None:
    for word, other in zip(made, more, strict=True):
        ctx.set(word, binary("or", word, other))
