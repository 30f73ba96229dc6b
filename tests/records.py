"""Records as the version before checksums wrote them, for tests that change what a line says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from upcard.storage.jsonl import read


def strip_checksums(path: Path) -> None:
    path.write_bytes("".join(f"{line}\n" for line in read(path).lines).encode())


def timeless(path: Path) -> list[dict[str, Any]]:
    """The lines of a record without what differs from run to run: seconds, and so checksums."""
    found = [json.loads(line) for line in read(path).lines]
    for line in found:
        line.pop("seconds", None)
    return found
