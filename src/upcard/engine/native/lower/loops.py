"""Lowers loops over collections, and conditions on a card as sets of cards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.builder import (
    ONE,
    ZERO,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.scores import Scoring
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.failures import TOO_MANY_NUMBERS
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MOST
from upcard.recycle.walk import below


class Looping(Scoring):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._values |= {
            p.Size: self._size,
            p.SumOver: self._sum_over,
            p.Quantified: self._quantified,
        }

    # --- loops over anything -------------------------------------------------------------------

    @contextmanager
    def each_element(
        self,
        node: p.Node,
        source: p.Expr,
        binding: p.Binding,
        in_order: bool = True,
        stays: bool = True,
    ) -> Iterator[None]:
        """The elements of a collection of any kind, for a form that counts them; inside, the variable stands
        for the element."""
        if source.kind is Kind.CARDS:
            with self.each_card(source, in_order, stays, node) as card:
                self.env[binding.slot] = card
                yield
            return
        if source.kind is Kind.LISTS:
            with self.each_collection(source, node) as collection:
                self.env[binding.slot] = collection
                yield
            return
        with self.each_scalar(source, node) as value:
            self.env[binding.slot] = value
            yield

    @contextmanager
    def counting(self, low: ir.Expr, high: ir.Expr) -> Iterator[ir.Local]:
        """low <= i < high"""
        next_one = self.variable(low, "i")
        end = self.keep(high)
        with self.loop(binary("slt", next_one, end)):
            i = self.variable(next_one, "n")
            self.set(next_one, add(next_one, ONE))
            yield i

    @contextmanager
    def each_scalar(self, source: p.Expr, node: p.Node) -> Iterator[ir.Expr]:
        if isinstance(source, p.Players | p.Teams):
            words = self.layout.words
            players = isinstance(source, p.Players)
            end = const(self.layout.seats) if players else self.team_count()
            skip = None
            if source.others:
                here = self.seat("current") if players else self.word(words["team_index"] + self.team_depth)
                skip = self.keep(here)
            if not self.before_teams or players:  # there are no teams yet
                self.count_work(node, binary("sub", end, const(int(source.others))))
            with self.counting(ZERO, end) as i:
                if skip is None:
                    yield i
                else:
                    with self.when(binary("ne", i, skip)):
                        yield i
            return
        if isinstance(source, p.Members):
            team = self.keep(self.value(source.team))
            with self._each_member(source, team, node) as member:
                yield member
            return
        if isinstance(source, p.Range):
            low, high = self.keep(self.value(source.low)), self.keep(self.value(source.high))
            self._check_range(source, low, high)
            with self.when(binary("sge", high, low)):
                size = self.keep(add(binary("sub", high, low), ONE))
                self.count_work(node, size)
                with self.counting(ZERO, size) as i:
                    yield self.variable(add(low, i), "number")
            return
        base = self.array(source)
        self.count_work(node, self.word(0, base))
        with self.counting(ZERO, self.word(0, base)) as i:
            yield self.variable(self.word(add(i, ONE), base), "element")

    def range_size(self, source: p.Range, low: ir.Expr, high: ir.Expr) -> ir.Expr:
        """How many numbers a range has."""
        self._check_range(source, low, high)
        return ir.If(binary("sge", high, low), add(binary("sub", high, low), ONE), ZERO)

    def _check_range(self, source: p.Range, low: ir.Expr, high: ir.Expr) -> None:
        wide = binary("uge", ir.Binary("sub", high, low), const(MOST))
        self.fail(source, TOO_MANY_NUMBERS, binary("and", binary("sge", high, low), wide))

    @contextmanager
    def _each_member(self, source: p.Members, team: ir.Expr, node: p.Node) -> Iterator[ir.Expr]:
        seats, words, known = self.layout.seats, self.layout.words, self.known_teams
        if known is not None:
            size = self.in_table("team_sizes", [len(members) for members in known], team)
            row = self.keep(scaled(team, seats))
            table = [seat for members in known for seat in [*members, *[0] * (seats - len(members))]]
            self.count_work(node, size)
            with self.counting(ZERO, size) as i:
                yield self.variable(self.in_table("team_members", table, add(row, i)), "member")
            return
        gone = binary("uge", team, self.team_count())
        self.fail(source, "this team is gone: the teams were made anew", gone)
        size = self.word(add(team, const(words["team_size"])))
        row = self.keep(add(scaled(team, seats), const(words["members"])))
        self.count_work(node, size)
        with self.counting(ZERO, size) as i:
            yield self.variable(self.word(add(row, i)), "member")

    def array(self, source: p.Expr) -> ir.Expr:
        """A list of scalars in memory: a count, then a word each."""
        if isinstance(source, p.Names | p.Numbers):
            values = (
                [self.layout.strings[text] for text in source.texts]
                if isinstance(source, p.Names)
                else list(source.values)
            )
            return self.data_array(values)
        if isinstance(source, p.Var):
            if source.binding.how == "declare":
                return self.declared_array(source.binding)
            known = self.env[source.binding.slot]
            assert isinstance(known, ir.Expr)
            assert known.type == "ptr"
            return known
        if isinstance(source, p.Filter):
            inner = self.keep(self.array(source.source))
            made = self.new_array(source, self.word(0, inner))
            self.count_work(source, self.word(0, inner))
            with self.counting(ZERO, self.word(0, inner)) as i:
                element = self.variable(self.word(add(i, ONE), inner), "element")
                self.env[source.binding.slot] = element
                with self.when(self.brief(source.test)):
                    self.push(made, element)
            return made
        if isinstance(source, p.Range):
            low, high = self.keep(self.value(source.low)), self.keep(self.value(source.high))
            size = self.keep(self.range_size(source, low, high))
            self.count_cards(source, size)
            made = self.new_array(source, size)
            with self.counting(ZERO, size) as i:
                self.push(made, add(low, i))
            return made
        made = self.new_array(source, const(self.layout.seats))
        with self.each_scalar(source, source) as found:
            self.push(made, found)
        return made

    def new_array(self, node: p.Node, most: ir.Expr) -> ir.Local:
        made = self.allocate(node, add(const(8), scaled(most, 8)))
        self.set_word(0, ZERO, made)
        return made

    def push(self, base: ir.Expr, value: ir.Expr) -> None:
        count = self.variable(self.word(0, base), "count")
        self.set_word(add(count, ONE), value, base)
        self.set_word(0, add(count, ONE), base)

    def count_elements(self, source: p.Expr) -> ir.Expr:
        """How many, or for a filter at most how many when only room is wanted."""
        if isinstance(source, p.Filter):
            total = self.variable(ZERO, "total")
            with self.each_element(source, source.source, source.binding), self.when(self.brief(source.test)):
                self.set(total, add(total, ONE))
            return total
        if isinstance(source, p.Names):
            return const(len(source.texts))
        if isinstance(source, p.Numbers):
            return const(len(source.values))
        if isinstance(source, p.Var):
            return self.word(0, self.array(source))
        total = self.variable(ZERO, "total")
        with self.each_scalar(source, source):
            self.set(total, add(total, ONE))
        return total

    def _sum_over(self, node: p.SumOver) -> ir.Expr:
        total = self.variable(ZERO, "total")
        with self.each_element(node, node.source, node.binding):
            amount = self.brief(node.store)
            self.fail(node, "the result does not fit in 64 bits", ir.Binary("sadd_over", total, amount))
            self.set(total, add(total, amount))
        return total

    def _quantified(self, node: p.Quantified) -> ir.Expr:
        if node.source.kind is Kind.CARDS and each_once(node.source):
            chosen = self.predicate(node.test, node.binding)
            if chosen is not None:
                words = self.counted_set(node, self.set_from(node.source))
                hit: ir.Expr = ZERO
                for word, mask in zip(words, chosen, strict=True):
                    wanted = ir.Unary("not", mask) if node.every else mask
                    hit = binary("or", hit, binary("and", word, wanted))
                return binary("eq" if node.every else "ne", hit, ZERO)
        result = self.variable(const(int(node.every)), "decided")
        if isinstance(node.source, p.Players | p.Teams) and self.is_quick(node.test):
            # cheaper to ask them all than to guess who decides it
            with self.each_element(node, node.source, node.binding):
                self.set(result, binary("and" if node.every else "or", result, self.value(node.test)))
            return result
        with self.each_element(node, node.source, node.binding, in_order=not self.analysis.safe(node.test)):
            test = self.brief(node.test)
            with self.when(negate(test) if node.every else test):
                self.set(result, const(int(not node.every)))
                self.emit(ir.Break())
        return result

    def counted_set(self, node: p.Node, words: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
        """The cards that a form goes through, as a set; the form counts them."""
        if node in self.counts.units:
            words = tuple(self.keep(word) for word in words)
            self.count_work(node, self.count_set(words))
        return words

    def is_quick(self, test: p.Expr) -> bool:
        """A few loads and comparisons for a few seats, without loops."""
        slow = (p.Quantified, p.Combination, p.SumOver, p.Score, p.Sort)
        inner = list(below(test))
        few = len(inner) <= 20 and self.layout.seats <= 8
        if not few or not self.analysis.safe(test) or any(isinstance(node, slow) for node in inner):
            return False
        return all(self.is_predicate(n.test, n.binding) for n in inner if isinstance(n, p.Filter))

    def _size(self, node: p.Size) -> ir.Expr:
        of = node.of
        if of.kind is Kind.CARDS:
            if each_once(of):
                return self.keep(self.count_set(self.set_from(of)))
            return self.keep(self.size_of(self.cards(of)))
        if of.kind is Kind.LISTS:
            return self.keep(self.word(0, self.lists(of)))
        return self.keep(self.count_elements(of))

    # --- predicates as sets --------------------------------------------------------------------

    def predicate(self, test: p.Expr, binding: p.Binding) -> tuple[ir.Expr, ...] | None:
        """The cards for which a condition on a card variable holds; None where sets cannot say it."""
        return self._predicate(test, binding) if self.is_predicate(test, binding) else None

    def is_predicate(self, test: p.Expr, binding: p.Binding) -> bool:
        return self.analysis.safe(test) and not self.noting_looks and self._is_predicate(test, binding)

    def _is_predicate(self, test: p.Expr, binding: p.Binding) -> bool:
        """Asked before anything is written: tests nest, and code written in vain would double each time."""
        if not self.analysis.mentions(test, binding):
            return True
        if isinstance(test, p.Not):
            return self._is_predicate(test.of, binding)
        if isinstance(test, p.Logic):
            return all(self._is_predicate(operand, binding) for operand in test.operands)
        if isinstance(test, p.Same) and test.of is Kind.STR:
            pairs = ((test.left, test.right), (test.right, test.left))
            return any(self._is_attribute(card_side, other, binding) for card_side, other in pairs)
        return False

    def _is_attribute(self, card_side: p.Expr, other: p.Expr, binding: p.Binding) -> bool:
        if not isinstance(card_side, p.CardAtt) or self.analysis.mentions(other, binding):
            return False
        is_card = isinstance(card_side.card, p.Var) and card_side.card.binding is binding
        return text_of(card_side.key) is not None and is_card and not self.layout.moving_faces

    def _predicate(self, test: p.Expr, binding: p.Binding) -> tuple[ir.Expr, ...] | None:
        if not self.analysis.mentions(test, binding):
            bit = self.keep(self.value(test))
            return tuple(binary("sub", ZERO, bit) for _ in range(self.layout.set_words))
        if isinstance(test, p.Not):
            inner = self._predicate(test.of, binding)
            return None if inner is None else tuple(ir.Unary("not", w) for w in inner)
        if isinstance(test, p.Logic):
            parts = [self._predicate(operand, binding) for operand in test.operands]
            found = [part for part in parts if part is not None]
            if len(found) != len(parts):
                return None
            result = found[0]
            for part in found[1:]:
                op = "and" if test.operator == "and" else "or"
                result = tuple(binary(op, a, b) for a, b in zip(result, part, strict=True))
            return result
        if isinstance(test, p.Same) and test.of is Kind.STR:
            made = self._attribute_is(test.left, test.right, binding)
            made = made or self._attribute_is(test.right, test.left, binding)
            if made is not None and test.negated:
                return tuple(ir.Unary("not", w) for w in made)
            return made
        return None

    def _attribute_is(
        self, card_side: p.Expr, other: p.Expr, binding: p.Binding
    ) -> tuple[ir.Expr, ...] | None:
        """(== (cardatt KEY 'C) X) as a row of a table of sets."""
        if not self._is_attribute(card_side, other, binding):
            return None
        assert isinstance(card_side, p.CardAtt)
        key = text_of(card_side.key)
        assert key is not None
        return self.cards_with(key, self.keep(self.value(other)))

    def cards_with(self, key: str, value: ir.Expr) -> tuple[ir.Expr, ...]:
        """The cards whose attribute of that name is a string: a row of a table of sets."""
        data = f"cards_{self.layout.strings[key]}"
        words = self.layout.set_words
        if data not in self.module.data:
            rows = []
            for text in self.layout.strings:
                held = [i for i, face in enumerate(self.layout.cards) if face.attributes.get(key, "") == text]
                number = sum(1 << i for i in held)
                rows.append(number.to_bytes(8 * words, "little"))
            self.module.data[data] = b"".join(rows)
        if isinstance(value, ir.Const):
            row = self.module.data[data][int(value.value) * 8 * words :][: 8 * words]
            return tuple(
                const(int.from_bytes(row[8 * w : 8 * w + 8], "little", signed=True)) for w in range(words)
            )
        at = scaled(value, words)
        return tuple(ir.Load("i64", ir.Data(data), add(at, const(w))) for w in range(words))
