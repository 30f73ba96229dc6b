"""Builds the site: finds outdated pages and makes them.

    DIR/index.html      the table of all games
    DIR/NAME.html       a page a game
    DIR/.upcard/        what each page was made from, and games of pages that are not finished

A page is made anew where anything that it depends on has changed: the program, the sheet, what was asked for,
the titles it links to, or any file of this package and of what draws for it. A page that somebody changed or
took away is made anew too.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from upcard.files.bounded import MOST_RECORD, Unreadable, read_file
from upcard.files.decode import Mismatch, decode
from upcard.files.json_text import NotJson, parse_json
from upcard.library import find, names
from upcard.library.catalogue import entry_of
from upcard.parallel.pool import in_order
from upcard.recycle.diagnostics import Refused
from upcard.site.game_page import INDEX, game_page
from upcard.site.index_page import index_page, row_of
from upcard.site.page_data import Asked, begin
from upcard.storage.atomic_write import write_text

__all__ = ["NotOurs", "Site", "digest_of", "game_page", "make_page"]

KEPT = ".upcard"
PACKAGE = Path(__file__).resolve().parent.parent
ENDINGS = (".py", ".css", ".js")


class NotOurs(Refused):
    """A folder that holds something else."""


@dataclass(frozen=True)
class Note:
    """What is known of a page: what it depends on and its own text, as digests, and its row of the index."""

    key: str
    page: str
    row: Mapping[str, float | None]


@dataclass(frozen=True)
class Site:
    folder: Path
    games: tuple[str, ...]
    asked: Asked
    """For every game; `what` is filled in."""

    @classmethod
    def of(cls, folder: Path, asked: Asked, games: Sequence[str] = ()) -> Site:
        return cls(folder, tuple(games) or tuple(names()), asked)

    @property
    def links(self) -> dict[str, str]:
        """Titles and pages of what is on this site."""
        return {entry_of(find(name)).title: f"{name}.html" for name in self.games}

    def page(self, name: str) -> Path:
        return self.folder / f"{name}.html"

    def note(self, name: str) -> Path:
        return self.folder / KEPT / f"{name}.json"

    def record(self, name: str, key: str) -> Path:
        """Games of a page in the making."""
        return self.folder / KEPT / f"{name}.{key[:16]}"

    def key(self, name: str) -> str:
        """What a page depends on, in short."""
        found = find(name)
        parts = [json.dumps(asdict(replace(self.asked, what=name)), sort_keys=True), _package(), _drawing()]
        parts.append(json.dumps(self.links, sort_keys=True))
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part.encode() + b"\0")
        for path in (found.rules, found.sheet):
            digest.update(b"" if path is None else hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def noted(self, name: str) -> Note | None:
        """What is known of a page that is there and as it should be."""
        try:
            note = decode(Note, parse_json(read_file(self.note(name))))
            written = hashlib.sha256(read_file(self.page(name), MOST_RECORD)).hexdigest()
        except (OSError, NotJson, Mismatch, Unreadable):
            return None
        return note if (note.key, note.page) == (self.key(name), written) else None

    def stale(self) -> list[str]:
        return [name for name in self.games if self.noted(name) is None]

    def open(self) -> None:
        """The folder, ready to be written to; refused where an index is that nobody here has made."""
        if self.folder.exists() and not self.folder.is_dir():
            raise NotOurs(f"{self.folder} is a file; -o wants a folder")
        if (self.folder / INDEX).exists() and not (self.folder / KEPT).is_dir():
            raise NotOurs(f"{self.folder} holds an {INDEX} that is not ours; give another folder")
        (self.folder / KEPT).mkdir(parents=True, exist_ok=True)

    def make(self, stale: Sequence[str], workers: int) -> Iterator[str]:
        """Makes these pages, each on one core; gives their names as they are done, in order."""
        task = _Task(self, tuple(stale))
        for made in in_order(_make, task, len(stale), 1, max(1, min(workers, len(stale)))):
            yield from made

    def finish(self) -> None:
        """The index, and nothing left of pages whose game is gone or that were being made otherwise."""
        notes = {name: note for name in self.games if (note := self.noted(name)) is not None}
        entries = [(entry_of(find(name)), note.row) for name, note in notes.items()]
        write_text(self.folder / INDEX, index_page(entries, self.asked))
        for path in (self.folder / KEPT).iterdir():
            if path.is_dir():
                shutil.rmtree(path)


@dataclass(frozen=True)
class _Task:
    site: Site
    names: tuple[str, ...]


def _make(task: _Task, start: int, end: int) -> list[str]:
    for name in task.names[start:end]:
        make_page(task.site, name)
    return list(task.names[start:end])


def make_page(site: Site, name: str) -> None:
    """One page. Games that were played before it was interrupted are not played again."""
    key = site.key(name)
    kept = site.record(name, key)
    made = begin(replace(site.asked, what=name), kept)
    for _ in made.play(1):
        pass
    page = game_page(made, site.links)
    write_text(site.page(name), page)
    note = Note(key, hashlib.sha256(page.encode()).hexdigest(), row_of(made))
    write_text(site.note(name), json.dumps(asdict(note), indent=1) + "\n")
    shutil.rmtree(kept, ignore_errors=True)


def digest_of(files: Iterable[Path], root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def _package() -> str:
    """Of our own files; a game's own are looked at where its page is."""
    return digest_of((path for path in PACKAGE.rglob("*") if path.suffix in ENDINGS), PACKAGE)


@cache
def _drawing() -> str:
    """Of what draws and colours for us."""
    from importlib.metadata import version

    return " ".join(f"{name} {version(name)}" for name in ("matplotlib", "pygments"))
