"""A recorded game or match, step by step: the position after every decision, for one seat or for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from upcard.engine import transcript
from upcard.engine.api import Move, Observation, Record
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.match.match_play import Match
from upcard.match.seats import names_of_sides
from upcard.terminal.saves import open_saved
from upcard.terminal.seat_view import View
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_setup import NoSuchSeat, parse_seat, replay_saved
from upcard.terminal.table_view import make_view


@dataclass
class RecordedDeal:
    """One deal: the position before its first decision, and the moves that were made."""

    start: BaseState
    match: dict[str, Any] | None
    persons: Sequence[int]
    """Who sits at each seat."""
    moves: list[Move] = field(default_factory=list)

    def position(self, played: int) -> BaseState:
        """The position after a number of moves."""
        state = self.start.copy()
        for move in self.moves[:played]:
            state.play(move)
        return state


@dataclass(frozen=True)
class Step:
    deal: int
    """Index of the deal in the recording."""
    played: int
    """Decisions made in it."""


class Recording:
    """The deals of a transcript, or of the record of a match. Reading it checks every line."""

    def __init__(self, path: Path) -> None:
        self.deals: list[RecordedDeal] = []
        first = transcript.first_line(path)
        self.is_match = first.get("do") == "match"
        self._number = -1
        self.final: list[str] = []
        """The score of each side at the end of a match that is over."""
        if self.is_match:
            saved = open_saved(path)
            self.records: Sequence[Record] = saved.lines
            match = replay_saved(saved, "native", before=self._in_match)
            self.game: LoadedGame = match.table.game
            self.names = match.table.names
            if match.over:
                sides = names_of_sides(self.names, match.table.sides)
                totals = match.board.totals
                self.final = [f"{name} {total}" for name, total in zip(sides, totals, strict=True)]
            if match.state is not None and match.board.deals != self._number:
                self._open_deal(match)
        else:
            self.records = transcript.read(path)
            replayed = transcript.replay(self.records, before=self._in_game)
            self.game = replayed.state.game
            self.names = [self.game.narrator.seat(seat) for seat in range(self.game.seats)]
            if not self.deals:  # a game without decisions
                self.deals.append(RecordedDeal(replayed.state, None, range(self.game.seats)))

    def _in_game(self, state: BaseState, line: Record) -> None:
        if not self.deals:
            self.deals.append(RecordedDeal(state.copy(), None, range(state.game.seats)))
        self.deals[0].moves.append(_move(line))

    def _in_match(self, match: Match, line: Record) -> None:
        if match.board.deals != self._number:
            self._open_deal(match)
        self.deals[-1].moves.append(_move(line))

    def _open_deal(self, match: Match) -> None:
        assert match.state is not None
        self._number = match.board.deals
        self.deals.append(RecordedDeal(match.state.copy(), match.around(), match.seating.persons))

    # --- steps ---------------------------------------------------------------------------------

    @property
    def steps(self) -> list[Step]:
        return [
            Step(number, played)
            for number, deal in enumerate(self.deals)
            for played in range(len(deal.moves) + 1)
        ]

    def person(self, given: str) -> int:
        """A player of the recording by name or number. Raises `NoSuchSeat`."""
        lowered = [name.lower() for name in self.names]
        if given.lower() in lowered:
            return lowered.index(given.lower())
        if self.is_match and not (given.isascii() and given.isdigit()):
            raise NoSuchSeat(f"there is no player {given[:40]} in this match; choose {', '.join(self.names)}")
        return parse_seat(self.game, given)

    def view(self, step: Step, person: int | None, ascii_only: bool = False) -> View:
        """The table after a step, as one person sees it, or with every hand shown."""
        deal = self.deals[step.deal]
        state = deal.position(step.played)
        observation = observe(state, None if person is None else list(deal.persons).index(person), deal.match)
        return make_view(observation, TableNarrator.at(self.game.narrator, observation, ascii_only))

    def sentences(self, deal: RecordedDeal, person: int | None, ascii_only: bool = False) -> Iterator[str]:
        """A whole deal in sentences, and its result."""
        state = deal.position(len(deal.moves))
        observation = observe(state, None if person is None else list(deal.persons).index(person), deal.match)
        narrator = TableNarrator.at(self.game.narrator, observation, ascii_only)
        yield from narrator.tell(observation.records, observation.cards)
        yield result_of(state, narrator)


def result_of(state: BaseState, narrator: TableNarrator) -> str:
    if state.outcome is None:
        return "This is as far as it was played."
    return narrator.result(state.outcome, state.teams)


def observe(state: BaseState, seat: int | None, match: dict[str, Any] | None) -> Observation:
    """What a seat sees; without a seat, what all seats see together."""
    if seat is not None:
        return state.observe(seat, match)
    seen = [state.observe(seat, match) for seat in range(state.game.seats)]
    places = {}
    for place, cards in seen[0].places.items():
        views = zip(cards, *(other.places[place] for other in seen[1:]), strict=True)
        places[place] = tuple(next((card for card in view if card is not None), None) for view in views)
    return replace(seen[0], places=places, records=tuple(state.records), moves=())


def _move(line: Record) -> Move:
    return Move(line["item"], tuple(line["picks"]), line["copy"])
