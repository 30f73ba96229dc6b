"""One seat of many games as a Gymnasium vector environment; random players sit in the others."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from upcard.arguments import check_seat
from upcard.rl.game_codes import Bytes, GameCodes
from upcard.rl.vector import vector

Flags: TypeAlias = NDArray[np.bool_]
Step: TypeAlias = tuple[Bytes, NDArray[np.float64], Flags, Flags, dict[str, Any]]


class SeatVector(VectorEnv[Bytes, NDArray[Any], NDArray[Any]]):
    """`upcard.rl.gymnasium_vector_env` makes one."""

    def __init__(self, codes: GameCodes, count: int, seat: int, threads: int | None) -> None:
        seats = codes.game.seats
        check_seat(seat, seats)
        self._vector = vector(
            codes.game,
            count,
            opponents={other: "random" for other in range(seats) if other != seat},
            reward=codes.reward,  # type: ignore[arg-type]
            final_observations=True,
            limits=codes.limits,
            threads=threads,
        )
        self.seat = seat
        """The seat that acts."""
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.render_mode = None
        self.num_envs = count
        self.single_observation_space = Box(0, codes.highest, dtype=np.uint8)
        self.single_action_space = Discrete(codes.actions)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        """Deals all games: environment e of n plays the deals e, e + n, ... of the seed.

        `options={"first": 1000}` begins with another deal.
        """
        if seed is None and self._np_random is None:
            seed = int(np.random.default_rng().integers(1 << 31))
        super().reset(seed=seed)
        self._vector.reset(seed, (options or {}).get("first"))
        return self._vector.observations.copy(), self._info()

    def step(self, actions: NDArray[Any]) -> Step:
        """Plays an action in every game. Where one ends, the next is dealt in the same step."""
        done = self._vector.step(actions)
        info = self._info()
        over = done.terminated | done.truncated
        if over.any():
            info["final_obs"] = self._vector.final_observations.copy()
            info["_final_obs"] = over
        rewards = done.rewards[:, self.seat].copy()
        return done.observations.copy(), rewards, done.terminated.copy(), done.truncated.copy(), info

    def action_masks(self) -> Flags:
        """For each game, which actions are possible."""
        return self._vector.masks.copy()

    def sample(self) -> NDArray[np.int64]:
        """A random possible action for each game."""
        return self._vector.sample().copy()

    def close_extras(self, **given: Any) -> None:
        """Closes the games."""
        self._vector.close()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "deal": self._vector.deals.copy()}
