"""Flat search in worlds weighted by the likelihood of the observed moves."""

from __future__ import annotations

from upcard.players.belief.opponent_model import Belief
from upcard.players.search.pimc import Pimc


class WeightedPimc(Pimc):
    """One seat's player for one deal; it takes the others for players who look a little ahead."""

    belief = Belief(times=4)
