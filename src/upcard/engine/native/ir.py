"""The typed, structured IR of everything that becomes machine code.

It is structured (if, while, steps that lead to each other), so that it prints as C almost word for word and a
person can read it; LLVM makes its own blocks of it. There are three types: whole numbers of 64 bits, floats
of 64 bits, and pointers into flat memory. A condition is a whole number, 0 or 1.

Whatever could mean two things is a named operation: arithmetic wraps around, division truncates, signed and
unsigned are told apart by the operation, never by the type.
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
kind may be told more closely, as "set/3": never "set/4", but perhaps what somebody else has as a "set"."""
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
"""`umulh` is the high half of the unsigned product. `..._over` tell whether a result leaves 64 bits.
`nth_bit` is the number of the n-th lowest bit that is set, n from 0 and below 64; 64 if there is none."""

UNARY: dict[str, tuple[Type, Type]] = {
    "not": ("int", "int"),
    "popcount": ("int", "int"),
    "ctz": ("int", "int"),
    "clz": ("int", "int"),
    "itof": ("int", "float"),
    "ftoi": ("float", "int"),
    "fsqrt": ("float", "float"),
}
"""`not` is bitwise. `ctz` and `clz` of 0 are 64. `ftoi` truncates and is only asked for what fits."""


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
    """The value that lies `index` elements of this width behind a pointer."""

    width: Width
    base: Expr
    index: Expr
    kind: Kind = ""

    @property
    def type(self) -> Type:  # type: ignore[override]
        return value_type(self.width)


@dataclass(frozen=True, slots=True)
class Offset(Expr):
    """A pointer so many bytes further on."""

    base: Expr
    bytes: Expr
    type: Type = "ptr"


@dataclass(frozen=True, slots=True)
class Data(Expr):
    """A pointer to constant data of the module."""

    name: str
    type: Type = "ptr"


@dataclass(frozen=True, slots=True)
class If(Expr):
    """One arm is evaluated, the other is not."""

    test: Expr
    then: Expr
    other: Expr

    @property
    def type(self) -> Type:  # type: ignore[override]
        return self.then.type


@dataclass(frozen=True, slots=True)
class Select(Expr):
    """Both arms are evaluated: for conditions that cannot be foreseen, where a jump would cost more."""

    test: Expr
    then: Expr
    other: Expr

    @property
    def type(self) -> Type:  # type: ignore[override]
        return self.then.type


@dataclass(frozen=True, slots=True)
class Call(Expr):
    name: str
    arguments: tuple[Expr, ...]
    type: Type = "int"


@dataclass(frozen=True, slots=True)
class CallAt(Expr):
    """A call of the function at an address, a whole number, known only when it is run.

    It takes whole numbers and pointers, as many as are given here, and gives a whole number: like every
    function that a game exports. Nothing checks that the function at the address is called as it wants.
    """

    address: Expr
    arguments: tuple[Expr, ...]
    type: Type = "int"


class Stmt:
    """Something done."""


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
class Branch(Stmt):
    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()
    rare: bool = False
    """The test seldom holds: what stands here should not be in the way."""


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
    """Blocks that lead to each other: the one of number `start` comes first, each ends in `Go` or `Return`.

    A program's walk from step to step: jumping straight to the next step, where a loop around a switch would
    ask again every time which one that is. `start` is always one of `starts`, blocks that may come first: the
    others are only ever reached from another, with whatever is known there.
    """

    start: Expr
    blocks: tuple[tuple[Stmt, ...], ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Go(Stmt):
    """On to a block of the steps around."""

    to: int


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """A call for what it does."""

    call: Call | CallAt


@dataclass(frozen=True)
class Function:
    """Every function gives a value; one with nothing to say gives 0."""

    name: str
    parameters: tuple[Local, ...]
    body: tuple[Stmt, ...]
    result: Type = "int"
    exported: bool = False
    apart: bool = False
    """What its pointers lead to never overlaps."""
    rare: bool = False
    """Seldom called: it stays a function of its own, out of the way."""

    @property
    def locals(self) -> list[Local]:
        """What is assigned in it, each once, in order of appearance; parameters left out."""
        names = {parameter.name for parameter in self.parameters}
        found: dict[str, Local] = {}
        for stmt in statements(self.body):
            if isinstance(stmt, Assign) and stmt.local.name not in names:
                found.setdefault(stmt.local.name, stmt.local)
        return list(found.values())


@dataclass
class Module:
    """Functions and constant data; they call nothing outside but what they are given the addresses of."""

    name: str
    functions: dict[str, Function] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)

    def add(self, function: Function) -> None:
        assert function.name not in self.functions, f"{function.name} is there already"
        self.functions[function.name] = function


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement, those inside others included, in the order of the text."""
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
