"""WebAssembly: how modules are written, the memory that they share with Python, wasmtime and Node.

`UPCARD_BACKEND=wasm` makes every other test of machine code run this backend.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import os
import random
import subprocess
import sys
import threading
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.engine import node
from tests.lang.cases import all_cases

import upcard
from upcard.engine.api import Limits
from upcard.engine.native import ir, machine_memory
from upcard.engine.native.backends import select
from upcard.engine.native.backends.select import Backend, NoMachineCode, choose_backend
from upcard.engine.native.backends.wasm import copy_loops
from upcard.engine.native.backends.wasm.expression_writer import MAX_OFFSET
from upcard.engine.native.backends.wasm.linear_memory import LinearMemory, block_size
from upcard.engine.native.backends.wasm.module_writer import to_wasm
from upcard.engine.native.backends.wasm.step_regions import Region, plan
from upcard.engine.native.backends.wasm.wasmtime_backend import find_wasmtime, host
from upcard.engine.native.backends.wasm.wat import to_wat
from upcard.engine.native.game import NativeGame
from upcard.engine.native.ir_verifier import verify
from upcard.engine.native.kernels import resample
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.lower import lower
from upcard.engine.native.playout_code import playouts
from upcard.engine.reference import ReferenceGame
from upcard.library import names
from upcard.players.search.search_players import NeedsMachineCode
from upcard.players.spec import resolve_player
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.simulate.native_batch import NativeBatch
from upcard.simulate.random_games import RandomGames, play_out
from upcard.simulate.sums_detail import Sums
from upcard.verify.engines import compare

INT, PTR = ctypes.c_int64, ctypes.c_void_p
GAMES = names()
STEPPED = ("kuhn-poker", "euchre", "go-fish")
"""One whose decisions are few, one of tricks, one whose decisions lie inside loops."""
LONG = {"repeat/most", "choices/too_many", "choices/many_draws_before_a_pick"}
CASES = [case for case in all_cases() if case.error is None and not case.overrides and case.name not in LONG][
    ::9
]
ROOMY = Limits(decisions=60, steps=2000)


@pytest.fixture(scope="module")
def wasm() -> Backend:
    try:
        return find_wasmtime("")
    except NoMachineCode as error:
        pytest.skip(str(error))


@pytest.fixture
def chosen(wasm: Backend, monkeypatch: pytest.MonkeyPatch) -> Backend:
    monkeypatch.setenv("UPCARD_BACKEND", "wasm")
    return wasm


def load(backend: Backend, module: ir.Module) -> select.Loaded:
    verify(module)
    return backend.load(backend.compile(backend.text(module)))


# --- the same games -------------------------------------------------------------------------------


def rows(game: upcard.Game, backend: Backend, count: int) -> list[Any]:
    code = playouts(game.program, game.facts, backend)
    return NativeBatch(code, 4, Limits(), Sums()).recorder.all_rows(0, count)


@pytest.mark.parametrize("name", GAMES)
def test_rows_of_every_game_are_those_of_llvm(name: str, wasm: Backend) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    game = upcard.load(name)
    assert rows(game, wasm, 20) == rows(game, select.BACKENDS["llvm"](""), 20)


@pytest.mark.parametrize("name", STEPPED)
def test_stepping_is_that_of_the_reference_engine(name: str, chosen: Backend) -> None:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    difference = compare(game, 3, 1, ROOMY)
    assert difference is None, str(difference)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_programs_of_the_language_tests(case: Any, chosen: Backend) -> None:
    reference = ReferenceGame(case.name, *check(Source(case.name, case.text), lint=False).sound())
    game = NativeGame(case.name, reference.program, reference.facts)
    expected = play_out(reference, 3, 0, ROOMY)
    row = next(iter(NativeBatch(game.playing.playouts, 3, ROOMY, Sums()).games(0, 1, workers=1)))
    assert (row.ending, row.decisions, row.choices, row.scores) == (
        expected.ending,
        expected.decisions,
        expected.choices,
        expected.scores,
    )
    difference = compare(game, 3, 0, ROOMY)
    assert difference is None, str(difference)


@pytest.mark.parametrize("name", ["euchre", "go-fish"])
def test_node_plays_the_same(name: str, wasm: Backend, tmp_path: Path) -> None:
    reason = node.why_not()
    if reason is not None:
        pytest.skip(reason)
    game = upcard.load(name)
    played = node.play(lower(game.program, game.facts), 4, 15, tmp_path)
    recorder = NativeBatch(playouts(game.program, game.facts, wasm), 4, Limits(), Sums()).recorder
    recorder.all_rows(0, 15)
    assert played.rows == tuple(recorder.rows[: len(played.rows)])


def test_search_says_that_it_needs_another_backend(chosen: Backend) -> None:
    state = upcard.load("kuhn-poker").deal(seed=1)
    seat = state.to_move
    assert seat is not None
    hint = upcard.hint("kuhn-poker", state.observe(seat), player="random")
    assert "Values need machine code." in str(hint)
    with pytest.raises(NoMachineCode, match="the wasm backend plays, steps and simulates"):
        select.check_reach(chosen)
    with pytest.raises(NeedsMachineCode, match="pimc searches: the wasm backend plays"):
        resolve_player("pimc", upcard.load("kuhn-poker"))


# --- how a backend is chosen ----------------------------------------------------------------------


def test_wasmtime_comes_before_the_reference_engine(wasm: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UPCARD_BACKEND", raising=False)
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    monkeypatch.setenv("CC", "no-such-compiler")
    run = RandomGames(upcard.load("euchre"), Sums())
    assert run.engine == "native"
    assert run.note == (
        "llvmlite is not installed, and there is no C compiler no-such-compiler; "
        "using WebAssembly with wasmtime instead"
    )
    assert sum(part.games for part in run.sums(0, 10)) == 10


def test_without_wasmtime_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", "wasm")
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(NoMachineCode, match=r"wasmtime is not installed; pip install 'upcard\[wasm\]'"):
        choose_backend()


def test_an_object_of_another_processor_is_compiled_anew(wasm: Backend) -> None:
    module = compile_kernels("copying", [resample.clone])
    data = wasm.compile(wasm.text(module))
    end = 8 + int.from_bytes(data[:8], "little")
    clone = wasm.load(data[:end] + b"made elsewhere").function("clone", INT, PTR, PTR, INT)
    target = machine_memory.words(2)
    clone(target, machine_memory.words_of([5, 6]), 2)
    assert target[:] == [5, 6]


# --- steps ----------------------------------------------------------------------------------------


def jumping(jumps: list[list[int]], starts: tuple[int, ...]) -> ir.Module:
    """Each step adds its number to a hash, and jumps by the next bits of a number; to end is a choice too."""
    way, start, found = (ir.Local(name, "int") for name in ("way", "start", "found"))

    def const(value: int) -> ir.Const:
        return ir.Const(value)

    blocks = []
    for step, targets in enumerate(jumps):
        choice: tuple[ir.Stmt, ...] = (ir.Return(found),)
        for number, to in enumerate(targets, 1):
            bits = ir.Binary("urem", way, const(len(targets) + 1))
            choice = (ir.Branch(ir.Binary("eq", bits, const(number)), (_turn(way), ir.Go(to)), choice),)
        hashed = ir.Binary("add", ir.Binary("mul", found, const(31)), const(step + 1))
        blocks.append((ir.Assign(found, hashed), *choice))
    module = ir.Module("jumping")
    body = (ir.Assign(found, const(7)), ir.Steps(start, tuple(blocks), starts))
    module.add(ir.Function("f", (way, start), body, exported=True))
    return module


def _turn(way: ir.Local) -> ir.Stmt:
    return ir.Assign(way, ir.Binary("lshr", ir.Binary("mul", way, ir.Const(0x9E3779B97F4A7C15)), ir.Const(3)))


def walk(jumps: list[list[int]], way: int, step: int) -> int:
    """The same in Python."""
    found = 7
    while True:
        found = found * 31 + step + 1
        number = way % (len(jumps[step]) + 1)
        if number == 0:
            return ctypes.c_int64(found).value
        step = jumps[step][number - 1]
        way = (way * 0x9E3779B97F4A7C15) % 2**64 >> 3


def test_any_steps_that_jump_anywhere(wasm: Backend) -> None:
    """Loops entered in the middle, loops inside loops, steps that nobody reaches."""
    source = random.Random(5)
    entered = 0
    for _ in range(40):
        count = source.randrange(1, 9)
        jumps = [[source.randrange(count) for _ in range(source.randrange(4))] for _ in range(count)]
        starts = tuple(sorted(source.sample(range(count), source.randrange(1, count + 1))))
        entered += _entries(plan([tuple(targets) for targets in jumps], starts))
        f = load(wasm, jumping(jumps, starts)).function("f", INT, INT, INT)
        for start, way in itertools.product(starts, [source.getrandbits(63) for _ in range(6)]):
            assert f(way, start) == walk(jumps, way, start), f"{jumps} from {start} by {way}"
    assert entered > 20


def _entries(region: Region) -> int:
    inner = sum(_entries(item) for item in region.items if isinstance(item, Region))
    return len(region.entries) + inner


def test_steps_inside_a_loop_begin_anew(wasm: Backend) -> None:
    """A function with steps is inlined into a loop: what it knew at its last call is forgotten."""
    module = jumping([[1], [2], [1, 0], []], (0, 1, 2, 3))
    inner = module.functions.pop("f")
    module.add(ir.Function("inner", inner.parameters, inner.body))
    way, times, total = (ir.Local(name, "int") for name in ("way", "times", "total"))
    call = ir.Call("inner", (_plus(way, times), times))
    body = (
        ir.Assign(total, ir.Const(0)),
        ir.While(
            ir.Binary("sgt", times, ir.Const(0)),
            (
                ir.Assign(times, ir.Binary("sub", times, ir.Const(1))),
                ir.Assign(total, ir.Binary("xor", ir.Binary("mul", total, ir.Const(3)), call)),
            ),
        ),
        ir.Return(total),
    )
    module.add(ir.Function("f", (way, times), body, exported=True))
    f = load(wasm, module).function("f", INT, INT, INT)
    expected = 0
    for step in (3, 2, 1, 0):
        expected = ctypes.c_int64(expected * 3).value ^ walk([[1], [2], [1, 0], []], 10**6 + step, step)
    assert f(10**6, 4) == expected


def _plus(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    return ir.Binary("add", a, b)


# --- expressions ----------------------------------------------------------------------------------


def test_addresses_that_wrap_around(wasm: Backend) -> None:
    """A negative index and a constant above it, a large constant, a pointer before what it leads to."""
    p, i = ir.Local("p", "ptr"), ir.Local("i", "int")
    back = ir.Offset(p, ir.Const(-(MAX_OFFSET - 8)))
    values = {
        "mixed": ir.Load("i64", p, _plus(i, ir.Const(5))),
        "negative": ir.Load("i64", p, _plus(i, ir.Const(-3))),
        "before": ir.Load("i64", back, ir.Const((MAX_OFFSET - 8) // 8 + 1)),
        "large": ir.Load("i64", ir.Offset(p, ir.Const(-4 * MAX_OFFSET)), ir.Const(MAX_OFFSET // 2 + 1)),
        "narrow": ir.Load("u16", p, ir.Binary("sub", ir.Binary("mul", i, ir.Const(4)), ir.Const(-24))),
    }
    module = ir.Module("addresses")
    for name, value in values.items():
        module.add(ir.Function(name, (p, i), (ir.Return(value),), exported=True))
    function = load(wasm, module).function
    words = machine_memory.words_of([*range(100, 110)])
    at = ctypes.addressof(words)
    assert function("mixed", INT, PTR, INT)(at, -5) == 100
    assert function("negative", INT, PTR, INT)(at, 4) == 101
    assert function("before", INT, PTR, INT)(at, 0) == 101
    assert function("large", INT, PTR, INT)(at, 0) == 101
    assert function("narrow", INT, PTR, INT)(at, -5) == 101


def test_a_call_in_a_condition_or_a_store_comes_first(wasm: Backend) -> None:
    """What a call writes is not read before, wherever it stands."""
    p, n = ir.Local("p", "ptr"), ir.Local("n", "int")
    first = ir.Load("i64", p, ir.Const(0))
    module = ir.Module("order")
    grow = (ir.Store("i64", p, ir.Const(0), _plus(first, ir.Const(1))), ir.Return(first))
    module.add(ir.Function("grow", (p,), grow, rare=True))
    call = ir.Call("grow", (p,))
    chosen = ir.Select(ir.Binary("sgt", call, n), first, ir.Const(-1))
    module.add(ir.Function("select", (p, n), (ir.Return(chosen),), exported=True))
    store = (ir.Store("i64", p, first, call), ir.Return(ir.Load("i64", p, n)))
    module.add(ir.Function("store", (p, n), store, exported=True))
    function = load(wasm, module).function
    words = machine_memory.words_of([1, 0, 0, 0])
    assert function("select", INT, PTR, INT)(words, 1) == 2
    assert function("store", INT, PTR, INT)(words, 3) == 3


def test_a_copying_loop_is_one_instruction(wasm: Backend) -> None:
    """And still copies word by word where source and target overlap, as machine code does."""
    target, source = ir.Local("target", "ptr"), ir.Local("source", "ptr")
    i, end, last = (ir.Local(name, "int") for name in ("i", "end", "last"))
    one = ir.Binary("add", i, ir.Const(1))
    forms: dict[str, tuple[ir.Stmt, ...]] = {
        "plain": (ir.Store("i64", target, i, ir.Load("i64", source, i)), ir.Assign(i, one)),
        "ranged": (
            ir.Assign(last, i),
            ir.Assign(i, one),
            ir.Store("i64", target, last, ir.Load("i64", source, last)),
        ),
    }
    module = ir.Module("copying")
    for name, body in forms.items():
        loop = ir.While(ir.Binary("slt", i, end), body)
        assert copy_loops.find(loop) is not None
        value = ir.Binary("sub", ir.Binary("mul", i, ir.Const(1000)), last)
        whole = (ir.Assign(last, ir.Const(0)), loop, ir.Return(value))
        module.add(ir.Function(name, (target, source, i, end), whole, exported=True))
    assert to_wat(to_wasm(module)).count("memory.copy") == 2
    function = load(wasm, module).function
    for name, (begin, end_at, moved) in itertools.product(
        forms,
        [(0, 20, 30), (3, 20, 30), (0, 20, 1), (0, 20, 0), (0, 20, -5), (0, 3, 9), (5, 5, 9), (7, 2, 9)],
    ):
        words = machine_memory.words_of([*range(100)])
        at = ctypes.addressof(words) + 8 * 30
        returned = function(name, INT, PTR, PTR, INT, INT)(at + 8 * moved, at, begin, end_at)
        expected = [*range(100)]
        for n in range(begin, end_at):
            expected[30 + moved + n] = expected[30 + n]
        assert words[:] == expected
        assert returned == 1000 * max(begin, end_at) - (
            max(end_at - 1, 0) if name == "ranged" and end_at > begin else 0
        )


def test_the_text_says_what_the_bytes_say(wasm: Backend) -> None:
    import wasmtime

    game = upcard.load("euchre")
    for module in (lower(game.program, game.facts).module, compile_kernels("copying", [resample.clone])):
        data = to_wasm(module)
        assert bytes(wasmtime.wat2wasm(to_wat(data))) == data
    shared = to_wasm(module, shared=True)
    assert '(import "env" "memory" (memory 0 65536 shared))' in to_wat(shared)


# --- memory ---------------------------------------------------------------------------------------


def test_blocks_are_zeroed_and_used_again() -> None:
    room = (ctypes.c_uint8 * 50000)()
    start = -(-ctypes.addressof(room) // 16) * 16
    memory = LinearMemory(start, lambda end: end <= start + 41000)
    first = memory.block(100)
    words = (ctypes.c_int64 * 12).from_buffer(first)
    words[:] = [*range(12)]
    at = ctypes.addressof(first)
    del first
    gc.collect()
    assert memory.used == block_size(100), "what was made of a block keeps it"
    del words
    gc.collect()
    assert memory.used == 0
    again = memory.take(97)
    assert again == at
    assert bytes((ctypes.c_char * 97).from_address(again)) == bytes(97)
    assert memory.take(30000)
    assert memory.take(30000) == 0
    with pytest.raises(MemoryError, match="no room for 30000 bytes"):
        memory.block(30000)
    memory.give_back(again)
    memory.give_back(again)
    assert memory.take(97) == again != memory.take(97)


@pytest.mark.parametrize("size", [0, 1, 16, 17, 128, 129, 1000, 4096, 4097, 1 << 20, (1 << 20) + 1])
def test_block_sizes_waste_little(size: int) -> None:
    assert max(size, 1) <= block_size(size) <= max(size * 5 // 4, size + 15, 16)
    assert block_size(block_size(size)) == block_size(size)
    assert block_size(size) % 16 == 0


def test_memory_that_is_not_webassembly_s_is_refused(wasm: Backend) -> None:
    clone = load(wasm, compile_kernels("copying", [resample.clone])).function("clone", INT, PTR, PTR, INT)
    foreign, target = array("q", [1, 2]), machine_memory.words(2)
    with pytest.raises(RuntimeError, match="this memory is not WebAssembly's"):
        clone(target, foreign.buffer_info()[0], 2)
    clone(target, foreign.tobytes(), 2)
    assert target[:] == [1, 2], "bytes are copied, since they are only read"


def test_the_memory_stays_where_it_is_when_it_grows(wasm: Backend) -> None:
    before = host().base, host().size
    large = machine_memory.words(before[1] // 8)
    assert host().size > before[1]
    assert host().base == ctypes.addressof(host().shared.data_ptr().contents) == before[0]
    large[-1] = 7


SUBSETS = """(game (setup (create players 2)
  (create deck (game vloc D) (deck (N (A, B, C, D, E, F, G, H, I, J, K, L)))))
 (stage player (end (== (game sto TURNS) 2))
  (choice ((any (subsets (game vloc D)) 'S (do ((inc (game sto TURNS)) (inc (game sto X) (size 'S)))))))
 )
 (scoring max (game sto X)))"""


def test_a_workspace_grows_and_gives_back(chosen: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = ReferenceGame("subsets", *check(Source("subsets", SUBSETS), lint=False).sound())
    game = NativeGame("subsets", reference.program, reference.facts)
    gc.collect()
    before = host().memory.used
    state = game.native_deal(1, 0, limits=Limits())
    assert state.choices == 4095
    assert game.stepping.workspace.taken > 1 << 17
    state.play(4000)
    del state, game
    gc.collect()
    assert host().memory.used <= before + (1 << 16)
    game = NativeGame("subsets", reference.program, reference.facts)
    compiled = game.playing
    work, memory = compiled.workspace, machine_memory.words(compiled.size // 8)
    work.limits(10, 1000)
    monkeypatch.setattr(host().memory, "take", lambda size: 0)
    compiled.deal(memory, work.address, 1, 0)
    fault = compiled.lowered.fault_of(memoryview(memory).cast("B"))
    assert fault is not None
    assert fault[1] == "this needs more memory than the native engine has"


def test_an_interrupt_while_memory_is_taken_is_raised(
    chosen: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal handler runs in the function that WebAssembly calls: ctypes only prints what it raises."""
    reference = ReferenceGame("subsets", *check(Source("subsets", SUBSETS), lint=False).sound())
    compiled = NativeGame("subsets", reference.program, reference.facts).playing
    work, memory = compiled.workspace, machine_memory.words(compiled.size // 8)
    work.limits(10, 1000)

    def interrupted(size: int) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(host().memory, "take", interrupted)
        with pytest.raises(KeyboardInterrupt):
            compiled.deal(memory, work.address, 1, 0)
    compiled.deal(memory, work.address, 1, 0)
    assert compiled.lowered.fault_of(memoryview(memory).cast("B")) is None


def test_python_ends_without_a_word(wasm: Backend) -> None:
    """Objects of wasmtime and blocks of its memory are alive when modules are torn down."""
    program = """
import upcard
game = upcard.load("kuhn-poker")
kept = [game.deal(seed=1), game, game.simulate(5, workers=1)]
kept.append(kept)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "UPCARD_BACKEND": "wasm"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout + done.stderr == ""


def test_threads_have_stores_of_their_own(wasm: Backend) -> None:
    game = upcard.load("kuhn-poker")
    code = playouts(game.program, game.facts, wasm)
    found: list[tuple[int, list[Any]]] = []

    def play() -> None:
        found.append((id(host().store), NativeBatch(code, 4, Limits(), Sums()).recorder.all_rows(0, 200)))
        barrier.wait()

    barrier = threading.Barrier(3)
    threads = [threading.Thread(target=play) for _ in range(2)]
    for thread in threads:
        thread.start()
    barrier.wait()
    for thread in threads:
        thread.join()
    (one, mine), (other, theirs) = found
    assert one != other
    assert mine == theirs


def test_dropped_modules_are_freed(wasm: Backend) -> None:
    module = ir.Module("data", data={"d": b"abcdefgh" * 2000})
    module.add(ir.Function("f", (), (ir.Return(ir.Load("u8", ir.Data("d"), ir.Const(9))),), exported=True))
    data = wasm.compile(wasm.text(module))
    gc.collect()
    before, stores = host().memory.used, set()
    kept: list[Callable[[], int]] = [wasm.load(data).function("f", INT)]
    for _ in range(100 + 2 * len(host().loaded)):
        assert wasm.load(data).function("f", INT)() == ord("b")
        stores.add(host().store.drops)
    assert kept[0]() == ord("b")
    assert len(stores) > 1, "a store with many dropped modules is replaced"
    assert host().memory.used <= before + 2 * len(module.data["d"])
