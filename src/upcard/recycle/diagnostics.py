"""Diagnostics as data: code, message, span, hint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal, TypeAlias

from upcard.recycle.source import Source, Span
from upcard.terminal_text import visible

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. The code has a page of its own in `docs/errors/`.

    >>> (found,) = upcard.check("(game").errors
    >>> found.code, found.severity
    ('E110', 'error')
    """

    code: str
    """E and a number for errors, W and a number for warnings."""
    span: Span
    """The part of the text that it is about, as offsets."""
    message: str
    """What is wrong."""
    hint: str = ""
    """What to do about it, if that is known."""

    @property
    def severity(self) -> Severity:
        """Error or warning."""
        return "error" if self.code.startswith("E") else "warning"

    def to_json(self, source: Source) -> dict[str, Any]:
        """The finding as data, with lines and columns of its source.

        >>> found = upcard.check("(game")
        >>> found.errors[0].to_json(found.source)["line"]
        1
        """
        last = max(self.span.start, self.span.end - 1)
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
            "file": source.name,
            "line": source.line(self.span.start),
            "column": source.column(self.span.start),
            "end_line": source.line(last),
            "end_column": source.column(last) + 1,
        }


class Findings:
    """What a check found."""

    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "warning")


class Refused(Exception):
    """Something that a user gave cannot be used; the message is one sentence.

    Most of the other exceptions derive from it.

    >>> try:
    ...     upcard.load("eucher")
    ... except upcard.Refused as error:
    ...     print(error)
    there is no ... eucher; did you mean euchre?
    """

    is_answer = False
    """Whether this answers what was asked (exit code 1) rather than being misuse (exit code 2)."""

    def __str__(self) -> str:
        """One line, whatever is in the names that it quotes from files and arguments."""
        return visible(super().__str__())


class RecycleError(Exception):
    """A program that cannot be played, with everything that was found in it.

    >>> try:
    ...     upcard.check("(game").sound()
    ... except upcard.RecycleError as error:
    ...     print([found.code for found in error.diagnostics])
    ['E110']
    """

    def __init__(self, source: Source, diagnostics: Iterable[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = tuple(diagnostics)
        first = next((d for d in self.diagnostics if d.severity == "error"), None)
        where = f"{source.name}:{source.line(first.span.start)}: " if first else f"{source.name}: "
        super().__init__(where + (first.message if first else "cannot be read"))


MAX_WORDS = 400
"""How many candidates a suggestion looks at, so that a huge file cannot make a message slow."""


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a writer of `word` most likely meant, if one is near enough."""
    if not 1 <= len(word) <= 40:
        return None
    best, best_score = None, 0.0
    for count, candidate in enumerate(candidates):
        if count >= MAX_WORDS:
            break
        if candidate == word or abs(len(candidate) - len(word)) > 2:
            continue
        score = _likeness(word, candidate)
        if score > best_score:
            best, best_score = candidate, score
    return best if best_score >= 0.6 else None


def _likeness(a: str, b: str) -> float:
    if sorted(a) == sorted(b):
        return 0.95  # two letters exchanged is the commonest slip of all
    return SequenceMatcher(None, a, b, autojunk=False).ratio()
