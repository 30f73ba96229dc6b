"""The IR, its verifier and its two ways out: every operation gives the same number everywhere."""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upcard.engine.native import ir, machine_memory
from upcard.engine.native.backends import c
from upcard.engine.native.backends.select import Loaded, NoMachineCode, choose_backend
from upcard.engine.native.backends.wasm.wasmtime_backend import find_wasmtime
from upcard.engine.native.ir_text import show
from upcard.engine.native.ir_verifier import BrokenIR, verify
from upcard.engine.native.kernels import language as subset
from upcard.engine.native.kernels import random_numbers as chance_kernels
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.kernels.language import Int, Memory, Ptr, i64, prefetch
from upcard.engine.native.kernels.struct_access import NotInSubset
from upcard.engine.rng import Stream

llvm = pytest.importorskip("upcard.engine.native.backends.llvm", reason="llvmlite is not installed here")

INT, FLOAT, PTR = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p
FLAGS = ["-O1", "-Wall", "-Werror", "-fno-strict-aliasing", "-shared", "-fPIC"]
FLAGS += [f"-Wno-unused-{what}" for what in ("function", "variable", "but-set-variable")]
EDGES = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    62,
    63,
    64,
    1 << 31,
    -(1 << 31),
    2**63 - 1,
    -(2**63),
    2**62,
    0x0123456789ABCDEF,
]


def by_llvm(module: ir.Module) -> Callable[..., Any]:
    loaded = llvm.load(llvm.to_object(module))
    return lambda name, result, *types: loaded.function(name, result, *types)


def by_c(module: ir.Module, folder: Path) -> Callable[..., Any]:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    folder.mkdir(exist_ok=True)
    (folder / "m.c").write_text(c.to_c(module))
    built = folder / "m.so"
    subprocess.run(
        [compiler, *FLAGS, "-o", str(built), str(folder / "m.c")],
        check=True,
    )
    library = ctypes.CDLL(str(built))

    def find(name: str, result: Any, *types: Any) -> Any:
        function = getattr(library, c.PREFIX + name)
        function.restype, function.argtypes = result, types
        return function

    return find


def by_wasm(module: ir.Module) -> Callable[..., Any]:
    try:
        backend = find_wasmtime("")
    except NoMachineCode as error:
        pytest.skip(str(error))
    return backend.load(backend.compile(backend.text(module))).function


BACKENDS = ["llvm", "c", "wasm"]


def built(backend: str, module: ir.Module, folder: Path) -> Callable[..., Any]:
    """Finds functions of a module by their names and types."""
    if backend == "c":
        return by_c(module, folder)
    return by_llvm(module) if backend == "llvm" else by_wasm(module)


def operations() -> ir.Module:
    """A function for each operation on whole numbers."""
    module = ir.Module("operations")
    a, b = ir.Local("a", "int"), ir.Local("b", "int")
    for op, types in ir.BINARY.items():
        if types[0] == "int":
            module.add(ir.Function(op, (a, b), (ir.Return(ir.Binary(op, a, b)),), exported=True))
    for op, types in ir.UNARY.items():
        if types == ("int", "int"):
            module.add(ir.Function(f"{op}_", (a,), (ir.Return(ir.Unary(op, a)),), exported=True))
    return module


SIGNED: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "ashr": lambda a, b: a >> (b & 63),
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ule": lambda a, b: 1 - subset.ult(b, a),
    "ugt": lambda a, b: subset.ult(b, a),
    "uge": lambda a, b: 1 - subset.ult(a, b),
    "sadd_over": lambda a, b: subset.signed(a + b) != a + b,
    "ssub_over": lambda a, b: subset.signed(a - b) != a - b,
    "smul_over": lambda a, b: subset.signed(a * b) != a * b,
}


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_operation_on_the_edges(backend: str, tmp_path: Path) -> None:
    module = operations()
    verify(module)
    find = built(backend, module, tmp_path)
    for op, types in ir.BINARY.items():
        if types[0] != "int":
            continue
        native = find(op, INT, INT, INT)
        expected = SIGNED.get(op) or getattr(subset, op)
        for a in EDGES:
            for b in EDGES:
                if b == 0 and op in ("sdiv", "srem", "udiv", "urem"):
                    continue
                assert native(a, b) == expected(a, b), f"{op} {a} {b}"
    for op in ("popcount", "ctz", "clz"):
        native = find(f"{op}_", INT, INT)
        assert [native(a) for a in EDGES] == [getattr(subset, op)(a) for a in EDGES]
    assert [find("not_", INT, INT)(a) for a in EDGES] == [~a for a in EDGES]


