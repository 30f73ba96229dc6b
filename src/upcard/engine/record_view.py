"""Records as one seat sees them: hidden cards and other seats' reasons removed."""

from __future__ import annotations

from collections.abc import Iterable

from upcard.engine.api import Record


def redact(record: Record, seat: int) -> Record:
    """A record as a seat sees it: hidden cards null, and without `seen` and `given` (whether a shuffle was
    stacked), which are not part of the game."""
    kept = {key: value for key, value in record.items() if key not in ("seen", "given")}
    if seat in record.get("seen", (seat,)):
        return kept
    for key in ("card", "other"):
        if key in kept:
            kept[key] = None
    if "cards" in kept:
        # how many cards a computed collection has may depend on cards that nobody sees
        kept["cards"] = None if kept["place"] is None else [None] * len(kept["cards"])
    return kept


def view(records: Iterable[Record], seat: int) -> list[Record]:
    """The records of a game as one seat sees them."""
    return [_record_view(record, seat) for record in records]


def _record_view(record: Record, seat: int) -> Record:
    if record["do"] == "game":
        # the seed determines every card
        return {key: value for key, value in record.items() if key not in ("seed", "deal", "stacked")}
    if record["do"] == "end" and "failure" in record:
        failure = {key: value for key, value in record["failure"].items() if key != "variables"}
        return {**record, "failure": failure}
    return _decision_view(record, seat) if record["do"] == "decision" else redact(record, seat)


def _decision_view(record: Record, seat: int) -> Record:
    """Of another seat's decision a seat sees only the visible part of the actions: the item, the picks and
    the number of alternatives can depend on hidden cards. Of its own it sees everything but hidden cards.
    Nobody sees the index: the list is in card order, so the index of a face-down card would reveal its
    rank."""
    kept = {key: value for key, value in record.items() if key not in ("seen", "actions")}
    kept["index"] = None
    if record["seat"] != seat:
        kept.update(dict.fromkeys(("alternatives", "item", "picks", "copy")))
    elif any(seat not in pick_seen for pick_seen in record["seen"]):
        kept["copy"] = None
        kept["picks"] = [
            pick if seat in seen else dict.fromkeys(pick)
            for pick, seen in zip(record["picks"], record["seen"], strict=True)
        ]
    kept["actions"] = [redact(action, seat) for action in record["actions"]]
    return kept
