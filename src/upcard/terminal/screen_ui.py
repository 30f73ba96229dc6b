"""Full-screen user interface, driven by keys."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Sequence

from upcard.output import write_styled
from upcard.terminal.answers import COMMANDS, Command, UnclearAnswer, card_names, parse_answer
from upcard.terminal.canvas import Canvas
from upcard.terminal.keys import END, RESIZE, Keys
from upcard.terminal.render import Prompt, screen_fits, too_small
from upcard.terminal.seat_view import Option, Trick, View, tricks
from upcard.terminal.table_view import drawn_view, keys_line
from upcard.terminal.ui import question, trick_line
from upcard.terminal_text import capitalize_first

TRICK_PACE = 2.5
"""A complete trick stays visible for this many times the pace."""
QUEEN_WAIT = 1.2
"""Seconds that q waits for a suit, if a queen may be chosen."""
PACES = {"+": 1 / 1.5, "-": 1.5}
"""Keys that change the pace, with their factors."""
LEAST_PACE = 0.1
"""Seconds; a shorter pace becomes none."""
NEWS = 150
"""Characters of news that fit under the question."""
_NUMBERED = re.compile(r" *\d+  [?! ]{2}  ")
CLOSES_PANEL = ("enter", "space", "escape")
"""Keys that close a hint or the last trick, which lie over the menu."""
BACK = ("enter", "space", "escape", "q", END)


class ScreenUi:
    def __init__(self, keys: Keys, pace: float, ascii_only: bool, colour: bool) -> None:
        self._keys = keys
        self._pace = pace
        self._ascii = ascii_only
        self._colour = colour
        self._panel: tuple[str, ...] = ()
        self._message = ""
        self._show_observation = ""
        self._chosen: tuple[object, int] = (None, 0)
        """The current decision and the selected option."""
        self._typed_ahead = False
        """Whether a question is about to be shown: keys pressed before it cannot be meant as its answer."""

    # --- showing -------------------------------------------------------------------------------

    def opening(self, lines: Sequence[str]) -> None:
        self.page("Upcard", [*lines, "", "Press Enter to begin. At the table, press ? for the keys."])

    def show(self, view: View, sentences: Sequence[str], taken: Trick | None) -> None:
        self._show_observation = _newest_sentences(sentences, NEWS)
        if view.your_turn and taken is None:
            return  # the question is drawn at once
        whole = trick_line(view, taken) if taken is not None else ""
        prompt = Prompt(question=whole, news=self._show_observation, trick=taken, open=False)
        self._hold(lambda: self._draw(view, prompt), self._pace * (TRICK_PACE if taken is not None else 1.0))

    def thinking(self, view: View) -> None:
        moving = next((chair for chair in view.chairs if chair.to_move), None)
        who = f"{moving.name} is thinking ..." if moving is not None else ""
        self._draw(view, Prompt(question=who, open=False))

    def busy(self, view: View, what: str) -> None:
        self._draw(view, Prompt(question=what, open=False))

    def note(self, lines: Sequence[str], message: str = "") -> None:
        self._panel, self._message = tuple(lines), message

    def room(self, view: View) -> int:
        width, height = self._keys.size()
        return min(drawn_view(view, width, height).note_columns, width - 2)

    def page(self, title: str, lines: Sequence[str]) -> None:
        """Show a text to scroll through."""
        top = 0
        self._typed_ahead = True
        while True:
            width, height = self._keys.size()
            wrap_text = _wrap_lines(lines, width - 2)
            room = max(1, height - 3)
            top = max(0, min(top, len(wrap_text) - room))
            more = len(wrap_text) > room
            keys = "arrows scroll, Enter goes back" if more else "Enter continues"
            canvas = Canvas(width, height, self._ascii)
            canvas.put(0, 1, title, "bold")
            for row, line in enumerate(wrap_text[top : top + room], 2):
                canvas.put(row, 1, line)
            canvas.put(height - 1, 1, keys, "dim")
            self._write(canvas)
            key = self._keys.read()
            if key in BACK:
                return
            steps = {
                "down": 1,
                "up": -1,
                "page down": room,
                "page up": -room,
                "home": -top,
                "last": len(wrap_text),
            }
            top += steps.get(key or "", 0)

    def walk(self, title: str, lines: Sequence[str], keys: str) -> str:
        top, typed = 0, ""
        while True:
            width, height = self._keys.size()
            wrap_text = _wrap_lines(lines, width - 2)
            room = max(1, height - 3)
            top = max(0, min(top, len(wrap_text) - room))
            canvas = Canvas(width, height, self._ascii)
            canvas.put(0, 1, title, "bold")
            for row, line in enumerate(wrap_text[top : top + room], 2):
                canvas.put(row, 1, line)
            last = f"Move {typed}_   Enter tries it" if typed else keys
            canvas.put(height - 1, 1, last, "dim")
            self._write(canvas)
            key = self._keys.read() or ""
            if key.isascii() and key.isdigit() and len(typed) < 3:
                typed += key
            elif key == "enter" and typed:
                return typed
            elif key == "delete":
                typed = typed[:-1]
            elif key in ("n", "right", "enter", "space"):
                return "n"
            elif key in ("p", "left"):
                return "p"
            elif key in ("q", "escape", END):
                return "q"
            top += {"down": 1, "up": -1, "page down": room, "page up": -room}.get(key, 0)

    def hand_over(self, view: View, lines: Sequence[str], last: bool) -> Command:
        sheet = view.narrator.sheet
        onward = f"Enter: next {sheet.deal_word if sheet else 'deal'}   v: review   q: save and quit"
        ask = "Enter: to the end   v: review" if last else onward
        taken = tricks(view.observation)
        prompt = Prompt(
            question=ask,
            trick=taken[-1] if taken else None,
            panel=tuple(_wrap_lines(lines, self.room(view))),
            open=False,
            keys="",
        )
        self._message, self._panel = "", ()
        self._typed_ahead = True
        while True:
            self._draw(view, prompt)
            key = self._keys.read()
            if key in ("enter", "space"):
                return Command("")
            if key in ("v", "V"):
                return Command("v")
            if key in ("q", "Q", END):
                return Command("q")

    def closing(self, lines: Sequence[str]) -> None:
        """Printed by the caller, after the screen is restored."""

    # --- asking --------------------------------------------------------------------------------

    def ask(self, view: View) -> Option | Command:
        here = ((view.observation.match or {}).get("deal"), view.observation.decision)
        at = self._chosen[1] if self._chosen[0] == here else 0
        prompt = Prompt(
            question(view),
            at,
            message=self._message,
            panel=self._panel,
            news=self._show_observation,
            keys=keys_line(view),
        )
        self._message, self._panel = "", ()
        names = card_names(view)
        self._typed_ahead = True
        while True:
            self._chosen = (here, prompt.selected)
            self._draw(view, prompt)
            key = self._keys.read()
            if key is None or key == RESIZE:
                continue
            if not prompt.typed:
                if key == END:
                    return Command("q")
                if key.lower() == "q" and self._names_a_queen(view):
                    prompt = prompt.but(
                        typed="q", message="q saves and quits; with a suit it is a queen.", panel=()
                    )
                    self._draw(view, prompt)
                    key = self._keys.read(QUEEN_WAIT)
                    if key is None or key == "enter" or key == "q":
                        return Command("q")
                elif key in PACES:
                    prompt = prompt.but(message=self._change_pace(PACES[key]), panel=())
                    continue
                elif key.lower() in COMMANDS and key.lower() != "t":
                    return Command(key.lower())
            if prompt.panel and not prompt.typed and key in CLOSES_PANEL:
                prompt = prompt.but(panel=(), message="")  # the menu was hidden: nothing is chosen unseen
                continue
            choice, prompt = self._press(key, prompt, view, names)
            if choice is not None:
                return choice

    def _press(
        self, key: str, prompt: Prompt, view: View, names: dict[str, str]
    ) -> tuple[Option | Command | None, Prompt]:
        prompt = prompt.but(message="", panel=())
        last = len(view.options) - 1
        step = {"left": -1, "right": 1, "up": -self._columns(view), "down": self._columns(view)}.get(key)
        if step is not None:
            return None, prompt.but(selected=_step(prompt.selected, step, last), typed="")
        if key in ("home", "page up"):
            return None, prompt.but(selected=0 if key == "home" else max(0, prompt.selected - 8), typed="")
        if key in ("last", "page down"):
            return None, prompt.but(
                selected=last if key == "last" else min(last, prompt.selected + 8), typed=""
            )
        if key == "escape":
            return None, prompt.but(typed="")
        if key == "delete":
            return None, prompt.but(typed=prompt.typed[:-1])
        if key == "enter":
            if not prompt.typed:
                return view.options[prompt.selected], prompt
            return self._enter(prompt, view)
        if key == "space":
            key = " "
        if len(key) != 1 or not key.isprintable():
            return None, prompt
        typed = (prompt.typed + key)[:60]
        prompt = prompt.but(typed=typed)
        if typed.isdigit() and 1 <= int(typed) <= last + 1:
            return None, prompt.but(selected=int(typed) - 1)
        # a card is played as soon as it is named, unless more cards may follow
        card = names.get(typed.strip().lower())
        if (
            card is not None
            and not typed.isdigit()
            and all(len(option.cards) <= 1 for option in view.options)
        ):
            return self._enter(prompt, view)
        return None, prompt

    def _enter(self, prompt: Prompt, view: View) -> tuple[Option | Command | None, Prompt]:
        try:
            return parse_answer(prompt.typed, view), prompt
        except UnclearAnswer as problem:
            return None, prompt.but(typed="", message=f"{capitalize_first(str(problem))}.")

    def _change_pace(self, factor: float) -> str:
        """Change the pace; from no pace at all it starts with the shortest."""
        self._pace = min(10.0, max(LEAST_PACE, self._pace) * factor)
        if factor < 1 and self._pace < LEAST_PACE:
            self._pace = 0.0
        return f"Each move of the other players is now shown for {self._pace:.1f} seconds."

    def _columns(self, view: View) -> int:
        """How many options the menu has side by side, which is the step of the up and down arrows."""
        width, height = self._keys.size()
        return drawn_view(view, width, height).menu_columns(view, width - 2)

    @staticmethod
    def _names_a_queen(view: View) -> bool:
        return any(
            view.card(card).lower().startswith("q") for option in view.options for card in option.cards
        )

    # --- drawing -------------------------------------------------------------------------------

    def _hold(self, draw: Callable[[], None], seconds: float) -> None:
        """Draw and wait; draw again if the window is resized."""
        draw()
        if seconds > 0:
            while self._keys.pause(seconds):
                draw()

    def _draw(self, view: View, prompt: Prompt) -> None:
        width, height = self._keys.size()
        if not screen_fits(width, height):
            canvas = Canvas(width, height, self._ascii)
            for row, line in enumerate(too_small(width, height)):
                canvas.put(row, 0, line)
        else:
            canvas = drawn_view(view, width, height).draw(view, prompt, width, height)
        self._write(canvas)

    def _write(self, canvas: Canvas) -> None:
        lines = canvas.lines(self._colour)
        if self._typed_ahead:
            self._keys.discard()
            self._typed_ahead = False
        write_styled("\x1b[H" + "\x1b[K\r\n".join(lines) + "\x1b[K\x1b[J")
        sys.stdout.flush()


def _step(selected: int, step: int, last: int) -> int:
    """Single steps wrap around; longer ones stop at the ends."""
    if abs(step) == 1:
        return (selected + step) % (last + 1)
    return selected + step if 0 <= selected + step <= last else selected


def _newest_sentences(sentences: Sequence[str], room: int) -> str:
    """The newest sentences that fit."""
    newest = ""
    for line in reversed([line for line in sentences if line]):
        if len(newest) + len(line) >= room:
            break
        newest = f"{line} {newest}" if newest else line
    return newest


def _wrap_lines(lines: Sequence[str], room: int) -> list[str]:
    """Wrap lines at words and keep their indents."""
    lines_out: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        numbered = _NUMBERED.match(line)
        hang = " " * numbered.end() if numbered else indent + "  " if indent else ""
        lines_out += textwrap.wrap(line, max(20, room), subsequent_indent=hang) or [""]
    return lines_out
