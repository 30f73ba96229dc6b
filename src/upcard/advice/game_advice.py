"""What a game can add to its hints: proofs, and the words of its players.

A package registers a subclass of `GameAdvice` as an entry point of the group `upcard.advice`, under the name
of its game. It sees observations only.
"""

from __future__ import annotations

from dataclasses import dataclass

from upcard import plugins
from upcard.engine.api import Move, Observation


@dataclass(frozen=True)
class Proof:
    """What is certain about a move, whatever the hidden cards are."""

    least: int
    """Points that the deal brings one's own side at least, less the others'."""
    exact: bool
    """Whether it brings exactly that."""
    why: str
    """A sentence."""


class GameAdvice:
    """The default: nothing is proved, and results are numbers."""

    def fits(self, observation: Observation) -> bool:
        """Whether the observation has the names that this advice reads: another game may share its title."""
        return True

    def prove(self, observation: Observation, move: Move) -> Proof | None:
        """What is certain about a move."""
        return None

    def doing(self, observation: Observation, move: Move) -> str:
        """The move as a gerund, as in "ordering up"; empty for the words of the menu."""
        return ""

    def result(self, observation: Observation, move: Move, scores: tuple[int, ...]) -> str:
        """What a result of the deal is called, as in "euchred"; empty for its points."""
        return ""

    def card_name(self, observation: Observation, move: Move, card: str) -> str:
        """What a hidden card is called after a move, as in "the left bower (J♣)"; empty for its face."""
        return ""

    def may_decide(self, observation: Observation, move: Move, card: str) -> bool:
        """Whether a reason may name a hidden card."""
        return True


GENERAL = GameAdvice()


def advice_for(observation: Observation) -> GameAdvice:
    """The advice of the observation's game."""
    registered = plugins.load_entry(plugins.ADVICE, str(observation.game["game"]))
    if registered is None:
        return GENERAL
    advice: GameAdvice = registered()
    return advice if advice.fits(observation) else GENERAL
