"""Items of a choice that are counted from sets without running them.

Their alternatives need not be tried out: they are counted from the set. Where words are picked from written
lists, each combination of them is a bit of a set too.
"""

from __future__ import annotations

from itertools import product

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.builder import ONE, ZERO, binary, const
from upcard.engine.native.lower.cards import set_from
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.fast.card_masks import card_mask, has_mask, is_quick
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

MAX_LEAVES = 32
"""Combinations of written words that may be bits of a set."""


def is_counted(ctx: Context, item: p.Item) -> bool:
    """Its alternatives can be counted without trying them out; neither effects nor work are noted."""
    if ctx.logging or item in ctx.counts.units:
        return False
    known = ctx.counted.get(item)
    if known is None:
        known = ctx.counted[item] = is_leafy(ctx, item) or _is_one_set(ctx, item)
    return known


def _is_one_set(ctx: Context, item: p.Item) -> bool:
    if isinstance(item, p.When):
        if _never(ctx, item.test):
            return True  # whatever it would do: nothing is written for it
        return ctx.analysis.safe(item.test) and _is_one_set(ctx, item.item)
    if isinstance(item, p.ForAny):
        over_cards = item.source.kind is Kind.CARDS and each_once(item.source)
        tests, done = conditions(item.item)
        masked = all(has_mask(ctx, test, item.binding) for test in tests)
        return over_cards and ctx.analysis.safe(item.source) and masked and is_certain(ctx, done)
    return is_certain(ctx, item)


def _never(ctx: Context, test: p.Expr) -> bool:
    """House rules alone decide that the condition does not hold."""
    variables = [node for node in below(test) if isinstance(node, p.Var)]
    if not all(node.binding.how == "declare" for node in variables):
        return False
    with ctx.block() as needed:
        value = ctx.value(test)
    return not needed and value == ZERO


def is_left_out(ctx: Context, item: p.Item) -> bool:
    """A counted item that house rules alone rule out. It may do anything."""
    while isinstance(item, p.When):
        if _never(ctx, item.test):
            return True
        item = item.item
    return False


def conditions(item: p.Item) -> tuple[list[p.Expr], p.Item]:
    """The conditions around what is done, and what is done."""
    tests = []
    while isinstance(item, p.When):
        tests.append(item.test)
        item = item.item
    return tests, item


def is_certain(ctx: Context, item: p.Item) -> bool:
    """It does at least one action, whatever happens, and cannot fail."""
    return _harmless(ctx, item) and _acts(ctx, item)


def _acts(ctx: Context, item: p.Item) -> bool:
    if isinstance(item, p.Do):
        return any(_acts(ctx, inner) for inner in item.items)
    return isinstance(item, p.Action)


def _harmless(ctx: Context, item: p.Item) -> bool:
    if isinstance(item, p.Do):
        return all(_harmless(ctx, inner) for inner in item.items)
    if isinstance(item, p.When):
        return ctx.analysis.safe(item.test) and _harmless(ctx, item.item)
    if isinstance(item, p.Move):
        picked = isinstance(item.card, p.Var) and item.card.binding.how == "each"
        place = item.place.cards if isinstance(item.place, p.EndCard) else None
        into = isinstance(place, p.Location) and place.cls != "mem"
        return picked and into and ctx.analysis.safe(item.place)
    if isinstance(item, p.AddInt):
        return ctx.analysis.tame(item.store) and ctx.analysis.safe(item.store)
    if isinstance(item, p.SetInt | p.SetStr):
        return ctx.analysis.safe(item.store) and ctx.analysis.safe(item.value)
    if isinstance(item, p.Cycle):
        return ctx.analysis.safe(item.player)
    return isinstance(item, p.Pass)


