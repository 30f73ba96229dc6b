"""Faces and backs of the cards that the setup makes, where they are known when a game is loaded."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.native.lower.builder import NotLowered
from upcard.recycle import program as p
from upcard.recycle.constants import constant, text_of
from upcard.recycle.facts import Facts
from upcard.recycle.limits import MAX_MADE
from upcard.recycle.walk import below

MAX_CARDS = MAX_MADE
"""As many as where the text does not say how many cards there will be."""
TOO_MANY_CARDS = f"the native engine supports games with up to {MAX_CARDS} cards"


@dataclass(frozen=True)
class CardFace:
    back: str
    number: int
    attributes: dict[str, str]


def is_fixed(program: p.Program) -> bool:
    """Every card, with its face and back, is known when the game is loaded."""
    if any(isinstance(node, p.CreateDeck) for element in program.body for node in below(element)):
        return False
    for node in below(program.setup):
        if isinstance(node, p.Repeat) and constant(node.count) is None:
            return False
        texts: tuple[p.Expr | None, ...] = ()
        if isinstance(node, p.CreateDeck):
            texts = (node.back,)
        elif isinstance(node, p.Attribute):
            texts = (node.key, *(child.value for child in node.children))
        if any(text is not None and text_of(text) is None for text in texts):
            return False
    return True


def static_cards(program: p.Program, facts: Facts) -> tuple[list[CardFace], list[list[int]]]:
    """Every card of the setup, and per deck line run which cards it makes; all known beforehand."""
    cards: list[CardFace] = []
    made: dict[str, int] = {}
    runs: list[list[int]] = []

    def run(line: p.Item) -> None:
        if isinstance(line, p.Repeat):
            count = constant(line.count)
            assert count is not None, "asked for only where it is fixed"
            for _ in range(count):
                run(line.item)
            return
        assert isinstance(line, p.CreateDeck)
        back = _text(line.back) if line.back is not None else "DEFAULT"
        batch = []
        for face in _faces(line.attributes):
            batch.append(len(cards))
            cards.append(CardFace(back, made.get(back, 0), facts.in_order(face)))
            made[back] = made.get(back, 0) + 1
            if len(cards) > MAX_CARDS:
                raise NotLowered(line, TOO_MANY_CARDS)
        runs.append(batch)

    for line in program.setup.decks:
        run(line)
    return cards, runs


def _text(expr: p.Expr) -> str:
    text = text_of(expr)
    assert text is not None, "asked for only where it is fixed"
    return text


def _faces(attributes: tuple[p.Attribute, ...]) -> list[dict[str, str]]:
    faces: list[dict[str, str]] = [{}]
    for attribute in attributes:
        key = _text(attribute.key)
        leaves = [
            {key: _text(child.value), **lower}
            for child in attribute.children
            for lower in _faces(child.below)
        ]
        faces = [{**face, **leaf} for face in faces for leaf in leaves]
    return faces
