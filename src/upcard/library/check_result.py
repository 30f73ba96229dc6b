"""Checks a program given as text or by name, and keeps what was found with its source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from upcard.arguments import check_path
from upcard.library.check_game import check_game
from upcard.recycle.diagnostic_text import render
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.facts import Facts
from upcard.recycle.frontend import Checked
from upcard.recycle.frontend import check as check_source
from upcard.recycle.program import Program
from upcard.recycle.source import Source


@dataclass(frozen=True, repr=False)
class CheckResult(Sequence[Diagnostic]):
    """What `upcard.check` found: a sequence of diagnostics in the order of the text.

    >>> found = upcard.check("(game")
    >>> len(found), found.ok, found[0].code
    (1, False, 'E110')
    """

    checked: Checked

    @property
    def ok(self) -> bool:
        """Whether the program can be played: it may have warnings but no errors."""
        return not self.errors

    @property
    def source(self) -> Source:
        """The text, with lines and columns of offsets."""
        return self.checked.source

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that are errors."""
        return self.checked.errors

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that are warnings."""
        return self.checked.warnings

    def sound(self) -> tuple[Program, Facts]:
        """The checked program and what is known about it. Raises `RecycleError` if there are errors.

        >>> program, facts = upcard.check("euchre").sound()
        >>> program.players, facts.cards
        (4, 24)
        """
        return self.checked.sound()

    def to_json(self) -> list[dict[str, Any]]:
        """The diagnostics as data, with lines and columns.

        >>> [(found["code"], found["line"]) for found in upcard.check("(game").to_json()]
        [('E110', 1)]
        """
        return [diagnostic.to_json(self.source) for diagnostic in self]

    @overload
    def __getitem__(self, index: int) -> Diagnostic: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Diagnostic, ...]: ...

    def __getitem__(self, index: int | slice) -> Diagnostic | tuple[Diagnostic, ...]:
        return self.checked.diagnostics[index]

    def __len__(self) -> int:
        return len(self.checked.diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.checked.diagnostics)

    def __str__(self) -> str:
        """Every diagnostic with its line, as `upcard check` prints it."""
        return "\n\n".join(render(diagnostic, self.source) for diagnostic in self)

    def __repr__(self) -> str:
        errors, warnings = len(self.errors), len(self.warnings)
        return f"<CheckResult of {self.source.name}: {errors} errors, {warnings} warnings>"


def check(what: str | os.PathLike[str]) -> CheckResult:
    """Checks a program: a game by name or path, or the text itself.

    A string with a parenthesis or more than one line is taken as text. An unknown game raises `NoSuchGame`.

    >>> upcard.check("euchre")
    <CheckResult of euchre: 0 errors, 0 warnings>
    >>> print(upcard.check("(game"))
    error[E110]: ...
     --> text:1:5
      |
    1 | (game
      |     ^
      = hint: ...
    """
    check_path("a program", what)
    if isinstance(what, str) and ("(" in what or "\n" in what):
        return CheckResult(check_source(Source("text", what)))
    return CheckResult(check_game(what if isinstance(what, str) else Path(what)))
