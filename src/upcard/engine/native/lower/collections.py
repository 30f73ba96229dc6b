"""Lowers card collections: sets where order cannot matter, lists where it can.

Three things stand for a collection while code is written: a place, a set in locals, or a list in memory (a
count, then the cards). Lists live in the workspace's arena, which is emptied at each decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeAlias

from upcard.engine.api import Place
from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import END
from upcard.engine.native.lower.analysis import each_once, element_form, place_form
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
from upcard.engine.native.lower.runtime import ARENA, AT, NO_CARDS_WORD, bit_parts, set_index, sets_of
from upcard.engine.native.lower.scalars import Scalars
from upcard.engine.native.lower.state_layout import Shelf
from upcard.engine.shared.table import Snapshot
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.failures import NO_SUCH_NUMBER
from upcard.recycle.limits import MOST_NUMBER
from upcard.recycle.order import family_of

NO_ROOM = "this needs more room than the native engine has"


@dataclass
class InPlace:
    place: ir.Expr
    ordered: bool | None
    """None: only known when it runs."""
    memory: bool
    shelf: Shelf | None = None
    """Where its lists lie one behind the other, if that is known."""


@dataclass
class AsSet:
    words: tuple[ir.Expr, ...]
    """Locals when a variable holds it: cards moved through it are taken out of them."""


@dataclass
class AsList:
    base: ir.Expr
    once: bool


Cards: TypeAlias = InPlace | AsSet | AsList


ArenaMark: TypeAlias = tuple[ir.Expr, ir.Expr]
"""Where the arena's free bytes begin, and where the chunk that they lie in ends."""


