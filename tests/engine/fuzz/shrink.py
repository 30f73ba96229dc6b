"""A smaller program that still differs: forms are dropped, lifted or emptied as long as it does.

Works on the text as nested lists, so it needs to know nothing of the generator; the checker throws out
what no longer makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_TOKENS = re.compile(r"[(),:]|\.\.|[^\s(),:.]+")


def read(text: str) -> list[object]:
    stack: list[list[object]] = [[]]
    for token in _TOKENS.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    (form,) = stack[0]
    assert isinstance(form, list)
    return form


def write(form: object, depth: int = 0) -> str:
    """Short forms on one line, long ones with each list on a line of its own."""
    if not isinstance(form, list):
        return str(form)
    flat = "(" + " ".join(write(part) for part in form) + ")"
    if len(flat) <= 100 or depth > 12:
        return flat
    pad = "\n" + " " * (depth + 1)
    parts = [
        (pad if isinstance(part, list) and i else " " * bool(i)) + write(part, depth + 1)
        for i, part in enumerate(form)
    ]
    return "(" + "".join(parts) + ")"


def paths(form: list[object], at: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every form inside, the outer ones first."""
    for i, part in enumerate(form):
        yield (*at, i)
        if isinstance(part, list):
            yield from paths(part, (*at, i))


def _get(form: object, path: tuple[int, ...]) -> object:
    for i in path:
        if not isinstance(form, list) or i >= len(form):
            return None
        form = form[i]
    return form


def _replaced(form: object, path: tuple[int, ...], new: list[object]) -> list[object]:
    """The form with one part exchanged for any number of others."""
    assert isinstance(form, list)
    i, *rest = path
    inner = new if not rest else [_replaced(form[i], tuple(rest), new)]
    return [*form[:i], *inner, *form[i + 1 :]]


def smaller(form: list[object]) -> Iterator[tuple[tuple[int, ...], list[object]]]:
    """Programs with one thing less, each with where it was."""
    for path in paths(form):
        part = _get(form, path)
        yield path, _replaced(form, path, [])
        if isinstance(part, list):
            for inner in part:
                if isinstance(inner, list):
                    yield path, _replaced(form, path, [inner])
            for plain in ("1", "(turn pass)", "(== 1 1)", "(game vloc POOL)", "(current player)"):
                shorter = read(plain) if plain.startswith("(") else plain
                if len(write(shorter)) < len(write(part)):
                    yield path, _replaced(form, path, [shorter])


def shrink(text: str, differs: Callable[[str], bool], tries: int = 1500) -> str:
    """The smallest program found within a number of tries; `differs` must hold of the text itself."""
    form = read(text)
    again = True
    while again and tries > 0:
        again = False
        for _, candidate in smaller(form):
            tries -= 1
            if tries <= 0:
                break
            if differs(write(candidate)):
                form, again = candidate, True
                break
    return write(form) + "\n"
