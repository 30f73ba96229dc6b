"""A game with the methods and the states of an RLCard environment."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from upcard.arguments import BadArgument, check_seat, check_whole
from upcard.engine.api import IllegalMove
from upcard.engine.state import State
from upcard.rl.deal_play import DealPlay
from upcard.rl.game_codes import GameCodes
from upcard.rl.vector import EnvironmentMisuse

Seen: TypeAlias = dict[str, Any]


class RlcardEnvironment:
    """`upcard.rl.rlcard_env` makes one."""

    def __init__(self, codes: GameCodes, seed: int | None = None, allow_step_back: bool = False) -> None:
        self._codes, self._deals = codes, DealPlay(codes)
        self.name = codes.game.name
        """The name of the game."""
        self.num_players = codes.game.seats
        """Number of seats."""
        self.num_actions = codes.actions
        """Number of actions."""
        self.state_shape = [[codes.encoding.size] for _ in range(self.num_players)]
        """The shape of the observations of each player."""
        self.action_shape: list[None] = [None] * self.num_players
        """Actions have no features."""
        self.allow_step_back = allow_step_back
        """Whether `step_back` works."""
        self.timestep = 0
        """Number of actions since the deal."""
        self.agents: list[Any] = []
        """Who plays, after `set_agents`."""
        self._earlier: list[State] = []
        self._last = 0
        """Who moved last."""
        self.seed(seed)

    # --- play by hand --------------------------------------------------------------------------

    def seed(self, seed: int | None = None) -> None:
        """Chooses the deals: the next one is deal 0 of this seed."""
        if seed is not None:
            check_whole("a seed", seed)
        drawn = int(np.random.default_rng().integers(1 << 31))
        self._seed, self._number = drawn if seed is None else seed, 0

    def reset(self) -> tuple[Seen, int]:
        """Deals; gives what the first player to move sees, and who it is."""
        self._deals.deal(self._seed, self._number, drawn=0)
        self._number += 1
        self.timestep, self._earlier = 0, []
        return self._present()

    def step(self, action: Any, raw_action: bool = False) -> tuple[Seen, int]:
        """Plays an action by its number, or with `raw_action` by its words; what the next player sees."""
        player = self._mover()
        state = self.get_state(player)
        if raw_action:
            words = state["raw_legal_actions"]
            if action not in words:
                raise IllegalMove(f"{action!r:.60} is not possible here; choose from {', '.join(words)}")
            action = [*state["legal_actions"]][words.index(action)]
        earlier = self._deals.state.copy() if self.allow_step_back else None
        self._deals.play(action)
        if earlier is not None:
            self._earlier.append(earlier)
        self._last = player
        self.timestep += 1
        return self._present()

    def step_back(self) -> tuple[Seen, int] | None:
        """Takes the last action back; None if there is none."""
        if not self.allow_step_back:
            raise EnvironmentMisuse("this environment cannot step back; make it with allow_step_back=True")
        if not self._earlier:
            return None
        self._deals.go_back(self._earlier.pop())
        self.timestep -= 1
        return self._present()

    # --- looking -------------------------------------------------------------------------------

    def get_player_id(self) -> int:
        """Who is to move; at the end, who moved last."""
        seat = self._deals.to_move
        return self._last if seat is None else seat

    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._deals.outcome is not None

    def get_state(self, player_id: int) -> Seen:
        """What a player sees: `obs` and `legal_actions` for programs, the rest for people and rules."""
        check_seat(player_id, self.num_players)
        seen = self._deals.observation(player_id)
        moves = self._codes.moves(seen)
        return {
            "obs": self._codes.observation(seen).astype(np.float32),
            "legal_actions": OrderedDict.fromkeys(moves),
            "raw_obs": seen,
            "raw_legal_actions": [alike[0].text for alike in moves.values()],
            "action_record": self._codes.history(seen),
        }

    def get_perfect_information(self) -> Seen:
        """Everything, for programs that look at all cards: what each player sees, and who is to move."""
        return {
            "players": [self._deals.observation(seat) for seat in range(self.num_players)],
            "current_player": self._deals.to_move,
        }

    def get_payoffs(self) -> Any:
        """The reward of every player; 0 before the end."""
        return np.array(self._codes.rewards(self._deals.outcome))

    # --- play by agents ------------------------------------------------------------------------

    def set_agents(self, agents: Sequence[Any]) -> None:
        """Agents with `step(state)`, `eval_step(state)` and `use_raw`, one for each seat."""
        if len(agents) != self.num_players:
            raise BadArgument(f"{self.name} has {self.num_players} seats, not {len(agents)} agents")
        self.agents = [*agents]

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], Any]:
        """Plays a game with the agents; for each player its states and actions in turn, and the payoffs."""
        if not self.agents:
            raise EnvironmentMisuse("nobody plays yet; call set_agents() first")
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, player = self.reset()
        while not self.is_over():
            agent = self.agents[player]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[player] += [state, action]
            state, player = self.step(action, agent.use_raw)
        for seat, trajectory in enumerate(trajectories):
            trajectory.append(self.get_state(seat))
        return trajectories, self.get_payoffs()

    def close(self) -> None:
        """Ends the environment."""
        self._deals.close()

    # --- inside --------------------------------------------------------------------------------

    def _mover(self) -> int:
        seat = self._deals.to_move
        if seat is None:
            raise EnvironmentMisuse("the game is over; call reset() to deal the next one")
        return seat

    def _present(self) -> tuple[Seen, int]:
        player = self.get_player_id()
        return self.get_state(player), player
