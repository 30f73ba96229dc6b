"""The same game by brute force: every order of every shuffle is dealt by the native engine.

Nothing here is shared with how solving lists a tree: deals are stacked, and two positions are the same for a
seat if its observations are.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable
from itertools import permutations

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.state import BaseState

Choose = Callable[[str, int, int], list[float]]
"""Probabilities for an information set: its key, its seat, its number of actions."""


class Reached:
    """What comes of a game if every seat plays given probabilities."""

    def __init__(self, seats: int) -> None:
        self.payoffs = [0.0] * seats
        self.sets: dict[str, float] = defaultdict(float)
        """How likely each information set with a choice is."""


def by_all_deals(game: NativeGame, choose: Choose) -> Reached:
    reached = Reached(game.seats)

    def deal(orders: list[list[str]], picks: list[int]) -> BaseState:
        state = game.deal(0, 0, stacked=orders)
        for pick in picks:
            state.play(pick)
        return state

    def go_on(state: BaseState, orders: list[list[str]], picks: list[int], chance: float) -> None:
        shuffles = [
            line["cards"]
            for record in state.records
            for line in (record, *record.get("actions", ()))
            if line["do"] == "shuffle" and len(line["cards"]) > 1
        ]
        if len(shuffles) > len(orders):
            ways = [list(way) for way in permutations(shuffles[len(orders)])]
            for way in ways:
                # a shuffle of an earlier outcome is dealt anew with it
                again = deal([*orders, way], picks)
                go_on(again, [*orders, way], picks, chance / len(ways))
            return
        if state.outcome is not None:
            assert state.outcome.scores is not None
            mean = sum(state.outcome.scores) / game.seats if game.seats > 1 else 0.0
            sign = 1 if game.program.scoring.highest else -1
            for one, score in enumerate(state.outcome.scores):
                reached.payoffs[one] += chance * sign * (score - mean)
            return
        seat = state.to_move
        assert seat is not None
        seen = state.observe(seat)
        actions = alike(state, seen)
        shares = [1.0]
        if len(actions) > 1:
            key = state.infoset_key(seat)
            reached.sets[key] += chance
            shares = choose(key, seat, len(actions))
        for indices, share in zip(actions, shares, strict=True):
            for index in indices:
                after = state.copy()
                after.play(index)
                go_on(after, orders, [*picks, index], chance * share / len(indices))

    go_on(deal([], []), [], [], 1.0)
    return reached


def alike(state: BaseState, seen: Observation) -> list[list[int]]:
    """The indices of the moves, those together that look alike."""
    found: dict[str, list[int]] = {}
    for move, (same, index) in zip(seen.moves, state.shown, strict=True):
        assert move == same
        data = {key: value for key, value in move.to_json().items() if key not in ("copy", "text")}
        if not any(pick.get("card", "") is None for pick in move.picks):
            data["copy"] = move.copy
        found.setdefault(str(data), []).append(index)
    return list(found.values())


def hashed_shares(key: str, seat: int, actions: int) -> list[float]:
    """Probabilities that differ from set to set, and depend on nothing but its key."""
    weights = [
        1 + int.from_bytes(hashlib.sha256(f"{key} {action}".encode()).digest()[:2], "big")
        for action in range(actions)
    ]
    return [weight / sum(weights) for weight in weights]
