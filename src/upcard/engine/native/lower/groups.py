"""Lowers lists of collections: a count, then a word per element.

Groups are made one after the other, each with a link to the one before; when all are there the links become
the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, WORK, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.collections import AsSet, Cards, InPlace
from upcard.engine.native.lower.computed_cards import Computing
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.failures import TOO_MANY_GROUPS, TOO_MANY_SUBSETS
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MOST, MOST_GROUPED, MOST_SUBSETS, SUBSETS_A_UNIT


class Grouping(Computing):
    # --- walking -------------------------------------------------------------------------------

    @contextmanager
    def each_collection(self, node: p.Expr, form: p.Node | None = None) -> Iterator[Cards]:
        """Every collection of a list, which `form` counts; where nothing is done meanwhile they need not be
        gathered first."""
        if isinstance(node, p.Each) and self.analysis.safe(node) and form not in self.counts.units:
            with self.each_element(node, node.source, node.binding):
                yield self.cards(node.body)
            return
        base = self.keep(self.lists(node))
        if form is not None:
            self.count_work(form, self.word(0, base))
        with self.counting(ZERO, self.word(0, base)) as i:
            yield self.element(node, self.variable(self.word(add(i, ONE), base), "entry"))

    def lists(self, node: p.Expr) -> ir.Expr:
        if isinstance(node, p.Var) and node.binding.how == "declare":
            return self.declared_array(node.binding)
        if isinstance(node, p.Var):
            known = self.env[node.binding.slot]
            assert isinstance(known, ir.Expr)
            return known
        if isinstance(node, p.Each):
            return self._each(node)
        if isinstance(node, p.Filter):
            return self._filtered(node)
        if isinstance(node, p.Indexed):
            return self._indexed(node)
        if isinstance(node, p.Partition):
            return self._partition(node)
        if isinstance(node, p.Tuples):
            return self._tuples(node)
        if isinstance(node, p.Subsets):
            return self._subsets(node)
        assert isinstance(node, p.Runs)
        return self._runs(node)

    def entry(self, node: p.Node, cards: Cards) -> ir.Expr:
        """The word that stands for a collection in a list; one that is not in memory yet is put there."""
        if isinstance(cards, InPlace):
            return cards.place
        base = self.as_list(node, cards, copy=isinstance(cards, AsSet))
        if not isinstance(base, ir.Local) or base.name not in self.distances:
            base = self.as_list(node, cards, copy=True)  # it lies in the state, not in the workspace
        return self.distance(base)

    def distance(self, base: ir.Expr) -> ir.Expr:
        """How far into the workspace a list lies; kept beside it when it is made."""
        assert isinstance(base, ir.Local)
        return self.distances[base.name]

    # --- groups as they are made ---------------------------------------------------------------

    def _bounded_group(
        self, node: p.Node, size: ir.Expr, chain: ir.Local, count: ir.Local, grouped: ir.Local
    ) -> ir.Local:
        self.set(grouped, add(grouped, size))
        many = binary("or", binary("sge", count, const(MOST)), binary("sgt", grouped, const(MOST_GROUPED)))
        self.fail(node, TOO_MANY_GROUPS, many)
        self.count_work(node, ONE)
        return self._new_group(node, size, chain, count)

    def _new_group(self, node: p.Node, most: ir.Expr, chain: ir.Local, count: ir.Local) -> ir.Local:
        """A list right behind a word: the group before it."""
        link = self.allocate(node, add(const(16), scaled(most, self.layout.card_bytes)))
        self.set_word(0, chain, link)
        made = self.variable(ir.Offset(link, const(8)), "list")
        self.distances[made.name] = self.keep(add(self.distance(link), const(8)))
        self.set_word(0, ZERO, made)
        self.set(chain, self.distance(made))
        self.set(count, add(count, ONE))
        return made

    def _gathered(self, node: p.Node, chain: ir.Local, count: ir.Local) -> ir.Expr:
        """The links become a list, from the last group back."""
        made = self.new_array(node, count)
        self.set_word(0, count, made)
        left = self.variable(count, "left")
        with self.loop(binary("sgt", left, ZERO)):
            self.set_word(left, chain, made)
            self.set(chain, self.word(0, ir.Offset(WORK, binary("sub", chain, const(8)))))
            self.set(left, binary("sub", left, ONE))
        return made

    # --- forms ---------------------------------------------------------------------------------

    def _each(self, node: p.Each) -> ir.Expr:
        source = node.source
        if source.kind is Kind.CARDS:
            inner = self.as_list(node, self.cards(source), copy=True)
            size = self.keep(self.word(0, inner))
        elif source.kind is Kind.LISTS:
            inner = self.keep(self.lists(source))
            size = self.keep(self.word(0, inner))
        else:
            inner = self.keep(self.array(source))
            size = self.keep(self.word(0, inner))
        made = self.new_array(node, size)
        self.count_work(node, size)
        with self.counting(ZERO, size) as i:
            if source.kind is Kind.CARDS:
                self.env[node.binding.slot] = self.variable(self.list_card(inner, i), "card")
            else:
                word = self.variable(self.word(add(i, ONE), inner), "entry")
                self.env[node.binding.slot] = (
                    self.element(source, word) if source.kind is Kind.LISTS else word
                )
            self.push(made, self.keep(self.entry(node, self.cards(node.body))))
        return made

    def _filtered(self, node: p.Filter) -> ir.Expr:
        inner = self.keep(self.lists(node.source))
        size = self.keep(self.word(0, inner))
        made = self.new_array(node, size)
        self.count_work(node, size)
        with self.counting(ZERO, size) as i:
            word = self.variable(self.word(add(i, ONE), inner), "entry")
            self.env[node.binding.slot] = self.element(node.source, word)
            with self.when(self.brief(node.test)):
                self.push(made, word)
        return made

    def _indexed(self, node: p.Indexed) -> ir.Expr:
        table = isinstance(node.owner, p.Table)
        owner = self.keep(self.owner_index(node.owner))
        shelves = self.layout.shelves[table, node.cls]
        name = text_of(node.name)
        made = self.new_array(node, const(256))
        if name is not None:
            start = self.keep(add(const(shelves[name].first), scaled(owner, shelves[name].numbers)))
        else:
            start = self.place_of(p.Location(node.span, node.owner, node.cls, node.name, None))
        with self.counting(ZERO, const(256)) as i:
            place = self.keep(add(start, i))
            with self.when(self.size_of(InPlace(place, None, node.cls == "mem"))):
                self.push(made, place)
        return made

    def _partition(self, node: p.Partition) -> ir.Expr:
        if node.key.span.start < node.parts[0].span.start:
            key = self.keep(self.value(node.key))
            everything = self._concatenated(node, node.parts)
        else:  # older programs write the key last, and operands are evaluated as they are written
            everything = self._concatenated(node, node.parts)
            key = self.keep(self.value(node.key))
        size = self.keep(self.word(0, everything))
        made = self.new_array(node, size)
        values = self.new_array(node, size)
        with self.each_in_list(everything) as card:
            self.look(card)
            value = self.keep(self.attribute(key, card))
            found = self.variable(ZERO, "found")
            groups = self.keep(self.word(0, made))
            with (
                self.counting(ZERO, groups) as i,
                self.when(binary("eq", self.word(add(i, ONE), values), value)),
            ):
                self.set(found, self.word(add(i, ONE), made))
            with self.when(binary("eq", found, ZERO)):
                fresh = self.new_list(node, size)
                self.set(found, self.distance(fresh))
                self.push(made, found)
                self.push(values, value)
            self.append(self.keep(ir.Offset(WORK, found)), card)
        return made

    def _sorted_by_score(
        self, node: p.Node, source: p.Expr, using: p.Expr, count: ir.Expr | None = None
    ) -> tuple[ir.Expr, ir.Expr]:
        """The cards by ascending score, cards of one score in their own order; and the map. How many a tuple
        has is looked at in between: when all operands are there, before the first card is scored."""
        base = self.as_list(node, self.cards(source), copy=True)
        found = self.map_of(using)
        if count is not None:
            self.fail(node, "tuples have at least one card, not {}", binary("slt", count, ONE), count)
        self.count_cards(node, self.word(0, base))
        self.sort_list(node, base, found)
        return base, found

    def _tuples(self, node: p.Tuples) -> ir.Expr:
        count = self.keep(self.value(node.count))
        base, using = self._sorted_by_score(node, node.cards, node.using, count)
        size = self.keep(self.word(0, base))
        chain, groups = self.variable(ZERO, "chain"), self.variable(ZERO, "groups")
        grouped = self.variable(ZERO, "grouped")
        start = self.variable(ZERO, "start")
        chosen = self.new_array(node, size)
        with self.loop(binary("slt", start, size)):
            end = self._end_of_score(node, base, using, start, size)
            have = self.keep(binary("sub", end, start))
            with self.when(binary("sle", count, have)):
                with self.counting(ZERO, count) as i:
                    self.set_word(i, i, chosen)
                with self.loop():
                    made = self._bounded_group(node, count, chain, groups, grouped)
                    with self.counting(ZERO, count) as i:
                        self.append(made, self.list_card(base, add(start, self.word(i, chosen))))
                    # the next way to choose: the last index that can rise does, those behind it follow on
                    at = self.variable(binary("sub", count, ONE), "at")
                    with self.loop(binary("sge", at, ZERO)):
                        room = binary("sub", add(self.word(at, chosen), binary("sub", count, at)), have)
                        with self.when(binary("slt", room, ZERO)):
                            self.emit(ir.Break())
                        self.set(at, binary("sub", at, ONE))
                    with self.when(binary("slt", at, ZERO)):
                        self.emit(ir.Break())
                    value = self.variable(add(self.word(at, chosen), ONE), "value")
                    with self.loop(binary("slt", at, count)):
                        self.set_word(at, value, chosen)
                        self.set(value, add(value, ONE))
                        self.set(at, add(at, ONE))
            self.set(start, end)
        return self._gathered(node, chain, groups)

    def _end_of_score(
        self, node: p.Node, base: ir.Expr, using: ir.Expr, start: ir.Expr, size: ir.Expr
    ) -> ir.Local:
        """Behind the last card that scores like the one at `start`."""
        mine = self.keep(self.score(node, self.keep(self.list_card(base, start)), using))
        end = self.variable(add(start, ONE), "end")
        with self.loop(binary("slt", end, size)):
            other = self.keep(self.list_card(base, end))
            with self.when(binary("ne", self.score(node, other, using), mine)):
                self.emit(ir.Break())
            self.set(end, add(end, ONE))
        return end

    def _subsets(self, node: p.Subsets) -> ir.Expr:
        base = self.as_list(node, self.cards(node.cards), copy=True)
        size = self.keep(self.word(0, base))
        many = binary("sgt", size, const(MOST_SUBSETS))
        self.fail(node, TOO_MANY_SUBSETS, many, size)
        chain, groups = self.variable(ZERO, "chain"), self.variable(ZERO, "groups")
        chosen = self.variable(ONE, "chosen")
        end = self.keep(binary("shl", ONE, size))
        self.count_work(node, binary("udiv", end, const(SUBSETS_A_UNIT)))
        with self.loop(binary("slt", chosen, end)):
            made = self._new_group(node, ir.Unary("popcount", chosen), chain, groups)
            left = self.variable(chosen, "left")
            with self.loop(left):
                self.append(made, self.list_card(base, ir.Unary("ctz", left)))
                self.set(left, binary("and", left, binary("sub", left, ONE)))
            self.set(chosen, add(chosen, ONE))
        return self._gathered(node, chain, groups)

    def _runs(self, node: p.Runs) -> ir.Expr:
        least = self.keep(self.value(node.least))
        base, using = self._sorted_by_score(node, node.cards, node.using)
        size = self.keep(self.word(0, base))
        # where each score's cards begin, and the scores themselves
        starts, values = self.new_array(node, add(size, ONE)), self.new_array(node, add(size, ONE))
        at = self.variable(ZERO, "at")
        with self.loop(binary("slt", at, size)):
            self.push(starts, at)
            self.push(values, self.keep(self.score(node, self.keep(self.list_card(base, at)), using)))
            self.set(at, self._end_of_score(node, base, using, at, size))
        scores = self.keep(self.word(0, starts))
        self.set_word(add(scores, ONE), size, starts)
        chain, groups = self.variable(ZERO, "chain"), self.variable(ZERO, "groups")
        grouped = self.variable(ZERO, "grouped")
        wheel = self.new_array(node, add(size, ONE))
        first = self.variable(ZERO, "first")
        with self.loop(binary("slt", first, scores)):
            last = self.variable(first, "last")
            with self.loop(binary("slt", add(last, ONE), scores)):
                here, after = self.word(add(last, ONE), values), self.word(add(last, const(2)), values)
                with self.when(binary("ne", ir.Binary("sub", after, here), ONE)):
                    self.emit(ir.Break())
                self.set(last, add(last, ONE))
            if node.every:
                with self.counting(first, add(last, ONE)) as low, self.counting(low, add(last, ONE)) as high:
                    self._stretch(node, base, starts, wheel, low, high, least, chain, groups, grouped)
            else:
                self._stretch(node, base, starts, wheel, first, last, least, chain, groups, grouped)
            self.set(first, add(last, ONE))
        return self._gathered(node, chain, groups)

    def _stretch(
        self,
        node: p.Runs,
        base: ir.Expr,
        starts: ir.Expr,
        wheel: ir.Expr,
        low: ir.Expr,
        high: ir.Expr,
        least: ir.Expr,
        chain: ir.Local,
        groups: ir.Local,
        grouped: ir.Local,
    ) -> None:
        """Every way to take one card per score: the last score's card changes fastest."""
        length = self.keep(add(binary("sub", high, low), ONE))
        with self.when(binary("sge", length, least)):
            with self.counting(ZERO, length) as i:
                self.set_word(i, ZERO, wheel)
            with self.loop():
                made = self._bounded_group(node, length, chain, groups, grouped)
                with self.counting(ZERO, length) as i:
                    begin = self.word(add(add(low, i), ONE), starts)
                    self.append(made, self.list_card(base, add(begin, self.word(i, wheel))))
                at = self.variable(binary("sub", length, ONE), "at")
                with self.loop(binary("sge", at, ZERO)):
                    row = self.keep(add(low, at))
                    have = binary(
                        "sub", self.word(add(row, const(2)), starts), self.word(add(row, ONE), starts)
                    )
                    turned = self.variable(add(self.word(at, wheel), ONE), "turned")
                    with self.when(binary("slt", turned, have)):
                        self.set_word(at, turned, wheel)
                        self.emit(ir.Break())
                    self.set_word(at, ZERO, wheel)
                    self.set(at, binary("sub", at, ONE))
                with self.when(binary("slt", at, ZERO)):
                    self.emit(ir.Break())
