"""Processes and threads beside each other play the same games as one process alone.

A forked child has a copy of its parent's memory and one of its threads: it must write into memory of its own,
wait for no lock that another thread held, and leave the parent's workers and programs alone.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import upcard
from upcard.engine.native.backends import select as choosing
from upcard.engine.native.fork import ForkSafeLock
from upcard.engine.native.game import NativeGame
from upcard.parallel.pool import in_order
from upcard.parallel.slices import in_slices
from upcard.parallel.workers import WorkerLost
from upcard.players.external.external_player import end_all
from upcard.players.protocol import Budget, Player
from upcard.players.spec import resolve_player

METHODS = multiprocessing.get_all_start_methods()
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
PATIENCE = 120.0
"""Seconds after which a process hangs; none of these tests comes near."""

_games: dict[str, NativeGame] = {}


def game_of(name: str) -> NativeGame:
    """One for the process; a forked child has its parent's."""
    if name not in _games:
        loaded = upcard.load(name)
        assert isinstance(loaded, NativeGame)
        _games[name] = loaded
    return _games[name]


def stepped(task: tuple[str, int]) -> tuple[int, ...]:
    """The scores of a deal that chance plays, one decision at a time."""
    name, deal = task
    state, draw = game_of(name).deal(seed=1, number=deal), random.Random(deal)
    while state.to_move is not None:
        state.play(draw.randrange(state.choices))
    assert state.outcome is not None
    assert state.outcome.scores is not None
    return tuple(state.outcome.scores)


def simulated(task: tuple[str, int]) -> list[tuple[int, int]]:
    name, seed = task
    summary = game_of(name).simulate(300, seed=seed, workers=2)
    return [(tally.total, tally.squares) for tally in summary.tallies]


@contextmanager
def forking() -> Iterator[None]:
    """Python 3.12 and later warn of a fork beside threads, which is what these tests are about."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*fork.*")
        yield


def in_child(do: Callable[[], bool]) -> bool:
    """What a forked child says; False for one that raises or hangs."""
    with forking():
        pid = os.fork()
    if pid == 0:
        good = False
        try:
            good = do()
        except BaseException as error:
            os.write(2, f"in the child: {error!r}\n".encode())
        os._exit(0 if good else 1)
    return exit_code(pid) == 0


def exit_code(pid: int) -> int | None:
    """Of a child; one that hangs is killed, and has none."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return None


# --- processes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["euchre", "hearts"])
@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_processes_play_the_same_games(method: str, name: str) -> None:
    if method not in METHODS:
        pytest.skip(f"this system has no {method}")
    deals = [(name, deal) for deal in range(60)]
    seeds = [(name, seed) for seed in range(4)]
    wanted = [stepped(task) for task in deals], [simulated(task) for task in seeds]
    with forking(), multiprocessing.get_context(method).Pool(2) as pool:
        steps = pool.map_async(stepped, deals, chunksize=2)
        whole = pool.map_async(simulated, seeds, chunksize=1)
        assert (steps.get(PATIENCE), whole.get(PATIENCE)) == wanted


@forks
def test_parent_and_child_go_on_with_one_deal() -> None:
    """Both have the alternatives of the same decision in the same workspace."""
    game = game_of("hearts")
    state, draw = game.deal(seed=3, number=8), random.Random(8)
    for _ in range(9):
        state.play(draw.randrange(state.choices))

    def finish(pick: int) -> tuple[object, ...]:
        own = state.copy()
        while own.to_move is not None:
            own.play(min(pick, own.choices - 1))
        return tuple(own.records[-1].items()), own.outcome

    wanted = [finish(pick) for pick in range(4)]
    assert all(in_child(lambda pick=pick: finish(pick) == wanted[pick]) for pick in range(4))  # type: ignore[misc]
    assert [finish(pick) for pick in range(4)] == wanted


# --- threads ---------------------------------------------------------------------------------------


