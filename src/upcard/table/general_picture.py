"""Any game on a screen of 80 by 24: the others, the table, what happened, your cards, and the menu."""

from __future__ import annotations

import textwrap

from upcard.table.canvas import Canvas, fitted
from upcard.table.pictures import (
    HEIGHT,
    WIDTH,
    Asking,
    foot,
    head,
    last_lines,
    menu,
    title_of,
    title_of_chair,
)
from upcard.table.view import Chair, Lying, View

MOST_SHOWN = 16
"""Of a longer pile only so many cards on top are shown."""


def draw(view: View, asking: Asking, width: int, height: int) -> Canvas:
    canvas = Canvas(max(width, WIDTH), max(height, HEIGHT), view.teller.ascii_only)
    room = canvas.width - 2
    head(canvas, view, title_of(view))
    canvas.put(1, 1, fitted(facts_line(view), room, view.teller.ascii_only), "bold")
    canvas.put(2, 0, "─" * canvas.width, "dim")

    question = canvas.height - 4
    rows = question - 3
    menu_rows = min(len(view.options), max(3, rows // 3)) if asking.open else 0
    panel = list(asking.panel[: max(6, menu_rows)])
    menu_rows = len(panel) if panel else menu_rows
    yours = [line for place in view.you.places for line in place_lines(view, place, room - 2)]
    yours = yours[: max(2, rows // 4)]
    left = rows - menu_rows - len(yours) - 2
    above = others(view, room, min(left - 2, max(4, 2 * left // 3)))
    told = last_lines(view.recent(), room, max(0, left - len(above) - 1))

    row = 3
    for line, style in above:
        canvas.put(row, 1, line, style)
        row += 1
    canvas.put(row, 0, "─" * canvas.width, "dim")
    for below, line in enumerate(told, row + 1):
        canvas.put(below, 1, line)
    row = question - menu_rows - len(yours) - 2
    canvas.put(row, 0, "─" * canvas.width, "dim")
    counts = "".join(f" · {words} {value}" for words, value in view.you.counts)
    canvas.put(row + 1, 1, fitted(title_of_chair(view.you) + counts, room), "bold" if view.your_turn else "")
    for below, line in enumerate(yours, row + 2):
        canvas.put(below, 3, line)
    row += 2 + len(yours)
    lines = [(line, "") for line in panel] or (menu(view, asking, room, menu_rows) if menu_rows else [])
    for below, (line, style) in enumerate(lines, row):
        canvas.put(below, 1, line, style)
    foot(canvas, asking, question)
    return canvas


def facts_line(view: View) -> str:
    return " · ".join(f"{words} {value}" for words, value in view.facts).capitalize()


def others(view: View, room: int, rows: int) -> list[tuple[str, str]]:
    """The other chairs and the table, a line each, longer ones wrapped as far as there is space."""
    width = max(len(title_of_chair(chair)) for chair in view.chairs)
    entries = [(title_of_chair(chair), chair_line(view, chair), chair.to_move) for chair in view.chairs[1:]]
    if view.table:
        entries.append(("  table", "; ".join(place_text(view, place) for place in view.table), False))
    made: list[tuple[str, str]] = []
    for at, (name, text, moving) in enumerate(entries):
        spare = max(1, rows - len(made) - (len(entries) - at - 1))
        lines = textwrap.wrap(text, room - width - 2) or [""]
        if len(lines) > spare:
            lines = [*lines[: spare - 1], fitted(" ".join(lines[spare - 1 :]), room - width - 2)]
        for number, line in enumerate(lines):
            label = name if number == 0 else ""
            label = label if label.startswith(("▶", "  ")) or not label else f"  {label}"
            made.append((f"{label:<{width + 2}} {line}", "bold" if moving and number == 0 else ""))
    return made[:rows]


def chair_line(view: View, chair: Chair) -> str:
    """What somebody's places and counts look like from your seat."""
    counts = [f"{words} {value}" for words, value in chair.counts]
    return "; ".join([*(place_text(view, place) for place in chair.places), *counts])


def place_text(view: View, place: Lying) -> str:
    if place.hidden:
        return f"{place.words} {len(place.cards)} card{'s' if len(place.cards) != 1 else ''}"
    shown = place.cards[-MOST_SHOWN:]
    more = len(place.cards) - len(shown)
    cards = " ".join(view.card(card) for card in shown)
    return f"{place.words} {cards}" if not more else f"{place.words} {cards} on {more} more"


def place_lines(view: View, place: Lying, room: int) -> list[str]:
    text = place_text(view, place) if not place.private else _hand_text(view, place)
    return textwrap.wrap(text, room, subsequent_indent=" " * (len(place.words) + 1))


def _hand_text(view: View, place: Lying) -> str:
    if place.hidden:
        return place_text(view, place)
    return f"{place.words} " + " ".join(view.card(card) for card in place.cards)
