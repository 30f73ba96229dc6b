"""Creates the folder of a new game from the starter."""

from __future__ import annotations

import re
from pathlib import Path

from upcard.library.lookup import names
from upcard.recycle.diagnostics import Refused
from upcard.storage.atomic_write import write_text

STARTER = Path(__file__).resolve().parent / "starter"
FILES = ("rules.rcy", "game.toml", "positions.toml")

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")


class CannotCreate(Refused):
    """A new game that cannot be created under this name or in this folder."""


def create_game(name: str, where: Path) -> Path:
    """Creates the folder of a new game. Existing files are never touched."""
    if not _NAME.match(name):
        raise CannotCreate(
            f"a game's name may contain only lower-case letters, digits and hyphens, such as "
            f"high-card, not {name[:40]}"
        )
    if name in names():
        raise CannotCreate(f"{name} is already a game in the library; choose another name for yours")
    if not where.is_dir():
        raise CannotCreate(f"there is no folder {where} to put {name} in")
    folder = where / name
    if folder.exists() or folder.is_symlink():
        raise CannotCreate(f"{folder} already exists; choose another name, or another place with -o")
    title = name.replace("-", " ").title()
    texts = {file: (STARTER / file).read_text(encoding="utf-8") for file in FILES}
    folder.mkdir()
    for file, text in texts.items():
        write_text(folder / file, text.replace("@title@", title).replace("@name@", name))
    return folder
