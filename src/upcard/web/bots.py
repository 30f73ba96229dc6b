"""Bots: players of named levels that choose from observations, in threads, at a pace that tells nothing."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from upcard.engine.api import Move, Observation
from upcard.players.guard import RAISED, resolve_move
from upcard.players.levels import LEVELS
from upcard.players.protocol import Indifferent, Player
from upcard.players.random_player import RandomPlayer
from upcard.terminal.opponent_levels import Seated

OFFERED = (*LEVELS, "random")
"""What a seat can be given to."""
WORKERS = 2


@dataclass
class BotSeat:
    """The player at a seat for one deal; it is made when it first decides."""

    seated: Seated
    seeds: tuple[int, int, int]
    player: Player | Indifferent | None = None

    def choose(self, observation: Observation) -> Move:
        if self.player is None:
            self.player = self.seated.make(*self.seeds)
        if isinstance(self.player, Indifferent):
            return observation.moves[self.player.pick(len(observation.moves))]
        return resolve_move(self.player.choose(observation, self.seated.budget), observation)


@dataclass
class Bots:
    """Threads in which bots choose. Machine code runs without Python's lock."""

    workers: int = WORKERS
    _pool: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.workers, thread_name_prefix="bot")

    async def choose(self, bot: BotSeat, observation: Observation) -> Move:
        """The bot's move. One that fails is replaced by a random player, so that the table goes on."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, bot.choose, observation)
        except RAISED:
            bot.player = RandomPlayer(*bot.seeds)
            return bot.choose(observation)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def wait_until(started: float, now: float, pace: float) -> float:
    """Seconds until the next multiple of the pace: how long a bot thought is rounded up to whole beats."""
    beats = int((now - started) / pace) + 1
    return started + beats * pace - now
