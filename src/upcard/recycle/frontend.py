"""Entry point: text in, checked program with facts or diagnostics out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from upcard.recycle import program as p
from upcard.recycle.checker import collections as _collections  # noqa: F401  (registers its forms)
from upcard.recycle.checker import counting_base as counting
from upcard.recycle.checker import game_shape as shape
from upcard.recycle.checker.context import Context
from upcard.recycle.diagnostics import Diagnostic, Findings, RecycleError
from upcard.recycle.facts import Facts, TooManyCards, gather
from upcard.recycle.reader import Reading, decode, read
from upcard.recycle.source import Source


@dataclass(frozen=True)
class Checked(Findings):
    """All that is known about a text. The program is there when no error was found."""

    source: Source
    reading: Reading
    program: p.Program | None
    facts: Facts | None
    diagnostics: tuple[Diagnostic, ...]
    steps: int

    def sound(self) -> tuple[p.Program, Facts]:
        """The program and its facts; raises with every diagnostic when there is none."""
        if self.program is None or self.facts is None:
            raise RecycleError(self.source, self.diagnostics)
        return self.program, self.facts


def check_bytes(
    data: bytes,
    name: str,
    overrides: Mapping[str, str] | None = None,
    base: Literal[0, 1] | None = None,
    lint: bool = True,
) -> Checked:
    text, finding = decode(data)
    checked = check(Source(name, text), overrides, base, lint)
    if finding is None:
        return checked
    # what was put in the wrong bytes' place is not the writer's, so nothing is said about it
    return Checked(checked.source, checked.reading, None, None, (finding,), checked.steps)


def check(
    source: Source,
    overrides: Mapping[str, str] | None = None,
    base: Literal[0, 1] | None = None,
    lint: bool = True,
) -> Checked:
    """Read, check, settle the counting base, gather facts, lint. Who only wants to play needs no lints."""
    # Forms are walked by recursion, some six calls a level; the reader bounds the levels.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    reading = read(source)
    ctx = Context(source)
    found = list(reading.diagnostics)
    draft: shape.Draft | None = None
    if reading.form is not None and not reading.unbalanced:
        draft = shape.game(ctx, reading.form, overrides or {})
    program = _assemble(ctx, source, draft, overrides or {}, base) if draft else None
    found.extend(ctx.findings)
    facts = None
    if program is not None and not any(d.severity == "error" for d in found):
        try:
            facts = gather(program)
        except TooManyCards as error:
            found.append(Diagnostic("E405", error.span, str(error), "make fewer or smaller decks"))
    if facts is None:
        program = None
    if lint and program is not None and facts is not None and reading.form is not None:
        from upcard.recycle import lints

        found.extend(lints.run(program, facts, reading.form))
    if not reading.unbalanced:
        found.sort(key=lambda d: (d.span.start, d.code))
    return Checked(source, reading, program, facts, tuple(found), reading.steps + ctx.steps)


def _assemble(
    ctx: Context,
    source: Source,
    draft: shape.Draft,
    overrides: Mapping[str, str],
    base: Literal[0, 1] | None,
) -> p.Program | None:
    if draft.setup is None:
        return None
    players = counting.count_players(ctx, draft.setup)
    if players is None:
        return None
    settled = counting.settle(ctx, players, base)
    counting.check_teams(ctx, players, settled)
    if draft.scoring is None or any(f.severity == "error" for f in ctx.findings):
        return None
    given = tuple(
        (d.binding.name, overrides[d.binding.name]) for d in draft.declares if d.binding.name in overrides
    )
    return p.Program(
        draft.setup.span.to(draft.scoring.span),
        source,
        draft.declares,
        draft.setup,
        draft.body,
        draft.scoring,
        players,
        settled,
        ctx.slots,
        given,
    )
