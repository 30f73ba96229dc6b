"""Opponent model: parameters of the likelihood of observed moves."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from upcard.engine.api import Observation
from upcard.players.belief import move_likelihood as k
from upcard.players.belief.history import History
from upcard.players.search.utility import coefficients

MAX_WEIGHED = 10_000_000
"""Decisions that the playouts of all worlds of one choice may take together to weigh the worlds."""


@dataclass(frozen=True)
class Belief:
    """The simple policy that the other seats are assumed to play by."""

    times: int
    """Playouts of every alternative; with none, all alternatives are alike."""
    by_chance: float = 0.25
    """The share of moves that are made without looking."""
    sharpness: float = 2.0

    def words(self, history: History, observation: Observation) -> array[int]:
        """The belief for a history that has followed this observation."""
        evidence, machine = history.evidence, history.evidence.machine
        seats, highest = observation.seats, machine.game.program.scoring.highest
        factors = [f for seat in range(seats) for f in coefficients(seat, observation.teams, seats, highest)]
        watched: list[int] = []
        for record in evidence.records:
            if record["do"] == "decision":
                watched += [-1 if record["seat"] == evidence.seat else record["seat"], 0]
        watched_at = k.BeliefHead.size // 8 + len(factors) + k.MAX_COMPARED
        head = k.BeliefHead.pack(
            times=self.times,
            by_chance=self.by_chance,
            sharpness=self.sharpness,
            allowance=MAX_WEIGHED,
            spent=0,
            watched_at=watched_at,
            room_at=watched_at + len(watched),
            factors=[*factors, *[0.0] * k.MAX_COMPARED],
        )
        room = array("q", bytes(2 * machine.layout.size))
        return array("q", bytes(head.bytes)) + array("q", watched) + room
