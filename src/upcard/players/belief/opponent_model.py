"""Opponent model: parameters of the likelihood of observed moves."""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass

from upcard.engine.api import Observation
from upcard.players.belief import move_likelihood as k
from upcard.players.belief.history import History
from upcard.players.search.utility import coefficients


@dataclass(frozen=True)
class Belief:
    """The simple policy that those who were watched are taken to play by."""

    times: int
    """Playouts of every alternative; with none, all alternatives are alike."""
    by_chance: float = 0.25
    """The share of moves that are made without looking."""
    sharpness: float = 2.0

    def words(self, history: History, observation: Observation) -> array[int]:
        """The belief for a history that has followed this observation."""
        evidence, machine = history.evidence, history.evidence.machine
        seats, highest = observation.seats, machine.game.program.scoring.highest
        floats = [self.by_chance, self.sharpness]
        floats += [f for seat in range(seats) for f in coefficients(seat, observation.teams, seats, highest)]
        by_chance, sharpness, *factors = struct.unpack(
            f"<{len(floats)}q", struct.pack(f"<{len(floats)}d", *floats)
        )
        watched: list[int] = []
        for record in evidence.records:
            if record["do"] == "decision":
                watched += [-1 if record["seat"] == evidence.seat else record["seat"], 0]
        watched_at = k.FACTORS + len(factors) + k.MOST_TOLD
        head = [self.times, by_chance, sharpness, watched_at, watched_at + len(watched)]
        room = array("q", bytes(2 * machine.layout.size))
        return array("q", [*head, *factors, *[0] * k.MOST_TOLD, *watched]) + room
