"""Plain user interface: lines only, for pipes and screen readers."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import TextIO

from upcard.terminal.answers import Command, UnclearAnswer, parse_answer
from upcard.terminal.keys import drop_input
from upcard.terminal.render import chair_title, deal_title, side_scores
from upcard.terminal.seat_view import Option, Trick, View
from upcard.terminal.table_screen import chair_line, facts_line, place_text
from upcard.terminal.table_view import view_of
from upcard.terminal.ui import question
from upcard.terminal_text import capitalize_first, to_ascii, visible

WIDTH = 96


class PlainUi:
    def __init__(
        self,
        ascii_only: bool,
        answers: TextIO | None = None,
        output: TextIO | None = None,
        width: int = WIDTH,
    ) -> None:
        self._ascii = ascii_only
        self._width = width
        self._answers = answers or sys.stdin
        self._output = output or sys.stdout
        self._deal: object = None
        self._last_asked: object = None

    def say(self, text: str = "", indent: str = "") -> None:
        lines = textwrap.wrap(
            self._shown(text), self._width, subsequent_indent=indent, break_on_hyphens=False
        )
        for line in lines or [""]:
            self._line(line)

    def opening(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.say(line)

    def show(self, view: View, sentences: Sequence[str], taken: Trick | None) -> None:
        match = view.observation.match or {}
        if match.get("deal") != self._deal:
            self._deal = match.get("deal")
            self._print_heading(view)
        for line in sentences:
            self.say(line)

    def thinking(self, view: View) -> None:
        """Lines report moves only."""

    def ask(self, view: View) -> Option | Command:
        here = ((view.observation.match or {}).get("deal"), view.observation.decision)
        if here != self._last_asked:  # after a command only the prompt is repeated
            self._print_turn(view)
            self._last_asked = here
        while True:
            answer = self._read("> ")
            if answer is None:
                return Command("q")
            if not answer.strip():
                self._print_turn(view)
                continue
            try:
                choice = parse_answer(answer, view)
            except UnclearAnswer as problem:
                self.say(f"{capitalize_first(str(problem))}.")
                continue
            if isinstance(choice, Command) and choice.key == "t":
                self.table(view)
                continue
            return choice

    def busy(self, view: View, what: str) -> None:
        """Lines report results only."""

    def note(self, lines: Sequence[str], message: str = "") -> None:
        for line in lines:
            self._line(line)
        if message:
            self.say(message)

    def room(self, view: View) -> int:
        return self._width

    def page(self, title: str, lines: Sequence[str]) -> None:
        self._line(title)
        for line in lines:
            self.say(line, "      " if line[:1].isspace() else "")

    def walk(self, title: str, lines: Sequence[str], keys: str) -> str:
        self.page(title, lines)
        while True:
            answer = self._read(f"{keys}: ")
            word = "q" if answer is None else answer.strip().lower()
            found = {"next": "n", "": "n", "previous": "p", "back": "q"}.get(word, word)
            if found in ("n", "p", "q") or (found.isascii() and found.isdigit() and len(found) < 4):
                return found
            self.say("Enter n, p, q, or the number of a move.")

    def hand_over(self, view: View, lines: Sequence[str], last: bool) -> Command:
        for line in lines:
            self.say(line)
        if not last:
            return Command("")
        answer = self._read("Type v to review it, or press Enter to end: ")
        return Command("v" if answer is not None and answer.strip().lower() in ("v", "review") else "")

    def closing(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._line(line)

    # --- printing ------------------------------------------------------------------------------

    def table(self, view: View) -> None:
        """Print every player and every place on the table, a line each."""
        for chair in view.chairs:
            status = view_of(view.observation).status(view, chair)
            text = "; ".join(filter(None, [status, chair_line(view, chair)]))
            self.say(f"{chair_title(chair).replace('▶', '>')}: {text or 'nothing'}.", "  ")
        if view.table:
            self.say("Table: " + "; ".join(place_text(view, place) for place in view.table) + ".", "  ")
        if view.facts:
            self.say(facts_line(view) + ".")
        if view.scores:
            self.say("Score: " + ", ".join(f"{name} {points}" for name, points in side_scores(view)) + ".")

    def _print_heading(self, view: View) -> None:
        self._line("")
        score = ", ".join(f"{name} {points}" for name, points in side_scores(view))
        self.say(f"{deal_title(view)}. Score: {score}." if score else f"{deal_title(view)}.")

    def _print_turn(self, view: View) -> None:
        for line in view_of(view.observation).turn_lines(view):
            self.say(line, "  ")
        self.say(question(view))
        width = len(str(len(view.options)))
        for option in view.options:
            self.say(f"  {option.number:>{width}} {option.text}", "      ")

    def _read(self, prompt: str) -> str | None:
        """A line of input; None at the end. Piped input is echoed, so that a log is complete.

        What was typed on a terminal before the prompt is dropped.
        """
        if self._answers.isatty():
            drop_input(self._answers)
        self._output.write(self._shown(prompt))
        self._output.flush()
        try:
            line = self._answers.readline()
        except (UnicodeDecodeError, ValueError):
            line = "unreadable\n"
        if not line or not self._answers.isatty():
            text = "".join(char for char in line.strip()[:80] if char.isprintable())
            self._output.write(self._shown(text) + "\n")
        return line.rstrip("\n") if line else None

    def _line(self, text: str) -> None:
        self._output.write(visible(self._shown(text)).rstrip() + "\n")

    def _shown(self, text: str) -> str:
        shown = visible(text, lines=True)
        return to_ascii(shown) if self._ascii else shown
