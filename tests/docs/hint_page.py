"""Runs the commands of docs/hint.md; `python -m tests.docs.hint_page --write` writes what they print."""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.cli.runner import upcard

PAGE = Path(__file__).resolve().parents[2] / "docs" / "hint.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COLUMNS = 90


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, and what the page says that they print."""
    for part in re.split(r"^\$ upcard ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed.strip()


def run(command: str, folder: Path) -> str:
    """What a command prints now; nothing if it goes to a file."""
    words, _, file = command.partition(" > ")
    done = upcard(*shlex.split(words), cwd=folder, columns=COLUMNS)
    return "" if file else "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())


def written() -> str:
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as folder:

        def fill(match: re.Match[str]) -> str:
            parts = []
            for command, _ in commands(match[1]):
                printed = run(command, Path(folder)).strip()
                parts.append(f"$ upcard {command}\n" + (f"{printed}\n" if printed else ""))
            return "```console\n" + "".join(parts) + "```"

        return BLOCK.sub(fill, PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__" and "--write" in sys.argv:
    PAGE.write_text(written(), encoding="utf-8")
