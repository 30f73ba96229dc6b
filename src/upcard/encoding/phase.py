"""Phase: which choice of a program's text is open, found from the record that a seat sees.

Stages say when they begin, go round and end, and every choice leads to a decision, so the steps of the
program can be followed with nothing but the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from upcard.engine.api import Record
from upcard.engine.shared.flat_program import Ask, StageStep, Step


class Followed(NamedTuple):
    decided: list[int]
    """The steps of the decisions so far."""
    open: int
    """The step at which the game stands: one behind the last if it is over."""


def follow(code: Sequence[Step], records: Iterable[Record]) -> Followed:
    """Follows a program as far as a record goes."""
    decided: list[int] = []
    at = _to_event(code, 0)
    for record in records:
        what = record["do"]
        if what == "decision":
            decided.append(at)
            at += 1
        elif what == "stage":
            at = _after_stage(code[at], at, record["what"])
        else:
            continue
        at = _to_event(code, at)
    return Followed(decided, at)


def _to_event(code: Sequence[Step], at: int) -> int:
    """On to the next step that the record mentions."""
    while at < len(code) and not isinstance(code[at], Ask | StageStep):
        at += 1
    return at


def _after_stage(step: Step, at: int, what: str) -> int:
    assert isinstance(step, StageStep), "the record follows the program"
    if what == "leave":
        return step.target + 1
    return step.back if step.what == "again" else at + 1
