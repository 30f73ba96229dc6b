"""Writes expressions.

Integers are i64, pointers i32, floats f64. A test is an i32 wherever only its truth is needed (`test`), and
an index or an offset is computed in 32 bits where only its low half is needed (`narrow`). Constant parts of
an address go into the instruction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.engine.native import ir
from upcard.engine.native.backends.wasm.binary_format import (
    EMPTY,
    I32,
    I64,
    OP,
    TYPES,
    float_bytes,
    signed,
    unsigned,
)
from upcard.engine.native.kernels.language import signed as wrapped

if TYPE_CHECKING:
    from upcard.engine.native.backends.wasm.module_writer import ModuleWriter

MAX_OFFSET = 1 << 16
"""Constant parts of addresses up to this go into the instruction, where they are added without wrapping
around. What is before it must not be negative: no memory begins below this."""

CHEAP = 4
"""Both arms of a condition are computed if neither takes more than this many operations."""

_LOADS: dict[ir.Width, str] = {
    "u8": "i64.load8_u",
    "u16": "i64.load16_u",
    "u32": "i64.load32_u",
    "i64": "i64.load",
    "f64": "f64.load",
    "ptr": "i32.load",
}
STORES: dict[ir.Width, str] = {
    "u8": "i64.store8",
    "u16": "i64.store16",
    "u32": "i64.store32",
    "i64": "i64.store",
    "f64": "f64.store",
    "ptr": "i64.store",
}
_NARROW_LOADS: dict[ir.Width, str] = {
    "u8": "i32.load8_u",
    "u16": "i32.load16_u",
    "u32": "i32.load",
    "i64": "i32.load",
}
_ALIGNMENTS: dict[ir.Width, int] = {"u8": 0, "u16": 1, "u32": 2, "i64": 3, "f64": 3, "ptr": 3}
_PLAIN = {
    **{op: f"i64.{op}" for op in ("add", "sub", "mul", "and", "or", "xor", "shl")},
    "lshr": "i64.shr_u",
    "ashr": "i64.shr_s",
    **{f"f{op}": f"f64.{op}" for op in ("add", "sub", "mul", "div")},
}
_TESTS = {
    **{op: f"i64.{op}" for op in ("eq", "ne")},
    **{f"{sign}{op}": f"i64.{op}_{sign}" for sign in "su" for op in ("lt", "le", "gt", "ge")},
    **{f"f{op}": f"f64.{op}" for op in ("eq", "ne", "lt", "le", "gt", "ge")},
}
_NARROW = {op: f"i32.{op}" for op in ("add", "sub", "mul", "and", "or", "xor")}
_DIVISIONS = {"sdiv": "i64.div_s", "srem": "i64.rem_s", "udiv": "i64.div_u", "urem": "i64.rem_u"}
_UNARY = {
    "popcount": "i64.popcnt",
    "ctz": "i64.ctz",
    "clz": "i64.clz",
    "itof": "f64.convert_i64_s",
    "ftoi": "i64.trunc_sat_f64_s",
    "fsqrt": "f64.sqrt",
}


class ExpressionWriter:
    """What `FunctionWriter` writes between statements."""

    code: bytearray

    def __init__(self, module: ModuleWriter) -> None:
        self.module = module

    def local(self, local: ir.Local) -> int:
        raise NotImplementedError

    def new_local(self, of_type: int) -> int:
        raise NotImplementedError

    def free_local(self, number: int) -> None:
        raise NotImplementedError

    def inline(self, function: ir.Function, node: ir.Call) -> None:
        raise NotImplementedError

    def open(self, kind: str, result: int = EMPTY) -> int:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def get(self, number: int) -> None:
        self.code += OP["local.get"] + unsigned(number)

    def set(self, number: int, tee: bool = False) -> None:
        self.code += OP["local.tee" if tee else "local.set"] + unsigned(number)

    # --- values ---------------------------------------------------------------------------------

    def expr(self, node: ir.Expr) -> None:
        """Leaves a value on the stack."""
        if isinstance(node, ir.Const):
            if isinstance(node.value, float):
                self.code += OP["f64.const"] + float_bytes(node.value)
            else:
                self.code += OP["i64.const"] + signed(wrapped(node.value))
        elif isinstance(node, ir.Local):
            self.get(self.local(node))
        elif isinstance(node, ir.Load):
            at = self.address(node.base, node.index, node.width)
            self.cell(_LOADS[node.width], node.width, at)
            if node.width == "ptr":
                self.subtract_base()
        elif isinstance(node, ir.Offset | ir.Data):
            self.pointer(node)
        elif isinstance(node, ir.Binary):
            self.binary(node)
        elif isinstance(node, ir.Unary):
            self.unary(node)
        elif isinstance(node, ir.Conditional):
            if is_test(node):
                self.test(node)
                self.code += OP["i64.extend_i32_u"]
            else:
                self.conditional(node, self.expr, TYPES[node.type])
        elif isinstance(node, ir.Call):
            self.call(node)
        else:
            assert isinstance(node, ir.CallAt)
            for argument in node.arguments:
                self.expr(argument)
            self.narrow(node.address)
            signature = self.module.signature([argument.type for argument in node.arguments], node.type)
            self.code += OP["call_indirect"] + unsigned(signature) + unsigned(0)

    def binary(self, node: ir.Binary) -> None:
        op = node.op
        if is_test(node):
            self.test(node)
            self.code += OP["i64.extend_i32_u"]
        elif op in _PLAIN:
            self.expr(node.left)
            self.expr(node.right)
            self.code += OP[_PLAIN[op]]
        elif op in _DIVISIONS and isinstance(node.right, ir.Const) and node.right.value not in (0, -1):
            self.expr(node.left)
            self.expr(node.right)
            self.code += OP[_DIVISIONS[op]]
        elif op == "umulh":
            self.high_product(node)
        elif op == "nth_bit":
            self.nth_bit(node)
        else:
            self.helper(op, node.left, node.right)

    def high_product(self, node: ir.Binary) -> None:
        """Two multiplications are enough where the second factor is below 2 to the 32."""
        a, b = self.new_local(I64), self.new_local(I64)
        self.expr(node.left)
        self.set(a)
        self.expr(node.right)
        self.set(b, tee=True)
        self.number(32, "i64.shr_u")
        self.code += OP["i64.eqz"]
        self.open("if", I64)
        self.get(a)
        self.number(32, "i64.shr_u")
        self.get(b)
        self.code += OP["i64.mul"]
        self.get(a)
        self.number(0xFFFFFFFF, "i64.and")
        self.get(b)
        self.code += OP["i64.mul"]
        self.number(32, "i64.shr_u")
        self.code += OP["i64.add"]
        self.number(32, "i64.shr_u")
        self.code += OP["else"]
        self.get(a)
        self.get(b)
        self.code += OP["call"] + unsigned(self.module.helper_number("umulh"))
        self.close()
        self.free_local(a)
        self.free_local(b)

    def nth_bit(self, node: ir.Binary) -> None:
        """Drops the lowest bit n times."""
        bits, left = self.new_local(I64), self.new_local(I64)
        self.expr(node.left)
        self.set(bits)
        self.expr(node.right)
        self.number(63, "i64.and")
        self.set(left, tee=True)
        self.code += OP["i64.eqz"] + OP["i32.eqz"]
        self.open("if")
        self.open("loop")
        self.get(bits)
        self.get(bits)
        self.number(1, "i64.sub")
        self.code += OP["i64.and"]
        self.set(bits)
        self.get(left)
        self.number(1, "i64.sub")
        self.set(left, tee=True)
        self.code += OP["i64.eqz"] + OP["i32.eqz"] + OP["br_if"] + unsigned(0)
        self.close()
        self.close()
        self.get(bits)
        self.code += OP["i64.ctz"]
        self.free_local(bits)
        self.free_local(left)

    def number(self, value: int, then: str) -> None:
        """An operation with a constant."""
        self.code += OP["i64.const"] + signed(value) + OP[then]

    def unary(self, node: ir.Unary) -> None:
        self.expr(node.of)
        if node.op == "not":
            self.number(-1, "i64.xor")
        else:
            self.code += OP[_UNARY[node.op]]

    def call(self, node: ir.Call) -> None:
        function = self.module.to_inline(node.name)
        if function is not None:
            self.inline(function, node)
            return
        for argument in node.arguments:
            self.expr(argument)
        self.code += OP["call"] + unsigned(self.module.function_number(node.name))

    def helper(self, name: str, *operands: ir.Expr) -> None:
        for operand in operands:
            self.expr(operand)
        self.code += OP["call"] + unsigned(self.module.helper_number(name))

    def conditional(self, node: ir.Conditional, write: object, result: int) -> None:
        """A condition whose arms `write` writes."""
        assert callable(write)
        if isinstance(node.test, ir.Const) and not calls(node):
            write(node.then if node.test.value else node.other)
            return
        if isinstance(node, ir.If) and not (_is_cheap(node.then) and _is_cheap(node.other)):
            self.test(node.test)
            self.open("if", result)
            write(node.then)
            self.code += OP["else"]
            write(node.other)
            self.close()
        elif calls(node.test) or calls(node.then) or calls(node.other):
            # the test comes first, as everywhere
            kept = self.new_local(I32)
            self.test(node.test)
            self.set(kept)
            write(node.then)
            write(node.other)
            self.get(kept)
            self.code += OP["select"]
            self.free_local(kept)
        else:
            write(node.then)
            write(node.other)
            self.test(node.test)
            self.code += OP["select"]

    # --- tests ----------------------------------------------------------------------------------

    def test(self, node: ir.Expr) -> None:
        """Leaves an i32, not 0 if the value is not 0; where `is_test` holds, it is 0 or 1."""
        if isinstance(node, ir.Const):
            self.code += OP["i32.const"] + signed(int(node.value != 0))
        elif isinstance(node, ir.Binary) and node.op in _TESTS:
            self.comparison(node)
        elif isinstance(node, ir.Binary) and is_test(node):
            if node.op in ("sadd_over", "ssub_over"):
                self.overflow(node)
            elif node.op == "smul_over":
                self.helper(node.op, node.left, node.right)
            else:
                self.test(node.left)
                self.test(node.right)
                self.code += OP[f"i32.{node.op}"]
        elif isinstance(node, ir.Conditional) and is_test(node):
            self.conditional(node, self.test, I32)
        elif isinstance(node, ir.Load) and node.width in ("u8", "u16", "u32"):
            self.narrow(node)
        else:
            self.expr(node)
            self.number(0, "i64.ne")

    def not_test(self, node: ir.Expr) -> None:
        self.test(node)
        self.code += OP["i32.eqz"]

    def comparison(self, node: ir.Binary) -> None:
        left, right = node.left, node.right
        if node.op in ("eq", "ne") and isinstance(right, ir.Const):
            if is_test(left) and right.value in (0, 1):
                self.test(left)
                if (node.op == "eq") != bool(right.value):
                    self.code += OP["i32.eqz"]
                return
            if _is_small(left) and 0 <= right.value < 1 << 31:
                self.narrow(left)
                if right.value:
                    self.narrow(right)
                    self.code += OP[f"i32.{node.op}"]
                elif node.op == "eq":
                    self.code += OP["i32.eqz"]
                return
            if right.value == 0 and node.op == "eq":
                self.expr(left)
                self.code += OP["i64.eqz"]
                return
        if node.op in ("eq", "ne") and _is_small(left) and _is_small(right):
            self.narrow(left)
            self.narrow(right)
            self.code += OP[f"i32.{node.op}"]
            return
        self.expr(left)
        self.expr(right)
        self.code += OP[_TESTS[node.op]]

    def overflow(self, node: ir.Binary) -> None:
        """Whether a sum or a difference has the wrong sign."""
        a, b, result = (self.new_local(I64) for _ in range(3))
        self.expr(node.left)
        self.set(a)
        self.expr(node.right)
        self.set(b)
        adds = node.op == "sadd_over"
        self.get(a)
        self.get(b)
        self.code += OP["i64.add" if adds else "i64.sub"]
        self.set(result, tee=True)
        self.get(a)
        self.code += OP["i64.xor"]
        # a sum differs in sign from both, a difference from a as b does
        for local in (result, b) if adds else (a, b):
            self.get(local)
        self.code += OP["i64.xor"] + OP["i64.and"] + OP["i64.const"] + signed(0) + OP["i64.lt_s"]
        for local in (a, b, result):
            self.free_local(local)

    # --- addresses ------------------------------------------------------------------------------

    def narrow(self, node: ir.Expr) -> None:
        """Leaves the low 32 bits of an integer."""
        if isinstance(node, ir.Const):
            low = int(node.value) & 0xFFFFFFFF
            self.code += OP["i32.const"] + signed(low - (1 << 32) if low >> 31 else low)
        elif isinstance(node, ir.Load) and node.width in _NARROW_LOADS:
            at = self.address(node.base, node.index, node.width)
            self.cell(_NARROW_LOADS[node.width], node.width, at, narrow=True)
        elif is_test(node):
            self.test(node)
        elif isinstance(node, ir.Binary) and node.op in _NARROW:
            if node.op == "mul" and (shift := _power(node.left)) is not None:
                self.narrow(node.right)
                self.shift(shift)
            elif node.op == "mul" and (shift := _power(node.right)) is not None:
                self.narrow(node.left)
                self.shift(shift)
            else:
                self.narrow(node.left)
                self.narrow(node.right)
                self.code += OP[_NARROW[node.op]]
        elif (
            isinstance(node, ir.Binary)
            and node.op == "shl"
            and isinstance(node.right, ir.Const)
            and 0 <= node.right.value < 32
        ):
            self.narrow(node.left)
            self.shift(int(node.right.value))
        elif isinstance(node, ir.Conditional) and node.type == "int":
            self.conditional(node, self.narrow, I32)
        else:
            self.expr(node)
            self.code += OP["i32.wrap_i64"]

    def shift(self, bits: int) -> None:
        if bits:
            self.code += OP["i32.const"] + signed(bits) + OP["i32.shl"]

    def constant_shift(self, width: ir.Width) -> None:
        """Turns a number of elements into bytes."""
        self.shift(ir.SIZES[width].bit_length() - 1)

    def address(self, base: ir.Expr, index: ir.Expr, width: ir.Width) -> int:
        """Leaves the address of an element, but for the constant that this returns."""
        rest, constant = _split(index)
        at = constant * ir.SIZES[width]
        moves: list[tuple[ir.Expr, int]] = [] if rest is None else [(rest, ir.SIZES[width])]
        while isinstance(base, ir.Offset):
            rest, constant = _split(base.bytes)
            at += constant
            if rest is not None:
                moves.append((rest, 1))
            base = base.base
        if isinstance(base, ir.Data):
            self.code += OP["global.get"] + unsigned(self.module.memory_base)
            at += self.module.data_at(base.name)
        else:
            self.expr(base)
        for move, size in reversed(moves):
            self.narrow(move)
            self.shift(size.bit_length() - 1)
            self.code += OP["i32.add"]
        if 0 <= at < MAX_OFFSET:
            return at
        self.narrow(ir.Const(wrapped(at)))
        self.code += OP["i32.add"]
        return 0

    def pointer(self, node: ir.Expr) -> None:
        """Leaves an address."""
        at = self.address(node, ir.Const(0), "u8")
        if at:
            self.code += OP["i32.const"] + signed(at) + OP["i32.add"]

    def cell(self, name: str, width: ir.Width, at: int, narrow: bool = False) -> None:
        alignment = _ALIGNMENTS[width]
        if narrow or name == "i32.load":
            alignment = min(alignment, 2)
        self.code += OP[name] + unsigned(alignment) + unsigned(at)

    def subtract_base(self) -> None:
        """An address in memory is a real one; in WebAssembly it counts from the memory's first byte."""
        self.code += OP["global.get"] + unsigned(self.module.address_base)
        self.code += OP["i32.wrap_i64"] + OP["i32.sub"]

    def add_base(self) -> None:
        self.code += OP["i64.extend_i32_u"] + OP["global.get"] + unsigned(self.module.address_base)
        self.code += OP["i64.add"]


