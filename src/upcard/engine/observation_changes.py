"""What is new in an observation since an earlier one of the same seat, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from upcard.arguments import BadArgument, check_instance
from upcard.engine.api import Observation, Record

BY_KEY = ("cards", "places", "backs", "integers", "strings", "points", "cycles", "memory")
"""Fields of which only the keys that changed are given; a key that is gone is None."""


def changes(later: Observation, earlier: Observation) -> Record:
    check_instance("since", earlier, Observation)
    lines = len(earlier.records)
    if (later.game, later.seat) != (earlier.game, earlier.seat) or later.records[:lines] != earlier.records:
        raise BadArgument("`since` must be an earlier observation of the same seat in the same game")
    new, old = later.to_json(), earlier.to_json()
    found: Record = {}
    for name, value in new.items():
        if name == "records":
            found[name] = value[lines:]
        elif name in BY_KEY:
            found[name] = {key: part for key, part in value.items() if old[name].get(key) != part}
            found[name] |= {key: None for key in old[name] if key not in value}
        elif value != old[name]:
            found[name] = value
    return {name: value for name, value in found.items() if name not in ("records", *BY_KEY) or value}


def updated(earlier: Observation, changed: Mapping[str, Any]) -> Observation:
    data = earlier.to_json()
    unknown = sorted(set(changed) - set(data))
    if unknown:
        raise BadArgument(f"observations have no field {unknown[0]!r}")
    for name, value in changed.items():
        if name == "records":
            data[name] += value
        elif name in BY_KEY:
            merged = {**data[name], **value}
            data[name] = {key: part for key, part in merged.items() if part is not None}
        else:
            data[name] = value
    return Observation.from_json(data)
