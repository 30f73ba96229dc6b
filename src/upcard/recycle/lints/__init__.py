"""Lints: warnings about programs that are legal but hardly intended.

Modules:
    attributes         W506: keys and values that no card has.
    card_counts        Bounds the number of cards that can reach a location.
    certain_failures   W515: actions and players that fail whenever they are reached.
    conditions         Turns conditions of a program into formulas over shared terms.
    domains            Domains: possible values of strings and numbers.
    draws              W514: an `any` or a condition that depends on a draw made earlier in the same
                       alternative.
    effects            Conservative read and write sets of a piece of program.
    empty_decisions    W510: a decision that may have no alternatives.
    endless_stages     W507: a stage whose body cannot change anything that its end condition reads.
    formulas           Propositional formulas, and a prover for tautologies.
    hidden_conditions  W509: a condition inside a choice that looks at cards the chooser cannot see.
    lint_subject       The program under analysis, with facts that several lints need.
    misspellings       W504, W505: names without a counterpart, and names that look like misspellings.
    near_names         Finds the name in use that a writer probably meant.
    small_slips        W502, W503, W511, W516: small mistakes.
    subsets            W508: subsets of a collection that can hold more than 15 cards.
    usage              Where each storage and location of a program is read and written.
"""

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

MAX_FINDINGS = 100
"""Nobody reads more."""


def run(program: p.Program, facts: Facts, form: Form) -> list[Diagnostic]:
    """Every lint; the first findings in the text when there are very many."""
    subject = Subject(program, facts)
    found = [finding for lint in LINTS for finding in lint(subject)]
    found.sort(key=lambda d: (d.span.start, d.code))
    return found[:MAX_FINDINGS]
