"""Finds one decision in a transcript, a match record or a saved match.

The file tells every card; what is given on is what the one who had to decide saw, and what it did.
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
from upcard.terminal.table_setup import looked_at


class NoSuchDecision(Refused):
    """A number that the file does not go up to."""


@dataclass(frozen=True)
class Recorded:
    game: LoadedGame
    observation: Observation
    played: Move | None
    """Under the name its chooser was shown; None for a decision that is still to be taken."""
    number: int
    """From 1, through the whole file."""
    of: int


def recorded(path: Path, at: int | None = None) -> Recorded:
    """Decision number `at`; without a number, the last one in which there was anything to choose.

    One more than there are is the decision that a match stands at.
    """
    if at is not None and at < 1:
        raise NoSuchDecision(f"--at counts decisions from 1, not {at}")
    first = transcript.first_line(path)
    finder = _Finder(at)
    if first.get("do") == "match":
        match = looked_at(open_saved(path), "native", before=finder.in_match)
        game = match.table.game
        if not match.over and match.state is not None and at == finder.count + 1:
            finder.in_match(match, None)
    else:
        game = transcript.replay(transcript.read(path), finder.in_deal).state.game
    if finder.found is None:
        there = f"{path} has decisions 1 to {finder.count}" if finder.count else f"{path} has no decision"
        raise NoSuchDecision(f"{there}, not {at}" if at is not None else f"{there} with a choice in it")
    observation, played, number = finder.found
    return Recorded(game, observation, played, number, finder.count)


class _Finder:
    """Goes along while a file is played again, and keeps the decision that is wanted."""

    def __init__(self, at: int | None) -> None:
        self.at = at
        self.count = 0
        self.found: tuple[Observation, Move | None, int] | None = None

    def in_deal(self, state: BaseState, line: Record) -> None:
        self._look(state, line, None)

    def in_match(self, match: Match, line: Record | None) -> None:
        assert match.state is not None
        self._look(match.state, line, match.around())

    def _look(self, state: BaseState, line: Record | None, around: dict[str, Any] | None) -> None:
        number = self.count + 1
        if line is not None:
            self.count = number
        if number == self.at or (self.at is None and state.choices > 1):
            assert state.to_move is not None
            played = None
            if line is not None:
                played = as_shown(state, Move(line["item"], tuple(line["picks"]), line["copy"]))
            self.found = (state.observe(state.to_move, around), played, number)


def as_shown(state: BaseState, move: Move) -> Move | None:
    """The move under the name that its chooser was shown, which hides what lies face down."""
    index = next((at for at, known in enumerate(state.moves) if known == move), None)
    return next((shown for shown, at in state.shown if at == index), None)
