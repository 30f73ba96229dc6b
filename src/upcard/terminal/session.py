"""A session at the table: plays on until the person's turn, and records every line."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from upcard.engine.api import Observation, Record
from upcard.library.match_text import describe_match
from upcard.match.match_play import Match, Table
from upcard.match.match_record import resume
from upcard.match.seats import side_of
from upcard.terminal import fingerprint
from upcard.terminal.advice import advise
from upcard.terminal.answers import Command
from upcard.terminal.opponent_levels import Seated, everyday
from upcard.terminal.review import decisions, review
from upcard.terminal.saves import MatchLog
from upcard.terminal.seat_view import Option, View, tricks
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import arranged_view, view_of
from upcard.terminal.ui import Ui, help_lines, trick_lines


@dataclass(frozen=True)
class Manners:
    """How somebody likes to be shown things."""

    ascii_only: bool = False
    autolast: bool = False


class Left(Exception):
    """The person saved and left the table."""


class Session:
    def __init__(
        self, table: Table, person: int, face: Ui, notebook: MatchLog, adviser: Seated, manners: Manners
    ) -> None:
        self.table = table
        self.person = person
        self.face = face
        self.notebook = notebook
        self.adviser = adviser
        self.manners = manners
        self.match: Match | None = None
        self._finished: list[tuple[Observation, Record]] = []
        self._told = 0
        self._tricks = 0
        self._laid_down = False

    # --- the match -----------------------------------------------------------------------------

    def begin(self, seed: int) -> None:
        self.match = Match(self.table, seed, on_record=self._listen)

    def go_on(self) -> None:
        """The match as its record leaves it; of the hand in progress everything is told again."""
        self.match = resume(self.table, list(self.notebook.lines), self._listen)

    def play(self, words: Sequence[str]) -> list[str]:
        """To the end. Gives the last words; raises `Left` when the person leaves before."""
        match = self._match
        self.face.opening(words)
        self._follow()
        while not match.over:
            if match.to_move == self.person:
                chosen = self._chosen()
                with uninterrupted():  # nothing that was decided is lost
                    match.decide(chosen.move)
            else:
                self.face.thinking(self._view())
                match.step()
            self._follow()
        return self._last_words()

    @property
    def _match(self) -> Match:
        assert self.match is not None, "the sitting has not begun"
        return self.match

    def _listen(self, line: Record) -> None:
        self.notebook(line)
        match = self.match
        if line["do"] == "result" and match is not None and match.state is not None:
            around = match.around()
            # the score is that after the hand, its number still its own
            seen_last = match.state.observe(self._seat, {**around, "deal": around["deal"] - 1})
            self._finished.append((seen_last, line))

    @property
    def _seat(self) -> int:
        return self._match.seating.seat(self.person)

    def _observation(self) -> Observation:
        state = self._match.state
        assert state is not None
        return state.observe(self._seat, self._match.around())

    def _teller(self, observation: Observation) -> TableNarrator:
        return TableNarrator.at(self.table.game.narrator, observation, self.manners.ascii_only)

    def _view(self, observation: Observation | None = None) -> View:
        observation = observation or self._observation()
        return arranged_view(observation, self._teller(observation))

    # --- what happened -------------------------------------------------------------------------

    def _follow(self) -> None:
        """Shows what is new: the ends of finished hands first, then where the next one stands."""
        while self._finished:
            observation, result = self._finished.pop(0)
            self._news(observation)
            self._hand_is_over(observation, result)
        if not self._match.over:
            self._news(self._observation())

    def _news(self, observation: Observation) -> None:
        view = self._view(observation)
        new = observation.records[self._told :]
        told = view.narrator.story(new, observation)
        self._told = len(observation.records)
        taken = tricks(observation)
        fresh = taken[-1] if len(taken) > self._tricks else None
        self._tricks = len(taken)
        if new:
            self.face.show(view, told, fresh)

    def _hand_is_over(self, observation: Observation, result: Record) -> None:
        self._told = self._tricks = 0
        self._laid_down = False
        view = self._view(observation)
        last = self._match.over and not self._finished
        lines = self._result_lines(view, result)
        while (answer := self.face.hand_over(view, lines, last)).key:
            if answer.key == "q":
                raise Left
            self._review(view)

    def _result_lines(self, view: View, result: Record) -> list[str]:
        sides = self.table.sides
        mine = side_of(self.person, sides)
        named = [" and ".join(self.table.names[person] for person in side) for side in sides]
        named[mine] = " and ".join(
            ["You", *(self.table.names[person] for person in sides[mine] if person != self.person)]
        )
        order = sorted(range(len(sides)), key=lambda side: side != mine)
        deal = view.narrator.sheet.deal_word if view.narrator.sheet else "deal"
        scored = ", ".join(f"{named[side]} {result['points'][side]:+d}" for side in order)
        totals = ", ".join(f"{named[side]} {result['totals'][side]}" for side in order)
        lines = view_of(view.observation).result_lines(view)
        if result["ending"] in ("cut_off", "stuck"):
            lines.append(f"The {deal} went on for too long and was cut off.")
        return [*lines, f"This {deal}: {scored}.", f"Score: {totals}."]

    def _last_words(self) -> list[str]:
        match = self._match
        winners = [
            "You" if person == self.person else self.table.names[person]
            for side in match.winners
            for person in self.table.sides[side]
        ]
        winners.sort(key=lambda name: name != "You")
        alone = len(match.winners) == 1
        verb = "win" if winners[0] == "You" or len(winners) > 1 else "wins"
        said = f"{' and '.join(winners)} {verb} the match." if alone else f"Shared by {', '.join(winners)}."
        note: Any = self.table.note or {}
        return [said, *fingerprint.after(match.seed, str(note.get("salt", "")), str(self.notebook.path))]

    # --- the person ----------------------------------------------------------------------------

    def _chosen(self) -> Option:
        view = self._view()
        if self._laid_down:
            return self._next_of_laydown(view)
        if self.manners.autolast and len(view.options) == 1 and len(view.hand) == 1:
            return view.options[0]
        while True:
            answer = self.face.ask(view)
            if isinstance(answer, Option):
                return answer
            if answer.key == "c" and self._lay_down(view):
                return self._next_of_laydown(view)
            self._command(answer, view)

    def _command(self, command: Command, view: View) -> None:
        if command.key == "q":
            raise Left
        if command.key == "?":
            sheet = view.narrator.sheet
            self.face.page("Keys", help_lines(sheet.deal_word if sheet else "deal"))
        elif command.key == "h":
            self._hint(view)
        elif command.key == "u":
            taken = tricks(view.observation)
            if taken:
                self.face.note(["The last trick:", *(f"  {line}" for line in trick_lines(view, taken[-1]))])
            else:
                self.face.note([], "No trick has been taken yet in this deal.")
        elif command.key == "r":
            self.face.page(*self._rules())
        elif command.key == "v":
            self._review(view)

    def _hint(self, view: View) -> None:
        deal = self._match.board.deals
        adviser = self.adviser.make(self._match.seed, deal, self._seat)
        self.face.busy(view, f"The {self.adviser.kind} player is thinking about a hint ...")
        advice = advise(view, adviser, self.adviser.kind)
        self.face.note(advice.table(self.face.room(view), ascii_only=self.manners.ascii_only), advice.reason)

    def _rules(self) -> tuple[str, list[str]]:
        game = self.table.game
        sheet = game.narrator.sheet
        if sheet is None or not sheet.rules:
            return game.name, ["This game has no rules in words: there is no game.toml beside its program."]
        partners = game.program.setup.teams is not None
        match = " ".join(describe_match(sheet, game.program.scoring.highest, partners))
        paragraphs = [" ".join(part.split()) for part in sheet.rules.split("\n\n")]
        lines = [line for paragraph in paragraphs for line in (paragraph, "")]
        chosen = [
            f"House rule: {rule.title}: {word}."
            for rule in sheet.house_rules
            for word, value in rule.choices.items()
            if dict(game.program.overrides).get(rule.sets, rule.choices[rule.default]) == value
        ]
        return f"{sheet.title}: the rules", [*lines, f"The match. {match}", "", *chosen]

    def _review(self, shown: View) -> None:
        """The last hand that is finished, decision by decision."""
        deal = self._match.board.deals - 1
        if deal < 0:
            self.face.note([], "No hand is finished yet, so there is nothing to review.")
            return
        self.face.busy(shown, f"The {self.adviser.kind} player is thinking about your decisions ...")
        past = [
            (self._view(observation), move)
            for observation, move in decisions(self.table, self.notebook.lines, self.person, deal)
        ]
        seat = past[0][0].observation.seat if past else 0
        adviser = self.adviser.make(self._match.seed, deal, seat)
        word = past[0][0].narrator.sheet.deal_word if past and past[0][0].narrator.sheet else "deal"
        usual = everyday(self.table.game)
        other = usual.make(self._match.seed, deal, seat) if usual is not None else None
        lines = review(past, adviser, self.adviser.kind, other)
        self.face.page(f"Your decisions in {word} {deal + 1}, by the {self.adviser.kind} player", lines)

    # --- laying down ---------------------------------------------------------------------------

    def _lay_down(self, view: View) -> bool:
        first, why_not = view_of(view.observation).lay_down(view)
        self._laid_down = first is not None
        self.face.note([], why_not or "Granted: no lie of the unseen cards can stop you.")
        return self._laid_down

    def _next_of_laydown(self, view: View) -> Option:
        """The next card of the proof, which holds again at every lead."""
        option, _ = view_of(view.observation).lay_down(view)
        assert option is not None, "a proved hand stays proved"
        return option


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until what is inside is done and written."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
