"""Lowers choices: counts or tries alternatives, records them, and plays one.

A choice lists its items one after the other. The alternatives of simple ones (`simple`) are counted. Any
other item is run once per alternative on the state as it was, with a script that says which element each
`any` takes.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import BASE, END, SIZE
from upcard.engine.native.lower import workspace_plan as work_room
from upcard.engine.native.lower.blocks import (
    EMPTY,
    FAILED,
    words_for,
)
from upcard.engine.native.lower.builder import (
    INTERRUPTED,
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.collections import NO_ROOM, ArenaMark, InPlace
from upcard.engine.native.lower.fast.counted_items import conditions
from upcard.engine.native.lower.fast.listed_choices import Group, Listed, Listing, Several
from upcard.engine.native.lower.runtime import (
    AT,
    BEGINS,
    COUNTS_AT,
    EFFECTS,
    ITEMS_AT,
    MASK_WORDS,
    MASKS_AT,
    MOST_ITEMS,
    PICKS_AT,
    RECORDS,
    SCRIPT_AT,
)
from upcard.engine.native.lower.state_layout import SAID, NotLowered
from upcard.engine.native.lower.workspace_plan import NOTED_BYTES, begin_words
from upcard.engine.shared.flat_program import Ask
from upcard.recycle import program as p
from upcard.recycle.failures import TOO_MANY_ALTERNATIVES, TOO_MANY_LISTED, TOO_MANY_PICKED
from upcard.recycle.limits import MOST, MOST_CARDS_PICKED, MOST_PICKS_LISTED
from upcard.recycle.walk import below

NOTHING = "there is nothing to choose from"

FEW = 8
"""Items in a row of which each has code of its own that tries it out and records its alternatives."""


class Choosing(Listing):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.allocating: set[int] = set()
        """The choices, by their steps, whose items make lists as they are carried out."""

    def write_choice(self, number: int, ask: Ask) -> None:
        """list_N and one function per item."""
        choice = ask.choice
        if len(choice.items) >= MOST_ITEMS:
            raise NotLowered(choice, f"the native engine takes choices of up to {MOST_ITEMS - 1} items")
        depths = self.depths[number]
        bound = self._lets_before(number)
        self.chancy = any(isinstance(n, p.Shuffle | p.Random | p.BestCard) for n in below(choice))
        first_ones = {group[0] for group in self.groups(number, ask)}
        for i, item in enumerate(choice.items):
            self.begin(depths, bound, fresh=False)
            if self.is_simple(item):
                if i in first_ones:
                    self._write_simple(number, i, p.Do(item.span, ()) if self.is_left_out(item) else item)
                continue
            self.allocating.add(number)
            self.counting_actions = True
            self.blamed = item
            self.item(item)
            self.blamed = None
            self.counting_actions = False
            self.emit(ir.Return(ZERO))
            self.function(f"item_{number}_{i}", (STATE, WORK))
        runs = {run.start: run for run in self.long_runs(ask)}
        for run in runs.values():
            self._write_run(number, run)
        self.begin(depths, bound)
        total = self.variable(ZERO, "total")
        start: ArenaMark = ZERO, ZERO
        if any(not self.is_simple(item) for item in choice.items):
            self.reset_work()
            self.allocates = True  # what runs unfold begins at the bottom of the arena
            self.set_word(AT["seeded"], ZERO, WORK)
            if self.chancy:
                self.run("seed_listing", STATE, WORK)
            start = self.arena_mark()
            for name in ("alternatives", "listed", "grouped", "noted"):
                self.set_word(AT[name], ZERO, WORK)
            self.set_word(AT["used"], const(self.room.records_at), WORK)
            self.set_word(RECORDS + END, const(self.room.records_at + work_room.FIRST_BYTES), WORK)
            self.run("copy", ir.Offset(WORK, const(self.room.saved_at)), STATE, const(self.layout.size // 8))
        for i, item in enumerate(choice.items):
            if i in runs:
                with self.counting(const(i), const(runs[i].stop)) as item_number:
                    self.set_word(add(item_number, const(ITEMS_AT)), total, WORK)
                    self._unfold(choice, number, runs[i], item_number, total, start)
            if any(i in run for run in runs.values()):
                continue
            if i:
                self.set_word(ITEMS_AT + i, total, WORK)
            if self.is_simple(item):
                words = [self.variable(ZERO, "set") for _ in range(self.layout.set_words)]
                self._mask(item, words)
                for w, word in enumerate(words):
                    self.set_word(MASKS_AT + i * MASK_WORDS + w, word, WORK)
                self.set(total, add(total, self.count_set(tuple(words))))
            else:
                self._unfold(choice, number, range(i, i + 1), const(i), total, start)
        self.set_word(ITEMS_AT + len(choice.items), total, WORK)
        self.fail(choice, TOO_MANY_ALTERNATIVES, binary("sgt", total, const(MOST)))
        self.set_word(self.layout.words["choices"], total)
        self.fail(choice, NOTHING, binary("eq", total, ZERO))
        self.emit(ir.Return(ZERO))
        self.function(f"list_{number}", (STATE, WORK))

    def long_runs(self, ask: Ask) -> list[range]:
        """Many items in a row that are tried out: they share the code that tries and records, which is longer
        than most items are. An item whose work is counted has code of its own."""
        found, first = [], 0
        items = ask.choice.items
        for alone, group in groupby(items, key=lambda one: self.is_simple(one) or one in self.counts.units):
            last = first + len(list(group))
            if not alone and last - first > FEW:
                found.append(range(first, last))
            first = last
        return found

    def _write_run(self, number: int, run: range) -> None:
        """items_N_first(S, W, item): carry an item of a long run out."""
        item = ir.Local("item", "int")
        blocks = []
        for i in run:
            with self.block() as body:
                self.emit(ir.Return(self.call(f"item_{number}_{i}", STATE, WORK)))
            blocks.append(tuple(body))
        self.emit(ir.Steps(binary("sub", item, const(run.start)), tuple(blocks), tuple(range(len(blocks)))))
        self.function(f"items_{number}_{run.start}", (STATE, WORK, item))

    def _call_item(self, number: int, run: range, item: ir.Expr) -> ir.Call:
        if isinstance(item, ir.Const):
            return self.call(f"item_{number}_{item.value}", STATE, WORK)
        return self.call(f"items_{number}_{run.start}", STATE, WORK, item)

    def _write_simple(self, number: int, i: int, item: p.Item) -> None:
        """A simple item is given its pick; that its conditions hold is known since it was counted."""
        pick = ir.Local("pick", "int")
        if self._is_leafy(item):
            item = self._bind_leaf(item, pick)
        while isinstance(item, p.When):
            item = item.item
        if isinstance(item, p.ForAny):
            self.env[item.binding.slot] = pick
            home = self.home(item.source)
            if home is not None and self.orders.by_card(home):
                place = self.cards(home)
                assert isinstance(place, InPlace)
                self.sure = {item.binding.slot: replace(place, place=self.keep_now(place.place))}
            item = conditions(item.item)[1]
        self.item(item)
        self.sure = {}
        if self.allocates:
            self.allocating.add(number)
        self.emit(ir.Return(ZERO))
        self.function(f"item_{number}_{i}", (STATE, WORK, pick))

    def _unfold(
        self, choice: p.Choice, number: int, run: range, item: ir.Expr, total: ir.Local, start: ArenaMark
    ) -> None:
        """Run an item once per script, each time on the state as it was. It is one of `run`.

        The first any forms of a run take the elements they had in the run before, but for the last of them.
        What was drawn before that one is drawn again from the stream as it was; the rest goes on from where
        the listing's stream is now, as if nothing had been run twice.
        """
        saved = ir.Offset(WORK, const(self.room.saved_at))
        words = const(self.layout.size // 8)
        self.set_word(AT["listing"], ONE, WORK)
        self.set_word(AT["script"], ZERO, WORK)
        with self.loop():
            with self.when(self.word(AT["stop"], WORK), rare=True):
                self.set_word(AT["listing"], ZERO, WORK)
                self.emit(ir.Return(const(self.faults.number(choice, INTERRUPTED))))
            for name in ("depth", "picks", "done", "effects"):
                self.set_word(AT[name], ZERO, WORK)
            tried = choice.items[run.start]
            units = self.counts.units.get(tried)  # an item of a long run has none
            if units is not None:
                self._count_up(tried, "work", const(units), self.counts.most, self.counts.sentence)
            self.set_word(AT["peeked"], MINUS, WORK)
            self.free_arena(start)
            if self.chancy:
                self.set_word(AT["replayed"], self.word(AT["script"], WORK), WORK)
                self.change_streams(ZERO)
            status = self.variable(self._call_item(number, run, item), "status")
            with self.when(status, rare=True):
                # what the message says was noted in the state, which becomes what it was
                at = self.layout.words["said"]
                said = [self.keep_now(self.word(at + n)) for n in range(SAID)]
                self.run("copy", STATE, saved, words)
                for n, value in enumerate(said):
                    self.set_word(at + n, value)
                self.set_word(AT["listing"], ZERO, WORK)
                self.emit(ir.Return(status))
            self.run("copy", STATE, saved, words)
            with self.when(self.word(AT["done"], WORK)):
                over = binary("sge", total, const(MOST))
                fault = self.faults.number(choice, TOO_MANY_ALTERNATIVES)
                with self.when(over):
                    self.set_word(AT["listing"], ZERO, WORK)
                    self.emit(ir.Return(const(fault)))
                self._record(choice, run, item)
                self.set(total, add(total, ONE))
            script = self.variable(self.word(AT["script"], WORK), "script")
            with self.loop(binary("sgt", script, ZERO)):
                last = self.keep(binary("sub", script, ONE))
                turned = self.variable(add(self.word(add(last, const(SCRIPT_AT)), WORK), ONE), "turned")
                with self.when(binary("slt", turned, self.word(add(last, const(COUNTS_AT)), WORK))):
                    self.set_word(add(last, const(SCRIPT_AT)), turned, WORK)
                    self.emit(ir.Break())
                self.set(script, last)
            self.set_word(AT["script"], script, WORK)
            with self.when(binary("eq", script, ZERO)):
                self.emit(ir.Break())
        self.set_word(AT["listing"], ZERO, WORK)

    def _record(self, choice: p.Choice, run: range, item: ir.Expr) -> None:
        """Keep the picks of this run; lists that were picked are copied, since the arena is used again."""
        found = self.keep_now(self.word(AT["alternatives"], WORK))
        at = self.variable(self.word(AT["used"], WORK), "at")
        stride = begin_words(self.logging)
        last = self.keep(scaled(found, stride))
        self.set_word(AT["alternatives"], add(found, ONE), WORK)
        picks = self.keep_now(self.word(AT["picks"], WORK))
        self._count_up(choice, "listed", picks, MOST_PICKS_LISTED, TOO_MANY_LISTED)
        if self.logging:
            words = self.keep(add(self.word(AT["effects"], WORK), const(3)))
            message = "the alternatives of a decision do more than the native engine can note"
            self._count_up(choice, "noted", words, NOTED_BYTES // 8, message)
        size = self.keep(add(const(8), scaled(picks, 16)))
        self._record_room(choice, found, at, size)
        self.set_word(add(last, self.word(BEGINS + BASE, WORK)), at, WORK)
        base = self.keep_now(ir.Offset(WORK, at))
        self.set_word(0, picks, base)
        self.set(at, add(at, size))
        tried = choice.items[run.start : run.stop]
        anys = [n for one in tried for n in below(one) if isinstance(n, p.ForAny)]
        lists = [n for n in anys if self._picks_lists(n)]
        with self.counting(ZERO, picks) as k:
            source = self.keep(add(scaled(k, 2), const(PICKS_AT)))
            site, value = (
                self.keep(self.word(source, WORK)),
                self.variable(self.word(add(source, ONE), WORK), "value"),
            )
            for node in lists:
                mine = binary("and", binary("eq", site, const(node.site)), binary("ne", value, EMPTY))
                with self.when(mine):
                    old = self.keep(ir.Offset(WORK, value))
                    held = self.keep(self.word(0, old))
                    self._count_up(choice, "grouped", held, MOST_CARDS_PICKED, TOO_MANY_PICKED)
                    size = self.keep(add(ONE, words_for(self, self.word(0, old))))
                    self._record_room(choice, found, at, scaled(size, 8))
                    self.run("copy", ir.Offset(WORK, at), old, size)
                    self.set(value, at)
                    self.set(at, add(at, scaled(size, 8)))
            target = self.keep(add(scaled(k, 2), ONE))
            self.set_word(target, site, base)
            self.set_word(add(target, ONE), value, base)
        if self.logging:
            # behind the picks: which item, how much was told before a hidden face was seen, the effects
            effects = self.keep_now(self.word(AT["effects"], WORK))
            room = self.keep(add(scaled(effects, 8), const(24)))
            self._record_room(choice, found, at, room)
            behind = self.keep_now(ir.Offset(WORK, at))
            self.set_word(0, item, behind)
            self.set_word(1, self.word(AT["peeked"], WORK), behind)
            self.set_word(2, effects, behind)
            done = ir.Offset(WORK, scaled(self.word(EFFECTS + BASE, WORK), 8))
            self.run("copy", ir.Offset(behind, const(24)), done, effects)
            # the table may have been moved since its first word was written
            self.set_word(add(add(last, ONE), self.word(BEGINS + BASE, WORK)), at, WORK)
            self.set(at, add(at, room))
        self.set_word(AT["used"], at, WORK)

    def _record_room(self, choice: p.Choice, found: ir.Expr, at: ir.Local, size: ir.Expr) -> None:
        """See that so many bytes of a recorded alternative fit behind `at`.

        Every alternative takes a word at least. So where a chunk has as many words as the table of beginnings
        has room for more, that table is looked at only when a chunk is full."""
        with self.when(binary("sgt", add(at, size), self.word(RECORDS + END, WORK)), rare=True):
            self.set(at, self.call("find_room", WORK, const(RECORDS), at, size))
            more = binary("lshr", self.word(RECORDS + SIZE, WORK), const(3))
            entries = self.keep(add(found, more))
            entries = ir.Select(binary("slt", entries, const(MOST)), entries, const(MOST))
            fits = self.has_room(BEGINS, scaled(entries, begin_words(self.logging)))
            with self.when(binary("or", binary("eq", at, ZERO), negate(fits))):
                self.set_word(AT["listing"], ZERO, WORK)
                self.fail(choice, NO_ROOM)

    def _count_up(self, node: p.Node, word: str, more: ir.Expr, most: int, message: str) -> None:
        """What all alternatives hold together is bounded, so the room kept for them is enough."""
        total = self.keep_now(add(self.word(AT[word], WORK), more))
        self.set_word(AT[word], total, WORK)
        with self.when(binary("sgt", total, const(most))):
            self.set_word(AT["listing"], ZERO, WORK)
            self.emit(ir.Return(const(self.faults.number(node, message))))

    def carry_out(
        self, number: int, ask: Ask, index: ir.Expr, status: ir.Local, listed: Listed | None
    ) -> None:
        """Find the item that the alternative belongs to, and do it."""
        if listed is None:
            listed = self.listed_before(number, ask)
        recorded: ir.Expr = ZERO
        bodies: list[tuple[ir.Expr, list[ir.Stmt]]] = []
        runs = {run.start: run for run in self.long_runs(ask)}
        for part in listed:
            run = runs.get(part.items[0]) if isinstance(part, Group) else None
            if isinstance(part, Group) and run is not None:
                with self.block() as body:
                    self._carry_run(number, run, recorded, index, status)
                bodies.append((part.shares[0].start, body))
                here = binary("sub", self.word(ITEMS_AT + run.stop, WORK), part.shares[0].start)
                recorded = self.keep_now(add(recorded, here))
                continue
            if isinstance(part, Group) and any(part.items[0] in run for run in runs.values()):
                continue
            start = part.share.start if isinstance(part, Several) else part.shares[0].start
            with self.block() as body:
                if isinstance(part, Several):
                    self._carry_one_of(number, ask, index, status, part)
                elif self.is_simple(ask.choice.items[part.items[0]]):
                    picked = self._picked(part, ask.choice.items[part.items[0]], index)
                    self._carry_simple(number, part.items[0], picked, status)
                else:
                    self._carry_recorded(
                        number, part.items[0], add(recorded, binary("sub", index, start)), status
                    )
            bodies.append((start, body))
            if isinstance(part, Group) and not self.is_simple(ask.choice.items[part.items[0]]):
                here = binary("sub", self.word(ITEMS_AT + part.items[0] + 1, WORK), start)
                recorded = self.keep_now(add(recorded, here))
        following, chain = bodies.pop()
        for start, body in reversed(bodies):
            chain = [ir.Branch(binary("slt", index, following), tuple(body), tuple(chain))]
            following = start
        self.blocks[-1].extend(chain)

    def _carry_simple(self, number: int, item: int, pick: ir.Expr, status: ir.Local) -> None:
        self.set(status, self.call(f"item_{number}_{item}", STATE, WORK, pick))

    def _carry_one_of(self, number: int, ask: Ask, index: ir.Expr, status: ir.Local, part: Several) -> None:
        """Which group it is can be told before anything is drawn: the one that has a set."""
        items = ask.choice.items
        index = self.keep_now(binary("sub", index, part.share.start))
        pick: ir.Expr = ZERO
        if any(self._picks(items[group[0]]) for group in part.groups):
            pick = self.keep_now(self.nth_of_set(tuple(part.share.mask), index))
        bodies = []
        for group in part.groups:
            with self.block() as body:
                self._carry_simple(number, group[0], pick if self._picks(items[group[0]]) else ZERO, status)
            bodies.append(body)
        chain = bodies.pop()
        for mask, body in reversed(list(zip(part.masks, bodies, strict=True))):
            chain = [ir.Branch(self.has_any(mask), tuple(body), tuple(chain))]
        self.blocks[-1].extend(chain)

    def _carry_run(
        self, number: int, run: range, recorded: ir.Expr, index: ir.Expr, status: ir.Local
    ) -> None:
        """The same for an alternative of a long run: which item it belongs to is looked up."""
        item = self.variable(const(run.start), "item")
        last = const(run.stop - 1)
        before = self.word(add(item, const(ITEMS_AT + 1)), WORK)
        with self.loop(binary("and", binary("slt", item, last), binary("sle", before, index))):
            self.set(item, add(item, ONE))
        start = self.word(ITEMS_AT + run.start, WORK) if run.start else ZERO
        self._take_picks(add(recorded, binary("sub", index, start)))
        self.set(status, self._call_item(number, run, item))

    def _carry_recorded(self, number: int, item: int, k: ir.Expr, status: ir.Local) -> None:
        self._take_picks(k)
        self.set(status, self.call(f"item_{number}_{item}", STATE, WORK))

    def _take_picks(self, k: ir.Expr) -> None:
        """The picks of a recorded alternative, for its item to be carried out with."""
        begin = add(scaled(self.keep_now(k), begin_words(self.logging)), self.word(BEGINS + BASE, WORK))
        at = self.word(begin, WORK)
        base = self.keep(ir.Offset(WORK, at))
        picks = self.keep(self.word(0, base))
        self.set_word(AT["picks"], picks, WORK)
        self.set_word(AT["taken"], ZERO, WORK)
        target = ir.Offset(WORK, const(8 * PICKS_AT))
        self.run("copy", target, ir.Offset(base, const(8)), scaled(picks, 2))

    def _picked(self, group: Group, item: p.Item, index: ir.Expr) -> ir.Expr:
        """The card, or number of a combination, that an alternative of these items stands for."""
        if not self._picks(item):
            return ZERO
        mask = [self.variable(word, "set") for word in group.shares[0].mask]
        start = self.keep_now(group.shares[0].start)
        for share in group.shares[1:]:
            here = self.keep(binary("sge", index, share.start))
            for word, other in zip(mask, share.mask, strict=True):
                self.set(word, ir.Select(here, other, word))
            self.set(start, ir.Select(here, share.start, start))
        return self.keep_now(self.nth_of_set(tuple(mask), self.keep_now(binary("sub", index, start))))

    def _fault(self, status: ir.Expr) -> None:
        self.set_word(self.layout.words["ending"], const(FAILED))
        self.set_word(self.layout.words["fault"], status)
