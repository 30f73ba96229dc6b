"""Commands that write files, how each is given again after a failure, and what it must end with."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.child import Child, Ended
from tests.faults.injection import Fault
from tests.records import timeless

from upcard.storage import jsonl

ANSWERS = b"1\n" * 400
UNTIDY = "(game (setup (players 2)\n(teams (0) (1)) )\n    (stage player (end (== 1 1)) (do ())))\n"
PLAYER = """
class First:
    def choose(self, observation, moves, *_):
        return moves[0]
"""


@dataclass(frozen=True)
class Scenario:
    """A command in a folder of its own."""

    name: str
    words: str
    kinds: Sequence[str] = ("open", "write", "fsync", "rename", "mmap")
    given: bytes = b""
    files: dict[str, str] = field(default_factory=dict)
    """What is in the folder before the command runs."""
    resumed: Callable[[Path], str | None] | None = None
    """The command that goes on, where it is another one; None if nothing is left to do."""
    printed: bool = False
    """Whether what it prints, as JSON, is its result; its files are a matter of speed."""
    own_cache: bool = False

    def prepare(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o640)

    def start(self, folder: Path, words: str, fault: Fault | None = None) -> Child:
        environment = {"UPCARD_DATA": str(folder / "data")}
        if self.own_cache:
            environment["UPCARD_CACHE"] = str(folder / "cache")
        given = {} if fault is None else {"fault": fault}
        return Child(words.split(), folder, self.given, environment=environment, **given)

    def again(self, folder: Path) -> str | None:
        return self.words if self.resumed is None else self.resumed(folder)

    def result(self, folder: Path, ended: Ended) -> dict[str, Any]:
        return {**contents(folder), "printed": self.said(ended)}

    def said(self, ended: Ended) -> dict[str, Any] | None:
        """What it printed as its result, without what differs from run to run."""
        if not self.printed or ended.code:
            return None
        found: dict[str, Any] = json.loads(ended.out)
        return {key: value for key, value in found.items() if key not in ("seconds", "games_per_second")}


def contents(folder: Path) -> dict[str, Any]:
    """What every file says, without what differs from run to run; of compiled objects, whether they hold."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        # Python's cache of a player's file tells when the file was written
        if path.name in ("lock", ".lock") or path.is_dir() or path.parent.name == "__pycache__":
            continue
        if path.suffix == ".jsonl":
            found[name] = saltless(path)
        elif path.suffix == ".o":
            found[name] = in_order(path)
        else:
            found[name] = (path.read_bytes(), path.stat().st_mode)
    return found


def saltless(path: Path) -> list[dict[str, Any]]:
    """The lines of a record, without seconds and without what a table draws for its fingerprint."""
    lines = timeless(path)
    for line in lines:
        if isinstance(line.get("table"), dict):
            line["table"] = {k: v for k, v in line["table"].items() if k not in ("salt", "fingerprint")}
    return lines


def in_order(path: Path) -> bool:
    """Whether the cache takes a compiled object for whole and ours."""
    from upcard.engine.native import cache

    return cache._read(path, path.stem) is not None


def go_on_playing(folder: Path) -> str | None:
    path = folder / "t.jsonl"
    lines = jsonl.read_if_exists(path).lines
    if not lines:
        return PLAY
    if json.loads(lines[-1])["do"] == "over":
        return None
    return "play --plain --resume --record t.jsonl"


PLAY = "play kuhn-poker --plain --level random --seed 4 --record t.jsonl"
ARENA = "arena kuhn-poker --players random,random --deals 3 --seed 3 --record a.jsonl"
ROWS = "simulate kuhn-poker --games 40000 --seed 5 --json --rows r"
STUDY = "study kuhn-poker --games 130 --seed 5 --no-figures -o ."

SCENARIOS = {
    one.name: one
    for one in (
        Scenario("arena", f"{ARENA} --workers 1"),
        Scenario("arena-workers", f"{ARENA} --workers 2", kinds=("spawn",)),
        Scenario(
            "arena-program",
            ARENA.replace("random,random", "p.py:First,random") + " --workers 1 --secret s",
            kinds=("spawn",),
            files={"p.py": PLAYER, "s": "5e" * 32},
        ),
        Scenario(
            "arena-trusted",
            ARENA.replace("random,random", "p.py:First,random") + " --workers 1 --trusted",
            kinds=("spawn",),
            files={"p.py": PLAYER},
        ),
        Scenario("match", "match kuhn-poker --seed 5 --record m.jsonl"),
        Scenario("study", f"{STUDY} --workers 1"),
        Scenario("study-workers", f"{STUDY} --workers 2", kinds=("spawn",)),
        Scenario("play", PLAY, given=ANSWERS, resumed=go_on_playing),
        Scenario("fmt", "fmt one.rcy two.rcy", files={"one.rcy": UNTIDY, "two.rcy": UNTIDY}),
        Scenario("cache", "simulate kuhn-poker --games 50 --json", printed=True, own_cache=True),
        Scenario("rows", f"{ROWS} --workers 1", printed=True),
        Scenario("solve", "solve kuhn-poker --iterations 50 --workers 1 -o s.json"),
        Scenario("watch", "watch kuhn-poker --transcript t.jsonl"),
    )
}

KILLED = {
    one.name: one
    for one in (
        Scenario("arena", f"{ARENA.replace('--deals 3', '--deals 150')} --workers 1"),
        Scenario("study", f"{STUDY} --players random,random --search-games 30 --workers 1"),
        Scenario("play", PLAY, given=ANSWERS, resumed=go_on_playing),
        Scenario("rows", f"{ROWS.replace('--games 40000', '--games 320000')} --workers 2", printed=True),
    )
}
"""Longer ones, so that kills come between lines."""
