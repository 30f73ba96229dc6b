"""The typed, structured IR of everything that becomes machine code.

It is structured (if, while, steps that jump to each other), so that it prints as readable C; LLVM builds its
own basic blocks from it. There are three types: 64-bit integers, 64-bit floats, and pointers into flat
memory. A condition is an integer, 0 or 1.

Arithmetic wraps around and division truncates. Signed and unsigned are different operations, not different
types.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Type: TypeAlias = Literal["int", "float", "ptr"]
Kind: TypeAlias = str
"""What lies at a place in memory, where that is certain: "word", "turn", "set", "where", "list" or "work".
What is of
one kind is never of another, so that a write to a set leaves every word as it was. Nothing is known of "". A
kind may be told more closely, as "set/3": never "set/4", but perhaps what somebody else has as a "set".
"bytes" are rows of bytes that are written several at a time: what is stored there may lie at any address."""
Width: TypeAlias = Literal["u8", "u16", "u32", "i64", "f64", "ptr"]
"""How a value lies in memory. The narrow ones are unsigned: they hold cards, counts and flags.
A pointer takes eight bytes on every machine."""

SIZES: dict[Width, int] = {"u8": 1, "u16": 2, "u32": 4, "i64": 8, "f64": 8, "ptr": 8}


def value_type(width: Width) -> Type:
    """The type of a value that lies in memory with this width."""
    return "float" if width == "f64" else "ptr" if width == "ptr" else "int"


BINARY: dict[str, tuple[Type, Type]] = {
    # operation: (type of both operands, type of the result)
    **dict.fromkeys(("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"), ("int", "int")),
    **dict.fromkeys(("sdiv", "srem", "udiv", "urem", "umulh", "nth_bit"), ("int", "int")),
    **dict.fromkeys(("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"), ("int", "int")),
    **dict.fromkeys(("sadd_over", "ssub_over", "smul_over"), ("int", "int")),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv"), ("float", "float")),
    **dict.fromkeys(("feq", "fne", "flt", "fle", "fgt", "fge"), ("float", "int")),
}
"""`umulh` is the high half of the unsigned product. `..._over` is 1 if a result overflows 64 bits. `nth_bit`
is the index of the n-th lowest set bit, n from 0 and below 64; 64 if there is none."""

UNARY: dict[str, tuple[Type, Type]] = {
    "not": ("int", "int"),
    "popcount": ("int", "int"),
    "ctz": ("int", "int"),
    "clz": ("int", "int"),
    "itof": ("int", "float"),
    "ftoi": ("float", "int"),
    "fsqrt": ("float", "float"),
}
"""`not` is bitwise. `ctz` and `clz` of 0 are 64. `ftoi` truncates; its operand always fits."""


class Expr:
    """A value."""

    type: Type


@dataclass(frozen=True, slots=True)
class Const(Expr):
    value: int | float
    type: Type = "int"


@dataclass(frozen=True, slots=True)
class Local(Expr):
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    op: str
    left: Expr
    right: Expr

    @property
    def type(self) -> Type:  # type: ignore[override]
        return BINARY[self.op][1]


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    op: str
    of: Expr

    @property
    def type(self) -> Type:  # type: ignore[override]
        return UNARY[self.op][1]


@dataclass(frozen=True, slots=True)
class Load(Expr):
    """The value `index` elements of this width after a pointer."""

    width: Width
    base: Expr
    index: Expr
    kind: Kind = ""

    @property
    def type(self) -> Type:  # type: ignore[override]
        return value_type(self.width)


@dataclass(frozen=True, slots=True)
class Offset(Expr):
    """A pointer plus a number of bytes."""

    base: Expr
    bytes: Expr
    type: Type = "ptr"


@dataclass(frozen=True, slots=True)
class Data(Expr):
    """A pointer to constant data of the module."""

    name: str
    type: Type = "ptr"


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    """One of two values, by a test."""

    test: Expr
    then: Expr
    other: Expr

    @property
    def type(self) -> Type:  # type: ignore[override]
        return self.then.type


@dataclass(frozen=True, slots=True)
class If(Conditional):
    """Evaluates one arm only."""


@dataclass(frozen=True, slots=True)
class Select(Conditional):
    """Evaluates both arms: for unpredictable conditions, where a branch would cost more."""


@dataclass(frozen=True, slots=True)
class Call(Expr):
    name: str
    arguments: tuple[Expr, ...]
    type: Type = "int"


@dataclass(frozen=True, slots=True)
class CallAt(Expr):
    """A call of the function at an address, an integer known only at run time.

    Arguments are integers and pointers, and the result is an integer, as for all functions that games export.
    The signature is not checked.
    """

    address: Expr
    arguments: tuple[Expr, ...]
    type: Type = "int"


class Stmt:
    """A statement."""


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    local: Local
    value: Expr


@dataclass(frozen=True, slots=True)
class Store(Stmt):
    width: Width
    base: Expr
    index: Expr
    value: Expr
    kind: Kind = ""


@dataclass(frozen=True, slots=True)
class Spread(Stmt):
    """Bits to bytes: byte k behind a pointer becomes the sum of the values whose mask has bit k.

    Machines do this for many bytes at once. `count` bytes are written, at most 64.
    """

    base: Expr
    index: Expr
    count: int
    planes: tuple[tuple[Expr, Expr], ...]
    """Masks with their values, which are bytes."""
    kind: Kind = ""


@dataclass(frozen=True, slots=True)
class Prefetch(Stmt):
    """Fetches the byte so far behind a pointer into the cache, since it is wanted soon; nothing else."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Branch(Stmt):
    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()
    rare: bool = False
    """The test is seldom true: the compiler moves the branch out of the way."""


