"""Vector environments: many games of one kind, stepped by one call of machine code."""

from __future__ import annotations

import ctypes
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
from upcard.engine.native.kernels.language import Memory, signed
from upcard.extras import need_numpy
from upcard.parallel.cores import cores
from upcard.recycle.diagnostics import Refused
from upcard.rl.slice_kernels import MARGIN, MASK_OVERWRITTEN, POINTS, RANK, Batch
from upcard.rl.thread_team import Call, ThreadTeam
from upcard.rl.vector_code import vector_code

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Bytes: TypeAlias = NDArray[np.uint8]
    Flags: TypeAlias = NDArray[np.bool_]
    Whole: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]

Reward: TypeAlias = Literal["points", "margin", "rank"]
Actions: TypeAlias = Literal["ids", "index"]
_REWARDS = {"points": POINTS, "margin": MARGIN, "rank": RANK}

ARRAYS = (
    "actions observations masks rewards endings terminated truncated movers final_observations deals skipped"
    " skipped_rewards"
).split()
"""The arrays of an environment that are called the same in `Batch`."""
MAX_LISTED = 12
"""Legal actions that a message lists."""
MAX_COUNT = 1 << 24
"""Environments of one vector."""
FEW = 1024
"""Environments that one thread steps before another could have begun."""


class EnvironmentMisuse(Refused):
    """An environment that cannot be stepped: it is closed, another thread is stepping it, or a step was
    interrupted.

    >>> env = upcard.vector("kuhn-poker", 2)
    >>> env.close()
    >>> env.step([0, 0])
    Traceback (most recent call last):
    upcard.rl.vector.EnvironmentMisuse: this environment is closed; make a new one with upcard.vector
    """


class Step(NamedTuple):
    """What a step left in the arrays of its environment. They are the same arrays after every step."""

    observations: Bytes
    masks: Flags
    rewards: Floats
    terminated: Flags
    truncated: Flags
    movers: Bytes


def vector(
    game: Game | str | os.PathLike[str],
    count: int,
    *,
    seed: int = 0,
    first: int = 0,
    opponents: Mapping[int, str] | str | None = None,
    reward: Reward = "points",
    actions: Actions = "ids",
    observe: bool = True,
    final_observations: bool = False,
    limits: Limits | None = None,
    threads: int | None = None,
) -> VectorEnvironment:
    """Many games that are stepped by one call: environment *e* of *n* plays the deals `first` + *e*,
    `first` + *e* + *n*, ... of the seed, the same as those of `Game.deal`.

    The seats that `opponents` names play at random inside; the others are played by the caller, who is asked
    for the seat of `movers`. `opponents="random"` stands for all seats but the first.

    `reward` is what `rewards` holds when a deal is over, more is always better: "points" and "rank" are those
    of `Encoding.rewards`, "margin" are the points of a seat less the mean of all seats.

    Observations, masks and the numbers of actions are those of `Game.encoding`. With `actions="index"` an
    action is the index of an alternative instead, there are no masks, and games that have no encoding can be
    stepped too. `observe=False` leaves the observations out.

    `final_observations` keeps what the last seat to move sees when its deal is over. `limits` are those of
    `Game.deal`. `threads` share the environments; results do not depend on their number. A wrong argument
    raises `BadArgument`, a game without an encoding `NoEncoding`.

    >>> env = upcard.vector("euchre", 2, seed=7)
    >>> env.movers, env.masks.sum(axis=1)
    (array([0, 0], dtype=uint8), array([3, 3]))
    >>> step = env.step([26, 0])  # order it up; pass
    >>> step.movers, step.terminated, step.observations.shape
    (array([3, 1], dtype=uint8), array([False, False]), (2, 181))
    """
    need_numpy()
    given = Given(seed, first, opponents, reward, actions, observe, final_observations, limits, threads)
    return VectorEnvironment(game, count, given)


class Given(NamedTuple):
    """The arguments of `vector`, checked when an environment is made of them."""

    seed: int
    first: int
    opponents: Mapping[int, str] | str | None
    reward: Reward
    actions: Actions
    observe: bool
    final_observations: bool
    limits: Limits | None
    threads: int | None

    def check(self) -> None:
        check_whole("a seed", self.seed)
        check_whole("the first deal", self.first, 0)
        for name, value, known in (
            ("actions", self.actions, get_args(Actions)),
            ("reward", self.reward, get_args(Reward)),
        ):
            if value not in known:
                raise BadArgument(f"{name} must be {', '.join(known[:-1])} or {known[-1]}, not {value!r:.60}")
        if self.limits is not None:
            check_instance("limits", self.limits, Limits)
        if self.threads is not None:
            check_whole("threads", self.threads, 1, MAX_WORKERS)


