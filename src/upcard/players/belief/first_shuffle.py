"""The first shuffle of a game: which of its positions goes where before the first decision.

All deals of a game open alike. So one deal that was followed move by move tells which position of the
shuffled pack every card had that a seat sees before the first decision of another deal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from upcard.engine.api import Record, walk_records
from upcard.players.search.search_code import Opening


def opening_of(records: Sequence[Record], numbers: Mapping[str, int]) -> Opening:
    """Read a deal's full record up to its first decision: the cards of its only shuffle, and for every line
    that moves one of them the line's number, the key of the card, and the card's position in the outcome."""
    position: dict[str, int] = {}
    moves = []
    for n, line in enumerate(walk_records(records)):
        if line["do"] == "shuffle":
            position = {card: i for i, card in enumerate(line["cards"])}
        for key in ("card", "other"):
            if line.get(key) in position:
                moves.append((n, key, position[line[key]]))
    return sorted(numbers[card] for card in position), moves


def outcome_by(opening: Opening, seen: Sequence[Record], number_of: Callable[[str], int]) -> list[int] | None:
    """An outcome of the first shuffle by which a seat sees these lines; None where they contradict."""
    cards, moves = opening
    outcome: list[int | None] = [None] * len(cards)
    for line, key, position in moves:
        card = seen[line].get(key) if line < len(seen) else None
        if card is not None:
            outcome[position] = number_of(card)
    seen_cards = set(outcome)
    left = [card for card in cards if card not in seen_cards]
    if len(left) != outcome.count(None):
        return None
    return [left.pop() if card is None else card for card in outcome]
