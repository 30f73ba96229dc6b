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
from upcard.match.seats import names_of_sides, side_of
from upcard.terminal import fingerprint
from upcard.terminal.advice import advise
from upcard.terminal.answers import Command
from upcard.terminal.opponent_levels import Seated
from upcard.terminal.render import WIDTH
from upcard.terminal.review import review
from upcard.terminal.review_walk import ReviewWalk, positions
from upcard.terminal.saves import MatchLog
from upcard.terminal.seat_view import Option, View, tricks
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view, table_keys, view_of
from upcard.terminal.ui import Ui, help_lines, trick_lines

NOTE_LINES = 7
"""Lines of a note that every screen shows; a longer hint is a page."""


@dataclass(frozen=True)
class Preferences:
    """Display options of the person."""

    ascii_only: bool = False
    autolast: bool = False


class LeftTable(Exception):
    """The person saved and left the table."""


class Session:
    def __init__(
        self, table: Table, person: int, ui: Ui, log: MatchLog, adviser: Seated, preferences: Preferences
    ) -> None:
        self.table = table
        self.person = person
        self.ui = ui
        self.log = log
        self.adviser = adviser
        self.preferences = preferences
        self.match: Match | None = None
        self._finished: list[tuple[Observation, Record]] = []
        self._records_shown = 0
        self._tricks = 0
        self._laid_down = False

    # --- the match -----------------------------------------------------------------------------

    def begin(self, seed: int) -> None:
        self.match = Match(self.table, seed, on_record=self._on_record)

    def resume_match(self) -> None:
        """Resume the match from its record; the hand in progress is narrated from its start."""
        self.match = resume(self.table, list(self.log.lines), self._on_record)

    def play(self, words: Sequence[str]) -> list[str]:
        """Play to the end; returns the closing lines. Raises `LeftTable` if the person leaves."""
        self.ui.opening(words)
        self._show_news()
        while not self._match.over:
            if self._match.to_move == self.person:
                chosen = self._choose()
                with uninterrupted():  # no decision is lost
                    self._match.decide(chosen.move)
            else:
                self.ui.thinking(self._view())
                self._match.step()
            self._show_news()
        return self._closing_lines()

    @property
    def _match(self) -> Match:
        assert self.match is not None, "the sitting has not begun"
        return self.match

    def _on_record(self, line: Record) -> None:
        self.log(line)
        match = self.match
        if line["do"] == "result" and match is not None and match.state is not None:
            around = match.around()
            # the score after the hand, with the hand's own number
            seen_last = match.state.observe(self._seat, {**around, "deal": around["deal"] - 1})
            self._finished.append((seen_last, line))

    @property
    def _seat(self) -> int:
        return self._match.seating.seat(self.person)

    def _observation(self) -> Observation:
        state = self._match.state
        assert state is not None
        return state.observe(self._seat, self._match.around())

    def _narrator(self, observation: Observation) -> TableNarrator:
        return TableNarrator.at(self.table.game.narrator, observation, self.preferences.ascii_only)

    def _view(self, observation: Observation | None = None) -> View:
        observation = observation or self._observation()
        return make_view(observation, self._narrator(observation))

    # --- showing -------------------------------------------------------------------------------

    def _show_news(self) -> None:
        """Show everything new: finished hands first, then the current one."""
        while self._finished:
            observation, result = self._finished.pop(0)
            self._show_observation(observation)
            self._finish_hand(observation, result)
        if not self._match.over:
            self._show_observation(self._observation())

    def _show_observation(self, observation: Observation) -> None:
        view = self._view(observation)
        new = observation.records[self._records_shown :]
        sentences = view.narrator.story(new, observation)
        self._records_shown = len(observation.records)
        taken = tricks(observation)
        fresh = taken[-1] if len(taken) > self._tricks else None
        self._tricks = len(taken)
        if new:
            self.ui.show(view, sentences, fresh)

    def _finish_hand(self, observation: Observation, result: Record) -> None:
        self._records_shown = self._tricks = 0
        self._laid_down = False
        view = self._view(observation)
        last = self._match.over and not self._finished
        lines = self._result_lines(view, result)
        while (answer := self.ui.hand_over(view, lines, last)).key:
            if answer.key == "q":
                raise LeftTable
            self._review(view)

    def _result_lines(self, view: View, result: Record) -> list[str]:
        sides = self.table.sides
        mine = side_of(self.person, sides)
        named = names_of_sides(self.table.names, sides)
        named[mine] = self._your_side
        order = sorted(range(len(sides)), key=lambda side: side != mine)
        deal = view.narrator.sheet.deal_word if view.narrator.sheet else "deal"
        scored = ", ".join(f"{named[side]} {result['points'][side]:+d}" for side in order)
        totals = ", ".join(f"{named[side]} {result['totals'][side]}" for side in order)
        lines = view_of(view.observation).result_lines(view)
        if result["ending"] in ("cut_off", "stuck"):
            lines.append(f"The {deal} took too long and was cut off.")
        return [*lines, f"This {deal}: {scored}.", f"Score: {totals}."]

    @property
    def _your_side(self) -> str:
        mine = self.table.sides[side_of(self.person, self.table.sides)]
        return " and ".join(["You", *(self.table.names[person] for person in mine if person != self.person)])

    def _closing_lines(self) -> list[str]:
        match = self._match
        winners = [
            "You" if person == self.person else self.table.names[person]
            for side in match.winners
            for person in self.table.sides[side]
        ]
        winners.sort(key=lambda name: name != "You")
        alone = len(match.winners) == 1
        verb = "win" if winners[0] == "You" or len(winners) > 1 else "wins"
        said = (
            f"{' and '.join(winners)} {verb} the match."
            if alone
            else f"{' and '.join(winners)} share the win."
        )
        note: Any = self.table.note or {}
        named = names_of_sides(self.table.names, self.table.sides)
        named[side_of(self.person, self.table.sides)] = self._your_side
        totals = match.board.totals
        order = sorted(range(len(totals)), key=lambda side: totals[side], reverse=match.board.highest)
        final = ", ".join(f"{named[side]} {totals[side]}" for side in order)
        return [
            said,
            f"Final score: {final}.",
            *fingerprint.closing_lines(match.seed, str(note.get("salt", "")), str(self.log.path)),
        ]

    # --- the person ----------------------------------------------------------------------------

    def _choose(self) -> Option:
        view = self._view()
        if self._laid_down:
            return self._next_winner(view)
        if self.preferences.autolast and len(view.options) == 1 and len(view.hand) == 1:
            return view.options[0]
        while True:
            answer = self.ui.ask(view)
            if isinstance(answer, Option):
                return answer
            if answer.key == "c" and self._lay_down(view):
                return self._next_winner(view)
            if answer.key == "z":
                if self._undo():
                    view = self._view()
                continue
            self._command(answer, view)

    def _command(self, command: Command, view: View) -> None:
        if command.key == "q":
            raise LeftTable
        sheet = view.narrator.sheet
        deal_word = sheet.deal_word if sheet else "deal"
        if command.key == "?":
            self.ui.page("Keys", help_lines(deal_word, table_keys(view)))
        elif command.key == "h":
            self._hint(view)
        elif command.key == "u":
            taken = tricks(view.observation)
            if taken:
                self.ui.note(["The last trick:", *(f"  {line}" for line in trick_lines(view, taken[-1]))])
            else:
                self.ui.note([], "No trick has been taken yet in this deal.")
        elif command.key == "l":
            said = [line for line in view.narrator.story(view.observation.records, view.observation) if line]
            self.ui.page(f"The {deal_word} so far", said)
        elif command.key == "r":
            self.ui.page(*self._rules())
        elif command.key == "v":
            self._review(view)

    def _undo(self) -> bool:
        """Go back to the person's last decision in this deal; the record says so."""
        lines = self.log.lines
        last = len(lines) - 1
        while lines[last]["do"] == "decision" and lines[last]["person"] != self.person:
            last -= 1
        if lines[last]["do"] != "decision":
            self.ui.note([], "There is no decision of yours in this deal that you could take back.")
            return False
        with uninterrupted():
            self.log.undo(last)
            self.match = resume(self.table, list(lines), self._on_record)
        self._laid_down = False
        observation = self._observation()
        self._records_shown, self._tricks = len(observation.records), len(tricks(observation))
        self.ui.note([], "Taken back. This match no longer counts in your statistics.")
        return True

    def _hint(self, view: View) -> None:
        deal = self._match.board.deals
        adviser = self.adviser.make(self._match.seed, deal, self._seat)
        self.ui.busy(view, f"The {self.adviser.kind} player is thinking about your hint ...")
        advice = advise(view, self.table.game, adviser, self.adviser.kind, seed=self._match.seed)
        lines = advice.table(self.ui.room(view), ascii_only=self.preferences.ascii_only)
        first, *others = advice.hint.reasons
        if not others and len(lines) <= NOTE_LINES:
            self.ui.note(lines, first)
        else:
            wide = advice.table(WIDTH - 2, ascii_only=self.preferences.ascii_only)
            self.ui.page("Hint", [*wide, "", *advice.hint.reasons, "", advice.legend()])

    def _rules(self) -> tuple[str, list[str]]:
        game = self.table.game
        sheet = game.narrator.sheet
        if sheet is None or not sheet.rules:
            return game.name, [
                "This game has no description of its rules: there is no game.toml beside its program."
            ]
        partners = game.program.setup.teams is not None
        match = " ".join(describe_match(sheet, game.program.scoring.highest, partners))
        lines = [line for part in sheet.rules.strip().split("\n\n") for line in (*paragraph(part), "")]
        chosen = [
            f"House rule: {rule.title}: {word}."
            for rule in sheet.house_rules
            for word, value in rule.choices.items()
            if dict(game.program.overrides).get(rule.sets, rule.choices[rule.default]) == value
        ]
        return f"{sheet.title}: the rules", [*lines, f"The match. {match}", "", *chosen]

    def _review(self, shown: View) -> None:
        """Review the last finished hand, decision by decision."""
        deal = self._match.board.deals - 1
        if deal < 0:
            self.ui.note([], "No hand is finished yet, so you cannot review one.")
            return
        steps = list(positions(self.table, self.log.lines, deal))
        match = self._match
        seat = match.table.seating(match.seed, match.number, deal).seat(self.person)
        mine = [step for step in steps if step.observation.seat == seat]
        adviser = self.adviser.make(match.seed, deal, seat)

        def on_progress(number: int, count: int) -> None:
            self.ui.busy(shown, f"Playing out your decisions: {number} of {count} ...")

        found = review(
            self.table.game,
            [(self._view(step.observation), step.move) for step in mine],
            adviser,
            self.adviser.kind,
            match.seed,
            on_progress=on_progress,
        )
        sheet = shown.narrator.sheet
        title = f"Your decisions in {sheet.deal_word if sheet else 'deal'} {deal + 1}"
        walk = ReviewWalk(self.table.game, steps, self.adviser, match.seed, self.preferences.ascii_only)
        walk.run(self.ui, title, found.lines)

    # --- lay-down ------------------------------------------------------------------------------

    def _lay_down(self, view: View) -> bool:
        first, why_not = view_of(view.observation).lay_down(view)
        self._laid_down = first is not None
        self.ui.note([], why_not or "Granted: nobody can stop you, wherever the unseen cards are.")
        return self._laid_down

    def _next_winner(self, view: View) -> Option:
        """The next card of the proof, which holds again at every lead."""
        option, _ = view_of(view.observation).lay_down(view)
        assert option is not None, "a proved hand stays proved"
        return option


def paragraph(text: str) -> list[str]:
    """Lines of a paragraph of the rules: prose is joined, the entries of a list keep their lines."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and line.strip() and not line[:1].isspace() and not lines[-1][:1].isspace():
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line.rstrip())
    return lines


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the block is done and recorded."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
    if interrupts:
        raise KeyboardInterrupt
