"""Resolves player specs (see `spec_grammar`) into players that can be made for a game."""

from __future__ import annotations

import base64
import hashlib
import json
import pickle
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from upcard.engine.shared.game import LoadedGame
from upcard.players.external.external_player import PATIENCE, VERSION, ExternalPlayerFactory, Program
from upcard.players.guard import Guarded, Misbehaved
from upcard.players.levels import LEVELS
from upcard.players.registry import Maker, NoSuchPlayer, is_ours, kinds, maker
from upcard.spec_grammar import (
    NO_BUDGET,
    BadPlayer,
    Budget,
    PlayerFile,
    PlayerProgram,
    is_code,
    name_of,
    parse,
)
from upcard.spec_grammar import split as split_specs


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
    """The specs in a list of players, none of them empty."""
    found = split_specs(players)
    if "" in found:
        raise BadPlayer(f"a player's name is empty in {players!r}; there are {_offered()}")
    return found


def named(name: str, game: LoadedGame, patience: float = PATIENCE, trusted: bool = False) -> PlayerSpec:
    """A player by its spec. Files are imported, each in its own process, so that mistakes show at once."""
    spec = parse(name)
    if isinstance(spec, PlayerProgram):
        return _program(name, spec, game, patience, trusted)
    if isinstance(spec, PlayerFile):
        return _file(name, spec, game, patience, trusted)
    if ("/" in spec.name or "\\" in spec.name) and spec.name not in kinds():
        raise NoSuchPlayer(
            f"{name} is no player; one's own is path/file.py:Class, else there are {_offered()}"
        )
    make = maker(spec.name, game)
    if not is_ours(spec.name):
        make = Guarded(name, make)
    return PlayerSpec(name, make, spec.budget)


def runs_code(name: str) -> bool:
    """Whether a player by this name runs code that did not come with Upcard: a program, a Python file, or
    another package's player. A file cannot name such a player; a person names or confirms it."""
    return is_code(name) or not is_ours(name_of(name))


def needs_secret(players: Iterable[PlayerSpec]) -> bool:
    """Whether somebody takes part who could search for seeds."""
    return any(player.external and not player.trusted for player in players)


def _offered() -> str:
    return f"{', '.join(kinds())}, path/file.py:Class and cmd:PROGRAM"


def _file(name: str, spec: PlayerFile, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    path, found = spec.path, Path(spec.path).expanduser()
    try:
        text = found.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadPlayer(f"{path} cannot be read: {reason}; one's own player is path/file.py:Class") from None
    hello = {
        **_hello(game, trusted),
        "file": str(found.resolve()),
        "class": spec.cls,
        "pickle": base64.b64encode(pickle.dumps(game)).decode(),
    }
    make = ExternalPlayerFactory(Program(json.dumps(hello) + "\n"), patience, trusted)
    tried = make.sit_down()
    try:
        tried(0, 0, 0)  # imports the file
    except Misbehaved as error:
        raise BadPlayer(f"{path} {error.why}") from None
    finally:
        tried.stand_up()
    digest = hashlib.sha256(text).hexdigest()
    return PlayerSpec(name, Guarded(name, make), spec.budget, digest, external=True, trusted=trusted)


def _program(name: str, spec: PlayerProgram, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    words = spec.words
    program = shutil.which(words[0])
    if program is None:
        raise BadPlayer(f"there is no program {words[0]} that can be run; give its path, as in cmd:./mine")
    made = Program(json.dumps(_hello(game, trusted)) + "\n", (program, *words[1:]))
    make = Guarded(name, ExternalPlayerFactory(made, patience, trusted))
    return PlayerSpec(name, make, external=True, trusted=trusted)


def _hello(game: LoadedGame, trusted: bool) -> dict[str, object]:
    return {"upcard": VERSION, "game": game.identity, "seats": game.seats, "trusted": trusted}
