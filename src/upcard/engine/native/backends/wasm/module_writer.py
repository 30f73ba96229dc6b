"""WebAssembly backend: IR to a WebAssembly module, in the binary format.

A module imports its memory, its table of functions, and numbers that are known when it is loaded, named as
Emscripten names them: `env.memory`, `env.__indirect_function_table`, `env.__memory_base` (where its constant
data go) and `env.__table_base` (where its exported functions go, in their order); also `env.__address_base`,
the real address of the memory's first byte. The section `dylink.0` says how much room data and functions
need. So the same module runs on a memory of its own and on that of a program that is WebAssembly itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from upcard.engine.native import ir
from upcard.engine.native.backends.wasm import binary_format as binary
from upcard.engine.native.backends.wasm.binary_format import I32, I64, TYPES, text, unsigned, vector
from upcard.engine.native.backends.wasm.function_writer import FunctionWriter
from upcard.engine.native.backends.wasm.helper_functions import HELPERS

MEMORY_BASE, TABLE_BASE, ADDRESS_BASE = range(3)
"""Numbers of the imported globals."""
SMALL = 250
"""Functions of at most this many nodes are inlined everywhere."""
LARGE = 2000
"""Functions of more nodes are not inlined where they are called once."""
LONG = 1 << 16
"""Nothing is inlined into functions of more bytes: engines compile long functions slowly."""
DATA_ALIGNMENT = 16
PAGE_SIZE, MAX_PAGES = 1 << 16, 1 << 16
"""Of memories."""
_DYLINK = text("dylink.0") + b"\1"

Signature = tuple[tuple[int, ...], tuple[int, ...]]


def to_wasm(module: ir.Module, shared: bool = False) -> bytes:
    """With `shared`, its memory is one that threads share."""
    return ModuleWriter(module, shared).write()


def room_of(wasm: bytes) -> tuple[int, int]:
    """The bytes of constant data of a module, and the number of its functions in the table."""
    at = wasm.index(_DYLINK) + len(_DYLINK) + 1
    size, at = binary.read_unsigned(wasm, at)
    _, at = binary.read_unsigned(wasm, at)
    return size, binary.read_unsigned(wasm, at)[0]


class ModuleWriter:
    def __init__(self, module: ir.Module, shared: bool) -> None:
        self.module = module
        self.shared = shared
        self.memory_base, self.address_base = MEMORY_BASE, ADDRESS_BASE
        self.inlining: list[str] = []
        """The functions being written where they are called, from the outermost."""
        self._signatures: dict[Signature, int] = {}
        self._numbers: dict[str, int] = {}
        """Functions by number, exported ones first; helpers are written as `%name`."""
        self._waiting: list[str] = []
        self._sizes: dict[str, int] = {}
        self._calls: Counter[str] = Counter()
        self._writer: FunctionWriter | None = None
        self._data_at: dict[str, int] = {}
        end = 0
        for name, data in module.data.items():
            self._data_at[name] = end
            end += -(-len(data) // DATA_ALIGNMENT) * DATA_ALIGNMENT
        self._data_size = end
        for function in module.functions.values():
            size, calls = _weigh(function)
            self._sizes[function.name] = size
            self._calls.update(calls)

    # --- what function writers ask for ----------------------------------------------------------

    def data_at(self, name: str) -> int:
        """Where constant data lie, from the first of them."""
        return self._data_at[name]

    def function_number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._numbers)
            self._waiting.append(name)
        return self._numbers[name]

    def helper_number(self, name: str) -> int:
        return self.function_number(f"%{name}")

    def to_inline(self, name: str) -> ir.Function | None:
        """A function that is written where it is called; None if it is called."""
        function = self.module.functions[name]
        if function.rare or name in self.inlining or (self._writer and len(self._writer.code) > LONG):
            return None
        once = self._calls[name] == 1 and not function.exported
        return function if self._sizes[name] <= (LARGE if once else SMALL) else None

    def is_short(self, node: ir.Expr, most: int) -> bool:
        """Whether an expression has at most this many nodes, with those of inlined functions."""
        count = 0
        for here in _nodes(node):
            count += self._sizes[here.name] if isinstance(here, ir.Call) else 1
            if count > most:
                return False
        return True

    def signature(self, parameters: Sequence[ir.Type], result: ir.Type) -> int:
        return self._signature((tuple(TYPES[p] for p in parameters), (TYPES[result],)))

    def _signature(self, signature: Signature) -> int:
        return self._signatures.setdefault(signature, len(self._signatures))

    # --- the module -----------------------------------------------------------------------------

    def write(self) -> bytes:
        exported = [function.name for function in self.module.functions.values() if function.exported]
        for name in exported:
            self.function_number(name)
        bodies: dict[str, bytes] = {}
        types: dict[str, int] = {}
        while self._waiting:
            name = self._waiting.pop(0)
            types[name], bodies[name] = self._function(name)
        names = sorted(self._numbers, key=self._numbers.__getitem__)
        dylink = b"".join(
            unsigned(n) for n in (self._data_size, DATA_ALIGNMENT.bit_length() - 1, len(exported), 0)
        )
        parts = [
            binary.MAGIC,
            binary.section(binary.CUSTOM, _DYLINK + unsigned(len(dylink)) + dylink),
            binary.section(binary.TYPE, vector(map(_signature_bytes, self._signatures))),
            binary.section(binary.IMPORT, vector(_imports(self.shared))),
            binary.section(binary.FUNCTION, vector(unsigned(types[name]) for name in names)),
            binary.section(
                binary.EXPORT, vector(text(name) + b"\0" + unsigned(n) for n, name in enumerate(exported))
            ),
        ]
        if exported:
            numbers = vector(unsigned(n) for n in range(len(exported)))
            parts.append(binary.section(binary.ELEMENT, vector([b"\0" + _at(TABLE_BASE) + numbers])))
        code = vector(unsigned(len(bodies[name])) + bodies[name] for name in names)
        parts.append(binary.section(binary.CODE, code))
        if self._data_size:
            data = b"".join(
                data.ljust(-(-len(data) // DATA_ALIGNMENT) * DATA_ALIGNMENT, b"\0")
                for data in self.module.data.values()
            )
            parts.append(
                binary.section(binary.DATA, vector([b"\0" + _at(MEMORY_BASE) + unsigned(len(data)) + data]))
            )
        return b"".join(parts)

    def _function(self, name: str) -> tuple[int, bytes]:
        """A function's signature and body."""
        if name.startswith("%"):
            helper = HELPERS[name[1:]]
            return self._signature(helper.signature), helper.body
        function = self.module.functions[name]
        self.inlining = [name]
        self._writer = FunctionWriter(self, function)
        body = self._writer.finish()
        return self.signature([p.type for p in function.parameters], function.result), body


