"""Lowers choices: counts or tries their alternatives, and records them.

A choice lists its items one after the other. The alternatives of some are counted from sets
(`fast.counted_items`). Any other item is run once per alternative on the state as it was, with a script that
says which element each `any` takes.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import BASE, END, SIZE
from upcard.engine.native.lower import workspace_plan
from upcard.engine.native.lower.builder import (
    INTERRUPTED,
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    NotLowered,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.cards import count_set, list_words
from upcard.engine.native.lower.context import NO_ROOM, ArenaMark, Context, picks_lists
from upcard.engine.native.lower.fast.counted_items import (
    bind_leaf,
    conditions,
    is_counted,
    is_leafy,
    is_left_out,
    item_mask,
    picks_of_counted,
)
from upcard.engine.native.lower.fast.listed_choices import home, item_groups
from upcard.engine.native.lower.items import EMPTY, change_streams
from upcard.engine.native.lower.runtime import (
    AT,
    BEGINS,
    COUNTS_AT,
    EFFECTS,
    ITEMS_AT,
    MASK_WORDS,
    MASKS_AT,
    MAX_ITEMS,
    PICKS_AT,
    RECORDS,
    SCRIPT_AT,
    has_room,
)
from upcard.engine.native.lower.state_layout import SAID
from upcard.engine.native.lower.variables import bind_again, lets_before
from upcard.engine.native.lower.workspace_plan import NOTED_BYTES, begin_words
from upcard.engine.shared.flat_program import Ask
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.limits import MAX_CARDS_PICKED, MAX_COUNT, MAX_PICKS_LISTED
from upcard.recycle.walk import below

FEW = 8
"""Items in a row of which each has code of its own that tries it out and records its alternatives."""


def write_choice(ctx: Context, number: int, ask: Ask) -> None:
    """list_N and one function per item."""
    choice = ask.choice
    if len(choice.items) >= MAX_ITEMS:
        raise NotLowered(choice, f"the native engine supports choices with up to {MAX_ITEMS - 1} items")
    ctx.chancy = any(isinstance(n, p.Shuffle | p.Random | p.BestCard) for n in below(choice))
    _write_items(ctx, number, ask)
    for run in long_runs(ctx, ask):
        _write_run(ctx, number, run)
    _write_list(ctx, number, ask)


def _write_items(ctx: Context, number: int, ask: Ask) -> None:
    """item_N_I(S, W) carries out an item; item_N_I(S, W, pick) one that is counted."""
    leaders = {group[0] for group in item_groups(ctx, ask)}
    for i, item in enumerate(ask.choice.items):
        ctx.begin(ctx.depths[number], fresh=False)
        bind_again(ctx, lets_before(ctx, number))
        if is_counted(ctx, item):
            if i in leaders:
                _write_counted(ctx, number, i, p.Do(item.span, ()) if is_left_out(ctx, item) else item)
            continue
        ctx.allocating.add(number)
        ctx.counting_actions = True
        ctx.blamed = item
        ctx.item(item)
        ctx.blamed = None
        ctx.counting_actions = False
        ctx.emit(ir.Return(ZERO))
        ctx.function(f"item_{number}_{i}", (STATE, WORK))


def _write_list(ctx: Context, number: int, ask: Ask) -> None:
    """list_N(S, W): count or try the items one after the other, and record what was tried."""
    choice = ask.choice
    runs = {run.start: run for run in long_runs(ctx, ask)}
    ctx.begin(ctx.depths[number])
    bind_again(ctx, lets_before(ctx, number))
    total = ctx.variable(ZERO, "total")
    start: ArenaMark = ZERO, ZERO
    if any(not is_counted(ctx, item) for item in choice.items):
        ctx.reset_work()
        ctx.allocates = True  # what runs unfold begins at the bottom of the arena
        ctx.set_word(AT["seeded"], ZERO, WORK)
        if ctx.chancy:
            ctx.run("seed_listing", STATE, WORK)
        start = ctx.arena_mark()
        for name in ("alternatives", "listed", "grouped", "noted"):
            ctx.set_word(AT[name], ZERO, WORK)
        ctx.set_word(AT["used"], const(ctx.room.records_at), WORK)
        ctx.set_word(RECORDS + END, const(ctx.room.records_at + workspace_plan.FIRST_BYTES), WORK)
        ctx.run("copy", ir.Offset(WORK, const(ctx.room.saved_at)), STATE, const(ctx.layout.size // 8))
    for i, item in enumerate(choice.items):
        if i in runs:
            with ctx.each_index(const(i), const(runs[i].stop)) as item_number:
                ctx.set_word(add(item_number, const(ITEMS_AT)), total, WORK)
                _unfold(ctx, choice, number, runs[i], item_number, total, start)
        if any(i in run for run in runs.values()):
            continue
        if i:
            ctx.set_word(ITEMS_AT + i, total, WORK)
        if is_counted(ctx, item):
            words = [ctx.variable(ZERO, "set") for _ in range(ctx.layout.set_words)]
            item_mask(ctx, item, words)
            for w, word in enumerate(words):
                ctx.set_word(MASKS_AT + i * MASK_WORDS + w, word, WORK)
            count = ctx.keep(count_set(ctx, tuple(words)))
            ctx.set(total, add(total, count))
            picks = scaled(count, picks_of_counted(item))
            if not ctx.counts.units.keys().isdisjoint(choice.items):
                # beside an item that may take long the picks of these alternatives count, too
                _count_up(ctx, choice, "listed", picks, MAX_PICKS_LISTED, failures.TOO_MANY_LISTED)
        else:
            _unfold(ctx, choice, number, range(i, i + 1), const(i), total, start)
    ctx.set_word(ITEMS_AT + len(choice.items), total, WORK)
    ctx.fail(choice, failures.TOO_MANY_ALTERNATIVES, binary("sgt", total, const(MAX_COUNT)))
    ctx.set_word(ctx.layout.words["choices"], total)
    ctx.fail(choice, failures.NOTHING_TO_CHOOSE, binary("eq", total, ZERO))
    ctx.emit(ir.Return(ZERO))
    ctx.function(f"list_{number}", (STATE, WORK))


def long_runs(ctx: Context, ask: Ask) -> list[range]:
    """Many items in a row that are tried out: they share the code that tries and records, which is longer
    than most items are. An item whose work is counted has code of its own."""
    found, first = [], 0
    items = ask.choice.items
    for alone, group in groupby(items, key=lambda one: is_counted(ctx, one) or one in ctx.counts.units):
        last = first + len(list(group))
        if not alone and last - first > FEW:
            found.append(range(first, last))
        first = last
    return found


def _write_run(ctx: Context, number: int, run: range) -> None:
    """items_N_first(S, W, item): carry out an item of a long run."""
    item = ir.Local("item", "int")
    blocks = []
    for i in run:
        with ctx.block() as body:
            ctx.emit(ir.Return(ctx.call(f"item_{number}_{i}", STATE, WORK)))
        blocks.append(tuple(body))
    ctx.emit(ir.Steps(binary("sub", item, const(run.start)), tuple(blocks), tuple(range(len(blocks)))))
    ctx.function(f"items_{number}_{run.start}", (STATE, WORK, item))


def call_item(ctx: Context, number: int, run: range, item: ir.Expr) -> ir.Call:
    if isinstance(item, ir.Const):
        return ctx.call(f"item_{number}_{item.value}", STATE, WORK)
    return ctx.call(f"items_{number}_{run.start}", STATE, WORK, item)


def _write_counted(ctx: Context, number: int, i: int, item: p.Item) -> None:
    """A counted item gets its pick; its conditions hold, or it would not have been counted."""
    pick = ir.Local("pick", "int")
    if is_leafy(ctx, item):
        item = bind_leaf(ctx, item, pick)
    while isinstance(item, p.When):
        item = item.item
    if isinstance(item, p.ForAny):
        ctx.env[item.binding.slot] = pick
        place_form = home(ctx, item.source)
        if place_form is not None and ctx.orders.by_card(place_form):
            place = ctx.location(place_form)
            ctx.sure = {item.binding.slot: replace(place, place=ctx.snapshot(place.place))}
        item = conditions(item.item)[1]
    ctx.item(item)
    ctx.sure = {}
    if ctx.allocates:
        ctx.allocating.add(number)
    ctx.emit(ir.Return(ZERO))
    ctx.function(f"item_{number}_{i}", (STATE, WORK, pick))


def _unfold(
    ctx: Context, choice: p.Choice, number: int, run: range, item: ir.Expr, total: ir.Local, start: ArenaMark
) -> None:
    """Run an item once per script, each time on the state as it was. It is one of `run`.

    The first any forms of a run take the elements they had in the run before, but for the last of them.
    What was drawn before that one is drawn again from the stream as it was; the rest goes on from where
    the listing's stream is now, as if nothing had been run twice.
    """
    saved = ir.Offset(WORK, const(ctx.room.saved_at))
    words = const(ctx.layout.size // 8)
    ctx.set_word(AT["listing"], ONE, WORK)
    ctx.set_word(AT["script"], ZERO, WORK)
    with ctx.loop():
        with ctx.when(ctx.word(AT["stop"], WORK), rare=True):
            ctx.set_word(AT["listing"], ZERO, WORK)
            ctx.emit(ir.Return(const(ctx.faults.number(choice, INTERRUPTED))))
        ctx.set_word(AT["runs"], add(ctx.word(AT["runs"], WORK), ONE), WORK)
        for name in ("depth", "picks", "done", "effects"):
            ctx.set_word(AT[name], ZERO, WORK)
        tried = choice.items[run.start]
        units = ctx.counts.units.get(tried)  # an item of a long run has none
        if units is not None:
            _count_up(ctx, tried, "work", const(units), ctx.counts.most, ctx.counts.sentence)
        ctx.set_word(AT["peeked"], MINUS, WORK)
        ctx.free_arena(start)
        if ctx.chancy:
            ctx.set_word(AT["replayed"], ctx.word(AT["script"], WORK), WORK)
            change_streams(ctx, ZERO)
        status = ctx.variable(call_item(ctx, number, run, item), "status")
        with ctx.when(status, rare=True):
            # what the message says was noted in the state, which becomes what it was
            at = ctx.layout.words["said"]
            said = [ctx.snapshot(ctx.word(at + n)) for n in range(SAID)]
            ctx.run("copy", STATE, saved, words)
            for n, value in enumerate(said):
                ctx.set_word(at + n, value)
            ctx.set_word(AT["listing"], ZERO, WORK)
            ctx.emit(ir.Return(status))
        ctx.run("copy", STATE, saved, words)
        with ctx.when(ctx.word(AT["done"], WORK)):
            over = binary("sge", total, const(MAX_COUNT))
            fault = ctx.faults.number(choice, failures.TOO_MANY_ALTERNATIVES)
            with ctx.when(over):
                ctx.set_word(AT["listing"], ZERO, WORK)
                ctx.emit(ir.Return(const(fault)))
            _record(ctx, choice, run, item)
            ctx.set(total, add(total, ONE))
        script = ctx.variable(ctx.word(AT["script"], WORK), "script")
        with ctx.loop(binary("sgt", script, ZERO)):
            last = ctx.keep(binary("sub", script, ONE))
            turned = ctx.variable(add(ctx.word(add(last, const(SCRIPT_AT)), WORK), ONE), "turned")
            with ctx.when(binary("slt", turned, ctx.word(add(last, const(COUNTS_AT)), WORK))):
                ctx.set_word(add(last, const(SCRIPT_AT)), turned, WORK)
                ctx.emit(ir.Break())
            ctx.set(script, last)
        ctx.set_word(AT["script"], script, WORK)
        with ctx.when(binary("eq", script, ZERO)):
            ctx.emit(ir.Break())
    ctx.set_word(AT["listing"], ZERO, WORK)


def _record(ctx: Context, choice: p.Choice, run: range, item: ir.Expr) -> None:
    """Keep the picks of this run. Picked lists are copied, since the arena is used again."""
    found = ctx.snapshot(ctx.word(AT["alternatives"], WORK))
    at = ctx.variable(ctx.word(AT["used"], WORK), "at")
    stride = begin_words(ctx.logging)
    last = ctx.keep(scaled(found, stride))
    ctx.set_word(AT["alternatives"], add(found, ONE), WORK)
    picks = ctx.snapshot(ctx.word(AT["picks"], WORK))
    _count_up(ctx, choice, "listed", picks, MAX_PICKS_LISTED, failures.TOO_MANY_LISTED)
    if ctx.logging:
        words = ctx.keep(add(ctx.word(AT["effects"], WORK), const(3)))
        message = "the alternatives of a decision have more effects than the native engine can record"
        _count_up(ctx, choice, "noted", words, NOTED_BYTES // 8, message)
    size = ctx.keep(add(const(8), scaled(picks, 16)))
    _record_room(ctx, choice, found, at, size)
    ctx.set_word(add(last, ctx.word(BEGINS + BASE, WORK)), at, WORK)
    base = ctx.snapshot(ir.Offset(WORK, at))
    ctx.set_word(0, picks, base)
    ctx.set(at, add(at, size))
    tried = choice.items[run.start : run.stop]
    anys = [n for one in tried for n in below(one) if isinstance(n, p.ForAny)]
    lists = [n for n in anys if picks_lists(n)]
    with ctx.each_index(ZERO, picks) as k:
        source = ctx.keep(add(scaled(k, 2), const(PICKS_AT)))
        site, value = (
            ctx.keep(ctx.word(source, WORK)),
            ctx.variable(ctx.word(add(source, ONE), WORK), "value"),
        )
        for node in lists:
            mine = binary("and", binary("eq", site, const(node.site)), binary("ne", value, EMPTY))
            with ctx.when(mine):
                old = ctx.keep(ir.Offset(WORK, value))
                held = ctx.keep(ctx.word(0, old))
                _count_up(ctx, choice, "grouped", held, MAX_CARDS_PICKED, failures.TOO_MANY_PICKED)
                size = ctx.keep(add(ONE, list_words(ctx, ctx.word(0, old))))
                _record_room(ctx, choice, found, at, scaled(size, 8))
                ctx.run("copy", ir.Offset(WORK, at), old, size)
                ctx.set(value, at)
                ctx.set(at, add(at, scaled(size, 8)))
        target = ctx.keep(add(scaled(k, 2), ONE))
        ctx.set_word(target, site, base)
        ctx.set_word(add(target, ONE), value, base)
    if ctx.logging:
        # behind the picks: the item, the words of effects before the first look at a hidden face, the effects
        effects = ctx.snapshot(ctx.word(AT["effects"], WORK))
        room = ctx.keep(add(scaled(effects, 8), const(24)))
        _record_room(ctx, choice, found, at, room)
        behind = ctx.snapshot(ir.Offset(WORK, at))
        ctx.set_word(0, item, behind)
        ctx.set_word(1, ctx.word(AT["peeked"], WORK), behind)
        ctx.set_word(2, effects, behind)
        done = ir.Offset(WORK, scaled(ctx.word(EFFECTS + BASE, WORK), 8))
        ctx.run("copy", ir.Offset(behind, const(24)), done, effects)
        # the table may have been moved since its first word was written
        ctx.set_word(add(add(last, ONE), ctx.word(BEGINS + BASE, WORK)), at, WORK)
        ctx.set(at, add(at, room))
    ctx.set_word(AT["used"], at, WORK)


def _record_room(ctx: Context, choice: p.Choice, found: ir.Expr, at: ir.Local, size: ir.Expr) -> None:
    """Make sure that `size` bytes of a recorded alternative fit behind `at`.

    Every alternative takes at least a word. So the table of beginnings, which is given room for as many more
    alternatives as a chunk has words, is checked only when a chunk is full."""
    with ctx.when(binary("sgt", add(at, size), ctx.word(RECORDS + END, WORK)), rare=True):
        ctx.set(at, ctx.call("find_room", WORK, const(RECORDS), at, size))
        more = binary("lshr", ctx.word(RECORDS + SIZE, WORK), const(3))
        entries = ctx.keep(add(found, more))
        entries = ir.Select(binary("slt", entries, const(MAX_COUNT)), entries, const(MAX_COUNT))
        fits = has_room(ctx, BEGINS, scaled(entries, begin_words(ctx.logging)))
        with ctx.when(binary("or", binary("eq", at, ZERO), negate(fits))):
            ctx.set_word(AT["listing"], ZERO, WORK)
            ctx.fail(choice, NO_ROOM)


def _count_up(ctx: Context, node: p.Node, word: str, more: ir.Expr, most: int, message: str) -> None:
    """Bound what all alternatives hold together, so that the room for them is enough."""
    total = ctx.snapshot(add(ctx.word(AT[word], WORK), more))
    ctx.set_word(AT[word], total, WORK)
    with ctx.when(binary("sgt", total, const(most))):
        ctx.set_word(AT["listing"], ZERO, WORK)
        ctx.emit(ir.Return(const(ctx.faults.number(node, message))))
