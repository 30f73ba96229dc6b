"""Plays programs with both engines and prints what came of each: run as a process of its own, since a crash
of machine code would take the tests with it. Reads JSON lines (name, text), answers with JSON lines."""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

from upcard.engine.api import Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.game import NativeGame
from upcard.engine.native.lower import NotLowered
from upcard.engine.native.stepping_code import Compiled
from upcard.engine.reference import ReferenceGame
from upcard.recycle import program as p
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

LIMITS = Limits(decisions=12, steps=300)
ENDINGS = ("", "finished", "stuck", "cut_off", "failed")


def by_reference(game: ReferenceGame) -> list[Any]:
    """The first alternative each time: ending, decisions, scores, and where and why it failed."""
    state = game.deal(7, 3, limits=LIMITS, recording=False)
    while state.outcome is None:
        state.play(0)
    failure, scores = state.outcome.failure, state.outcome.scores
    why = None if failure is None else [failure.line, failure.column, failure.message]
    return [state.outcome.ending, state.decisions, None if scores is None else list(scores), why]


def by_stepping(game: ReferenceGame) -> list[Any]:
    """Code that notes what it does, through a native state; why it failed is what the code itself says."""
    state = NativeGame(game.name, game.program, game.facts).native_deal(7, 3, limits=LIMITS, recording=False)
    while state.outcome is None:
        state.play(0)
    scores = state.outcome.scores
    why = _why(game, state.fault)
    return [state.outcome.ending, state.decisions, None if scores is None else list(scores), why]


def _why(game: ReferenceGame, fault: tuple[p.Node, str] | None) -> list[Any] | None:
    if fault is None:
        return None
    source, start = game.program.source, fault[0].span.start
    return [source.line(start), source.column(start), fault[1]]


def by_machine_code(game: ReferenceGame) -> list[Any]:
    compiled = Compiled(game.program, game.facts, logging=False)
    words, seats = compiled.layout.words, game.seats
    memory = machine_memory.words(compiled.size // 8)
    work = compiled.workspace
    work.limits(LIMITS.decisions, LIMITS.steps)

    def word(name: str, at: int = 0) -> int:
        return ctypes.c_int64.from_buffer(memory, 8 * (words[name] + at)).value

    compiled.deal(memory, work.address, 7, 3)
    while not word("ending"):
        compiled.apply(memory, work.address, 0)
        if not word("ending"):
            compiled.advance(memory, work.address)
    fault = compiled.lowered.fault_of(bytes(memory))
    why = _why(game, fault)
    scores = None if fault is not None else [word("scores", seat) for seat in range(seats)]
    return [ENDINGS[word("ending")], word("decisions"), scores, why]


def answer(name: str, text: str) -> dict[str, Any]:
    checked = check(Source(name, text), lint=False)
    if checked.program is None or checked.facts is None:
        return {"name": name, "refused": [str(d.message) for d in checked.errors]}
    game = ReferenceGame(name, checked.program, checked.facts)
    try:
        found = {"native": by_machine_code(game), "logging": by_stepping(game)}
    except NotLowered as error:
        line = game.program.source.line(error.node.span.start)
        return {"name": name, "not_lowered": f"line {line}: {error}"}
    return {"name": name, "reference": by_reference(game), **found}


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(answer(asked["name"], asked["text"])), flush=True)


if __name__ == "__main__":
    main()
