"""The quick player: takes the alternative that does best in a few random playouts, each in a new guess."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from upcard.engine.api import Limits, Observation, Record, walk_records
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.lower.runtime import AT
from upcard.engine.native.state_memory import Memory, given_words
from upcard.engine.rng import Stream
from upcard.lazy import lazy_property
from upcard.players.belief.determinization import Worlds
from upcard.players.belief.history import Inconsistent
from upcard.players.protocol import Budget, Decision
from upcard.players.search.action_id import MAX_SEATS
from upcard.players.search.memoryless import MemorylessPlayer
from upcard.players.search.quick_likelihood import Watcher
from upcard.players.search.quick_play import LEAST_GUESSES, MAX_TRIED, NOWHERE, QuickPlay
from upcard.players.search.rollout import FAILED, Utility
from upcard.players.search.search_code import SearchCode, machine_of
from upcard.players.search.utility import utility_of
from upcard.players.search.visibility import visibility_of

PLAYOUTS = 32
"""Of a decision."""
WATCHED = 4
"""How many times as many guesses as the player takes itself tell how likely its move is."""
LOOKAHEAD = 60
"""Decisions in a random playout, which is then scored as it stands. Games in which random play goes on and on
are looked at this far."""


class QuickTable:
    """The quick players of all seats, for one score of a match."""

    def __init__(
        self,
        machine: SearchCode,
        utilities: Sequence[Utility],
        limits: Limits | None = None,
        playouts: int = PLAYOUTS,
    ) -> None:
        self.machine = machine
        layout = machine.layout
        cards = len(layout.cards)
        backs = {back: n for n, back in enumerate(dict.fromkeys(card.back for card in layout.cards))}
        self.watched = WATCHED
        """Set before the first question how likely moves are."""
        self._limits = limits or Limits()
        self._nowhere = array("q", [NOWHERE] * cards)
        self._homes = array("q", self._nowhere)
        self._backs = array("q", [backs[card.back] for card in layout.cards])
        self._scratch = array("q", bytes(8 * 4 * cards))
        self._values = array("d", bytes(2 * 8 * MAX_TRIED))
        self._stream = array("q", bytes(32))
        self._room = Memory(2 * layout.size)
        packed = [bytes(utility.bytes) for utility in utilities]
        stride = max(map(len, packed))
        self._utilities = bytearray(b"".join(data.ljust(stride, b"\0") for data in packed))
        self.words = QuickPlay.pack(
            game=machine.facts,
            visibility=visibility_of(machine).table,
            work=machine.work.address,
            utilities=ctypes.addressof(ctypes.c_char.from_buffer(self._utilities)),
            stride=stride,
            room=self._room.address,
            homes=_address(self._homes),
            backs=_address(self._backs),
            scratch=_address(self._scratch),
            values=_address(self._values),
            stream=_address(self._stream),
            playouts=playouts,
            cards=cards,
            places=len(layout.places),
            back_count=len(backs),
            all_seats=(1 << layout.seats) - 1,
            decisions_at=layout.words["decisions"],
            most_decisions=LOOKAHEAD,
            most_decisions_at=machine.work.plan.most_decisions_at,
            deal_decisions=self._limits.decisions,
            listed_at=AT["choices"],
            runs_at=AT["runs"],
        )

    @classmethod
    def at(
        cls,
        game: NativeGame,
        observation: Observation,
        limits: Limits | None = None,
        playouts: int = PLAYOUTS,
    ) -> QuickTable:
        """The players around the seat that observes."""
        utilities = [utility_of(game, replace(observation, seat=seat)) for seat in range(observation.seats)]
        return cls(machine_of(game), utilities, limits, playouts)

    @classmethod
    def of_deals(cls, game: NativeGame, playouts: int = PLAYOUTS) -> QuickTable:
        """The players of deals that are played for points; without playouts they play at random."""
        seen = game.deal(0, 0).observe(0)
        return cls.at(game, replace(seen, match=None), None, playouts)

    @property
    def listed(self) -> int:
        """Alternatives listed in all playouts so far."""
        return int(self.words.listed)

    @property
    def runs(self) -> int:
        """Items run to list them: what playouts cost where alternatives cannot be read off a set of cards."""
        return int(self.words.runs)

    def begin(self, homes: Sequence[int]) -> None:
        """Prepares for a deal in which everybody saw these cards go to these places."""
        self._homes[:] = array("q", homes)
        self.machine.listed = None
        self.machine.work.limits(self._limits.decisions, self._limits.steps)

    def choose(self, state: Memory, name: int) -> int:
        """The choice of the seat to move."""
        return int(self.machine.code.choose_now(self.words, state.address, name))

    def scores(self, state: Memory) -> tuple[int, ...] | None:
        """By seat, when a deal is over; None where it failed."""
        layout = self.machine.layout
        if state.words[layout.words["ending"]] == FAILED:
            return None
        at = layout.words["scores"]
        return tuple(state.words[at : at + layout.seats])

    @property
    def chosen(self) -> int:
        """Decisions with a choice that quick players took so far."""
        return int(self.words.chosen)

    def value(self, state: Memory, seat: int) -> float:
        """What the end of a deal is worth to a seat."""
        return float(self.machine.code.value_to(self.words, state.address, seat))

    def deal(self, state: Memory, seed: int, number: int) -> int:
        """Plays a whole deal; gives how it ended."""
        self.begin(self._nowhere)
        given = self.machine.game.given_outside_a_match(number)
        self.machine.work.give(given_words(self.machine.layout, given))
        return int(self.machine.code.deal_quickly(self.words, state.address, seed, number))

    def play(self, state: Memory, name: int) -> int:
        """Plays the deal out from a decision whose alternatives are listed; gives how it ended."""
        return int(self.machine.code.play_quickly(self.words, state.address, name))

    def begin_move(self, state: Memory, index: int) -> int:
        """Carries out an alternative, and goes on to the next decision; gives who decides there, or -1."""
        return int(self.machine.code.begin_move(self.words, state.address, index))

    def likely(self, worlds: Worlds, seat: int, name: int) -> float:
        """How likely quick players make the moves that a seat saw, in the world that was sampled last. The
        homes of cards are set."""
        return float(self.machine.code.likely_history(self.watcher, worlds.words, seat, name))

    @lazy_property
    def watcher(self) -> Watcher:
        """For the likelihood of moves."""
        room = self.watched * max(int(self.words.playouts), LEAST_GUESSES * MAX_TRIED)
        self._rows, self._order = array("d", bytes(8 * room)), array("q", bytes(8 * room))
        self._watched = Memory(self.machine.layout.size)
        return Watcher.pack(
            quick=self.words,
            rows=_address(self._rows),
            room=room,
            order=_address(self._order),
            state=self._watched.address,
            watched=self.watched,
        )


def can_play_quickly(game: NativeGame) -> bool:
    """Whether guesses can be made: all cards are known when the game is loaded, and seats are few enough."""
    layout = game.playing.layout
    return bool(layout.cards) and layout.seats < MAX_SEATS


def _address(buffer: array[Any]) -> int:
    return buffer.buffer_info()[0]


def public_homes(machine: SearchCode, observation: Observation) -> list[int]:
    """Per card where everybody saw it go, by the record; `quick_play.NOWHERE` if nobody can tell."""
    homes = [NOWHERE] * len(machine.layout.cards)
    open_to_all = {
        n
        for n, place in enumerate(machine.layout.places)
        if len(place.seats_that_see(machine.layout.seats)) == machine.layout.seats
    }
    for moved, source, target in _moves(observation.records):
        there = machine.places[target]
        seen = there in open_to_all or machine.places.get(source) in open_to_all
        homes[machine.numbers[moved]] = there if seen else NOWHERE
    for text, cards in observation.places.items():
        if machine.places[text] in open_to_all:
            for card in cards:
                if card is not None:
                    homes[machine.numbers[card]] = machine.places[text]
    return homes


def _moves(records: Sequence[Record]) -> Iterator[tuple[str, str, str]]:
    for record in walk_records(records):
        if record["do"] == "move" and record.get("card") is not None:
            yield record["card"], str(record["from"]), str(record["to"])


class Quick(MemorylessPlayer):
    """One seat's player for one deal. It gives no values: its few playouts serve to choose only."""

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        moves = observation.moves
        self.counts.decisions += 1
        self.counts.forced += len(moves) == 1
        if len(moves) == 1:
            return Decision(moves[0])
        stream = Stream((*self._name, observation.decision))
        hidden = any(None in pick.values() for move in moves for pick in move.picks)
        try:
            replay = self._replay(observation)
        except Inconsistent:
            return Decision(moves[stream.below(len(moves))], guessed=True)
        playouts = budget.playouts or self.usual.playouts or PLAYOUTS
        table = QuickTable.at(self.game, observation, replay.limits, playouts)
        table.begin(public_homes(table.machine, observation))
        index = table.choose(replay.state, signed(stream.name))
        if hidden or not 0 <= index < len(moves):
            # face-down cards have no order that the seat may know
            index = stream.below(len(moves))
        return Decision(moves[index])


__all__ = ["PLAYOUTS", "Quick", "QuickTable", "public_homes"]
