"""Assembles a program's module: functions, state layout, and the meaning of its faults."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.ir_verifier import verify
from upcard.engine.native.kernels import playout as playout_kernels
from upcard.engine.native.kernels import random_numbers as chance_kernels
from upcard.engine.native.kernels import sort as sorting_kernels
from upcard.engine.native.kernels import workspace_growth as room_kernels
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.kernels.playout import GameFacts
from upcard.engine.native.lower.analysis import Analysis, Orders, each_once, holds_places
from upcard.engine.native.lower.builder import STATE, WORK, ZERO
from upcard.engine.native.lower.card_faces import is_fixed, static_cards
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.control import write_steps, write_walk
from upcard.engine.native.lower.decisions import write_apply, write_decide, write_relist
from upcard.engine.native.lower.declarations import declared
from upcard.engine.native.lower.fast.counted_items import is_counted, leaf_rows
from upcard.engine.native.lower.fast.score_ranks import has_ranks, write_ranks
from upcard.engine.native.lower.fast.score_tables import ScoreTable, score_table
from upcard.engine.native.lower.initial_state import write_deal, write_setup
from upcard.engine.native.lower.point_maps import captured_at, map_words, write_score
from upcard.engine.native.lower.runtime import AT, SEATS_AT, write_runtime
from upcard.engine.native.lower.state_layout import SAID, Layout, lay_out
from upcard.engine.native.workspace import WorkPlan
from upcard.engine.shared.flat_program import Depths
from upcard.recycle import program as p
from upcard.recycle.constants import constant
from upcard.recycle.facts import Facts
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


@dataclass(frozen=True)
class Lowered:
    module: ir.Module
    layout: Layout
    faults: list[tuple[p.Node, str]]
    """By number from 1: the form, and a sentence without numbers; `fault_of` has them."""
    sentences: list[str]
    work: WorkPlan
    """What its workspace begins with."""
    simple_items: dict[int, list[bool]]
    """Per choice, by its step: which items are counted from a set."""
    leaves: dict[tuple[int, int], list[tuple[int, ...]]]
    """Per step and item that picks combinations of written words: the combinations, by their bit."""
    sites: dict[int, tuple[Kind, bool]]
    """What kind each any form binds, and whether cards are picked as a place rather than a list."""
    map_sites: list[p.SetPoints]
    """The forms that set point maps, by their number in the code."""
    captured_at: list[int]
    """Per such form: where in a map's words what it captured begins."""
    depths: list[Depths]
    """How many stages are open around each step."""

    def fault_of(self, state: bytes | bytearray | memoryview) -> tuple[p.Node, str] | None:
        """What went wrong in a state whose game failed: the form, and the sentence with its numbers in it."""
        at = 8 * self.layout.words["fault"]
        (number,) = struct.unpack_from("<q", state, at)
        if not number:
            return None
        said = struct.unpack_from(f"<{SAID}q", state, 8 * self.layout.words["said"])
        return self.faults[number - 1][0], self.sentences[number - 1].format(*said)


def lower(
    program: p.Program,
    facts: Facts,
    logging: bool = False,
    more: Callable[[Context, Lowered], None] | None = None,
) -> Lowered:
    """`logging` makes code that notes every effect and every look at a face: for stepping, not playouts.
    `more` writes further functions that call the game's own."""
    nodes = list(below(program))
    sites = [n for n in nodes if isinstance(n, p.SetPoints)]
    given = declared(program, facts)
    persistent = [declare.binding for declare in program.declares if declare.binding.slot in given.drawn]
    persistent += [node.binding for node in nodes if isinstance(node, p.LetChoice)]
    analysis = Analysis(program, _small(sites), facts.work)
    orders = Orders(analysis, facts.order.is_ordered)
    as_sets = analysis.small_maps and is_fixed(program)
    tables = _score_tables(program, facts, sites) if as_sets else {}
    layout = lay_out(
        program,
        facts,
        given,
        persistent,
        lambda words: max((map_words(n, n in tables, as_sets, words) for n in sites), default=1),
        lambda e: orders.by_card(e) and each_once(e),
    )
    kernels: list[Callable[..., Any]] = [
        *chance_kernels.KERNELS,
        *sorting_kernels.KERNELS,
        *room_kernels.KERNELS,
    ]
    if not logging:
        kernels += playout_kernels.KERNELS
    module = compile_kernels("game", kernels, playout_kernels.GIVEN, exported=())
    for kernel in (*chance_kernels.RARE, *room_kernels.KERNELS):
        name = kernel.__name__
        module.functions[name] = replace(module.functions[name], rare=True)
    ctx = Context(module, layout, analysis, orders, sites, tables, logging)
    _write_tables(ctx)
    write_runtime(ctx, layout)
    write_score(ctx)
    if has_ranks(ctx):
        write_ranks(ctx, {n.greatest for n in nodes if isinstance(n, p.BestCard)})
    write_steps(ctx)
    write_relist(ctx)
    write_apply(ctx)
    if not logging:
        write_decide(ctx)
    write_walk(ctx)
    write_setup(ctx)
    _write_play(ctx)
    counted = {n: [is_counted(ctx, item) for item in ask.choice.items] for n, ask in ctx.asks}
    tries = not all(all(items) for items in counted.values())
    lowered = Lowered(
        module,
        layout,
        ctx.faults.entries,
        ctx.faults.sentences,
        ctx.room.plan(ctx.allocations > 0, tries, logging),
        counted,
        {
            (n, i): rows
            for n, ask in ctx.asks
            for i, item in enumerate(ask.choice.items)
            if (rows := leaf_rows(ctx, item))
        },
        {n.site: _sort(n) for n in nodes if isinstance(n, p.ForAny)},
        sites,
        [captured_at(n, n in tables, as_sets, layout.set_words) for n in sites],
        ctx.depths,
    )
    if more is not None:
        more(ctx, lowered)
    verify(module)
    return lowered


