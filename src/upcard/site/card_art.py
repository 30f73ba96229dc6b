"""Draws cards: a face with rank and suit, or its words, or a back."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.graph.node_layout import text_width
from upcard.site.markup import Html, join, tag

SUITS = {
    "♠": (
        "spade",
        "M10 1C13.5 6 18.5 8.3 18.5 12.2A3.9 3.9 0 0 1 11.2 14.3C11.3 16.4 12 17.9 13.2 19H6.8"
        "C8 17.9 8.7 16.4 8.8 14.3A3.9 3.9 0 0 1 1.5 12.2C1.5 8.3 6.5 6 10 1Z",
    ),
    "♥": (
        "heart",
        "M10 18.6C4 12.6 1 9.4 1 5.9C1 3.1 3.1 1.2 5.5 1.2C7.5 1.2 9.1 2.3 10 4.2"
        "C10.9 2.3 12.5 1.2 14.5 1.2C16.9 1.2 19 3.1 19 5.9C19 9.4 16 12.6 10 18.6Z",
    ),
    "♣": (
        "club",
        "M10 1A4.1 4.1 0 0 1 13.2 7.7A4.2 4.2 0 1 1 11.2 14C11.3 16.3 12 17.9 13.2 19H6.8"
        "C8 17.9 8.7 16.3 8.8 14A4.2 4.2 0 1 1 6.8 7.7A4.1 4.1 0 0 1 10 1Z",
    ),
    "♦": (
        "diamond",
        "M10 .8C12 4.4 14.4 7.4 17.6 10C14.4 12.6 12 15.6 10 19.2C8 15.6 5.6 12.6 2.4 10"
        "C5.6 7.4 8 4.4 10 .8Z",
    ),
}
"""Paths, 20 wide and high: browsers may show the characters as emoji."""
RED = "♥♦"
SHORTEST = 3
"""The fewest letters of a word that are shown."""


@dataclass(frozen=True)
class Size:
    width: float
    height: float
    step: float
    """Distance between overlapping cards."""

    @property
    def letters(self) -> int:
        return round(0.36 * self.width)


LARGE, MIDDLE, SMALL = Size(46, 66, 31), Size(38, 54, 24), Size(30, 43, 18)


def shapes() -> Html:
    """The suits that the cards of a drawing refer to."""
    drawn = [tag("path", id=f"suit-{name}", d=path) for name, path in SUITS.values()]
    return tag("defs", *drawn)


def card(face: str | None, x: float, y: float, size: Size) -> Html:
    """A card with its upper left corner at (x, y); None is face down."""
    outline = {"width": size.width, "height": size.height, "rx": 0.11 * size.width}
    if face is None:
        inner = tag(
            "rect", class_="pattern", x=3.0, y=3.0, width=size.width - 6, height=size.height - 6, rx=2.0
        )
        return tag("g", tag("rect", class_="back", **outline), inner, transform=f"translate({x:.1f} {y:.1f})")
    rank, suit = (face[:-1], face[-1]) if face[-1:] in SUITS and len(face) > 1 else (face, "")
    drawn = _suited(rank, suit, size) if suit and len(rank) <= 2 else _worded(face, size)
    colour = "red" if suit and suit in RED else "black"
    return tag(
        "g",
        tag("title", face),
        tag("rect", class_="face", **outline),
        drawn,
        class_=f"card {colour}",
        transform=f"translate({x:.1f} {y:.1f})",
    )


def _suited(rank: str, suit: str, size: Size) -> Html:
    name, _ = SUITS[suit]
    letters = size.letters
    pip, centre = 0.28 * size.width, 0.5 * size.width
    narrow = 0.86 if len(rank) > 1 else 1.0
    return join(
        tag(
            "text",
            rank,
            x=0.1 * size.width + 0.16 * size.width,
            y=0.08 * size.height + 0.8 * letters,
            font_size=float(letters) * narrow,
            text_anchor="middle",
        ),
        _pip(name, 0.12 * size.width, 0.1 * size.height + 0.98 * letters, pip),
        _pip(name, size.width - centre - 0.1 * size.width, size.height - centre - 0.1 * size.width, centre),
    )


def _pip(name: str, x: float, y: float, width: float) -> Html:
    return tag("use", href=f"#suit-{name}", transform=f"translate({x:.1f} {y:.1f}) scale({width / 20:.3f})")


def _worded(face: str, size: Size) -> Html:
    """Words as large as they fit, broken at dashes and spaces. Very short ones are repeated in the corner,
    where another card does not cover them."""
    if 1 < len(face) <= SHORTEST:
        letters = size.letters * 0.8
        at = {"x": 0.09 * size.width, "y": 0.07 * size.height + 0.8 * letters}
        return join(tag("text", face, font_size=letters, **at), _lines([face], size, size.height * 0.62))
    return _lines(face.replace("-", " ").split()[:3] or [face], size, size.height / 2)


def _lines(lines: list[str], size: Size, middle: float) -> Html:
    room = size.width - 6
    widest = max(text_width(line, 10, bold=True) for line in lines)
    letters = max(7.5, min(float(size.letters), 10 * room / max(widest, 1)))
    lines = [_cut(line, room, letters) for line in lines]
    top = middle - (len(lines) - 1) * letters * 0.55 + 0.36 * letters
    return join(
        *(
            tag(
                "text",
                line,
                x=size.width / 2,
                y=top + number * 1.1 * letters,
                font_size=letters,
                text_anchor="middle",
            )
            for number, line in enumerate(lines)
        )
    )


def _cut(line: str, room: float, letters: float) -> str:
    while len(line) > SHORTEST and text_width(line, 10, bold=True) * letters / 10 > room:
        line = line.removesuffix("…")[:-1] + "…"
    return line