class VectorEnvironment:
    """Games that are stepped together; `upcard.vector` makes one.

    The arrays are the memory that machine code works in: a step overwrites them, so copy what you keep. Where
    a deal ends, the next one is dealt in the same step: `terminated` (or `truncated`) is set, `rewards` are
    those of the deal that ended, and everything else is about the new deal.

    >>> env = upcard.vector("kuhn-poker", 1000, seed=1)
    >>> for _ in range(100):
    ...     step = env.step(env.sample())
    >>> env.rewards.shape, float(abs(env.rewards.sum()))
    ((1000, 2), 0.0)
    """

    def __init__(self, game: Game | str | os.PathLike[str], count: int, given: Given) -> None:
        check_whole("the number of environments", count, 1, MAX_COUNT)
        given.check()
        self.game = as_game(game)
        """The game that is played."""
        self.count = count
        """The number of environments."""
        if given.actions == "ids":
            self.game.encoding  # noqa: B018 - raises NoEncoding with the reason
        self._code = vector_code(self.game)
        self._slots = Buffer(count * self._code.slot_bytes)
        self._entries = Buffer(8 * count)
        self._make_arrays(given)
        self._batch = self._make_batch(given)
        wanted = min(cores(), max(1, count // FEW)) if given.threads is None else given.threads
        self.threads = min(wanted, count)
        """How many threads share the environments."""
        limits = Limits() if given.limits is None else given.limits
        self._works = [self._code.workspace(limits) for _ in range(self.threads)]
        self._team = ThreadTeam()
        self._guard = _Guard()
        self._seed, self._first = given.seed, given.first
        # a call of few environments takes less time than making its arguments
        self._deals, self._steps, self._samples = map(
            self._calls, (self._code.deal, self._code.step, self._code.sample)
        )
        self._everything = (self._batch.address, self._works[0].address, 0, count)
        self._result = Step(
            self.observations, self.masks, self.rewards, self.terminated, self.truncated, self.movers
        )
        self.reset()

    def _make_arrays(self, given: Given) -> None:
        import numpy as np

        count, seats = self.count, self._code.seats
        encoding = self._code.encoding
        actions = encoding.actions if encoding is not None and given.actions == "ids" else 0
        size = encoding.size if encoding is not None and given.observe else 0

        def array(dtype: Any, *shape: int) -> Any:
            items = int(np.prod(shape))
            memory = Buffer(items * np.dtype(dtype).itemsize).memory
            return np.frombuffer(memory, dtype, items).reshape(shape)

        self.actions: Whole = array(np.int64, count)
        """The actions of the next step: fill it and call `step()` to save a copy."""
        self.observations: Bytes = array(np.uint8, count, size)
        """What the seat to move sees, as `Game.encoding` writes it."""
        self.masks: Flags = array(np.bool_, count, actions)
        """Which actions it has."""
        self.movers: Bytes = array(np.uint8, count)
        """The seat that each environment asks for an action."""
        self.choices: NDArray[np.uint32] = array(np.uint32, count)
        """How many alternatives it has; several may have the same number."""
        self.rewards: Floats = array(np.float64, count, seats)
        """The reward of every seat where the last step ended a deal, otherwise 0."""
        self.terminated: Flags = array(np.bool_, count)
        """Where the last step ended a deal by the rules."""
        self.truncated: Flags = array(np.bool_, count)
        """Where the last step ended a deal otherwise: at a limit, or by a run-time error of the program."""
        self.endings: Bytes = array(np.uint8, count)
        """How it ended: 1 finished, 2 stuck, 3 cut off, 4 failed (see `Outcome.ending`); 0 if none ended."""
        self.final_observations: Bytes = array(np.uint8, count, size if given.final_observations else 0)
        """What the last seat to move saw at the end of the last deal that ended."""
        self.deals: Whole = array(np.int64, count)
        """The number of the deal that each environment is playing."""
        self.skipped: Whole = array(np.int64, count)
        """Deals that ended before the caller was asked anything; no step led to them."""
        self.skipped_rewards: Floats = array(np.float64, count, seats)
        """The sums of their rewards."""

    def _make_batch(self, given: Given) -> Batch:
        code = self._code
        seats, encoding = code.seats, code.encoding
        sides: Any = (ctypes.c_int64 * seats)(*range(seats))
        if encoding is not None:
            for number, side in enumerate(encoding.content.sides):
                for seat in side:
                    sides[seat] = number
        return Batch.pack(
            slots=self._slots.address,
            slot_bytes=code.slot_bytes,
            streams=code.streams,
            count=self.count,
            seed=0,
            first=0,
            actions_are_numbers=int(given.actions == "ids"),
            masked=self.masks.shape[1],
            observed=self.observations.shape[1],
            finals=int(self.final_observations.size > 0),
            sides=Memory(sides),
            opponents=sum(1 << seat for seat in _random_seats(given.opponents, seats)),
            reward=_REWARDS[given.reward],
            offered=self.choices.ctypes.data,
            entries=self._entries.address,
            **{name: getattr(self, name).ctypes.data for name in ARRAYS},
        )

    # --- stepping ------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, first: int | None = None) -> Step:
        """Deals all environments anew, with another seed or another first deal if they are given.

        >>> env = upcard.vector("euchre", 3)
        >>> step = env.reset(seed=8, first=100)
        >>> env.deals
        array([100, 101, 102])
        """
        if seed is not None:
            check_whole("a seed", seed)
        if first is not None:
            check_whole("the first deal", first, 0)
        self._guard.enter(whole=False)
        try:
            self._seed = self._seed if seed is None else seed
            self._first = self._first if first is None else first
            self._batch.seed, self._batch.first = signed(self._seed), signed(self._first)
            self.skipped[:] = 0
            self.skipped_rewards[:] = 0
            for work in self._works:
                work.head.stop = 0
            self._run(self._deals)
        finally:
            self._guard.leave()
        return self._result

    def step(self, actions: ArrayLike | None = None) -> Step:
        """Plays one action in every environment: those given, or what `actions` holds.

        If one of them is not legal, no environment is stepped and `IllegalMove` is raised.

        >>> env = upcard.vector("euchre", 2, seed=7)
        >>> env.step([0, 1])
        Traceback (most recent call last):
        upcard.engine.api.IllegalMove: 1 is not an action of environment 1, whose actions are 0, 26, 27; ...
        """
        self._guard.enter()
        try:
            if actions is not None and actions is not self.actions:
                self._take(actions)
            wrong = self._code.find_entries(*self._everything)
            if wrong >= 0:
                self._refuse(wrong)
            self._run(self._steps)
        finally:
            self._guard.leave()
        return self._result

    def sample(self) -> Whole:
        """Fills `actions` with random legal actions and returns it.

        They are those of the random players of `Game.simulate`: an environment that plays nothing else plays
        the same games.

        >>> env = upcard.vector("kuhn-poker", 5, seed=1)
        >>> env.sample()
        array([0, 1, 1, 1, 0])
        """
        self._guard.enter()
        try:
            self._run(self._samples)
        finally:
            self._guard.leave()
        return self.actions

    def _refuse(self, wrong: int) -> None:
        """Says that the action of this environment is not legal."""
        legal = range(self.choices[wrong])
        if self.masks.shape[1]:
            legal = self.masks[wrong].nonzero()[0]
        listed = ", ".join(map(str, legal[:MAX_LISTED])) + (", ..." if len(legal) > MAX_LISTED else "")
        raise IllegalMove(
            f"{self.actions[wrong]} is not an action of environment {wrong}, whose actions are {listed};"
            " no environment was stepped"
        )

    def _take(self, actions: ArrayLike) -> None:
        import numpy as np

        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise BadArgument(
                f"actions are {self.count} whole numbers, one for each environment, not an array of"
                f" {given.dtype} of shape {given.shape}"
            )
        self.actions[:] = given

    def _calls(self, function: Callable[..., int]) -> list[Call]:
        """A call for every thread's part of the environments."""
        batch, count, threads = self._batch.address, self.count, self.threads
        return [
            (function, (batch, work.address, count * n // threads, count * (n + 1) // threads))
            for n, work in enumerate(self._works)
        ]

    def _run(self, calls: list[Call]) -> None:
        self._guard.is_whole = False
        wrong = self._team.run(calls, self._stop)
        if wrong >= MASK_OVERWRITTEN:
            raise EnvironmentMisuse("the masks were written into; leave them as they are, or copy them")
        if wrong:
            raise EnvironmentMisuse(
                "10,000 deals one after the other ended without a decision of yours; let the seat of another"
                " player be yours, or another game"
            )
        self._guard.is_whole = True

    def _stop(self) -> None:
        for work in self._works:
            work.head.stop = 1

    # --- the end -------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends the environment's threads. The arrays stay as they are, but nothing can be stepped.

        >>> with upcard.vector("kuhn-poker", 2) as env:
        ...     step = env.step([0, 0])
        >>> env
        <VectorEnvironment kuhn-poker: 2 environments, closed>
        """
        self._guard.enter(whole=False)
        self._guard.closed = True
        self._guard.leave()
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
    def nbytes(self) -> int:
        """Bytes of all environments: their games, and the arrays.

        >>> upcard.vector("euchre", 4096).nbytes < 16 * 2**20
        True
        """
        arrays = sum(getattr(self, name).nbytes for name in (*ARRAYS, "choices"))
        return self.count * (self._code.slot_bytes + 8) + int(arrays)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        closed = ", closed" if self._guard.closed else ""
        return f"<VectorEnvironment {self.game.name}: {self.count:,} environments{closed}>"


class _Guard:
    """Lets one thread in, and only while the environment can be stepped."""

    def __init__(self) -> None:
        self.closed = False
        self.is_whole = True
        """No step was left in the middle."""
        self._lock, self._owner = Lock(), os.getpid()

    def enter(self, whole: bool = True) -> None:
        """`leave` must follow. `whole`: not after a step that was left in the middle."""
        if self._owner != os.getpid():  # forked, perhaps while another thread was stepping
            self._lock, self._owner = Lock(), os.getpid()
        if self.closed:
            raise EnvironmentMisuse("this environment is closed; make a new one with upcard.vector")
        if not self._lock.acquire(blocking=False):
            raise EnvironmentMisuse(
                "another thread is stepping this environment; give each thread an environment of its own"
            )
        if whole and not self.is_whole:
            self.leave()
            raise EnvironmentMisuse("a step of this environment was interrupted; call reset()")

    def leave(self) -> None:
        self._lock.release()


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
