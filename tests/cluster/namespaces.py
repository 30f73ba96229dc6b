"""A scheduler and two workers, each in a network of its own, against one process: equal bytes.

    sudo python -m tests.cluster.namespaces

Needs Linux, root and `ip` (iproute2). Each of the three has an address, a cache of machine code and a current
folder of its own, as on three machines; they share the disk and nothing else.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.cluster.support import ROOT, address_in, dask_scheduler, dask_worker, process, without_times

BRIDGE, NETWORK = "upcardbr", "10.213.77"
MACHINES = ("upcard-s", "upcard-w1", "upcard-w2")

EXPERIMENTS = {
    "simulation": ["simulate", "euchre", "--games", "2000000", "--seed", "7", "--json"],
    "contest": ["arena", "euchre", "--players", "simple,random", "--deals", "150", "--seed", "7", "--json"],
    "study": ["study", "euchre", "--games", "300000", "--players", "pimc:5", "--search-games", "6", "--json"],
}


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, stderr=subprocess.PIPE, text=True)


@contextmanager
def networks() -> Iterator[None]:
    """A bridge on this machine, and a network namespace with an address on it for each machine."""
    with ExitStack() as stack:
        ip("link", "add", BRIDGE, "type", "bridge")
        stack.callback(ip, "link", "delete", BRIDGE)
        ip("addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for number, name in enumerate(MACHINES, 2):
            ip("netns", "add", name)
            stack.callback(ip, "netns", "delete", name)
            ip("link", "add", f"upcard{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("link", "set", f"upcard{number}", "master", BRIDGE, "up")
            ip("-n", name, "addr", "add", f"{NETWORK}.{number}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield


@contextmanager
def on_machine(number: int, folder: Path, arguments: Sequence[str]) -> Iterator[None]:
    """A Python program in a namespace, with a folder of its own."""
    home = folder / MACHINES[number]
    home.mkdir()
    env = {**os.environ, "UPCARD_CACHE": str(home / "cache"), "PYTHONPATH": str(ROOT)}
    with process(arguments, ["ip", "netns", "exec", MACHINES[number]], cwd=home, env=env):
        yield


def experiment(words: Sequence[str], where: Sequence[str], kept: Sequence[str]) -> tuple[str, str]:
    """What a command prints, and what it keeps, without times."""
    done = subprocess.run(
        [sys.executable, "-m", "upcard", *words, *where, *kept], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    printed = json.dumps(without_times(json.loads(done.stdout)))
    records = []
    for place in map(Path, kept[-1:]):
        for path in [place] if place.is_file() else sorted(place.rglob("*.jsonl")):
            records += [without_times(json.loads(line)) for line in path.read_text().splitlines()]
    return printed, json.dumps(records)


def check(folder: Path) -> Iterator[str]:
    """A line about each experiment, or an AssertionError."""
    file = folder / "scheduler.json"
    with networks(), ExitStack() as stack:
        stack.enter_context(on_machine(0, folder, dask_scheduler(file, 8786, f"{NETWORK}.2")))
        address = address_in(file)
        for number in (1, 2):
            stack.enter_context(on_machine(number, folder, dask_worker(address)))
        for name, words in EXPERIMENTS.items():
            found: list[tuple[str, str]] = []
            for where in (["--workers", "1"], ["--cluster", address]):
                place = str(folder / f"{name}-{len(found)}")
                kept = {"contest": ["--record", place], "study": ["--no-figures", "-o", place]}.get(name, [])
                found.append(experiment(words, where, kept))
            assert found[0] == found[1], f"the {name} differs on the cluster"
            printed, records = map(len, found[0])
            yield f"{name}: {printed:,} bytes printed and {records:,} bytes recorded are equal"
        caches = [len(list((folder / name / "cache").rglob("*"))) for name in MACHINES[1:]]
        assert all(caches), "each worker compiled for itself"


def main() -> int:
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("ip") is None:
        print("network namespaces need root and the command ip (package iproute2); nothing was done")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for line in check(Path(folder)):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
