"""Wording: every sentence of the program that a person can read, in one listing, and phrases to avoid.

    python -m tests.wording                    list all sentences with file and line
    python -m tests.wording terminal site      only those in these folders or files
    python -m tests.wording --stilted          only those with a phrase to avoid, and what to write instead

In Python, a sentence is any string with words and a space that is not a docstring (help texts of commands
are); braces show the computed parts of an f-string. In a sheet (`game.toml`) it is any text that people read.
Text for machines (C, LLVM, CSS, patterns), assertions and messages for developers of the engine are left out.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "upcard"

# Text for machines, and checks of Upcard's own code that no user can fail.
INTERNAL = (
    "engine/native/backends/c.py",
    "engine/native/backends/llvm.py",
    "engine/native/backends/llvm_snippets.py",
    "engine/native/ir.py",
    "engine/native/ir_text.py",
    "engine/native/ir_verifier.py",
    "engine/native/kernels/",
)
# In a sheet: the keys of texts. In [table], [words] and [match] the value is a text, whatever the key.
SHEET_KEYS = {"title", "line", "summary", "rules", "variants", "cycles", "tell", "pick"}
SHEET_TABLES = {"table", "words"}

_ASSIGNMENT = re.compile(
    r'^(?P<key>\w+) = (?:"""(?P<long>.*?)"""|"(?P<short>(?:[^"\\\n]|\\.)*)")', re.M | re.S
)
_WORD = re.compile(r"[A-Za-z]{2,}")
_CODE = re.compile(
    r"^\s*[.<@(].*[>});]\s*$|[;{]\n|\(\?P<|--[a-z]+:|^[a-z]+(_[a-z]+)+ |^(script|default)-src ", re.S
)


class Sentence(NamedTuple):
    path: Path
    line: int
    text: str

    @property
    def name(self) -> str:
        """The file, below the package."""
        return self.path.relative_to(PACKAGE).as_posix()

    def __str__(self) -> str:
        text = self.text if "\n" not in self.text else repr(self.text)
        return f"{self.name}:{self.line}: {text}"


class Stilted(NamedTuple):
    """A phrase that no native speaker would use here, and what to write instead."""

    pattern: re.Pattern[str]
    instead: str


def _stilted(pattern: str, instead: str) -> Stilted:
    return Stilted(re.compile(pattern, re.I), instead)


STILTED = (
    _stilted(r"\bwho(m)?ever\b", "the player who"),
    _stilted(r"(^|[.;:,(] )(but |and |or |if )?who (is|has|have|can|cannot|could|does|was) ", "a player who"),
    _stilted(r"\b(by|to|from|of|against|between) who\b", "the player who"),
    _stilted(r"\bso many\b", "a number of"),
    _stilted(r"\b(is|are|be) told\b|\btells (no|of|only)\b", "gives, or shows"),
    _stilted(r"\bnothing (is )?found\b|\bthere is nothing to\b", "no, or what is missing"),
    _stilted(r"\bstand(s|ing)? (in|for)\b", "is in, or replaces"),
    _stilted(r"\bcom(es?|ing) to\b|\bcame to\b", "is, or reaches"),
    _stilted(r"\b(in|without) words\b", "a description"),
    _stilted(r"\bis asked (of|for)\b|\basked of\b", "needs"),
    _stilted(r"\blong story\b", "explanation"),
    _stilted(r"\bthat is none\b|(?<!there )\bis no (?!longer\b|more\b)", "is not a"),
    _stilted(r"\bminded\b|\bsits in\b|\bto be had\b|\b(is|was) let\b", "an everyday word"),
    _stilted(r"\b(lays?|laid|laying) ((?!aside\b)\S+ ){0,3}away\b", "discard"),
    _stilted(r"\bthe own\b|\bone's own\b", "your own"),
    _stilted(r"\bin a hundred\b", "percentage points"),
    _stilted(r"\btoo close to .* to call\b", "about as good as"),
    _stilted(r"\bis one too many\b", "the number that is allowed"),
)


def python_sentences(path: Path, text: str) -> Iterator[Sentence]:
    """The sentences of a module in the order of its lines."""
    tree = ast.parse(text)
    helps = set(_help_texts(tree)) if path.parent.name == "commands" else set()
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(part for part in node.values if isinstance(part, ast.Constant))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value not in helps:
            skipped.add(node.value)
        elif isinstance(node, ast.Assert) and node.msg is not None:
            skipped.add(node.msg)
    found = []
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            words = "".join(
                str(part.value) if isinstance(part, ast.Constant) else " {} " for part in node.values
            )
            shown = "".join(_part(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = shown = node.value
        else:
            continue
        if is_sentence(words):
            found.append(Sentence(path, node.lineno, shown))
    yield from sorted(found, key=lambda sentence: sentence.line)


def _help_texts(tree: ast.Module) -> Iterator[ast.AST]:
    """The docstrings of the commands in a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return "{" + ast.unparse(part.value) + "}"
    return str(part.value) if isinstance(part, ast.Constant) else ast.unparse(part)


def is_sentence(text: str) -> bool:
    """Whether a string has at least two words and a space, and is not code."""
    return " " in text and len(_WORD.findall(text)) > 1 and not _CODE.search(text)


def sheet_sentences(path: Path, text: str) -> Iterator[Sentence]:
    """The texts of a sheet, one-word phrases included."""
    heads = [(head.start(), head[1].strip("[]")) for head in re.finditer(r"^(\[+[\w.]+\]+)", text, re.M)]
    for match in _ASSIGNMENT.finditer(text):
        table = next((name for start, name in reversed(heads) if start < match.start()), "")
        if (
            match["key"] in SHEET_KEYS
            or table in SHEET_TABLES
            or (table, match["key"]) == ("match.count", "name")
        ):
            value = tomllib.loads(match[0])[match["key"]]
            if value.strip():
                yield Sentence(path, text.count("\n", 0, match.start()) + 1, value)


def sentences(folder: Path = PACKAGE) -> list[Sentence]:
    """All sentences below a folder, file by file."""
    listed: list[Sentence] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".py" and not path.relative_to(folder).as_posix().startswith(INTERNAL):
            listed += python_sentences(path, path.read_text(encoding="utf-8"))
        elif path.name == "game.toml":
            listed += sheet_sentences(path, path.read_text(encoding="utf-8"))
    return listed


def stilted(listed: Iterable[Sentence]) -> Iterator[tuple[Sentence, str, str]]:
    """Each stock phrase in these sentences, with what to write instead."""
    for sentence in listed:
        running = " ".join(sentence.text.split())
        for phrase in STILTED:
            if match := phrase.pattern.search(running):
                yield sentence, match[0].strip(), phrase.instead


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.wording", description=__doc__.splitlines()[0])
    parser.add_argument("places", nargs="*", help="folders or files below src/upcard; all without")
    parser.add_argument(
        "--stilted",
        action="store_true",
        help="only sentences with a phrase to avoid; exits with 1 if there is one",
    )
    given = parser.parse_args()
    listed = [
        s
        for s in sentences()
        if not given.places or s.path.relative_to(PACKAGE).as_posix().startswith(tuple(given.places))
    ]
    if not given.stilted:
        for sentence in listed:
            print(sentence)
        print(f"{len(listed)} sentences")
        return 0
    wrong = [f"{sentence}\n    “{phrase}”: write {instead}" for sentence, phrase, instead in stilted(listed)]
    print("\n".join([*wrong, f"{len(wrong)} phrases to avoid in {len(listed)} sentences"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
