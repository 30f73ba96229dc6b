"""Tree search over information sets, with a tree for every seat that moves."""

from __future__ import annotations

from upcard.engine.chance import Stream
from upcard.engine.contract import Observation
from upcard.players.pimc import Pimc
from upcard.players.protocol import Budget, Decision
from upcard.players.tree_search import tree_search
from upcard.players.worlds import Worlds


class Ismcts(Pimc):
    """One seat's player for one deal."""

    def think(self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        return tree_search(worlds, self.game, observation, budget, stream, self.counts)