def item_mask(ctx: Context, item: p.Item, words: list[ir.Local]) -> None:
    """The set that a counted item picks from; one bit for an item without a pick."""
    if is_leafy(ctx, item):
        ctx.set(words[0], _leaf_mask(ctx, item, 0)[0])
        return
    if isinstance(item, p.When):
        if _never(ctx, item.test):
            return
        inner = item.item
        if not isinstance(inner, p.ForAny) or is_quick(ctx, inner.source):
            # computed in any case: a jump on the condition would often be mispredicted
            allowed = ctx.keep(ctx.value(item.test))
            item_mask(ctx, inner, words)
            for word in words:
                ctx.set(word, ir.Select(allowed, word, ZERO))
            return
        with ctx.when(ctx.value(item.test)):
            item_mask(ctx, item.item, words)
    elif isinstance(item, p.ForAny):
        for word, value in zip(words, set_from(ctx, item.source), strict=True):
            ctx.set(word, value)
        for test in conditions(item.item)[0]:
            chosen = card_mask(ctx, test, item.binding)
            assert chosen is not None, "asked before"
            for word, mask in zip(words, chosen, strict=True):
                ctx.set(word, binary("and", word, mask))
    else:
        ctx.set(words[0], ONE)


def picks_of_counted(item: p.Item) -> int:
    """How many picks each alternative of a counted item has."""
    picked = 0
    while isinstance(item, p.When | p.ForAny):
        picked += isinstance(item, p.ForAny)
        item = item.item
    return picked


# --- combinations of written words ---------------------------------------------------------------


def is_leafy(ctx: Context, item: p.Item) -> bool:
    """Words or numbers picked from written lists, then one thing: each combination is a bit of a set."""
    return 1 < _leaves(ctx, item) <= MAX_LEAVES


def _leaves(ctx: Context, item: p.Item) -> int:
    """How many combinations; 0 where it is not of this sort."""
    if isinstance(item, p.When):
        return _leaves(ctx, item.item) if ctx.analysis.safe(item.test) else 0
    if isinstance(item, p.ForAny):
        return len(_written(ctx, item.source)) * _leaves(ctx, item.item)
    return int(is_certain(ctx, item))


def _written(ctx: Context, source: p.Expr) -> list[int]:
    """The elements of a list that the program writes out."""
    if isinstance(source, p.Names):
        return [ctx.layout.strings[text] for text in source.texts]
    return list(source.values) if isinstance(source, p.Numbers) else []


def leaf_rows(ctx: Context, item: p.Item) -> list[tuple[int, ...]]:
    """The combinations of a leafy item, in the order of their bits; none for any other."""
    if ctx.logging or not is_leafy(ctx, item):
        return []
    lists = []
    while isinstance(item, p.When | p.ForAny):
        if isinstance(item, p.ForAny):
            lists.append(_written(ctx, item.source))
        item = item.item
    return list(product(*lists))


def _leaf_mask(ctx: Context, item: p.Item, first: int) -> tuple[ir.Expr, int]:
    """The set of combinations that the conditions allow, from bit `first` on, and the bit behind them."""
    if isinstance(item, p.When):
        allowed = ctx.keep(binary("sub", ZERO, ctx.value(item.test)))
        inner, after = _leaf_mask(ctx, item.item, first)
        return binary("and", allowed, inner), after
    if isinstance(item, p.ForAny):
        mask: ir.Expr = ZERO
        for number in _written(ctx, item.source):
            ctx.env[item.binding.slot] = const(number)
            inner, first = _leaf_mask(ctx, item.item, first)
            mask = binary("or", mask, inner)
        return mask, first
    return const(1 << first), first + 1


def bind_leaf(ctx: Context, item: p.Item, leaf: ir.Expr) -> p.Item:
    """The variables of a combination from its number; gives what is to be done."""
    total, repeated = _leaves(ctx, item), 1
    while isinstance(item, p.When | p.ForAny):
        if isinstance(item, p.ForAny):
            numbers = _written(ctx, item.source)
            alike = total // repeated // len(numbers)
            rows = [number for number in numbers for _ in range(alike)] * repeated
            ctx.env[item.binding.slot] = ctx.keep(ir.Load("i64", ctx.data(f"leaves_{item.site}", rows), leaf))
            repeated *= len(numbers)
        item = item.item
    return item
