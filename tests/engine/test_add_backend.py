"""A toy backend, added by the steps in CONTRIBUTING.md: it interprets the IR in Python."""

from __future__ import annotations

import base64
import ctypes
import math
import operator
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import upcard
from upcard.engine.native import ir
from upcard.engine.native.backends import select
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.machine_memory import SYSTEM

WIDTHS: dict[ir.Width, Any] = {
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "i64": ctypes.c_int64,
    "f64": ctypes.c_double,
}
TYPES: dict[ir.Type, Any] = {"int": ctypes.c_int64, "float": ctypes.c_double, "ptr": ctypes.c_void_p}
WORD = 1 << 64


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def nth_bit(a: int, n: int) -> int:
    bits = [bit for bit in range(64) if a >> bit & 1]
    return bits[n & 63] if (n & 63) < len(bits) else 64


def unsigned(operation: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda a, b: operation(a % WORD, b % WORD)


def overflows(operation: Callable[[int, int], int]) -> Callable[[int, int], bool]:
    return lambda a, b: not -(1 << 63) <= operation(a, b) < 1 << 63


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "shl": lambda a, b: a << (b & 63),
    "ashr": lambda a, b: a >> (b & 63),
    "lshr": lambda a, b: a % WORD >> (b & 63),
    "umulh": unsigned(lambda a, b: a * b >> 64),
    "sdiv": truncated,
    "srem": lambda a, b: a - b * truncated(a, b),
    "udiv": unsigned(operator.floordiv),
    "urem": unsigned(operator.mod),
    "nth_bit": nth_bit,
    "eq": operator.eq,
    "ne": operator.ne,
    "slt": operator.lt,
    "sle": operator.le,
    "sgt": operator.gt,
    "sge": operator.ge,
    "ult": unsigned(operator.lt),
    "ule": unsigned(operator.le),
    "ugt": unsigned(operator.gt),
    "uge": unsigned(operator.ge),
    "sadd_over": overflows(operator.add),
    "ssub_over": overflows(operator.sub),
    "smul_over": overflows(operator.mul),
    "fadd": operator.add,
    "fsub": operator.sub,
    "fmul": operator.mul,
    "fdiv": operator.truediv,
    "feq": operator.eq,
    "fne": operator.ne,
    "flt": operator.lt,
    "fle": operator.le,
    "fgt": operator.gt,
    "fge": operator.ge,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "not": operator.invert,
    "popcount": lambda a: (a % WORD).bit_count(),
    "ctz": lambda a: nth_bit(a, 0),
    "clz": lambda a: 64 - (a % WORD).bit_length(),
    "itof": float,
    "ftoi": int,
    "fsqrt": math.sqrt,
}


class Jump(Exception):
    """Leaves blocks: for a break, a continue, a go (with the step) or a return (with the value)."""

    def __init__(self, kind: type[ir.Stmt], value: Any = None) -> None:
        self.kind, self.value = kind, value


