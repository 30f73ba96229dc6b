"""Full-screen user interface, driven by keys."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Sequence

from upcard.output import write_styled
from upcard.terminal.answers import COMMANDS, Command, Unclear, card_names, understand
from upcard.terminal.canvas import Canvas
from upcard.terminal.keys import END, RESIZE, Keys
from upcard.terminal.render import HEIGHT, WIDTH, Asking, too_small
from upcard.terminal.seat_view import Option, Trick, View, tricks
from upcard.terminal.table_view import view_of
from upcard.terminal.ui import question, trick_in_a_line

TRICK_PACE = 2.5
"""A trick that is complete stays for so many times the pace."""
QUEEN_WAIT = 1.2
"""How long q waits for the suit of a queen, where one may be chosen."""
PACES = {"+": 1 / 1.5, "-": 1.5}
"""Keys that change how long others are looked at, and by how much."""
LEAST_PACE = 0.1
"""Seconds; anything less is not to wait at all."""
NEWS = 150
"""Letters of what happened that fit under the question."""
_NUMBERED = re.compile(r" *\d+  [?! ]{2}  ")
BACK = ("enter", "space", "escape", "q", END)


class ScreenUi:
    def __init__(self, keys: Keys, pace: float, ascii_only: bool, colour: bool) -> None:
        self._keys = keys
        self._pace = pace
        self._ascii = ascii_only
        self._colour = colour
        self._panel: tuple[str, ...] = ()
        self._message = ""
        self._news = ""
        self._chosen: tuple[object, int] = (None, 0)
        """Which decision was asked last, and what was chosen there so far."""

    # --- showing -------------------------------------------------------------------------------

    def opening(self, lines: Sequence[str]) -> None:
        self.page("Upcard", [*lines, "", "Enter begins. At the table ? explains the keys."])

    def show(self, view: View, told: Sequence[str], taken: Trick | None) -> None:
        self._news = _newest(told, NEWS)
        if view.your_turn and taken is None:
            return  # the question is drawn at once
        whole = trick_in_a_line(view, taken) if taken is not None else ""
        asking = Asking(question=whole, news=self._news, trick=taken, open=False)
        self._hold(lambda: self._draw(view, asking), self._pace * (TRICK_PACE if taken is not None else 1.0))

    def thinking(self, view: View) -> None:
        moving = next((chair for chair in view.chairs if chair.to_move), None)
        who = f"{moving.name} is thinking ..." if moving is not None else ""
        self._draw(view, Asking(question=who, open=False))

    def busy(self, view: View, what: str) -> None:
        self._draw(view, Asking(question=what, open=False))

    def note(self, lines: Sequence[str], message: str = "") -> None:
        self._panel, self._message = tuple(lines), message

    def room(self, view: View) -> int:
        return view_of(view.observation).note_columns

    def page(self, title: str, lines: Sequence[str]) -> None:
        """A text to scroll through."""
        top = 0
        while True:
            width, height = self._keys.size()
            wrapped = _wrapped(lines, width - 2)
            room = max(1, height - 3)
            top = max(0, min(top, len(wrapped) - room))
            more = len(wrapped) > room
            keys = "arrows scroll, Enter goes back" if more else "Enter goes on"
            canvas = Canvas(width, height, self._ascii)
            canvas.put(0, 1, title, "bold")
            for row, line in enumerate(wrapped[top : top + room], 2):
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
                "last": len(wrapped),
            }
            top += steps.get(key or "", 0)

    def hand_over(self, view: View, lines: Sequence[str], last: bool) -> Command:
        sheet = view.narrator.sheet
        onward = f"Enter: next {sheet.deal_word if sheet else 'deal'}   v: review   q: save and quit"
        ask = "Enter: to the end   v: review" if last else onward
        taken = tricks(view.observation)
        asking = Asking(
            question=ask,
            trick=taken[-1] if taken else None,
            panel=tuple(_wrapped(lines, self.room(view))),
            open=False,
        )
        self._message, self._panel = "", ()
        while True:
            self._draw(view, asking)
            key = self._keys.read()
            if key in ("enter", "space"):
                return Command("")
            if key in ("v", "V"):
                return Command("v")
            if key in ("q", "Q", END):
                return Command("q")

    def closing(self, lines: Sequence[str]) -> None:
        """Said when the screen has been given back, by whoever opened it."""

    # --- asking --------------------------------------------------------------------------------

    def ask(self, view: View) -> Option | Command:
        here = ((view.observation.match or {}).get("deal"), view.observation.decision)
        at = self._chosen[1] if self._chosen[0] == here else 0
        asking = Asking(question(view), at, message=self._message, panel=self._panel, news=self._news)
        self._message, self._panel = "", ()
        names = card_names(view)
        while True:
            self._chosen = (here, asking.selected)
            self._draw(view, asking)
            key = self._keys.read()
            if key is None or key == RESIZE:
                continue
            if not asking.typed:
                if key == END:
                    return Command("q")
                if key.lower() == "q" and self._names_a_queen(view):
                    asking = asking.but(
                        typed="q", message="q saves and quits; with a suit it is a queen.", panel=()
                    )
                    self._draw(view, asking)
                    key = self._keys.read(QUEEN_WAIT)
                    if key is None or key == "enter" or key == "q":
                        return Command("q")
                elif key in PACES:
                    asking = asking.but(message=self._paced(PACES[key]), panel=())
                    continue
                elif key.lower() in COMMANDS and key.lower() != "t":
                    return Command(key.lower())
            found, asking = self._after_key(key, asking, view, names)
            if found is not None:
                return found

    def _after_key(
        self, key: str, asking: Asking, view: View, names: dict[str, str]
    ) -> tuple[Option | Command | None, Asking]:
        asking = asking.but(message="", panel=())
        last = len(view.options) - 1
        step = {"left": -1, "right": 1, "up": -self._columns(view), "down": self._columns(view)}.get(key)
        if step is not None:
            return None, asking.but(selected=_stepped(asking.selected, step, last), typed="")
        if key in ("home", "page up"):
            return None, asking.but(selected=0 if key == "home" else max(0, asking.selected - 8), typed="")
        if key in ("last", "page down"):
            return None, asking.but(
                selected=last if key == "last" else min(last, asking.selected + 8), typed=""
            )
        if key == "escape":
            return None, asking.but(typed="")
        if key == "delete":
            return None, asking.but(typed=asking.typed[:-1])
        if key == "enter":
            if not asking.typed:
                return view.options[asking.selected], asking
            return self._entered(asking, view)
        if key == "space":
            key = " "
        if len(key) != 1 or not key.isprintable():
            return None, asking
        typed = (asking.typed + key)[:60]
        asking = asking.but(typed=typed)
        if typed.isdigit() and 1 <= int(typed) <= last + 1:
            return None, asking.but(selected=int(typed) - 1)
        # a card is played as soon as it is named, unless more cards may follow
        card = names.get(typed.strip().lower())
        if (
            card is not None
            and not typed.isdigit()
            and all(len(option.cards) <= 1 for option in view.options)
        ):
            return self._entered(asking, view)
        return None, asking

    def _entered(self, asking: Asking, view: View) -> tuple[Option | Command | None, Asking]:
        try:
            return understand(asking.typed, view), asking
        except Unclear as problem:
            sentence = str(problem)
            return None, asking.but(typed="", message=sentence[:1].upper() + sentence[1:] + ".")

    def _paced(self, factor: float) -> str:
        """Faster or slower; somebody who did not wait at all begins with a little."""
        self._pace = min(10.0, max(LEAST_PACE, self._pace) * factor)
        if factor < 1 and self._pace < LEAST_PACE:
            self._pace = 0.0
        return f"What others do is now shown for {self._pace:.1f} seconds."

    def _columns(self, view: View) -> int:
        """How many options stand side by side: what an arrow up or down passes."""
        return view_of(view.observation).menu_columns(view, max(self._keys.size()[0], WIDTH) - 2)

    @staticmethod
    def _names_a_queen(view: View) -> bool:
        return any(
            view.card(card).lower().startswith("q") for option in view.options for card in option.cards
        )

    # --- drawing -------------------------------------------------------------------------------

    def _hold(self, draw: Callable[[], None], seconds: float) -> None:
        """Draws and waits; a resized window is drawn again."""
        draw()
        if seconds > 0:
            while self._keys.pause(seconds):
                draw()

    def _draw(self, view: View, asking: Asking) -> None:
        width, height = self._keys.size()
        if width < WIDTH or height < HEIGHT:
            canvas = Canvas(width, height, self._ascii)
            for row, line in enumerate(too_small(width, height)):
                canvas.put(row, 0, line)
        else:
            canvas = view_of(view.observation).draw(view, asking, width, height)
        self._write(canvas)

    def _write(self, canvas: Canvas) -> None:
        lines = canvas.lines(self._colour)
        write_styled("\x1b[H" + "\x1b[K\r\n".join(lines) + "\x1b[K\x1b[J")
        sys.stdout.flush()


def _stepped(selected: int, step: int, last: int) -> int:
    """Round the end by single steps; no further than there is something by longer ones."""
    if abs(step) == 1:
        return (selected + step) % (last + 1)
    return selected + step if 0 <= selected + step <= last else selected


def _newest(told: Sequence[str], room: int) -> str:
    """The last sentences that fit."""
    kept = ""
    for line in reversed([line for line in told if line]):
        if len(kept) + len(line) >= room:
            break
        kept = f"{line} {kept}" if kept else line
    return kept


def _wrapped(lines: Sequence[str], room: int) -> list[str]:
    """Lines broken at words; what is indented stays so."""
    made: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        numbered = _NUMBERED.match(line)
        hang = " " * numbered.end() if numbered else indent + "  " if indent else ""
        made += textwrap.wrap(line, max(20, room), subsequent_indent=hang) or [""]
    return made
