"""Vector environments: many games of one kind, stepped by one call of machine code."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from upcard.arguments import MAX_WORKERS, BadArgument, check_instance, check_seat, check_whole
from upcard.engine.api import IllegalMove, Limits
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.engine.native.buffer import Buffer
from upcard.engine.native.kernels.language import signed
from upcard.extras import need_numpy
from upcard.parallel.cores import cores
from upcard.recycle.diagnostics import Refused
from upcard.rl.slice_kernels import POINTS, RANKS, SCORES, Batch
from upcard.rl.thread_team import ThreadTeam
from upcard.rl.vector_code import vector_code

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Bytes: TypeAlias = NDArray[np.uint8]
    Flags: TypeAlias = NDArray[np.bool_]
    Whole: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]

Reward: TypeAlias = Literal["points", "ranks", "scores"]
Actions: TypeAlias = Literal["index"]
_REWARDS = {"points": POINTS, "ranks": RANKS, "scores": SCORES}

MAX_COUNT = 1 << 24
"""Environments of one vector."""
FEW = 1024
"""Environments that one thread steps before another could have begun."""


class EnvironmentMisuse(Refused):
    """An environment that cannot be stepped: it is closed, another thread is stepping it, or a step was
    interrupted.

    >>> env = upcard.vector("kuhn-poker", 2, actions="index")
    >>> env.close()
    >>> env.step([0, 0])
    Traceback (most recent call last):
    upcard.rl.vector.EnvironmentMisuse: this environment is closed; make a new one with upcard.vector
    """


class Step(NamedTuple):
    """What a step left in the arrays of its environment. They are the same arrays after every step."""

    rewards: Floats
    terminated: Flags
    truncated: Flags
    movers: Bytes
    choices: NDArray[np.uint32]


def vector(
    game: Game | str | os.PathLike[str],
    count: int,
    *,
    seed: int = 0,
    first: int = 0,
    actions: Actions = "index",
    opponents: Mapping[int, str] | str | None = None,
    reward: Reward = "points",
    limits: Limits | None = None,
    threads: int | None = None,
) -> VectorEnvironment:
    """Many games that are stepped by one call: environment *e* of *n* plays the deals `first` + *e*,
    `first` + *e* + *n*, ... of the seed, the same as those of `Game.deal`.

    The seats that `opponents` names play at random inside; the others are played by the caller, who is asked
    for the seat of `movers`. `opponents="random"` stands for all seats but the first.

    `reward` is what `rewards` holds when a deal is over: "points" are those of a seat less the mean of all,
    more is better; "ranks" run from 1 for the first to -1 for the last; "scores" are the game's own.

    `threads` share the environments; results do not depend on their number. A wrong argument raises
    `BadArgument`.

    >>> env = upcard.vector("euchre", 2, seed=7, actions="index")
    >>> env.movers, env.choices
    (array([0, 0], dtype=uint8), array([3, 3], dtype=uint32))
    >>> step = env.step([1, 0])
    >>> step.movers, step.terminated
    (array([3, 1], dtype=uint8), array([False, False]))
    """
    need_numpy()
    return VectorEnvironment(
        game,
        count,
        seed=seed,
        first=first,
        actions=actions,
        opponents=opponents,
        reward=reward,
        limits=limits,
        threads=threads,
    )


class VectorEnvironment:
    """Games that are stepped together; `upcard.vector` makes one.

    The arrays are the memory that machine code works in: a step overwrites them, so copy what you keep. Where
    a deal ends, the next one is dealt in the same step: `terminated` (or `truncated`) is set, `rewards` are
    those of the deal that ended, and everything else is about the new deal.

    >>> env = upcard.vector("kuhn-poker", 1000, seed=1, actions="index")
    >>> for _ in range(100):
    ...     step = env.step(env.sample())
    >>> env.rewards.shape, float(abs(env.rewards.sum()))
    ((1000, 2), 0.0)
    """

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        count: int,
        *,
        seed: int,
        first: int,
        actions: Actions,
        opponents: Mapping[int, str] | str | None,
        reward: Reward,
        limits: Limits | None,
        threads: int | None,
    ) -> None:
        check_whole("the number of environments", count, 1, MAX_COUNT)
        check_whole("a seed", seed)
        check_whole("the first deal", first, 0)
        if actions not in get_args(Actions):
            raise BadArgument(f"actions are {' or '.join(get_args(Actions))}, not {actions!r:.60}")
        if reward not in _REWARDS:
            raise BadArgument(f"a reward is {', '.join(_REWARDS)}, not {reward!r:.60}")
        if limits is not None:
            check_instance("limits", limits, Limits)
        if threads is not None:
            check_whole("threads", threads, 1, MAX_WORKERS)
        self.game = as_game(game)
        """The game that is played."""
        self.count = count
        """The number of environments."""
        self._code = vector_code(self.game)
        random_seats = _random_seats(opponents, self._code.seats)
        self._slots = Buffer(count * self._code.slot_bytes)
        self._arrays(count, self._code.seats)
        self._batch = Batch.pack(
            slots=self._slots.address,
            slot_bytes=self._code.slot_bytes,
            streams=self._code.streams,
            count=count,
            seed=0,
            first=0,
            opponents=sum(1 << seat for seat in random_seats),
            reward=_REWARDS[reward],
            **{name: array.ctypes.data for name, array in self._written().items()},
        )
        wanted = min(cores(), max(1, count // FEW)) if threads is None else threads
        self.threads = min(wanted, count)
        """How many threads share the environments."""
        self._limits = Limits() if limits is None else limits
        self._works = [self._code.workspace(self._limits) for _ in range(self.threads)]
        self._team = ThreadTeam(self.threads)
        self._guard = _Guard()
        self._seed, self._first = seed, first
        self.reset()

    def _arrays(self, count: int, seats: int) -> None:
        import numpy as np

        def array(dtype: Any, *shape: int) -> Any:
            size = int(np.prod(shape)) * np.dtype(dtype).itemsize
            return np.frombuffer(Buffer(size).memory, dtype, int(np.prod(shape))).reshape(shape)

        self.actions: Whole = array(np.int64, count)
        """The actions of the next step: fill it and call `step()` to save a copy."""
        self.movers: Bytes = array(np.uint8, count)
        """The seat that each environment asks for an action."""
        self.choices: NDArray[np.uint32] = array(np.uint32, count)
        """How many alternatives it has."""
        self.rewards: Floats = array(np.float64, count, seats)
        """The reward of every seat where the last step ended a deal, otherwise 0."""
        self.terminated: Flags = array(np.bool_, count)
        """Where the last step ended a deal by the rules."""
        self.truncated: Flags = array(np.bool_, count)
        """Where the last step ended a deal otherwise: at a limit, or by a run-time error of the program."""
        self.endings: Bytes = array(np.uint8, count)
        """How it ended: 1 finished, 2 stuck, 3 cut off, 4 failed (as in `Outcome.ending`); 0 if none ended."""
        self.deals: Whole = array(np.int64, count)
        """The number of the deal that each environment is playing."""
        self.skipped: Whole = array(np.int64, count)
        """Deals that ended before the caller was asked anything; no step led to them."""
        self.skipped_rewards: Floats = array(np.float64, count, seats)
        """The sums of their rewards."""

    def _written(self) -> dict[str, Any]:
        """The arrays by their names in `Batch`."""
        names = "actions rewards endings terminated truncated movers deals skipped skipped_rewards".split()
        return {**{name: getattr(self, name) for name in names}, "offered": self.choices}

    # --- stepping ------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, first: int | None = None) -> Step:
        """Deals all environments anew, with another seed or another first deal if they are given.

        >>> env = upcard.vector("euchre", 3, actions="index")
        >>> step = env.reset(seed=8, first=100)
        >>> env.deals
        array([100, 101, 102])
        """
        if seed is not None:
            check_whole("a seed", seed)
        if first is not None:
            check_whole("the first deal", first, 0)
        with self._guard as guard:
            self._seed = self._seed if seed is None else seed
            self._first = self._first if first is None else first
            self._batch.seed, self._batch.first = signed(self._seed), signed(self._first)
            self.skipped[:] = 0
            self.skipped_rewards[:] = 0
            for work in self._works:
                work.head.stop = 0
            guard.interrupted = False
            self._run(self._code.deal)
        return self._step

    def step(self, actions: ArrayLike | None = None) -> Step:
        """Plays one action in every environment: those given, or what `actions` holds.

        If one of them is not legal, no environment is stepped and `IllegalMove` is raised.

        >>> env = upcard.vector("euchre", 2, seed=7, actions="index")
        >>> env.step([0, 3])
        Traceback (most recent call last):
        upcard.engine.api.IllegalMove: 3 is not an action of environment 1, which has 3 alternatives...
        """
        with self._guard as guard:
            guard.check()
            if actions is not None and actions is not self.actions:
                self._take(actions)
            batch = self._batch.address
            wrong = self._code.first_illegal(batch, 0, self.count)
            if wrong >= 0:
                raise IllegalMove(
                    f"{self.actions[wrong]} is not an action of environment {wrong}, which has"
                    f" {self.choices[wrong]} alternatives; nothing was played"
                )
            self._run(self._code.step)
        return self._step

    def sample(self) -> Whole:
        """Fills `actions` with random legal actions and returns it.

        They are those of the random players of `Game.simulate`: an environment that plays nothing else plays
        the same games.

        >>> env = upcard.vector("kuhn-poker", 5, seed=1, actions="index")
        >>> env.sample()
        array([0, 1, 1, 1, 0])
        """
        with self._guard as guard:
            guard.check()
            self._code.sample(self._batch.address, 0, self.count)
        return self.actions

    def _take(self, actions: ArrayLike) -> None:
        import numpy as np

        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise BadArgument(
                f"actions are {self.count} whole numbers, one for each environment, not an array of"
                f" {given.dtype} of shape {given.shape}"
            )
        self.actions[:] = given

    def _run(self, function: Callable[..., int]) -> None:
        """Calls it for every thread's part of the environments."""
        batch, count, threads = self._batch.address, self.count, self.threads
        calls = [
            (function, (batch, work.address, count * n // threads, count * (n + 1) // threads))
            for n, work in enumerate(self._works)
        ]
        self._guard.interrupted = True
        wrong = sum(self._team.run(calls, self._stop))
        self._guard.interrupted = False
        if wrong:
            self._guard.interrupted = True
            raise EnvironmentMisuse(
                "10,000 deals one after the other ended without a decision of yours; let the seat of another"
                " player be yours, or another game"
            )

    def _stop(self) -> None:
        for work in self._works:
            work.head.stop = 1

    # --- the end -------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the environment's threads. The arrays stay as they are, but nothing can be stepped.

        >>> with upcard.vector("euchre", 2, actions="index") as env:
        ...     step = env.step([0, 0])
        >>> env
        <VectorEnvironment euchre: 2 environments, closed>
        """
        with self._guard as guard:
            guard.closed = True
            self._team.dismiss()

    def __enter__(self) -> VectorEnvironment:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._guard.closed:
            self.close()

    def __del__(self) -> None:
        if hasattr(self, "_team"):
            self._team.dismiss()

    def __reduce__(self) -> Any:
        raise TypeError("a vector environment cannot be pickled; make one in each process")

    @property
    def _step(self) -> Step:
        return Step(self.rewards, self.terminated, self.truncated, self.movers, self.choices)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        closed = ", closed" if self._guard.closed else ""
        return f"<VectorEnvironment {self.game.name}: {self.count:,} environments{closed}>"


class _Guard:
    """Lets one thread in, and only while the environment can be stepped."""

    def __init__(self) -> None:
        self.closed = False
        self.interrupted = False
        """A step was left in the middle."""
        self._lock, self._owner = Lock(), os.getpid()

    def __enter__(self) -> _Guard:
        if self._owner != os.getpid():  # forked, perhaps while another thread was stepping
            self._lock, self._owner = Lock(), os.getpid()
        if self.closed:
            raise EnvironmentMisuse("this environment is closed; make a new one with upcard.vector")
        if not self._lock.acquire(blocking=False):
            raise EnvironmentMisuse(
                "another thread is stepping this environment; give each thread an environment of its own"
            )
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def check(self) -> None:
        if self.interrupted:
            raise EnvironmentMisuse("a step of this environment was interrupted; call reset()")


def _random_seats(opponents: object, seats: int) -> list[int]:
    """The seats that play at random."""
    if opponents is None:
        return []
    if opponents == "random":
        return list(range(1, seats))
    if not isinstance(opponents, Mapping):
        raise BadArgument(
            f'opponents are "random" or a dictionary from seats to "random", not {opponents!r:.60}'
        )
    for seat, player in opponents.items():
        check_seat(seat, seats)
        if player != "random":
            raise BadArgument(f"inside an environment seats play at random, not as {player!r:.60}")
    if len(opponents) == seats:
        raise BadArgument("all seats play at random; leave one of them to yourself")
    return sorted(opponents)
