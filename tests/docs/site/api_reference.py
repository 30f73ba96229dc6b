"""Writes the reference of the Python API: a directive of autodoc for every name that `upcard` exports."""

from __future__ import annotations

import inspect
import re
import types
from typing import Any

from tests.file_tables import HEADING as FILE_TABLE

import upcard


def api_reference() -> str:
    """Markdown with a block of directives for each kind of name, in the order of `upcard.__all__`."""
    functions: list[str] = []
    classes: list[str] = []
    errors: list[str] = []
    modules: list[str] = []
    others: list[str] = []
    for name in exported():
        found = getattr(upcard, name)
        if isinstance(found, types.ModuleType):
            modules.append(name)
        elif inspect.isclass(found):
            (errors if issubclass(found, BaseException) else classes).append(name)
        elif callable(found):
            functions.append(name)
        else:
            others.append(name)
    parts = [
        _section("Functions", [f".. autofunction:: upcard.{name}" for name in functions]),
        _section("Classes", [_class(name) for name in classes]),
        *(_module(name) for name in modules),
        _section(
            "Exceptions", [f".. autoexception:: upcard.{name}\n   :show-inheritance:" for name in errors]
        ),
        _section("Constants", [f".. autodata:: upcard.{name}" for name in others]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def exported() -> list[str]:
    """The public names; the version and its like are no part of the reference."""
    return [name for name in upcard.__all__ if not name.startswith("__")]


def canonical_names() -> dict[str, str]:
    """Where each exported class is defined, and the name under which the reference describes it."""
    found = {}
    for name in exported():
        value = getattr(upcard, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            found[f"{value.__module__}.{value.__qualname__}"] = f"upcard.{name}"
    return found


def neutral(lines: list[str]) -> list[str]:
    """Lines of a docstring in which a star, a bar or an underscore at the end of a word means itself.

    The file table at the end of a package's docstring is for developers and is left out.
    """
    shown = lines[: lines.index(FILE_TABLE)] if FILE_TABLE in lines else lines
    found, example = [], False
    for line in shown:
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        found.append(line if example else _neutral_line(line))
    return found


def _neutral_line(line: str) -> str:
    if line.lstrip().startswith((":", "..")):
        return line
    parts = re.split(r"(`[^`]*`+)", line)
    return "".join(
        p if p.startswith("`") else re.sub(r"([*|])|(?<=\w)(_)(?!\w)", r"\\\1\2", p) for p in parts
    )


def _section(title: str, directives: list[str]) -> str:
    if not directives:
        return ""
    return f"## {title}\n\n```{{eval-rst}}\n" + "\n\n".join(directives) + "\n```"


def _class(name: str, owner: str = "upcard") -> str:
    return f".. autoclass:: {owner}.{name}\n   :members:\n   :undoc-members:"


def _module(name: str) -> str:
    module: Any = getattr(upcard, name)
    public = list(getattr(module, "__all__", []))
    directives = [f".. automodule:: {module.__name__}\n   :no-members:"]
    for each in public:
        value = getattr(module, each)
        if inspect.isclass(value):
            directives.append(_class(each, module.__name__))
        elif callable(value):
            directives.append(f".. autofunction:: {module.__name__}.{each}")
    return _section(f"upcard.{name}", directives)
