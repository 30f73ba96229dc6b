"""The tutorial's pages as steps that can be carried out.

What a fence means stands after its language, which readers of the rendered page do not see:

console             commands, each with `$ ` before it and what it prints below; `...` stands for anything
console exit=1      the last of the commands ends like that
LANGUAGE FILE replace   this text stands once in the file (`replace all`: at least twice); the fence `with`
                    that follows is put in its place
LANGUAGE FILE add   this is put at the end of the file
LANGUAGE FILE forms the file has exactly these forms, whatever its comments and layout
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.cli.runner import upcard

from upcard.recycle.forms import Atom, Node, walk
from upcard.recycle.reader import read
from upcard.recycle.source import Source

PAGES = sorted((Path(__file__).parents[2] / "docs" / "tutorial").glob("[0-9]-*.md"))


@dataclass(frozen=True)
class Fence:
    page: str
    line: int
    about: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Command:
    words: list[str]
    expected: str
    exit_code: int


def fences(path: Path) -> Iterator[Fence]:
    about: str | None = None
    start, held = 0, list[str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("```"):
            held.append(line)
        elif about is None:
            about, start, held = line[3:].strip(), number, []
        else:
            yield Fence(path.name, start, about, "\n".join(held) + "\n")
            about = None
    assert about is None, f"{path.name}: a fence is still open at the end"


def commands(fence: Fence) -> list[Command]:
    last = re.fullmatch(r"console(?: exit=(\d))?", fence.about)
    assert last, f"{fence}: {fence.about}"
    parts = re.split(r"^\$ (.*)\n", fence.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"{fence}: output before any command"
    typed = list(zip(parts[1::2], parts[2::2], strict=True))
    codes = [0] * (len(typed) - 1) + [int(last[1] or 0)]
    return [Command(shlex.split(text), out, code) for (text, out), code in zip(typed, codes, strict=True)]


def carry_out(command: Command, folder: Path) -> str:
    """What a command prints at 80 columns; what it says about failing belongs to that."""
    assert command.words[0] == "upcard"
    done = upcard(*command.words[1:], cwd=folder, columns=80)
    assert done.returncode == command.exit_code, f"{command.words}: {done.stdout}{done.stderr}"
    return done.stdout + (done.stderr if command.exit_code else "")


def fits(expected: str, printed: str) -> bool:
    """Line by line; `...` on a line of its own stands for any lines, inside a line for anything there."""
    pattern = ""
    for line in expected.rstrip("\n").splitlines():
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*".join(re.escape(part.rstrip()) for part in _wild(line)) + "\n"
    shown = "".join(line.rstrip() + "\n" for line in printed.rstrip("\n").splitlines())
    return re.fullmatch(pattern or "\n*", shown) is not None


def _wild(line: str) -> list[str]:
    """A line split at its dots; those of a story, with a blank before them or after, are words."""
    return re.split(r"(?<=\S)\.\.\.(?=\S)|(?<=in )\.\.\.(?= s, )|(?<=, )\.\.\.(?= a second)", line)


def change(fence: Fence, following: Fence | None, folder: Path) -> None:
    """Do to a file what a fence says, or see that the file is as it says."""
    language, name, *what = fence.about.split(" ", 2)
    path = folder / name
    text = path.read_text(encoding="utf-8")
    if what == ["add"]:
        path.write_text(text + fence.text, encoding="utf-8")
    elif what == ["forms"]:
        assert tokens(text) == tokens(fence.text), f"{fence}: {name} has become another program"
    else:
        assert what in (["replace"], ["replace all"]), f"{fence}: {fence.about}"
        assert following is not None, f"{fence}: nothing to replace it with"
        assert following.about == f"{language} with", f"{following}: {following.about}"
        old, new = fence.text.removesuffix("\n"), following.text.removesuffix("\n")
        count = text.count(old)
        assert count > 1 if what == ["replace all"] else count == 1, f"{fence}: it stands there {count} times"
        path.write_text(text.replace(old, new), encoding="utf-8")


def tokens(text: str) -> list[str]:
    form = read(Source("page", text)).form
    assert form is not None
    return [_token(node) for node in walk(form)]


def _token(node: Node) -> str:
    return f"{node.kind} {node.text}" if isinstance(node, Atom) else f"form of {len(node.items)}"
