"""Steps through a recorded game on the screen of the table: forwards, back, from any seat."""

from __future__ import annotations

import sys

from upcard.output import write_styled
from upcard.terminal import table_screen
from upcard.terminal.canvas import Canvas
from upcard.terminal.keys import END, Keys
from upcard.terminal.recorded_match import Recording, Step, result_of
from upcard.terminal.render import Prompt, screen_fits, too_small
from upcard.terminal.seat_view import View, tricks
from upcard.terminal.table_view import drawn_view

KEYS = "→ next  ← back  ↑↓ deal  Home End  s seat  a all hands  q quit"
FORWARDS, BACK = ("right", "enter", "space", "n"), ("left", "delete", "b", "p")


class ReplayScreen:
    def __init__(
        self, recording: Recording, person: int | None, keys: Keys, ascii_only: bool, colour: bool
    ) -> None:
        self._recording = recording
        self._steps = recording.steps
        self._person = person
        self._keys = keys
        self._ascii = ascii_only
        self._colour = colour
        self._at = 0

    def run(self) -> None:
        """Show positions until the person quits."""
        while True:
            self._draw()
            key = (self._keys.read() or "").lower()
            if key in ("q", "escape", END):
                return
            self._press(key)

    def _press(self, key: str) -> None:
        last = len(self._steps) - 1
        deal = self._steps[self._at].deal
        if key in FORWARDS:
            self._at = min(last, self._at + 1)
        elif key in BACK:
            self._at = max(0, self._at - 1)
        elif key in ("home", "last"):
            self._at = 0 if key == "home" else last
        elif key in ("down", "page down"):
            self._at = self._first_of(min(deal + 1, len(self._recording.deals) - 1)) or self._at
        elif key in ("up", "page up"):
            first = self._first_of(deal)
            self._at = first if self._at > first else self._first_of(max(0, deal - 1))
        elif key == "s":
            seats = len(self._recording.names)
            self._person = 0 if self._person is None else (self._person + 1) % seats
        elif key == "a":
            self._person = None

    def _first_of(self, deal: int) -> int:
        return self._steps.index(Step(deal, 0))

    def _draw(self) -> None:
        width, height = self._keys.size()
        canvas = Canvas(width, height, self._ascii)
        if screen_fits(width, height):
            step = self._steps[self._at]
            view = self._recording.view(step, self._person, self._ascii)
            prompt = self._prompt(view, step)
            if self._person is None:
                canvas = table_screen.draw(view, prompt, width, height)
            else:
                canvas = drawn_view(view, width, height).draw(view, prompt, width, height)
        else:
            for row, line in enumerate(too_small(width, height)):
                canvas.put(row, 0, line)
        write_styled("\x1b[H" + "\x1b[K\r\n".join(canvas.lines(self._colour)) + "\x1b[K\x1b[J")
        sys.stdout.flush()

    def _prompt(self, view: View, step: Step) -> Prompt:
        deal = self._recording.deals[step.deal]
        who = "all hands" if self._person is None else f"as {self._recording.names[self._person]} sees it"
        question = f"Move {step.played} of {len(deal.moves)}, {who}."
        taken, trick = tricks(view.observation), None
        records: tuple[object, ...] = ()
        if step.played:
            before = self._recording.view(Step(step.deal, step.played - 1), self._person, self._ascii)
            records = before.observation.records
            trick = taken[-1] if len(taken) > len(tricks(before.observation)) else None
        news = view.observation.records[len(records) :]
        said = [line for line in view.narrator.story(news, view.observation) if line]
        if step.played == len(deal.moves):
            said.append(result_of(deal.position(step.played), view.narrator))
        message = " ".join(said) if step.played else ""
        return Prompt(question=question, message=message, news=message, trick=trick, open=False, keys=KEYS)
