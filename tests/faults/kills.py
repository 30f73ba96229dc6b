"""Kills a command at random moments, again and again, until it has ended by itself; then from the beginning.

After every kill each record is the beginning of the undisturbed one, no shorter than before, and at the end
files are as if nothing had happened: nothing is lost, and nothing is counted twice.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.scenarios import Scenario, contents
from tests.faults.sweep import is_log, partial, undisturbed


@dataclass
class Kills:
    kills: int = 0
    ends: int = 0
    """How often the command ended by itself."""
    inside: int = 0
    """Kills after which a record was longer than before."""
    wrong: list[str] = field(default_factory=list)


def kill_at_random(scenario: Scenario, folder: Path, count: int, seed: int) -> Kills:
    moments = random.Random(f"{scenario.name}/{seed}")
    undisturbed(scenario, folder)  # so that what it needs is compiled
    started = time.monotonic()
    whole = undisturbed(scenario, folder).result
    takes = time.monotonic() - started
    found = Kills()
    while found.kills < count and not found.wrong:
        scenario.prepare(folder)
        _until_the_end(scenario, folder, takes, moments, whole, found)
    return found


def _until_the_end(
    scenario: Scenario,
    folder: Path,
    takes: float,
    moments: random.Random,
    whole: dict[str, Any],
    found: Kills,
) -> None:
    """One life of a record: kills, each followed by going on, and its end."""
    lines = 0
    while (words := scenario.again(folder)) is not None:
        child = scenario.start(folder, words)
        time.sleep(moments.uniform(0, takes))
        killed = child.kill()
        ended = child.wait()
        where = f"{scenario.name}, kill {found.kills}"
        if not killed:
            found.ends += 1
            if ended.code or scenario.result(folder, ended) != whole:
                found.wrong.append(f"{where}: ended with {ended.code} and another result: {ended.err}")
            return
        found.kills += 1
        now = {name: one for name, one in contents(folder).items() if not name.endswith(".part")}
        damage = partial(now, {}, whole, lines)
        if damage is not None:
            found.wrong.append(f"{where}: {damage}")
            return
        before, lines = lines, sum(len(one) for name, one in now.items() if is_log(name))
        found.inside += before < lines
    found.ends += 1
    if contents(folder) != {key: value for key, value in whole.items() if key != "printed"}:
        found.wrong.append(f"{scenario.name}, kill {found.kills}: the whole record is another")
