"""Euchre on an 80x24 screen: seats, upcard, bidding, trick, trump and maker."""

from __future__ import annotations

import textwrap

from upcard.euchre.deal_text import (
    Bidding,
    bower,
    hand_in_order,
    read_bidding,
    status,
    trick_cards,
    tricks_line,
    trump_line,
)
from upcard.terminal.canvas import Canvas, fit
from upcard.terminal.render import (
    HEIGHT,
    WIDTH,
    Prompt,
    card_box,
    chair_title,
    deal_title,
    draw_footer,
    draw_header,
    draw_menu,
    menu_entries,
    newest_lines,
)
from upcard.terminal.seat_view import Chair, Trick, View

LOG_COLUMNS = 30
"""A window with this much room beside the table shows the log there."""
BESIDE = 22
"""Columns between the edge and the card of a player at the side."""


def draw(view: View, prompt: Prompt, width: int, height: int) -> Canvas:
    """Draw the table in the middle of the screen."""
    canvas = Canvas(WIDTH, HEIGHT, view.narrator.ascii_only)
    bidding = read_bidding(view.observation)
    draw_header(canvas, view, deal_title(view))
    canvas.put(1, 1, trump_line(view, bidding), "bold")
    canvas.put_right(1, canvas.width - 1, tricks_line(view), "bold")
    canvas.put(2, 0, "─" * canvas.width, "dim")
    _around(canvas, view, bidding)
    _middle(canvas, view, prompt.trick, bidding)
    canvas.put(13, 0, "─" * canvas.width, "dim")
    _yours(canvas, view, prompt, bidding)
    hidden = prompt.open and bidding.trump is None and not prompt.message  # the menu covers the log
    draw_footer(canvas, prompt.but(message=prompt.news) if hidden else prompt, 20)
    screen = Canvas(max(width, WIDTH), max(height, HEIGHT), view.narrator.ascii_only)
    beside = screen.width - WIDTH - 3
    if beside < LOG_COLUMNS:
        screen.paste(canvas, (screen.height - HEIGHT) // 3, (screen.width - WIDTH) // 2)
        return screen
    screen.paste(canvas, (screen.height - HEIGHT) // 3, 0)
    for row in range(screen.height):
        screen.put(row, WIDTH, "│", "dim")
    log = newest_lines(view.recent(), beside, screen.height - 2)
    for row, line in enumerate(["This hand so far", "", *log]):
        screen.put(row, WIDTH + 2, line, "bold" if row == 0 else "")
    return screen


def _around(canvas: Canvas, view: View, bidding: Bidding) -> None:
    _, west, north, east = view.chairs
    middle = WIDTH // 2
    canvas.put_centred(3, middle, chair_title(north), _style(north))
    canvas.put_centred(4, middle, status(view, north, bidding))
    canvas.put(7, 2, chair_title(west), _style(west))
    for row, line in enumerate(textwrap.wrap(status(view, west, bidding), BESIDE), 8):
        canvas.put(row, 2, line.removeprefix("· ").removesuffix(" ·"))
    canvas.put_right(7, WIDTH - 2, chair_title(east), _style(east))
    for row, line in enumerate(textwrap.wrap(status(view, east, bidding), BESIDE), 8):
        canvas.put_right(row, WIDTH - 2, line.removeprefix("· ").removesuffix(" ·"))


def _style(chair: Chair) -> str:
    return "bold" if chair.to_move else ""


def _middle(canvas: Canvas, view: View, taken: Trick | None, bidding: Bidding) -> None:
    """The trick, each card before its player; during the auction the upcard."""
    spots = [(10, 36), (7, 25), (5, 36), (7, 47)]
    played = dict(taken.cards) if taken is not None else trick_cards(view.observation)
    for chair, (row, column) in zip(view.chairs, spots, strict=True):
        if chair.seat in played:
            card = played[chair.seat]
            face = view.card(card)
            card_box(canvas, row, column, face)
            name = bower(view.observation, card, bidding)
            if name:
                canvas.put(row + 2, column + 1, f"{name:─^5}", "bold")
    if not played and bidding.trump is None and bidding.upcard is not None:
        if bidding.turned_down:
            card_box(canvas, 6, 36, "▒▒▒")
            canvas.put_centred(9, 40, f"{view.card(bidding.upcard)} turned down")
        else:
            card_box(canvas, 6, 36, view.card(bidding.upcard))
            canvas.put_centred(9, 40, "turned up")


def _yours(canvas: Canvas, view: View, prompt: Prompt, bidding: Bidding) -> None:
    observation = view.observation
    you = view.you
    said = status(view, you, bidding)
    canvas.put(14, 1, chair_title(you) + (f" · {said}" if said else ""), _style(you))
    hand = hand_in_order(view, bidding)
    numbers = {option.cards[0]: option for option in view.options if len(option.cards) == 1}
    chosen = view.options[prompt.selected] if prompt.open and view.options else None
    by_card = all(option.cards for option in view.options) and bool(view.options) and prompt.open
    inside = (
        5 if bidding.trump is not None else 6
    )  # room for a bower with a question mark; there are five cards
    for at, card in enumerate(hand):
        column = 1 + (inside + 2) * at
        mine = by_card and chosen is not None and chosen.cards == (card,)
        card_box(canvas, 15, column, view.card(card), bower(observation, card, bidding), mine, inside)
        if by_card and card in numbers:
            mark = f"▶{numbers[card].number}" if mine else f" {numbers[card].number}"
            canvas.put(19, column + 2, mark, "bold" if mine else "")
    column, room = 45, WIDTH - 46
    if prompt.panel:
        lines = [fit(line, room, view.narrator.ascii_only) for line in prompt.panel[:7]]
    elif prompt.open and view.options and not by_card:
        lines = []
        draw_menu(canvas, 14, column, menu_entries(view, prompt, room, 7))
    else:
        lines = newest_lines(view.recent(), room, 6)
    for row, line in enumerate(lines, 14):
        canvas.put(row, column, line)
