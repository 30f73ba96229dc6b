"""Strict JSON: no duplicate keys, no NaN, no lone surrogates, bounded nesting."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from upcard.files.decode import Mismatch, shown
from upcard.recycle.diagnostics import Refused

DEEPEST = 64
"""Maximum nesting. Upcard's own files nest at most ten deep; later code recurses over the data."""


class NotJson(ValueError):
    """Text that is not JSON, or is ambiguous; the message is a sentence without a full stop."""


def parse_json(text: str | bytes, half_characters: bool = False) -> Any:
    """Parses a text. Raises only `NotJson`.

    Escaped lone surrogates are refused unless `half_characters`: they can be neither printed nor saved.
    """
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        if _may_nest_deep(text):
            _check_depth(data)
        if not half_characters:
            _check_characters(text, data)
    except NotJson:
        raise
    except RecursionError:
        raise NotJson(f"values are nested more than {DEEPEST} deep") from None
    except UnicodeError:
        raise NotJson("this is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"this is not JSON ({_reason(error)})") from None
    except ValueError:  # int() refuses thousands of digits
        raise NotJson("a number has too many digits") from None
    return data


@contextmanager
def json_errors_as(error_type: Callable[[str], Refused], whole: str = "this line") -> Iterator[None]:
    """Turns `NotJson` and `Mismatch` into the caller's own error, with the same sentence."""
    try:
        yield
    except NotJson as error:
        raise error_type(str(error)) from None
    except Mismatch as mismatch:
        raise error_type(mismatch.sentence(whole)) from None


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON: key order does not matter, and `true` is not 1."""
    return bool(one == other) and canonical(one) == canonical(other)


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _reason(error: json.JSONDecodeError) -> str:
    reason = error.msg[:1].lower() + error.msg[1:]
    return f"{reason} in column {error.colno}" if error.lineno == 1 else f"{reason} in line {error.lineno}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise NotJson(f"the key {shown(twice)} appears twice")
    return data


def _constant(name: str) -> float:
    raise NotJson(f"{name} is not a valid JSON number")


def _may_nest_deep(text: str | bytes) -> bool:
    if isinstance(text, bytes):
        return text.count(b"[") + text.count(b"{") > DEEPEST
    return text.count("[") + text.count("{") > DEEPEST


def _check_depth(data: Any) -> None:
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise NotJson(f"values are nested more than {DEEPEST} deep")
        level = [
            inner
            for value in level
            if isinstance(value, list | dict)
            for inner in (value.values() if isinstance(value, dict) else value)
        ]


def _check_characters(text: str | bytes, data: Any) -> None:
    escaped = b"\\u" in text if isinstance(text, bytes) else "\\u" in text
    if escaped:
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise NotJson("a string contains half a character (a lone surrogate)") from None
