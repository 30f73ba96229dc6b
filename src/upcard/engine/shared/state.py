"""Base class of states in both engines: moves, record, observations.

An engine adds listing alternatives, applying moves and advancing to the next decision.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from upcard.arguments import BadArgument, check_instance, check_seat, check_whole, list_of
from upcard.engine.api import (
    Ending,
    Failure,
    Given,
    IllegalMove,
    Limits,
    Move,
    Observation,
    Outcome,
    Record,
    Stacked,
    rank,
)
from upcard.engine.native.cache import code_digest
from upcard.engine.rng import Stream
from upcard.engine.shared import views
from upcard.engine.shared.alternatives import Alternative
from upcard.engine.shared.flat_program import Ask
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.given import given_storages
from upcard.engine.shared.knowledge import Knowledge
from upcard.engine.shared.table import Table
from upcard.engine.state import State


class BaseState(State):
    """A game in progress, as a value: it can be copied and compared."""

    def __init__(
        self,
        game: LoadedGame,
        seed: int,
        number: int,
        stacked: Stacked,
        limits: Limits,
        recording: bool,
        given: Given | None = None,
    ) -> None:
        check_whole("a seed", seed)
        check_whole("the number of a deal", number)
        check_instance("limits", limits, Limits)
        _check_stacked(stacked)
        self.seed, self.number = seed, number
        self.given: Given = dict(game.given_outside_a_match(number) if given is None else given)
        given_storages(self.given, game.seats)
        self.limits = limits
        self.decisions = 0
        self._outcome: Outcome | None = None
        self._moves: list[Move] | None = None
        self._shown: list[tuple[Move, int]] | None = None
        header: Record = {"do": "game", **game.identity, "seed": seed, "deal": number}
        if stacked:
            header["stacked"] = [None if order is None else list(order) for order in stacked]
        if self.given:
            header["given"] = dict(self.given)
        self._record({**header, "limits": limits.to_json()})

    # --- implemented by engines -----------------------------------------------------------------

    game: LoadedGame

    @property
    @abstractmethod
    def table(self) -> Table:
        """Cards, storages and cycles as they are now."""

    @property
    @abstractmethod
    def knowledge(self) -> Knowledge | None:
        """What the seats know; None in a game dealt without recording."""

    @property
    @abstractmethod
    def alternatives(self) -> list[Alternative]:
        """The alternatives of the open decision, in the order of listing."""

    @property
    @abstractmethod
    def choices(self) -> int:
        """Number of alternatives, without building moves."""

    @property
    @abstractmethod
    def ask(self) -> Ask:
        """The choice that is being made."""

    @abstractmethod
    def records_seen_by(self, seat: int) -> tuple[Record, ...]:
        """The record as one seat sees it; empty in a game dealt without recording."""

    @abstractmethod
    def _record(self, entry: Record) -> None:
        """Adds a line to the record, if there is one."""

    @abstractmethod
    def list_watching(self, hidden: frozenset[int]) -> tuple[list[Alternative], Stream]:
        """The alternatives with `peeked` set, for these hidden cards, and the stream of the listing."""

    def __getstate__(self) -> dict[str, Any]:
        """The attributes without those that are computed again."""
        kept = dict(self.__dict__)
        del kept["_moves"], kept["_shown"]
        return {**kept, "code": code_digest("recycle", "engine")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        if kept.pop("code") != code_digest("recycle", "engine"):
            raise BadArgument("this state was pickled by another version of Upcard; play its moves again")
        self.__dict__.update(kept)
        self._moves = self._shown = None

    # --- the API -------------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        return None if self._outcome is not None else self.table.current

    @property
    def outcome(self) -> Outcome | None:
        return self._outcome

    @property
    def moves(self) -> list[Move]:
        if self._moves is None:
            self._moves = views.moves(self, self.alternatives)
        return self._moves

    @property
    def faces(self) -> dict[str, Mapping[str, str]]:
        """The attributes of every card by id."""
        return {card.id: card.attributes for card in self.table.cards}

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        return self.table.teams

    @property
    def shown(self) -> list[tuple[Move, int]]:
        """The alternatives as their chooser sees them, each with its index in `moves`."""
        if self._shown is None:
            self._shown = views.shown(self)
        return self._shown

    def observe(self, seat: int, match: dict[str, Any] | None = None) -> Observation:
        self._check_observer(seat, match)
        return views.observe(self, seat, match)

    def _check_observer(self, seat: int, match: dict[str, Any] | None) -> None:
        check_seat(seat, self.game.seats)
        if match is not None:
            check_instance("match", match, dict)

    @property
    def _mover(self) -> str:
        return "nobody" if self.to_move is None else self.game.narrator.seat(self.to_move)

    @property
    def _choices_here(self) -> int:
        return self.choices

    # --- moves and records ---------------------------------------------------------------------

    def _index_of(self, move: Move | int) -> int:
        if self._outcome is not None:
            raise IllegalMove("the game is over")
        if not isinstance(move, Move | int) or isinstance(move, bool):
            raise IllegalMove(f"{move!r:.60} is not a move; pass one of the moves, or its index")
        if isinstance(move, int):
            if not 0 <= move < self.choices:
                raise IllegalMove(f"there is no move {move}; moves are numbered 0 to {self.choices - 1}")
            return move
        found = self._find(move)
        if found is None:
            raise IllegalMove(f"{move.text or move.key} is not legal here")
        return found

    def _find(self, move: Move) -> int | None:
        """The index of a move of this state, or of an observation of it."""
        for index, known in enumerate(self.moves):
            if known == move:
                return index
        for known, index in self.shown:
            if known == move:
                return index
        return None

    def _end(self, ending: Ending, scores: list[int] | None, failure: Failure | None) -> None:
        ranks = None if scores is None else rank(scores, self.game.program.scoring.highest)
        self._moves = self._shown = None
        self._outcome = Outcome(ending, None if scores is None else tuple(scores), ranks, failure)
        entry: Record = {"do": "end", "ending": ending, "scores": scores, "ranks": ranks and list(ranks)}
        if failure is not None:
            entry["failure"] = failure.to_json()
        self._record(entry)


def _check_stacked(stacked: object) -> None:
    """Checks the type of stacked decks; a deck of wrong cards fails in play, where it is shuffled."""
    for order in list_of("stacked", stacked, "a list of card ids, or None, for each shuffle"):
        for card in () if order is None else list_of("stacked", order, "lists of card ids"):
            check_instance("a card of a stacked deck", card, str)
