"""Turns effects of actions into records for transcripts.

| effect | holds |
| --- | --- |
| move | card, from, to, index there, taken by position |
| remember | card, where it lies, memory, index there |
| forget | card, memory, index |
| shuffle | place (None: a computed collection), cards bottom to top, order given from outside |
| swap | two places |
| exchange | card, its place, by position; other card, its place, by position |
| set | owner, name, value |
| points | owner, name, awards |
| cycle | next or current, seat |
| pass | |
| deck | place, cards |
| teams | members of each |
"""

from __future__ import annotations

from collections.abc import Sequence

from upcard.engine.api import Place, Record, owner_text
from upcard.engine.shared.knowledge import Effect
from upcard.engine.shared.table import Table


def seen(table: Table, *places: Place) -> list[int]:
    """The seats that see at least one of these places."""
    return [seat for seat in range(table.seats) if any(place.seen_by(seat) for place in places)]


def record(effect: Effect, table: Table) -> Record:
    what = effect[0]
    if what == "move":
        _, card, source, target, index, by_position = effect
        entry: Record = {"do": "move", "card": table.cards[card].id, "from": source.text, "to": target.text}
        if table.is_ordered(target):
            entry["index"] = index  # where no order is kept, the index would reveal the card's rank
        if by_position:
            entry["by_position"] = True
        return entry | {"seen": seen(table, source, target)}
    if what == "remember":
        _, card, where, memory, index = effect
        return {
            "do": "remember",
            "card": table.cards[card].id,
            "from": where.text,
            "to": memory.text,
            "index": index,
            "seen": seen(table, where, memory),
        }
    if what == "forget":
        _, card, memory, index = effect
        return {
            "do": "forget",
            "card": table.cards[card].id,
            "from": memory.text,
            "index": index,
            "seen": seen(table, memory),
        }
    if what == "shuffle":
        _, place, cards, given = effect
        return {
            "do": "shuffle",
            "place": place.text if place is not None else None,
            "cards": [table.cards[card].id for card in cards],
            "given": given,
            "seen": seen(table, place) if place is not None else [],
        }
    if what == "swap":
        return {"do": "swap", "from": effect[1].text, "to": effect[2].text}
    if what == "exchange":
        _, card, source, _, other, target, _ = effect
        return {
            "do": "swap",
            "card": table.cards[card].id,
            "from": source.text,
            "other": table.cards[other].id,
            "to": target.text,
            "seen": seen(table, source, target),
        }
    if what == "set":
        return {"do": "set", "owner": owner_text(effect[1]), "name": effect[2], "value": effect[3]}
    if what == "points":
        return {
            "do": "points",
            "owner": owner_text(effect[1]),
            "name": effect[2],
            "awards": awards_json(effect[3]),
        }
    if what == "cycle":
        return {"do": "cycle", "which": effect[1], "seat": effect[2]}
    if what == "deck":
        return {"do": "create", "place": effect[1].text, "cards": _faces(table, effect[2])}
    if what == "teams":
        return {"do": "teams", "teams": [list(team) for team in effect[1]]}
    return {"do": "pass"}


def stage_record(of: str, what: str, line: int, table: Table) -> Record:
    """Of a stage that is entered or left, or begins a round; the table is as it is then."""
    current = table.current if of == "player" else table.team_cycles[-1]
    return {"do": "stage", "what": what, "of": of, "line": line, "current": current}


def awards_json(awards: Sequence[tuple[Sequence[tuple[str, str]], int]]) -> list[list[object]]:
    return [[[list(pair) for pair in pairs], amount] for pairs, amount in awards]


def _faces(table: Table, cards: Sequence[int]) -> dict[str, dict[str, str]]:
    """Faces of new cards, which everyone sees."""
    return {table.cards[card].id: dict(table.cards[card].attributes) for card in cards}
