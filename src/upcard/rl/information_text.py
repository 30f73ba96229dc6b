"""An information set in words and by a key, for libraries that tell information sets apart by their text."""

from __future__ import annotations

import hashlib
import json

from upcard.engine.api import Observation, Record
from upcard.narration.narrator import Narrator
from upcard.solve.set_description import SetDescription, describe


def observation_text(seen: Observation, narrator: Narrator) -> str:
    """What a seat sees now."""
    return _now(seen.seat, describe(seen, narrator), narrator)


def _now(seat: int, said: SetDescription, narrator: Narrator) -> str:
    parts = [said.holding, said.table, ", ".join(f"{name} {value}" for name, value in said.storages)]
    return f"{narrator.seat(seat)}: {'; '.join(part for part in parts if part)}"


def information_text(seen: Observation, narrator: Narrator) -> str:
    """What a seat sees and has seen: equal for two positions exactly if it cannot tell them apart.

    The words are for people; the key at the end is what tells information sets apart.
    """
    said = describe(seen, narrator)
    history = f" | {'; '.join(said.history)}" if said.history else ""
    return f"{_now(seen.seat, said, narrator)}{history} | {information_key(seen)}"


def information_key(seen: Observation) -> str:
    """Like `Observation.key`, but the same where the outcome of a shuffle was given instead of drawn."""
    data = seen.to_json()
    data["records"] = [_without_origin(record) for record in data["records"]]
    for move in data["moves"]:
        del move["text"]
    text = json.dumps(data, separators=(",", ":"), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _without_origin(record: Record) -> Record:
    if "actions" in record:
        return {**record, "actions": [_without_origin(action) for action in record["actions"]]}
    return {**record, "given": False} if record["do"] == "shuffle" else record
