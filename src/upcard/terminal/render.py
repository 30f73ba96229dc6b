"""Rendering shared by all screens: question, panels, card boxes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from upcard.terminal.canvas import Canvas, fit
from upcard.terminal.seat_view import Chair, Trick, View

WIDTH, HEIGHT = 80, 24
"""The usual table."""
LEAST_WIDTH, LEAST_HEIGHT = 60, 20
"""The smallest table."""

Entry: TypeAlias = tuple[int, str, bool]
"""A column, a text, and whether it is chosen."""

WAITING_LINE = "Ctrl-C saves and quits"
"""The only key while others play."""
CLOSE_LINE = "Enter goes back to your choices"
"""The keys while a hint or the last trick lies over the menu."""


@dataclass(frozen=True)
class Prompt:
    """What the screen shows around the cards: question, selection, typed text, message."""

    question: str = ""
    selected: int = 0
    typed: str = ""
    message: str = ""
    news: str = ""
    """The newest sentences, for screens without a log."""
    panel: tuple[str, ...] = ()
    """Shown beside the hand instead of the menu or the log."""
    trick: Trick | None = None
    """A trick that was just taken and stays visible for a moment."""
    open: bool = True
    """Whether the person is to choose now."""
    keys: str = WAITING_LINE
    """What the last line says about keys."""

    def but(self, **changes: object) -> Prompt:
        return replace(self, **changes)  # type: ignore[arg-type]


def screen_fits(width: int, height: int) -> bool:
    """Whether a window is large enough for a table."""
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT


def too_small(width: int, height: int) -> list[str]:
    return textwrap.wrap(
        f"This table needs {LEAST_WIDTH} columns and {LEAST_HEIGHT} lines; "
        f"the window has {width} and {height}. "
        "Make it larger to continue. q saves and quits; upcard play --resume --plain works in a window "
        "of any size.",
        max(10, width - 1),
    )[: max(1, height - 1)]


def card_box(
    canvas: Canvas,
    row: int,
    column: int,
    ui: str,
    label: str | None = None,
    chosen: bool = False,
    inside: int = 5,
) -> None:
    """Draw a card: three rows, or four with a label; the selected card has a double edge."""
    edge, side, corners = ("═", "║", "╔╗╚╝") if chosen else ("─", "│", "╭╮╰╯")
    style = "bold" if chosen else ""
    canvas.put(row, column, corners[0] + edge * inside + corners[1], style)
    texts = [ui] if label is None else [ui, label]
    for below, text in enumerate(texts, 1):
        canvas.put(row + below, column, side, style)
        canvas.put(row + below, column + 1, f"{text:^{inside}}"[:inside], "bold")
        canvas.put(row + below, column + 1 + inside, side, style)
    canvas.put(row + 1 + len(texts), column, corners[2] + edge * inside + corners[3], style)


def draw_header(canvas: Canvas, view: View, title: str, below: int = 0) -> None:
    """The first line: game and score. A long score moves to the second line if `below` columns hold it."""
    canvas.put(0, 1, title, "bold")
    room = canvas.width - len(title) - 6
    score = score_line(view, room)
    row = 1 if len(score) > room and len(score) <= below else 0
    shown = fit(score, room if row == 0 else below, view.narrator.ascii_only)
    canvas.put_right(row, canvas.width - 1, shown, "bold")


def score_line(view: View, room: int) -> str:
    sides = side_scores(view)
    for between in (" · ", "  "):
        whole = between.join(f"{name} {points}" for name, points in sides)
        if len(whole) <= room:
            return whole
    if len(sides) == 2:
        return f"You {sides[0][1]} · They {sides[1][1]}"
    return " ".join(f"{name[:3]} {points}" for name, points in sides)


def side_scores(view: View, person: bool = True) -> list[tuple[str, int]]:
    """Sides and their totals, yours first and called `You` if a person sits there."""
    if not person:
        return list(view.scores)
    yours = " and ".join(["You", *(chair.name for chair in view.chairs if chair.partner)])
    return [(yours if n == 0 else name, points) for n, (name, points) in enumerate(view.scores)]


def deal_title(view: View) -> str:
    sheet = view.narrator.sheet
    match = view.observation.match or {}
    name = sheet.title if sheet else str(view.observation.game["game"])
    word = sheet.deal_word if sheet else "deal"
    number = int(match.get("deal", 0)) + 1
    if match.get("to") is not None:
        return f"{name} to {match['to']} · {word} {number}"
    if match.get("deals", 1) > 1:
        return f"{name} · {word} {number} of {match['deals']}"
    return name if number == 1 else f"{name} · {word} {number}"


def chair_title(chair: Chair) -> str:
    notes = [
        word
        for word, holds in (("you", chair.you), ("partner", chair.partner), ("dealer", chair.deals))
        if holds
    ]
    name = f"{chair.name} ({', '.join(notes)})" if notes else chair.name
    return f"▶ {name}" if chair.to_move else name


def columns(view: View, room: int) -> int:
    """How many options fit side by side."""
    longest = max((len(option.text) for option in view.options), default=1)
    return max(1, min(room // (longest + len(str(len(view.options))) + 5), len(view.options)))


def menu_entries(
    view: View, prompt: Prompt, room: int, rows: int, side_by_side: bool = False
) -> list[list[Entry]]:
    """Rows of menu entries; if there are too many, those around the selected one."""
    options, number_width = view.options, len(str(len(view.options)))
    across = columns(view, room) if side_by_side else 1
    needed = -(-len(options) // across)
    chosen_row = prompt.selected // across
    start = min(max(0, chosen_row - rows // 2), max(0, needed - rows))
    shown = []
    for row in range(start, min(start + rows, needed)):
        line = []
        for at in range(row * across, min((row + 1) * across, len(options))):
            option, chosen = options[at], at == prompt.selected
            text = f"{'▶' if chosen else ' '} {option.number:>{number_width}} {option.text}"
            cell = room // across
            line.append(((at % across) * cell, fit(text, cell, view.narrator.ascii_only), chosen))
        shown.append(line)
    above, below = start * across, len(options) - (start + rows) * across
    if above > 0 and chosen_row != start:
        shown[0] = [(0, fit(f"  ↑ {above + len(shown[0])} more above", room), False)]
    if below > 0 and chosen_row != start + rows - 1:
        shown[-1] = [(0, fit(f"  ↓ {below + len(shown[-1])} more below", room), False)]
    return shown


def draw_footer(canvas: Canvas, prompt: Prompt, row: int) -> None:
    """Question, message and keys: the last four lines from `row`."""
    question = prompt.question
    if prompt.typed:
        question = f"{question} {prompt.typed}_"
    canvas.put(row, 1, question, "bold")
    for below, line in enumerate(wrap_text(prompt.message, canvas.width - 2, 2), 1):
        canvas.put(row + below, 1, line)
    keys = CLOSE_LINE if prompt.panel and prompt.open else prompt.keys
    canvas.put(canvas.height - 1, 1, _fitting_keys(keys, canvas.width - 2), "dim")


def _fitting_keys(keys: str, room: int) -> str:
    """The keys that fit into a line: the first and the last, for help and for leaving, always do."""
    parts = keys.split("  ")
    while len("  ".join(parts)) > room and len(parts) > 2:
        del parts[-2]
    return "  ".join(parts)[:room]


def wrap_text(text: str, room: int, rows: int) -> list[str]:
    """The first `rows` lines of a text."""
    lines = (
        [line for part in text.split("\n") for line in (textwrap.wrap(part, room) or [""])] if text else []
    )
    return lines[:rows]


def draw_menu(canvas: Canvas, row: int, column: int, lines: Sequence[Sequence[Entry]]) -> None:
    for below, line in enumerate(lines, row):
        for at, text, chosen in line:
            canvas.put(below, column + at, text, "reverse" if chosen else "")


def newest_lines(lines: Sequence[str], room: int, rows: int) -> list[str]:
    """The newest sentences that fit, wrapped, oldest first."""
    lines_kept: list[str] = []
    for line in reversed(lines):
        piece = textwrap.wrap(line, room, subsequent_indent="  ") or [""]
        if len(lines_kept) + len(piece) > rows:
            break
        lines_kept = piece + lines_kept
    return lines_kept