def _sort(node: p.ForAny) -> tuple[Kind, bool]:
    return node.binding.kind, node.source.kind is Kind.LISTS and holds_places(node.source)


def _small(sites: list[p.SetPoints]) -> bool:
    """No sum of any map's awards, over every card there can be, leaves 64 bits."""
    for site in sites:
        amounts = [constant(award.amount) for award in site.awards]
        if any(amount is None for amount in amounts) or sum(abs(a or 0) for a in amounts) > 2**40:
            return False
    return True


def _score_tables(
    program: p.Program, facts: Facts, sites: list[p.SetPoints]
) -> dict[p.SetPoints, ScoreTable]:
    faces = [card.attributes for card in static_cards(program, facts)[0]]
    found = {site: score_table(site, faces) for site in sites}
    return {site: table for site, table in found.items() if table is not None}


def _write_tables(ctx: Context) -> None:
    layout = ctx.layout
    ctx.data("list_offsets", layout.list_offsets)
    ctx.data("place_owner", (place.owner for place in layout.places))
    rows = {key: row for row, key in enumerate(layout.keys)}
    ctx.data("key_rows", (rows.get(text, -1) for text in layout.strings))
    if not layout.moving_faces:
        faces = [card.attributes for card in layout.cards]
        ctx.data(
            "attributes", (layout.strings[face.get(key, "")] for key in layout.keys for face in faces), 2
        )


def _write_play(ctx: Context) -> None:
    """deal, and random games from the first card to the last."""
    write_deal(ctx)
    if not ctx.logging:
        _write_playout(ctx)
        _write_batches(ctx)


def _write_playout(ctx: Context) -> None:
    """playout(S, W): from where a state stands to the end, by the seats' own streams."""
    for name in ("choices", "forced"):
        ctx.set_word(AT[name], ZERO, WORK)
    ctx.set_word(AT["limit"], ctx.word(AT["most_decisions"], WORK), WORK)
    ctx.emit(ir.Return(ctx.call("walk", STATE, WORK)))
    ctx.function("playout", (STATE, WORK), exported=True)


def game_facts(layout: Layout) -> GameFacts:
    """Where kernels find what they read."""
    words = layout.words
    return GameFacts.pack(
        seats=layout.seats,
        state_words=layout.size // 8,
        **{name: words[name] for name in ("ending", "decisions", "scores", "fault", "name")},
        chance=words["c0"],
        offered=words["choices"],
        mover=words["seat_index"],
        choices=AT["choices"],
        forced=AT["forced"],
        streams=SEATS_AT,
    )


def _write_batches(ctx: Context) -> None:
    """random_games, games_to_words and rollouts: the kernels of `playout` with this game's facts."""
    seed, first = ir.Local("seed", "int"), ir.Local("first", "int")
    count, out = ir.Local("count", "int"), ir.Local("out", "ptr")
    start, name = ir.Local("start", "ptr"), ir.Local("name", "int")
    ctx.module.data["facts"] = game_facts(ctx.layout).to_bytes()
    facts = ir.Data("facts")
    ctx.emit(ir.Return(ctx.call("play_games", STATE, WORK, facts, seed, first, count, out)))
    ctx.function("random_games", (STATE, WORK, seed, first, count, out), exported=True)
    final = ir.Local("final", "ptr")
    ctx.emit(ir.Return(ctx.call("play_to_words", STATE, WORK, facts, seed, first, count, out, final)))
    ctx.function("games_to_words", (STATE, WORK, seed, first, count, out, final), exported=True)
    ctx.emit(ir.Return(ctx.call("play_on", STATE, WORK, facts, start, name, count, out)))
    ctx.function("rollouts", (STATE, WORK, start, name, count, out), exported=True)
