"""Draws the table from one seat's view.

A view is built from an observation alone, so the drawing cannot show what the seat does not know. Everything
is measured before it is placed, so nothing overlaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from upcard.graph.node_layout import text_width
from upcard.site.card_art import LARGE, MIDDLE, SMALL, Size, card, shapes
from upcard.site.chart import picture
from upcard.site.markup import Html, join, tag
from upcard.terminal.seat_view import CardPlace, Chair, View
from upcard.terminal_text import capitalize_first

WIDTH = 500.0
MARGIN = 22.0
GAP = 12.0
NAME, LABEL = 15, 12.5
RAISED = 9.0
"""How far playable cards are raised."""
MAX_SHOWN = 6
"""Cards of a pile that are shown; of a hand all are."""
UNLABELLED = 4
"""From this many places for one card each, labels are left out: people know the pattern."""

Draw = Callable[[float, float], Html]
"""Draws with the upper left corner at (x, y)."""


@dataclass(frozen=True)
class Block:
    width: float
    height: float
    draw: Draw


def table_picture(view: View) -> Html:
    you, others = view.chairs[0], view.chairs[1:]
    left, top, right = _sides(others)
    across = WIDTH - 2 * MARGIN
    side = min(170.0, across * 0.29)
    above = [_chair(view, chair, across / min(3, len(top)) - GAP, SMALL) for chair in top]
    lefts, rights = ([_chair(view, chair, side, SMALL) for chair in chairs] for chairs in (left, right))
    wide = [_width(lefts), _width(rights)]
    between = across - sum(width + GAP for width in wide if width)
    middle = _centre(view, between)
    below = _chair(view, you, across, LARGE, mine=True)
    rows = [_row(above[at : at + 3], across) for at in range(0, len(above), 3)]
    columns = [_column(blocks) for blocks in (lefts, [middle], rights) if blocks]
    height = max(column.height for column in columns)
    drawn, y = [], MARGIN
    for row in rows:
        drawn.append(row.draw(MARGIN, y))
        y += row.height + GAP
    y += 4
    for blocks, x in (
        (lefts, MARGIN),
        ([middle], MARGIN + (wide[0] + GAP if wide[0] else 0) + (between - middle.width) / 2),
        (rights, WIDTH - MARGIN - wide[1]),
    ):
        if blocks:
            column = _column(blocks)
            drawn.append(column.draw(x, y + (height - column.height) / 2))
    y += height + GAP + 4
    drawn.append(below.draw(MARGIN + (across - below.width) / 2, y))
    y += below.height + MARGIN
    felt = tag("rect", class_="felt", x=4.0, y=4.0, width=WIDTH - 8, height=y - 8, rx=46.0)
    rim = tag("rect", class_="rim", x=12.0, y=12.0, width=WIDTH - 24, height=y - 24, rx=39.0)
    return picture(
        "board",
        WIDTH,
        y,
        f"The table as {you.name} sees it",
        _finding(view),
        [shapes(), felt, rim, *drawn],
        "table",
    )


def _finding(view: View) -> str:
    """What the picture shows, in sentences: the cards that this seat sees."""
    parts = []
    for whose, places in (
        ("on the table", view.table),
        *((chair.name, chair.places) for chair in view.chairs),
    ):
        for place in places:
            faces = [view.card(known) for known in place.cards if known is not None]
            if faces:
                shown = ", ".join(faces[-13:])
                parts.append(f"{whose}, {place.words or 'cards'}: {shown}")
    return capitalize_first("; ".join(parts)) + "." if parts else "No card can be seen."


def _sides(others: Sequence[Chair]) -> tuple[list[Chair], list[Chair], list[Chair]]:
    """The players on the left, above and on the right, clockwise from your left."""
    if len(others) == 1:
        return [], list(others), []
    each = 1 if len(others) <= 5 else 2
    left, top, right = others[:each], others[each : len(others) - each], others[len(others) - each :]
    return list(reversed(left)), list(top), list(right)


# --- players and the middle ----- -----------------------------------------------------------------


def _chair(view: View, chair: Chair, room: float, size: Size, mine: bool = False) -> Block:
    hands = [_cards(view, place, room, size, mine) for place in chair.places if place.private]
    other = MIDDLE if mine else SMALL
    open_places = [place for place in chair.places if not place.private]
    fronts = _fronts(view, open_places, room, other)
    sentences = " · ".join(f"{words} {value}" for words, value in chair.counts)
    parts = [_name(chair, room), *([_words(sentences, room)] if sentences else [])]
    parts = (
        [*_flow(fronts, room), *_flow(hands, room), *parts]
        if mine
        else [
            *parts,
            *_flow(hands, room),
            *_flow(fronts, room),
        ]
    )
    return _column(parts, 7.0)


def _fronts(view: View, places: Sequence[CardPlace], room: float, size: Size) -> list[Block]:
    """A player's open places; a pattern of single cards has no labels."""
    if len([place for place in places if len(place.cards) == 1]) >= UNLABELLED:
        each = Block(size.width, size.height, lambda x, y: Html(""))
        blocks = [
            Block(each.width, each.height, _drawn(view, place.cards[0], size))
            if len(place.cards) == 1
            else _cards(view, place, room, size)
            for place in places
        ]
        return [_column([_row(blocks[at : at + 3], None, 5.0) for at in range(0, len(blocks), 3)], 5.0)]
    return [_cards(view, place, room, size) for place in places]


def _drawn(view: View, known: str | None, size: Size) -> Draw:
    face = None if known is None else view.card(known)
    return lambda x, y: card(face, x, y, size)


