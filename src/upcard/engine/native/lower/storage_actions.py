"""Lowers actions on storages, point maps, turns and teams, and decks created in play."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.context import Context, act_of
from upcard.engine.native.lower.point_maps import (
    captures,
    keeps_sets,
    maps_as_sets,
    matching_cards,
    score_row,
)
from upcard.engine.native.lower.runtime import CYCLE, DECK, POINTS, SET_INT, SET_STR, TEAMS
from upcard.engine.native.lower.values import storage_word
from upcard.recycle import failures
from upcard.recycle import program as p

# --- storages ------------------------------------------------------------------------------------


@act_of(p.SetInt, p.SetStr)
def _set(ctx: Context, node: p.SetInt | p.SetStr) -> None:
    at = storage_word(ctx, node.store)
    value = ctx.keep(ctx.value(node.value))
    ctx.set_word(at, value)
    ctx.log(SET_INT if isinstance(node, p.SetInt) else SET_STR, at, value)


@act_of(p.AddInt)
def _add_int(ctx: Context, node: p.AddInt) -> None:
    at = storage_word(ctx, node.store)
    amount = ctx.keep(ctx.value(node.amount)) if node.amount is not None else ONE
    here = ctx.keep(ctx.word(at))
    op = "add" if node.sign == 1 else "sub"
    if not ctx.analysis.tame(node.store):
        ctx.fail(node, failures.TOO_WIDE, ir.Binary(f"s{op}_over", here, amount))
    result = ctx.snapshot(ir.Binary(op, here, amount))
    ctx.set_word(at, result)
    ctx.log(SET_INT, at, result)


@act_of(p.SetPoints)
def _set_points(ctx: Context, node: p.SetPoints) -> None:
    """A map is the number of the form that set it, and what that form's strings and amounts were."""
    at = storage_word(ctx, node.store)
    captured = [ctx.snapshot(ctx.value(e)) for e in captures(node)]
    ctx.set_word(at, const(1 + ctx.map_sites.index(node)))
    kept: list[ir.Expr] = list(captured)
    table = ctx.score_tables.get(node)
    if table is not None or (maps_as_sets(ctx) and keeps_sets(node)):
        if table is None:
            kept = matching_cards(ctx, node, iter(captured))
        else:
            kept = [score_row(ctx, node, table, captured)]
        if ctx.logging:  # they describe the map; the rest only scores cards
            kept += captured
    for i, value in enumerate(kept):
        ctx.set_word(add(at, const(1 + i)), value)
    ctx.log(POINTS, at, const(ctx.map_sites.index(node)), *captured)


# --- turns and teams -----------------------------------------------------------------------------


@act_of(p.Cycle)
def _cycle(ctx: Context, node: p.Cycle) -> None:
    seat = ctx.snapshot(ctx.value(node.player))
    ctx.log(CYCLE, const(int(node.which == "current")), seat)
    name = "seat_queue" if node.which == "next" else "seat_index"
    ctx.set_word(ctx.layout.words[name] + ctx.seat_depth, seat)


@act_of(p.CreateTeams)
def create_teams(ctx: Context, node: p.CreateTeams) -> None:
    words, seats = ctx.layout.words, ctx.layout.seats
    listed = [
        [ctx.keep(binary("sub", ctx.value(n), const(ctx.program.base))) for n in team] for team in node.teams
    ]
    for team in listed:
        for seat in team:
            if not isinstance(seat, ir.Const):
                shown = add(seat, const(ctx.program.base))
                ctx.fail(node, failures.NO_SUCH_PLAYER, binary("uge", seat, const(seats)), shown)
    for number in range(seats):
        ctx.set_word(words["team_of"] + number, MINUS)
    for number, team in enumerate(listed):
        for i, seat in enumerate(team):
            at = ctx.keep(add(seat, const(words["team_of"])))
            ctx.fail(node, failures.IN_TWO_TEAMS, binary("sge", ctx.word(at), ZERO))
            ctx.set_word(at, const(number))
            ctx.set_word(words["members"] + number * seats + i, seat)
        ctx.set_word(words["team_size"] + number, const(len(team)))
    teams = ctx.variable(const(len(listed)), "teams")
    for number in range(seats):
        with ctx.when(binary("slt", ctx.word(words["team_of"] + number), ZERO)):
            ctx.set_word(words["team_of"] + number, teams)
            ctx.set_word(add(scaled(teams, seats), const(words["members"])), const(number))
            ctx.set_word(add(teams, const(words["team_size"])), ONE)
            ctx.set(teams, add(teams, ONE))
    ctx.set_word(words["teams"], teams)
    for i in range(words["teams"] - words["team_index"]):
        ctx.set_word(words["team_index"] + i, ZERO)
    ctx.log(TEAMS, const(ctx.team_sites.index(node)), *(seat for team in listed for seat in team))
    layout = ctx.layout
    for space, stride in ((layout.ints, 1), (layout.strs, 1), (layout.maps, layout.map_stride)):
        for (kind, _), first in space.items():
            if kind == "team":
                for i in range(seats * stride):
                    ctx.set_word(first + i, ZERO)


