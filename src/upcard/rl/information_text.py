"""An information set in words and by a key, for libraries that tell information sets apart by their text."""

from __future__ import annotations

from upcard.engine.api import Observation
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
    return f"{_now(seen.seat, said, narrator)}{history} | {seen.key}"
