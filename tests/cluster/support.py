"""A scheduler and workers of Dask in processes of their own, as on a cluster, and how to lose them."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil  # comes with distributed
from distributed import Client

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


@contextmanager
def process(
    arguments: Sequence[str], within: Sequence[str] = (), **given: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """A Python program, perhaps started by another one, and ended together with its children."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    child = subprocess.Popen([*within, sys.executable, *arguments], **{"cwd": ROOT, **quiet, **given})
    try:
        yield child
    finally:
        end(child.pid)
        child.wait()


def end(pid: int) -> None:
    try:
        parent = psutil.Process(pid)
        family = [*parent.children(recursive=True), parent]
    except psutil.NoSuchProcess:
        return
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(family, timeout=PATIENCE)


def dask_scheduler(file: Path, port: int = 0, host: str = "127.0.0.1") -> list[str]:
    """The arguments of a scheduler that writes its address to a file."""
    options = ["--host", host, "--port", str(port), "--no-dashboard", "--scheduler-file", str(file)]
    return ["-m", "distributed.cli.dask_scheduler", *options]


def dask_worker(address: str, workers: int = 1) -> list[str]:
    options = ["--nthreads", "1", "--nworkers", str(workers), "--no-dashboard", "--memory-limit", "0"]
    return ["-m", "distributed.cli.dask_worker", address, *options]


def address_in(file: Path) -> str:
    """The address that a scheduler has written."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            return str(json.loads(file.read_text())["address"])
        except (OSError, ValueError, KeyError):
            time.sleep(0.05)
    raise TimeoutError(f"no scheduler wrote {file}")


@contextmanager
def dask_cluster(
    folder: Path, workers: int = 2, environment: Mapping[str, str] | None = None, port: int = 0
) -> Iterator[tuple[str, int]]:
    """A scheduler with workers, which restart when they are killed: its address, and the workers' parent."""
    file = folder / f"scheduler-{random.randrange(1 << 30)}.json"
    with ExitStack() as stack:
        stack.enter_context(process(dask_scheduler(file, port)))
        address = address_in(file)
        env = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
        parent = stack.enter_context(process(dask_worker(address, workers), env=env, cwd=folder))
        yield address, parent.pid


def worker_processes(parent: int) -> list[psutil.Process]:
    """The processes that do the work: the children of the ones that watch over them."""
    return [
        one
        for one in psutil.Process(parent).children(recursive=True)
        if "spawn_main" in " ".join(_command_line(one))
    ]


def _command_line(one: psutil.Process) -> list[str]:
    try:
        return list(one.cmdline())
    except psutil.Error:
        return []


def kill_one(parent: int, chance: random.Random) -> bool:
    """Kills a worker with SIGKILL; False if there is none at the moment."""
    alive = sorted(worker_processes(parent), key=lambda one: one.pid)
    if not alive:
        return False
    try:
        chance.choice(alive).kill()
    except psutil.NoSuchProcess:
        return False
    return True


def tasks_of(address: str) -> int:
    """How many tasks a scheduler knows."""
    with Client(address, set_as_default=False) as client:
        return int(client.run_on_scheduler(_count))


def _count(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.05)


def without_times(value: Any) -> Any:
    """Results without the seconds they took, and without checksums over these."""
    if isinstance(value, dict):
        timed = ("seconds", "games_per_second", "decisions_per_second", "crc")
        return {key: without_times(part) for key, part in value.items() if key not in timed}
    if isinstance(value, list | tuple):
        return [without_times(part) for part in value]
    return value
