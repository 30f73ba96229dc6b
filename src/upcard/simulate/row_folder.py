"""A folder with the rows of a simulation: parts named by their deals, one game and one seed for all.

A part holds the deals whose numbers are in its name. Only the last one may be shorter; a longer run replaces
it by a whole one. Files are renamed into place when they are complete, so programs may read the folder at
any time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from upcard.extras import need_parquet
from upcard.files.bounded import Unreadable
from upcard.recycle.diagnostics import Refused
from upcard.simulate.row_part import Header, OtherRows, Part, read_part
from upcard.simulate.summary import Summary
from upcard.storage.lock import folder_lock

_NAME = re.compile(r"deals-(\d{12,20})-(\d{12,20})\.parquet")


class MissingRows(Refused):
    """A folder without rows, or with a gap in them."""

    is_answer = True


def part_name(first: int, size: int) -> str:
    """The file of the part that begins with a deal: `deals-000000000000-000000262144.parquet`."""
    return f"deals-{first:012}-{first + size:012}.parquet"


def lock(folder: Path) -> AbstractContextManager[None]:
    """A lock: inside it no other process writes rows to this folder. Its name hides it from readers."""
    return folder_lock(folder / ".lock", folder)


def part_files(folder: Path) -> dict[int, Path]:
    """The parts in a folder by their first deals, in order."""
    found = {}
    for path in folder.glob("*.parquet"):
        name = _NAME.fullmatch(path.name)
        if name is None or int(name[1]) in found:
            raise OtherRows(f"{path} is not a part of a simulation's rows; choose another folder")
        found[int(name[1])] = path
    return dict(sorted(found.items()))


def read_parts(folder: Path, header: Header | None = None) -> Iterator[tuple[int, Part]]:
    """The parts in a folder, each with its first deal. Raises `OtherRows` where one has another header than
    this, or than the first one."""
    for first, path in part_files(folder).items():
        part = read_part(path, first)
        header = part.header if header is None else header
        different = header.difference(part.header)
        if different is not None:
            raise OtherRows(
                f"{folder} contains rows of another simulation: {different}; use the same options, or choose "
                "another folder"
            )
        size = header.part
        if path.name != part_name(first, size) or first % size or not 0 < part.games <= size:
            raise OtherRows(f"{path} does not have the rows that its name says; choose another folder")
        yield first, part


def summarize(folder: Path) -> tuple[Header, Summary]:
    """The summary of the rows in a folder, and whose rows they are."""
    need_parquet()
    if folder.is_file():
        raise Unreadable(f"{folder} is a file; name the folder that upcard simulate --rows wrote")
    if not folder.is_dir():
        raise Unreadable(f"{folder}: there is no such folder; check its name")
    header, summary, deals = None, None, 0
    for first, part in read_parts(folder):
        if summary is None or header is None:
            header, summary = part.header, Summary(len(part.header.seats))
        if first != deals:
            raise MissingRows(
                f"{folder} has no rows of deals {deals:,} to {first - 1:,}; run the simulation again with "
                "this folder"
            )
        summary.merge(part.summary)
        deals += part.games
    if summary is None or header is None:
        raise MissingRows(f"{folder} contains no rows; write some with upcard simulate GAME --rows {folder}")
    return header, summary
