"""One seat of a game as a Gymnasium environment; players by name sit in the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box

from upcard.arguments import BadArgument, check_choice, check_seat
from upcard.engine.api import IllegalMove
from upcard.output import say
from upcard.players.player_argument import PlayerLike, as_player
from upcard.players.protocol import Indifferent, Player
from upcard.players.spec import PlayerSpec
from upcard.rl.action_space import PossibleActions
from upcard.rl.deal_play import DealPlay
from upcard.rl.game_codes import Bytes, GameCodes, Mask
from upcard.rl.table_text import table_text

RENDER_MODES = ("ansi", "human")
MAX_SKIPPED = 100
"""Deals in a row in which the seat has nothing to decide."""

Opponents: TypeAlias = PlayerLike | Sequence[PlayerLike] | Mapping[int, PlayerLike]
"""One player for all other seats, one for each of them in their order, or by their numbers."""


class SeatEnvironment(Env[Bytes, Any]):
    """One seat. `upcard.rl.gymnasium_env` makes one."""

    def __init__(
        self,
        codes: GameCodes,
        seat: int,
        opponents: Opponents,
        render_mode: str | None = None,
        illegal_reward: float | None = None,
    ) -> None:
        check_seat(seat, codes.game.seats)
        if illegal_reward is not None and not isinstance(illegal_reward, int | float):
            raise BadArgument(f"illegal_reward is a number or None, not {illegal_reward!r:.60}")
        if render_mode is not None:
            check_choice("render mode", render_mode, RENDER_MODES)
        self.metadata = {"render_modes": [*RENDER_MODES], "render_fps": 1}
        self.render_mode = render_mode
        self.seat = seat
        """The seat that acts."""
        self.illegal_reward = illegal_reward
        """What an action that is not possible costs; None if it raises `IllegalMove`."""
        self._codes, self._deals = codes, DealPlay(codes)
        self._opponents = _by_seat(opponents, codes, seat)
        self._players: dict[int, Player | Indifferent] = {}
        self.observation_space = Box(0, codes.highest, dtype=np.uint8)
        self.action_space = PossibleActions(codes.actions, self._possible)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        """Deals: with a seed its deal 0, then one deal after the other; `options={"deal": 12}` chooses one.

        Deals in which the seat has nothing to decide are passed over.
        """
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1 << 31))
        number = (options or {}).get("deal")
        for _ in range(MAX_SKIPPED):
            self._deals.deal(seed, number, drawn)
            self._seat_players()
            self._go_on()
            if self._deals.to_move is not None:
                return self._look()
            seed = number = None
        raise BadArgument(
            f"seat {self.seat} of {self._codes.game.name} had nothing to decide in {MAX_SKIPPED} deals; "
            "choose another seat"
        )

    def step(self, action: Any) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        """Plays an action, and the moves of the others up to the next decision of the seat."""
        try:
            self._deals.play(action)
        except IllegalMove:
            if self.illegal_reward is None:
                raise
            seen, info = self._look()
            self._deals.end()
            return seen, float(self.illegal_reward), True, False, info
        self._go_on()
        outcome = self._deals.outcome
        is_cut = outcome is not None and outcome.ending in ("cut_off", "stuck")
        reward = float(self._codes.rewards(outcome)[self.seat])
        seen, info = self._look()
        return seen, reward, outcome is not None and not is_cut, is_cut, info

    def action_masks(self) -> Mask:
        """1 for each action that is possible now (the name that sb3-contrib asks for)."""
        return self._codes.mask(self._deals.observation(self.seat)).copy()

    def render(self) -> Any:
        """The table as the seat sees it, in characters."""
        if self.render_mode is None:
            return None
        text = table_text(self._codes.game, self._deals.observation(self.seat))
        if self.render_mode == "ansi":
            return text
        say(text)
        return None

    def close(self) -> None:
        self._deals.close()

    # --- others --------------------------------------------------------------------------------

    def _seat_players(self) -> None:
        seed, deal = self._deals.seed, self._deals.number
        self._players = {seat: spec.make(seed, deal, seat) for seat, spec in self._opponents.items()}

    def _go_on(self) -> None:
        """Let the others play until the seat is to move, or the game is over."""
        deals = self._deals
        while (mover := deals.to_move) is not None and mover != self.seat:
            player = self._players[mover]
            if isinstance(player, Indifferent):
                deals.play_move(player.pick(len(deals.state.moves)))
            else:
                budget = self._opponents[mover].budget
                deals.play_move(player.choose(deals.observation(mover), budget).move)

    def _possible(self) -> Mask | None:
        is_on = self._deals.is_dealt and self._deals.to_move == self.seat
        return self.action_masks() if is_on else None

    def _look(self) -> tuple[Bytes, dict[str, Any]]:
        seen = self._deals.observation(self.seat)
        info = {"action_mask": self._codes.mask(seen).copy(), "deal": self._deals.number}
        return self._codes.observation(seen).copy(), info


def _by_seat(opponents: Opponents, codes: GameCodes, seat: int) -> dict[int, PlayerSpec]:
    others = [other for other in range(codes.game.seats) if other != seat]
    if isinstance(opponents, Mapping):
        given = dict(opponents)
    elif isinstance(opponents, Sequence) and not isinstance(opponents, str):
        if len(opponents) != len(others):
            raise BadArgument(
                f"opponents has {len(opponents)} players, but {len(others)} other seats are to be filled; "
                "give one for each, or one name for all"
            )
        given = dict(zip(others, opponents, strict=True))
    else:
        given = dict.fromkeys(others, opponents)
    if set(given) != set(others):
        raise BadArgument(f"opponents must have the seats {', '.join(map(str, others))}, and no other")
    return {other: as_player(given[other], codes.game) for other in others}
