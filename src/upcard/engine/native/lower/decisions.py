"""Lowers decisions: which item an alternative belongs to, and carrying it out.

Besides the parts of the walk these are functions of their own: `relist`, `apply` and `decide`.
"""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.builder import INTERRUPTED, ONE, STATE, WORK, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.cards import nth_of_set
from upcard.engine.native.lower.choices import call_item, long_runs
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.fast.counted_items import is_counted, picks_of_counted
from upcard.engine.native.lower.fast.listed_choices import Group, Listed, Several, has_any, listed_before
from upcard.engine.native.lower.runtime import AT, BEGINS, ITEMS_AT, PICKS_AT, SEATS_AT
from upcard.engine.native.lower.workspace_plan import begin_words
from upcard.engine.shared.flat_program import NO_STAGE, Ask
from upcard.recycle import program as p


def write_relist(ctx: Context) -> None:
    """relist(S, W): list the open decision."""
    ctx.begin(NO_STAGE, fresh=False)
    pc = ctx.variable(ctx.word(ctx.layout.words["pc"]), "pc")
    for number, _ in ctx.asks:
        with ctx.when(binary("eq", pc, const(number))):
            ctx.emit(ir.Return(ctx.call(f"list_{number}", STATE, WORK)))
    ctx.emit(ir.Return(ZERO))
    ctx.function("relist", (STATE, WORK), exported=True)


def write_apply(ctx: Context) -> None:
    """apply(S, W, index): carry out the listed alternative of that index."""
    words, index = ctx.layout.words, ir.Local("index", "int")
    ctx.begin(NO_STAGE, fresh=False)
    starts = dict.fromkeys(range(len(ctx.code) + 1), len(ctx.asks))
    with ctx.when(ctx.word(AT["stop"], WORK), rare=True):
        ctx.note_fault(const(ctx.faults.number(ctx.program, INTERRUPTED)))
        ctx.emit(ir.Return(ZERO))
    start = block_at(ctx, "carries", starts | {number: i for i, (number, _) in enumerate(ctx.asks)})
    blocks = []
    for number, ask in ctx.asks:
        with ctx.block() as body:
            ctx.reset_work()
            ctx.set_word(words["steps"], ZERO)
            ctx.set_word(words["decisions"], add(ctx.word(words["decisions"]), ONE))
            status = carry(ctx, number, ask, index, None)
            with ctx.when(status, rare=True):
                ctx.note_fault(status)
                ctx.emit(ir.Return(ZERO))
            ctx.set_word(words["pc"], const(number + 1))
            if ctx.counts:
                ctx.set_word(words["work"], ctx.work_word())
            ctx.emit(ir.Return(ZERO))
        blocks.append(tuple(body))
    blocks.append((ir.Return(ZERO),))
    ctx.emit(ir.Steps(start, tuple(blocks), tuple(range(len(blocks)))))
    ctx.function("apply", (STATE, WORK, index), exported=True)


def write_decide(ctx: Context) -> None:
    """decide(S, W, seat): list the open decision, draw from the seat's stream, carry it out."""
    words, seat = ctx.layout.words, ir.Local("seat", "int")
    ctx.begin(NO_STAGE, fresh=False)
    status = ctx.variable(ctx.call("relist", STATE, WORK), "status")
    with ctx.when(status, rare=True):
        ctx.note_fault(status)
        ctx.emit(ir.Return(ZERO))
    have = ctx.snapshot(ctx.word(words["choices"]))
    count_choices(ctx, have)
    ctx.emit(ir.Return(ctx.call("apply", STATE, WORK, draw_choice(ctx, seat, have))))
    ctx.function("decide", (STATE, WORK, seat), rare=True)


def block_at(ctx: Context, name: str, starts: dict[int, int]) -> ir.Expr:
    """The block for where the state stands, from a table."""
    table = ctx.data(name, (starts[pc] for pc in sorted(starts)))
    return ctx.snapshot(ir.Load("i64", table, ctx.word(ctx.layout.words["pc"])))


def draw_choice(ctx: Context, seat: ir.Expr, have: ir.Expr) -> ir.Expr:
    """The index of the alternative that a seat takes in a playout."""
    return ctx.snapshot(ctx.call("choose_below", ir.Offset(WORK, const(8 * SEATS_AT)), seat, have))


def count_choices(ctx: Context, have: ir.Expr) -> None:
    """A playout counts its alternatives, and decisions with one of them."""
    ctx.set_word(AT["choices"], add(ctx.word(AT["choices"], WORK), have), WORK)
    forced = add(ctx.word(AT["forced"], WORK), binary("eq", have, ONE))
    ctx.set_word(AT["forced"], forced, WORK)


def carry(ctx: Context, number: int, ask: Ask, chosen: ir.Expr, listed: Listed | None) -> ir.Local:
    """Carry the alternative out; gives the fault's number or 0."""
    if number in ctx.allocating:
        ctx.free_arena(ctx.room.arena_start)
    status = ctx.variable(ZERO, "status")
    carry_out(ctx, number, ask, chosen, status, listed)
    return status