def collatz(n: Int, most: Int) -> Int:
    """Loops, branches, breaks: the steps until 1, or -1."""
    steps = 0
    for i in range(most):
        if n == 1 or n == 0:
            return steps
        if n & 1 == 0:
            n = n >> 1
            steps += 1
            continue
        n = 3 * n + 1
        steps = steps + 1 if i >= 0 else 0
    while 1:
        steps -= 1
        if not steps > 0:
            break
    return -1


def widths_plain(p: Ptr) -> Int:
    set_u8(p, 1, 300)
    set_u16(p, 1, 70000)
    set_u32(p, 1, 8589934597)
    set_i64(p, 1, 0 - 7)
    set_f64(p, 2, itof(3) / 2.0 + fsqrt(2.25))
    q = offset(p, 8)
    return u8(p, 1) + u16(p, 1) + u32(p, 1) + i64(q, 0) + ftoi(f64(q, 1))


from upcard.engine.native.kernels.language import (  # noqa: E402  (names that the kernel above uses bare)
    add,
    call_at,
    f64,
    fsqrt,
    ftoi,
    itof,
    offset,
    set_f64,
    set_i64,
    set_u8,
    set_u16,
    set_u32,
    u8,
    u16,
    u32,
)


def any_names(entry: Int, int: Int) -> Int:
    """Locals may be called what a backend calls its own things."""
    total = 0
    for v in range(entry):
        then = v if int > v else 0
        for slot in range(then):
            total += slot
    return total


@pytest.mark.parametrize("backend", BACKENDS)
def test_locals_may_have_any_name(backend: str, tmp_path: Path) -> None:
    module = compile_kernels("t", [any_names])
    find = built(backend, module, tmp_path)
    assert find("any_names", INT, INT, INT)(9, 7) == any_names(9, 7) == 35


@pytest.mark.parametrize("backend", BACKENDS)
def test_kernels_run_alike(backend: str, tmp_path: Path) -> None:
    module = compile_kernels("t", [collatz, widths_plain])
    find = built(backend, module, tmp_path)
    native = find("collatz", INT, INT, INT)
    for n in (1, 2, 7, 27, 97, 871):
        for most in (0, 1, 10, 1000):
            assert native(n, most) == collatz(n, most)
    memory, buffer = Memory(bytearray(24)), machine_memory.words(3)
    assert find("widths_plain", INT, PTR)(buffer) == widths_plain(memory)
    assert bytes(buffer) == bytes(memory.bytes)


@pytest.mark.parametrize("backend", BACKENDS)
def test_chance_is_the_same_to_the_bit(backend: str, tmp_path: Path) -> None:
    module = compile_kernels("chance", chance_kernels.KERNELS)
    find = built(backend, module, tmp_path)
    name_word, seed_stream = find("name_word", INT, INT, INT), find("seed_stream", INT, PTR, INT)
    below, shuffle = find("below", INT, PTR, INT), find("shuffle_bytes", INT, PTR, PTR, INT)
    for words in ((7, 3, 0), (2**64 - 1, 5, 1, 2), (0,)):
        h = 0
        for word in words:
            h = name_word(h, subset.signed(word))
        buffer, oracle, memory = machine_memory.words(4), Stream(words), Memory(bytearray(32))
        seed_stream(buffer, h)
        chance_kernels.seed_stream(memory, h)
        assert bytes(buffer) == bytes(memory.bytes)
        for n in (1, 2, 3, 24, 52, 2**40 + 1, 2**62 + 12345, 2**63 - 1) * 3:
            assert below(buffer, n) == oracle.below(n) == chance_kernels.below(memory, n)
        cards, theirs = (ctypes.c_uint8 * 52).from_buffer(machine_memory.words(7)), list(range(52))
        cards[:] = [*theirs]
        shuffle(buffer, cards, 52)
        oracle.shuffle(theirs)
        assert list(cards) == theirs


