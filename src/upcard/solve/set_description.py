"""Describes an information set in words: the cards a seat holds, the cards on the table, what was done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.engine.api import Observation, Record
from upcard.narration.narrator import Narrator


@dataclass(frozen=True)
class SetDescription:
    holding: str
    table: str
    history: tuple[str, ...]
    storages: tuple[tuple[str, str], ...]


def describe(seen: Observation, narrator: Narrator) -> SetDescription:
    """What a seat holds, what lies open, what was done so far, and what is stored."""
    own, table = [], []
    for place, cards in seen.places.items():
        owner, cls, name, *_ = place.split(".")
        faces = " ".join(narrator.card(card, seen.cards) for card in cards if card is not None)
        if not faces:
            continue
        if cls == "iloc" and owner == f"seat{seen.seat}":
            own.append(faces)
        else:
            table.append(f"{_place(narrator, owner, name)}: {faces}")
    return SetDescription(
        " ".join(own), ", ".join(table), tuple(_history(seen, narrator)), tuple(_storages(seen, narrator))
    )


def _storages(seen: Observation, narrator: Narrator) -> Iterator[tuple[str, str]]:
    for key, value in [*seen.integers.items(), *seen.strings.items()]:
        owner, _, name = key.partition(".")
        yield _place(narrator, owner, name), narrator.word(value)


def _place(narrator: Narrator, owner: str, name: str) -> str:
    labels = narrator.sheet.table if narrator.sheet else {}
    text = labels.get(name, name)
    return text if owner == "table" else f"{narrator.owner(owner)}'s {text}"


def _history(seen: Observation, narrator: Narrator) -> list[str]:
    """One text for each decision, without the full stop."""
    told = []
    for record in seen.records:
        if record["do"] == "decision":
            text = " ".join(narrator.tell([_decision(record)], seen.cards))
            told.append(text.rstrip(".") or f"{narrator.seat(record['seat'])} plays")
    return told


def _decision(record: Record) -> Record:
    return {**record, "actions": [action for action in record["actions"] if action["do"] != "hidden"]}
