"""Lowers values of one word: numbers, conditions, strings, players, teams, cards.

A card is its number in card order, -1 for no card; a string is its number; players and teams count from 0.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add as plus
from operator import mul as times
from operator import sub as minus
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import Analysis, Orders, one_of_the_players
from upcard.engine.native.lower.builder import (
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    Builder,
    Faults,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.runtime import AT, where
from upcard.engine.native.lower.state_layout import Layout
from upcard.recycle import program as p
from upcard.recycle.arithmetic import LEAST
from upcard.recycle.arithmetic import MOST as GREATEST
from upcard.recycle.constants import text_of
from upcard.recycle.facts import owner_word
from upcard.recycle.kinds import Kind

_EXACT = {"add": plus, "sub": minus, "mul": times}


class Scalars(Builder):
    def __init__(self, module: ir.Module, layout: Layout, analysis: Analysis, orders: Orders) -> None:
        super().__init__(module)
        self.layout = layout
        self.turns_end = layout.words["cards"]
        self.program = layout.program
        self.analysis = analysis
        self.orders = orders
        self.faults = Faults()
        self.counts = layout.facts.work
        """Which forms count what they do."""
        self.blamed: p.Node | None = None
        """The item of a choice that too much work is put down to; otherwise it is the form that counts."""
        self.counts_nothing = False
        """While what was counted before is written once more."""
        self.env: dict[int, Any] = {}
        """What stands for each variable in the function at hand, by slot."""
        self.seat_depth = 0
        self.team_depth = 0
        """How many stages of each kind are open around the form at hand."""
        self.queued = True
        """The next player may be another than the one who sits there."""
        self.map_sites: list[p.SetPoints] = []
        self._values: dict[type[p.Node], Callable[[Any], ir.Expr]] = {
            p.Int: lambda n: const(n.value),
            p.Truth: lambda n: const(int(n.value)),
            p.Str: lambda n: const(self.layout.strings[n.text]),
            p.Var: self._var,
            p.IntStore: lambda n: self.word(self.store(n, self.layout.ints)),
            p.StrStore: lambda n: self.word(self.store(n, self.layout.strs)),
            p.Arithmetic: self._arithmetic,
            p.Tri: self._tri,
            p.Fib: self._fib,
            p.Random: self._random,
            p.Pid: lambda n: add(self.value(n.player), const(self.program.base)),
            p.Logic: self._logic,
            p.Not: lambda n: negate(self.value(n.of)),
            p.Compare: self._compare,
            p.Same: self._same,
            p.SeatAt: self._seat_at,
            p.SeatNumber: self._seat_number,
            p.OwnerOf: self._owner_of,
            p.TeamAt: self._team_at,
            p.TeamNumber: self._team_number,
            p.TeamOf: self._team_of,
            p.CardAtt: self._cardatt,
        }

    # --- the door ------------------------------------------------------------------------------

    def value(self, node: p.Expr) -> ir.Expr:
        """The value of a form; what it takes to compute it is written before."""
        return self._values[type(node)](node)

    def fail(self, node: p.Node, message: str, test: ir.Expr = ONE, *said: ir.Expr) -> None:
        """Leave with a run-time error if the condition holds. The message says `said` where it has braces."""
        with self.when(test, rare=True):
            for i, value in enumerate(said):
                self.set_word(self.layout.words["said"] + i, value)
            self.emit(ir.Return(const(self.faults.number(node, message))))

    # --- work ----------------------------------------------------------------------------------

    def count_work(self, node: p.Node, times: ir.Expr) -> None:
        """A form counts what it is about to do: elements, groups or runs; see `upcard.recycle.work`."""
        units = self.counts.units.get(node)
        if units is not None:
            self._add_work(node, scaled(times, units))

    def count_cards(self, node: p.Node, cards: ir.Expr) -> None:
        if node in self.counts.large:
            self._add_work(node, cards)

    def reset_work(self) -> None:
        """Nothing has been done yet."""
        if self.counts:
            self.set_work(ZERO)

    def work_word(self) -> ir.Expr:
        """Nothing else is of its kind, so it may stay in a register while it is added to."""
        return self.word(AT["work"], WORK, "work")

    def set_work(self, units: ir.Expr) -> None:
        self.set_word(AT["work"], units, WORK, "work")

    def _add_work(self, node: p.Node, units: ir.Expr) -> None:
        if self.counts_nothing:
            return
        total = self.variable(add(self.work_word(), units), "work")
        self.set_work(total)
        self.fail(self.blamed or node, self.counts.sentence, binary("sgt", total, const(self.counts.most)))

    def trial(self, node: p.Expr) -> tuple[ir.Expr, list[ir.Stmt]]:
        """A value and the statements it needs, kept apart."""
        with self.block() as needed:
            value = self.value(node)
        return value, needed

    # --- variables -----------------------------------------------------------------------------

    def _var(self, node: p.Var) -> ir.Expr:
        if node.binding.how == "declare":
            return self.declared_scalar(node.binding)
        known = self.env[node.binding.slot]
        assert isinstance(known, ir.Expr)
        return known

    def declared_scalar(self, binding: p.Binding) -> ir.Expr:
        declared, slot = self.layout.declared, binding.slot
        if slot in declared.drawn:
            return self.word(self.layout.words[f"var{slot}"])
        value = declared.known.get(slot)
        if binding.kind is Kind.STR:
            return const(self.layout.strings[value or ""])
        # no card; or no value, where every game fails before it is wanted
        return MINUS if value is None else const(int(value))

    def bind_scalar(self, binding: p.Binding, value: ir.Expr) -> None:
        self.env[binding.slot] = self.keep(value, f"v_{binding.name}")

    # --- storages ------------------------------------------------------------------------------

    def owner_index(self, owner: p.Owner) -> ir.Expr:
        if isinstance(owner, p.Table):
            return ZERO
        who = self.value(owner)
        if self.analysis.may_be_gone(owner):
            who = self.keep(who)
            gone = binary("uge", who, self.team_count())
            self.fail(owner, "this team is gone: the teams were made anew", gone)
        return who

    before_teams = False
    """While declared values and the teams of the setup are worked out there are no teams."""

    def _team_of(self, node: p.TeamOf) -> ir.Expr:
        seat = self.keep(self.value(node.player))
        if self.before_teams:
            self.fail(node, "there are no teams yet")
        if self.known_teams is None:
            return self.word(add(seat, const(self.layout.words["team_of"])))
        found = {seat: number for number, team in enumerate(self.known_teams) for seat in team}
        return self.in_table("team_of", [found[seat] for seat in range(self.layout.seats)], seat)

    @property
    def known_teams(self) -> list[list[int]] | None:
        """The seats of each team, where they are always the same: then nobody need look in the state."""
        return None if self.before_teams else self.analysis.teams

    def team_count(self) -> ir.Expr:
        if self.known_teams is not None:
            return const(len(self.known_teams))
        return self.word(self.layout.words["teams"])

    def in_table(self, name: str, values: list[int], index: ir.Expr) -> ir.Expr:
        """One of a few numbers that never change."""
        if len(set(values)) == 1:
            return const(values[0])
        self.module.data.setdefault(name, b"".join(value.to_bytes(8, "little") for value in values))
        return ir.Load("i64", ir.Data(name), index)

    def store(
        self, node: p.IntStore | p.StrStore | p.MapStore, space: dict[tuple[str, str], int], stride: int = 1
    ) -> ir.Expr:
        """The index of a storage's first word."""
        kind = owner_word(node.owner)
        owner = self.keep(self.owner_index(node.owner))
        name = text_of(node.name)
        if name is not None:
            return self.keep(add(scaled(owner, stride), const(space[kind, name])))
        # computed: a table from string to first word
        sort = {p.IntStore: "ints", p.StrStore: "strs", p.MapStore: "maps"}[type(node)]
        data = f"{sort}_of_{kind}"
        if data not in self.module.data:
            words = [space.get((kind, text), 0) for text in self.layout.strings]
            self.module.data[data] = b"".join(word.to_bytes(8, "little") for word in words)
        first = ir.Load("i64", ir.Data(data), self.value(node.name))
        return self.keep(add(first, scaled(owner, stride)))

    # --- numbers -------------------------------------------------------------------------------

    def _arithmetic(self, node: p.Arithmetic) -> ir.Expr:
        numbers = [self.keep(self.value(operand)) for operand in node.operands]
        result = numbers[0]
        for number in numbers[1:]:
            result = self._combine(node, node.operator, result, number)
        return result

    def _combine(self, node: p.Node, operator: str, a: ir.Expr, b: ir.Expr) -> ir.Expr:
        over = "the result does not fit in 64 bits"
        if operator in ("+", "-", "*"):
            op = {"+": "add", "-": "sub", "*": "mul"}[operator]
            if isinstance(a, ir.Const) and isinstance(b, ir.Const):
                exact = _EXACT[op](int(a.value), int(b.value))
                if LEAST <= exact <= GREATEST:
                    return const(exact)
            self.fail(node, over, ir.Binary(f"s{op}_over", a, b))
            return self.keep(ir.Binary(op, a, b))
        if operator in ("//", "%"):
            self.fail(node, "a number is divided by zero", binary("eq", b, ZERO))
            if operator == "%":
                return self.keep(ir.Binary("srem", a, b))
            least = binary("and", binary("eq", a, const(-(2**63))), binary("eq", b, MINUS))
            self.fail(node, over, least)
            return self.keep(ir.Binary("sdiv", a, b))
        self.fail(node, "an exponent is negative", binary("slt", b, ZERO))
        result = self.variable(ONE, "power")
        left = self.variable(b, "left")
        tame = binary("ule", add(a, ONE), const(2))  # -1, 0 and 1 never grow
        with self.when(tame):
            odd = binary("and", left, ONE)
            grown = ir.If(binary("eq", left, ZERO), ONE, ir.If(odd, a, binary("and", a, ONE)))
            self.set(result, grown)
            self.set(left, ZERO)
        self.fail(node, over, binary("sgt", left, const(63)))
        with self.loop(binary("sgt", left, ZERO)):
            self.fail(node, over, ir.Binary("smul_over", result, a))
            self.set(result, ir.Binary("mul", result, a))
            self.set(left, binary("sub", left, ONE))
        return result

    def _tri(self, node: p.Tri) -> ir.Expr:
        n = self.keep(self.value(node.of))
        self.fail(node, "tri is asked for a negative number", binary("slt", n, ZERO))
        self.fail(node, "the result does not fit in 64 bits", binary("sgt", n, const(4_294_967_295)))
        half = ir.If(binary("and", n, ONE), n, binary("lshr", n, ONE))
        other = ir.If(binary("and", n, ONE), binary("lshr", add(n, ONE), ONE), add(n, ONE))
        return self.keep(ir.Binary("mul", half, other))

    def _fib(self, node: p.Fib) -> ir.Expr:
        n = self.variable(self.value(node.of), "n")
        self.fail(node, "fib is asked for a negative number", binary("slt", n, ZERO))
        self.fail(node, "the result does not fit in 64 bits", binary("sgt", n, const(92)))
        a, b = self.variable(ZERO, "a"), self.variable(ONE, "b")
        with self.loop(binary("sgt", n, ZERO)):
            c = self.variable(add(a, b), "c")
            self.set(a, b)
            self.set(b, c)
            self.set(n, binary("sub", n, ONE))
        return a

    def _random(self, node: p.Random) -> ir.Expr:
        low = self.keep(self.value(node.low)) if node.low is not None else ZERO
        high = self.keep(self.value(node.high))
        self.fail(node, "there is no number from {} to {}", binary("slt", high, low), low, high)
        # up to 2^63 numbers: one less is the greatest difference that is not negative
        span = self.keep(ir.Binary("sub", high, low))
        self.fail(node, "the range of random is wider than 64 bits allow", binary("slt", span, ZERO))
        width = self.keep(add(span, ONE))
        return self.variable(add(low, self.call("draw", STATE, WORK, width)), "drawn")

    # --- conditions ----------------------------------------------------------------------------

    def _logic(self, node: p.Logic) -> ir.Expr:
        """Bit by bit where nothing can go wrong and little is to be done, otherwise stopping as soon as it is
        decided: nobody can foresee which way a jump would go."""
        op = "and" if node.operator == "and" else "or"
        first = self.value(node.operands[0])
        for operand in node.operands[1:]:
            value, needed = self.trial(operand)
            if not needed or (self.analysis.safe(operand) and _is_little(needed)):
                if needed:
                    first = self.keep(first)
                    self.blocks[-1].extend(needed)
                first = binary(op, first, value)
                continue
            result = self.variable(first, "decided")
            test = result if op == "and" else negate(result)
            self.emit(ir.Branch(test, (*needed, ir.Assign(result, value))))
            first = result
        return first

    def _compare(self, node: p.Compare) -> ir.Expr:
        op = {"<": "slt", ">": "sgt", "<=": "sle", ">=": "sge"}[node.operator]
        left = self.keep(self.value(node.left))
        return binary(op, left, self.value(node.right))

    def _same(self, node: p.Same) -> ir.Expr:
        left = self.keep(self.value(node.left))
        right = self.value(node.right)
        if node.of is Kind.CARD:
            right = self.keep(right)
            self.look(left)
            self.look(right)
        return binary("ne" if node.negated else "eq", left, right)

    # --- players and teams ---------------------------------------------------------------------

    def seat(self, which: str) -> ir.Expr:
        words = self.layout.words
        current = self.word(words["seat_index"] + self.seat_depth)
        if which == "current":
            return current
        seats = self.layout.seats
        if which == "previous":
            here = self.keep(current)
            return ir.If(binary("eq", here, ZERO), const(seats - 1), binary("sub", here, ONE))
        after = self.keep(add(current, ONE))
        following = ir.If(binary("eq", after, const(seats)), ZERO, after)
        if not self.queued:
            return following
        queue = self.keep(self.word(words["seat_queue"] + self.seat_depth))
        return ir.If(binary("sge", queue, ZERO), queue, following)

    def _seat_at(self, node: p.SeatAt) -> ir.Expr:
        return self.seat(node.which)

    def _seat_number(self, node: p.SeatNumber) -> ir.Expr:
        number = self.keep(self.value(node.number))
        seat = self.keep(binary("sub", number, const(self.program.base)))
        if isinstance(seat, ir.Const) and 0 <= seat.value < self.layout.seats:
            return seat
        self.fail(node, "there is no player {}", binary("uge", seat, const(self.layout.seats)), number)
        return seat

    def _owner_of(self, node: p.OwnerOf) -> ir.Expr:
        card = self.keep(self.value(node.card))
        self.fail(node, "there is no card to ask for its owner", binary("slt", card, ZERO))
        self.look(card)
        place = one_of_the_players(node.card)
        if place is not None:
            # by reckoning rather than from a table: who won a trick is waited for
            assert isinstance(place.name, p.Str)
            shelf = self.layout.shelves[False, place.cls][place.name.text]
            behind = binary("sub", self.where(card), const(shelf.first))
            return self.keep(behind if shelf.numbers == 1 else binary("udiv", behind, const(shelf.numbers)))
        owner = self.keep(ir.Load("i64", ir.Data("place_owner"), self.where(card)))
        self.fail(node, "this card belongs to the table, not to a player", binary("slt", owner, ZERO))
        return owner

    def where(self, card: ir.Expr) -> ir.Expr:
        """The place a card lies in."""
        return where(self.layout, card)

    def _team_at(self, node: p.TeamAt) -> ir.Expr:
        words = self.layout.words
        if self.before_teams:
            self.fail(node, "there are no teams yet")
        current = self.keep(self.word(words["team_index"] + self.team_depth))
        if node.which == "current":
            return current
        teams = self.keep(self.team_count())
        if node.which == "next":
            after = self.keep(add(current, ONE))
            return ir.If(binary("eq", after, teams), ZERO, after)
        return ir.If(binary("eq", current, ZERO), binary("sub", teams, ONE), binary("sub", current, ONE))

    def _team_number(self, node: p.TeamNumber) -> ir.Expr:
        number = self.keep(self.value(node.number))
        team = self.keep(binary("sub", number, const(self.program.base)))
        unknown = binary("uge", team, self.team_count())
        self.fail(node, "there is no team {}", unknown, number)
        return team

    # --- attributes ----------------------------------------------------------------------------

    def attribute(self, key: ir.Expr, card: ir.Expr) -> ir.Expr:
        """The string of a card that is there; keys and cards are rows of a table."""
        if isinstance(key, ir.Const):
            text = next(t for t, n in self.layout.strings.items() if n == key.value)
            if text not in self.layout.keys:
                return ZERO
            return self._face(const(self.layout.keys.index(text)), card)
        row = self.keep(ir.Load("i64", ir.Data("key_rows"), key))
        return ir.If(binary("slt", row, ZERO), ZERO, self._face(row, card))

    def _face(self, row: ir.Expr, card: ir.Expr) -> ir.Expr:
        at = add(card, scaled(row, self.layout.room))
        if self.layout.moving_faces:
            return ir.Load("u16", STATE, add(at, const(self.layout.faces_at // 2)))
        return ir.Load("u16", ir.Data("attributes"), at)

    def look(self, card: ir.Expr) -> None:
        """A face is looked at: see `card_actions`, which notes it where somebody wants to know."""

    def _cardatt(self, node: p.CardAtt) -> ir.Expr:
        key = self.keep(self.value(node.key))
        card = self.keep(self.value(node.card))
        self.look(card)
        if isinstance(node.card, p.Var) and node.card.binding.how == "each":
            return self.attribute(key, card)
        return ir.If(binary("slt", card, ZERO), ZERO, self.attribute(key, card))


def _is_little(needed: list[ir.Stmt]) -> bool:
    """A few words looked up."""
    looked_up = (ir.Const, ir.Local, ir.Load, ir.Binary, ir.Unary, ir.Data, ir.Offset)
    assigned = [stmt.value for stmt in needed if isinstance(stmt, ir.Assign)]
    return len(assigned) == len(needed) <= 4 and all(isinstance(value, looked_up) for value in assigned)
