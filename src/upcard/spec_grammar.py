"""The grammar of player specs: what commands, levels and saved matches write to name a player.

    NAME                  a registered player
    NAME:1000             with 1,000 playouts a decision
    NAME:0.5s             with half a second a decision
    path/file.py:Class    a class with choose(observation, budget); a budget may follow as above
    cmd:PROGRAM ARGS      a program that reads and writes JSON lines
    solved:FILE           the strategy in a file of `upcard solve`

Only the text is parsed: `players.spec` finds out whether a player, file or program exists.
"""

from __future__ import annotations

import math
import re
import shlex
from dataclasses import dataclass
from typing import TypeAlias

from upcard.recycle.diagnostics import Refused

COMMAND = "cmd:"
SOLVED = "solved:"
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<rest>.*))?", re.DOTALL)


class BadPlayer(Refused):
    """A player's name, budget, file or program that cannot be used.

    >>> try:
    ...     upcard.Match("kuhn-poker", ["random:lots", "random"])
    ... except upcard.BadPlayer:
    ...     print("no such budget")
    no such budget
    """


@dataclass(frozen=True)
class Budget:
    """The budget of a decision: playouts (reproducible) or seconds.

    >>> upcard.Budget(playouts=200)
    Budget(playouts=200, seconds=None)
    """

    playouts: int | None = None
    """Random games to the end."""
    seconds: float | None = None
    """Time to think."""


NO_BUDGET = Budget()


@dataclass(frozen=True)
class RegisteredPlayer:
    name: str
    budget: Budget


@dataclass(frozen=True)
class PlayerFile:
    path: str
    cls: str
    budget: Budget


@dataclass(frozen=True)
class PlayerProgram:
    words: tuple[str, ...]
    budget: Budget = NO_BUDGET


@dataclass(frozen=True)
class SolvedGame:
    path: str
    budget: Budget = NO_BUDGET


Spec: TypeAlias = RegisteredPlayer | PlayerFile | PlayerProgram | SolvedGame


def parse(text: str) -> Spec:
    if text.startswith(COMMAND):
        return _program(text)
    if text.startswith(SOLVED):
        path = text.removeprefix(SOLVED)
        if not path:
            raise BadPlayer("solved: must be followed by a file, as in solved:kuhn.json")
        return SolvedGame(path)
    file = _FILE.fullmatch(text)
    if file is None:
        _, colon, budget = text.partition(":")
        return RegisteredPlayer(name_of(text), _budget(budget, text) if colon else NO_BUDGET)
    cls, colon, budget = (file["rest"] or "").partition(":")
    if not cls.isidentifier():
        raise BadPlayer(f"{text} does not name a class; write {file['path']}:Class")
    return PlayerFile(file["path"], cls, _budget(budget, text) if colon else NO_BUDGET)


def name_of(text: str) -> str:
    """The name in the spec of a registered player, without its budget."""
    return text.partition(":")[0]


def is_code(text: str) -> bool:
    """Whether a spec, valid or not, has the form of a file or a program."""
    if text.startswith(SOLVED):
        return False
    return text.startswith(COMMAND) or _FILE.fullmatch(text) is not None


def split(players: str) -> list[str]:
    """The specs in a list. Commas separate them; inside quotes they do not."""
    specs, part, quote = [], "", ""
    for letter in players:
        if letter == "," and not quote:
            specs.append(part.strip())
            part = ""
            continue
        if letter == quote:
            quote = ""
        elif letter in "\"'" and not quote:
            quote = letter
        part += letter
    if quote:
        raise BadPlayer(f"a quotation mark is not closed in {players}")
    return [*specs, part.strip()]


def _budget(text: str, spec: str) -> Budget:
    playouts = re.fullmatch(r"[0-9]{1,18}", text)
    seconds = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s", text)
    if playouts is not None and int(text) > 0:
        return Budget(playouts=int(text))
    if seconds is not None and float(seconds[1]) > 0 and math.isfinite(float(seconds[1])):
        return Budget(seconds=float(seconds[1]))
    raise BadPlayer(
        f"{spec} has an invalid budget; write 1000 for a thousand playouts per decision, or 0.5s for "
        "half a second"
    )


def _program(text: str) -> PlayerProgram:
    try:
        words = shlex.split(text.removeprefix(COMMAND))
    except ValueError as error:
        raise BadPlayer(f"{text} cannot be read: {str(error).lower()}") from None
    if not words:
        raise BadPlayer("cmd: must be followed by a program and its arguments, as in cmd:python3 mine.py")
    return PlayerProgram(tuple(words))
