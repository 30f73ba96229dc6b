"""WebAssembly against LLVM: the same random games in wasmtime and in Node, rates, sizes and times.

    .venv/bin/python benchmarks/wasm.py

CPU seconds of one core, the best of several rounds; the rounds of LLVM and wasmtime take turns, so that a
busy machine slows both. Node plays after them. Rows are compared word for word; the documents' programs are
played where ../shared is there.
"""

from __future__ import annotations

import gzip
import math
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests import documents
from tests.engine import node

import upcard
from upcard.engine.api import Limits
from upcard.engine.native.backends.select import BACKENDS
from upcard.engine.native.backends.wasm.module_writer import to_wasm
from upcard.engine.native.backends.wasm.wasmtime_backend import host
from upcard.engine.native.lower import lower
from upcard.engine.native.playout_code import playouts
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.library import names
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.simulate.native_batch import NativeBatch, Recorder
from upcard.simulate.summary import Row, Summary
from upcard.simulate.sums_detail import Sums

DEALS = 2000
"""Whose rows are compared."""
ROUNDS = 7
ROUND_SECONDS = 0.1
NODE_ROUNDS = 5
SEED = 4


@dataclass
class Measured:
    name: str
    llvm: float
    wasmtime: float
    node: float
    """Games a second."""
    size: int
    packed: int
    """Bytes of the module of playing code, and compressed."""
    written: float
    compiled: float
    """Seconds to write it from the IR, and for wasmtime to compile it."""


def programs() -> Iterator[LoadedGame]:
    for name in names():
        yield upcard.load(name)
    if documents.SEEDS.is_dir():
        for name, number in (
            ("a document's Euchre", documents.EUCHRE),
            ("a document's Whist", documents.WHIST),
        ):
            source = Source(name, documents.program(number))
            yield ReferenceGame(name, *check(source, lint=False).sound())


def recorder_of(game: LoadedGame, backend: str) -> Recorder[Row, Summary]:
    code = playouts(game.program, game.facts, BACKENDS[backend](""))
    recorder = NativeBatch(code, SEED, Limits(), Sums()).recorder
    recorder.make_room(DEALS)
    return recorder


def measure(game: LoadedGame, has_node: bool) -> Measured:
    recorders = [recorder_of(game, "llvm"), recorder_of(game, "wasm")]
    rows = []
    for recorder in recorders:
        recorder.play(0, DEALS)
        rows.append(tuple(recorder.rows))
    assert rows[0] == rows[1], f"{game.name}: rows of wasmtime differ"
    count = 1
    while seconds_of(recorders[0], count) < ROUND_SECONDS:
        count *= 2
    best = [float("inf")] * 2
    for _ in range(ROUNDS):
        for n, recorder in enumerate(recorders):
            best[n] = min(best[n], seconds_of(recorder, count))
    lowered = lower(game.program, game.facts)
    started = time.process_time()
    wasm = to_wasm(lowered.module)
    written = time.process_time() - started
    shared = to_wasm(lowered.module, shared=True)
    started = time.process_time()
    host().compile(shared)
    compiled = time.process_time() - started
    in_node = float("nan")
    if has_node:
        with tempfile.TemporaryDirectory() as folder:
            assert node.play(lowered, SEED, DEALS, Path(folder)).rows == rows[0], (
                f"{game.name}: rows of Node differ"
            )
            played = node.play(lowered, SEED, count, Path(folder), NODE_ROUNDS)
            in_node = count / played.seconds
    packed = len(gzip.compress(wasm, 9))
    return Measured(
        game.name, count / best[0], count / best[1], in_node, len(wasm), packed, written, compiled
    )


def seconds_of(recorder: Recorder[Row, Summary], count: int) -> float:
    recorder.make_room(count)
    started = time.process_time()
    recorder.play(0, count)
    return time.process_time() - started


def mean(values: list[float]) -> float:
    return math.prod(values) ** (1 / len(values))


def report(found: list[Measured]) -> Iterator[str]:
    yield "# WebAssembly against LLVM"
    yield ""
    where = f"{platform.machine()}, Python {platform.python_version()}"
    yield f"`python benchmarks/wasm.py`, {where}, CPU time of one core. Rates of LLVM are random"
    yield "games a second; those of wasmtime and Node are shares of it. Sizes are those of a game's"
    yield "playing code, in bytes; times are milliseconds: to write the module from the IR, and for"
    yield f"wasmtime to compile it. The rows of {DEALS:,} deals were equal, word for word, in all three."
    yield ""
    yield "| program | LLVM | wasmtime | Node | bytes | gzip | write | compile |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for one in found:
        yield (
            f"| {one.name} | {one.llvm:,.0f} | {one.wasmtime / one.llvm:.2f} | {one.node / one.llvm:.2f} | "
            f"{one.size:,} | {one.packed:,} | {1000 * one.written:.0f} | {1000 * one.compiled:.0f} |"
        )
    shares = [mean([one.wasmtime / one.llvm for one in found]), mean([one.node / one.llvm for one in found])]
    total, packed = sum(one.size for one in found), sum(one.packed for one in found)
    yield f"| geometric mean, or sum | | {shares[0]:.2f} | {shares[1]:.2f} | {total:,} | {packed:,} | | |"


def main() -> None:
    has_node = node.why_not() is None
    found = []
    for game in programs():
        found.append(measure(game, has_node))
        print(found[-1], file=sys.stderr, flush=True)
    print("\n".join(report(found)))


if __name__ == "__main__":
    main()
