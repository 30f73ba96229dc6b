"""What spectators see: the part of all seats' observations that is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from upcard.engine.api import Observation


def public(seen: Sequence[Observation]) -> Observation:
    """An observation with a card's face only where every seat sees it, and without moves."""
    first = seen[0]
    records = zip(*(one.records for one in seen), strict=True)
    return replace(
        first,
        moves=(),
        places={place: tuple(_common([one.places[place] for one in seen])) for place in first.places},
        records=tuple(_common(list(lines)) for lines in records),
        memory={},
        backs={},
    )


def _common(values: Sequence[Any]) -> Any:
    """What is equal in all values; a part in which they differ is None."""
    first = values[0]
    if all(value == first for value in values[1:]):
        return first
    if all(isinstance(value, dict) and value.keys() == first.keys() for value in values):
        return {key: _common([value[key] for value in values]) for key in first}
    if all(isinstance(value, list | tuple) and len(value) == len(first) for value in values):
        return type(first)(_common(list(parts)) for parts in zip(*values, strict=True))
    return None
