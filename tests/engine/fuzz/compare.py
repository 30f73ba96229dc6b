"""One program by both engines: the same rows, or the first difference.

Machine code is made without any optimising, which is twenty times quicker to compile than the code that users
run; what the passes of LLVM do to it is held to the same rows by `test_native_rows`.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from llvmlite import binding
from tests.engine.fuzz.coverage import MOST_STEPS, TooLong, Watch, executed, watching
from tests.engine.fuzz.shape import Written

from upcard.analysis import verifying
from upcard.analysis.simulating import play_out
from upcard.engine.contract import ENDINGS, Limits
from upcard.engine.native.backends import llvm, llvm_machine
from upcard.engine.native.compiled import INT, PTR, Workspace
from upcard.engine.native.game import NativeGame
from upcard.engine.native.lower import Lowered, NotLowered, lower
from upcard.engine.native.summing import ROW_WORDS
from upcard.engine.reference import ReferenceGame
from upcard.recycle.front import check
from upcard.recycle.source import Source

LIMITS = Limits(decisions=25, steps=300)
DEALS = 3
SEED = 3

Signature = tuple[Any, ...]


class IllTyped(Exception):
    """A program that the checker refuses: the generator's fault."""


@dataclass
class Played:
    """What the reference engine made of a program."""

    game: ReferenceGame
    rows: list[Signature]
    covered: Counter[str] = field(default_factory=Counter)


def load(written: Written) -> ReferenceGame:
    checked = check(Source("fuzz.rcy", written.text), written.overrides, lint=False)
    if checked.program is None or checked.facts is None:
        raise IllTyped(checked.diagnostics[0].message)
    return ReferenceGame("fuzz", *checked.sound())


def by_reference(written: Written, deals: int = DEALS, limits: Limits = LIMITS) -> Played:
    """Rows of the first deals, and what was executed. Raises `TooLong`."""
    game = load(written)
    watch = Watch()
    rows = []
    with watching(watch):
        for deal in range(deals):
            watch.left = MOST_STEPS
            row = play_out(game, SEED, deal, limits)
            failure = row.failure
            where = failure and (failure.line, failure.column)
            rows.append((row.ending, row.decisions, row.choices, row.forced, row.scores, where))
            watch.endings[row.ending] += 1
            if failure is not None:
                watch.failed(None, failure.message)
    covered = executed(game.program, watch)
    covered.update({f"ending {name}": n for name, n in watch.endings.items()})
    covered.update({f"failure: {name}": n for name, n in watch.failures.items()})
    return Played(game, rows, covered)


# --- machine code --------------------------------------------------------------------------------

_targets: list[Any] = []


def quick_code(text: str) -> llvm.Loaded:
    """LLVM's text as machine code in this process, compiled the quickest way there is."""
    if not _targets:
        llvm_machine.machine()
        found = binding.Target.from_triple(binding.get_process_triple())
        _targets.append(found.create_target_machine(opt=0, reloc="pic", codemodel="jitdefault"))
    module = binding.parse_assembly(text)
    module.triple = _targets[0].triple
    module.data_layout = str(_targets[0].target_data)
    return llvm.load(bytes(_targets[0].emit_object(module)))


def signature_of(words: tuple[int, ...], lowered: Lowered) -> Signature:
    """A row of numbers as the reference engine's row is compared."""
    ending, decisions, choices, forced, *rest = words
    fault = rest.pop()
    where = None
    if fault:
        node, _ = lowered.faults[fault - 1]
        source = lowered.layout.program.source
        where = (source.line(node.span.start), source.column(node.span.start))
    return ENDINGS[ending - 1], decisions, choices, forced, None if fault else tuple(rest), where


def by_machine(lowered: Lowered, text: str, deals: int = DEALS, limits: Limits = LIMITS) -> list[Signature]:
    loaded = quick_code(text)
    width = ROW_WORDS + lowered.layout.seats + 1
    out = (ctypes.c_int64 * (deals * width))()
    state = ctypes.create_string_buffer(lowered.layout.size)
    work = Workspace(lowered.work_size)
    work.limits(limits.decisions, limits.steps)
    run = loaded.function("random_games", INT, PTR, PTR, INT, INT, INT, PTR)
    run(state, work.address, SEED, 0, deals, out)
    return [signature_of(tuple(out[at : at + width]), lowered) for at in range(0, deals * width, width)]


@dataclass
class Difference:
    deal: int
    reference: Signature | str
    native: Signature | str

    def __str__(self) -> str:
        names = "ending, decisions, choices, forced, scores, where it failed"
        return f"deal {self.deal} ({names}):\n  reference {self.reference}\n  native    {self.native}"


def first_difference(rows: list[Signature], native: list[Signature]) -> Difference | None:
    for deal, (mine, other) in enumerate(zip(rows, native, strict=True)):
        if mine != other:
            return Difference(deal, mine, other)
    return None


def compare(written: Written, logging: bool = False) -> tuple[Difference | None, Counter[str]]:
    """The first difference, if any, and what was executed. Raises `TooLong`, `NotLowered`, `IllTyped`."""
    played = by_reference(written)
    if logging:
        return _step_by_step(played), played.covered
    try:
        lowered = lower(played.game.program, played.game.facts)
    except NotLowered:
        raise
    except Exception as error:
        return Difference(0, played.rows[0], f"the lowering broke down: {error!r}"), played.covered
    native = by_machine(lowered, llvm.to_llvm(lowered.module))
    return first_difference(played.rows, native), played.covered


def _step_by_step(played: Played) -> Difference | None:
    """Everything at every decision of the first deal: slower, but records, memory and views go along."""
    game = NativeGame(played.game.name, played.game.program, played.game.facts)
    found = verifying.compare(game, SEED, 0, LIMITS)
    return None if found is None else Difference(found.deal, found.reference, f"{found.native}\n{found}")


__all__ = ["DEALS", "IllTyped", "NotLowered", "Played", "TooLong", "by_machine", "by_reference", "compare"]
