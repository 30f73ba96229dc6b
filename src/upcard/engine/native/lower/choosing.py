"""Choices: counting or trying out alternatives, recording them, carrying one out.

A choice lists its items one after the other. Most items need not be tried out: a condition, a set of cards to
pick one of, and actions that cannot fail; their alternatives are counted from the set. Any other item is run
once per alternative on the state as it was, with a script that says which element each `any` takes.
"""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.blocks import (
    EMPTY,
    FAILED,
    NOTED_BYTES,
    Blocks,
    words_for,
)
from upcard.engine.native.lower.builder import (
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    add,
    binary,
    const,
    scaled,
)
from upcard.engine.native.lower.layout import NotLowered
from upcard.engine.native.lower.runtime import (
    AT,
    COUNTS_AT,
    EFFECTS_AT,
    ITEMS_AT,
    MASK_WORDS,
    MASKS_AT,
    MOST_ITEMS,
    PICKS_AT,
    SAVED_AT,
    SCRIPT_AT,
)
from upcard.engine.reference.code import Ask
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import (
    MOST,
    MOST_CARDS_PICKED,
    MOST_PICKS_LISTED,
    TOO_MANY_LISTED,
    TOO_MANY_PICKED,
)
from upcard.recycle.walk import below


class Choosing(Blocks):
    # --- simple items --------------------------------------------------------------------------

    def is_simple(self, item: p.Item) -> bool:
        """Its alternatives can be counted without trying them out (and nobody wants to see them tried)."""
        if self.logging:
            return False
        if isinstance(item, p.When):
            return self.analysis.safe(item.test) and self.is_simple(item.item)
        if isinstance(item, p.ForAny):
            over_cards = item.source.kind is Kind.CARDS and each_once(item.source)
            return over_cards and self.analysis.safe(item.source) and self.is_certain(item.item)
        return self.is_certain(item)

    def is_certain(self, item: p.Item) -> bool:
        """It does at least one action, whatever happens, and cannot fail."""
        return self._harmless(item) and self._acts(item)

    def _acts(self, item: p.Item) -> bool:
        if isinstance(item, p.Do):
            return any(self._acts(inner) for inner in item.items)
        return isinstance(item, p.Action)

    def _harmless(self, item: p.Item) -> bool:
        if isinstance(item, p.Do):
            return all(self._harmless(inner) for inner in item.items)
        if isinstance(item, p.When):
            return self.analysis.safe(item.test) and self._harmless(item.item)
        if isinstance(item, p.Move):
            picked = isinstance(item.card, p.Var) and item.card.binding.how == "each"
            place = item.place.cards if isinstance(item.place, p.EndCard) else None
            into = isinstance(place, p.Location) and place.cls != "mem"
            return picked and into and self.analysis.safe(item.place)
        if isinstance(item, p.SetInt | p.SetStr):
            return self.analysis.safe(item.store) and self.analysis.safe(item.value)
        if isinstance(item, p.Cycle):
            return self.analysis.safe(item.player)
        return isinstance(item, p.Pass)

    def _mask(self, item: p.Item, words: list[ir.Local]) -> None:
        """The set that a simple item picks from; one bit for an item without a pick."""
        if isinstance(item, p.When):
            with self.when(self.value(item.test)):
                self._mask(item.item, words)
        elif isinstance(item, p.ForAny):
            for word, value in zip(words, self.set_of(self.cards(item.source)), strict=True):
                self.set(word, value)
        else:
            self.set(words[0], ONE)

    def _simple_site(self, item: p.Item) -> int | None:
        while isinstance(item, p.When):
            item = item.item
        return item.site if isinstance(item, p.ForAny) else None

    # --- listing and carrying out --------------------------------------------------------------

    def write_choice(self, number: int, ask: Ask) -> None:
        """list_N and one function per item."""
        choice = ask.choice
        if len(choice.items) >= MOST_ITEMS:
            raise NotLowered(choice, f"the native engine takes choices of up to {MOST_ITEMS - 1} items")
        depths = self.depths[number]
        bound = self._lets_before(number)
        self.chancy = any(isinstance(n, p.Shuffle | p.Random | p.BestCard) for n in below(choice))
        for i, item in enumerate(choice.items):
            self.begin(depths, bound, fresh=False)
            self.counting_actions = True
            self.item(item)
            self.counting_actions = False
            self.emit(ir.Return(ZERO))
            self.function(f"item_{number}_{i}", (STATE, WORK))
        self.begin(depths, bound)
        total = self.variable(ZERO, "total")
        self.set_word(AT["seeded"], ZERO, WORK)
        if self.chancy:
            self.run("seed_listing", STATE, WORK)
        start = self.keep_now(self.word(AT["top"], WORK))
        for name in ("alternatives", "listed", "grouped", "noted"):
            self.set_word(AT[name], ZERO, WORK)
        self.set_word(AT["used"], const(self.offsets_at * 8 + 16 * (MOST + 2)), WORK)
        saved = any(not self.is_simple(item) for item in choice.items)
        if saved:
            self.run("copy", ir.Offset(WORK, const(8 * SAVED_AT)), STATE, const(self.layout.size // 8))
        for i, item in enumerate(choice.items):
            self.set_word(ITEMS_AT + i, total, WORK)
            if self.is_simple(item):
                words = [self.variable(ZERO, "set") for _ in range(self.layout.set_words)]
                self._mask(item, words)
                for w, word in enumerate(words):
                    self.set_word(MASKS_AT + i * MASK_WORDS + w, word, WORK)
                self.set(total, add(total, self.count_set(tuple(words))))
            else:
                self._unfold(choice, number, i, total, start)
        self.set_word(ITEMS_AT + len(choice.items), total, WORK)
        self.fail(choice, f"a decision has at most {MOST:,} alternatives", binary("sgt", total, const(MOST)))
        self.set_word(self.layout.words["choices"], total)
        self.fail(choice, "there is nothing to choose from", binary("eq", total, ZERO))
        self.emit(ir.Return(ZERO))
        self.function(f"list_{number}", (STATE, WORK))

    def _unfold(self, choice: p.Choice, number: int, i: int, total: ir.Local, start: ir.Expr) -> None:
        """Run the item once per script, each time on the state as it was.

        The first any forms of a run take the elements they had in the run before, but for the last of them.
        What was drawn before that one is drawn again from the stream as it was; the rest goes on from where
        the listing's stream is now, as if nothing had been run twice.
        """
        saved = ir.Offset(WORK, const(8 * SAVED_AT))
        words = const(self.layout.size // 8)
        self.set_word(AT["listing"], ONE, WORK)
        self.set_word(AT["script"], ZERO, WORK)
        with self.loop():
            for name in ("depth", "picks", "done", "effects"):
                self.set_word(AT[name], ZERO, WORK)
            self.set_word(AT["peeked"], MINUS, WORK)
            self.set_word(AT["top"], start, WORK)
            if self.chancy:
                self.set_word(AT["replayed"], self.word(AT["script"], WORK), WORK)
                self.change_streams(ZERO)
            status = self.variable(self.call(f"item_{number}_{i}", STATE, WORK), "status")
            self.run("copy", STATE, saved, words)
            with self.when(status):
                self.set_word(AT["listing"], ZERO, WORK)
                self.emit(ir.Return(status))
            with self.when(self.word(AT["done"], WORK)):
                over = binary("sge", total, const(MOST))
                fault = self.faults.number(choice, f"a decision has at most {MOST:,} alternatives")
                with self.when(over):
                    self.set_word(AT["listing"], ZERO, WORK)
                    self.emit(ir.Return(const(fault)))
                self._record(choice, number, i)
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

    def _record(self, choice: p.Choice, number: int, i: int) -> None:
        """Keep the picks of this run; lists that were picked are copied, since the arena is used again."""
        found = self.keep_now(self.word(AT["alternatives"], WORK))
        at = self.variable(self.word(AT["used"], WORK), "at")
        self.set_word(add(found, const(self.offsets_at)), at, WORK)
        self.set_word(AT["alternatives"], add(found, ONE), WORK)
        picks = self.keep_now(self.word(AT["picks"], WORK))
        self._count_up(choice, "listed", picks, MOST_PICKS_LISTED, TOO_MANY_LISTED)
        if self.logging:
            words = self.keep(add(self.word(AT["effects"], WORK), const(3)))
            message = "the alternatives of a decision do more than the native engine can note"
            self._count_up(choice, "noted", words, NOTED_BYTES // 8, message)
        base = self.keep(ir.Offset(WORK, at))
        self.set_word(0, picks, base)
        self.set(at, add(at, add(const(8), scaled(picks, 16))))
        lists = [n for n in below(choice.items[i]) if isinstance(n, p.ForAny) and self._picks_lists(n)]
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
                    self.run("copy", ir.Offset(WORK, at), old, size)
                    self.set(value, at)
                    self.set(at, add(at, scaled(size, 8)))
            target = self.keep(add(scaled(k, 2), ONE))
            self.set_word(target, site, base)
            self.set_word(add(target, ONE), value, base)
        if self.logging:
            # behind the picks: which item, how much was told before a hidden face was seen, the effects
            effects = self.keep_now(self.word(AT["effects"], WORK))
            behind = self.keep(ir.Offset(WORK, at))
            self.set_word(0, const(i), behind)
            self.set_word(1, self.word(AT["peeked"], WORK), behind)
            self.set_word(2, effects, behind)
            self.run("copy", ir.Offset(behind, const(24)), ir.Offset(WORK, const(8 * EFFECTS_AT)), effects)
            self.set_word(add(found, const(self.offsets_at + MOST + 2)), at, WORK)
            self.set(at, add(at, add(scaled(effects, 8), const(24))))
        self.set_word(AT["used"], at, WORK)

    def _count_up(self, choice: p.Choice, word: str, more: ir.Expr, most: int, message: str) -> None:
        """What all alternatives hold together is bounded, so the room kept for them is enough."""
        total = self.keep_now(add(self.word(AT[word], WORK), more))
        self.set_word(AT[word], total, WORK)
        with self.when(binary("sgt", total, const(most))):
            self.set_word(AT["listing"], ZERO, WORK)
            self.emit(ir.Return(const(self.faults.number(choice, message))))

    def write_apply(self) -> None:
        """apply(S, W, index): close the decision, carry the alternative out, go on behind the choice."""
        index = ir.Local("index", "int")
        words = self.layout.words
        pc = self.keep_now(self.word(words["pc"]))
        self.set_word(words["steps"], ZERO)
        self.set_word(words["decisions"], add(self.word(words["decisions"]), ONE))
        self.set_word(AT["top"], const(self.arena_at), WORK)
        self.set_word(AT["taken"], ZERO, WORK)
        status = self.variable(ZERO, "status")
        for number, ask in self.asks:
            with self.when(binary("eq", pc, const(number))):
                self._apply_one(number, ask, index, status)
        with self.when(status):
            self._fault(status)
            self.emit(ir.Return(ZERO))
        self.set_word(words["pc"], add(pc, ONE))
        self.emit(ir.Return(ZERO))
        self.function("apply", (STATE, WORK, index), exported=True)

    def _apply_one(self, number: int, ask: Ask, index: ir.Expr, status: ir.Local) -> None:
        recorded: ir.Expr = ZERO
        for i, item in enumerate(ask.choice.items):
            first, after = self.word(ITEMS_AT + i, WORK), self.word(ITEMS_AT + i + 1, WORK)
            mine = binary("and", binary("sge", index, first), binary("slt", index, after))
            with self.when(mine):
                k = self.keep_now(binary("sub", index, first))
                if self.is_simple(item):
                    site = self._simple_site(item)
                    self.set_word(AT["picks"], const(0 if site is None else 1), WORK)
                    if site is not None:
                        mask = tuple(
                            self.word(MASKS_AT + i * MASK_WORDS + w, WORK)
                            for w in range(self.layout.set_words)
                        )
                        card = self.keep(self.nth_of_set(mask, k))
                        self.set_word(PICKS_AT, const(site), WORK)
                        self.set_word(PICKS_AT + 1, card, WORK)
                else:
                    at = self.word(add(add(recorded, k), const(self.offsets_at)), WORK)
                    base = self.keep(ir.Offset(WORK, at))
                    picks = self.keep(self.word(0, base))
                    self.set_word(AT["picks"], picks, WORK)
                    target = ir.Offset(WORK, const(8 * PICKS_AT))
                    self.run("copy", target, ir.Offset(base, const(8)), scaled(picks, 2))
                self.set(status, self.call(f"item_{number}_{i}", STATE, WORK))
            if not self.is_simple(item):
                recorded = self.keep_now(add(recorded, binary("sub", after, first)))

    def _fault(self, status: ir.Expr) -> None:
        self.set_word(self.layout.words["ending"], const(FAILED))
        self.set_word(self.layout.words["fault"], status)