def is_test(node: ir.Expr) -> bool:
    """Whether a value is 0 or 1 by its form."""
    if isinstance(node, ir.Binary):
        if node.op in ("and", "or", "xor"):
            return is_test(node.left) and is_test(node.right)
        return node.op in _TESTS or node.op in ("sadd_over", "ssub_over", "smul_over")
    if isinstance(node, ir.Conditional):
        return is_test(node.then) and is_test(node.other)
    return isinstance(node, ir.Const) and node.type == "int" and node.value in (0, 1)


def _is_small(node: ir.Expr) -> bool:
    """Whether a value is certainly not negative and below 2 to the 32."""
    return isinstance(node, ir.Load) and node.width in ("u8", "u16", "u32")


def _is_cheap(node: ir.Expr, left: int = CHEAP) -> bool:
    """Whether a value may be computed in vain: quickly, reading no memory, never failing."""
    count = 0
    waiting = [node]
    while waiting:
        here = waiting.pop()
        count += 1
        if count > left:
            return False
        if isinstance(here, ir.Binary) and (here.op in _PLAIN or here.op in _TESTS):
            waiting += (here.left, here.right)
        elif isinstance(here, ir.Offset):
            waiting += (here.base, here.bytes)
        elif not isinstance(here, ir.Const | ir.Local | ir.Data):
            return False
    return True


