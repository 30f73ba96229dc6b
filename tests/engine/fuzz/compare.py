"""One program by both engines, both ways: whole games row by row, and one deal step by step.

Long runs compile without optimization (`UPCARD_OPT=0`), which is twenty times quicker than what users run;
`test_native_rows` compares the optimized code.
"""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from llvmlite import binding
from tests.engine.fuzz.coverage import MAX_STEPS, TooLong, Watch, executed, watching
from tests.engine.fuzz.shape import Written
from tests.engine.strict import strict

from upcard.engine.api import ENDINGS, Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.backends import llvm, llvm_machine
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.playout import row_bytes
from upcard.engine.native.lower import Lowered, NotLowered
from upcard.engine.native.stepping_code import INT, PTR
from upcard.engine.native.workspace import Workspace
from upcard.engine.reference import ReferenceGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.simulate.random_games import play_out
from upcard.verify import engines as verifying

LIMITS = Limits(decisions=25, steps=300)
DEALS = 3
SEED = 3
STEPPING_FACTOR = 20
"""Observing lists every decision again, and a failed game is played again: so many times the evaluations."""

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


def by_reference(game: ReferenceGame, most_steps: int = MAX_STEPS) -> Played:
    """Rows of the first deals, and what was executed. Raises `TooLong`."""
    watch = Watch(most_steps)
    rows = []
    with watching(watch):
        for deal in range(DEALS):
            watch.left = most_steps
            row = play_out(game, SEED, deal, LIMITS)
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
    ending, decisions, choices, forced, fault, *scores = words
    where = None
    if fault:
        node, _ = lowered.faults[fault - 1]
        source = lowered.layout.program.source
        where = (source.line(node.span.start), source.column(node.span.start))
    return ENDINGS[ending - 1], decisions, choices, forced, None if fault else tuple(scores), where


def by_machine(lowered: Lowered, text: str) -> list[Signature]:
    """Rows of whole games from LLVM's text."""
    loaded = quick_code(text)
    return rows_of(loaded.function("random_games", INT, PTR, PTR, INT, INT, INT, PTR), lowered)


def rows_of(random_games: Any, lowered: Lowered, limits: Limits = LIMITS) -> list[Signature]:
    width = row_bytes(lowered.layout.seats) // 8
    out = machine_memory.words(DEALS * width)
    state = machine_memory.words(lowered.layout.size // 8)
    work = Workspace(lowered.work)
    work.limits(limits.decisions, limits.steps)
    random_games(state, work.address, SEED, 0, DEALS, out)
    return [signature_of(tuple(out[at : at + width]), lowered) for at in range(0, DEALS * width, width)]


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


@dataclass
class Comparison:
    """The first difference, if any, and which forms were executed to find it."""

    difference: Difference | None = None
    playing: Counter[str] = field(default_factory=Counter)
    """Executed while whole games were played, for their rows."""
    stepping: Counter[str] = field(default_factory=Counter)
    """Executed while one deal was stepped through, with records and every seat's observation."""


Say = Callable[[str], None]


def compare(written: Written, most_steps: int = MAX_STEPS, say: Say = lambda stage: None) -> Comparison:
    """Both engines, whole games and step by step. Raises `TooLong`, `NotLowered`, `IllTyped`.

    `say` is called with the name of what is about to be done: if the process dies, that is where.
    """
    say("check")
    reference = load(written)
    digest = hashlib.sha256(written.text.encode()).digest()
    if digest[0] % 4 == 0:  # every fourth program, however it was found: little work is allowed
        reference = strict(reference, 10 + 2 * digest[1])
    return compare_game(reference, most_steps, say)


def compare_game(
    reference: ReferenceGame, most_steps: int = MAX_STEPS, say: Say = lambda stage: None
) -> Comparison:
    """The same of a program that is loaded."""
    say("reference")
    played = by_reference(reference, most_steps)
    found = Comparison(playing=played.covered)
    game = NativeGame(reference.name, reference.program, reference.facts)
    try:
        say("lowering")
        compiled = game.playing
        say("machine code")
        native = rows_of(compiled.playouts.random_games, compiled.lowered)
        found.difference = first_difference(played.rows, native)
        say("stepping")
        found.difference = found.difference or _step_by_step(game, most_steps, found)
    except (NotLowered, TooLong):
        raise
    except Exception:
        found.difference = Difference(0, played.rows[0], traceback.format_exc())
    return found


def simulated(written: Written) -> list[Signature]:
    """Rows of machine code alone, for programs that take the reference engine too long."""
    game = load(written)
    compiled = NativeGame(game.name, game.program, game.facts).playing
    return rows_of(compiled.playouts.random_games, compiled.lowered)


def _step_by_step(game: NativeGame, most_steps: int, found: Comparison) -> Difference | None:
    """Everything at every decision of the first deal: moves, records, memory and every seat's observation."""
    watch = Watch(STEPPING_FACTOR * most_steps)
    with watching(watch):
        differs = verifying.compare(game, SEED, 0, LIMITS)
    found.stepping = executed(game.program, watch)
    if differs is None:
        return None
    return Difference(differs.deal, differs.reference, f"{differs.native}\n{differs}")


__all__ = ["DEALS", "IllTyped", "NotLowered", "Played", "TooLong", "by_machine", "by_reference", "compare"]