class Frame:
    """One call of a function."""

    def __init__(self, loaded: Interpreted, function: ir.Function, arguments: Sequence[Any]) -> None:
        self.loaded = loaded
        self.locals = {p.name: value for p, value in zip(function.parameters, arguments, strict=True)}

    def run(self, body: Sequence[ir.Stmt]) -> None:
        for stmt in body:
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Assign):
            self.locals[stmt.local.name] = self.value(stmt.value)
        elif isinstance(stmt, ir.Store):
            self.cell(stmt).value = self.value(stmt.value)
        elif isinstance(stmt, ir.Branch):
            self.run(stmt.then if self.value(stmt.test) else stmt.other)
        elif isinstance(stmt, ir.While):
            self.loop(stmt)
        elif isinstance(stmt, ir.Steps):
            self.steps(stmt)
        elif isinstance(stmt, ir.Do):
            self.value(stmt.call)
        elif isinstance(stmt, ir.Return):
            raise Jump(ir.Return, self.value(stmt.value))
        else:
            raise Jump(type(stmt), stmt.to if isinstance(stmt, ir.Go) else None)

    def loop(self, stmt: ir.While) -> None:
        while self.value(stmt.test):
            try:
                self.run(stmt.body)
            except Jump as jump:
                if jump.kind is ir.Break:
                    return
                if jump.kind is not ir.Continue:
                    raise

    def steps(self, stmt: ir.Steps) -> None:
        step = self.value(stmt.start)
        assert step in stmt.starts
        while True:
            try:
                self.run(stmt.blocks[step])
            except Jump as jump:
                if jump.kind is not ir.Go:
                    raise
                step = jump.value

    def cell(self, node: ir.Load | ir.Store) -> Any:
        at = self.value(node.base) + self.value(node.index) * ir.SIZES[node.width]
        return WIDTHS[node.width].from_address(at)

    def value(self, node: ir.Expr) -> Any:
        if isinstance(node, ir.Const):
            return signed(node.value) if isinstance(node.value, int) else node.value
        if isinstance(node, ir.Local):
            return self.locals[node.name]
        if isinstance(node, ir.Binary):
            result = BINARY[node.op](self.value(node.left), self.value(node.right))
            return signed(int(result)) if node.type == "int" else result
        if isinstance(node, ir.Unary):
            return UNARY[node.op](self.value(node.of))
        if isinstance(node, ir.Load):
            return self.cell(node).value
        if isinstance(node, ir.Offset):
            return self.value(node.base) + self.value(node.bytes)
        if isinstance(node, ir.Data):
            return ctypes.addressof(self.loaded.data[node.name])
        if isinstance(node, ir.Conditional):
            return self.value(node.then if self.value(node.test) else node.other)
        assert isinstance(node, ir.Call | ir.CallAt)
        arguments = [self.value(argument) for argument in node.arguments]
        if isinstance(node, ir.Call):
            return self.loaded.call(node.name, *arguments)
        kind = ctypes.CFUNCTYPE(TYPES[node.type], *(TYPES[argument.type] for argument in node.arguments))
        return kind(self.value(node.address))(*arguments)


class Interpreted:
    """A loaded module."""

    def __init__(self, module: ir.Module) -> None:
        self.functions = module.functions
        self.data = {name: ctypes.create_string_buffer(data, len(data)) for name, data in module.data.items()}
        self._callbacks: dict[str, Any] = {}

    def call(self, name: str, *arguments: Any) -> Any:
        function = self.functions[name]
        try:
            Frame(self, function, arguments).run(function.body)
        except Jump as jump:
            if jump.kind is ir.Return:
                return jump.value
        raise AssertionError(f"{name} ended without a value")

    def address(self, name: str) -> int:
        if name not in self._callbacks:
            function = self.functions[name]
            kind = ctypes.CFUNCTYPE(TYPES[function.result], *(TYPES[p.type] for p in function.parameters))
            self._callbacks[name] = kind(lambda *arguments: self.call(name, *arguments))
        return ctypes.cast(self._callbacks[name], ctypes.c_void_p).value or 0

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        def call(*arguments: Any) -> Any:
            kept = [ctypes.create_string_buffer(a, len(a)) if isinstance(a, bytes) else a for a in arguments]
            values = (ctypes.addressof(a) if isinstance(a, ctypes.Array) else a for a in kept)
            return self.call(name, *(getattr(value, "value", value) for value in values))

        return call


class PythonBackend:
    name, note = "python", ""
    identity = ("python",)
    allocator = SYSTEM

    def text(self, module: ir.Module) -> str:
        return base64.b64encode(pickle.dumps(module)).decode()

    def compile(self, text: str) -> bytes:
        return base64.b64decode(text)

    def load(self, data: bytes) -> Interpreted:
        return Interpreted(pickle.loads(data))


def test_a_new_backend_plays_the_games_of_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setitem(select.BACKENDS, "python", lambda missing: PythonBackend())
    monkeypatch.setenv("UPCARD_BACKEND", "python")
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    native = upcard.load("kuhn-poker")
    reference = upcard.load("kuhn-poker", engine="reference")
    for number in range(3):
        states = [game.deal(seed=7, number=number) for game in (native, reference)]
        while states[0].to_move is not None:
            first, second = ([state.observe(seat) for seat in range(2)] for state in states)
            assert first == second
            for state in states:
                state.play(number % state.choices)
        assert states[0].records == states[1].records
        assert states[0].outcome == states[1].outcome
    assert native.note == "", "the reference engine did not step in"
