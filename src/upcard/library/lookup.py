"""Finds games by name or path."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from upcard.files.decode import LONGEST_NAME, short
from upcard.recycle.diagnostics import Refused, suggest

GAMES = Path(__file__).resolve().parent.parent / "games"


class NoSuchGame(Refused):
    """Neither a game of the library nor a file.

    >>> upcard.load("eucher")
    Traceback (most recent call last):
    upcard.library.lookup.NoSuchGame: there is no game or file called eucher; did you mean euchre?
    """


@dataclass(frozen=True)
class GameFiles:
    """A game's program, and the sheet beside it if there is one."""

    name: str
    rules: Path
    sheet: Path | None
    in_library: bool


def games() -> list[str]:
    """The names of the library's games, in alphabetical order.

    >>> names = upcard.games()
    >>> len(names), names[:3]
    (28, ['agram', 'blackjack', 'crazy-eights'])
    """
    return names()


def names() -> list[str]:
    """`games`, for modules in which games are something else."""
    return sorted(folder.name for folder in GAMES.iterdir() if (folder / "rules.rcy").is_file())


def find(what: str | Path) -> GameFiles:
    """A library game by name, a folder with `rules.rcy`, or a file."""
    text = str(what)
    # one listing, exact also where the file system ignores case; `names` asks for a file of every game
    if text in os.listdir(GAMES) and (GAMES / text / "rules.rcy").is_file():
        return _folder(GAMES / text, in_library=True)
    path = Path(what)
    # a name that no file can have (too long, a NUL in it) is a name without a file; pathlib would raise
    is_folder = os.path.isdir(path)
    if is_folder and (path / "rules.rcy").is_file():
        return _folder(path, in_library=False)
    if os.path.isfile(path):
        sheet = path.with_name("game.toml") if path.name == "rules.rcy" else None
        name = path.resolve().parent.name if path.name == "rules.rcy" else path.stem
        return GameFiles(name, path, sheet if sheet and sheet.is_file() else None, in_library=False)
    if not text:
        raise NoSuchGame("the game's name is empty; upcard games lists the library")
    meant = text.lower() if text.lower() in names() else suggest(text.lower(), names())
    if is_folder:
        raise NoSuchGame(f"{text} is a folder without rules.rcy; name the file to play")
    hint = f"did you mean {meant}?" if meant else f"the library has {', '.join(names())}"
    raise NoSuchGame(f"there is no game or file called {short(text, LONGEST_NAME)}; {hint}")


def _folder(folder: Path, in_library: bool) -> GameFiles:
    sheet = folder / "game.toml"
    return GameFiles(
        folder.resolve().name, folder / "rules.rcy", sheet if sheet.is_file() else None, in_library
    )
