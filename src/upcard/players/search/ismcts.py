"""Information-set Monte Carlo tree search with one tree per seat."""

from __future__ import annotations

from upcard.engine.api import Observation
from upcard.engine.rng import Stream
from upcard.players.belief.determinization import Worlds
from upcard.players.protocol import Budget, Decision
from upcard.players.search.pimc import Pimc
from upcard.players.search.tree_search import tree_search


class Ismcts(Pimc):
    """One seat's player for one deal."""

    def think(self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        return tree_search(worlds, self.game, observation, budget, stream, self.counts)
