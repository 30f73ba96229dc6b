"""The native engine against a hand-written playout, and its other limits: ratios from one run.

    .venv/bin/python benchmarks/native.py

CPU seconds of one core, the best of many turns; the two parts of a ratio take turns, so that a busy
machine slows both. Two cores against one by wall time says something only while both cores are free. The
documents' programs are measured where ../shared is there; the yardstick needs a C compiler.
"""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import upcard
from upcard.engine.native import ir
from upcard.engine.native.backends import llvm
from upcard.engine.native.ir_verifier import verify
from upcard.engine.native.lower.builder import ONE, ZERO, Builder, add, binary, const, scaled
from upcard.engine.native.lower.runtime import write_copy
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.verify.speed import Native

YARDSTICKS = {"Euchre, ours": "euchre.c", "Euchre, the document's": "document.c"}
"""Each plays the hands of its own program."""
LEVELS = ("-O2", "-O3")
"""Which one is better depends on the machine; the better one counts."""
HANDS = 2000
"""Short enough to fit between two interruptions of a busy machine."""
TURNS = 300
SEED = 1

Work = Callable[[int], None]
"""Does its piece of work, given which turn it is: every turn has other deals."""


def take_turns(*works: Work) -> list[float]:
    """The least CPU seconds that each takes, one after the other, many times."""
    best = [float("inf")] * len(works)
    for turn in range(TURNS):
        for i, work in enumerate(works):
            started = time.process_time()
            work(turn)
            best[i] = min(best[i], time.process_time() - started)
    return best


def yardstick(file: str, level: str) -> Any | None:
    """A hand-written playout, built here; None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    built = Path(tempfile.mkdtemp()) / "yardstick.so"
    flags = [level, "-march=native", "-shared", "-fPIC"]
    source = Path(__file__).parent / "yardstick" / file
    subprocess.run([compiler, *flags, "-o", str(built), str(source)], check=True)
    library = ctypes.CDLL(str(built))
    library.yardstick_games.argtypes = [ctypes.c_int64] * 3 + [ctypes.c_void_p]
    library.yardstick_prepare()
    return library.yardstick_games


def check_rows(plays: Any, native: Native) -> None:
    """The yardstick plays the very same hands; otherwise its time would say nothing."""
    count = 20_000
    out = (ctypes.c_int64 * (count * native.row_words))()
    plays(SEED, 0, count, out)
    if bytes(out) != bytes(native.rows(SEED, 0, count)):
        raise SystemExit("the yardstick plays other hands than the engine: fix it before measuring")


def player(native: Native) -> Work:
    out = (ctypes.c_int64 * (HANDS * native.row_words))()
    compiled, state, work = native.compiled, native.state, native.work

    def play(turn: int) -> None:
        compiled.playouts.random_games(state, work.address, SEED, turn * HANDS, HANDS, out)

    return play


def hand_player(plays: Any, native: Native) -> Work:
    out = (ctypes.c_int64 * (HANDS * native.row_words))()
    return lambda turn: plays(SEED, turn * HANDS, HANDS, out)


def document(name: str) -> LoadedGame | None:
    """A program of the documents, where they are."""
    from tests import documents

    if not documents.SEEDS.is_dir():
        return None
    number = documents.EUCHRE if name == "euchre" else documents.WHIST
    return ReferenceGame(name, *check(Source(name, documents.program(number)), lint=False).sound())


def clones_per_second(size: int) -> float:
    """Copies of a state inside a kernel: each is made from the one before and read, so none is left out."""
    module = ir.Module("clones")
    b = Builder(module)
    write_copy(b)
    room, count = ir.Local("room", "ptr"), ir.Local("count", "int")
    i, total = b.variable(ZERO, "i"), b.variable(ZERO, "total")
    with b.loop(binary("slt", i, count)):
        here = scaled(binary("and", i, const(7)), size)
        there = scaled(binary("and", add(i, ONE), const(7)), size)
        target = b.keep(ir.Offset(room, there))
        b.run("copy", target, ir.Offset(room, here), const(size // 8))
        b.set_word(0, add(b.word(0, target), i), target)
        b.set(total, binary("xor", total, b.word(size // 8 - 1, target)))
        b.set(i, add(i, ONE))
    b.emit(ir.Return(total))
    b.function("clones", (room, count), exported=True)
    verify(module)
    loaded = llvm.load(llvm.to_object(module))
    clone = loaded.function("clones", ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
    memory, copies = ctypes.create_string_buffer(8 * size + 64), 20_000
    (seconds,) = take_turns(lambda turn: clone(memory, copies))
    return copies / seconds


def two_cores(game: LoadedGame, hands: int = 1_000_000) -> tuple[float, float]:
    """How many times faster two threads play a batch than one: by the wall clock, and by the CPU time of the
    thread that takes longest, which is what the wall clock would say if both cores were free."""

    def seconds(threads: int) -> tuple[float, float]:
        natives = [Native(game) for _ in range(threads)]
        outs = [(ctypes.c_int64 * (hands // threads * n.row_words))() for n in natives]
        spent = [0.0] * threads

        def play(i: int) -> None:
            n, share = natives[i], hands // threads
            began = time.thread_time()
            n.compiled.playouts.random_games(n.state, n.work.address, SEED, i * share, share, outs[i])
            spent[i] = time.thread_time() - began

        workers = [threading.Thread(target=play, args=(i,)) for i in range(threads)]
        started = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.perf_counter() - started, max(spent)

    one, two = ([seconds(threads) for _ in range(3)] for threads in (1, 2))
    wall, cpu = (min(t[i] for t in one) / min(t[i] for t in two) for i in (0, 1))
    return wall, cpu


def main() -> None:
    euchre = Native(upcard.load("euchre"))
    natives: dict[str, Native] = {"Euchre, ours": euchre, "Whist, ours": Native(upcard.load("whist"))}
    for name in ("euchre", "whist"):
        game = document(name)
        if game is not None:
            natives[f"{name.capitalize()}, the document's"] = Native(game)
    works = {name: player(native) for name, native in natives.items()}
    by_hand: dict[str, list[str]] = {name: [] for name in natives}
    for name, level in itertools.product([name for name in natives if name in YARDSTICKS], LEVELS):
        plays = yardstick(YARDSTICKS[name], level)
        if plays is not None:
            check_rows(plays, natives[name])
            by_hand[name].append(f"{name}, by hand in C, {level}")
            works[by_hand[name][-1]] = hand_player(plays, natives[name])
    times = dict(zip(works, take_turns(*works.values()), strict=True))
    print("| random hands, one core | a second | of the same written by hand in C |")
    print("| --- | --- | --- |")
    for name, seconds in times.items():
        best = min((times[hand] for hand in by_hand.get(name, ())), default=None)
        print(f"| {name} | {HANDS / seconds:,.0f} | {'' if best is None else f'{best / seconds:.2f}'} |")
    rollouts = euchre.rollouts_per_second()
    size = euchre.compiled.size
    print(f"\nEuchre rollouts from a dealt state: {rollouts:,.0f} a second")
    print(
        f"copies of a Euchre state ({size:,} bytes) inside a kernel: {clones_per_second(size):,.0f} a second"
    )
    wall, cpu = two_cores(upcard.load("euchre"))
    print(f"two cores against one, a million hands of Euchre: {wall:.2f} times, by CPU time {cpu:.2f}")


if __name__ == "__main__":
    main()