def test_threads_play_the_same_games() -> None:
    wanted = {deal: stepped(("euchre", deal)) for deal in range(24)}
    found: dict[int, tuple[int, ...]] = {}

    def play(first: int) -> None:
        for deal in range(first, 24, 4):
            found[deal] = stepped(("euchre", deal))

    threads = [threading.Thread(target=play, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == wanted


def test_a_game_goes_from_thread_to_thread() -> None:
    """Each thread has a workspace of its own, with other alternatives in it."""
    game = game_of("euchre")
    state, draw = game.deal(seed=1, number=5), random.Random(5)

    def move() -> None:
        stepped(("euchre", 17))  # another game in this thread's workspace
        state.play(draw.randrange(state.choices))

    while state.to_move is not None:
        thread = threading.Thread(target=move)
        thread.start()
        thread.join(PATIENCE)
    assert state.outcome is not None
    assert state.outcome.scores == stepped(("euchre", 5))


def test_threads_that_meet_compile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    real = choosing._Llvm.load if choosing.choose_backend().name == "llvm" else None
    if real is None:
        pytest.skip("only LLVM's loading is counted")

    def load(backend: choosing._Llvm, data: bytes) -> choosing.Loaded:
        made.append(data)
        return real(backend, data)

    monkeypatch.setattr(choosing._Llvm, "load", load)
    game, meeting = upcard.load("kuhn-poker"), threading.Barrier(4)
    assert isinstance(game, NativeGame)

    def need() -> None:
        meeting.wait()
        _ = game.stepping

    threads = [threading.Thread(target=need) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(made) == 1


# --- forks beside threads --------------------------------------------------------------------------


@contextmanager
def busy(*works: Callable[[], object]) -> Iterator[None]:
    """Threads that do this again and again meanwhile."""
    over = threading.Event()

    def run(work: Callable[[], object]) -> None:
        while not over.is_set():
            work()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE)


@forks
def test_a_fork_while_threads_play() -> None:
    wanted = stepped(("euchre", 2)), simulated(("euchre", 3))

    def same() -> bool:
        return (stepped(("euchre", 2)), simulated(("euchre", 3))) == wanted

    with busy(
        lambda: stepped(("euchre", 2)), lambda: simulated(("euchre", 3)), lambda: stepped(("hearts", 4))
    ):
        assert all(in_child(same) for _ in range(12))
    assert same()


@forks
def test_a_fork_while_threads_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread may hold any lock on the way: of the game, of the backend, of LLVM."""
    monkeypatch.setenv("UPCARD_CACHE", "off")
    wanted = stepped(("kuhn-poker", 2))
    game = upcard.load("kuhn-poker")
    assert isinstance(game, NativeGame)

    def compile_anew() -> None:
        game.__dict__.pop("stepping", None)
        game.__dict__.pop("words", None)
        _ = game.words

    def same() -> bool:
        compile_anew()
        _games.clear()
        return stepped(("kuhn-poker", 2)) == wanted

    with busy(compile_anew):
        assert all(in_child(same) for _ in range(6))


@forks
def test_a_child_gets_locks_free() -> None:
    lock, taken, over = ForkSafeLock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            taken.set()
            over.wait(PATIENCE)

    def take() -> bool:
        with lock, lock:
            pass
        return True

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait(PATIENCE)
    try:
        assert in_child(take)
    finally:
        over.set()
        thread.join(PATIENCE)


@forks
def test_whoever_forks_with_a_lock_has_it_on_both_sides() -> None:
    lock = ForkSafeLock()

    def is_held() -> bool:
        found: list[bool] = []
        thread = threading.Thread(target=lambda: found.append(lock._lock.acquire(blocking=False)))
        thread.start()
        thread.join(PATIENCE)
        return found == [False]

    with lock:
        assert in_child(is_held)
        assert is_held()
    assert not is_held()


# --- what the parent started -----------------------------------------------------------------------


@forks
def test_a_child_goes_on_with_slices() -> None:
    def do(first: int, count: int) -> list[int]:
        return list(range(first, first + count))

    slices = in_slices(do, 0, 200, 2)
    begun = next(slices)
    assert in_child(lambda: begun + [n for part in slices for n in part] == list(range(200)))
    assert begun + [n for part in slices for n in part] == list(range(200))


def piece(context: None, start: int, end: int) -> int:
    return end - start


def asks_of_the_parents_workers(results: Iterator[int]) -> bool:
    with pytest.raises(WorkerLost, match="start them again in this one"):
        list(results)
    return True


@forks
def test_a_child_leaves_the_parents_workers_alone() -> None:
    results = in_order(piece, None, 40, 2, 2)
    assert next(results) == 2
    assert in_child(lambda: asks_of_the_parents_workers(results))
    with forking():
        pid = os.fork()
    if pid == 0:
        sys.stderr = sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        leave()
    exit_code(pid)
    assert sum(results) == 38


def leave() -> None:
    """Out as a program that ends by itself: through everything that was registered for that."""
    import atexit

    atexit._run_exitfuncs()
    os._exit(0)


@forks
def test_a_child_leaves_the_parents_programs_alone(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import json, sys\n"
        "open(sys.argv[1], 'a').write('started ')\n"
        "for line in sys.stdin:\n"
        "    if 'observation' in json.loads(line):\n"
        "        print(json.dumps({'move': 0}), flush=True)\n"
    )
    game = upcard.load("kuhn-poker", engine="reference")
    starts = tmp_path / "starts"
    made = resolve_player(f"cmd:{sys.executable} {program} {starts}", game).make(1, 0, 0)
    assert isinstance(made, Player)
    seen = game.deal(1, 0).observe(0)
    try:
        made.choose(seen, Budget())
        with forking():
            pid = os.fork()
        if pid == 0:
            leave()
        exit_code(pid)
        made.choose(seen, Budget())
        assert starts.read_text() == "started "
    finally:
        end_all()
