"""Items: blocks outside choices, and how an `any` inside one takes its element.

A function is begun here too: with the cycles as deep as they are at that step, and with the variables that
outlive a decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.acting import Acting
from upcard.engine.native.lower.analysis import each_once, is_place
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
from upcard.engine.native.lower.collecting import ARENA_BYTES, AsList, AsSet, Cards, InPlace
from upcard.engine.native.lower.layout import MOST_REFERENCES, NotLowered
from upcard.engine.native.lower.runtime import (
    AT,
    COUNTS_AT,
    MARKS_AT,
    MOST_PICKS,
    PICKS_AT,
    SAVED_AT,
    SCRIPT_AT,
)
from upcard.engine.native.lower.scalars import MOST
from upcard.engine.reference.code import Ask, Bind, StageStep, Step, flatten
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

RUNNING, FINISHED, STUCK, CUT_OFF, FAILED = range(5)
EMPTY = const(-(2**63))
"""The pick of an any that had nothing to pick from."""

RECORDED_BYTES = 96 << 20

LISTED = (Kind.LISTS, Kind.INTS, Kind.STRS, Kind.PLAYERS, Kind.TEAMS)


@dataclass
class Depths:
    """How many stages are open around a step."""

    seat: int
    team: int


class Blocks(Acting):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.code: list[Step] = flatten(self.program.body)
        self.depths = self._find_depths()
        self.asks: list[tuple[int, Ask]] = [(i, s) for i, s in enumerate(self.code) if isinstance(s, Ask)]
        self.recorded_at = 8 * SAVED_AT + -(-self.layout.size // 8) * 8
        """Bytes of the workspace: where recorded alternatives begin."""
        self.arena_at = self.recorded_at + RECORDED_BYTES
        self.arena_end = self.arena_at + ARENA_BYTES
        self.offsets_at = self.recorded_at // 8
        """Words: where each recorded alternative begins, then their picks."""
        self.simple: dict[tuple[int, int], bool] = {}

    @property
    def work_size(self) -> int:
        return self.arena_end

    def _find_depths(self) -> list[Depths]:
        """Of each step: of an enter those outside it, of everything else those around it."""
        found, seat, team = [], 0, 0
        for step in self.code:
            if isinstance(step, StageStep) and step.what == "enter":
                found.append(Depths(seat, team))
                seat += step.stage.of == "player"
                team += step.stage.of == "team"
                continue
            found.append(Depths(seat, team))
            if isinstance(step, StageStep) and step.what == "leave":
                seat -= step.stage.of == "player"
                team -= step.stage.of == "team"
        return found

    # --- items outside choices -----------------------------------------------------------------

    def item(self, node: p.Item) -> None:
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
            self.fail(node, f"a repeat runs at most {MOST:,} times", binary("sgt", count, const(MOST)))
            with self.counting(ZERO, count):
                self.item(node.item)
        elif isinstance(node, p.RepeatAll):
            card = node.item.card
            size = (
                self.size_of(self.cards(card.cards))
                if isinstance(card, p.EndCard | p.TopOf | p.CardAt)
                else ONE
            )
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
            with self.counting(ZERO, self.word(0, base)) as i:
                word = self.variable(self.word(add(i, ONE), base), "entry")
                self.env[node.binding.slot] = self.element(source, word)
                self.item(node.item)
            return
        if isinstance(source, p.Filter) and source.kind is not Kind.CARDS:
            base = self.keep(self.array(source))
            with self.counting(ZERO, self.word(0, base)) as i:
                self.env[node.binding.slot] = self.variable(self.word(add(i, ONE), base), "entry")
                self.item(node.item)
            return
        with self.each_element(source, node.binding):
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
            cards = self.cards(source)
            if each_once(source):
                words = tuple(self.keep(w) for w in self.set_of(cards))
                return self.keep(self.count_set(words)), lambda i: self.nth_of_set(words, i)
            base = self._sorted_copy(node, cards)
            return self.keep(self.word(0, base)), lambda i: self.list_card(base, i)
        array = self.keep(self.lists(source) if source.kind is Kind.LISTS else self.array(source))
        return self.keep(self.word(0, array)), lambda i: self.word(add(i, ONE), array)

    def _sorted_copy(self, node: p.Node, cards: Cards) -> ir.Expr:
        """In card order, equal cards side by side."""
        base = self.as_list(node, cards, copy=True)
        with self.counting(ONE, self.word(0, base)) as i:
            card = self.variable(self.list_card(base, i), "card")
            j = self.variable(i, "j")
            with self.loop(binary("sgt", j, ZERO)):
                before = self.variable(self.list_card(base, binary("sub", j, ONE)), "before")
                with self.when(binary("sle", before, card)):
                    self.emit(ir.Break())
                self.emit(ir.Store(self.width, ir.Offset(base, const(8)), j, before))
                self.set(j, binary("sub", j, ONE))
            self.emit(ir.Store(self.width, ir.Offset(base, const(8)), j, card))
        return base

    def _pick_by_script(self, node: p.ForAny, go: ir.Local, value: ir.Local) -> None:
        count, nth = self._elements(node)
        with self.when(binary("eq", count, ZERO)):
            self.set(value, EMPTY)
        with self.when(binary("ne", count, ZERO)):
            depth = self.keep_now(self.word(AT["depth"], WORK))
            self.fail(node, "an alternative has too many picks", binary("sge", depth, const(MOST_PICKS - 1)))
            self.set_word(AT["depth"], add(depth, ONE), WORK)
            with self.when(binary("sge", depth, self.word(AT["script"], WORK))):
                self.set_word(add(depth, const(SCRIPT_AT)), ZERO, WORK)
                self.set_word(add(depth, const(COUNTS_AT)), count, WORK)
                self.set_word(add(depth, const(MARKS_AT)), self.word(AT["drawn"], WORK), WORK)
                self.set_word(AT["script"], add(depth, ONE), WORK)
            self.set(value, nth(self.keep_now(self.word(add(depth, const(SCRIPT_AT)), WORK))))
            self.set(go, ONE)
        picks = self.keep_now(self.word(AT["picks"], WORK))
        self.fail(node, "an alternative has too many picks", binary("sge", picks, const(MOST_PICKS - 1)))
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
        from upcard.engine.native.lower.analysis import holds_places

        return node.source.kind is Kind.LISTS and not holds_places(node.source)

    def _bind_pick(self, node: p.ForAny, value: ir.Local) -> None:
        if node.source.kind is Kind.LISTS:
            self.env[node.binding.slot] = self.element(node.source, value)
        else:
            self.env[node.binding.slot] = value

    # --- functions and their variables ---------------------------------------------------------

    def begin(self, depths: Depths, bound: list[p.Binding], fresh: bool = True) -> None:
        """Start a function: depths of the cycles, and variables that outlive decisions.

        Between a let and its choice nothing changes, so a list that is held there is made again from the
        same state rather than kept in it.
        """
        self.seat_depth, self.team_depth = depths.seat, depths.team
        self.env = {}
        self.distances = {}
        if fresh:
            self.set_word(AT["top"], const(self.arena_at), WORK)
        for binding in bound:
            if binding.kind in LISTED:
                self.bind_value(binding, binding.source)
            else:
                self.env[binding.slot] = self._stored(binding, self.layout.words[f"var{binding.slot}"])

    def _stored(self, binding: p.Binding, at: int) -> Any:
        source = binding.source
        if binding.kind is Kind.CARDS:
            if is_place(source):
                families = self.origins.of(source)
                ordered = {self.layout.facts.order.reason(f) is not None for f in families}
                known = (
                    ordered.pop() if len(ordered) == 1 and all(f.name is not None for f in families) else None
                )
                return InPlace(self.word(at), known, any(f.cls == "mem" for f in families))
            if self.by_card(source):
                return AsSet(
                    tuple(self.variable(self.word(at + w), "kept") for w in range(self.layout.set_words))
                )
            return AsList(ir.Offset(STATE, const(8 * at)), each_once(source))
        return self.word(at)

    def _store_variable(self, binding: p.Binding, value: p.Expr) -> None:
        if binding.kind in LISTED:
            if any(isinstance(node, p.Random | p.BestCard) for node in below(value)):
                raise NotLowered(value, "a list drawn by chance and held across a decision is not yet taken")
            self.bind_value(binding, value)  # for its faults; see `begin`
            return
        at = self.layout.words[f"var{binding.slot}"]
        if binding.kind is Kind.CARDS:
            cards = self.cards(value)
            if isinstance(cards, InPlace) and is_place(value):
                self.set_word(at, cards.place)
            elif self.by_card(value):
                for w, word in enumerate(self.set_of(cards)):
                    self.set_word(at + w, word)
            else:
                base = self.as_list(value, cards)
                full = binary("sgt", self.word(0, base), const(MOST_REFERENCES))
                self.fail(value, "this needs more room than there is", full)
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


def words_for(b: Blocks, cards: ir.Expr) -> ir.Expr:
    """How many words so many cards of a list take."""
    return binary("lshr", add(scaled(cards, b.layout.card_bytes), const(7)), const(3))
