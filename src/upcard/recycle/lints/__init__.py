"""Lints: warnings about programs that are legal but hardly intended."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.facts import Facts
from upcard.recycle.forms import Form
from upcard.recycle.lints.attributes import attributes
from upcard.recycle.lints.certain_failures import failing
from upcard.recycle.lints.draws import late_conditions
from upcard.recycle.lints.empty_decisions import missing_else
from upcard.recycle.lints.endless_stages import stuck_stages
from upcard.recycle.lints.hidden_conditions import leaks
from upcard.recycle.lints.lint_subject import Subject
from upcard.recycle.lints.misspellings import misspelt
from upcard.recycle.lints.small_slips import any_outside, left_out, team_scoring, unused
from upcard.recycle.lints.subsets import big_subsets

LINTS: tuple[Callable[[Subject], Iterator[Diagnostic]], ...] = (
    any_outside,
    team_scoring,
    misspelt,
    attributes,
    stuck_stages,
    big_subsets,
    leaks,
    missing_else,
    left_out,
    late_conditions,
    failing,
    unused,
)

MOST_FINDINGS = 100
"""Nobody reads more."""


def run(program: p.Program, facts: Facts, form: Form) -> list[Diagnostic]:
    """Every lint; the first findings in the text when there are very many."""
    subject = Subject(program, facts)
    found = [finding for lint in LINTS for finding in lint(subject)]
    found.sort(key=lambda d: (d.span.start, d.code))
    return found[:MOST_FINDINGS]