@dataclass(frozen=True, slots=True)
class While(Stmt):
    test: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Break(Stmt):
    pass


@dataclass(frozen=True, slots=True)
class Continue(Stmt):
    pass


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    value: Expr


@dataclass(frozen=True, slots=True)
class Steps(Stmt):
    """Blocks that jump to each other: block `start` runs first, and each ends in `Go` or `Return`.

    This is a program's walk from step to step. Direct jumps avoid the dispatch of a loop around a switch.
    `start` is always one of `starts`; other blocks are reached only from blocks, with what is known there.
    """

    start: Expr
    blocks: tuple[tuple[Stmt, ...], ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Go(Stmt):
    """Jumps to a block of the enclosing steps."""

    to: int


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """A call whose value is ignored."""

    call: Call | CallAt


@dataclass(frozen=True)
class Function:
    """Every function returns a value; one without a result returns 0."""

    name: str
    parameters: tuple[Local, ...]
    body: tuple[Stmt, ...]
    result: Type = "int"
    exported: bool = False
    apart: bool = False
    """Its pointer parameters never alias."""
    rare: bool = False
    """Seldom called: it is not inlined."""

    @property
    def locals(self) -> list[Local]:
        """All locals it assigns, in order of appearance, without its parameters."""
        names = {parameter.name for parameter in self.parameters}
        found: dict[str, Local] = {}
        for stmt in statements(self.body):
            if isinstance(stmt, Assign) and stmt.local.name not in names:
                found.setdefault(stmt.local.name, stmt.local)
        return list(found.values())


@dataclass
class Module:
    """Functions and constant data. Nothing outside is called, except through addresses (`CallAt`)."""

    name: str
    functions: dict[str, Function] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)

    def add(self, function: Function) -> None:
        assert function.name not in self.functions, f"{function.name} is there already"
        self.functions[function.name] = function


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement, including nested ones, in text order."""
    waiting = list(reversed(body))
    while waiting:
        stmt = waiting.pop()
        yield stmt
        if isinstance(stmt, Branch):
            waiting.extend(reversed(stmt.other))
            waiting.extend(reversed(stmt.then))
        elif isinstance(stmt, While):
            waiting.extend(reversed(stmt.body))
        elif isinstance(stmt, Steps):
            for block in reversed(stmt.blocks):
                waiting.extend(reversed(block))
