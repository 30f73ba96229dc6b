"""Finds the place of every value in a TOML text.

`tomllib` reports no lines, so this is a second pass over a text that is known to be valid.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from contextlib import suppress

from upcard.files.decode import DataPath
from upcard.recycle.source import NOWHERE, Span


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line of a value, or of the nearest enclosing value that has one."""
    return text.count("\n", 0, TomlSpans(text).of(path).start) + 1


class TomlSpans:
    """The place of every key and element in a valid text.

    That of a key is `key = value`, that of a table its header, that of an element of a list the element.
    """

    def __init__(self, text: str) -> None:
        self._starts: dict[DataPath, int] = {}
        self._ends: dict[DataPath, int] = {}
        self._text = text
        self._at = 0
        self._elements: dict[DataPath, int] = {}
        """Number of tables in each array of tables so far."""
        with suppress(RecursionError, IndexError):  # the places up to there are better than none
            self._file()

    def of(self, path: Sequence[str | int]) -> Span:
        """The place of a value, or of the nearest enclosing value that has one."""
        for length in range(len(path), 0, -1):
            start = self._starts.get(tuple(path[:length]))
            if start is not None:
                end = self._ends.get(tuple(path[:length]), start)
                return Span(start, start + len(self._text[start:end].rstrip()))
        return NOWHERE

    # --- statements ----------------------------------------------------------------------------

    def _file(self) -> None:
        table: DataPath = ()
        while self._skip(" \t\r\n"):
            if self._text.startswith("[[", self._at):
                table = self._header(2, is_element=True)
            elif self._text[self._at] == "[":
                table = self._header(1, is_element=False)
            else:
                self._pair(table)

    def _header(self, brackets: int, is_element: bool) -> DataPath:
        start = self._at
        self._at += brackets
        *outer, last = self._keys()
        self._at += brackets
        path: DataPath = ()
        for key in outer:
            path = self._inside((*path, key))
            self._mark(path, start)
        path = (*path, last)
        if is_element:
            self._mark(path, start)
            number = self._elements.get(path, 0)
            self._elements[path] = number + 1
            path = (*path, number)
        self._mark(path, start)
        return path

    def _inside(self, path: DataPath) -> DataPath:
        """Resolves an array of tables to its last table."""
        return (*path, self._elements[path] - 1) if path in self._elements else path

    def _pair(self, table: DataPath) -> None:
        start = self._at
        path = table
        for key in self._keys():
            path = (*path, key)
            self._starts.setdefault(path, start)
        self._at += 1  # =
        self._value(path)
        self._ends.setdefault(path, self._at)

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._skip(" \t")
            start = self._at
            if self._text[start] in "\"'":
                self._string()
                keys.append(str(tomllib.loads(f"key = {self._text[start : self._at]}")["key"]))
            else:
                self._match("[A-Za-z0-9_-]*")
                keys.append(self._text[start : self._at])
            self._skip(" \t")
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    # --- values --------------------------------------------------------------------------------

    def _value(self, path: DataPath) -> None:
        self._skip(" \t")
        start = self._at
        first = self._text[self._at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._array(path)
        elif first == "{":
            self._inline_table(path)
        else:
            self._match(r"[^,\]}#\n]*")
        self._mark(path, start)

    def _array(self, path: DataPath) -> None:
        self._at += 1
        number = 0
        while self._skip(" \t\r\n,") and self._text[self._at] != "]":
            self._value((*path, number))
            number += 1
        self._at += 1

    def _inline_table(self, path: DataPath) -> None:
        self._at += 1
        while self._skip(" \t\r\n,") and self._text[self._at] != "}":
            self._pair(path)
        self._at += 1

    def _string(self) -> None:
        quote = self._text[self._at]
        if self._text.startswith(quote * 3, self._at):
            # up to two quotation marks may precede the closing ones
            body = r'(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}' if quote == '"' else r"(?:[^']|'{1,2}(?!'))*'{3,5}"
            self._at += 3
        else:
            body = r'(?:[^"\\]|\\.)*"' if quote == '"' else "[^']*'"
            self._at += 1
        self._match(body)

    # --- characters ----------------------------------------------------------------------------

    def _skip(self, characters: str) -> bool:
        """Skips these characters and, if newline is among them, comments; returns whether text is left."""
        while self._at < len(self._text):
            if self._text[self._at] in characters:
                self._at += 1
            elif self._text[self._at] == "#" and "\n" in characters:
                end = self._text.find("\n", self._at)
                self._at = end if end >= 0 else len(self._text)
            else:
                return True
        return False

    def _match(self, pattern: str) -> None:
        found = re.compile(pattern, re.DOTALL).match(self._text, self._at)
        if found is None:
            raise IndexError("the text is not what it was taken for")
        self._at = found.end()

    def _mark(self, path: DataPath, start: int) -> None:
        """The path's text goes from here to where the reading is, if it has no place yet."""
        if path not in self._starts:
            self._starts[path], self._ends[path] = start, self._at
