"""LLVM backend: IR to LLVM text, optimised at level 2, to an object file.

Text is written directly, because llvmlite's own IR classes take several times longer. Every local is a slot
on the stack, which LLVM's first pass turns into a register.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from llvmlite import binding

from upcard.engine.native import ir
from upcard.engine.native.backends.llvm_machine import PREFIX, Loaded, is_self_contained, level, load, machine
from upcard.engine.native.backends.llvm_snippets import (
    COPYING,
    DECLARED,
    FIRST_KIND,
    METADATA,
    NTH_BIT,
    NTH_BIT_PDEP,
)

__all__ = [
    "PREFIX",
    "Loaded",
    "compile_text",
    "load",
    "machine",
    "optimize",
    "to_assembly",
    "to_llvm",
    "to_object",
]

_TYPES: dict[ir.Type, str] = {"int": "i64", "float": "double", "ptr": "ptr"}
_WIDTHS: dict[ir.Width, str] = {
    "u8": "i8",
    "u16": "i16",
    "u32": "i32",
    "i64": "i64",
    "f64": "double",
    "ptr": "ptr",
}
_PLAIN = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "udiv": "udiv",
    "urem": "urem",
    "fadd": "fadd",
    "fsub": "fsub",
    "fmul": "fmul",
    "fdiv": "fdiv",
}
_TESTS = {op: op for op in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")}
_FLOAT_TESTS = {"feq": "oeq", "fne": "une", "flt": "olt", "fle": "ole", "fgt": "ogt", "fge": "oge"}
_SHIFTS = {"shl": "shl", "lshr": "lshr", "ashr": "ashr"}
_OVERFLOWS = {"sadd_over": "sadd", "ssub_over": "ssub", "smul_over": "smul"}


class _Kinds:
    """TBAA metadata of memory kinds: different kinds never alias, except a kind and its refinements."""

    def __init__(self) -> None:
        self.lines = [f'!{FIRST_KIND} = !{{!"kinds"}}']
        self._types: dict[ir.Kind, int] = {"": FIRST_KIND}
        self._tags: dict[ir.Kind, str] = {"": ""}

    def tag(self, kind: ir.Kind) -> str:
        """The mark of a load or store of this kind."""
        if kind not in self._tags:
            self._tags[kind] = f", !tbaa !{self._add('!{{!{0}, !{0}, i64 0}}', self._type(kind))}"
        return self._tags[kind]

    def _type(self, kind: ir.Kind) -> int:
        if kind not in self._types:
            of = self._type(kind.rpartition("/")[0])
            self._types[kind] = self._add(f'!{{{{!"{kind}", !{{0}}, i64 0}}}}', of)
        return self._types[kind]

    def _add(self, text: str, of: int) -> int:
        number = FIRST_KIND + len(self.lines)
        self.lines.append(f"!{number} = {text.format(of)}")
        return number


CROWDED, BRIEF, LONG = 1 << 20, 1 << 11, 1 << 18
"""LLVM's time grows faster than the length of a function. In a module of more than CROWDED characters,
functions of more than BRIEF are not inlined and those of more than LONG are not optimised, so that the time
stays linear in the module. All games of the library are well below CROWDED."""


def to_llvm(module: ir.Module) -> str:
    """The module as LLVM text, independent of the target."""
    parts = [f"; {module.name}", DECLARED, NTH_BIT]
    for name, data in module.data.items():
        text = "".join(f"\\{byte:02x}" for byte in data or b"\0")
        size = max(len(data), 1)
        parts.append(f'@{PREFIX}{name} = private constant [{size} x i8] c"{text}", align 16')
    calls: Counter[str] = Counter()
    kinds = _Kinds()
    aside = {name for name, function in module.functions.items() if _is_aside(function)}
    writers = [_Writer(function, calls, kinds, aside) for function in module.functions.values()]
    bodies = [writer.body() for writer in writers]
    crowded = sum(map(len, bodies)) > CROWDED
    for writer, body in zip(writers, bodies, strict=True):
        parts.append(f"{writer.head(len(body) if crowded else 0)}\n{body}")
    return "\n".join([*parts, METADATA, *kinds.lines, ""])


def _is_aside(function: ir.Function) -> bool:
    """Whether a function preserves its caller's registers, so that the common path around a rare call is
    free."""
    return function.rare and not function.exported


class _Writer:
    """Writes one function. Values are numbered in order; blocks have names."""

    def __init__(self, function: ir.Function, calls: Counter[str], kinds: _Kinds, aside: set[str]) -> None:
        self.kinds = kinds
        self.aside = aside
        """Functions with a calling convention of their own (`_is_aside`)."""
        self.function = function
        self.calls = calls
        """How often the text so far calls each function."""
        self.lines: list[str] = []
        self.count = 0
        self.loops: list[tuple[str, str]] = []
        self.steps: list[str] = []
        self.done = False
        """Whether the current block has ended: what follows is unreachable."""

    def head(self, length: int) -> str:
        """The signature: written last, when all calls are counted. `length` is the body's in a crowded
        module."""
        function = self.function
        pointer = "ptr noalias" if function.apart else "ptr"
        given = ", ".join(
            f"{pointer if p.type == 'ptr' else _TYPES[p.type]} %arg.{p.name}" for p in function.parameters
        )
        linkage = "" if function.exported else "internal "
        attributes = "nounwind"
        if function.rare:
            attributes += " noinline cold"
        elif length > BRIEF:
            attributes += " noinline optnone" if length > LONG else " noinline"
        elif not function.exported and self.calls[function.name] == 1:
            attributes += " alwaysinline"  # LLVM would find this by itself, in twice the time
        convention = "preserve_mostcc " if function.name in self.aside else ""
        result = _TYPES[function.result]
        return f"define {linkage}{convention}{result} @{PREFIX}{function.name}({given}) {attributes} {{"

    def body(self) -> str:
        function = self.function
        self.lines = [".entry:"]
        for local in (*function.parameters, *function.locals):
            self.add(f"%{local.name} = alloca {_TYPES[local.type]}")
        for parameter in function.parameters:
            self.add(f"store {_TYPES[parameter.type]} %arg.{parameter.name}, ptr %{parameter.name}")
        self.block(function.body)
        if not self.done:
            self.add("unreachable")
        return "\n".join([*self.lines, "}"])

    def add(self, line: str) -> None:
        self.lines.append("  " + line)

    def fresh(self, what: str = "v") -> str:
        self.count += 1
        return f"%.{what}.{self.count}"  # no local's name begins with a dot

    def value(self, text: str) -> str:
        name = self.fresh()
        self.add(f"{name} = {text}")
        return name

    def label(self, name: str) -> None:
        self.lines.append(f"{name[1:]}:")
        self.done = False

    def jump(self, target: str) -> None:
        if not self.done:
            self.add(f"br label {target}")
        self.done = True

    # --- statements ----------------------------------------------------------------------------

    def block(self, body: tuple[ir.Stmt, ...]) -> None:
        for stmt in body:
            if self.done:
                return
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Assign):
            self.add(f"store {_TYPES[stmt.local.type]} {self.expr(stmt.value)}, ptr %{stmt.local.name}")
        elif isinstance(stmt, ir.Store):
            self.store(stmt)
        elif isinstance(stmt, ir.Spread):
            self.spread(stmt)
        elif isinstance(stmt, ir.Prefetch):
            cell = self.cell("u8", stmt.base, stmt.index)
            self.add(f"call void @llvm.prefetch.p0(ptr {cell}, i32 0, i32 3, i32 1)")
        elif isinstance(stmt, ir.Branch):
            then, other, after = self.fresh("then"), self.fresh("else"), self.fresh("after")
            seldom = ", !prof !1" if stmt.rare else ""
            self.add(f"br i1 {self.test(stmt.test)}, label {then}, label {other}{seldom}")
            for name, body in ((then, stmt.then), (other, stmt.other)):
                self.label(name)
                self.block(body)
                self.jump(after)
            self.label(after)
        elif isinstance(stmt, ir.While):
            test, loop, after = self.fresh("test"), self.fresh("loop"), self.fresh("after")
            self.jump(test)
            self.label(test)
            self.add(f"br i1 {self.test(stmt.test)}, label {loop}, label {after}")
            self.label(loop)
            self.loops.append((test, after))
            self.block(stmt.body)
            self.loops.pop()
            self.jump(test)
            self.label(after)
        elif isinstance(stmt, ir.Steps):
            start, nowhere = self.expr(stmt.start), self.fresh("nowhere")
            self.steps = [self.fresh("step") for _ in stmt.blocks]
            attributes = " ".join(
                f"i64 {number}, label {name}"
                for number, name in enumerate(self.steps)
                if number in stmt.starts
            )
            self.add(f"switch i64 {start}, label {nowhere} [ {attributes} ]")
            self.label(nowhere)
            self.add("unreachable")
            for name, body in zip(self.steps, stmt.blocks, strict=True):
                self.label(name)
                self.block(body)
        elif isinstance(stmt, ir.Go):
            self.jump(self.steps[stmt.to])
        elif isinstance(stmt, ir.Return):
            self.add(f"ret {_TYPES[self.function.result]} {self.expr(stmt.value)}")
            self.done = True
        elif isinstance(stmt, ir.Do):
            self.expr(stmt.call)
        else:
            test, after = self.loops[-1]
            self.jump(after if isinstance(stmt, ir.Break) else test)

    def store(self, stmt: ir.Store) -> None:
        value = self.expr(stmt.value)
        kind = _WIDTHS[stmt.width]
        if ir.SIZES[stmt.width] < 8:
            value = self.value(f"trunc i64 {value} to {kind}")
        cell = self.cell(stmt.width, stmt.base, stmt.index)
        aligned = 1 if stmt.kind == "bytes" else ir.SIZES[stmt.width]
        how = f"align {aligned}{self.kinds.tag(stmt.kind)}"
        self.add(f"store {kind} {value}, ptr {cell}, {how}")

    def spread(self, stmt: ir.Spread) -> None:
        """Vectors of a power of two of lanes, of which the first ones are stored: others are split badly."""
        lanes = max(8, 1 << (stmt.count - 1).bit_length())
        vector = f"<{lanes} x i8>"
        total = ""
        for mask, value in stmt.planes:
            bits = self.expr(mask)
            if lanes < 64:
                bits = self.value(f"trunc i64 {bits} to i{lanes}")
            chosen = self.value(f"bitcast i{lanes} {bits} to <{lanes} x i1>")
            byte = self.value(f"trunc i64 {self.expr(value)} to i8")
            first = self.value(f"insertelement {vector} poison, i8 {byte}, i64 0")
            every = self.value(
                f"shufflevector {vector} {first}, {vector} poison, <{lanes} x i32> zeroinitializer"
            )
            here = self.value(f"select <{lanes} x i1> {chosen}, {vector} {every}, {vector} zeroinitializer")
            total = self.value(f"add {vector} {total}, {here}") if total else here
        kept = ", ".join(f"i32 {lane}" for lane in range(stmt.count))
        total = total or "zeroinitializer"
        stored = f"<{stmt.count} x i8>"
        found = self.value(f"shufflevector {vector} {total}, {vector} poison, <{stmt.count} x i32> <{kept}>")
        cell = self.cell("u8", stmt.base, stmt.index)
        self.add(f"store {stored} {found}, ptr {cell}, align 1{self.kinds.tag(stmt.kind)}")

    # --- expressions ---------------------------------------------------------------------------

    def cell(self, width: ir.Width, base: ir.Expr, index: ir.Expr) -> str:
        at = self.expr(base)
        return self.value(f"getelementptr {_WIDTHS[width]}, ptr {at}, i64 {self.expr(index)}")

    def test(self, node: ir.Expr) -> str:
        if isinstance(node, ir.Binary) and (node.op in _TESTS or node.op in _FLOAT_TESTS):
            return self.compare(node)
        return self.value(f"icmp ne i64 {self.expr(node)}, 0")

    def compare(self, node: ir.Binary) -> str:
        left, right = self.expr(node.left), self.expr(node.right)
        if node.op in _TESTS:
            return self.value(f"icmp {_TESTS[node.op]} i64 {left}, {right}")
        return self.value(f"fcmp {_FLOAT_TESTS[node.op]} double {left}, {right}")

    def expr(self, node: ir.Expr) -> str:
        if isinstance(node, ir.Const):
            return _constant(node)
        if isinstance(node, ir.Local):
            return self.value(f"load {_TYPES[node.type]}, ptr %{node.name}")
        if isinstance(node, ir.Binary):
            return self.binary(node)
        if isinstance(node, ir.Unary):
            return self.unary(node)
        if isinstance(node, ir.Load):
            cell = self.cell(node.width, node.base, node.index)
            how = f"align {ir.SIZES[node.width]}{self.kinds.tag(node.kind)}"
            loaded = self.value(f"load {_WIDTHS[node.width]}, ptr {cell}, {how}")
            if ir.SIZES[node.width] == 8:
                return loaded
            return self.value(f"zext {_WIDTHS[node.width]} {loaded} to i64")
        if isinstance(node, ir.Offset):
            base = self.expr(node.base)
            return self.value(f"getelementptr i8, ptr {base}, i64 {self.expr(node.bytes)}")
        if isinstance(node, ir.Data):
            return f"@{PREFIX}{node.name}"
        if isinstance(node, ir.If):
            return self.conditional(node)
        if isinstance(node, ir.Select):
            test, kind = self.test(node.test), _TYPES[node.type]
            then, other = self.expr(node.then), self.expr(node.other)
            return self.value(f"select i1 {test}, {kind} {then}, {kind} {other}, !unpredictable !0")
        assert isinstance(node, ir.Call | ir.CallAt)
        convention = ""
        if isinstance(node, ir.Call):
            self.calls[node.name] += 1
            called = f"@{PREFIX}{node.name}"
            convention = "preserve_mostcc " if node.name in self.aside else ""
        else:
            called = self.function_at(node)
        given = [f"{_TYPES[a.type]} {self.expr(a)}" for a in node.arguments]
        return self.value(f"call {convention}{_TYPES[node.type]} {called}({', '.join(given)})")

    def function_at(self, node: ir.CallAt) -> str:
        return self.value(f"inttoptr i64 {self.expr(node.address)} to ptr")

    def binary(self, node: ir.Binary) -> str:
        op = node.op
        if op in _TESTS or op in _FLOAT_TESTS:
            return self.value(f"zext i1 {self.compare(node)} to i64")
        left, right = self.expr(node.left), self.expr(node.right)
        kind = _TYPES[ir.BINARY[op][0]]
        if op in _PLAIN:
            return self.value(f"{_PLAIN[op]} {kind} {left}, {right}")
        if op in _SHIFTS:
            inside = self.value(f"and i64 {right}, 63")
            return self.value(f"{_SHIFTS[op]} i64 {left}, {inside}")
        if op in _OVERFLOWS:
            name = f"@llvm.{_OVERFLOWS[op]}.with.overflow.i64"
            both = self.value(f"call {{i64, i1}} {name}(i64 {left}, i64 {right})")
            return self.value(f"zext i1 {self.value(f'extractvalue {{i64, i1}} {both}, 1')} to i64")
        if op == "nth_bit":
            return self.value(f"call i64 @nth_bit(i64 {left}, i64 {right})")
        if op == "umulh":
            a, b = self.value(f"zext i64 {left} to i128"), self.value(f"zext i64 {right} to i128")
            high = self.value(f"lshr i128 {self.value(f'mul i128 {a}, {b}')}, 64")
            return self.value(f"trunc i128 {high} to i64")
        # INT_MIN / -1 would trap: here the quotient wraps around and the remainder is 0
        minus_one = self.value(f"icmp eq i64 {right}, -1")
        safe = self.value(f"select i1 {minus_one}, i64 1, i64 {right}")
        result = self.value(f"{op} i64 {left}, {safe}")
        special = self.value(f"sub i64 0, {left}") if op == "sdiv" else "0"
        return self.value(f"select i1 {minus_one}, i64 {special}, i64 {result}")

    def unary(self, node: ir.Unary) -> str:
        of = self.expr(node.of)
        if node.op == "not":
            return self.value(f"xor i64 {of}, -1")
        if node.op == "itof":
            return self.value(f"sitofp i64 {of} to double")
        if node.op == "ftoi":
            return self.value(f"fptosi double {of} to i64")
        if node.op == "fsqrt":
            return self.value(f"call double @llvm.sqrt.f64(double {of})")
        if node.op == "popcount":
            return self.value(f"call i64 @llvm.ctpop.i64(i64 {of})")
        which = "cttz" if node.op == "ctz" else "ctlz"
        return self.value(f"call i64 @llvm.{which}.i64(i64 {of}, i1 false)")

    def conditional(self, node: ir.If) -> str:
        then, other, after = self.fresh("then"), self.fresh("else"), self.fresh("after")
        slot = self.fresh("slot")
        # in the entry block, like every local, so that it becomes a register
        self.lines.insert(1, f"  {slot} = alloca {_TYPES[node.type]}")
        self.add(f"br i1 {self.test(node.test)}, label {then}, label {other}")
        for name, arm in ((then, node.then), (other, node.other)):
            self.label(name)
            self.add(f"store {_TYPES[node.type]} {self.expr(arm)}, ptr {slot}")
            self.jump(after)
        self.label(after)
        return self.value(f"load {_TYPES[node.type]}, ptr {slot}")


def _constant(node: ir.Const) -> str:
    if isinstance(node.value, float):
        import struct

        return f"0x{struct.unpack('>Q', struct.pack('>d', node.value))[0]:016X}"
    signed = node.value % 2**64
    return str(signed - 2**64 if signed >= 2**63 else signed)


# --- machine code --------------------------------------------------------------------------------


def optimize(text: str, target: Any) -> Any:
    """Parses text for a target and runs LLVM's passes."""
    if target.has_quick_pdep:
        text = text.replace(NTH_BIT, NTH_BIT_PDEP)
    if getattr(target, "near", False):
        text += COPYING
    module = binding.parse_assembly(text)
    module.triple = target.triple
    module.data_layout = str(target.target_data)
    module.verify()
    if level() == 0:
        return module
    options = binding.create_pipeline_tuning_options(speed_level=2)
    # loops run over a few seats or cards: vectorized they only take longer to start and to compile
    options.loop_vectorization = options.slp_vectorization = False
    builder = binding.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return module


def to_object(module: ir.Module, target: Any | None = None) -> bytes:
    return compile_text(to_llvm(module), target)


def compile_text(text: str, target: Any | None = None) -> bytes:
    """LLVM text to an object file."""
    used = target or machine()
    data = bytes(used.emit_object(optimize(text, used)))
    if target is None and used.near and not is_self_contained(data):
        # LLVM added a call to a library function, which may be far away
        used = machine(far=True)
        data = bytes(used.emit_object(optimize(text, used)))
    return data


def to_assembly(module: ir.Module, target: Any | None = None) -> str:
    target = target or machine()
    return str(target.emit_assembly(optimize(to_llvm(module), target)))
