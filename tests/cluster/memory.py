"""Memory of client and scheduler while many ranges go through a scheduler.

    python -m tests.cluster.memory --ranges 1000000

Ranges do nothing and hold one number each. Memory is printed ten times; it may grow during the first
thousands of ranges, while Dask fills what it keeps, and not with the number of ranges.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psutil
from tests.cluster.support import address_in, dask_scheduler, dask_worker, process
from tests.parallel.executor_tasks import numbers

from upcard.parallel import executor_map
from upcard.parallel.cluster import open_cluster
from upcard.parallel.executor_map import over_executor

LINES = 10
MEGABYTE = 1 << 20
ALLOWED = 16
"""Megabytes that client and scheduler may grow by after the first tenth."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ranges", type=int, default=100_000)
    given = parser.parse_args()
    executor_map.WANTED_SECONDS = 1e-9  # so ranges stay as short as they can be
    seen: list[tuple[int, int]] = []
    with ExitStack() as stack:
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "scheduler.json"
        scheduler = stack.enter_context(process(dask_scheduler(file)))
        stack.enter_context(process(dask_worker(address_in(file))))
        executor = stack.enter_context(open_cluster(address_in(file)))
        processes = [psutil.Process(), psutil.Process(scheduler.pid)]
        started = time.monotonic()
        for done, _ in enumerate(over_executor(numbers, None, 0, given.ranges, executor), 1):
            if done % max(1, given.ranges // LINES) == 0:
                client, other = (one.memory_info().rss // MEGABYTE for one in processes)
                seen.append((client, other))
                seconds = time.monotonic() - started
                print(
                    f"{done:,} ranges, {seconds:.0f} s: client {client} MB, scheduler {other} MB", flush=True
                )
    grown = [max(row[n] for row in seen) - seen[0][n] for n in range(2)]
    print(f"after the first tenth the client grew by {grown[0]} MB, the scheduler by {grown[1]} MB")
    return int(max(grown) > ALLOWED)


if __name__ == "__main__":
    raise SystemExit(main())
