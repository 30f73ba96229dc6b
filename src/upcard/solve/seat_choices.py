"""What a seat can do at a decision, and what it knows there."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from upcard.engine.api import Move, Observation
from upcard.solve.chance_script import ScriptedState
from upcard.solve.game_tree import Action, InformationSet
from upcard.solve.set_description import describe


@dataclass(frozen=True)
class Choice:
    """An action, and the indices of the alternatives that it stands for."""

    action: Action
    indices: tuple[int, ...]


def choices_of(state: ScriptedState) -> list[Choice]:
    """What the seat to move can do: moves that it cannot tell apart are one choice."""
    if state.choices == 1:
        return [Choice(Action("", ()), (0,))]  # it is played without a node
    groups: dict[str, list[tuple[Move, int]]] = {}
    for move, index in state.shown:
        hidden = any(_hides(pick) for pick in move.picks)
        told = [move.item, list(move.picks), list(move.effects), 0 if hidden else move.copy]
        groups.setdefault(json.dumps(told, sort_keys=True), []).append((move, index))
    return [
        Choice(
            Action(group[0][0].text, tuple(move.key for move, _ in group)),
            tuple(sorted(index for _, index in group)),
        )
        for group in groups.values()
    ]


def _hides(pick: object) -> bool:
    """Whether a move hides the card that it picks."""
    assert isinstance(pick, dict)
    return pick.get("card", "") is None or None in pick.get("cards", ())


def knowledge_digest(state: ScriptedState, seat: int, choices: list[Choice]) -> str:
    """Equal for two positions exactly if their observations are equal (`Observation.key`), and quicker.

    What everybody sees (storages, stages, points) changes by records only. What a seat sees in places can
    change without one.
    """
    table = state.table
    told = hashlib.blake2b(digest_size=16)
    told.update(json.dumps([seat, state.records_seen_by(seat)], sort_keys=True).encode())
    places = {
        place.text: [table.cards[card].id for card in cards]
        for place, cards in sorted(table.places.items())
        if cards and place.seen_by(seat)
    }
    told.update(json.dumps([places, [choice.action.keys for choice in choices]]).encode())
    told.update(json.dumps([list(move.effects) for move, _ in state.shown], sort_keys=True).encode())
    return told.hexdigest()


def information_set(
    state: ScriptedState, seat: int, choices: list[Choice], parent: tuple[int, int] | None
) -> InformationSet:
    seen: Observation = state.observe(seat)
    said = describe(seen, state.game.narrator)
    return InformationSet(
        seat=seat,
        key=seen.key,
        actions=tuple(choice.action for choice in choices),
        holding=said.holding,
        table=said.table,
        history=said.history,
        storages=said.storages,
        parent=parent,
    )
