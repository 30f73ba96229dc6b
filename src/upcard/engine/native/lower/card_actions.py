"""Lowers actions on cards: operands left to right, then the change, then its event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import BASE, ROOM
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, WORK, ZERO, add, binary, const, negate
from upcard.engine.native.lower.collections import AsList, AsSet, Cards, InPlace
from upcard.engine.native.lower.groups import Grouping
from upcard.engine.native.lower.runtime import (
    AT,
    EFFECTS,
    EXCHANGE,
    FORGET,
    MOST_EFFECTS,
    MOVE,
    PASS,
    REMEMBER,
    SHUFFLE,
    SWAP,
    bit_parts,
    change_set,
    set_index,
    set_where,
)
from upcard.engine.native.lower.state_layout import Shelf
from upcard.recycle import program as p
from upcard.recycle.failures import TOO_MANY_REFERENCES
from upcard.recycle.limits import MOST_REFERENCES
from upcard.recycle.order import Origins

NO_CARD_TO_MOVE = "there is no card to move"
NO_SUCH_PLACE = "there is no place number {} among {} cards"

SPARE_EFFECTS = 1 << 18
"""Words left free for what one action and the stages around it note."""


class Held(NamedTuple):
    """A card and the collection it was reached through."""

    card: ir.Expr
    of: Cards | None
    at: ir.Expr
    """Its index there, where that is known at all."""


class Spot(NamedTuple):
    place: ir.Expr
    at: ir.Expr
    """-1 is on top."""
    kind: str
    """top, bottom, index or card"""
    other: ir.Expr
    memory: bool | None
    ordered: bool | None = None
    shelf: Shelf | None = None


class Acting(Grouping):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._actions: dict[type[p.Node], Callable[[Any], None]] = {
            p.Move: self._move,
            p.Remember: self._remember,
            p.Forget: self._forget,
            p.Shuffle: self._shuffle,
            p.Swap: self._swap,
            p.Pass: lambda _: self.log(PASS),
        }
        self.sure = {}
        self.origins = Origins()
        self.counting_actions = False
        """Inside an item that alternatives are listed of, each action is counted."""

    sure: dict[int, InPlace]
    """Cards in variables that certainly still lie in a place without order: the place, by slot."""

    logging = False
    """Code that notes every effect, for those who step through a game; playouts do without."""

    def log(self, kind: int, *values: ir.Expr) -> None:
        """Note an effect: its number, how many words follow, and the words."""
        if not self.logging:
            return
        at = self.variable(self.call("note", WORK, const(2 + len(values))), "noted")
        self.fail(self.program, "more was done at once than can be noted", negate(at))
        for i, value in enumerate((const(kind), const(len(values)), *values)):
            self.set_word(add(at, const(i)), value, WORK)

    def write_note(self) -> None:
        """note(W, words): where an effect of so many words is noted; 0 where there is no more room."""
        words = ir.Local("words", "int")
        noted = self.keep_now(self.word(AT["effects"], WORK))
        after = self.keep(add(noted, words))
        # behind every effect there is room for the cards of a shuffle
        fits = self.has_room(EFFECTS, add(after, const(MOST_REFERENCES)))
        full = binary("sgt", noted, const(MOST_EFFECTS - SPARE_EFFECTS))
        with self.when(binary("or", full, negate(fits)), rare=True):
            self.emit(ir.Return(ZERO))
        self.set_word(AT["effects"], after, WORK)
        self.emit(ir.Return(add(noted, self.word(EFFECTS + BASE, WORK))))
        self.function("note", (WORK, words), rare=True)

    def has_room(self, table: int, words: ir.Expr) -> ir.Local:
        """Whether a table of the workspace has so many words, once it was enlarged if need be."""
        words = self.keep(words)
        fits = self.variable(binary("sle", words, self.word(table + ROOM, WORK)), "fits")
        with self.when(negate(fits), rare=True):
            self.set(fits, self.call("grow_table", WORK, const(table), words))
        return fits

    def act(self, node: p.Action) -> None:
        self._actions[type(node)](node)
        if not isinstance(node, p.SetInt | p.SetStr | p.AddInt | p.SetPoints | p.Pass):
            self.sure.clear()
        if self.counting_actions:
            self.set_word(AT["done"], ONE, WORK)

    def look(self, card: ir.Expr) -> None:
        if self.logging and self.counting_actions:
            self.run("look", WORK, card)

    def locate(self, node: p.Expr, card: ir.Expr) -> ir.Expr:
        """Where the card that a form gave lies: a look where a memory pointed at it."""
        if self.origins.in_memory(node):
            self.look(card)
        return self.where(card)

    # --- positions -----------------------------------------------------------------------------

    def held(self, node: p.Expr) -> Held:
        if isinstance(node, p.EndCard | p.TopOf):
            of = self.cards(node.cards)
            end = "top" if isinstance(node, p.TopOf) else node.end
            card = self.keep(self.end_card(of, end))
            return Held(card, of, ZERO if end == "bottom" else MINUS)
        if isinstance(node, p.CardAt):
            index = self.keep(self.value(node.index))
            of = self.cards(node.cards)
            size = self.keep(self.size_of(of))
            self.fail(node, "there is no card number {} among {}", binary("uge", index, size), index, size)
            return Held(self.keep(self.nth(of, index)), of, index)
        if isinstance(node, p.BestCard):
            card, of, at = self.best_card(node)
            return Held(self.keep(card), of, at)
        return Held(self.keep(self.value(node)), None, ZERO)

    def spot(self, node: p.Expr) -> Spot:
        if isinstance(node, p.CardAt):
            index = self.keep(self.value(node.index))
            return self._in(node, self.cards(node.cards), index, "index")
        if isinstance(node, p.EndCard | p.TopOf):
            top = isinstance(node, p.TopOf) or node.end == "top"
            return self._in(node, self.cards(node.cards), MINUS if top else ZERO, "top" if top else "bottom")
        card = self.keep(self.value(node))
        self.fail(node, "there is no card to put another one beside", binary("slt", card, ZERO))
        return Spot(self.keep(self.locate(node, card)), ZERO, "card", card, False)

    def _in(self, node: p.Expr, cards: Cards, index: ir.Expr, kind: str) -> Spot:
        if not isinstance(cards, InPlace):
            self.fail(node, "cards are put into a location, not into a computed collection")
            return Spot(ZERO, ZERO, kind, ZERO, False)
        return Spot(cards.place, index, kind, ZERO, cards.memory, cards.ordered, cards.shelf)

    def index_in(self, place: ir.Expr, card: ir.Expr) -> ir.Expr:
        """Where a card lies in the list of its place; -1 where no list is kept."""
        listed = self.keep(ir.Load("i64", ir.Data("list_offsets"), place))
        i = self.variable(MINUS, "at")
        with self.when(binary("sge", listed, ZERO)):
            base = self.keep(ir.Offset(STATE, listed))
            self.set(i, ZERO)
            with self.loop(binary("ne", self.list_card(base, i), card)):
                self.set(i, add(i, ONE))
        return i

    # --- cards ---------------------------------------------------------------------------------

    def _move(self, node: p.Move) -> None:
        what = self.held(node.card)
        where = self.spot(node.place)
        if not (isinstance(node.card, p.Var) and node.card.binding.how == "each"):
            self.fail(node, NO_CARD_TO_MOVE, binary("slt", what.card, ZERO))
        if isinstance(what.of, InPlace) and what.of.memory:
            self.fail(node, "a memory holds no cards that could be moved")
        if where.memory:
            self.fail(node, "a card cannot be moved into a memory; remember it there")
            return
        place = self.keep(where.place)
        if self.logging:
            source = self.keep_now(self.locate(node.card, what.card))
            self.log(
                MOVE, what.card, source, place, self._spot_code(where), self._by_position(node.card, what)
            )
        if where.kind == "card":
            with self.when(binary("ne", where.other, what.card)):
                self.run("take", STATE, what.card)
                at = self.index_in(place, where.other)
                self.run("put", STATE, what.card, place, at)
        else:
            if where.kind == "index":
                self._check_index(node, what.card, place, where.at)
            self._take(node.card, what)
            self._put(what.card, place, where)
        self._leave(what)

    def _take(self, node: p.Expr, what: Held) -> None:
        """From an end of a place it is no search, nor from a place that is known and keeps no order."""
        of = what.of
        if isinstance(node, p.Var) and node.binding.slot in self.sure:
            home = self.sure[node.binding.slot]
            word, bit = bit_parts(self, self.layout, what.card)
            index = self.keep(set_index(self.layout, home.place, word))
            change_set(self, index, "and", ir.Unary("not", bit), home.shelf)
            return
        at_end = isinstance(node, p.EndCard | p.TopOf) and isinstance(of, InPlace) and of.ordered is not None
        if not at_end or (of.ordered and what.at != MINUS):  # type: ignore[union-attr]
            self.run("take", STATE, what.card)
            return
        assert isinstance(of, InPlace)
        word, bit = bit_parts(self, self.layout, what.card)
        index = self.keep(set_index(self.layout, of.place, word))
        change_set(self, index, "and", ir.Unary("not", bit), of.shelf)
        if of.ordered:
            base = self.keep(self.place_list(of.place, of.shelf))
            self.set_word(0, binary("sub", self.word(0, base, "list"), ONE), base, "list")

    def _put(self, card: ir.Expr, place: ir.Expr, where: Spot) -> None:
        if where.kind != "top" or where.ordered is None:
            self.run("put", STATE, card, place, where.at)
            return
        word, bit = bit_parts(self, self.layout, card)
        index = self.keep(set_index(self.layout, place, word))
        change_set(self, index, "or", bit, where.shelf)
        self.emit(set_where(self.layout, card, place))
        if where.ordered:
            self.append(self.keep(self.place_list(place, where.shelf)), card)

    def _spot_code(self, where: Spot) -> ir.Expr:
        """-1 on top, 0 and up an index, -2 - card beside a card."""
        return binary("sub", const(-2), where.other) if where.kind == "card" else where.at

    def _by_position(self, node: p.Expr, what: Held) -> ir.Expr:
        if not isinstance(node, p.EndCard | p.TopOf | p.CardAt) or not isinstance(what.of, InPlace):
            return ZERO
        if what.of.ordered is not None:
            return const(int(what.of.ordered))
        return binary("sge", ir.Load("i64", ir.Data("list_offsets"), what.of.place), ZERO)

    def _check_index(self, node: p.Node, card: ir.Expr, place: ir.Expr, index: ir.Expr) -> None:
        """An index counts among the cards without the moved one."""
        size = self.size_of(InPlace(place, None, False))
        inside = binary("eq", self.where(card), place)
        others = self.keep(binary("sub", size, inside))
        self.fail(node, NO_SUCH_PLACE, binary("ugt", index, others), index, others)

    def _leave(self, what: Held) -> None:
        """A card that was reached through a computed collection leaves it."""
        if isinstance(what.of, AsSet) and all(isinstance(w, ir.Local) for w in what.of.words):
            self.exclude(what.of.words, what.card)
        elif isinstance(what.of, AsList):
            base = what.of.base
            last = self.keep(binary("sub", self.word(0, base), ONE))
            i = self.variable(last if what.at == MINUS else what.at, "i")
            if what.at == const(-2):
                self.set(i, ZERO)
                with self.loop(binary("ne", self.list_card(base, i), what.card)):
                    self.set(i, add(i, ONE))
            with self.loop(binary("slt", i, last)):
                self.emit(
                    ir.Store(self.width, ir.Offset(base, const(8)), i, self.list_card(base, add(i, ONE)))
                )
                self.set(i, add(i, ONE))
            self.set_word(0, last, base)

    def _remember(self, node: p.Remember) -> None:
        what = self.held(node.card)
        where = self.spot(node.place)
        self.fail(node, "there is no card to remember", binary("slt", what.card, ZERO))
        if not where.memory:
            self.fail(node, "a card is remembered in a mem location")
            return
        base = self.keep(self.place_list(where.place))
        size = self.keep(self.word(0, base))
        if where.kind == "index":
            self.fail(node, NO_SUCH_PLACE, binary("ugt", where.at, size), where.at, size)
        full = binary("sge", size, const(MOST_REFERENCES))
        self.fail(node, TOO_MANY_REFERENCES, full)
        i = self.variable(size, "i")
        if where.kind != "top":
            with self.loop(binary("sgt", i, where.at)):
                before = self.list_card(base, binary("sub", i, ONE))
                self.emit(ir.Store(self.width, ir.Offset(base, const(8)), i, before))
                self.set(i, binary("sub", i, ONE))
        self.emit(ir.Store(self.width, ir.Offset(base, const(8)), i, what.card))
        self.set_word(0, add(size, ONE), base)
        if self.logging:
            self.log(REMEMBER, what.card, self.locate(node.card, what.card), where.place, i)

    def _forget(self, node: p.Forget) -> None:
        what = self.held(node.card)
        self.fail(node, "there is no card to forget", binary("slt", what.card, ZERO))
        if not isinstance(what.of, InPlace) or not what.of.memory:
            self.fail(node, "only a card in a mem location can be forgotten")
            return
        base = self.keep(self.place_list(what.of.place))
        if self.logging:
            self.log(FORGET, what.card, what.of.place, what.at)
        self._leave(Held(what.card, AsList(base, False), what.at))

    def _shuffle(self, node: p.Shuffle) -> None:
        cards = self.cards(node.cards)
        assert not isinstance(cards, AsSet), "what is shuffled is ordered, so it is never a set"
        base = self.keep(cards.base if isinstance(cards, AsList) else self.place_list(cards.place))
        size = self.keep(self.word(0, base))
        self.count_cards(node, size)
        body = ir.Offset(base, const(8))
        at = self.layout.words["shuffles"]
        given = self.variable(ZERO, "given")
        with (
            self.when(binary("eq", self.word(AT["listing"], WORK), ZERO)),
            self.when(binary("sgt", size, ONE)),
        ):
            number = self.keep(self.word(at))
            self.set_word(at, add(number, ONE))
            with self.when(binary("slt", number, self.word(AT["stacked"], WORK))):
                self.set(given, self.call("stacked", STATE, WORK, number, body, size))
                fault = self.faults.number(
                    node, "the stacked deck does not hold the cards that are shuffled here"
                )
                with self.when(binary("slt", given, ZERO)):
                    self.emit(ir.Return(const(fault)))
        with self.when(binary("eq", given, ZERO)):
            self.run("shuffle", STATE, WORK, body, size)
        if self.logging:
            place = MINUS if isinstance(cards, AsList) else cards.place
            noted = self.keep_now(self.word(AT["effects"], WORK))
            self.log(SHUFFLE, place, given, size)
            with self.when(binary("sle", size, const(MOST_REFERENCES))):
                start = self.keep(add(noted, self.word(EFFECTS + BASE, WORK)))
                head = self.keep(add(start, const(5)))
                with self.counting(ZERO, size) as i:
                    self.set_word(add(head, i), ir.Load(self.width, body, i), WORK)
                self.set_word(add(start, ONE), add(size, const(3)), WORK)
                self.set_word(AT["effects"], add(self.word(AT["effects"], WORK), size), WORK)

    def _swap(self, node: p.Swap) -> None:
        if node.whole:
            a, b = self.cards(node.left), self.cards(node.right)
            bad = not isinstance(a, InPlace) or not isinstance(b, InPlace) or a.memory or b.memory
            if bad:
                self.fail(node, "only two locations that own their cards can be swapped")
                return
            assert isinstance(a, InPlace)
            assert isinstance(b, InPlace)
            pa, pb = self.keep(a.place), self.keep(b.place)
            self.log(SWAP, pa, pb)
            self._swap_places(node, pa, pb)
            return
        left, right = self.held(node.left), self.held(node.right)
        missing = binary("or", binary("slt", left.card, ZERO), binary("slt", right.card, ZERO))
        self.fail(node, "there is no card to swap", missing)
        if any(isinstance(h.of, InPlace) and h.of.memory for h in (left, right)):
            self.fail(node, "a memory holds no cards that could be swapped")
        if self.logging:
            bys = (self._by_position(node.left, left), self._by_position(node.right, right))
            places = self.locate(node.left, left.card), self.locate(node.right, right.card)
            self.log(EXCHANGE, left.card, places[0], bys[0], right.card, places[1], bys[1])
        with self.when(binary("ne", left.card, right.card)):
            pa, pb = self.keep_now(self.where(left.card)), self.keep_now(self.where(right.card))
            ia, ib = self.index_in(pa, left.card), self.index_in(pb, right.card)
            # written over each other's position, so that neither moves the rest
            for place, index, card in ((pa, ia, right.card), (pb, ib, left.card)):
                with self.when(binary("sge", index, ZERO)):
                    base = self.keep(self.place_list(place))
                    self.emit(ir.Store(self.width, ir.Offset(base, const(8)), index, card))
            self._re_home(left.card, pa, pb)
            self._re_home(right.card, pb, pa)

    def keep_now(self, value: ir.Expr) -> ir.Local:
        return self.variable(value, "kept")

    def _re_home(self, card: ir.Expr, old: ir.Expr, new: ir.Expr) -> None:
        """Sets and the card's own mark only; lists are done."""
        word, bit = bit_parts(self, self.layout, card)
        kept, index = self.keep(bit), self.keep(word)
        for place, op, mask in ((old, "and", ir.Unary("not", kept)), (new, "or", kept)):
            at = self.keep(set_index(self.layout, place, index))
            # a card of the same place may have been put there just before: take out first, put in second
            change_set(self, at, op, mask)
        self.emit(set_where(self.layout, card, new))

    def _swap_places(self, node: p.Node, a: ir.Expr, b: ir.Expr) -> None:
        """Sets are exchanged word by word, lists as wholes, and every card is told where it lies now."""
        with self.when(binary("ne", a, b)):
            for w in range(self.layout.set_words):
                ia, ib = (self.keep(set_index(self.layout, place, const(w))) for place in (a, b))
                kept = self.variable(self.word(ia, kind="set"), "kept")
                self.set_word(ia, self.word(ib, kind="set"), kind="set")
                self.set_word(ib, kept, kind="set")
            la, lb = (self.keep(ir.Load("i64", ir.Data("list_offsets"), place)) for place in (a, b))
            with self.when(binary("sge", la, ZERO)):
                words = const(1 + -(-self.layout.room * self.layout.card_bytes // 8))
                pa, pb = self.keep(ir.Offset(STATE, la)), self.keep(ir.Offset(STATE, lb))
                with self.counting(ZERO, words) as i:
                    kept = self.variable(self.word(i, pa), "kept")
                    self.set_word(i, self.word(i, pb), pa)
                    self.set_word(i, kept, pb)
            for place in (a, b):
                with self.each_in_set(self.set_of(InPlace(place, False, False))) as card:
                    self.emit(set_where(self.layout, card, place))
