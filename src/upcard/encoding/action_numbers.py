"""Numbers of actions: what every move of a game is called in a fixed action space.

An item of a choice with a bounded number of actions has a number for each of them, named by what is picked:
cards by identity. The alternatives of all other items (groups of cards, numbers from a range that depends
on play, places) share a list of `SLOTS` numbers, which they take in the order in which an observation lists
them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from upcard.arguments import BadArgument
from upcard.encoding.content import Content
from upcard.engine.api import IllegalMove, Move, Observation
from upcard.engine.shared.action_set import bounded_actions
from upcard.engine.shared.game import LoadedGame
from upcard.lazy import lazy_property

SLOTS = 64
"""How many alternatives of a decision are numbered if their items have no bound; more cannot be chosen."""

_HIDDEN = "a hidden card"


class ActionNumbers:
    """One game's."""

    def __init__(self, game: LoadedGame, content: Content) -> None:
        found = bounded_actions(game.program, game.facts)
        self.game = game
        self.named = found.actions
        """`Move.action` of the actions that have a number of their own."""
        self.slots = 0 if found.is_complete else SLOTS
        self.count = len(self.named) + self.slots
        self.numbers = {action: number for number, action in enumerate(self.named)}
        self._faces: dict[str, Mapping[str, str]] = {
            card: face.attributes for card, face in zip(content.card_ids, content.cards, strict=True)
        }

    def of(self, observation: Observation) -> list[int | None]:
        """The number of every move; None for those that no number is left for."""
        listed = 0
        found: list[int | None] = []
        for move in observation.moves:
            number = self.numbers.get(move.action)
            if number is None:
                number = len(self.named) + listed if listed < self.slots else None
                listed += 1
            found.append(number)
        return found

    def number(self, move: Move, observation: Observation) -> int:
        if not isinstance(move, Move):
            raise BadArgument(f"{move!r:.60} is not a move; give one of the moves of an observation")
        if move not in observation.moves:
            raise IllegalMove(f"{move.text or move.key} is not a move here")
        number = self.of(observation)[observation.moves.index(move)]
        if number is None:
            raise BadArgument(
                f"{move.text} has no number, because only {self.slots} alternatives of its kind are "
                "numbered; play the move itself"
            )
        return number

    def move(self, action: int, observation: Observation) -> Move:
        for move, number in zip(observation.moves, self.of(observation), strict=True):
            if number == action:
                return move
        raise IllegalMove(f"action {action} ({self.text(action)}) is not possible here")

    @property
    def slot_size(self) -> int:
        """Bytes that describe an alternative without a number of its own."""
        return 1 + len(self._faces) + 4

    def slot_rows(self, observation: Observation, number_of_place: Callable[[str], int]) -> bytes:
        """A row for each number that alternatives without one of their own share."""
        rows = [
            self._slot_row(move, number_of_place)
            for move, number in zip(observation.moves, self.of(observation), strict=True)
            if number is not None and number >= len(self.named)
        ]
        return b"".join(rows).ljust(self.slots * self.slot_size, b"\0")

    def _slot_row(self, move: Move, number_of_place: Callable[[str], int]) -> bytes:
        picked: set[str | None] = set()
        number = place = 0
        for pick in move.picks:
            picked.update(pick.get("cards", ()), [pick.get("card")])
            number = pick.get("number", number) % (1 << 16)
            place = number_of_place(pick["place"]) if "place" in pick else place
        cards = bytes(card in picked for card in self._faces)
        return bytes([1 + move.item]) + cards + number.to_bytes(2, "little") + place.to_bytes(2, "little")

    def text(self, action: int) -> str:
        if action >= len(self.named):
            return f"alternative {action - len(self.named) + 1} of those without numbers of their own"
        item, picks = self._read[action]
        return ", ".join([self._item(item), *map(self._pick, picks)])

    def _item(self, item: int) -> str:
        return f"item {item + 1}"

    def ranges(self) -> list[tuple[int, int, str]]:
        """The first number of each row of actions that pick alike, how many they are, and what they are."""
        found: list[tuple[int, int, str]] = []
        for number, (item, picks) in enumerate(self._read):
            words = [_HIDDEN if pick == {"card": None} else f"a {next(iter(pick))}" for pick in picks]
            text = ", ".join([self._item(item), *words])
            if found and found[-1][2] == text:
                first, count, _ = found.pop()
                found.append((first, count + 1, text))
            else:
                found.append((number, 1, text))
        if self.slots:
            text = "alternatives without a number of their own, in the order in which they are listed"
            found.append((len(self.named), self.slots, text))
        return found

    @lazy_property
    def _read(self) -> list[tuple[int, list[Mapping[str, Any]]]]:
        return [tuple(json.loads(action)) for action in self.named]

    def _pick(self, pick: Mapping[str, Any]) -> str:
        ((word, value),) = pick.items()
        narrator = self.game.narrator
        if word == "card":
            return _HIDDEN if value is None else narrator.card(value, self._faces)
        if word == "seat":
            return narrator.seat(value)
        return f"team {value + narrator.base}" if word == "team" else str(value)
