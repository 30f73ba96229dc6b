"""Lowers the start of a game: a fresh state, drawn declarations, teams, decks."""

from __future__ import annotations

from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import is_place
from upcard.engine.native.lower.blocks import Depths
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, WORK, ZERO, const
from upcard.engine.native.lower.choices import Choosing
from upcard.engine.native.lower.collections import InPlace
from upcard.engine.native.lower.runtime import AT, DECK
from upcard.recycle import program as p
from upcard.recycle.constants import constant
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


class Starting(Choosing):
    def write_setup(self) -> None:
        """setup(S, W): declared values, teams and cards; the state is all zeros but for its stream."""
        words = self.layout.words
        self.begin(Depths(0, 0), [])
        depth = words["seat_queue"] - words["seat_index"]
        for i in range(depth):
            self.set_word(words["seat_queue"] + i, MINUS)
        self.before_teams = True
        self._write_declares()
        if self.program.setup.teams is not None:
            self._create_teams(self.program.setup.teams)
        else:
            for seat in range(self.layout.seats):
                self.set_word(words["team_of"] + seat, const(seat))
                self.set_word(words["team_size"] + seat, ONE)
                self.set_word(words["members"] + seat * self.layout.seats, const(seat))
            self.set_word(words["teams"], const(self.layout.seats))
        self.before_teams = False
        runs = iter(self.layout.deck_runs)
        for line in self.program.setup.decks:
            if self.layout.moving_faces:
                self.item(line)
            else:
                self._deck_line(line, runs)
        self.emit(ir.Return(ZERO))
        self.function("setup", (STATE, WORK), exported=True, rare=True)

    def _write_declares(self) -> None:
        """Those that chance decides, in their order; a declare that always fails is where every game ends."""
        declared = self.layout.declared
        for number, declare in enumerate(self.program.declares):
            if number == declared.fails_at and declared.fault is not None:
                self.fail(declared.fault.node, declared.fault.message)
                return
            binding = declare.binding
            if binding.slot not in declared.drawn:
                continue
            self.reset_work()
            if binding.kind is Kind.CARDS and not is_place(declare.value):
                self.cards(declare.value)  # empty, but it may draw
            else:
                self._store_variable(binding, declare.value)

    def _deck_line(self, line: p.Item, runs: Any) -> None:
        if isinstance(line, p.Repeat):
            for _ in range(constant(line.count) or 0):
                self._deck_line(line.item, runs)
            return
        assert isinstance(line, p.CreateDeck)
        batch = next(runs)
        cards = self.cards(line.location)
        assert isinstance(cards, InPlace)
        place = self.keep_now(cards.place)
        self.log(DECK, place, const(batch[0] if batch else 0), const(len(batch)))
        if batch:
            with self.counting(const(batch[0]), const(batch[-1] + 1)) as card:
                self.run("put", STATE, card, place, MINUS)

    def write_deal(self) -> None:
        """deal(S, W, seed, deal): a fresh state at its first decision; the depth of the seat cycle there."""
        seed, number = ir.Local("seed", "int"), ir.Local("deal", "int")
        words = self.layout.words
        size = const(self.layout.size // 8)
        name = self.variable(self.call("name_word", ZERO, seed), "h")
        self.set(name, self.call("name_word", name, number))
        self.set(name, self.call("name_word", name, ZERO))
        # the setup is the same for every deal unless it draws: done once, then copied
        image = ir.Offset(WORK, const(self.room.image_at))
        chancy = any(
            isinstance(n, p.Random | p.BestCard)
            for part in (*self.program.declares, self.program.setup)
            for n in below(part)
        )
        alike = not chancy and not self.logging
        if alike:
            with self.when(self.word(AT["imaged"], WORK)):
                self.run("copy", STATE, image, size)
                self._name(name)
                self.emit(ir.Return(ZERO))
        with self.counting(ZERO, size) as i:
            self.emit(ir.Store("i64", STATE, i, ZERO))
        self._name(name)
        status = self.variable(self.call("setup", STATE, WORK), "status")
        with self.when(status):
            self._fault(status)
            self.emit(ir.Return(ZERO))
        if alike:
            self.run("copy", image, STATE, size)
            self.set_word(AT["imaged"], ONE, WORK)
        self.emit(ir.Return(ZERO))
        self.function("begin", (STATE, WORK, seed, number))
        self.run("begin", STATE, WORK, seed, number)
        if self.logging:  # whoever steps reads the notes of the setup first
            self.emit(ir.Return(ZERO))
        else:
            with self.when(self.word(words["ending"])):
                self.emit(ir.Return(ZERO))
            self.emit(ir.Return(self.call("advance", STATE, WORK)))
        self.function("deal", (STATE, WORK, seed, number), exported=True)

    def _name(self, name: ir.Expr) -> None:
        """The game's stream begins."""
        words = self.layout.words
        self.set_word(words["name"], name)
        self.run("seed_stream", ir.Offset(STATE, const(8 * words["c0"])), name)