def carry_out(
    ctx: Context, number: int, ask: Ask, index: ir.Expr, status: ir.Local, listed: Listed | None
) -> None:
    """Find the item that the alternative belongs to, and carry it out."""
    if listed is None:
        listed = listed_before(ctx, ask)
    recorded: ir.Expr = ZERO
    bodies: list[tuple[ir.Expr, list[ir.Stmt]]] = []
    runs = {run.start: run for run in long_runs(ctx, ask)}
    for part in listed:
        run = runs.get(part.items[0]) if isinstance(part, Group) else None
        if isinstance(part, Group) and run is not None:
            with ctx.block() as body:
                _carry_run(ctx, number, run, recorded, index, status)
            bodies.append((part.shares[0].start, body))
            here = binary("sub", ctx.word(ITEMS_AT + run.stop, WORK), part.shares[0].start)
            recorded = ctx.snapshot(add(recorded, here))
            continue
        if isinstance(part, Group) and any(part.items[0] in run for run in runs.values()):
            continue
        start = part.share.start if isinstance(part, Several) else part.shares[0].start
        with ctx.block() as body:
            if isinstance(part, Several):
                _carry_one_of(ctx, number, ask, index, status, part)
            elif is_counted(ctx, ask.choice.items[part.items[0]]):
                picked = _picked(ctx, part, ask.choice.items[part.items[0]], index)
                _carry_counted(ctx, number, part.items[0], picked, status)
            else:
                _carry_recorded(
                    ctx, number, part.items[0], add(recorded, binary("sub", index, start)), status
                )
        bodies.append((start, body))
        if isinstance(part, Group) and not is_counted(ctx, ask.choice.items[part.items[0]]):
            here = binary("sub", ctx.word(ITEMS_AT + part.items[0] + 1, WORK), start)
            recorded = ctx.snapshot(add(recorded, here))
    following, chain = bodies.pop()
    for start, body in reversed(bodies):
        chain = [ir.Branch(binary("slt", index, following), tuple(body), tuple(chain))]
        following = start
    ctx.blocks[-1].extend(chain)


def _carry_counted(ctx: Context, number: int, item: int, pick: ir.Expr, status: ir.Local) -> None:
    ctx.set(status, ctx.call(f"item_{number}_{item}", STATE, WORK, pick))


def _carry_one_of(
    ctx: Context, number: int, ask: Ask, index: ir.Expr, status: ir.Local, part: Several
) -> None:
    """The group is known before anything is drawn: it is the one whose set is not empty."""
    items = ask.choice.items
    index = ctx.snapshot(binary("sub", index, part.share.start))
    pick: ir.Expr = ZERO
    if any(picks_of_counted(items[group[0]]) for group in part.groups):
        pick = ctx.snapshot(nth_of_set(ctx, tuple(part.share.mask), index))
    bodies = []
    for group in part.groups:
        with ctx.block() as body:
            _carry_counted(ctx, number, group[0], pick if picks_of_counted(items[group[0]]) else ZERO, status)
        bodies.append(body)
    chain = bodies.pop()
    for mask, body in reversed(list(zip(part.masks, bodies, strict=True))):
        chain = [ir.Branch(has_any(ctx, mask), tuple(body), tuple(chain))]
    ctx.blocks[-1].extend(chain)


def _carry_run(
    ctx: Context, number: int, run: range, recorded: ir.Expr, index: ir.Expr, status: ir.Local
) -> None:
    """Carry out an alternative of a long run: its item is looked up."""
    item = ctx.variable(const(run.start), "item")
    last = const(run.stop - 1)
    before = ctx.word(add(item, const(ITEMS_AT + 1)), WORK)
    with ctx.loop(binary("and", binary("slt", item, last), binary("sle", before, index))):
        ctx.set(item, add(item, ONE))
    start = ctx.word(ITEMS_AT + run.start, WORK) if run.start else ZERO
    _take_picks(ctx, add(recorded, binary("sub", index, start)))
    ctx.set(status, call_item(ctx, number, run, item))


def _carry_recorded(ctx: Context, number: int, item: int, k: ir.Expr, status: ir.Local) -> None:
    _take_picks(ctx, k)
    ctx.set(status, ctx.call(f"item_{number}_{item}", STATE, WORK))


def _take_picks(ctx: Context, k: ir.Expr) -> None:
    """Load the picks of a recorded alternative, for its item to take."""
    begin = add(scaled(ctx.snapshot(k), begin_words(ctx.logging)), ctx.word(BEGINS + BASE, WORK))
    at = ctx.word(begin, WORK)
    base = ctx.keep(ir.Offset(WORK, at))
    picks = ctx.keep(ctx.word(0, base))
    ctx.set_word(AT["picks"], picks, WORK)
    ctx.set_word(AT["taken"], ZERO, WORK)
    target = ir.Offset(WORK, const(8 * PICKS_AT))
    ctx.run("copy", target, ir.Offset(base, const(8)), scaled(picks, 2))


def _picked(ctx: Context, group: Group, item: p.Item, index: ir.Expr) -> ir.Expr:
    """The card, or number of a combination, that an alternative of these items stands for."""
    if not picks_of_counted(item):
        return ZERO
    mask = [ctx.variable(word, "set") for word in group.shares[0].mask]
    start = ctx.snapshot(group.shares[0].start)
    for share in group.shares[1:]:
        here = ctx.keep(binary("sge", index, share.start))
        for word, other in zip(mask, share.mask, strict=True):
            ctx.set(word, ir.Select(here, other, word))
        ctx.set(start, ir.Select(here, share.start, start))
    return ctx.snapshot(nth_of_set(ctx, tuple(mask), ctx.snapshot(binary("sub", index, start))))
