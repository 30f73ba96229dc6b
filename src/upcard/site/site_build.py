"""Builds the site: finds outdated pages and makes them.

    DIR/index.html      the table of all games
    DIR/NAME.html       a page a game
    DIR/.upcard/        what each page was made from, and games of pages that are not finished

A page is rebuilt if anything that it depends on has changed: the program, the sheet, the options, the titles
it links to, any file of the package, the version of the library that highlights programs; and if its file was
edited or deleted.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from upcard.files.bounded import MAX_RECORD, Unreadable, read_file
from upcard.files.decode import Mismatch, decode
from upcard.files.json_text import NotJson, parse_json
from upcard.library import find, names
from upcard.library.catalogue import entry_of
from upcard.parallel.pool import in_order
from upcard.parallel.workers import at_most
from upcard.recycle.diagnostics import Refused
from upcard.site.game_page import INDEX, game_page
from upcard.site.index_page import index_page, row_of
from upcard.site.page_data import PageOptions, load_page_data
from upcard.storage.atomic_write import write_text

__all__ = ["NotOurs", "Site", "digest_of", "game_page", "make_page"]

STATE_FOLDER = ".upcard"
PACKAGE = Path(__file__).resolve().parent.parent
ENDINGS = (".py", ".css", ".js")


class NotOurs(Refused):
    """The folder holds a site that Upcard did not make."""


Row: TypeAlias = Mapping[str, float | None]


@dataclass(frozen=True)
class Note:
    """State of a page: digests of its inputs and of its text, and its row of the index."""

    key: str
    page: str
    row: Row


@dataclass(frozen=True)
class Site:
    folder: Path
    games: tuple[str, ...]
    options: PageOptions
    """For every game; `what` is set to its name."""

    @classmethod
    def of(cls, folder: Path, options: PageOptions, games: Sequence[str] = ()) -> Site:
        return cls(folder, tuple(games) or tuple(names()), options)

    @property
    def links(self) -> dict[str, str]:
        """Pages of this site by title."""
        return {entry_of(find(name)).title: f"{name}.html" for name in self.games}

    def page(self, name: str) -> Path:
        return self.folder / f"{name}.html"

    def note(self, name: str) -> Path:
        return self.folder / STATE_FOLDER / f"{name}.json"

    def record(self, name: str, key: str) -> Path:
        """The games of an unfinished page."""
        return self.folder / STATE_FOLDER / f"{name}.{key[:16]}"

    def key(self, name: str) -> str:
        """A digest of everything that a page depends on."""
        files = find(name)
        parts = [
            json.dumps(asdict(replace(self.options, what=name)), sort_keys=True),
            _package_digest(),
            _highlighter_version(),
        ]
        parts.append(json.dumps(self.links, sort_keys=True))
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part.encode() + b"\0")
        for path in (files.rules, files.sheet):
            digest.update(b"" if path is None else hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def valid_note(self, name: str) -> Note | None:
        """The note of a page that is up to date; None otherwise."""
        try:
            note = decode(Note, parse_json(read_file(self.note(name))))
            render_sections = hashlib.sha256(read_file(self.page(name), MAX_RECORD)).hexdigest()
        except (OSError, NotJson, Mismatch, Unreadable):
            return None
        return note if (note.key, note.page) == (self.key(name), render_sections) else None

    def outdated(self) -> list[str]:
        return [name for name in self.games if self.valid_note(name) is None]

    def open(self) -> None:
        """Create the folder; refuse one with an index that Upcard did not make."""
        if self.folder.exists() and not self.folder.is_dir():
            raise NotOurs(f"{self.folder} is a file, but -o needs a folder")
        if (self.folder / INDEX).exists() and not (self.folder / STATE_FOLDER).is_dir():
            raise NotOurs(
                f"{self.folder} contains an {INDEX} that Upcard did not make; choose another folder"
            )
        (self.folder / STATE_FOLDER).mkdir(parents=True, exist_ok=True)

    def make(self, outdated: Sequence[str], workers: int | Executor) -> Iterator[str]:
        """Make these pages, each on one core; yields their names in order."""
        task = _Task(self, tuple(outdated))
        if isinstance(workers, Executor):  # its machines may not share a disk with this one
            made = in_order(_pages, task, len(outdated), 1, workers)
            for name, page in zip(outdated, made, strict=True):
                self.write(name, self.key(name), *page)
                yield name
            return
        for data in in_order(_make_pages, task, len(outdated), 1, at_most(workers, len(outdated))):
            yield from data

    def write(self, name: str, key: str, page: str, row: Row) -> None:
        """Write a page, and the note that says what it was made from."""
        write_text(self.page(name), page)
        note = Note(key, hashlib.sha256(page.encode()).hexdigest(), row)
        write_text(self.note(name), json.dumps(asdict(note), indent=1) + "\n")

    def finish(self) -> None:
        """Write the index and delete records of unfinished pages."""
        notes = {name: note for name in self.games if (note := self.valid_note(name)) is not None}
        entries = [(entry_of(find(name)), note.row) for name, note in notes.items()]
        write_text(self.folder / INDEX, index_page(entries, self.options))
        for path in (self.folder / STATE_FOLDER).iterdir():
            if path.is_dir():
                shutil.rmtree(path)


@dataclass(frozen=True)
class _Task:
    site: Site
    names: tuple[str, ...]


def _make_pages(task: _Task, start: int, end: int) -> list[str]:
    for name in task.names[start:end]:
        make_page(task.site, name)
    return list(task.names[start:end])


def make_page(site: Site, name: str) -> None:
    """Make one page, resuming an interrupted study."""
    key = site.key(name)
    kept = site.record(name, key)
    site.write(name, key, *page_and_row(site, name, kept))
    shutil.rmtree(kept, ignore_errors=True)


def page_and_row(site: Site, name: str, record: Path | None = None) -> tuple[str, Row]:
    """The text of a page and its row of the index."""
    data = load_page_data(replace(site.options, what=name), record)
    for _ in data.play(1):
        pass
    return game_page(data, site.links), row_of(data)


def _pages(task: _Task, start: int, end: int) -> tuple[str, Row]:
    assert end == start + 1, "pages are made one by one"
    return page_and_row(task.site, task.names[start])


def digest_of(files: Iterable[Path], root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def _package_digest() -> str:
    """Digest of the package's files. A game's own files are part of its page's key."""
    return digest_of((path for path in PACKAGE.rglob("*") if path.suffix in ENDINGS), PACKAGE)


@cache
def _highlighter_version() -> str:
    """The version of the library that highlights programs."""
    from importlib.metadata import version

    return f"pygments {version('pygments')}"
