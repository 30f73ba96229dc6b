"""A game as a PettingZoo environment: agents take turns (AEC), or all give an action at once (parallel)."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict
from pettingzoo import AECEnv, ParallelEnv

from upcard.arguments import BadArgument, check_choice
from upcard.engine.api import IllegalMove
from upcard.output import say
from upcard.rl.action_space import PossibleActions
from upcard.rl.deal_play import DealPlay
from upcard.rl.game_codes import GameCodes, Mask
from upcard.rl.table_text import table_text

RENDER_MODES = ["ansi", "human"]

Seen: TypeAlias = "dict[str, np.ndarray[Any, Any]]"


class _Agents:
    """What both kinds of environments have in common: an agent `player_0`, ... for each seat."""

    metadata: dict[str, Any]

    def _set_up(self, codes: GameCodes, render_mode: str | None, name: str, waiting: int) -> None:
        """`waiting` is 1 if there is an action more, for those who are not to move."""
        if render_mode is not None:
            check_choice("render mode", render_mode, RENDER_MODES)
        self._codes, self._deals = codes, DealPlay(codes)
        self._random = np.random.default_rng()
        self._waiting = waiting
        self.metadata = {
            "name": f"upcard_{name}",
            "render_modes": RENDER_MODES,
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(codes.game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = codes.actions + waiting
        self._space = Dict(
            {
                "observation": Box(0, codes.highest, dtype=np.uint8),
                "action_mask": Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._space)
        self.action_spaces = {
            agent: PossibleActions(actions, partial(self._possible, seat))
            for agent, seat in self._seats.items()
        }

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[self._agent(agent)]

    def action_space(self, agent: str) -> PossibleActions:
        return self.action_spaces[self._agent(agent)]

    def _agent(self, agent: str) -> str:
        if agent not in self._seats:
            raise BadArgument(f"there is no agent {agent!r:.60}; choose from {', '.join(self._seats)}")
        return agent

    def _possible(self, seat: int) -> Mask | None:
        mask = self._mask(seat) if self._deals.is_dealt else None
        return mask if mask is not None and mask.any() else None

    def _deal(self, seed: int | None, options: dict[str, Any] | None) -> None:
        drawn = int(self._random.integers(1 << 31))
        self._deals.deal(seed, (options or {}).get("deal"), drawn)

    def _mask(self, seat: int) -> Mask:
        mask = self._codes.mask(self._deals.observation(seat))
        if not self._waiting:
            return mask.copy()
        waits = self._deals.to_move is not None and self._deals.to_move != seat
        return np.append(mask, np.int8(waits))

    def _observe(self, seat: int) -> Seen:
        seen = self._deals.observation(seat)
        return {"observation": self._codes.observation(seen).copy(), "action_mask": self._mask(seat)}

    def _render(self) -> str | None:
        if self.render_mode is None:
            return None
        text = table_text(self._codes.game, self._deals.observation(self._deals.to_move or 0))
        if self.render_mode == "ansi":
            return text
        say(text)
        return None

    def _has_ended(self) -> tuple[bool, bool]:
        """Whether the game is over, and whether a limit ended it."""
        outcome = self._deals.outcome
        is_cut = outcome is not None and outcome.ending in ("cut_off", "stuck")
        return outcome is not None and not is_cut, is_cut


class TurnEnvironment(_Agents, AECEnv[str, Seen, int]):  # type: ignore[misc]
    """Agents act in the order of the game. `upcard.rl.pettingzoo_env` makes one."""

    def __init__(self, codes: GameCodes, render_mode: str | None = None) -> None:
        AECEnv.__init__(self)
        self._set_up(codes, render_mode, codes.game.name, waiting=0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals: with a seed its deal 0, then one after the other; `options={"deal": 12}` chooses one."""
        self._deal(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._go_on()

    def step(self, action: Any) -> None:
        """Plays an action of the agent whose turn it is, or None for one whose game is over."""
        agent = self.agent_selection if self._deals.state else ""
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._deals.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Seen:
        """What an agent sees: `observation`, bytes that `Game.encoding` describes, and `action_mask`."""
        return self._observe(self._seats[self._agent(agent)])

    def render(self) -> str | None:
        """The table as the agent to move sees it, in characters."""
        return self._render()

    def close(self) -> None:
        self._deals.close()

    def _go_on(self) -> None:
        """Select who is to move, or end the game."""
        self.infos = {agent: {"action_mask": self._mask(self._seats[agent])} for agent in self.agents}
        if (seat := self._deals.to_move) is not None:
            self.agent_selection = self.possible_agents[seat]
            return
        is_over, is_cut = self._has_ended()
        self.rewards = dict(zip(self.agents, self._codes.rewards(self._deals.outcome), strict=True))
        self.terminations = dict.fromkeys(self.agents, is_over)
        self.truncations = dict.fromkeys(self.agents, is_cut)


class TogetherEnvironment(_Agents, ParallelEnv[str, Seen, int]):  # type: ignore[misc]
    """Every agent gives an action in every step, and all but one can only wait.

    `upcard.rl.pettingzoo_parallel_env` makes one.
    """

    def __init__(self, codes: GameCodes, render_mode: str | None = None) -> None:
        self._set_up(codes, render_mode, f"{codes.game.name}_parallel", waiting=1)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Deals: with a seed its deal 0, then one after the other; `options={"deal": 12}` chooses one."""
        self._deal(seed, options)
        self.agents = self.possible_agents[:]
        return self._look()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Plays the action of the agent whose turn it is. The others must wait."""
        seat = self._deals.to_move
        if seat is not None:
            missing = [agent for agent in self.agents if agent not in actions]
            if missing:
                raise BadArgument(f"an action of {missing[0]} is missing; agents that are not to move wait")
            for agent in self.agents:
                if self._seats[agent] != seat and actions[agent] != self._codes.actions:
                    raise IllegalMove(f"{agent} is not to move and must wait: action {self._codes.actions}")
            self._deals.play(actions[self.possible_agents[seat]])
        seen, infos = self._look()
        is_over, is_cut = self._has_ended()
        rewards = dict(zip(self.agents, self._codes.rewards(self._deals.outcome), strict=True))
        terminations = dict.fromkeys(self.agents, is_over)
        truncations = dict.fromkeys(self.agents, is_cut)
        if is_over or is_cut:
            self.agents = []
        return seen, rewards, terminations, truncations, infos

    def render(self) -> str | None:
        """The table as the agent to move sees it, in characters."""
        return self._render()

    def close(self) -> None:
        self._deals.close()

    def _look(self) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        seen = {agent: self._observe(self._seats[agent]) for agent in self.agents}
        return seen, {agent: {"action_mask": one["action_mask"]} for agent, one in seen.items()}
