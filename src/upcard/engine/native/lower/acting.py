"""Simple actions: operands first, left to right; then the change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, WORK, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.collecting import AsList, AsSet, Cards, InPlace
from upcard.engine.native.lower.grouping import Grouping
from upcard.engine.native.lower.runtime import (
    AT,
    CYCLE,
    DECK,
    EFFECTS_AT,
    EXCHANGE,
    FORGET,
    MOST_EFFECTS,
    MOVE,
    PASS,
    POINTS,
    REMEMBER,
    SET_INT,
    SET_STR,
    SHUFFLE,
    SWAP,
    TEAMS,
    bit_parts,
    set_index,
    where_index,
    where_width,
)
from upcard.recycle import program as p
from upcard.recycle.limits import MOST_REFERENCES, TOO_MANY_REFERENCES
from upcard.recycle.walk import below

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


class Acting(Grouping):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._actions = {
            p.Move: self._move,
            p.Remember: self._remember,
            p.Forget: self._forget,
            p.Shuffle: self._shuffle,
            p.Swap: self._swap,
            p.SetInt: self._set_int,
            p.AddInt: self._add_int,
            p.SetStr: self._set_str,
            p.SetPoints: self._set_points,
            p.Cycle: self._cycle,
            p.Pass: lambda n: self.log(PASS),
            p.CreateTeams: self._create_teams,
            p.CreateDeck: self._create_deck,
        }
        self.team_sites = [node for node in below(self.program) if isinstance(node, p.CreateTeams)]
        self.sure = {}
        self.counting_actions = False
        """Inside an item that alternatives are listed of, each action is counted."""

    sure: dict[int, ir.Expr]
    """Cards in variables that certainly still lie in a place without order: the place, by slot."""

    @property
    def maps_as_sets(self) -> bool:
        """What an award is for can be told card by card when it is set."""
        return self.analysis.small_maps and not self.layout.moving_faces

    logging = False
    """Code that notes every effect, for those who step through a game; playouts do without."""

    def log(self, kind: int, *values: ir.Expr) -> None:
        """Note an effect: its number, how many words follow, and the words."""
        if not self.logging:
            return
        at = self.keep_now(add(self.word(AT["effects"], WORK), const(EFFECTS_AT)))
        full = binary("sgt", at, const(EFFECTS_AT + MOST_EFFECTS - SPARE_EFFECTS))
        self.fail(self.program, "more was done at once than can be noted", full)
        for i, value in enumerate((const(kind), const(len(values)), *values)):
            self.set_word(add(at, const(i)), value, WORK)
        self.set_word(AT["effects"], binary("sub", add(at, const(2 + len(values))), const(EFFECTS_AT)), WORK)

    def act(self, node: p.Action) -> None:
        self._actions[type(node)](node)  # type: ignore[operator]
        if not isinstance(node, p.SetInt | p.SetStr | p.AddInt | p.SetPoints | p.Pass):
            self.sure.clear()
        if self.counting_actions:
            self.set_word(AT["done"], ONE, WORK)

    def look(self, card: ir.Expr) -> None:
        if self.logging and self.counting_actions:
            self.run("look", WORK, card)

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
        return Spot(self.keep(self.where(card)), ZERO, "card", card, False)

    def _in(self, node: p.Expr, cards: Cards, index: ir.Expr, kind: str) -> Spot:
        if not isinstance(cards, InPlace):
            self.fail(node, "cards are put into a location, not into a computed collection")
            return Spot(ZERO, ZERO, kind, ZERO, False)
        return Spot(cards.place, index, kind, ZERO, cards.memory, cards.ordered)

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
            self.fail(node, "there is no card to move", binary("slt", what.card, ZERO))
        if isinstance(what.of, InPlace) and what.of.memory:
            self.fail(node, "a memory holds no cards that could be moved")
        if where.memory:
            self.fail(node, "a card cannot be moved into a memory; remember it there")
            return
        place = self.keep(where.place)
        if self.logging:
            source = self.keep_now(self.where(what.card))
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
            place = self.sure[node.binding.slot]
            word, bit = bit_parts(self, self.layout, what.card)
            index = self.keep(set_index(self.layout, place, word))
            self.set_word(index, binary("and", self.word(index), ir.Unary("not", bit)))
            return
        at_end = isinstance(node, p.EndCard | p.TopOf) and isinstance(of, InPlace) and of.ordered is not None
        if not at_end or (of.ordered and what.at != MINUS):  # type: ignore[union-attr]
            self.run("take", STATE, what.card)
            return
        assert isinstance(of, InPlace)
        word, bit = bit_parts(self, self.layout, what.card)
        index = self.keep(set_index(self.layout, of.place, word))
        self.set_word(index, binary("and", self.word(index), ir.Unary("not", bit)))
        if of.ordered:
            base = self.keep(self.place_list(of.place))
            self.set_word(0, binary("sub", self.word(0, base), ONE), base)

    def _put(self, card: ir.Expr, place: ir.Expr, where: Spot) -> None:
        if where.kind != "top" or where.ordered is None:
            self.run("put", STATE, card, place, where.at)
            return
        word, bit = bit_parts(self, self.layout, card)
        index = self.keep(set_index(self.layout, place, word))
        self.set_word(index, binary("or", self.word(index), bit))
        self.emit(ir.Store("u16", STATE, where_index(self.layout, card), place))
        if where.ordered:
            self.append(self.keep(self.place_list(place)), card)

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
            self.log(REMEMBER, what.card, self.where(what.card), where.place, i)

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
                head = self.keep(add(noted, const(EFFECTS_AT + 5)))
                with self.counting(ZERO, size) as i:
                    self.set_word(add(head, i), ir.Load(self.width, body, i), WORK)
                self.set_word(add(noted, const(EFFECTS_AT + 1)), add(size, const(3)), WORK)
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
            self.log(
                EXCHANGE, left.card, self.where(left.card), bys[0], right.card, self.where(right.card), bys[1]
            )
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
            self.set_word(at, ir.Binary(op, self.word(at), mask))
        self.emit(ir.Store(where_width(self.layout), STATE, where_index(self.layout, card), new))

    def _swap_places(self, node: p.Node, a: ir.Expr, b: ir.Expr) -> None:
        """Sets are exchanged word by word, lists as wholes, and every card is told where it lies now."""
        with self.when(binary("ne", a, b)):
            for w in range(self.layout.set_words):
                ia, ib = (self.keep(set_index(self.layout, place, const(w))) for place in (a, b))
                kept = self.variable(self.word(ia), "kept")
                self.set_word(ia, self.word(ib))
                self.set_word(ib, kept)
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
                    self.emit(
                        ir.Store(where_width(self.layout), STATE, where_index(self.layout, card), place)
                    )

    # --- storages ------------------------------------------------------------------------------

    def _set_int(self, node: p.SetInt) -> None:
        at = self.store(node.store, self.layout.ints)
        value = self.keep(self.value(node.value))
        self.set_word(at, value)
        self.log(SET_INT, at, value)

    def _add_int(self, node: p.AddInt) -> None:
        at = self.store(node.store, self.layout.ints)
        amount = self.keep(self.value(node.amount)) if node.amount is not None else ONE
        here = self.keep(self.word(at))
        op = "add" if node.sign == 1 else "sub"
        if not self.analysis.tame(node.store):
            self.fail(node, "the result does not fit in 64 bits", ir.Binary(f"s{op}_over", here, amount))
        result = self.keep_now(ir.Binary(op, here, amount))
        self.set_word(at, result)
        self.log(SET_INT, at, result)

    def _set_str(self, node: p.SetStr) -> None:
        at = self.store(node.store, self.layout.strs)
        value = self.keep(self.value(node.value))
        self.set_word(at, value)
        self.log(SET_STR, at, value)

    def _set_points(self, node: p.SetPoints) -> None:
        """A map is the number of the form that set it, and what that form's strings and amounts were."""
        at = self.store(node.store, self.layout.maps, self.layout.map_stride)
        captured = [self.keep_now(self.value(e)) for e in captures(node)]
        self.set_word(at, const(1 + self.map_sites.index(node)))
        kept: list[ir.Expr] = list(captured)
        if self.maps_as_sets and keeps_sets(node):
            kept = self._matching(node, iter(captured))
            if self.logging:  # so that the map can be told, not only counted
                kept += captured
        for i, value in enumerate(kept):
            self.set_word(add(at, const(1 + i)), value)
        self.log(POINTS, at, const(self.map_sites.index(node)), *captured)

    def _matching(self, node: p.SetPoints, captured: Iterator[ir.Expr]) -> list[ir.Expr]:
        """Of each award that is not in the table: the cards that it is for."""
        kept: list[ir.Expr] = []
        for award in loose_awards(node):
            words: tuple[ir.Expr, ...] = (MINUS,) * self.layout.set_words
            for key, value in award.pairs:
                assert isinstance(key, p.Str)
                wanted = (
                    const(self.layout.strings[value.text]) if isinstance(value, p.Str) else next(captured)
                )
                more = self.cards_with(key.text, wanted)
                words = tuple(binary("and", a, b) for a, b in zip(words, more, strict=True))
            kept += words
        return kept

    # --- turns ---------------------------------------------------------------------------------

    def _cycle(self, node: p.Cycle) -> None:
        seat = self.keep_now(self.value(node.player))
        self.log(CYCLE, const(int(node.which == "current")), seat)
        name = "seat_queue" if node.which == "next" else "seat_index"
        self.set_word(self.layout.words[name] + self.seat_depth, seat)

    # --- teams and decks -----------------------------------------------------------------------

    def _create_teams(self, node: p.CreateTeams) -> None:
        words, seats = self.layout.words, self.layout.seats
        listed = [
            [self.keep(binary("sub", self.value(n), const(self.program.base))) for n in team]
            for team in node.teams
        ]
        for team in listed:
            for seat in team:
                if not isinstance(seat, ir.Const):
                    said = add(seat, const(self.program.base))
                    self.fail(node, "there is no player {}", binary("uge", seat, const(seats)), said)
        for number in range(seats):
            self.set_word(words["team_of"] + number, MINUS)
        for number, team in enumerate(listed):
            for i, seat in enumerate(team):
                at = self.keep(add(seat, const(words["team_of"])))
                self.fail(node, "a player is named in two teams", binary("sge", self.word(at), ZERO))
                self.set_word(at, const(number))
                self.set_word(words["members"] + number * seats + i, seat)
            self.set_word(words["team_size"] + number, const(len(team)))
        teams = self.variable(const(len(listed)), "teams")
        for number in range(seats):
            with self.when(binary("slt", self.word(words["team_of"] + number), ZERO)):
                self.set_word(words["team_of"] + number, teams)
                self.set_word(add(scaled_seats(teams, seats), const(words["members"])), const(number))
                self.set_word(add(teams, const(words["team_size"])), ONE)
                self.set(teams, add(teams, ONE))
        self.set_word(words["teams"], teams)
        depth = words["teams"] - words["team_index"]
        for i in range(depth):
            self.set_word(words["team_index"] + i, ZERO)
        self.log(TEAMS, const(self.team_sites.index(node)), *(seat for team in listed for seat in team))
        for space, stride in (
            (self.layout.ints, 1),
            (self.layout.strs, 1),
            (self.layout.maps, self.layout.map_stride),
        ):
            for (kind, _), first in space.items():
                if kind == "team":
                    for i in range(seats * stride):
                        self.set_word(first + i, ZERO)

    def _create_deck(self, node: p.CreateDeck) -> None:
        """Only where faces lie in the state; a card's number is the order in which it is made."""
        layout = self.layout
        back = self.keep(self.value(node.back)) if node.back is not None else const(layout.strings["DEFAULT"])
        cards = self.cards(node.location)
        assert isinstance(cards, InPlace)
        place = self.keep_now(cards.place)
        texts, faces = planned(node.attributes)
        values = self.allocate(node, const(8 * len(texts)))
        for number, text in enumerate(texts):
            self.set_word(number, self.value(text), values)
        count = const(len(faces))
        first = self.keep_now(self.word(layout.words["cards"]))
        if layout.facts.cards_at_most is None:
            full = binary("sgt", add(first, count), const(layout.room))
            self.fail(node, f"this game has at most {layout.room:,} cards", full)
        width = max(len(face) for face in faces)
        data = f"deck_{node.span.start}"
        # faces of fewer attributes say their last one again
        padded = [(*face, *[face[-1]] * (width - len(face))) for face in faces]
        self.module.data[data] = b"".join(
            n.to_bytes(2, "little") for face in padded for pair in face for n in pair
        )
        at = self.variable(ZERO, "at")
        with self.counting(ZERO, count) as i:
            card = self.keep(add(first, i))
            self.emit(ir.Store("u16", STATE, add(card, const(layout.backs_at // 2)), back))
            with self.counting(ZERO, const(width)):
                key = self.word(ir.Load("u16", ir.Data(data), at), values)
                value = self.word(ir.Load("u16", ir.Data(data), add(at, ONE)), values)
                row = self.keep(ir.Load("i64", ir.Data("key_rows"), key))
                index = add(add(card, scaled(row, layout.room)), const(layout.faces_at // 2))
                self.emit(ir.Store("u16", STATE, index, value))
                self.set(at, add(at, const(2)))
            self.run("put", STATE, card, place, MINUS)
        self.set_word(layout.words["cards"], add(first, count))
        self.log(DECK, place, first, count)


def planned(attributes: tuple[p.Attribute, ...]) -> tuple[list[p.Expr], list[tuple[tuple[int, int], ...]]]:
    """The keys and values of a deck in the order they are evaluated; and of each face which of them it has,
    as pairs of key and value, a later pair prevailing over an earlier one of the same key."""
    texts: list[p.Expr] = []

    def number(text: p.Expr) -> int:
        texts.append(text)
        return len(texts) - 1

    def faces(attributes: tuple[p.Attribute, ...]) -> list[tuple[tuple[int, int], ...]]:
        found: list[tuple[tuple[int, int], ...]] = [()]
        for attribute in attributes:
            key = number(attribute.key)
            leaves = []
            for child in attribute.children:
                pair = (key, number(child.value))
                leaves += [(pair, *lower) for lower in faces(child.below)]
            found = [(*face, *leaf) for face in found for leaf in leaves]
        return found

    made = faces(attributes)
    return texts, made


def scaled_seats(teams: ir.Expr, seats: int) -> ir.Expr:
    return binary("mul", teams, const(seats))


def loose_awards(node: p.SetPoints) -> list[p.Award]:
    """Awards that depend on more than the card."""
    return [a for a in node.awards if captures(p.SetPoints(node.span, node.store, (a,)))]


def keeps_sets(node: p.SetPoints) -> bool:
    """Whether the sets of cards that its awards are for can be worked out when the map is set."""
    return all(
        isinstance(award.amount, p.Int) and all(isinstance(key, p.Str) for key, _ in award.pairs)
        for award in loose_awards(node)
    )


def captured_at(node: p.SetPoints, small: bool, set_words: int) -> int:
    """Where in a map's words the captured ones begin: behind its site and its sets."""
    return 1 + (len(loose_awards(node)) * set_words if small and keeps_sets(node) else 0)


def map_words(node: p.SetPoints, small: bool, set_words: int) -> int:
    """How many words a map takes."""
    return captured_at(node, small, set_words) + len(captures(node))


def captures(node: p.SetPoints) -> list[p.Expr]:
    """What a point map holds on to: every key, value and amount that is not written out."""
    found: list[p.Expr] = []
    for award in node.awards:
        for key, value in award.pairs:
            found += [e for e in (key, value) if not isinstance(e, p.Str)]
        if not isinstance(award.amount, p.Int):
            found.append(award.amount)
    return found
