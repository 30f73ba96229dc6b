"""Games as OpenSpiel knows them: `pyspiel.load_game("upcard", {"game": "kuhn-poker"})`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyspiel

from upcard.arguments import BadArgument, check_choice
from upcard.engine.loader import load
from upcard.engine.shared.game import LoadedGame
from upcard.rl.game_codes import GameCodes
from upcard.rl.position_tree import ChanceNode, DecisionNode, PositionTree, Route
from upcard.rl.sampled_play import DealNode, SampledDeals, StateNode
from upcard.solve.chance_script import MAX_OUTCOMES, NotEnumerable
from upcard.solve.enumeration import estimate_nodes

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAME = "upcard"
PARAMETERS: dict[str, Any] = {
    "game": "kuhn-poker",
    "rules": "",
    "reward": "margin",
    "max_decisions": 500,
    "chance": "auto",
    "seed": -1,
}
CHANCE = ("auto", "explicit", "sampled")
SMALL = 50_000
"""Nodes up to which chance is explicit, unless a caller decides."""

Node: TypeAlias = DecisionNode | ChanceNode | DealNode | StateNode


def register() -> None:
    """Makes the games known to OpenSpiel."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(_type("Upcard", is_explicit=True), OpenSpielGame)


def _type(title: str, is_explicit: bool, seats: int | None = None) -> pyspiel.GameType:
    chance = pyspiel.GameType.ChanceMode
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=NAME,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if is_explicit else chance.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if seats is None else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats or 64,
        min_num_players=seats or 1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game; `pyspiel.load_game` makes one."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        check_choice("chance", given["chance"], CHANCE)
        game = load(given["game"], rules=_rules(given["rules"]))
        self.codes = GameCodes(game, given["reward"], given["max_decisions"])
        self.upcard_game = game
        """The game as `upcard.load` gives it."""
        is_explicit = given["chance"] == "explicit" or (given["chance"] == "auto" and _is_small(game))
        self.root: Node
        if is_explicit:
            tree = PositionTree(self.codes)
            draws = any(fact.what == "random" for fact in game.facts.chance)
            outcomes = MAX_OUTCOMES if draws else tree.cards
            self.root = tree.root
        else:
            outcomes = 1
            self.root = DealNode(SampledDeals(self.codes, given["seed"]))
        is_zero_sum = game.seats > 1 and self.codes.reward == "margin"
        lowest, highest = self.codes.bounds
        super().__init__(
            _type(game.title, is_explicit, game.seats if is_zero_sum else None),
            pyspiel.GameInfo(
                num_distinct_actions=self.codes.actions,
                max_chance_outcomes=outcomes,
                num_players=game.seats,
                min_utility=lowest,
                max_utility=highest,
                utility_sum=0.0 if is_zero_sum else None,
                max_game_length=self.codes.limits.decisions,
            ),
            given,
        )

    def new_initial_state(self) -> OpenSpielState:
        """A state before anything is dealt."""
        return OpenSpielState(self)

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> Observer | None:
        """What fills tensors and strings, of information states or of observations.

        None for observations that leave out what is public, or what one seat sees alone.
        """
        if params:
            raise BadArgument("observers of upcard take no parameters; leave them out")
        if kind is None:
            return Observer(self.codes, has_history=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.codes, kind.perfect_recall)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.node: Node = game.root

    @property
    def _codes(self) -> GameCodes:
        game: OpenSpielGame = self.get_game()
        return game.codes

    def current_player(self) -> int:
        """The seat to move, or what OpenSpiel says instead for chance and for the end."""
        node = self.node
        if node.seat is not None:
            return node.seat
        return int(pyspiel.PlayerId.CHANCE if node.outcome is None else pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        node = self.node
        return [*node.legal] if isinstance(node, DecisionNode | StateNode) and node.seat == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance, each with its probability."""
        node = self.node
        if not isinstance(node, ChanceNode | DealNode):
            raise BadArgument("chance does not decide here; ask is_chance_node() first")
        return [(number, float(share)) for number, share in enumerate(node.probabilities)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        node = self.node
        if isinstance(node, ChanceNode | DealNode):
            return node.text(action)
        if action in node.legal:
            return node.legal[action].text
        return self._codes.encoding.action_text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.node.outcome is not None

    def returns(self) -> list[float]:
        """What every seat gets; 0 before the end."""
        return [*self._codes.rewards(self.node.outcome)]

    def resample_from_infostate(self, player: int, draw: Callable[[], float]) -> OpenSpielState:
        """A state that the seat cannot tell from this one, with its unknown cards dealt anew."""
        node = self.node
        if isinstance(node, StateNode):
            made: OpenSpielState = self.clone()
            made.node = node.resampled(player, draw)
            return made
        made = self.get_game().new_initial_state()
        if isinstance(node, DecisionNode):
            for number in _drawn(node.tree.alike(node, player), draw()):
                made.apply_action(number)
        return made

    def __str__(self) -> str:
        node, codes = self.node, self._codes
        if isinstance(node, ChanceNode | DealNode):
            return f"chance after {self.history_str() or 'nothing'}"
        lines = [node.view(seat, codes.observation_text) for seat in range(codes.game.seats)]
        return "\n".join([*lines, f"history {self.history_str()}"])


class Observer:
    """Fills a tensor with the bytes that `Game.encoding` describes, or makes a string."""

    def __init__(self, codes: GameCodes, has_history: bool) -> None:
        self._narrator = codes.game.narrator
        encoding = codes.encoding
        self._array = codes.information if has_history else codes.observation
        self._text = codes.information_text if has_history else codes.observation_text
        size = encoding.information_state_size if has_history else encoding.size
        self.tensor: NDArray[np.float32] = np.zeros(size, np.float32)
        self.dict = {"information_state" if has_history else "observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fills the tensor for a seat."""
        node = state.node
        if isinstance(node, ChanceNode | DealNode):
            self.tensor.fill(0)
        else:
            self.tensor[:] = node.view(player, self._array)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """What a seat sees, or has seen, in words."""
        node = state.node
        if isinstance(node, ChanceNode | DealNode):
            return f"{self._narrator.seat(player)}: chance decides"
        return node.view(player, self._text)


def _drawn(routes: list[tuple[Fraction, Route]], draw: float) -> Route:
    """One of some routes, drawn by their shares with a number from 0 to 1."""
    left = draw * float(sum(share for share, _ in routes))
    for share, route in routes:
        left -= float(share)
        if left < 0:
            return route
    return routes[-1][1]


def _rules(text: str) -> dict[str, str]:
    """House rules as text: `raises:one stick:no`."""
    pairs = [pair.replace("=", ":").partition(":") for pair in text.split()]
    for name, colon, value in pairs:
        if not (name and colon and value):
            raise BadArgument(f"rules are written as NAME:VALUE, with blanks between them, not {text!r:.60}")
    return {name: value for name, _, value in pairs}


def _is_small(game: LoadedGame) -> bool:
    """Whether all outcomes of chance can be listed."""
    try:
        return estimate_nodes(game) <= SMALL
    except NotEnumerable:
        return False
