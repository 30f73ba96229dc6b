"""Euchre on an 80x24 screen: seats, upcard, bidding, trick, trump and maker."""

from __future__ import annotations

import textwrap

from upcard.euchre.deal_text import (
    Bidding,
    bidding,
    bower,
    hand_in_order,
    on_the_table,
    status,
    tricks_line,
    trump_line,
)
from upcard.terminal.canvas import Canvas, fitted
from upcard.terminal.render import (
    HEIGHT,
    WIDTH,
    Asking,
    card_box,
    foot,
    head,
    last_lines,
    menu,
    put_menu,
    title_of,
    title_of_chair,
)
from upcard.terminal.seat_view import Chair, Trick, View

BESIDE = 22
"""Columns between the edge and the card of who sits at a side."""


def draw(view: View, asking: Asking, width: int, height: int) -> Canvas:
    """The table in the middle of the screen, however large that is."""
    canvas = Canvas(WIDTH, HEIGHT, view.narrator.ascii_only)
    made = bidding(view.observation)
    head(canvas, view, title_of(view))
    canvas.put(1, 1, trump_line(view, made), "bold")
    canvas.right(1, canvas.width - 1, tricks_line(view), "bold")
    canvas.put(2, 0, "─" * canvas.width, "dim")
    _around(canvas, view, made)
    _middle(canvas, view, asking.trick, made)
    canvas.put(13, 0, "─" * canvas.width, "dim")
    _yours(canvas, view, asking, made)
    hidden = asking.open and made.trump is None and not asking.message  # the menu lies over what was told
    foot(canvas, asking.but(message=asking.news) if hidden else asking, 20)
    screen = Canvas(max(width, WIDTH), max(height, HEIGHT), view.narrator.ascii_only)
    screen.paste(canvas, (screen.height - HEIGHT) // 3, (screen.width - WIDTH) // 2)
    return screen


def _around(canvas: Canvas, view: View, made: Bidding) -> None:
    _, west, north, east = view.chairs
    middle = WIDTH // 2
    canvas.centred(3, middle, title_of_chair(north), _style(north))
    canvas.centred(4, middle, status(view, north, made))
    canvas.put(7, 2, title_of_chair(west), _style(west))
    for row, line in enumerate(textwrap.wrap(status(view, west, made), BESIDE), 8):
        canvas.put(row, 2, line.removeprefix("· ").removesuffix(" ·"))
    canvas.right(7, WIDTH - 2, title_of_chair(east), _style(east))
    for row, line in enumerate(textwrap.wrap(status(view, east, made), BESIDE), 8):
        canvas.right(row, WIDTH - 2, line.removeprefix("· ").removesuffix(" ·"))


def _style(chair: Chair) -> str:
    return "bold" if chair.to_move else ""


def _middle(canvas: Canvas, view: View, taken: Trick | None, made: Bidding) -> None:
    """The trick, each card before whoever played it; before it the turned card."""
    spots = [(10, 36), (7, 25), (5, 36), (7, 47)]
    played = dict(taken.cards) if taken is not None else on_the_table(view.observation)
    for chair, (row, column) in zip(view.chairs, spots, strict=True):
        if chair.seat in played:
            card = played[chair.seat]
            face = view.card(card)
            card_box(canvas, row, column, face)
            name = bower(view.observation, card, made)
            if name:
                canvas.put(row + 2, column + 1, f"{name:─^5}", "bold")
    if not played and made.trump is None and made.upcard is not None:
        if made.turned_down:
            card_box(canvas, 6, 36, "▒▒▒")
            canvas.centred(9, 40, f"{view.card(made.upcard)} turned down")
        else:
            card_box(canvas, 6, 36, view.card(made.upcard))
            canvas.centred(9, 40, "turned up")


def _yours(canvas: Canvas, view: View, asking: Asking, made: Bidding) -> None:
    observation = view.observation
    you = view.you
    said = status(view, you, made)
    canvas.put(14, 1, title_of_chair(you) + (f" · {said}" if said else ""), _style(you))
    hand = hand_in_order(view, made)
    numbers = {option.cards[0]: option for option in view.options if len(option.cards) == 1}
    chosen = view.options[asking.selected] if asking.open and view.options else None
    by_card = all(option.cards for option in view.options) and bool(view.options) and asking.open
    inside = 5 if made.trump is not None else 6  # room for a bower with a question mark; there are five cards
    for at, card in enumerate(hand):
        column = 1 + (inside + 2) * at
        mine = by_card and chosen is not None and chosen.cards == (card,)
        card_box(canvas, 15, column, view.card(card), bower(observation, card, made), mine, inside)
        if by_card and card in numbers:
            mark = f"▶{numbers[card].number}" if mine else f" {numbers[card].number}"
            canvas.put(19, column + 2, mark, "bold" if mine else "")
    column, room = 45, WIDTH - 46
    if asking.panel:
        lines = [fitted(line, room, view.narrator.ascii_only) for line in asking.panel[:7]]
    elif asking.open and view.options and not by_card:
        lines = []
        put_menu(canvas, 14, column, menu(view, asking, room, 7))
    else:
        lines = last_lines(view.recent(), room, 6)
    for row, line in enumerate(lines, 14):
        canvas.put(row, column, line)