# --- decks ---------------------------------------------------------------------------------------


@act_of(p.CreateDeck)
def _create_deck(ctx: Context, node: p.CreateDeck) -> None:
    """Only where faces lie in the state; a card's number is the order in which it is made."""
    layout = ctx.layout
    back = ctx.keep(ctx.value(node.back)) if node.back is not None else const(layout.strings["DEFAULT"])
    place = ctx.snapshot(ctx.location(node.location).place)
    texts, faces = _planned(node.attributes)
    values = ctx.allocate(node, const(8 * len(texts)))
    for number, text in enumerate(texts):
        ctx.set_word(number, ctx.value(text), values)
    count = const(len(faces))
    first = ctx.snapshot(ctx.word(layout.words["cards"]))
    if layout.facts.cards_at_most is None:
        full = binary("sgt", add(first, count), const(layout.room))
        ctx.fail(node, failures.TOO_MANY_MADE.format(layout.room), full)
    width = max(len(face) for face in faces)
    # faces of fewer attributes repeat their last one
    padded = [(*face, *[face[-1]] * (width - len(face))) for face in faces]
    deck = ctx.data(f"deck_{node.span.start}", (n for face in padded for pair in face for n in pair), 2)
    at = ctx.variable(ZERO, "at")
    with ctx.each_index(ZERO, count) as i:
        card = ctx.keep(add(first, i))
        ctx.emit(ir.Store("u16", STATE, add(card, const(layout.backs_at // 2)), back))
        with ctx.each_index(ZERO, const(width)):
            key = ctx.word(ir.Load("u16", deck, at), values)
            value = ctx.word(ir.Load("u16", deck, add(at, ONE)), values)
            row = ctx.keep(ir.Load("i64", ir.Data("key_rows"), key))
            index = add(add(card, scaled(row, layout.room)), const(layout.faces_at // 2))
            ctx.emit(ir.Store("u16", STATE, index, value))
            ctx.set(at, add(at, const(2)))
        ctx.run("put", STATE, card, place, MINUS)
    ctx.set_word(layout.words["cards"], add(first, count))
    ctx.log(DECK, place, first, count)


def _planned(attributes: tuple[p.Attribute, ...]) -> tuple[list[p.Expr], list[tuple[tuple[int, int], ...]]]:
    """The keys and values of a deck in the order they are evaluated; and of each face which of them it has,
    as pairs of key and value, a later pair prevailing over an earlier one of the same key."""
    texts: list[p.Expr] = []

    def number(text: p.Expr) -> int:
        texts.append(text)
        return len(texts) - 1

    def faces(attributes: tuple[p.Attribute, ...]) -> list[tuple[tuple[int, int], ...]]:
        combined: list[tuple[tuple[int, int], ...]] = [()]
        for attribute in attributes:
            key = number(attribute.key)
            leaves = []
            for child in attribute.children:
                pair = (key, number(child.value))
                leaves += [(pair, *lower) for lower in faces(child.below)]
            combined = [(*face, *leaf) for face in combined for leaf in leaves]
        return combined

    planned = faces(attributes)
    return texts, planned
