"""The match at a table: a decision is on disk before anybody sees what it led to."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from upcard.engine.api import Move, Record
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.engine.transcript_format import TranscriptError
from upcard.library.sheet import MatchRules
from upcard.match.match_play import DEALS_A_MATCH, Match, MatchOver, Participant, Table
from upcard.match.match_record import resume
from upcard.match.match_record_format import header_of
from upcard.match.seats import Seating
from upcard.storage.jsonl import to_line
from upcard.terminal.fingerprint import fingerprint
from upcard.web.database import Database, DatabaseError
from upcard.web.deal_document import Position


@dataclass(frozen=True)
class FinishedDeal:
    """The last deal that is over: how it lay then, and what it brought."""

    number: int
    state: BaseState
    seating: Seating
    around: Mapping[str, Any]
    result: Record


class Problem(Exception):
    """The match cannot go on; the message is a sentence for the table."""


class LiveMatch:
    """One match of a table, in memory and in the database.

    Everything else that happens at the table waits while a decision is written (`Room.lock`), so nothing that
    could still be lost is ever shown.
    """

    def __init__(self, game: LoadedGame, database: Database, code: str, number: int) -> None:
        self.game = game
        self.number = number
        """Of the match at its table, from 0."""
        self.problem = ""
        self.finished: FinishedDeal | None = None
        self._database = database
        self._code = code
        self._lines: list[Record] = []
        self._new: list[Record] = []
        self._ended: FinishedDeal | None = None
        self._match: Match | None = None

    # --- beginning and going on ----------------------------------------------------------------

    async def begin(self, people: Sequence[tuple[str, str]], to: int, seed: int, salt: str) -> None:
        """A new match between people, given by name and kind; its first lines are written."""
        note = {
            "person": 0,
            "asked": self.game.name,
            "salt": salt,
            "fingerprint": fingerprint(seed, salt),
        }
        participants = [Participant(name, kind) for name, kind in people]
        table = Table.of(self.game, participants, note=note).to(to or None)
        # the salt keys every deal, so that nobody finds the seed by dealing until the own hand comes up
        table = replace(table, secret=salt)
        try:
            self._match = Match(table, seed, self.number, on_record=self._on_record)
        except MatchOver as error:
            raise Problem(f"the match cannot begin: {error}") from None
        await self._write()

    def go_on(self, lines: Sequence[str]) -> None:
        """The match of a record."""
        self._lines = [json.loads(line) for line in lines]
        self._replay()

    def _replay(self) -> None:
        """The position behind the last line that is on disk."""
        self._new.clear()
        try:
            self._match = resume(self._table(), self._lines, self._on_record)
        except TranscriptError as error:
            self.problem = f"this match cannot be continued with this version of the game: {error}"
            return
        self._find_finished()

    def _find_finished(self) -> None:
        """After a replay, the last finished deal is played again from its own lines."""
        results = [at for at, line in enumerate(self._lines) if line["do"] == "result"]
        if not results:
            return
        at = results[-1]
        begun = max(n for n in range(at) if self._lines[n]["do"] == "deal")
        earlier = resume(self._table(), self._lines[: begun + 1])
        assert earlier.state is not None
        state, seating = earlier.state, earlier.seating
        for line in self._lines[begun:at]:
            if line["do"] == "decision":
                state.play(Move(line["item"], tuple(line["picks"]), line["copy"]))
        self.finished = self._finished_deal(state, seating, self._lines[at], len(results) - 1)

    def _table(self) -> Table:
        header = header_of(self._lines)
        sheet = self.game.narrator.sheet
        people = [Participant(name, kind) for name, kind in zip(header.names, header.players, strict=True)]
        rules = header.match_rules(sheet.match if sheet else MatchRules())
        for key, value in self.game.identity.items():
            if self._lines[0].get(key) != value:
                raise TranscriptError(1, f"its {key} is another one now")
        table = Table.of(self.game, people, rules, note=self._lines[0].get("table"))
        return replace(table, dealer=header.dealer, secret=header.secret or "", trusted=header.trusted)

    # --- playing -------------------------------------------------------------------------------

    async def decide(self, move: Move) -> None:
        """Play a decision and write it. Raises `DatabaseError` if it could not be written: then it was not
        played."""
        try:
            self.match.decide(move)
        except MatchOver as error:
            self.problem = f"the match cannot go on: {error}"
        await self._write()

    def _on_record(self, line: Record) -> None:
        self._new.append(line)
        if line["do"] == "result" and self._match is not None and self._match.state is not None:
            number = self._match.board.deals - 1
            self._ended = self._finished_deal(self._match.state, self._match.seating, line, number)

    def _finished_deal(self, state: BaseState, seating: Seating, result: Record, number: int) -> FinishedDeal:
        """With the score after the deal and the deal's own number."""
        around = {**self.match.around(seating), "deal": number}
        return FinishedDeal(number, state, seating, around, result)

    async def _write(self) -> None:
        new, first = list(self._new), len(self._lines)
        self._new.clear()
        try:
            texts = [to_line(line).strip() for line in new]
            await self._database.append(self._code, self.number, first, texts, time.time())
        except DatabaseError:
            self._ended = None
            if self._lines:
                self._replay()
            raise
        self._lines += new
        if self._ended is not None:
            self.finished, self._ended = self._ended, None

    # --- where it stands -----------------------------------------------------------------------

    @property
    def match(self) -> Match:
        assert self._match is not None, "the match has begun"
        return self._match

    @property
    def over(self) -> bool:
        return self._match is not None and self._match.over

    @property
    def to_move(self) -> int | None:
        """The person whose decision it is."""
        if self._match is None or self.problem:
            return None
        return self._match.to_move

    @property
    def deal(self) -> int:
        """The number of the deal that is shown: the one in progress, or the last one."""
        deals = self.match.board.deals
        return deals - 1 if self.over else deals

    @property
    def turn(self) -> str:
        """A name for the decision that is next, so that a message about an earlier one is known."""
        state = self.match.state
        return f"{self.number}.{self.match.board.deals}.{state.decisions if state else 0}"

    @property
    def lines(self) -> list[Record]:
        """The record so far, as far as it is on disk."""
        return [*self._lines]

    @property
    def note(self) -> Mapping[str, Any]:
        return self.match.table.note or {}

    def position(self, names: Sequence[str]) -> Position | None:
        """Where the deal stands, or the last one stood when the match is over."""
        if self._match is None:
            return None
        match = self._match
        if match.state is not None:
            return Position(match.state, match.seating, self._around(match.around(), match.seating, names))
        return self.last_position(names)

    def last_position(self, names: Sequence[str]) -> Position | None:
        """How the last finished deal ended."""
        if self.finished is None:
            return None
        end = self.finished
        return Position(end.state, end.seating, self._around(end.around, end.seating, names))

    def _around(self, around: Mapping[str, Any], seating: Seating, names: Sequence[str]) -> dict[str, Any]:
        return {**around, "names": [names[person] for person in seating.persons]}

    def bot_seeds(self, person: int) -> tuple[int, int, int]:
        """The seeds of a bot that plays for a person in this deal."""
        match = self.match
        deal = self.number * DEALS_A_MATCH + match.board.deals
        return match.seeds.player(deal, match.seating.seat(person))
