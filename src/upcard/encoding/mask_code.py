"""Machine code that marks which actions are possible, and finds the alternative that an action stands for.

Both read what the listing of a decision left in the workspace: a set for each item whose alternatives are
counted, and the recorded alternatives of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upcard.encoding.action_plan import ActionPlan, CountedItem, RecordedItem
from upcard.encoding.byte_code import OUT, ByteCode
from upcard.encoding.content import Content
from upcard.engine.native import ir
from upcard.engine.native.lower import Lowered
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
from upcard.engine.native.lower.runtime import ITEMS_AT, MASK_WORDS, MASKS_AT, WATCHED_AT

ACTION, CHANCE, INDEX = ir.Local("action", "int"), ir.Local("chance", "int"), ir.Local("index", "int")


@dataclass(frozen=True)
class Run:
    """Bits of a counted item whose actions have numbers in a row."""

    item: CountedItem
    first_bit: int
    count: int

    @property
    def number(self) -> int:
        return self.item.numbers[self.first_bit]


class MaskCode(ByteCode):
    """Writes the functions `mask(state, work, out)`, `index_of_action(state, work, action, chance)` and
    `action_of_index(state, work, index)`."""

    def __init__(
        self, module: ir.Module, lowered: Lowered, content: Content, plan: ActionPlan, actions: int
    ) -> None:
        super().__init__(module, actions)
        self.lowered, self.layout, self.content = lowered, lowered.layout, content
        self.plan = plan
        self.tables = self.b.data("action_tables", plan.tables)
        self.nothing_hidden = self.b.data("nothing_hidden", [0] * MASK_WORDS)

    # --- functions -----------------------------------------------------------------------------

    def write_mask(self) -> None:
        b = self.b
        blocks = []
        for step in self.plan.choices:
            with b.block() as body:
                self._mark(step)
                b.emit(ir.Return(b.word(self.layout.words["choices"])))
            blocks.append(tuple(body))
        with b.block() as body:
            self.clear(0, self.size)
            b.emit(ir.Return(ZERO))
        blocks.append(tuple(body))
        self._dispatch(blocks)
        self.finish("mask", (STATE, WORK, OUT))

    def write_index(self) -> None:
        b = self.b
        blocks = []
        for step in self.plan.choices:
            with b.block() as body:
                self._find(step)
                b.emit(ir.Return(MINUS))
            blocks.append(tuple(body))
        blocks.append((ir.Return(MINUS),))
        self._dispatch(blocks)
        self.finish("index_of_action", (STATE, WORK, ACTION, CHANCE))

    def write_action(self) -> None:
        b = self.b
        blocks = []
        for step in self.plan.choices:
            with b.block() as body:
                self._name(step)
                b.emit(ir.Return(MINUS))
            blocks.append(tuple(body))
        blocks.append((ir.Return(MINUS),))
        self._dispatch(blocks)
        self.finish("action_of_index", (STATE, WORK, INDEX))

    def _dispatch(self, blocks: list[tuple[ir.Stmt, ...]]) -> None:
        """To the block of the open choice, or to the last one when the game is over."""
        b, over = self.b, len(blocks) - 1
        steps = {step: number for number, step in enumerate(self.plan.choices)}
        table = b.data("choice_at", (steps.get(pc, over) for pc in range(len(self.content.code) + 1)))
        here = ir.Load("i64", table, b.word(self.layout.words["pc"]))
        running = binary("eq", b.word(self.layout.words["ending"]), ZERO)
        start = b.snapshot(ir.Select(running, here, const(over)))
        b.emit(ir.Steps(start, tuple(blocks), tuple(range(len(blocks)))))

    # --- what is listed ------------------------------------------------------------------------

    def _set(self, item: int) -> list[ir.Expr]:
        """The set that a counted item picks from."""
        at = MASKS_AT + item * MASK_WORDS
        return [self.b.keep(self.b.word(at + word, WORK)) for word in range(self.layout.set_words)]

    def _first(self, item: int) -> ir.Expr:
        """How many alternatives come before an item's."""
        return self.b.word(ITEMS_AT + item, WORK) if item else ZERO

    def _count(self, item: int) -> ir.Expr:
        return binary("sub", self.b.word(ITEMS_AT + item + 1, WORK), self._first(item))

    def _seen(self, step: int) -> list[ir.Expr]:
        """The cards that the chooser sees."""
        b, layout = self.b, self.layout
        chooser = b.keep(b.word(layout.words["seat_index"] + self.lowered.depths[step].seat))
        rows = [
            [n for n, place in enumerate(layout.places) if place.seen_by(seat) and place.cls != "mem"]
            for seat in range(layout.seats)
        ]
        most = max(map(len, rows))
        table = b.data("places_seen", (n for row in rows for n in row + [-1] * (most - len(row))))
        words = [b.variable(ZERO, "seen") for _ in range(layout.set_words)]
        row_at = b.keep(scaled(chooser, most))
        with b.each_index(ZERO, const(most)) as n:
            place = b.keep(ir.Load("i64", table, add(row_at, n)))
            with b.when(binary("sge", place, ZERO)):
                for w, word in enumerate(words):
                    at = add(scaled(place, layout.set_words), const(layout.sets_at // 8 + w))
                    b.set(word, binary("or", word, b.word(at, kind="set")))
        return list(words)

    def _hides(self, step: int) -> bool:
        return any(
            item.hidden_number >= 0 if isinstance(item, CountedItem) else item.may_hide
            for item in self.plan.choices[step]
        )

    def _hidden(self, step: int, recorded: bool) -> tuple[list[ir.Expr], ir.Expr]:
        """The cards that the chooser does not see, as words and in memory, where a choice may offer them."""
        b = self.b
        if not self._hides(step):
            return [], self.nothing_hidden
        hidden = [b.keep(ir.Unary("not", word)) for word in self._seen(step)]
        for w, word in enumerate(hidden if recorded else []):
            b.set_word(WATCHED_AT + w, word, WORK)
        return hidden, ir.Offset(WORK, const(8 * WATCHED_AT))

    # --- marking -------------------------------------------------------------------------------

    def _mark(self, step: int) -> None:
        b = self.b
        items = self.plan.choices[step]
        hidden, hidden_at = self._hidden(step, any(isinstance(item, RecordedItem) for item in items))
        counted = [item for item in items if isinstance(item, CountedItem)]
        runs, single = _runs(counted)
        sets = {item.item: self._set(item.item) for item in counted}
        cursor = 0
        for run in runs:
            self.clear(cursor, run.number)
            self._spread(run, sets[run.item.item], hidden if run.item.hidden_number >= 0 else [])
            cursor = run.number + run.count
        self.clear(cursor, self.size)
        for item, bit in single:
            word = binary("lshr", sets[item.item][bit // 64], const(bit % 64))
            with b.when(binary("and", word, ONE)):
                self.store(const(item.numbers[bit]), ONE)
        for item in counted:
            if item.hidden_number >= 0:
                picked = [binary("and", word, out) for word, out in zip(sets[item.item], hidden, strict=True)]
                self.store(const(item.hidden_number), binary("ne", _united(picked), ZERO))
        slot: ir.Expr = ZERO
        before: ir.Expr = ZERO
        for entry in items:
            if isinstance(entry, RecordedItem):
                count = b.keep(self._count(entry.item))
                where = hidden_at if entry.may_hide else self.nothing_hidden
                root = const(entry.root)
                given = self.tables, WORK, where, root, before, count, slot, OUT
                slot = b.snapshot(b.call("mark_recorded", *given))
                before = b.keep(add(before, count))

    def _spread(self, run: Run, words: list[ir.Expr], hidden: list[ir.Expr]) -> None:
        """The bytes of a run, as many at once as lie in one word of its set."""
        done = 0
        while done < run.count:
            word, shift = divmod(run.first_bit + done, 64)
            count = min(64 - shift, run.count - done)
            value = words[word]
            if hidden:
                value = binary("and", value, ir.Unary("not", hidden[word]))
            if shift:
                value = binary("lshr", value, const(shift))
            self.spread(run.number + done, count, (value, ONE))
            done += count

    # --- finding -------------------------------------------------------------------------------

    def _find(self, step: int) -> None:
        b = self.b
        items = self.plan.choices[step]
        hidden, hidden_at = self._hidden(step, any(isinstance(item, RecordedItem) for item in items))
        slot: ir.Expr = ZERO
        before: ir.Expr = ZERO
        for entry in items:
            if isinstance(entry, CountedItem):
                self._find_counted(entry, hidden)
                continue
            count = b.keep(self._count(entry.item))
            where = hidden_at if entry.may_hide else self.nothing_hidden
            here = self.tables, WORK, where, const(entry.root), before
            equals = b.snapshot(b.call("count_recorded", *here, count, slot, ACTION))
            with b.when(equals):
                chosen = b.keep(ir.Binary("umulh", CHANCE, equals))
                found = b.call("nth_recorded", *here, slot, ACTION, chosen)
                b.emit(ir.Return(add(self._first(entry.item), found)))
            slot = b.snapshot(b.call("slots_taken", *here, count, slot))
            before = b.keep(add(before, count))

    def _find_counted(self, item: CountedItem, hidden: list[ir.Expr]) -> None:
        b = self.b
        known = {number: bit for bit, number in reversed([*enumerate(item.numbers)]) if number >= 0}
        if not known:
            return
        low, high = min(known), max(known)
        inside = binary("ule", binary("sub", ACTION, const(low)), const(high - low))
        with b.when(inside):
            words = self._set(item.item)
            bits = [known.get(number, -1) for number in range(low, high + 1)]
            in_row = bits == list(range(bits[0], bits[0] + len(bits)))
            at = binary("sub", ACTION, const(low))
            if in_row:
                bit = b.keep(add(at, const(bits[0])))
            else:
                bit = b.keep(ir.Load("i64", b.data(f"bits_{low}_{len(b.module.data)}", bits), at))
            if item.hidden_number >= 0:
                seen = [
                    binary("and", word, ir.Unary("not", out)) for word, out in zip(words, hidden, strict=True)
                ]
            else:
                seen = words
            with b.when(binary("sge", bit, ZERO)):
                for w in range(len(words)):
                    mine = binary("eq", binary("lshr", bit, const(6)), const(w)) if len(words) > 1 else ONE
                    place = b.keep(binary("and", bit, const(63)))
                    with b.when(mine), b.when(binary("and", binary("lshr", seen[w], place), ONE)):
                        b.emit(ir.Return(self._index(item.item, words, w, place)))
        if item.hidden_number >= 0:
            with b.when(binary("eq", ACTION, const(item.hidden_number))):
                words = self._set(item.item)
                self._find_hidden(item.item, words, hidden)

    def _index(self, item: int, words: list[ir.Expr], w: int, place: ir.Expr) -> ir.Expr:
        """The index of an item's alternative, from its bit in a word of its set."""
        below = binary("and", words[w], binary("sub", binary("shl", ONE, place), ONE))
        index = add(self._first(item), ir.Unary("popcount", below))
        for word in words[:w]:
            index = add(index, ir.Unary("popcount", word))
        return index

    def _find_hidden(self, item: int, words: list[ir.Expr], hidden: list[ir.Expr]) -> None:
        """One of the cards that the chooser does not see, by chance."""
        b = self.b
        unseen = [b.keep(binary("and", word, out)) for word, out in zip(words, hidden, strict=True)]
        total: ir.Expr = ZERO
        for word in unseen:
            total = add(total, ir.Unary("popcount", word))
        left = b.variable(ir.Binary("umulh", CHANCE, b.keep(total)), "left")
        for w, word in enumerate(unseen):
            here = b.keep(ir.Unary("popcount", word))
            with b.when(binary("slt", left, here)):
                b.emit(ir.Return(self._index(item, words, w, b.keep(ir.Binary("nth_bit", word, left)))))
            b.set(left, binary("sub", left, here))

    # --- naming --------------------------------------------------------------------------------

    def _name(self, step: int) -> None:
        """Returns the number of the alternative of an index."""
        b = self.b
        items = self.plan.choices[step]
        hidden, hidden_at = self._hidden(step, any(isinstance(item, RecordedItem) for item in items))
        slot: ir.Expr = ZERO
        before: ir.Expr = ZERO
        for entry in items:
            first = b.keep(self._first(entry.item))
            count = b.keep(self._count(entry.item))
            mine = binary("slt", INDEX, add(first, count))
            if isinstance(entry, CountedItem):
                with b.when(mine):
                    self._name_counted(entry, hidden, binary("sub", INDEX, first))
                continue
            where = hidden_at if entry.may_hide else self.nothing_hidden
            given = self.tables, WORK, where, const(entry.root)
            with b.when(mine):
                k = b.keep(binary("sub", INDEX, first))
                taken = b.keep(b.call("slots_taken", *given, before, k, slot))
                b.emit(ir.Return(b.call("number_of_recorded", *given, add(before, k), taken)))
            slot = b.snapshot(b.call("slots_taken", *given, before, count, slot))
            before = b.keep(add(before, count))

    def _name_counted(self, item: CountedItem, hidden: list[ir.Expr], k: ir.Expr) -> None:
        """The number of the k-th alternative of an item."""
        b = self.b
        numbers = b.data(f"numbers_{len(b.module.data)}", item.numbers)
        left = b.variable(k, "left")
        for w, word in enumerate(self._set(item.item)):
            here = b.keep(ir.Unary("popcount", word))
            with b.when(binary("slt", left, here)):
                bit = b.keep(ir.Binary("nth_bit", word, left))
                if item.hidden_number >= 0:
                    with b.when(binary("and", binary("lshr", hidden[w], bit), ONE)):
                        b.emit(ir.Return(const(item.hidden_number)))
                b.emit(ir.Return(ir.Load("i64", numbers, add(bit, const(64 * w)))))
            b.set(left, binary("sub", left, here))


def _united(words: Sequence[ir.Expr]) -> ir.Expr:
    united: ir.Expr = ZERO
    for word in words:
        united = binary("or", united, word)
    return united


def _runs(items: Sequence[CountedItem]) -> tuple[list[Run], list[tuple[CountedItem, int]]]:
    """Bits whose actions have numbers in a row, by number; and all other bits."""
    runs: list[Run] = []
    single: list[tuple[CountedItem, int]] = []
    taken: set[int] = set()
    for item in items:
        numbers, bit = item.numbers, 0
        while bit < len(numbers):
            count = 1
            while bit + count < len(numbers) and numbers[bit + count] == numbers[bit] + count:
                count += 1
            covered = range(numbers[bit], numbers[bit] + count)
            if numbers[bit] >= 0:
                if taken.isdisjoint(covered):
                    runs.append(Run(item, bit, count))
                    taken.update(covered)
                else:
                    single += [(item, bit + n) for n in range(count)]
            bit += count
    return sorted(runs, key=lambda run: run.number), single
