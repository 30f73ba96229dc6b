"""W507: a stage whose body cannot change anything that its end condition reads.

Such a stage is over at once or never ends. Only certain cases are told: a computed name may be any name,
the stage itself moves its cycle, chance in the condition changes by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.lints.effects import Touched, changed_by, read_by
from upcard.recycle.lints.lint_subject import Subject, looked_at
from upcard.recycle.walk import below


def stuck_stages(subject: Subject) -> Iterator[Diagnostic]:
    for element in subject.program.body:
        if isinstance(element, p.Stage):
            yield from _stage(subject, element, Touched())


def _stage(subject: Subject, stage: p.Stage, outer: Touched) -> Iterator[Diagnostic]:
    """Reports on a stage and those in it; what they change is added to `outer`."""
    changed = Touched()
    for element in stage.body:
        if isinstance(element, p.Stage):
            yield from _stage(subject, element, changed)
        else:
            for node in below(element):
                if isinstance(node, p.Action):
                    changed.add(changed_by(subject, node))
    nodes = list(looked_at(stage.end))
    if not any(node.draws for node in nodes):
        own = Touched(seats=stage.of == "player", team_turn=stage.of == "team")
        read = read_by(subject, nodes)
        if not read.meets(changed) and not read.meets(own):
            yield Diagnostic(
                "W507",
                subject.spot(stage.end.span),
                "nothing in this stage can change its end condition",
                "let the body change something that the end condition reads, "
                "as in (end (== (game sto ROUND) 3)) with (inc (game sto ROUND)) in the body",
            )
    outer.add(changed)