def refused(function: Callable[..., Any]) -> str:
    with pytest.raises(NotInSubset) as raised:
        compile_kernels("t", [function])
    return str(raised.value)


def test_what_lies_outside_the_subset_is_refused_with_its_line() -> None:
    def divides(a: Int) -> Int:
        return a // 2

    def lists(a: Int) -> Int:
        b = [a]
        return b[0]

    def mixes(a: Int) -> Int:
        return a + 1.5  # type: ignore[return-value]

    def calls(a: Int) -> Int:
        return abs(a)

    def untyped(a) -> Int:  # type: ignore[no-untyped-def]
        return a  # type: ignore[no-any-return]

    assert "by name" in refused(divides)
    assert "List is not in the subset" in refused(lists)
    assert "int and float" in refused(mixes)
    assert "abs is neither" in refused(calls)
    assert "written out" in refused(untyped)
    line = divides.__code__.co_firstlineno + 1
    assert f":{line}:" in refused(divides)


def test_the_verifier_finds_what_is_broken() -> None:
    a, x = ir.Local("a", "int"), ir.Local("x", "int")
    real = ir.Local("x", "float")

    def broken(*body: ir.Stmt) -> str:
        module = ir.Module("m")
        module.add(ir.Function("f", (a,), body))
        with pytest.raises(BrokenIR) as raised:
            verify(module)
        return str(raised.value)

    assert "without a value" in broken(ir.Assign(x, a))
    assert "may have no value" in broken(ir.Branch(a, (ir.Assign(x, a),)), ir.Return(x))
    assert "two types" in broken(ir.Assign(x, a), ir.Assign(real, ir.Const(1.0, "float")), ir.Return(a))
    assert "outside a loop" in broken(ir.Break(), ir.Return(a))
    assert "no function" in broken(ir.Return(ir.Call("g", ())))
    assert "wants float" in broken(ir.Return(ir.Binary("fadd", a, a)))
    assert "no constant" in broken(ir.Return(ir.Const(2**64)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_choosing_without_a_jump_is_drawing_below(backend: str, tmp_path: Path) -> None:
    module = compile_kernels("chance", chance_kernels.KERNELS)
    find = built(backend, module, tmp_path)
    choose, below = find("choose_below", INT, PTR, INT, INT), find("below", INT, PTR, INT)
    words = chance_kernels.SPARE + 4
    one, other = machine_memory.words_of([*range(words)]), machine_memory.words_of([8, 9, 10, 11])
    memory = Memory(bytearray(one))
    for n in [*range(1, 40), 1, 1, 2**62 + 1, (1 << 63) - 1, 1] * 20:
        drawn = below(other, n)
        assert choose(one, 2, n) == drawn == chance_kernels.choose_below(memory, 2, n)
        assert one[8:12] == list(other)
        if n == 1:
            assert drawn == 0
    assert bytes(one) == bytes(memory.bytes)
    seats = [*range(8), *other, *range(12, chance_kernels.SPARE)]
    assert one[: chance_kernels.SPARE] == seats, "no other seat's stream is touched"


def steps() -> ir.Module:
    """Counts down by threes or ones, from block to block; a select says by which."""
    module = ir.Module("steps")
    n, start, total = ir.Local("n", "int"), ir.Local("start", "int"), ir.Local("total", "int")
    many = ir.Binary("sgt", n, ir.Const(3))
    less = ir.Select(many, ir.Const(3), ir.Const(1))
    blocks: tuple[tuple[ir.Stmt, ...], ...] = (
        (ir.Branch(ir.Binary("sle", n, ir.Const(0)), (ir.Go(2),)), ir.Go(1)),
        (
            ir.Assign(n, ir.Binary("sub", n, less)),
            ir.Assign(total, ir.Binary("add", total, ir.Const(1))),
            ir.Go(0),
        ),
        (ir.Return(total),),
    )
    body = (ir.Assign(total, ir.Const(0)), ir.Steps(start, blocks, tuple(range(len(blocks)))))
    module.add(ir.Function("f", (n, start), body, exported=True))
    verify(module)
    return module


@pytest.mark.parametrize("backend", BACKENDS)
def test_steps_lead_to_each_other(backend: str, tmp_path: Path) -> None:
    module = steps()
    find = built(backend, module, tmp_path)
    native = find("f", INT, INT, INT)
    assert [native(n, 0) for n in (-1, 0, 1, 3, 4, 10)] == [0, 0, 1, 3, 2, 4]
    assert native(5, 2) == 0
    assert native(0, 1) == 1
    assert "step 1:" in show(module)
    assert "select((n sgt 3), 3, 1)" in show(module)


SPREAD = (1, 5, 8, 13, 24, 32, 52, 64)


def spreads() -> ir.Module:
    """Functions that spread three words of `given` behind a byte of `row`: two by known values."""
    given, row = ir.Local("given", "ptr"), ir.Local("row", "ptr")
    words = [ir.Load("i64", given, ir.Const(n)) for n in range(4)]
    planes = ((words[0], ir.Const(1)), (words[1], ir.Const(200)), (words[2], words[3]))
    module = ir.Module("spreads")
    for count in SPREAD:
        body = (ir.Spread(row, ir.Const(3), count, planes), ir.Return(ir.Const(0)))
        module.add(ir.Function(f"spread_{count}", (given, row), body, exported=True))
    clear = (ir.Spread(row, ir.Const(1), 7, ()), ir.Return(ir.Const(0)))
    module.add(ir.Function("clear", (given, row), clear, exported=True))
    verify(module)
    return module


@pytest.mark.parametrize("backend", ["llvm", "as shipped", "c"])
def test_bits_are_spread_to_bytes(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte is the sum of the values whose mask has its bit; nothing is written beside them."""
    if backend == "as shipped":
        monkeypatch.delenv("UPCARD_OPT", raising=False)
    module, stream = spreads(), Stream((7,))
    find = by_c(module, tmp_path) if backend == "c" else by_llvm(module)
    for count in SPREAD:
        masks = [stream.next() for _ in range(3)]
        given, row = (ctypes.c_uint64 * 4)(*masks, 300), (ctypes.c_uint8 * 80)(*[9] * 80)
        find(f"spread_{count}", INT, PTR, PTR)(given, row)
        pairs = list(zip(masks, (1, 200, 300), strict=True))
        wanted = [sum((mask >> k & 1) * value for mask, value in pairs) % 256 for k in range(count)]
        assert list(row) == [9] * 3 + wanted + [9] * (77 - count)
    row = (ctypes.c_uint8 * 80)(*[9] * 80)
    find("clear", INT, PTR, PTR)(given, row)
    assert list(row[:9]) == [9, *[0] * 7, 9]


@pytest.mark.parametrize("backend", ["llvm", "c"])
def test_prefetching_changes_nothing(backend: str, tmp_path: Path) -> None:
    """Wherever it leads: no address is too far away."""
    module = compile_kernels("fetching", (fetched,))
    find = by_llvm(module) if backend == "llvm" else by_c(module, tmp_path)
    memory = (ctypes.c_int64 * 2)(5, 6)
    assert find("fetched", INT, PTR, INT)(memory, 1 << 40) == 5
    assert fetched(Memory(bytearray(memory)), 1 << 40) == 5
    assert "prefetch u8[p, far]" in show(module)


def fetched(p: Ptr, far: Int) -> Int:
    prefetch(p, far)
    return i64(p, 0)


def test_a_spread_has_up_to_64_bytes() -> None:
    row = ir.Local("row", "ptr")
    for count in (0, 65):
        module = ir.Module("m")
        module.add(ir.Function("f", (row,), (ir.Spread(row, ir.Const(0), count, ()), ir.Return(ir.Const(0)))))
        with pytest.raises(BrokenIR, match=f"{count} bytes are not spread at once"):
            verify(module)
    assert "u8[row, 3] = 5 bits of i64[given, 0] as 1, i64[given, 1] as 200" in show(spreads())


def test_the_verifier_knows_steps() -> None:
    a = ir.Local("a", "int")

    def broken(*blocks: tuple[ir.Stmt, ...]) -> str:
        module = ir.Module("m")
        module.add(ir.Function("f", (a,), (ir.Steps(a, blocks, (0,)),)))
        with pytest.raises(BrokenIR) as raised:
            verify(module)
        return str(raised.value)

    assert "leads nowhere" in broken((ir.Assign(a, a),))
    assert "no step 1" in broken((ir.Go(1),))
    assert "inside steps" in broken((ir.Steps(a, ((ir.Return(a),),), (0,)),))
    assert "start where there is none" in broken()


def difference(memory: Ptr, a: Int, b: Int) -> Int:
    set_i64(memory, 0, add(i64(memory, 0), 1))
    return a - b


def largest(a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) -> Int:
    return call_at(f, a, b, c, d, e) if f != 0 else a + 10 * b + 100 * c + 1000 * d + 10000 * e


def nothing() -> Int:
    return 77


def calls_others(addresses: Ptr, memory: Ptr, a: Int, b: Int) -> Int:
    """For their value, for what they do, with one argument inside another, with none, with six."""
    first = i64(addresses, 0)
    call_at(first, memory, a, b)
    inner = call_at(first, memory, call_at(first, offset(memory, 8), a, b), 1)
    call_at(i64(addresses, 1), a, b, 0, 0, 0, 0)
    return 1000000 * call_at(i64(addresses, 2)) + call_at(i64(addresses, 1), inner, 2, 3, 4, 5, 0)


def address_of(function: Any) -> int:
    return function.address if hasattr(function, "address") else ctypes.cast(function, PTR).value or 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_module_calls_another_through_addresses(backend: str, tmp_path: Path) -> None:
    called = compile_kernels("called", [difference, largest, nothing])
    calling = compile_kernels("calling", [calls_others])
    find = [built(backend, module, tmp_path / module.name) for module in (called, calling)]
    found = [
        find[0]("difference", INT, PTR, INT, INT),
        find[0]("largest", INT, *[INT] * 6),
        find[0]("nothing", INT),
    ]
    addresses = machine_memory.words_of([address_of(function) for function in found])
    counts = machine_memory.words(2)
    memory = Memory(bytearray(16))
    functions: list[Callable[..., int]] = [difference, largest, nothing]
    python = Memory(bytearray(struct.pack("<3q", *map(subset.address_of, functions))))
    for a, b in ((5, 3), (-7, 2**40), (0, 0)):
        native = find[1]("calls_others", INT, PTR, PTR, INT, INT)(addresses, counts, a, b)
        assert native == calls_others(python, memory, a, b) == 77000000 + (a - b - 1) + 54320
    assert bytes(counts) == bytes(memory.bytes) == struct.pack("<2q", 6, 3)
    assert "at[first](memory, a, b)" in show(calling)
    assert "inner = at[first](memory, at[first]((memory + 8 bytes), a, b), 1)" in show(calling)


@pytest.mark.parametrize("backend", BACKENDS)
def test_loaded_code_tells_addresses(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_BACKEND", backend)
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    if backend == "c" and not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("there is no C compiler here")
    chosen = choose_backend()

    def loaded(name: str, kernels: list[Callable[..., Any]]) -> Loaded:
        return chosen.load(chosen.compile(chosen.text(compile_kernels(name, kernels))))

    called, calling = loaded("called", [difference, largest, nothing]), loaded("calling", [calls_others])
    addresses = machine_memory.words_of([*map(called.address, ("difference", "largest", "nothing"))])
    counts = machine_memory.words(2)
    assert calling.function("calls_others", INT, PTR, PTR, INT, INT)(addresses, counts, 9, 4) == 77054324
    assert list(counts) == [2, 1]
    with pytest.raises(KeyError):
        called.address("smallest")


def test_what_a_call_through_an_address_takes() -> None:
    def of_pointer(p: Ptr) -> Int:
        return call_at(p, 1)  # type: ignore[arg-type]

    def of_float(a: Int) -> Int:
        return call_at(a, 1.5)  # type: ignore[arg-type]

    def of_none(a: Int) -> Int:
        return call_at()  # type: ignore[call-arg]

    assert "an address, which is an Int" in refused(of_pointer)
    assert "an address, which is an Int" in refused(of_float)
    assert "takes 1 arguments" in refused(of_none)

    a, p, f = ir.Local("a", "int"), ir.Local("p", "ptr"), ir.Local("f", "float")

    def broken(stmt: ir.Stmt) -> str:
        module = ir.Module("m")
        module.add(ir.Function("f", (a, p, f), (stmt, ir.Return(a))))
        with pytest.raises(BrokenIR) as raised:
            verify(module)
        return str(raised.value)

    assert "address of a call wants int, not ptr" in broken(ir.Do(ir.CallAt(p, (a,))))
    assert "not float" in broken(ir.Do(ir.CallAt(a, (f,))))
    assert "gives int, not ptr" in broken(ir.Assign(p, ir.CallAt(a, (), "ptr")))
    assert "only a call" in broken(ir.Do(a))  # type: ignore[arg-type]


def test_ir_prints() -> None:
    text = show(compile_kernels("chance", chance_kernels.KERNELS))
    assert "export def below(stream: ptr, n: int) -> int:" in text
    assert "while ((x mul n) ult floor):" in text


@pytest.mark.parametrize(
    "triple", ["aarch64-apple-darwin", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc"]
)
def test_objects_for_other_machines(triple: str) -> None:
    target = llvm.machine(triple, "generic", "")
    module = compile_kernels("chance", chance_kernels.KERNELS)
    assert len(llvm.to_object(module, target)) > 500
    assembly = llvm.to_assembly(module, target)
    assert "below" in assembly


@pytest.mark.parametrize(("stored", "loads"), [("", 2), ("set", 2), ("set/3", 2), ("set/4", 0), ("word", 0)])
def test_a_write_of_another_kind_changes_nothing(
    stored: ir.Kind, loads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read before a write is read again only where the write may have changed it."""
    monkeypatch.delenv("UPCARD_OPT", raising=False)
    base, a, b = ir.Local("base", "ptr"), ir.Local("a", "int"), ir.Local("b", "int")
    first, read = ir.Local("first", "int"), ir.Load("i64", base, a, "set/3")
    body = (
        ir.Assign(first, read),
        ir.Store("i64", base, b, ir.Const(7), stored),
        ir.Return(ir.Binary("sub", first, read)),
    )
    module = ir.Module("kinds")
    module.add(ir.Function("f", (base, a, b), body, exported=True))
    verify(module)
    made = str(llvm.optimize(llvm.to_llvm(module), llvm.machine()))
    (function,) = (part for part in made.split("\ndefine ") if "@upcard_f(" in part.partition("\n")[0])
    assert function.partition("\n}")[0].count("load i64") == loads


def test_what_is_called_once_is_inlined_and_what_is_rare_is_not() -> None:
    n = ir.Local("n", "int")
    module = ir.Module("calls")
    module.add(ir.Function("one", (n,), (ir.Return(ir.Binary("add", n, ir.Const(1))),)))
    module.add(ir.Function("two", (n,), (ir.Return(ir.Binary("mul", n, n)),)))
    module.add(ir.Function("seldom", (n,), (ir.Return(ir.Binary("xor", n, ir.Const(5))),), rare=True))
    calls = [ir.Call(name, (n,)) for name in ("one", "two", "two", "seldom")]
    total: ir.Expr = ir.Const(0)
    for call in calls:
        total = ir.Binary("add", total, call)
    module.add(ir.Function("f", (n,), (ir.Return(total),), exported=True))
    verify(module)
    heads = {
        line.partition("(")[0].rpartition("_")[2]: line
        for line in llvm.to_llvm(module).splitlines()
        if line.startswith("define") and "upcard_" in line
    }
    assert {name: "alwaysinline" in head for name, head in heads.items()} == {
        "one": True,
        "two": False,
        "seldom": False,
        "f": False,
    }
    assert by_llvm(module)("f", INT, INT)(3) == 4 + 9 + 9 + 6
