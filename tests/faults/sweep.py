"""Fails every call of a kind in turn, for one command, and checks what is left each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.child import Ended
from tests.faults.injection import FAULTS, Fault
from tests.faults.scenarios import Scenario, contents

LEFT_ASIDE = (".part", ".new-", ".tmp")


@dataclass(frozen=True)
class Undisturbed:
    """A command when nothing fails."""

    result: dict[str, Any]
    """What it ends with."""
    calls: Mapping[str, int]
    """Calls of each kind that can fail."""


def undisturbed(scenario: Scenario, folder: Path) -> Undisturbed:
    scenario.prepare(folder)
    ended = scenario.start(folder, scenario.words).wait()
    assert ended.code == 0, ended
    return Undisturbed(scenario.result(folder, ended), ended.calls)


def faults(kind: str, at: int) -> Iterator[Fault]:
    for error, lasting, short in FAULTS[kind]:
        yield Fault(kind, at, error, lasting, short)


def sweep(
    scenario: Scenario, kind: str, folder: Path, whole: Undisturbed, step: int = 1
) -> tuple[int, list[str]]:
    """How many faults were reached, and what was wrong after them; every `step`-th call fails."""
    hits, wrong = 0, []
    for at in range(1, whole.calls.get(kind, 0) + 1, step):
        for fault in faults(kind, at):
            scenario.prepare(folder)
            before = contents(folder)
            ended = scenario.start(folder, scenario.words, fault).wait()
            hits += ended.hit
            complaint = judge(scenario, folder, ended, before, whole.result)
            if complaint is not None:
                wrong.append(f"{scenario.name}, {fault}: {complaint}")
    return hits, wrong


def judge(
    scenario: Scenario, folder: Path, ended: Ended, before: dict[str, Any], whole: dict[str, Any]
) -> str | None:
    """What is wrong after a fault, or after the command was given again; None if nothing is."""
    sentence = spoken(ended)
    if sentence is not None:
        return sentence
    aside = [p.name for p in folder.rglob("*") if any(mark in p.name for mark in LEFT_ASIDE)]
    if aside:
        return f"left {', '.join(aside)}"
    if ended.code == 0:
        found = scenario.result(folder, ended)
        if found["printed"] != whole["printed"] or (found != whole and not scenario.printed):
            return f"exit code 0, but another result: {difference(found, whole)}"
    damaged = partial(contents(folder), before, whole, ended.appended)
    if damaged is not None:
        return damaged
    words = scenario.again(folder)
    if words is not None:
        again = scenario.start(folder, words).wait()
        if again.code:
            return f"given again: exit code {again.code}: {again.err.strip()}"
        found = scenario.result(folder, again)
        if found != whole:
            return f"given again: another result: {difference(found, whole)}"
    return None


def difference(found: dict[str, Any], whole: dict[str, Any]) -> str:
    """Where two results differ, and what stands there in both."""
    names = [name for name in sorted(found.keys() | whole.keys()) if found.get(name) != whole.get(name)]
    return "; ".join(f"{n}: {found.get(n)!r:.500} for {whole.get(n)!r:.500}" for n in names)


def spoken(ended: Ended) -> str | None:
    """What is wrong with how a command ended: it is well, or it says why in one sentence."""
    if ended.code not in (0, 1):
        return f"exit code {ended.code}: {ended.err}"
    lines = ended.err.splitlines()
    if ended.code == 1 and not (len(lines) == 1 and lines[0].startswith("upcard: ")):
        return f"exit code 1, and not one sentence: {ended.err}"
    return f"a traceback: {ended.err}" if "Traceback" in ended.err + ended.out else None


def is_log(name: str) -> bool:
    """Whether lines are appended to a file; a study's sums are replaced as a whole."""
    return name.endswith(".jsonl") and not name.endswith("sums.jsonl")


def partial(
    found: dict[str, Any], before: dict[str, Any], whole: dict[str, Any], appended: int
) -> str | None:
    """What is wrong with files that a command left when it failed."""
    lines = 0
    for name, now in found.items():
        if is_log(name):
            lines += len(now)
            if now != whole[name][: len(now)]:
                return f"{name} is not the beginning of the whole record"
        elif name.endswith("sums.jsonl"):
            continue  # that it can be read is shown by going on with it
        elif now is False or (now is not True and now not in (before.get(name), whole.get(name))):
            return f"{name} is neither as it was nor as it should be"
    if any(name not in found for name in before):
        return "a file is gone"
    return f"{lines} lines, but {appended} were written" if lines < appended else None
