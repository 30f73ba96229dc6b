"""Pages of the tutorial and the how-to guides as steps that can be carried out.

The words after the language of a fence say what it means; readers of the rendered page do not see them:

console             commands, each after `$ `, and what they print; `...` stands for anything
console exit=1      the last of the commands ends with this exit code
console input=a,q   the lines that the commands read
python              examples with `>>>`, or a program; all blocks of a page share their names
LANGUAGE FILE new   the text of a new file
LANGUAGE FILE replace   the file has this text once (`replace all`: at least twice); the fence `with` that
                    follows takes its place
LANGUAGE FILE add   the text is added at the end of the file
LANGUAGE FILE forms the file has exactly these forms, whatever its comments and layout
"""

from __future__ import annotations

import contextlib
import doctest
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.runner import upcard
from tests.web.processes import serve_briefly

from upcard.recycle.forms import Atom, Node, walk
from upcard.recycle.reader import read
from upcard.recycle.source import Source

DOCS = Path(__file__).parents[2] / "docs"


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
    given: str = ""


def run_page(path: Path, folder: Path) -> list[str]:
    """Carry out every step of a page in a folder; what each command printed."""
    steps = list(fences(path))
    assert steps, f"{path.name} has no steps"
    names: dict[str, Any] = {"__name__": path.stem}
    outputs: list[str] = []
    around = zip([None, *steps[:-1]], steps, [*steps[1:], None], strict=True)
    for before, fence, following in around:
        if fence.about.endswith(" with"):  # the step before it has used it
            assert before is not None, f"{fence}: nothing comes before it"
            assert "replace" in before.about, f"{fence}: nothing to be replaced"
            continue
        if fence.about.startswith("console"):
            for command in commands(fence):
                printed = carry_out(command, folder)
                assert fits(command.expected, printed), f"{fence}: {command.words} printed\n{printed}"
                outputs.append(printed)
        elif fence.about == "python":
            run_python(fence, names, folder)
        else:
            change(fence, following, folder)
    return outputs


def run_python(fence: Fence, names: dict[str, Any], folder: Path) -> None:
    with contextlib.chdir(folder):
        if ">>> " not in fence.text:
            exec(compile(fence.text, str(fence), "exec"), names)
            return
        examples = doctest.DocTestParser().get_doctest(fence.text, names, str(fence), fence.page, fence.line)
        examples.globs = names  # otherwise each block has names of its own
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        reported: list[str] = []
        runner.run(examples, out=reported.append, clear_globs=False)
        assert not runner.failures, f"{fence}:\n{''.join(reported)}"


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
    last = re.fullmatch(r"console(?: exit=(\d))?(?: input=(\S+))?", fence.about)
    assert last, f"{fence}: {fence.about}"
    given = "".join(f"{line}\n" for line in (last[2] or "").split(",") if line)
    parts = re.split(r"^\$ (.*)\n", fence.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"{fence}: output before any command"
    typed = list(zip(parts[1::2], parts[2::2], strict=True))
    codes = [0] * (len(typed) - 1) + [int(last[1] or 0)]
    return [
        Command(shlex.split(text, comments=True), out, code, given)
        for (text, out), code in zip(typed, codes, strict=True)
    ]


def carry_out(command: Command, folder: Path) -> str:
    """What a command prints at 80 columns; what it says about failing belongs to that."""
    assert command.words[0] == "upcard"
    if command.words[1] == "serve":
        return serve_briefly(command.words[2:], folder)
    done = upcard(*command.words[1:], cwd=folder, columns=80, given=command.given)
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
    """A line split at its dots; dots at the end of a word, before a blank or the end, are text."""
    return re.split(r"(?<=\S)\.\.\.(?=\S)|(?<= )\.\.\.(?= |$)", line)


def change(fence: Fence, following: Fence | None, folder: Path) -> None:
    """Do to a file what a fence says, or see that the file is as it says."""
    language, name, *what = fence.about.split(" ", 2)
    path = folder / name
    if what == ["new"]:
        path.write_text(fence.text, encoding="utf-8")
        return
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
