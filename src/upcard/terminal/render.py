"""Rendering shared by all screens: question, panels, card boxes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from upcard.terminal.canvas import Canvas, fitted
from upcard.terminal.seat_view import Chair, Trick, View

WIDTH, HEIGHT = 80, 24
"""The smallest table."""

Entry: TypeAlias = tuple[int, str, bool]
"""A column, a text, and whether it is chosen."""

KEYS_LINE = "? keys  h hint  u last trick  c lay down  r rules  v review  q save and quit"


@dataclass(frozen=True)
class Asking:
    """What stands around the cards: the question, what is chosen, what was typed, what was said."""

    question: str = ""
    selected: int = 0
    typed: str = ""
    message: str = ""
    news: str = ""
    """What was told last, for where there is no other room for it."""
    panel: tuple[str, ...] = ()
    """Shown beside the hand instead of the menu or of what happened."""
    trick: Trick | None = None
    """A trick that was just taken, still to be looked at."""
    open: bool = True
    """Whether there is something to choose now."""

    def but(self, **changes: object) -> Asking:
        return replace(self, **changes)  # type: ignore[arg-type]


def too_small(width: int, height: int) -> list[str]:
    return textwrap.wrap(
        f"This table needs {WIDTH} columns and {HEIGHT} lines; the window has {width} and {height}. "
        "Make it larger to go on. q saves and quits; upcard play --resume --plain goes on in any window.",
        max(10, width - 1),
    )[: max(1, height - 1)]


def card_box(
    canvas: Canvas,
    row: int,
    column: int,
    face: str,
    label: str | None = None,
    chosen: bool = False,
    inside: int = 5,
) -> None:
    """A card two wider than its inside; three high, or four with a label. A chosen one has a double edge."""
    edge, side, corners = ("═", "║", "╔╗╚╝") if chosen else ("─", "│", "╭╮╰╯")
    style = "bold" if chosen else ""
    canvas.put(row, column, corners[0] + edge * inside + corners[1], style)
    texts = [face] if label is None else [face, label]
    for below, text in enumerate(texts, 1):
        canvas.put(row + below, column, side, style)
        canvas.put(row + below, column + 1, f"{text:^{inside}}"[:inside], "bold")
        canvas.put(row + below, column + 1 + inside, side, style)
    canvas.put(row + 1 + len(texts), column, corners[2] + edge * inside + corners[3], style)


def head(canvas: Canvas, view: View, title: str, below: int = 0) -> None:
    """The first line: the game, and how the match stands; where many play, that stands in the next line
    if it has so much room."""
    canvas.put(0, 1, title, "bold")
    room = canvas.width - len(title) - 6
    score = score_line(view, room)
    row = 1 if len(score) > room and len(score) <= below else 0
    shown = fitted(score, room if row == 0 else below, view.narrator.ascii_only)
    canvas.right(row, canvas.width - 1, shown, "bold")


def score_line(view: View, room: int) -> str:
    sides = sides_in_words(view)
    long = " · ".join(f"{name} {points}" for name, points in sides)
    if len(long) <= room:
        return long
    return " ".join(f"{name[:3]} {points}" for name, points in sides)


def sides_in_words(view: View) -> list[tuple[str, int]]:
    """Sides and their totals, yours first and called `You`."""
    yours = " and ".join(["You", *(chair.name for chair in view.chairs if chair.partner)])
    return [(yours if n == 0 else name, points) for n, (name, points) in enumerate(view.scores)]


def title_of(view: View) -> str:
    sheet = view.narrator.sheet
    around = view.observation.match or {}
    name = sheet.title if sheet else str(view.observation.game["game"])
    word = sheet.deal_word if sheet else "deal"
    number = int(around.get("deal", 0)) + 1
    if around.get("to") is not None:
        return f"{name} to {around['to']} · {word} {number}"
    if around.get("deals", 1) > 1:
        return f"{name} · {word} {number} of {around['deals']}"
    return name if number == 1 else f"{name} · {word} {number}"


def title_of_chair(chair: Chair) -> str:
    notes = [
        word for word, so in (("you", chair.you), ("partner", chair.partner), ("dealer", chair.deals)) if so
    ]
    name = f"{chair.name} ({', '.join(notes)})" if notes else chair.name
    return f"▶ {name}" if chair.to_move else name


def columns(view: View, room: int) -> int:
    """How many options fit side by side: many when they are short, such as single cards."""
    longest = max((len(option.text) for option in view.options), default=1)
    return max(1, min(room // (longest + len(str(len(view.options))) + 5), len(view.options)))


def menu(view: View, asking: Asking, room: int, rows: int, side_by_side: bool = False) -> list[list[Entry]]:
    """Rows of the menu, each of entries at columns; when there are more than fit, those around the chosen."""
    options, wide = view.options, len(str(len(view.options)))
    across = columns(view, room) if side_by_side else 1
    needed = -(-len(options) // across)
    chosen_row = asking.selected // across
    start = min(max(0, chosen_row - rows // 2), max(0, needed - rows))
    shown = []
    for row in range(start, min(start + rows, needed)):
        line = []
        for at in range(row * across, min((row + 1) * across, len(options))):
            option, chosen = options[at], at == asking.selected
            text = f"{'▶' if chosen else ' '} {option.number:>{wide}} {option.text}"
            cell = room // across
            line.append(((at % across) * cell, fitted(text, cell, view.narrator.ascii_only), chosen))
        shown.append(line)
    above, below = start * across, len(options) - (start + rows) * across
    if above > 0 and chosen_row != start:
        shown[0] = [(0, fitted(f"  ↑ {above + len(shown[0])} more above", room), False)]
    if below > 0 and chosen_row != start + rows - 1:
        shown[-1] = [(0, fitted(f"  ↓ {below + len(shown[-1])} more below", room), False)]
    return shown


def foot(canvas: Canvas, asking: Asking, row: int) -> None:
    """Question, message and keys: the last four lines from `row`."""
    question = asking.question
    if asking.typed:
        question = f"{question} {asking.typed}_"
    canvas.put(row, 1, question, "bold")
    for below, line in enumerate(wrapped(asking.message, canvas.width - 2, 2), 1):
        canvas.put(row + below, 1, line)
    canvas.put(canvas.height - 1, 1, KEYS_LINE[: canvas.width - 2], "dim")


def wrapped(text: str, room: int, rows: int) -> list[str]:
    """At most so many lines of a text."""
    lines = (
        [line for part in text.split("\n") for line in (textwrap.wrap(part, room) or [""])] if text else []
    )
    return lines[:rows]


def put_menu(canvas: Canvas, row: int, column: int, lines: Sequence[Sequence[Entry]]) -> None:
    for below, line in enumerate(lines, row):
        for at, text, chosen in line:
            canvas.put(below, column + at, text, "reverse" if chosen else "")


def last_lines(lines: Sequence[str], room: int, rows: int) -> list[str]:
    """The newest of what was told, wrapped, oldest first."""
    made: list[str] = []
    for line in reversed(lines):
        piece = textwrap.wrap(line, room, subsequent_indent="  ") or [""]
        if len(made) + len(piece) > rows:
            break
        made = piece + made
    return made