class Collecting(Scalars):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.distances: dict[str, ir.Expr] = {}
        """How far into the workspace each list lies, by the local that points at it."""
        self._values |= {
            p.EndCard: lambda n: self.end_card(self.cards(n.cards), n.end),
            p.TopOf: lambda n: self.end_card(self.cards(n.cards), "top"),
            p.CardAt: self._card_at,
        }
        self._cards: dict[type[p.Node], Callable[[Any], Cards]] = {
            p.Location: self._location,
            p.Var: self._cards_var,
        }

    # --- memory for lists ----------------------------------------------------------------------

    @property
    def width(self) -> ir.Width:
        return self.layout.card_width  # type: ignore[return-value]

    def allocate(self, node: p.Node, size: ir.Expr) -> ir.Local:
        """So many bytes of the arena, in whole words."""
        self.allocates = True
        top = self.variable(self.word(AT["top"], WORK), "top")
        rounded = self.keep(binary("and", add(size, const(7)), const(-8)))
        self._make_room(node, top, rounded)
        after = add(top, rounded)
        self.set_word(AT["top"], after, WORK)
        self.allocations += 1
        made = self.variable(ir.Offset(WORK, top), "list")
        self.distances[made.name] = top
        return made

    def _make_room(self, node: p.Node, at: ir.Local, size: ir.Expr) -> None:
        """See that so many bytes of the arena fit behind `at`; where they do not, another chunk is used."""
        with self.when(binary("sgt", add(at, size), self.word(ARENA + END, WORK)), rare=True):
            self.set(at, self.call("find_room", WORK, const(ARENA), at, size))
            self.fail(node, NO_ROOM, binary("eq", at, ZERO))

    allocates = False
    """The function at hand makes lists."""

    allocations = 0

    def arena_mark(self) -> ArenaMark:
        """The first free byte of the arena and the end of its chunk, for `free_arena`."""
        return self.variable(self.word(AT["top"], WORK), "top"), self.variable(
            self.word(ARENA + END, WORK), "end"
        )

    def free_arena(self, mark: ArenaMark) -> None:
        """Free what was allocated since the mark, which may lie in an earlier chunk than the one in use."""
        self.set_word(AT["top"], mark[0], WORK)
        self.set_word(ARENA + END, mark[1], WORK)

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """What is allocated inside is free again behind it: a loop needs room for one round only."""
        before = self.allocations
        with self.block() as body:
            yield
        if self.allocations == before:
            self.blocks[-1].extend(body)
            return
        mark = self.arena_mark()
        self.blocks[-1].extend(body)
        self.free_arena(mark)

    def brief(self, node: p.Expr) -> ir.Expr:
        """A value that fits in a word; lists made on the way to it are gone."""
        before = self.allocations
        with self.scratch():
            value = self.value(node)
            if self.allocations > before:
                value = self.keep(value)
        return value

    def new_list(self, node: p.Node, most: ir.Expr) -> ir.Local:
        """An empty list with room for so many cards."""
        made = self.allocate(node, add(const(8), scaled(most, self.layout.card_bytes)))
        self.set_word(0, ZERO, made)
        return made

    def append(self, base: ir.Expr, card: ir.Expr) -> None:
        count = self.variable(self.word(0, base, "list"), "count")
        self.emit(ir.Store(self.width, ir.Offset(base, const(8)), count, card, "list"))
        self.set_word(0, add(count, ONE), base, "list")

    def list_card(self, base: ir.Expr, index: ir.Expr) -> ir.Expr:
        return ir.Load(self.width, ir.Offset(base, const(8)), index, "list")

    def place_list(self, place: ir.Expr, shelf: Shelf | None = None) -> ir.Expr:
        """The list of an ordered place."""
        offsets = self.layout.list_offsets
        if isinstance(place, ir.Const):
            return ir.Offset(STATE, const(offsets[int(place.value)]))
        if shelf is not None and shelf.places > 1:
            first, step = offsets[shelf.first], offsets[shelf.first + 1] - offsets[shelf.first]
            return ir.Offset(STATE, add(scaled(place, step), const(first - shelf.first * step)))
        return ir.Offset(STATE, ir.Load("i64", ir.Data("list_offsets"), place))

    # --- the door ------------------------------------------------------------------------------

    def cards(self, node: p.Expr) -> Cards:
        return self._cards[type(node)](node)

    def place_of(self, node: p.Location) -> ir.Expr:
        """The number of a place."""
        table = isinstance(node.owner, p.Table)
        owner = self.keep(self.owner_index(node.owner))
        shelves = self.layout.shelves[table, node.cls]
        name = text_of(node.name)
        if name is not None:
            shelf = shelves[name]
            first, numbers = const(shelf.first), shelf.numbers
            start = add(first, scaled(owner, numbers))
        else:
            start = self._computed_start(table, node.cls, self.keep(self.value(node.name)), owner)
        if node.number is None:
            return self.keep(start)
        number = self.keep(self.value(node.number))
        unknown = binary("ugt", number, const(MOST_NUMBER))
        self.fail(node, NO_SUCH_NUMBER, unknown, number)
        return self.keep(add(start, number))

    def _computed_start(self, table: bool, cls: str, name: ir.Expr, owner: ir.Expr) -> ir.Expr:
        """Place number 0 of a name that is known only when it runs: the start of its shelf from a table."""
        shelves = self.layout.shelves[table, cls]
        data = f"shelf_{'t' if table else 'p'}_{cls}"
        if data not in self.module.data:
            found = [shelves.get(text) for text in self.layout.strings]
            pairs = [(shelf.first, shelf.numbers) if shelf is not None else (0, 0) for shelf in found]
            self.module.data[data] = b"".join(n.to_bytes(8, "little") for pair in pairs for n in pair)
        at = self.keep(scaled(name, 2))
        first = ir.Load("i64", ir.Data(data), at)
        if table:
            return first
        return add(first, binary("mul", owner, ir.Load("i64", ir.Data(data), add(at, ONE))))

    def _location(self, node: p.Location) -> Cards:
        name = text_of(node.name)
        owner: Any = "table" if isinstance(node.owner, p.Table) else "player"
        ordered = None if name is None else self.layout.facts.order.is_ordered(owner, node.cls, name)
        if self.all_ordered_names(node):
            ordered = True
        shelf = self.layout.shelves[owner == "table", node.cls].get(name or "")
        return InPlace(self.place_of(node), ordered, node.cls == "mem", shelf if name is not None else None)

    def all_ordered_names(self, node: p.Location) -> bool:
        shelves = self.layout.shelves[isinstance(node.owner, p.Table), node.cls]
        return all(shelf.ordered for shelf in shelves.values())

    def _cards_var(self, node: p.Var) -> Cards:
        if node.binding.how == "declare":
            return self._declared_cards(node)
        known = self.env[node.binding.slot]
        assert isinstance(known, InPlace | AsSet | AsList)
        return known

    def _declared_cards(self, node: p.Var) -> Cards:
        """A location; anything else is empty, since before the setup there are no cards anywhere."""
        slot, declared = node.binding.slot, self.layout.declared
        form = place_form(node)
        if form is None:
            self.module.data.setdefault("no_cards", bytes(8))
            return AsList(ir.Data("no_cards"), once=True)
        if slot in declared.drawn:
            return self.in_place(self.word(self.layout.words[f"var{slot}"]), form)
        place = declared.known.get(slot)
        return self.in_place(ZERO if place is None else const(self.layout.number_of(place)), form)

    def declared_array(self, binding: p.Binding) -> ir.Expr:
        """A declared list: a count, then a word each. A collection of a list that is no location is empty."""
        slot, declared = binding.slot, self.layout.declared
        if slot in declared.drawn:
            return self.keep(ir.Offset(STATE, const(8 * self.layout.words[f"var{slot}"])))
        values = [self._declared_word(value) for value in declared.known.get(slot, ())]
        return self.data_array(values)

    def _declared_word(self, value: Any) -> int:
        if isinstance(value, Place):
            return self.layout.number_of(value)
        if isinstance(value, Snapshot):
            return 8 * NO_CARDS_WORD
        return self.layout.strings[value] if isinstance(value, str) else int(value)

    def data_array(self, values: list[int]) -> ir.Expr:
        """Constant words behind their count."""
        words = b"".join(value.to_bytes(8, "little", signed=True) for value in [len(values), *values])
        data = f"array_{sha256(words).hexdigest()[:16]}"
        self.module.data.setdefault(data, words)
        return ir.Data(data)

    # --- sets ----------------------------------------------------------------------------------

    def set_of(self, cards: Cards) -> tuple[ir.Expr, ...]:
        """The cards as a set; only for collections that hold each card once."""
        words = range(self.layout.set_words)
        if isinstance(cards, AsSet):
            return cards.words
        if isinstance(cards, InPlace):
            kind = sets_of(cards.shelf)
            return tuple(self.word(set_index(self.layout, cards.place, const(w)), kind=kind) for w in words)
        made = tuple(self.variable(ZERO, "set") for _ in words)
        with self.each_in_list(cards.base) as card:
            self.include(made, card)
        return made

    def set_from(self, node: p.Expr) -> tuple[ir.Expr, ...]:
        """The cards of a form that holds each once, as a set: see `computing` for those never made a list."""
        return self.set_of(self.cards(node))

    def include(self, words: tuple[ir.Expr, ...], card: ir.Expr) -> None:
        """Put a card into a set of locals."""
        if len(words) == 1:
            (word,) = words
            assert isinstance(word, ir.Local)
            self.set(word, binary("or", word, binary("shl", ONE, card)))
            return
        bit = self.keep(binary("shl", ONE, binary("and", card, const(63))))
        index = self.keep(binary("lshr", card, const(6)))
        for i, word in enumerate(words):
            assert isinstance(word, ir.Local)
            self.set(word, binary("or", word, ir.If(binary("eq", index, const(i)), bit, ZERO)))

    def exclude(self, words: tuple[ir.Expr, ...], card: ir.Expr) -> None:
        _, bit = bit_parts(self, self.layout, card)
        bit = self.keep(bit)
        index = self.keep(binary("lshr", card, const(6)))
        for i, word in enumerate(words):
            assert isinstance(word, ir.Local)
            gone = bit if len(words) == 1 else ir.If(binary("eq", index, const(i)), bit, ZERO)
            self.set(word, binary("and", word, ir.Unary("not", gone)))

    def count_set(self, words: tuple[ir.Expr, ...]) -> ir.Expr:
        total: ir.Expr = ZERO
        for word in words:
            total = add(total, ir.Unary("popcount", word))
        return total

    # --- walking -------------------------------------------------------------------------------

    @contextmanager
    def each_in_list(self, base: ir.Expr) -> Iterator[ir.Local]:
        i = self.variable(ZERO, "i")
        end = self.keep(self.word(0, base))
        with self.loop(binary("slt", i, end)):
            card = self.variable(self.list_card(base, i), "card")
            self.set(i, add(i, ONE))
            yield card

    @contextmanager
    def each_in_set(self, words: tuple[ir.Expr, ...]) -> Iterator[ir.Local]:
        """In card order. The set is taken as it was at the start."""
        if len(words) == 1:
            left = self.variable(words[0], "left")
            with self.loop(left):
                card = self.variable(ir.Unary("ctz", left), "card")
                self.set(left, binary("and", left, binary("sub", left, ONE)))
                yield card
            return
        kept = [self.variable(word, "left") for word in words]
        base = self.variable(ZERO, "base")
        with self.loop(binary("slt", base, const(64 * len(words)))):
            left = self.local("left")
            chosen: ir.Expr = kept[-1]
            for i in reversed(range(len(words) - 1)):
                chosen = ir.If(binary("eq", base, const(64 * i)), kept[i], chosen)
            self.set(left, chosen)
            start = self.variable(base, "start")
            self.set(base, add(base, const(64)))
            with self.loop(left):
                card = self.variable(add(start, ir.Unary("ctz", left)), "card")
                self.set(left, binary("and", left, binary("sub", left, ONE)))
                yield card

    def by_card(self, node: p.Expr) -> bool:
        return self.orders.by_card(node) and each_once(node)

    @contextmanager
    def each_card(
        self, node: p.Expr, in_order: bool, stays: bool = True, form: p.Node | None = None
    ) -> Iterator[ir.Local]:
        """Every card of a collection as it was at the start, in its own order if that can matter.

        `stays`: no card moves meanwhile. `form` goes through them, and counts them.
        """
        if each_once(node) and (not in_order or self.orders.by_card(node)):
            with self._each_counted(form, self.set_from(node)) as card:
                yield card
            return
        cards = self.cards(node)
        if isinstance(cards, AsSet):
            with self._each_counted(form, cards.words) as card:
                yield card
            return
        base = self.as_list(node, cards, copy=not stays)
        if form is not None:
            self.count_work(form, self.word(0, base))
            self.count_cards(form, self.word(0, base))
        with self.each_in_list(base) as card:
            yield card

    @contextmanager
    def _each_counted(self, form: p.Node | None, words: tuple[ir.Expr, ...]) -> Iterator[ir.Local]:
        kept = tuple(self.keep(word) for word in words)
        if form is not None:
            self.count_work(form, self.count_set(kept))
            self.count_cards(form, self.count_set(kept))
        with self.each_in_set(kept) as card:
            yield card

    def as_list(self, node: p.Node, cards: Cards, copy: bool = False) -> ir.Expr:
        """The cards as a list in their own order; a copy when the original may change meanwhile."""
        if isinstance(cards, AsList) and not copy:
            return cards.base
        if isinstance(cards, InPlace) and cards.ordered and not copy:
            return self.keep(self.place_list(cards.place, cards.shelf))
        made = self.new_list(node, self.size_of(cards))
        if isinstance(cards, AsSet):
            with self.each_in_set(cards.words) as card:
                self.append(made, card)
        elif isinstance(cards, AsList):
            with self.each_in_list(cards.base) as card:
                self.append(made, card)
        else:
            self._copy_place(made, cards)
        return made

    def _copy_place(self, made: ir.Expr, cards: InPlace) -> None:
        with (
            self.block() as ordered,
            self.each_in_list(self.keep(self.place_list(cards.place, cards.shelf))) as card,
        ):
            self.append(made, card)
        with self.block() as plain, self.each_in_set(self.set_of(cards)) as card:
            self.append(made, card)
        if cards.ordered is not None:
            self.blocks[-1].extend(ordered if cards.ordered else plain)
            return
        has_list = binary("sge", ir.Load("i64", ir.Data("list_offsets"), cards.place), ZERO)
        self.either(has_list, ordered, plain)

    # --- sizes and ends ------------------------------------------------------------------------

    def size_of(self, cards: Cards) -> ir.Expr:
        if isinstance(cards, AsList):
            return self.word(0, cards.base, "list")
        if isinstance(cards, InPlace) and cards.memory:
            return self.word(0, self.place_list(cards.place, cards.shelf), "list")
        return self.count_set(self.set_of(cards))

    def end_card(self, cards: Cards, end: str) -> ir.Expr:
        """The card at an end, or -1."""
        if isinstance(cards, AsSet):
            return self.end_of_set(cards.words, end)
        if isinstance(cards, AsList) or cards.ordered:
            base = self.keep(
                cards.base if isinstance(cards, AsList) else self.place_list(cards.place, cards.shelf)
            )
            count = self.keep(self.word(0, base, "list"))
            at = binary("sub", count, ONE) if end == "top" else ZERO
            return self.keep(ir.If(binary("eq", count, ZERO), MINUS, self.list_card(base, at)))
        if cards.ordered is None:
            result = self.local("end")
            with self.block() as listed:
                self.set(result, self.end_card(InPlace(cards.place, True, cards.memory), end))
            with self.block() as plain:
                self.set(result, self.end_card(InPlace(cards.place, False, cards.memory), end))
            self.either(
                binary("sge", ir.Load("i64", ir.Data("list_offsets"), cards.place), ZERO), listed, plain
            )
            return result
        return self.end_of_set(self.set_of(cards), end)

    def end_of_set(self, words: tuple[ir.Expr, ...], end: str) -> ir.Expr:
        found: ir.Expr = MINUS
        order = range(len(words)) if end == "top" else reversed(range(len(words)))
        for i in order:
            word = self.keep(words[i])
            if end == "top":
                at = binary("sub", const(64 * i + 63), ir.Unary("clz", word))
            else:
                at = add(const(64 * i), ir.Unary("ctz", word))
            found = ir.If(binary("ne", word, ZERO), at, found)
        return self.keep(found)

    def _card_at(self, node: p.CardAt) -> ir.Expr:
        index = self.keep(self.value(node.index))
        cards = self.cards(node.cards)
        size = self.keep(self.size_of(cards))
        self.fail(node, "there is no card number {} among {}", binary("uge", index, size), index, size)
        return self.keep(self.nth(cards, index))

    def nth(self, cards: Cards, index: ir.Expr) -> ir.Expr:
        """The card at an index that is there."""
        if isinstance(cards, AsList) or (isinstance(cards, InPlace) and cards.ordered):
            base = cards.base if isinstance(cards, AsList) else self.place_list(cards.place, cards.shelf)
            return self.list_card(base, index)
        if isinstance(cards, InPlace) and cards.ordered is None:
            listed = ir.Load("i64", ir.Data("list_offsets"), cards.place)
            return self.keep(
                ir.If(
                    binary("sge", listed, ZERO),
                    self.nth(InPlace(cards.place, True, cards.memory), index),
                    self.nth(InPlace(cards.place, False, cards.memory), index),
                )
            )
        return self.nth_of_set(self.set_of(cards), index)

    def nth_of_set(self, words: tuple[ir.Expr, ...], index: ir.Expr) -> ir.Expr:
        if len(words) == 1:
            return self.call("kth", words[0], index)
        result, left = self.variable(MINUS, "nth"), self.variable(index, "left")
        for i, word in enumerate(words):
            kept = self.keep(word)
            here = self.keep(ir.Unary("popcount", kept))
            with self.when(binary("and", binary("slt", result, ZERO), binary("slt", left, here))):
                self.set(result, add(const(64 * i), self.call("kth", kept, left)))
            self.set(left, binary("sub", left, here))
        return result

    # --- lists of collections: see grouping.py -------------------------------------------------

    def lists(self, node: p.Expr) -> ir.Expr:
        raise NotImplementedError

    @contextmanager
    def each_collection(self, node: p.Expr, form: p.Node | None = None) -> Iterator[Cards]:
        raise NotImplementedError
        yield

    def element(self, lists: p.Expr, word: ir.Expr) -> Cards:
        """What a word of a list of collections stands for."""
        form = element_form(lists)
        if form is not None:
            return self.in_place(word, form)
        base = self.variable(ir.Offset(WORK, word), "group")
        self.distances[base.name] = word
        return AsList(base, once=False)

    def in_place(self, place: ir.Expr, form: p.PlaceForm) -> InPlace:
        """A place whose number is known only when the code runs; the form says what sort of place it is."""
        family = family_of(form)
        ordered = None if family.name is None else self.layout.facts.order.reason(family) is not None
        return InPlace(place, ordered, form.cls == "mem")

    noting_looks = False
