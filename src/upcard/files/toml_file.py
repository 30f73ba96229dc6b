"""Reads TOML files into typed definitions; an error is one sentence with file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from upcard.files.bounded import Unreadable, read_text
from upcard.files.decode import Mismatch, decode
from upcard.files.toml_lines import line_of
from upcard.recycle.diagnostics import Refused

T = TypeVar("T")

_PLACE = re.compile(r"(?P<reason>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)", re.DOTALL)


def read_toml(
    path: Path,
    kind: type[T],
    error_type: Callable[[str], Refused],
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> T:
    """Reads and decodes a file. Errors are raised as `error_type`, with the sentence."""
    try:
        text = read_text(path)
    except Unreadable as error:
        raise error_type(str(error)) from None
    data = _parse(text, path, error_type)
    try:
        return decode(kind, prepare(data))
    except Mismatch as mismatch:
        line = line_of(text, mismatch.path)
        raise error_type(f"{path}, line {line}: {mismatch.sentence('the file')}") from None


def mismatch_in(path: Path, mismatch: Mismatch) -> str:
    """The message for a mismatch that was found after reading the file."""
    try:
        line = line_of(read_text(path), mismatch.path)
    except (OSError, Unreadable):
        line = 1
    return f"{path}, line {line}: {mismatch.sentence('the file')}"


def _parse(text: str, path: Path, error_type: Callable[[str], Refused]) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.fullmatch(str(error))
        reason, line = (place["reason"], int(place["line"])) if place else (str(error), text.count("\n") + 1)
        reason = reason.removesuffix(" (at end of document)")
        wrong = "".join(c if c.isprintable() else " " for c in reason[:1].lower() + reason[1:])[:200]
        raise error_type(f"{path}, line {line}: this is not TOML: {wrong}") from None
    except RecursionError:
        raise error_type(f"{path}, line 1: values are nested too deep") from None
    except (ValueError, OverflowError):  # int() refuses thousands of digits
        line = next((n for n, one in enumerate(text.split("\n"), 1) if re.search(r"[0-9_]{4000}", one)), 1)
        raise error_type(f"{path}, line {line}: a number has too many digits") from None