def _imports(shared: bool) -> Iterator[bytes]:
    memory, table = b"\2\0\0", b"\1\x70\0\0"  # of any size
    if shared:
        memory = b"\2\3\0" + unsigned(MAX_PAGES)
    yield text("env") + text("memory") + memory
    yield text("env") + text("__indirect_function_table") + table
    for name, of_type in (("__memory_base", I32), ("__table_base", I32), ("__address_base", I64)):
        yield text("env") + text(name) + bytes((3, of_type, 0))


def _at(number: int) -> bytes:
    """The place that an imported global names."""
    return binary.OP["global.get"] + unsigned(number) + binary.OP["end"]


def _signature_bytes(signature: Signature) -> bytes:
    parameters, results = signature
    return b"\x60" + vector(bytes((p,)) for p in parameters) + vector(bytes((r,)) for r in results)


def _weigh(function: ir.Function) -> tuple[int, Counter[str]]:
    """The number of a function's nodes, and what it calls how often."""
    size, calls = 0, Counter[str]()
    for stmt in ir.statements(function.body):
        size += 1
        for value in _values(stmt):
            for node in _nodes(value):
                size += 1
                if isinstance(node, ir.Call):
                    calls[node.name] += 1
    return size, calls


def _values(stmt: ir.Stmt) -> tuple[ir.Expr, ...]:
    """The expressions of a statement itself."""
    if isinstance(stmt, ir.Assign | ir.Return):
        return (stmt.value,)
    if isinstance(stmt, ir.Store):
        return stmt.base, stmt.index, stmt.value
    if isinstance(stmt, ir.Branch | ir.While):
        return (stmt.test,)
    if isinstance(stmt, ir.Steps):
        return (stmt.start,)
    return (stmt.call,) if isinstance(stmt, ir.Do) else ()


def _nodes(node: ir.Expr) -> Iterator[ir.Expr]:
    """An expression and all that it contains."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        if isinstance(here, ir.Binary):
            waiting += (here.left, here.right)
        elif isinstance(here, ir.Unary):
            waiting.append(here.of)
        elif isinstance(here, ir.Load):
            waiting += (here.base, here.index)
        elif isinstance(here, ir.Offset):
            waiting += (here.base, here.bytes)
        elif isinstance(here, ir.Conditional):
            waiting += (here.test, here.then, here.other)
        elif isinstance(here, ir.Call):
            waiting += here.arguments
        elif isinstance(here, ir.CallAt):
            waiting += (here.address, *here.arguments)
