"""Machine code that writes an observation's bytes from a state: straight-line code with constant offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from upcard.encoding import card_parts
from upcard.encoding.byte_code import ByteCode
from upcard.encoding.content import Content
from upcard.engine.native import ir
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.lower import Layout
from upcard.engine.native.lower.builder import ONE, STATE, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.state_layout import Shelf
from upcard.engine.shared.flat_program import Depths

SEAT = ir.Local("seat", "int")
FEW = 8
"""Places whose sets are put together without a loop."""


class FieldCode(ByteCode):
    """Writes the function `encode(state, seat, out)`."""

    def __init__(
        self, module: ir.Module, content: Content, layout: Layout, depths: list[Depths], size: int
    ) -> None:
        super().__init__(module, size)
        self.content, self.layout, self.depths = content, layout, depths
        self.words = layout.words
        self.at = 0
        """The first byte of the field that is written."""
        self.turns: dict[int, ir.Expr] = {}
        """The seat that number of seats after the observer."""

    def begin(self) -> None:
        """Computes what several fields need."""
        b, seats = self.b, self.content.seats
        for turn in range(seats):
            self.turns[turn] = self.wrapped(add(SEAT, const(turn)), const(seats)) if turn else SEAT
        self.pc = b.snapshot(b.word(self.words["pc"]))
        self.running = b.snapshot(binary("eq", b.word(self.words["ending"]), ZERO))
        self.seat_depth = self._depth("seat_depths", [depth.seat for depth in self.depths])
        self.team_depth = self._depth("team_depths", [depth.team for depth in self.depths])
        self.own_team = b.snapshot(b.word(add(SEAT, const(self.words["team_of"]))))
        fixed = self.content.fixed_teams
        self.team_count = b.keep(b.word(self.words["teams"]) if fixed is None else const(len(fixed)))

    def _depth(self, name: str, depths: list[int]) -> ir.Expr:
        """How many stages are open where the state stands; behind the last step, none."""
        return self.b.keep(self.b.in_table(name, [*depths, 0], self.pc))

    def team(self, turn: int) -> tuple[ir.Expr, ir.Expr]:
        """The team that number of teams after the observer's, and whether there is one."""
        number = self.wrapped(add(self.own_team, const(turn)), self.team_count) if turn else self.own_team
        return number, binary("slt", const(turn), self.team_count)

    def cards_of(self, back: str, word: int) -> ir.Expr:
        """The cards with a back, as a word of a set."""
        alike = sum(1 << n for n, card in enumerate(self.content.cards) if card.back == back)
        return const(signed(alike >> (64 * word)))

    # --- bytes ---------------------------------------------------------------------------------

    def put(self, at: int | ir.Expr, value: ir.Expr, width: ir.Width = "u8") -> None:
        """Stores at a byte, counted from the field's first."""
        self.store(const(self.at + at) if isinstance(at, int) else add(at, const(self.at)), value, width)

    def put_word(self, at: int, value: ir.Expr) -> None:
        self.store_word(self.at + at, value)

    def put_spread(self, at: int, count: int, *planes: tuple[ir.Expr, ir.Expr]) -> None:
        self.spread(self.at + at, count, *planes)

    def clear_field(self, size: int) -> None:
        self.clear(self.at, self.at + size)

    def planes(self, index: int | ir.Expr, count: int, width: int, value: ir.Expr) -> None:
        """One of `count` numbers of one or two bytes."""
        value = self.b.keep(value)
        at = const(index) if isinstance(index, int) else index
        self.put(at, value)
        if width == 2:
            self.put(add(at, const(count)), binary("lshr", value, const(8)))

    def wrapped(self, number: ir.Expr, count: ir.Expr) -> ir.Expr:
        """A number below twice `count`, less `count` if it is not below."""
        if is_power(count):
            return self.b.keep(binary("and", number, binary("sub", count, ONE)))
        number = self.b.keep(number)
        return self.b.keep(ir.Select(binary("sge", number, count), binary("sub", number, count), number))

    def turn_of(self, seat: ir.Expr) -> ir.Expr:
        """How many seats after the observer a seat is."""
        return self._around(binary("sub", seat, SEAT), const(self.content.seats))

    def turn_of_team(self, team: ir.Expr) -> ir.Expr:
        return self._around(binary("sub", team, self.own_team), self.team_count)

    def _around(self, difference: ir.Expr, count: ir.Expr) -> ir.Expr:
        if is_power(count):
            return self.b.keep(binary("and", difference, binary("sub", count, ONE)))
        difference = self.b.keep(difference)
        return self.b.keep(ir.Select(binary("slt", difference, ZERO), add(difference, count), difference))

    def one_hot(self, size: int, number: ir.Expr, holds: ir.Expr) -> None:
        """`size` bytes of which one is 1, if something holds."""
        if size <= 8:
            bit = binary("shl", holds, scaled(number, 8))
            self.put_word(0, bit)
            return
        self.clear_field(size)
        with self.b.when(holds):
            self.put(number, ONE)

    # --- places --------------------------------------------------------------------------------

    def shelf(self, places: card_parts.PlaceList) -> Shelf:
        group = places.group
        return self.layout.shelves[group.owner == "table", group.cls][group.name]

    def place_of(self, shelf: Shelf, turn: int, number: ir.Expr) -> ir.Expr:
        """The number of a place."""
        first = add(const(shelf.first), number)
        return first if shelf.owners == 1 else add(scaled(self.turns[turn], shelf.numbers), first)

    def set_word(self, place: ir.Expr, word: int) -> ir.Expr:
        at = add(scaled(place, self.layout.set_words), const(self.layout.sets_at // 8 + word))
        return self.b.word(at, kind="set")

    def list_of(self, shelf: Shelf, turn: int, number: ir.Expr) -> ir.Expr:
        """Where the list of an ordered place begins: lists of a shelf are of one size and lie in a row."""
        offsets = self.layout.list_offsets
        stride = offsets[shelf.first + 1] - offsets[shelf.first] if shelf.places > 1 else 0
        beyond = self.place_of(shelf, turn, number)
        at = add(scaled(binary("sub", beyond, const(shelf.first)), stride), const(offsets[shelf.first]))
        return self.b.keep(ir.Offset(STATE, at))

    @contextmanager
    def each_number(self, numbers: int) -> Iterator[ir.Expr]:
        """Every number of the places of an owner."""
        if numbers == 1:
            yield ZERO
        else:
            with self.b.each_index(ZERO, const(numbers)) as number:
                yield number

    def each_card(self, base: ir.Expr, count: ir.Expr, write: Callable[[ir.Expr, ir.Expr], None]) -> None:
        """Every card of a list, bottom first, with its index."""
        cards = ir.Offset(base, const(8))
        with self.b.each_index(ZERO, count) as index:
            write(self.b.keep(ir.Load(self.layout.card_width, cards, index, "list")), index)


def is_power(count: ir.Expr) -> bool:
    """Whether it is known to be a power of two."""
    return isinstance(count, ir.Const) and int(count.value).bit_count() == 1