def calls(node: ir.Expr) -> bool:
    """Whether a value takes a call."""
    if isinstance(node, ir.Call | ir.CallAt):
        return True
    if isinstance(node, ir.Binary):
        return calls(node.left) or calls(node.right)
    if isinstance(node, ir.Unary):
        return calls(node.of)
    if isinstance(node, ir.Load):
        return calls(node.base) or calls(node.index)
    if isinstance(node, ir.Offset):
        return calls(node.base) or calls(node.bytes)
    if isinstance(node, ir.Conditional):
        return calls(node.test) or calls(node.then) or calls(node.other)
    return False


def _split(node: ir.Expr) -> tuple[ir.Expr | None, int]:
    """A number as a part and a constant that is added to it."""
    if isinstance(node, ir.Const):
        return None, int(node.value)
    if isinstance(node, ir.Binary) and node.op in ("add", "sub"):
        if isinstance(node.right, ir.Const):
            rest, constant = _split(node.left)
            return rest, constant + (1 if node.op == "add" else -1) * int(node.right.value)
        if node.op == "add" and isinstance(node.left, ir.Const):
            rest, constant = _split(node.right)
            return rest, constant + int(node.left.value)
    return node, 0


def _power(node: ir.Expr) -> int | None:
    """The logarithm of a constant power of two."""
    if isinstance(node, ir.Const) and node.value in (1, 2, 4, 8, 16, 32, 64):
        return int(node.value).bit_length() - 1
    return None
