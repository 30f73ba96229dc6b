"""Any game on an 80x24 screen: opponents, table, log, your cards, menu."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from upcard.terminal.canvas import Canvas, fit
from upcard.terminal.render import (
    Prompt,
    chair_title,
    columns,
    deal_title,
    draw_footer,
    draw_header,
    draw_menu,
    menu_entries,
    newest_lines,
)
from upcard.terminal.seat_view import CardPlace, Chair, View
from upcard.terminal_text import capitalize_first

GLUE = "\N{NO-BREAK SPACE}"
MAX_SHOWN = 16
"""Cards shown of a longer pile, from its top."""


def draw(view: View, prompt: Prompt, width: int, height: int) -> Canvas:
    canvas = Canvas(width, height, view.narrator.ascii_only)
    room = canvas.width - 2
    facts = facts_line(view)
    draw_header(canvas, view, deal_title(view), room - len(facts) - 2)
    canvas.put(1, 1, fit(facts, room, view.narrator.ascii_only), "bold")
    canvas.put(2, 0, "─" * canvas.width, "dim")

    question = canvas.height - 4
    rows = question - 3
    needed = -(-len(view.options) // columns(view, room))
    menu_rows = min(needed, max(3, rows // 3)) if prompt.open else 0
    panel = list(prompt.panel[: max(6, menu_rows)])
    menu_rows = len(panel) if panel else menu_rows
    own_lines = hand_lines(view, room - 2)
    own_lines = own_lines[: max(2, rows // 4)]
    left = rows - menu_rows - len(own_lines) - 2
    above = others(view, room, min(left - 2, max(4, 2 * left // 3)))
    log = newest_lines(view.recent(), room, max(0, left - len(above) - 1))

    row = 3
    for line, style in above:
        canvas.put(row, 1, line, style)
        row += 1
    canvas.put(row, 0, "─" * canvas.width, "dim")
    for below, line in enumerate(log, row + 1):
        canvas.put(below, 1, line)
    row = question - menu_rows - len(own_lines) - 2
    canvas.put(row, 0, "─" * canvas.width, "dim")
    counts = "".join(f" · {words} {value}" for words, value in view.you.counts)
    canvas.put(row + 1, 1, fit(chair_title(view.you) + counts, room), "bold" if view.your_turn else "")
    for below, line in enumerate(own_lines, row + 2):
        canvas.put(below, 3, line)
    row += 2 + len(own_lines)
    if menu_rows and not panel:
        draw_menu(canvas, row, 1, menu_entries(view, prompt, room, menu_rows, side_by_side=True))
    for below, line in enumerate(panel, row):
        canvas.put(below, 1, fit(line, room, view.narrator.ascii_only))
    draw_footer(canvas, prompt, question)
    return canvas


def facts_line(view: View) -> str:
    return capitalize_first(" · ".join(f"{words} {value}" for words, value in view.facts))


def others(view: View, room: int, rows: int) -> list[tuple[str, str]]:
    """The other players and the table, a line each; longer ones wrap if there is space."""
    # a name takes a third of the room at most, or nothing would be left for the cards
    width = min(max(len(chair_title(chair)) for chair in view.chairs), room // 3)
    entries = [(chair_title(chair), chair_line(view, chair), chair.to_move) for chair in view.chairs[1:]]
    if view.table:
        entries.append(("  table", "; ".join(place_text(view, place) for place in view.table), False))
    if len(entries) > rows:
        return _side_by_side(entries, room, rows)
    styled_lines: list[tuple[str, str]] = []
    for at, (name, text, moving) in enumerate(entries):
        spare = max(1, rows - len(styled_lines) - (len(entries) - at - 1))
        lines = _wrapped(text, room - width - 2) or [""]
        if len(lines) > spare:
            lines = [*lines[: spare - 1], fit(" ".join(lines[spare - 1 :]), room - width - 2)]
        for number, line in enumerate(lines):
            label = name if number == 0 else ""
            label = label if label.startswith(("▶", "  ")) or not label else f"  {label}"
            label = fit(label, width + 2, view.narrator.ascii_only)
            styled_lines.append((f"{label:<{width + 2}} {line}", "bold" if moving and number == 0 else ""))
    return styled_lines[:rows]


def _side_by_side(entries: Sequence[tuple[str, str, bool]], room: int, rows: int) -> list[tuple[str, str]]:
    """Many players in columns."""
    across = -(-len(entries) // max(1, rows))
    cell = room // across
    cells = [f"{name if name[0] in '▶ ' else f'  {name}'} {text}" for name, text, _ in entries]
    lines = ["".join(f"{fit(text, cell - 1):<{cell}}" for text in cells[at::rows]) for at in range(rows)]
    return [(line.rstrip(), "") for line in lines if line.strip()]


def chair_line(view: View, chair: Chair) -> str:
    """A player's places and counts as your seat sees them."""
    counts = [f"{words} {value}" for words, value in chair.counts]
    return "; ".join([*(place_text(view, place) for place in chair.places), *counts])


def place_text(view: View, place: CardPlace) -> str:
    if place.hidden and len(place.cards) == 1 and place.single:
        return f"{place.words} face down"
    if place.hidden:
        count = f"{len(place.cards)} card{'s' if len(place.cards) != 1 else ''}"
        return f"{count} {place.words[6:]}" if place.words.startswith("cards ") else f"{place.words} {count}"
    shown = place.cards[-MAX_SHOWN:]
    more = len(place.cards) - len(shown)
    cards = " ".join(view.card(card) for card in shown)
    text = f"{place.words} {cards}" if not more else f"{place.words} {cards} on {more} more"
    return f"{text} ({place.total})" if place.total else text


def hand_lines(view: View, room: int) -> list[str]:
    """Each hand on lines of its own, then your other places."""
    lines: list[str] = []
    for place in view.you.places:
        if place.private:
            cards = " ".join(view.card(card) for card in place.cards)
            total = f" ({place.total})" if place.total else ""
            text = place_text(view, place) if place.hidden else f"{place.words} {cards}{total}"
            lines += _wrapped(text, room, " " * min(len(place.words) + 1, room // 3))
    others = "; ".join(place_text(view, place) for place in view.you.places if not place.private)
    return lines + _wrapped(others, room)


def _wrapped(text: str, room: int, indent: str = "") -> list[str]:
    """Wraps a text without breaking before or inside parentheses: a total stays with its last card."""
    glued = re.sub(r" \([^()]*\)", lambda match: match[0].replace(" ", GLUE), text)
    return [line.replace(GLUE, " ") for line in textwrap.wrap(glued, room, subsequent_indent=indent)]
