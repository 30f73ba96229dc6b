"""Locates a missing or surplus parenthesis.

When one parenthesis is missing or too many, every place where adding or removing one would help is tried:
the repaired tree must be a program, or as nearly one as can be had. Places that do equally well are told
apart by the writer's layout (people lay programs out by what they mean), and then by where parentheses
crowd: the longer a run of them, the easier one is lost in it.

When more than one is missing, only clues are left, the surest first; each is a walk over the lines:

1. a word that can only open a form stands without its parenthesis, or a `do` or `choice` lacks the
   second parenthesis of its list;
2. two neighbouring lines that start in the same column should be siblings: equally deep;
3. a line that starts at or left of a form that opened an earlier line should be outside that form.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.forms import Form, Node
from upcard.recycle.indentation import by_clues, lines_of, oddities
from upcard.recycle.repairs import (
    MANY,
    Repair,
    closings,
    form_possible,
    openings,
    without_closing,
    without_opening,
)
from upcard.recycle.source import Source, Span


@dataclass(frozen=True, slots=True)
class Guess:
    """What to say, and how much work it took to find out."""

    diagnostic: Diagnostic
    steps: int


def unclosed(source: Source, form: Form, count: int) -> Guess:
    """The text ended with forms open; `form` is what it would be if they were all closed at its end."""
    search = _Search(source)
    best = search.best(chain(closings(form), without_opening(form))) if count == 1 else None
    if best is not None:
        return Guess(best.diagnostic(source), search.steps)
    place = by_clues(source)
    missing = "a closing parenthesis is missing" if count == 1 else f"{count} closing parentheses are missing"
    at = form.span.start if place is None else place
    return Guess(
        Diagnostic(
            "E110",
            Span(at, at + 1),
            f"{missing}, probably from here on",
            "indent each form below the one that contains it, and close it before the next",
        ),
        search.steps + len(source.text),
    )


def closed_early(source: Source, form: Form, trail: tuple[Node, ...], count: int) -> Guess | None:
    """The game form ended and something follows: `trail`, with `count` closing parentheses too many.

    None when nothing but parentheses follows and the game is none the better for any repair.
    """
    search = _Search(source)
    errors = MANY if trail else search.errors(form)
    if errors == 0:
        return None
    repairs = chain(openings(form, trail), without_closing(form, trail))
    best = search.best(repairs, errors) if count == 1 else None
    if best is not None:
        return Guess(best.diagnostic(source), search.steps)
    if not trail:
        return None
    place = by_clues(source)
    at = place if place is not None else form.span.end - 1
    return Guess(
        Diagnostic(
            "E111",
            Span(at, at + 1),
            "parentheses do not match, probably from here on",
            f"as it stands, the game ends on line {source.line(form.span.end - 1)}",
        ),
        search.steps + len(source.text),
    )


class _Search:
    """Tries repairs, within a budget: a text as long as a book must not take long to refuse."""

    def __init__(self, source: Source) -> None:
        # the checker reads examples with the reader, which asks for guesses here
        from upcard.recycle.checker import collections as _collections  # noqa: F401
        from upcard.recycle.checker.context import Trial

        self.source = source
        self.steps = 0
        self.budget = 50_000 + 30 * len(source.text)
        self.trial = Trial()
        # as in front.check: forms are walked by recursion, some six calls a level
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

    def errors(self, tree: Form) -> int:
        from upcard.recycle.checker import game_shape as shape
        from upcard.recycle.checker.context import Context

        ctx = Context(self.source, self.trial)
        self.trial.errors = 0
        self.trial.forms.append(tree)
        shape.game(ctx, tree, {})
        self.steps += ctx.steps + len(tree.items)
        return self.trial.errors

    def best(self, repairs: Iterable[Repair], below: int = MANY) -> Repair | None:
        """The best repair, if it leaves fewer errors than `below`."""
        found: list[Repair] = []
        fewest = below
        for repair in repairs:
            self.steps += sum(1 + len(form.items) for form in repair.changed)
            if self.steps > self.budget:
                if fewest:
                    return None  # what was found so far is not good, and better may be further on
                break
            if not all(map(form_possible, repair.changed)):
                continue
            errors = self.errors(repair.tree)
            if errors < fewest:
                found, fewest = [repair], errors
            elif errors == fewest < below:
                found.append(repair)
        found = self._best_laid_out(found)
        weights: dict[int, int] = defaultdict(int)
        for repair in found:
            weights[self.source.line(repair.at)] += repair.run + 1
        return max(
            found,
            key=lambda r: (weights[self.source.line(r.at)], r.run, -r.at),
            default=None,
        )

    def _best_laid_out(self, repairs: list[Repair]) -> list[Repair]:
        if len(repairs) < 2:
            return repairs
        lines = lines_of(self.source)
        found: list[Repair] = []
        fewest = MANY
        for repair in repairs:
            self.steps += len(self.source.text) // 4
            if self.steps > 2 * self.budget:
                break
            odd = oddities(lines, repair)
            if odd < fewest:
                found, fewest = [], odd
            if odd == fewest:
                found.append(repair)
        return found
