"""Resolves player specs (see `spec_grammar`) into players that can be made for a game."""

from __future__ import annotations

import base64
import hashlib
import json
import pickle
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from upcard.engine.shared.game import LoadedGame
from upcard.parallel.job import on_this_machine
from upcard.players.external.external_player import PATIENCE, VERSION, ExternalPlayerFactory, Program
from upcard.players.guard import Guarded, Misbehaved
from upcard.players.levels import LEVELS
from upcard.players.registry import NoSuchPlayer, PlayerFactory, is_builtin, player_factory, player_names
from upcard.spec_grammar import (
    NO_BUDGET,
    BadPlayer,
    Budget,
    PlayerFile,
    PlayerProgram,
    SolvedGame,
    is_code,
    name_of,
    parse,
)
from upcard.spec_grammar import split as split_specs


@dataclass(frozen=True)
class PlayerSpec:
    """A player by its spec, with the factory of its players."""

    name: str
    make: PlayerFactory
    budget: Budget = NO_BUDGET
    digest: str = ""
    """Of its file: a record is resumed only with the same player."""
    external: bool = False
    """Whether it comes from a file or a program."""
    trusted: bool = False
    """Whether an external player is trusted (`external_player`)."""

    def on_this_machine(self) -> PlayerSpec:
        """The same player, if another machine resolved it. Raises `BadPlayer` if it cannot play here."""
        return replace(self, make=on_this_machine(self.make))


def levels() -> list[str]:
    """The registered levels of play, weakest first."""
    return [level for level in LEVELS if level in player_names()]


def split(players: str) -> list[str]:
    """The specs in a list of players, none of them empty."""
    found = split_specs(players)
    if "" in found:
        raise BadPlayer(f"a player's name is empty in {players!r}; write one of {_offered()}")
    return found


def resolve_player(
    name: str, game: LoadedGame, patience: float = PATIENCE, trusted: bool = False
) -> PlayerSpec:
    """Resolves a spec. Files are imported, each in its own process, so that mistakes show at once."""
    spec = parse(name)
    if isinstance(spec, PlayerProgram):
        return _program(name, spec, game, patience, trusted)
    if isinstance(spec, SolvedGame):
        return _solved(name, spec, game)
    if isinstance(spec, PlayerFile):
        return _file(name, spec, game, patience, trusted)
    if ("/" in spec.name or "\\" in spec.name) and spec.name not in player_names():
        raise NoSuchPlayer(
            f"{name} is not a player; write path/file.py:Class for your own, or one of {_offered()}"
        )
    make = player_factory(spec.name, game)
    if not is_builtin(spec.name):
        make = Guarded(name, make)
    return PlayerSpec(name, make, spec.budget)


def runs_code(name: str) -> bool:
    """Whether a spec runs code that is not part of Upcard: a program, a Python file, or another package's
    player. Saved files cannot name such players: the user must name or confirm them."""
    return is_code(name) or not is_builtin(name_of(name))


def needs_secret(players: Iterable[PlayerSpec]) -> bool:
    """Whether a player takes part who could search for the seed."""
    return any(player.external and not player.trusted for player in players)


def _offered() -> str:
    return f"{', '.join(player_names())}, path/file.py:Class, cmd:PROGRAM and solved:FILE"


def _solved(name: str, spec: SolvedGame, game: LoadedGame) -> PlayerSpec:
    from upcard.players.solved_player import SolvedFactory
    from upcard.players.strategy_file import check_fits, read_strategy

    path = Path(spec.path).expanduser()
    try:
        strategy = read_strategy(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadPlayer(
            f"{spec.path} cannot be read: {reason}; write solved:FILE for a file of upcard solve --output"
        ) from None
    check_fits(path, strategy, game.identity)
    return PlayerSpec(name, Guarded(name, SolvedFactory.of(path, strategy)), spec.budget, digest)


def _file(name: str, spec: PlayerFile, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    path = Path(spec.path).expanduser()
    try:
        text = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadPlayer(
            f"{spec.path} cannot be read: {reason}; write path/file.py:Class for your own player"
        ) from None
    greeting = {
        **_greeting(game, trusted),
        "file": str(path.resolve()),
        "class": spec.cls,
        "pickle": base64.b64encode(pickle.dumps(game)).decode(),
    }
    make = ExternalPlayerFactory(Program(json.dumps(greeting) + "\n", code=text), patience, trusted)
    try:
        make.import_once()
    except Misbehaved as error:
        raise BadPlayer(f"{spec.path} {error.why}") from None
    digest = hashlib.sha256(text).hexdigest()
    return PlayerSpec(name, Guarded(name, make), spec.budget, digest, external=True, trusted=trusted)


def _program(name: str, spec: PlayerProgram, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    words = spec.words
    program = shutil.which(words[0])
    if program is None:
        raise BadPlayer(f"{words[0]} is not a program that can be run; write its path, as in cmd:./mine")
    made = Program(json.dumps(_greeting(game, trusted)) + "\n", (program, *words[1:]))
    make = Guarded(name, ExternalPlayerFactory(made, patience, trusted))
    return PlayerSpec(name, make, external=True, trusted=trusted)


def _greeting(game: LoadedGame, trusted: bool) -> dict[str, object]:
    return {"upcard": VERSION, "game": game.identity, "seats": game.seats, "trusted": trusted}
