"""What a cluster costs: two local workers against one process, single ranges, and a model of more cores.

    python benchmarks/cluster.py [--seconds 20] [--matches 2] [--rounds 3]

One process and `--cluster local:2` do the same work in turn, after a first round that compiles and starts
everything, and the best round of each counts: whatever else the machine does only adds to them. Two shares
are printed: of the time, that of one process over twice that of two workers, which can be near 1 only where
two cores are free; and of the processor time, that of one process over that of the client, the scheduler and
the workers together, which tells even on a busy machine what is spent on something else than the work.

A range costs the client and the scheduler some processor time, measured with ranges that do nothing, many of
them under way at once; divided into the length of a usual range it gives the number of workers that one
scheduler can keep busy. The last table divides the work by the cores, by processor time, and adds the end of
the run, in which cores wait for the last ranges. `docs/how-to/cluster.md` has a table made by it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from upcard.engine.loader import load
from upcard.match.match_play import Participant, Table
from upcard.match.match_series import play_many
from upcard.parallel import executor_map
from upcard.parallel.cluster import ClusterExecutor, open_cluster
from upcard.parallel.executor_map import over_executor
from upcard.parallel.workers import Workers
from upcard.players.player_argument import as_player

CORES = (1, 8, 64, 256, 1024)
HANDS, MATCHES = 10**9, 10**5
TINY_RANGES = 10**6
MEGABYTE = 1 << (20 if sys.platform == "darwin" else 10)
"""In the unit of `ru_maxrss`."""


def nothing(_: None, start: int, end: int) -> int:
    return end - start


@dataclass(frozen=True)
class Cost:
    seconds: float
    processor: float
    """Seconds of processor time, of this process and of the workers."""


def cost_of(work: Callable[[], object], executor: ClusterExecutor | None = None) -> Cost:
    before, started = _processor_time(executor), time.perf_counter()
    work()
    seconds = time.perf_counter() - started
    return Cost(seconds, _processor_time(executor) - before)


def _processor_time(executor: ClusterExecutor | None) -> float:
    """Of this process, which is also the scheduler of a local cluster, and of the workers."""
    of_workers = [] if executor is None else executor._client.run(time.process_time).values()
    return time.process_time() + float(sum(of_workers))


def simulate(hands: int, workers: Workers) -> object:
    return load("euchre").simulate(hands, 1, workers=workers)


def experts(matches: int, seed: int, workers: Workers) -> object:
    game = load("euchre")
    expert = as_player("expert", game)
    seats = [Participant(str(seat), "expert", expert.make, expert.budget) for seat in range(game.seats)]
    return list(play_many(Table.of(game, seats), matches, seed, workers))


class Inline(Executor):
    """Does every task at once, so that only the client's part takes time."""

    width = 2

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@contextmanager
def set_constants(**values: int) -> Iterator[None]:
    """Other constants of `executor_map`."""
    before = {name: getattr(executor_map, name) for name in values}
    for name, value in values.items():
        setattr(executor_map, name, value)
    yield
    for name, value in before.items():
        setattr(executor_map, name, value)


def tiny_ranges() -> None:
    """The client with a million ranges: time and memory."""
    with set_constants(GROWTH=1):
        sum(over_executor(nothing, None, 0, 1000, Inline()))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        cost = cost_of(lambda: sum(over_executor(nothing, None, 0, TINY_RANGES, Inline())))
        more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    each = 1e6 * cost.processor / TINY_RANGES
    print(f"{TINY_RANGES:,} ranges in the client: {each:.0f} us each, {more / MEGABYTE:.1f} MB more at most")


def seconds_a_range(executor: Executor, ranges: int = 5000) -> float:
    """Processor time of client and scheduler for a range of nothing, as if there were a hundred workers."""
    with set_constants(GROWTH=1, HELD=100, AHEAD=200):
        return cost_of(lambda: sum(over_executor(nothing, None, 0, ranges, executor))).processor / ranges


def share_of_work(
    name: str, work: Callable[[Workers], object], executor: ClusterExecutor, rounds: int
) -> float:
    """The share of the processor time that is spent on the work."""
    work(executor)
    alone, together = [], []
    for _ in range(rounds):
        alone.append(cost_of(lambda: work(1)))
        together.append(cost_of(lambda: work(executor), executor))
    seconds = [min(cost.seconds for cost in costs) for costs in (alone, together)]
    processor = [min(cost.processor for cost in costs) for costs in (alone, together)]
    share = processor[0] / processor[1]
    print(
        f"{name}: {seconds[0]:.1f} s in one process, {seconds[1]:.1f} s with local:2, "
        f"{seconds[0] / seconds[1] / 2:.2f} a core; by processor time {share:.2f}",
        flush=True,
    )
    return share


def duration(seconds: float) -> str:
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} seconds"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="of simulation in one process")
    parser.add_argument(
        "--matches", type=int, default=2, help="between experts, to measure how long one takes"
    )
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    tiny_ranges()
    simulate(100_000, 1)
    hands = int(given.seconds * 400_000 / cost_of(lambda: simulate(400_000, 1)).processor)
    rate = hands / cost_of(lambda: simulate(hands, 1)).processor
    a_match = cost_of(lambda: experts(given.matches, 1, 1)).processor / given.matches
    print(f"one core: {rate:,.0f} Euchre hands a second, {a_match:.1f} s for a match between experts")
    with open_cluster("local:2") as executor:
        share = share_of_work(f"{hands:,} hands", lambda who: simulate(hands, who), executor, given.rounds)
        a_range = seconds_a_range(executor)
    most = int(executor_map.WANTED_SECONDS / a_range)
    print(f"a range costs {1000 * a_range:.2f} ms, so one scheduler keeps about {most:,} workers busy\n")
    print("| cores | 10^9 Euchre hands | 10^5 matches between experts |\n| --- | --- | --- |")
    for cores in CORES:
        per_core = 1.0 if cores == 1 else share * min(1.0, most / cores)
        times = [work / (cores * per_core) for work in (HANDS / rate, MATCHES * a_match)]
        ends = (executor_map.WANTED_SECONDS, a_match)
        print(f"| {cores:,} | {duration(times[0] + ends[0])} | {duration(times[1] + ends[1])} |")


if __name__ == "__main__":
    main()
