"""Warnings: things that a program may do but that its writer hardly meant."""

from __future__ import annotations

from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.facts import Facts
from upcard.recycle.forms import Form
from upcard.recycle.program import Program


def run(program: Program, facts: Facts, form: Form) -> list[Diagnostic]:
    """Every lint, in no particular order."""
    return []
