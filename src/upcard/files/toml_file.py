"""Reads TOML files into typed definitions; an error is one sentence with file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

from upcard.files.bounded import Unreadable, read_text
from upcard.files.decode import Mismatch, MissingKey, UnknownKey, decode
from upcard.files.toml_lines import TomlSpans, line_of
from upcard.recycle.diagnostics import Refused
from upcard.recycle.source import Source, Span

T = TypeVar("T")
Prepare: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

_PLACE = re.compile(r"(?P<reason>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)", re.DOTALL)


@dataclass(frozen=True)
class TomlProblem:
    """Something wrong with a file: what kind it is, where, and a message."""

    kind: Literal["syntax", "unknown", "missing", "value"]
    span: Span
    message: str
    hint: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class WrongToml(Exception):
    """A text that is not TOML, or does not fit its definition, with everything that is wrong."""

    def __init__(self, problems: tuple[TomlProblem, ...]) -> None:
        super().__init__(problems[0].sentence)
        self.problems = problems


def parse_toml(text: str, kind: type[T], prepare: Prepare = dict) -> T:
    """Decodes a text. Raises `WrongToml`."""
    data = _parse(text)
    try:
        return decode(kind, prepare(data))
    except Mismatch as mismatch:
        spans = TomlSpans(text)
        raise WrongToml(tuple(_problem(one, spans) for one in mismatch.all)) from None


def read_toml(path: Path, kind: type[T], error_type: Callable[[str], Refused], prepare: Prepare = dict) -> T:
    """Reads and decodes a file. The first error is raised as `error_type`, with the sentence."""
    try:
        text = read_text(path)
    except Unreadable as error:
        raise error_type(str(error)) from None
    try:
        return parse_toml(text, kind, prepare)
    except WrongToml as wrong:
        first = wrong.problems[0]
        line = Source(str(path), text).line(first.span.start)
        raise error_type(f"{path}, line {line}: {first.sentence}") from None


def _problem(mismatch: Mismatch, spans: TomlSpans) -> TomlProblem:
    kind: Literal["unknown", "missing", "value"] = "value"
    if isinstance(mismatch, UnknownKey | MissingKey):
        kind = "unknown" if isinstance(mismatch, UnknownKey) else "missing"
    return TomlProblem(kind, spans.of(mismatch.path), mismatch.message("the file"), mismatch.hint)


def mismatch_in(path: Path, mismatch: Mismatch) -> str:
    """The message for a mismatch that was found after reading the file."""
    try:
        line = line_of(read_text(path), mismatch.path)
    except (OSError, Unreadable):
        line = 1
    return f"{path}, line {line}: {mismatch.sentence('the file')}"


def _parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.fullmatch(str(error))
        reason = (place["reason"] if place else str(error)).removesuffix(" (at end of document)")
        wrong = "".join(c if c.isprintable() else " " for c in reason[:1].lower() + reason[1:])[:200]
        at = _offset(text, int(place["line"]), int(place["column"])) if place else len(text)
        raise _not_toml(f"this is not TOML: {wrong}", at) from None
    except RecursionError:
        raise _not_toml("values are nested too deep", 0) from None
    except (ValueError, OverflowError):  # int() refuses thousands of digits
        digits = re.search(r"[0-9_]{4000}", text)
        raise _not_toml("a number has too many digits", digits.start() if digits else 0) from None


def _not_toml(message: str, at: int) -> WrongToml:
    return WrongToml((TomlProblem("syntax", Span(at, at), message),))


def _offset(text: str, line: int, column: int) -> int:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    return min(starts[min(line, len(starts)) - 1] + column - 1, len(text))