def _centre(view: View, room: float) -> Block:
    places = _flow([_cards(view, place, room, MIDDLE) for place in view.table], room)
    facts = [_words(f"{words}: {value}", room, "fact") for words, value in view.facts]
    return _column([*places, *facts], 8.0) if places or facts else Block(0, 40, lambda x, y: Html(""))


def _name(chair: Chair, room: float) -> Block:
    notes = ["you"] if chair.you else ["partner"] if chair.partner else []
    notes += ["dealer"] if chair.deals else []
    notes += ["to move"] if chair.to_move else []
    name, after = chair.name, f" ({', '.join(notes)})" if notes else ""
    name = _fitting(name, NAME, room - text_width(after, LABEL) - 20)
    width = min(room, text_width(name, NAME, bold=True) + text_width(after, LABEL) + 20)

    def draw(x: float, y: float) -> Html:
        return join(
            tag(
                "rect",
                class_="pill now" if chair.to_move else "pill",
                x=x,
                y=y,
                width=width,
                height=24.0,
                rx=12.0,
            ),
            tag(
                "text",
                tag("tspan", name, class_="name"),
                tag("tspan", after, font_size=LABEL) if after else None,
                x=x + width / 2,
                y=y + 17,
                font_size=float(NAME),
                text_anchor="middle",
            ),
        )

    return Block(width, 24, draw)


def _words(text: str, room: float, css: str = "label") -> Block:
    shown = _fitting(text, LABEL, room)
    width = text_width(shown, LABEL)

    def draw(x: float, y: float) -> Html:
        return tag(
            "text", shown, class_=css, x=x + width / 2, y=y + 12, font_size=LABEL, text_anchor="middle"
        )

    return Block(width, 16, draw)


def _fitting(text: str, size: float, room: float) -> str:
    if text_width(text, size) <= room:
        return text
    while len(text) > 1 and text_width(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


# --- cards ---------------------------------------------------------------------------------------


def _cards(view: View, place: CardPlace, room: float, size: Size, mine: bool = False) -> Block:
    """The cards of a place with its label: the top of a long pile, all rows of a hand."""
    open_hand = place.private and not place.hidden
    shown = (
        place.cards
        if open_hand
        else place.cards[-3:]
        if place.hidden and not place.private
        else (place.cards[-13:] if place.private else place.cards[-MAX_SHOWN:])
    )
    step = 5.0 if place.hidden else size.step
    if place.private and place.hidden:
        step = min(9.0, (room - size.width) / max(1, len(shown) - 1))
    a_row = max(1, int((room - size.width) // step) + 1)
    rows = [shown[at : at + a_row] for at in range(0, len(shown), a_row)]
    playable = playable_cards(view) if mine and open_hand else set()
    lift = RAISED if playable.intersection(place.cards) else 0.0
    tall = size.height * (0.62 if len(rows) > 1 else 1.0)
    width = size.width + step * (max(len(row) for row in rows) - 1)
    height = lift + size.height + tall * (len(rows) - 1)
    label = _label(place, len(shown))
    words = (
        _words(label, max(room, width)) if not (mine and open_hand) else Block(0, 0, lambda x, y: Html(""))
    )
    whole = max(width, words.width)

    def draw(x: float, y: float) -> Html:
        drawn = []
        for line, row in enumerate(rows):
            start = x + (whole - (size.width + step * (len(row) - 1))) / 2
            for at, known in enumerate(row):
                up = lift if lift and known not in playable else 0.0
                face = None if known is None else view.card(known)
                drawn.append(card(face, start + at * step, y + line * tall + up, size))
        drawn.append(words.draw(x + (whole - words.width) / 2, y + height + 3))
        return join(*drawn)

    return Block(whole, height + (words.height + 3 if words.height else 0), draw)


def _label(place: CardPlace, shown: int) -> str:
    count = len(place.cards)
    if count == 1:
        return place.words
    if place.hidden:
        return f"{place.words}, {count}"
    return place.words if shown == count else f"{place.words}, top of {count}"


def playable_cards(view: View) -> set[str | None]:
    """Cards of the hand that may be played, if every option is about cards and some may not be played."""
    if not view.options or not all(option.cards for option in view.options):
        return set()
    playable: set[str | None] = {known for option in view.options for known in option.cards}
    return playable if any(known not in playable for known in view.hand) else set()


# --- layout --------------------------------------------------------------------------------------


def _width(blocks: Sequence[Block]) -> float:
    return max((block.width for block in blocks), default=0.0)


def _column(blocks: Sequence[Block], gap: float = GAP) -> Block:
    width, height = _width(blocks), sum(block.height for block in blocks) + gap * max(0, len(blocks) - 1)

    def draw(x: float, y: float) -> Html:
        drawn = []
        for block in blocks:
            drawn.append(block.draw(x + (width - block.width) / 2, y))
            y += block.height + gap
        return join(*drawn)

    return Block(width, height, draw)


def _row(blocks: Sequence[Block], room: float | None, gap: float = GAP) -> Block:
    """Blocks side by side, spread over the room if it is given."""
    needed = sum(block.width for block in blocks) + gap * max(0, len(blocks) - 1)
    more = max(0.0, (room - needed) / (len(blocks) + 1)) if room is not None else 0.0
    height = max((block.height for block in blocks), default=0.0)

    def draw(x: float, y: float) -> Html:
        drawn = []
        x += more
        for block in blocks:
            drawn.append(block.draw(x, y))
            x += block.width + gap + more
        return join(*drawn)

    return Block(needed if room is None else room, height, draw)


def _flow(blocks: Sequence[Block], room: float) -> list[Block]:
    """Rows of as many as fit."""
    rows: list[list[Block]] = []
    for block in blocks:
        if rows and sum(one.width + GAP for one in rows[-1]) + block.width <= room:
            rows[-1].append(block)
        else:
            rows.append([block])
    return [_row(row, None) for row in rows]
