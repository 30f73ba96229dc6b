"""Finds one decision in a transcript, a match record or a saved match.

A file holds every card; callers get only the observation of the deciding seat, and its move.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.engine import transcript
from upcard.engine.api import Move, Observation, Record
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.match.match_play import Match
from upcard.recycle.diagnostics import Refused
from upcard.terminal.saves import open_saved
from upcard.terminal.table_setup import replay_saved


class NoSuchDecision(Refused):
    """The file has fewer decisions."""


@dataclass(frozen=True)
class RecordedDecision:
    game: LoadedGame
    observation: Observation
    played: Move | None
    """As its seat saw the move; None for a decision not yet made."""
    number: int
    """Counted from 1 through the whole file."""
    of: int


def recorded(path: Path, at: int | None = None) -> RecordedDecision:
    """Decision number `at`; without a number, the last one with more than one option.

    In an unfinished match, the number after the last recorded one is the current decision.
    """
    if at is not None and at < 1:
        raise NoSuchDecision(f"--at counts decisions from 1, not {at}")
    first = transcript.first_line(path)
    finder = _Finder(at)
    if first.get("do") == "match":
        match = replay_saved(open_saved(path), "native", before=finder.in_match)
        game = match.table.game
        if not match.over and match.state is not None and at == finder.count + 1:
            finder.in_match(match, None)
    else:
        game = transcript.replay(transcript.read(path), finder.in_deal).state.game
    if finder.found is None:
        there = f"{path} has decisions 1 to {finder.count}" if finder.count else f"{path} has no decision"
        raise NoSuchDecision(f"{there}, not {at}" if at is not None else f"{there} with a choice in it")
    observation, played, number = finder.found
    return RecordedDecision(game, observation, played, number, finder.count)


class _Finder:
    """Follows the replay of a file and keeps the requested decision."""

    def __init__(self, at: int | None) -> None:
        self.at = at
        self.count = 0
        self.found: tuple[Observation, Move | None, int] | None = None

    def in_deal(self, state: BaseState, line: Record) -> None:
        self._visit(state, line, None)

    def in_match(self, match: Match, line: Record | None) -> None:
        assert match.state is not None
        self._visit(match.state, line, match.around())

    def _visit(self, state: BaseState, line: Record | None, match_around: dict[str, Any] | None) -> None:
        number = self.count + 1
        if line is not None:
            self.count = number
        if number == self.at or (self.at is None and state.choices > 1):
            assert state.to_move is not None
            played = None
            if line is not None:
                played = shown_move(state, Move(line["item"], tuple(line["picks"]), line["copy"]))
            self.found = (state.observe(state.to_move, match_around), played, number)


def shown_move(state: BaseState, move: Move) -> Move | None:
    """The move as its seat saw it, with face-down cards hidden."""
    index = next((at for at, known in enumerate(state.moves) if known == move), None)
    return next((shown for shown, at in state.shown if at == index), None)
