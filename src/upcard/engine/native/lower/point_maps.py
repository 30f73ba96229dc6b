"""Point maps: the words that setting one keeps, and the function that scores a card by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, WORK, ZERO, add, binary, const
from upcard.engine.native.lower.cards import combined
from upcard.engine.native.lower.context import Context, Words
from upcard.engine.native.lower.fast.card_masks import cards_with
from upcard.engine.native.lower.fast.score_tables import ScoreTable
from upcard.engine.native.lower.runtime import AT, bit_parts
from upcard.engine.native.lower.values import attribute, storage_word
from upcard.engine.shared.flat_program import NO_STAGE
from upcard.recycle import failures
from upcard.recycle import program as p


def map_of(ctx: Context, node: p.Expr) -> ir.Expr:
    """The index of a map's first word."""
    assert isinstance(node, p.MapStore)
    return storage_word(ctx, node)


def score(ctx: Context, node: p.Node, card: ir.Expr, using: ir.Expr) -> ir.Expr:
    """The score of a card that exists; `using` is the first word of the map."""
    ctx.look(card)
    points = ctx.call("score", STATE, WORK, using, card)
    if ctx.analysis.small_maps:
        return points
    result = ctx.variable(points, "score")
    ctx.fail(node, failures.TOO_WIDE, ctx.word(AT["fault"], WORK))
    return result


# --- what a map keeps ----------------------------------------------------------------------------


def maps_as_sets(ctx: Context) -> bool:
    """The cards that an award is for can be computed when the map is set."""
    return ctx.analysis.small_maps and not ctx.layout.moving_faces


def score_row(ctx: Context, node: p.SetPoints, table: ScoreTable, captured: Sequence[ir.Expr]) -> ir.Expr:
    """Where the scores for the captured strings lie in the table."""
    row: ir.Expr = ZERO
    for number, places in enumerate(table.texts):
        name = f"rows_{ctx.map_sites.index(node)}_{number}"
        data = ctx.data(name, (places.get(text, 0) for text in ctx.layout.strings), 2)
        row = add(row, ir.Load("u16", data, captured[table.which.index(number)]))
    return ctx.keep(row)


def matching_cards(ctx: Context, node: p.SetPoints, captured: Iterator[ir.Expr]) -> list[ir.Expr]:
    """Of each award that is not in the table: the cards that it is for."""
    kept: list[ir.Expr] = []
    for award in loose_awards(node):
        words: Words = (MINUS,) * ctx.layout.set_words
        for key, value in award.pairs:
            assert isinstance(key, p.Str)
            wanted = const(ctx.layout.strings[value.text]) if isinstance(value, p.Str) else next(captured)
            words = combined("and", words, cards_with(ctx, key.text, wanted))
        kept += words
    return kept


def captures(node: p.SetPoints) -> list[p.Expr]:
    """What a point map captures: every key, value and amount that is not written out."""
    found: list[p.Expr] = []
    for award in node.awards:
        for key, value in award.pairs:
            found += [e for e in (key, value) if not isinstance(e, p.Str)]
        if not isinstance(award.amount, p.Int):
            found.append(award.amount)
    return found


def loose_awards(node: p.SetPoints) -> list[p.Award]:
    """Awards that depend on more than the card."""
    return [a for a in node.awards if captures(p.SetPoints(node.span, node.store, (a,)))]


def keeps_sets(node: p.SetPoints) -> bool:
    """Whether the sets of cards that its awards are for can be computed when the map is set."""
    return all(
        isinstance(award.amount, p.Int) and all(isinstance(key, p.Str) for key, _ in award.pairs)
        for award in loose_awards(node)
    )


def captured_at(node: p.SetPoints, tabled: bool, small: bool, set_words: int) -> int:
    """Where in a map's words the captured ones begin: behind its site, and its row or its sets."""
    if tabled:
        return 2
    return 1 + (len(loose_awards(node)) * set_words if small and keeps_sets(node) else 0)


def map_words(node: p.SetPoints, tabled: bool, small: bool, set_words: int) -> int:
    """The words of a map."""
    return captured_at(node, tabled, small, set_words) + len(captures(node))


# --- scoring a card ------------------------------------------------------------------------------


def write_score(ctx: Context) -> None:
    """score(S, W, map, card): the sum of the awards that match, by the form that set the map."""
    at, card = ir.Local("at", "int"), ir.Local("card", "int")
    ctx.begin(NO_STAGE, fresh=False)
    site = ctx.snapshot(ctx.word(at))
    total = ctx.variable(ZERO, "total")
    if not ctx.analysis.small_maps:
        ctx.set_word(AT["fault"], ZERO, WORK)
    for number, node in enumerate(ctx.map_sites):
        with ctx.when(binary("eq", site, const(number + 1))):
            _awards(ctx, node, number, at, card, total)
            ctx.emit(ir.Return(total))
    ctx.emit(ir.Return(ZERO))
    ctx.function("score", (STATE, WORK, at, card))


def _awards(
    ctx: Context, node: p.SetPoints, number: int, at: ir.Expr, card: ir.Expr, total: ir.Local
) -> None:
    table = ctx.score_tables.get(node)
    if table is not None:
        scores = ctx.data(f"scores_{number}", table.scores, 2)
        ctx.set(total, ir.Load("u16", scores, add(ctx.word(add(at, ONE)), card)))
        return
    fixed = [a for a in node.awards if not captures(p.SetPoints(node.span, node.store, (a,)))]
    tabled = maps_as_sets(ctx)
    if tabled and fixed:
        rows = [sum(_amount(a) for a in fixed if _matches(a, face.attributes)) for face in ctx.layout.cards]
        ctx.set(total, ir.Load("i64", ctx.data(f"awards_{number}", rows), card))
    if tabled and keeps_sets(node):
        for i, award in enumerate(loose_awards(node)):
            word, bit = bit_parts(ctx, ctx.layout, card)
            mask = ctx.word(add(add(at, const(1 + i * ctx.layout.set_words)), word))
            ctx.set(total, add(total, ir.If(binary("and", mask, bit), const(_amount(award)), ZERO)))
        return
    slot = 1
    for award in node.awards:
        test: ir.Expr = ONE
        loose = captures(p.SetPoints(node.span, node.store, (award,)))
        for key, value in award.pairs:
            operands: list[ir.Expr] = []
            for part in (key, value):
                if isinstance(part, p.Str):
                    operands.append(const(ctx.layout.strings[part.text]))
                else:
                    operands.append(ctx.keep(ctx.word(add(at, const(slot)))))
                    slot += 1
            test = binary("and", test, binary("eq", attribute(ctx, operands[0], card), operands[1]))
        amount: ir.Expr
        if isinstance(award.amount, p.Int):
            amount = const(award.amount.value)
        else:
            amount = ctx.keep(ctx.word(add(at, const(slot))))
            slot += 1
        if not loose and tabled:
            continue  # in the table already
        if ctx.analysis.small_maps:
            ctx.set(total, add(total, ir.If(test, amount, ZERO)))
            continue
        with ctx.when(test):
            with ctx.when(ir.Binary("sadd_over", total, amount)):
                ctx.set_word(AT["fault"], ONE, WORK)
                ctx.emit(ir.Return(ZERO))
            ctx.set(total, add(total, amount))


def _amount(award: p.Award) -> int:
    assert isinstance(award.amount, p.Int)
    return award.amount.value


def _matches(award: p.Award, face: dict[str, str]) -> bool:
    return all(
        isinstance(key, p.Str) and isinstance(value, p.Str) and face.get(key.text, "") == value.text
        for key, value in award.pairs
    )
