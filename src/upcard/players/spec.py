"""Player specs: parses the player names that commands accept.

    NAME                  a player of the registry
    NAME:1000             with so many playouts a decision
    NAME:0.5s             with so many seconds a decision
    path/file.py:Class    one's own: a class with choose(observation, budget); a budget may follow as above
    cmd:PROGRAM ARGS      any program that reads and writes JSON lines (see `external/external_player`)

Commas separate players; inside quotes they do not.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import pickle
import re
import shlex
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from upcard.engine.shared.game import LoadedGame
from upcard.players.external.external_player import PATIENCE, VERSION, ExternalPlayerFactory, Program
from upcard.players.guard import Guarded, Misbehaved
from upcard.players.levels import LEVELS
from upcard.players.protocol import Budget
from upcard.players.registry import Maker, NoSuchPlayer, is_ours, kinds, maker
from upcard.recycle.diagnostics import Refused

NO_BUDGET = Budget()
COMMAND = "cmd:"
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<rest>.*))?", re.DOTALL)


class BadPlayer(Refused):
    """A player's name, budget, file or program that cannot be used."""


@dataclass(frozen=True)
class PlayerSpec:
    """A player as it was named, and how one is made."""

    name: str
    make: Maker
    budget: Budget = NO_BUDGET
    digest: str = ""
    """Of the file that it comes from: a record goes on only with the same player."""
    external: bool = False
    """Whether it comes from a file or is a program."""
    trusted: bool = False
    """Whether an external player is trusted: see `outside`."""


def levels() -> list[str]:
    """The levels of play that there are, from the weakest on."""
    return [level for level in LEVELS if level in kinds()]


def split(players: str) -> list[str]:
    """The names in a list of players."""
    found, part, quote = [], "", ""
    for letter in players:
        if letter == "," and not quote:
            found.append(part.strip())
            part = ""
            continue
        if letter == quote:
            quote = ""
        elif letter in "\"'" and not quote:
            quote = letter
        part += letter
    if quote:
        raise BadPlayer(f"a quote is opened but not closed in {players}")
    found.append(part.strip())
    if "" in found:
        raise BadPlayer(f"a player's name is empty in {players!r}; there are {_offered()}")
    return found


def named(name: str, game: LoadedGame, patience: float = PATIENCE, trusted: bool = False) -> PlayerSpec:
    """A player by its name. Files are imported, each in its own process, so that mistakes show at once."""
    if name.startswith(COMMAND):
        return _program(name, game, patience, trusted)
    file = _FILE.fullmatch(name)
    if file is not None:
        return _file(name, file["path"], file["rest"] or "", game, patience, trusted)
    kind, colon, budget = name.partition(":")
    if ("/" in kind or "\\" in kind) and kind not in kinds():
        raise NoSuchPlayer(
            f"{name} is no player; one's own is path/file.py:Class, else there are {_offered()}"
        )
    make = maker(kind, game)
    if not is_ours(kind):
        make = Guarded(name, make)
    return PlayerSpec(name, make, _budget(budget, name) if colon else NO_BUDGET)


def runs_code(name: str) -> bool:
    """Whether a player by this name runs code that did not come with Upcard: a program, a Python file, or
    another package's player. A file cannot name such a player; a person names or confirms it."""
    if name.startswith(COMMAND) or _FILE.fullmatch(name) is not None:
        return True
    return not is_ours(name.partition(":")[0])


def needs_secret(players: Iterable[PlayerSpec]) -> bool:
    """Whether somebody takes part who could search for seeds."""
    return any(player.external and not player.trusted for player in players)


def _offered() -> str:
    return f"{', '.join(kinds())}, path/file.py:Class and cmd:PROGRAM"


def _budget(text: str, name: str) -> Budget:
    playouts = re.fullmatch(r"[0-9]{1,18}", text)
    seconds = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s", text)
    if playouts is not None and int(text) > 0:
        return Budget(playouts=int(text))
    if seconds is not None and float(seconds[1]) > 0 and math.isfinite(float(seconds[1])):
        return Budget(seconds=float(seconds[1]))
    raise BadPlayer(
        f"{name} has no budget that can be used; 1000 is a thousand playouts a decision, 0.5s half a second"
    )


def _file(name: str, path: str, rest: str, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    cls, colon, budget = rest.partition(":")
    if not cls.isidentifier():
        raise BadPlayer(f"{name} names no class; one's own player is {path}:Class")
    found = Path(path).expanduser()
    try:
        text = found.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadPlayer(f"{path} cannot be read: {reason}; one's own player is path/file.py:Class") from None
    hello = {
        **_hello(game, trusted),
        "file": str(found.resolve()),
        "class": cls,
        "pickle": base64.b64encode(pickle.dumps(game)).decode(),
    }
    given = _budget(budget, name) if colon else NO_BUDGET
    make = ExternalPlayerFactory(Program(json.dumps(hello) + "\n"), patience, trusted)
    tried = make.sit_down()
    try:
        tried(0, 0, 0)  # imports the file
    except Misbehaved as error:
        raise BadPlayer(f"{path} {error.why}") from None
    finally:
        tried.stand_up()
    digest = hashlib.sha256(text).hexdigest()
    return PlayerSpec(name, Guarded(name, make), given, digest, external=True, trusted=trusted)


def _program(name: str, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    try:
        words = shlex.split(name.removeprefix(COMMAND))
    except ValueError as error:
        raise BadPlayer(f"{name} cannot be read: {str(error).lower()}") from None
    if not words:
        raise BadPlayer("cmd: is followed by a program and its arguments, as in cmd:python3 mine.py")
    program = shutil.which(words[0])
    if program is None:
        raise BadPlayer(f"there is no program {words[0]} that can be run; give its path, as in cmd:./mine")
    made = Program(json.dumps(_hello(game, trusted)) + "\n", (program, *words[1:]))
    make = Guarded(name, ExternalPlayerFactory(made, patience, trusted))
    return PlayerSpec(name, make, external=True, trusted=trusted)


def _hello(game: LoadedGame, trusted: bool) -> dict[str, object]:
    return {"upcard": VERSION, "game": game.identity, "seats": game.seats, "trusted": trusted}
