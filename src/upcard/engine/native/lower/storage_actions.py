"""Lowers actions on storages, point maps, turns and teams, and decks created in play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.card_actions import Acting
from upcard.engine.native.lower.collections import InPlace
from upcard.engine.native.lower.fast.score_tables import ScoreTable
from upcard.engine.native.lower.runtime import CYCLE, DECK, POINTS, SET_INT, SET_STR, TEAMS
from upcard.recycle import program as p
from upcard.recycle.failures import TOO_MANY_MADE
from upcard.recycle.walk import below


class Storing(Acting):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._actions |= {
            p.SetInt: self._set_int,
            p.AddInt: self._add_int,
            p.SetStr: self._set_str,
            p.SetPoints: self._set_points,
            p.Cycle: self._cycle,
            p.CreateTeams: self._create_teams,
            p.CreateDeck: self._create_deck,
        }
        self.team_sites = [node for node in below(self.program) if isinstance(node, p.CreateTeams)]

    @property
    def maps_as_sets(self) -> bool:
        """What an award is for can be told card by card when it is set."""
        return self.analysis.small_maps and not self.layout.moving_faces

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
        table = self.score_tables.get(node)
        if table is not None or (self.maps_as_sets and keeps_sets(node)):
            kept = (
                self._matching(node, iter(captured)) if table is None else [self._row(node, table, captured)]
            )
            if self.logging:  # so that the map can be told, not only counted
                kept += captured
        for i, value in enumerate(kept):
            self.set_word(add(at, const(1 + i)), value)
        self.log(POINTS, at, const(self.map_sites.index(node)), *captured)

    def _row(self, node: p.SetPoints, table: ScoreTable, captured: Sequence[ir.Expr]) -> ir.Expr:
        """Where the scores lie that the captured strings lead to."""
        row: ir.Expr = ZERO
        for number, places in enumerate(table.texts):
            data = f"rows_{self.map_sites.index(node)}_{number}"
            found = [places.get(text, 0) for text in self.layout.strings]
            self.module.data[data] = b"".join(place.to_bytes(2, "little") for place in found)
            row = add(row, ir.Load("u16", ir.Data(data), captured[table.which.index(number)]))
        return self.keep(row)

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
            self.fail(node, TOO_MANY_MADE.format(layout.room), full)
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


def captured_at(node: p.SetPoints, tabled: bool, small: bool, set_words: int) -> int:
    """Where in a map's words the captured ones begin: behind its site, and its row or its sets."""
    if tabled:
        return 2
    return 1 + (len(loose_awards(node)) * set_words if small and keeps_sets(node) else 0)


def map_words(node: p.SetPoints, tabled: bool, small: bool, set_words: int) -> int:
    """How many words a map takes."""
    return captured_at(node, tabled, small, set_words) + len(captures(node))


def captures(node: p.SetPoints) -> list[p.Expr]:
    """What a point map holds on to: every key, value and amount that is not written out."""
    found: list[p.Expr] = []
    for award in node.awards:
        for key, value in award.pairs:
            found += [e for e in (key, value) if not isinstance(e, p.Str)]
        if not isinstance(award.amount, p.Int):
            found.append(award.amount)
    return found
