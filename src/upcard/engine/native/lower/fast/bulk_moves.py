"""Moves several cards at once as a set: emptying a place, or dealing from the top of one."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, ZERO, binary, const
from upcard.engine.native.lower.card_actions import NO_CARD_TO_MOVE
from upcard.engine.native.lower.collections import InPlace
from upcard.engine.native.lower.runtime import change_set, set_index, set_where, sets_of
from upcard.engine.native.lower.storage_actions import Storing
from upcard.recycle import program as p
from upcard.recycle.walk import below


class Moving(Storing):
    def moves_many(self, move: p.Move) -> bool:
        """Cards are dealt from the top of a place that keeps its order into one that keeps none."""
        if not self.moves_plainly(move):
            return False
        assert isinstance(move.card, p.EndCard)
        with self.block():
            source = self.cards(move.card.cards)
        assert isinstance(source, InPlace)
        return bool(source.ordered) and move.card.end == "top"

    def move_many(self, move: p.Move, count: ir.Expr) -> None:
        """Both sets are changed once for all cards. Where there are too few nothing is moved: the game fails
        in any case, and nobody reads where its cards lie."""
        assert isinstance(move.card, p.EndCard)
        assert isinstance(move.place, p.EndCard)
        source, target = self.cards(move.card.cards), self.cards(move.place.cards)
        assert isinstance(source, InPlace)
        assert isinstance(target, InPlace)
        old, new = self.keep_now(source.place), self.keep_now(target.place)
        base = self.keep(self.place_list(old, source.shelf))
        size = self.keep_now(self.word(0, base, "list"))
        self.fail(move, NO_CARD_TO_MOVE, binary("sgt", count, size))
        moved = tuple(self.variable(ZERO, "moved") for _ in range(self.layout.set_words))
        left = self.variable(size, "left")
        with self.counting(ZERO, count):
            self.set(left, binary("sub", left, ONE))
            card = self.keep_now(self.list_card(base, left))
            self.include(moved, card)
            self.emit(set_where(self.layout, card, new))
        self.set_word(0, left, base, "list")
        for w, word in enumerate(moved):
            left_in, put_in = (self.keep(set_index(self.layout, place, const(w))) for place in (old, new))
            change_set(self, left_in, "and", ir.Unary("not", word), source.shelf)
            change_set(self, put_in, "or", word, target.shelf)
        self.sure.clear()

    def moves_plainly(self, move: p.Move) -> bool:
        """From one place to one that keeps no order, with nobody watching each card on its way."""
        card, place = move.card, move.place
        if self.logging or self.counting_actions or not isinstance(card, p.EndCard):
            return False
        if not (isinstance(place, p.EndCard) and place.end == "top"):
            return False
        for end in (card, place):
            known = all(isinstance(node, _STILL) for node in below(end))
            if not (isinstance(end.cards, p.Location) and known and self.analysis.safe(end)):
                return False
        with self.block():  # only to see what they are; nothing of it is used
            source, target = self.cards(card.cards), self.cards(place.cards)
        assert isinstance(source, InPlace)
        assert isinstance(target, InPlace)
        return not (source.memory or target.memory) and source.ordered is not None and target.ordered is False

    def move_all(self, move: p.Move) -> None:
        assert isinstance(move.card, p.EndCard)
        assert isinstance(move.place, p.EndCard)
        source, target = self.cards(move.card.cards), self.cards(move.place.cards)
        assert isinstance(source, InPlace)
        assert isinstance(target, InPlace)
        old, new = self.keep_now(source.place), self.keep_now(target.place)
        moved = tuple(self.keep_now(word) for word in self.set_of(source))
        apart = None not in (source.shelf, target.shelf) and source.shelf is not target.shelf
        with self.when(ONE if apart else binary("ne", old, new)):
            for w, word in enumerate(moved):
                self.set_word(set_index(self.layout, old, const(w)), ZERO, kind=sets_of(source.shelf))
                change_set(self, set_index(self.layout, new, const(w)), "or", word, target.shelf)
            if source.ordered:
                self.set_word(0, ZERO, self.place_list(old, source.shelf), "list")
            with self.each_in_set(moved) as card:
                self.emit(set_where(self.layout, card, new))
        self.sure.clear()


_STILL = (p.EndCard, p.Location, p.Table, p.SeatAt, p.SeatNumber, p.Var, p.Int, p.Str)
"""What stands for the same place however many cards have moved."""
