"""Perfect-information Monte Carlo: tries every move in the same worlds and rolls out at random."""

from __future__ import annotations

from dataclasses import replace

from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import PLAYER, Stream
from upcard.players.belief.determinization import Determinizer, Worlds
from upcard.players.belief.history import Inconsistent
from upcard.players.belief.opponent_model import Belief
from upcard.players.protocol import Budget, Decision
from upcard.players.search.flat_search import USUAL, Counts, decided, flat_search
from upcard.players.search.memoryless import guessed
from upcard.players.search.tree_search import tree_search


class Pimc:
    """One seat's player for one deal."""

    belief: Belief | None = None
    """How those who were watched are taken to choose; none: whatever was possible."""

    def __init__(self, game: NativeGame, seed: int, deal: int, seat: int, usual: Budget = USUAL) -> None:
        self.game = game
        self.usual = usual
        """The budget of a decision where none is given."""
        self.counts = Counts()
        self._name = (seed, deal, PLAYER, seat)
        self._determinizer = Determinizer(game)

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        if budget.playouts is None and budget.seconds is None:
            budget = self.usual
        self.counts.decisions += 1
        if len(observation.moves) == 1:
            self.counts.forced += 1
            return Decision(observation.moves[0])
        return self.weigh(observation, budget, Stream((*self._name, observation.decision)))

    def weigh(self, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        """Where there is a choice: in worlds, if there are any."""
        try:
            worlds = self._determinizer.worlds(observation, self.belief)
        except Inconsistent:
            self.counts.lost += 1
            return self._guess(observation, budget, stream)
        if any(None in pick.values() for move in observation.moves for pick in move.picks):
            # where a pick is face down, its number in a list would tell its card: trees go by what is seen
            return tree_search(worlds, self.game, observation, budget, stream, self.counts)
        return self.think(worlds, observation, budget, stream)

    def _guess(self, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        """No history explains what was seen: search in what is seen and remembered, whatever was played."""
        try:
            relaxed = self._determinizer.relaxed(observation)
        except Inconsistent:
            return Decision(observation.moves[stream.below(len(observation.moves))], guessed=True)
        self.counts.guessed += 1
        found = guessed(relaxed, self.game, observation, budget, stream, self.counts)
        return replace(found, guessed=True)

    def think(self, worlds: Worlds, observation: Observation, budget: Budget, stream: Stream) -> Decision:
        sums = flat_search(worlds, self.game, observation, budget, stream, self.counts)
        return decided(observation.moves, sums)
