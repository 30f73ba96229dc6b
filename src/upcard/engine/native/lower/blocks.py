"""Lowers items: blocks outside choices, and how an `any` inside one takes its element.

A function is begun here too: with the cycles as deep as they are at that step, and with the variables that
outlive a decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once, holds_places, is_place, place_form
from upcard.engine.native.lower.builder import (
    ONE,
    STATE,
    WORK,
    ZERO,
    add,
    binary,
    const,
    scaled,
)
from upcard.engine.native.lower.collections import AsList, AsSet, Cards, InPlace
from upcard.engine.native.lower.fast.bulk_moves import Moving
from upcard.engine.native.lower.runtime import (
    AT,
    COUNTS_AT,
    NO_CARDS_WORD,
    PICKS_AT,
    SCRIPT_AT,
    STREAMS_AT,
)
from upcard.engine.native.lower.state_layout import LISTED, STREAM_WORDS, is_made_again
from upcard.engine.native.lower.workspace_plan import WorkRoom
from upcard.engine.shared.flat_program import Ask, Bind, Block, StageStep, Step, flatten
from upcard.recycle import program as p
from upcard.recycle.failures import TOO_MANY_PICKS, TOO_MANY_TIMES
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MOST, MOST_PICKS
from upcard.recycle.walk import below

RUNNING, FINISHED, STUCK, CUT_OFF, FAILED = range(5)
EMPTY = const(-(2**63))
"""The pick of an any that had nothing to pick from."""


@dataclass
class Depths:
    """How many stages are open around a step."""

    seat: int
    team: int
    queued: bool = True
    """The next player may be one that a `cycle next` named: only inside a stage that has such a form."""


class Blocks(Moving):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.code: list[Step] = flatten(self.program.body)
        self.depths = self._find_depths()
        self.asks: list[tuple[int, Ask]] = [(i, s) for i, s in enumerate(self.code) if isinstance(s, Ask)]
        self.room = WorkRoom(self.layout)
        self._with_picks: dict[p.Item, bool] = {}

    def _find_depths(self) -> list[Depths]:
        """Of each step: of an enter those outside it, of everything else those around it."""
        found: list[Depths] = []
        homes, home = [], [-1]
        """Of each step the stage of players right around it, by the step that enters it; -1 outside."""
        seat, team = 0, 0
        for number, step in enumerate(self.code):
            of_players = isinstance(step, StageStep) and step.stage.of == "player"
            found.append(Depths(seat, team))
            homes.append(home[-1])
            if isinstance(step, StageStep) and step.what in ("enter", "leave"):
                change = 1 if step.what == "enter" else -1
                seat += change * of_players
                team += change * (not of_players)
                if of_players and step.what == "enter":
                    home.append(number)
                elif of_players:
                    home.pop()
        queuing = {homes[number] for number, step in enumerate(self.code) if _queues(step)}
        for depths, here in zip(found, homes, strict=True):
            depths.queued = here in queuing
        return found

    # --- items outside choices -----------------------------------------------------------------

    def item(self, node: p.Item) -> None:
        """Lists made for it are free behind it, but for those that are picked: they are recorded later."""
        if self._picks_inside(node):
            self._item(node)
            return
        with self.scratch():
            self._item(node)

    def _picks_inside(self, node: p.Item) -> bool:
        known = self._with_picks.get(node)
        if known is None:
            known = any(isinstance(inner, p.ForAny) and self._picks_lists(inner) for inner in below(node))
            self._with_picks[node] = known
        return known

    def _item(self, node: p.Item) -> None:
        if isinstance(node, p.Action):
            self.act(node)
        elif isinstance(node, p.Do):
            for inner in node.items:
                self.item(inner)
        elif isinstance(node, p.When):
            with self.when(self.value(node.test)):
                self.item(node.item)
        elif isinstance(node, p.ForAll):
            self._for_all(node)
        elif isinstance(node, p.ForAny):
            self._for_any(node)
        elif isinstance(node, p.Let):
            self.bind_value(node.binding, node.value)
            self.item(node.item)
        elif isinstance(node, p.Repeat):
            count = self.keep(self.value(node.count))
            many = binary("sgt", count, const(MOST))
            self.fail(node, TOO_MANY_TIMES, many, count)
            if node in self.counts.units:
                self.count_work(node, ir.If(binary("sgt", count, ZERO), count, ZERO))
            if isinstance(node.item, p.Move) and self.moves_many(node.item):
                self.move_many(node.item, count)
                return
            with self.counting(ZERO, count):
                self.item(node.item)
        elif isinstance(node, p.RepeatAll):
            move = node.item if isinstance(node.item, p.Move) and self.moves_plainly(node.item) else None
            if move is not None and node not in self.counts.units:
                self.move_all(move)
                return
            card = node.item.card
            size = (
                self.size_of(self.cards(card.cards))
                if isinstance(card, p.EndCard | p.TopOf | p.CardAt)
                else ONE
            )
            if node in self.counts.units:
                size = self.keep(size)
                self.count_work(node, size)
                if move is not None:
                    self.move_all(move)
                    return
            with self.counting(ZERO, size):
                self.item(node.item)
        else:
            raise AssertionError(f"{type(node).__name__} is no item of a checked program")

    def bind_value(self, binding: p.Binding, value: p.Expr) -> None:
        """let: a location stays live, anything else is taken as it is now."""
        if value.kind is Kind.CARDS:
            cards = self.cards(value)
            if isinstance(value, p.Var):
                self.env[binding.slot] = cards  # the very object, under another name
            elif isinstance(cards, InPlace):
                self.env[binding.slot] = InPlace(self.keep_now(cards.place), cards.ordered, cards.memory)
            elif isinstance(cards, AsSet):
                self.env[binding.slot] = AsSet(tuple(self.keep_now(w) for w in cards.words))
            else:
                self.env[binding.slot] = cards
        elif value.kind is Kind.LISTS:
            self.env[binding.slot] = self.keep(self.lists(value))
        elif value.kind in (Kind.INTS, Kind.STRS, Kind.PLAYERS, Kind.TEAMS):
            self.env[binding.slot] = self.keep(self.array(value))
        else:
            self.env[binding.slot] = self.keep_now(self.value(value))

    def _for_all(self, node: p.ForAll) -> None:
        source = node.source
        if source.kind is Kind.LISTS:
            base = self.keep(self.lists(source))
            self.count_work(node, self.word(0, base))
            with self.counting(ZERO, self.word(0, base)) as i:
                word = self.variable(self.word(add(i, ONE), base), "entry")
                self.env[node.binding.slot] = self.element(source, word)
                self.item(node.item)
            return
        if isinstance(source, p.Filter) and source.kind is not Kind.CARDS:
            base = self.keep(self.array(source))
            self.count_work(node, self.word(0, base))
            with self.counting(ZERO, self.word(0, base)) as i:
                self.env[node.binding.slot] = self.variable(self.word(add(i, ONE), base), "entry")
                self.item(node.item)
            return
        stays = all(isinstance(n, _STAYING) for n in below(node.item) if isinstance(n, p.Action))
        with self.each_element(node, source, node.binding, stays=stays):
            self.item(node.item)

    # --- any inside a choice -------------------------------------------------------------------

    def _for_any(self, node: p.ForAny) -> None:
        """Listing: the element that the script says. Carrying out: the recorded one, or the first."""
        go, value = self.variable(ZERO, "go"), self.variable(ZERO, "pick")
        with self.block() as listing:
            self._pick_by_script(node, go, value)
        with self.block() as carrying:
            self._pick_by_record(node, go, value)
        self.either(self.word(AT["listing"], WORK), listing, carrying)
        with self.when(go):
            self._bind_pick(node, value)
            self.item(node.item)

    def _elements(self, node: p.ForAny) -> tuple[ir.Expr, Any]:
        """How many elements, and how to get one by index."""
        source = node.source
        if source.kind is Kind.CARDS:
            if each_once(source):
                words = tuple(self.keep(w) for w in self.set_from(source))
                count = self.keep(self.count_set(words))
                self.count_cards(node, count)
                return count, lambda i: self.nth_of_set(words, i)
            cards = self.cards(source)
            self.count_cards(node, self.size_of(cards))
            base = self._sorted_copy(node, cards)
            return self.keep(self.word(0, base)), lambda i: self.list_card(base, i)
        if isinstance(source, p.Range):
            low, high = self.keep(self.value(source.low)), self.keep(self.value(source.high))
            size = self.keep(self.range_size(source, low, high))
            return size, lambda i: add(low, i)
        array = self.keep(self.lists(source) if source.kind is Kind.LISTS else self.array(source))
        return self.keep(self.word(0, array)), lambda i: self.word(add(i, ONE), array)

    def _sorted_copy(self, node: p.Node, cards: Cards) -> ir.Expr:
        """In card order, equal cards side by side."""
        base = self.as_list(node, cards, copy=True)
        size = self.keep(self.word(0, base))
        room = const(self.layout.room)
        with self.scratch():
            times = self.allocate(node, scaled(room, 8))
            with self.counting(ZERO, room) as i:
                self.set_word(i, ZERO, times)
            with self.each_in_list(base) as card:
                self.set_word(card, add(self.word(card, times), ONE), times)
            self.set_word(0, ZERO, base)
            with self.counting(ZERO, room) as i, self.counting(ZERO, self.word(i, times)):
                self.append(base, i)
        self.set_word(0, size, base)
        return base

    def _pick_by_script(self, node: p.ForAny, go: ir.Local, value: ir.Local) -> None:
        count, nth = self._elements(node)
        picks = self.keep_now(self.word(AT["picks"], WORK))
        self.fail(node, TOO_MANY_PICKS, binary("sge", picks, const(MOST_PICKS)))
        with self.when(binary("eq", count, ZERO)):
            self.set(value, EMPTY)
        with self.when(binary("ne", count, ZERO)):
            depth = self.keep_now(self.word(AT["depth"], WORK))
            after = self.keep(add(depth, ONE))
            self.set_word(AT["depth"], after, WORK)
            with self.when(binary("sge", depth, self.word(AT["script"], WORK))):
                self.set_word(add(depth, const(SCRIPT_AT)), ZERO, WORK)
                self.set_word(add(depth, const(COUNTS_AT)), count, WORK)
                self.set_word(AT["script"], after, WORK)
            self.set(value, nth(self.keep_now(self.word(add(depth, const(SCRIPT_AT)), WORK))))
            self.set(go, ONE)
            if self.chancy:
                self.change_streams(after)
        self.set_word(AT["picks"], add(picks, ONE), WORK)
        at = self.keep(add(scaled(picks, 2), const(PICKS_AT)))
        self.set_word(at, const(node.site), WORK)
        kept: ir.Local = value
        if self._picks_lists(node):
            # recorded as it is now: cards moved through the list itself will leave it
            kept = self.variable(value, "kept")
            with self.when(go):
                made = self.as_list(node, AsList(self.keep(ir.Offset(WORK, value)), False), copy=True)
                self.set(kept, self.distance(made))
        self.set_word(add(at, ONE), kept, WORK)

    def change_streams(self, depth: ir.Expr) -> None:
        """Behind so many any forms: draws repeat from the stream as it was here, or it is noted as it is."""
        kept = self.keep(add(scaled(depth, 4), const(STREAMS_AT)))
        with self.block() as again:
            for i in range(STREAM_WORDS):
                self.set_word(AT["r0"] + i, self.word(add(kept, const(i)), WORK), WORK)
        with self.block() as fresh:
            for i in range(STREAM_WORDS):
                self.set_word(add(kept, const(i)), self.word(AT["l0"] + i, WORK), WORK)
        self.either(binary("slt", depth, self.word(AT["replayed"], WORK)), again, fresh)

    def _pick_by_record(self, node: p.ForAny, go: ir.Local, value: ir.Local) -> None:
        taken = self.keep_now(self.word(AT["taken"], WORK))
        at = self.keep(add(scaled(taken, 2), const(PICKS_AT)))
        mine = self.variable(ZERO, "mine")
        with self.when(binary("slt", taken, self.word(AT["picks"], WORK))):
            self.set(mine, binary("eq", self.word(at, WORK), const(node.site)))
        with self.block() as recorded:
            self.set_word(AT["taken"], add(taken, ONE), WORK)
            self.set(value, self.word(add(at, ONE), WORK))
            self.set(go, binary("ne", value, EMPTY))
            if self._picks_lists(node):
                with self.when(go):
                    fresh = self.as_list(node, AsList(self.keep(ir.Offset(WORK, value)), False), copy=True)
                    self.set(value, self.distance(fresh))
        with self.block() as first:
            if self._draws_before(node):
                count, nth = self._elements(node)
                with self.when(binary("ne", count, ZERO)):
                    self.set(value, nth(ZERO))
                    self.set(go, ONE)
        self.either(mine, recorded, first)

    def _draws_before(self, node: p.ForAny) -> bool:
        """Only chance inside the choice can lead to an any that has no pick of its own."""
        return self.chancy

    chancy = False

    def _picks_lists(self, node: p.ForAny) -> bool:
        return node.source.kind is Kind.LISTS and not holds_places(node.source)

    def _bind_pick(self, node: p.ForAny, value: ir.Local) -> None:
        if node.source.kind is Kind.LISTS:
            self.env[node.binding.slot] = self.element(node.source, value)
        else:
            self.env[node.binding.slot] = value

    # --- functions and their variables ---------------------------------------------------------

    fresh = False
    """The function at hand begins with an empty arena."""

    def begin(self, depths: Depths, bound: list[p.Binding], fresh: bool = True) -> None:
        """Start a function: depths of the cycles, and variables that outlive decisions.

        Between a let and its choice nothing changes, so a list that is held there is made again from the
        same state, and with the same draws, rather than kept in it.
        """
        self.seat_depth, self.team_depth, self.queued = depths.seat, depths.team, depths.queued
        self.env = {}
        self.distances = {}
        self.allocates = False
        self.fresh = fresh
        for binding in bound:
            if is_made_again(self.layout, binding):
                self._make_again(binding)
            else:
                self.env[binding.slot] = self._stored(binding, self.layout.words[f"var{binding.slot}"])

    def function(
        self,
        name: str,
        parameters: tuple[ir.Local, ...],
        result: ir.Type = "int",
        exported: bool = False,
        rare: bool = False,
    ) -> None:
        if self.allocates and self.fresh:
            with self.block() as emptied:
                self.free_arena(self.room.arena_start)
            self.blocks[-1][:0] = emptied
        self.allocates = self.fresh = False
        super().function(name, parameters, result, exported, rare)

    def _make_again(self, binding: p.Binding) -> None:
        """It went well before, so nothing can go wrong between changing streams and changing back; and it was
        counted then."""
        self.counts_nothing = True
        if _draws(binding.source):
            self._draw_again(binding)
        else:
            self.bind_value(binding, binding.source)
        self.counts_nothing = False

    def _draw_again(self, binding: p.Binding) -> None:
        chance, kept_at = self.layout.words["c0"], self.layout.words[f"var{binding.slot}"]
        now = [self.keep_now(self.word(chance + i)) for i in range(STREAM_WORDS)]
        listing = self.keep_now(self.word(AT["listing"], WORK))
        for i in range(STREAM_WORDS):
            self.set_word(chance + i, self.word(kept_at + i))
        self.set_word(AT["listing"], ZERO, WORK)
        self.bind_value(binding, binding.source)
        for i, word in enumerate(now):
            self.set_word(chance + i, word)
        self.set_word(AT["listing"], listing, WORK)

    def _stored(self, binding: p.Binding, at: int) -> Any:
        source = binding.source
        if binding.kind is Kind.CARDS:
            form = place_form(source)
            if form is not None:
                return self.in_place(self.word(at), form)
            if self.by_card(source):
                return AsSet(
                    tuple(self.variable(self.word(at + w), "kept") for w in range(self.layout.set_words))
                )
            return AsList(ir.Offset(STATE, const(8 * at)), each_once(source))
        return self.word(at)

    def _store_variable(self, binding: p.Binding, value: p.Expr) -> None:
        at = self.layout.words[f"var{binding.slot}"]
        if binding.how == "let" and is_made_again(self.layout, binding):
            if _draws(value):
                for word in range(STREAM_WORDS):
                    self.set_word(at + word, self.word(self.layout.words["c0"] + word))
            self.bind_value(binding, value)  # for its faults and draws; see `begin`
            return
        if binding.kind in LISTED:  # declared
            base = self.keep(self.lists(value) if binding.kind is Kind.LISTS else self.array(value))
            if binding.kind is Kind.LISTS and not holds_places(value):
                with self.counting(ZERO, self.word(0, base)) as i:
                    self.set_word(add(i, const(at + 1)), const(8 * NO_CARDS_WORD))
                self.set_word(at, self.word(0, base))
            else:
                self.run("copy", ir.Offset(STATE, const(8 * at)), base, add(self.word(0, base), ONE))
            return
        if binding.kind is Kind.CARDS:
            cards = self.cards(value)
            if isinstance(cards, InPlace) and is_place(value):
                self.set_word(at, cards.place)
            elif self.by_card(value):
                for w, bits in enumerate(self.set_of(cards)):
                    self.set_word(at + w, bits)
            else:
                base = self.as_list(value, cards)
                size = self.keep(add(ONE, words_for(self, self.word(0, base))))
                self.run("copy", ir.Offset(STATE, const(8 * at)), base, size)
        else:
            self.set_word(at, self.value(value))

    def _lets_before(self, number: int) -> list[p.Binding]:
        """The lets around a choice, outermost first."""
        found: list[p.Binding] = []
        while number > 0 and isinstance(self.code[number - 1], Bind):
            number -= 1
            step = self.code[number]
            assert isinstance(step, Bind)
            found.insert(0, step.node.binding)
        return found


_STAYING = (p.SetInt, p.AddInt, p.SetStr, p.SetPoints, p.Cycle, p.Pass)
"""Actions that leave every card where it lies."""


def _queues(step: Step) -> bool:
    form = step.item if isinstance(step, Block) else step.choice if isinstance(step, Ask) else None
    return form is not None and any(isinstance(n, p.Cycle) and n.which == "next" for n in below(form))


def _draws(value: p.Expr) -> bool:
    return any(isinstance(node, p.Random | p.BestCard) for node in below(value))


def words_for(b: Blocks, cards: ir.Expr) -> ir.Expr:
    """How many words so many cards of a list take."""
    return binary("lshr", add(scaled(cards, b.layout.card_bytes), const(7)), const(3))
