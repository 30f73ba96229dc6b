"""Every card of a game as symbols of one drawing, from which the client takes its cards."""

from __future__ import annotations

from collections.abc import Mapping

from upcard.site.card_art import Size, card, shapes
from upcard.site.markup import tag

SIZE = Size(60, 86, 40)


def symbols(faces: Mapping[str, str]) -> str:
    """An SVG document with a symbol for every card by its id, and one called `back`."""
    drawn = [
        tag(
            "symbol",
            card(face, 0, 0, SIZE),
            id=f"card-{known}",
            viewBox=f"-1 -1 {SIZE.width + 2} {SIZE.height + 2}",
        )
        for known, face in {**faces, "back": None}.items()
    ]
    return str(tag("svg", shapes(), *drawn, xmlns="http://www.w3.org/2000/svg"))
