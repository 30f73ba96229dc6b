"""IR verifier: the invariants that every pass must preserve."""

from __future__ import annotations

from upcard.engine.native import ir


class BrokenIR(Exception):
    """A lowering or pass produced an invalid module: always a bug."""


def verify(module: ir.Module) -> None:
    for function in module.functions.values():
        _Function(module, function).run()


class _Function:
    def __init__(self, module: ir.Module, function: ir.Function) -> None:
        self.module = module
        self.function = function
        self.types: dict[str, ir.Type] = {}
        self.steps = 0
        """Number of blocks of the enclosing steps."""
        self.assigned: set[str] = set()
        """Locals that certainly have a value here."""
        self.gained: list[str] = []
        """Those assigned in the current block: removed after it, so that no block copies the set."""

    def fail(self, message: str) -> BrokenIR:
        return BrokenIR(f"{self.module.name}.{self.function.name}: {message}")

    def run(self) -> None:
        for local in (*self.function.parameters, *self.function.locals):
            if self.types.setdefault(local.name, local.type) != local.type:
                raise self.fail(f"{local.name} has two types")
        self.assigned = {parameter.name for parameter in self.function.parameters}
        self.block(self.function.body, in_loop=False)
        if not _always_returns(self.function.body):
            raise self.fail("may end without a value")

    def block(self, body: tuple[ir.Stmt, ...], in_loop: bool) -> list[str]:
        """Locals that certainly have been assigned when the block ends."""
        around, self.gained = self.gained, []
        for stmt in body:
            self.statement(stmt, in_loop)
        found, self.gained = self.gained, around
        self.assigned.difference_update(found)
        return found

    def gain(self, name: str) -> None:
        if name not in self.assigned:
            self.assigned.add(name)
            self.gained.append(name)

    def statement(self, stmt: ir.Stmt, in_loop: bool) -> None:
        if isinstance(stmt, ir.Assign):
            if stmt.local.type != self.types[stmt.local.name]:
                raise self.fail(f"{stmt.local.name} has two types")
            self.wants(stmt.value, stmt.local.type, f"{stmt.local.name} =")
            self.gain(stmt.local.name)
        elif isinstance(stmt, ir.Store):
            self.wants(stmt.base, "ptr", "store to")
            self.wants(stmt.index, "int", "store at")
            self.wants(stmt.value, ir.value_type(stmt.width), "store")
        elif isinstance(stmt, ir.Spread):
            self.wants(stmt.base, "ptr", "spread to")
            self.wants(stmt.index, "int", "spread at")
            for mask, value in stmt.planes:
                self.wants(mask, "int", "spread")
                self.wants(value, "int", "spread")
            if not 0 < stmt.count <= 64:
                raise self.fail(f"{stmt.count} bytes are not spread at once")
        elif isinstance(stmt, ir.Prefetch):
            self.wants(stmt.base, "ptr", "prefetch")
            self.wants(stmt.index, "int", "prefetch at")
        elif isinstance(stmt, ir.Branch):
            self.wants(stmt.test, "int", "if")
            then, other = self.block(stmt.then, in_loop), self.block(stmt.other, in_loop)
            if _leaves(stmt.then):
                certain = other
            elif _leaves(stmt.other):
                certain = then
            else:
                certain = sorted(set(then).intersection(other))
            for name in certain:
                self.gain(name)
        elif isinstance(stmt, ir.While):
            self.wants(stmt.test, "int", "while")
            self.block(stmt.body, in_loop=True)
        elif isinstance(stmt, ir.Break | ir.Continue):
            if not in_loop:
                raise self.fail(f"{type(stmt).__name__.lower()} outside a loop")
        elif isinstance(stmt, ir.Steps):
            if self.steps:
                raise self.fail("steps inside steps")
            self.wants(stmt.start, "int", "steps")
            self.steps = len(stmt.blocks)
            if not all(0 <= start < self.steps for start in stmt.starts):
                raise self.fail("steps start where there is none")
            for block in stmt.blocks:
                self.block(block, in_loop=False)
                if not _leaves(block):
                    raise self.fail("a step leads nowhere")
            self.steps = 0
        elif isinstance(stmt, ir.Go):
            if not 0 <= stmt.to < self.steps:
                raise self.fail(f"there is no step {stmt.to}")
        elif isinstance(stmt, ir.Return):
            self.wants(stmt.value, self.function.result, "return")
        elif isinstance(stmt, ir.Do):
            if not isinstance(stmt.call, ir.Call | ir.CallAt):
                raise self.fail("only a call is made for what it does")
            self.expr(stmt.call)
        else:
            raise self.fail(f"{type(stmt).__name__} is no statement")

    def wants(self, expr: ir.Expr, type: ir.Type, what: str) -> None:
        have = self.expr(expr)
        if have != type:
            raise self.fail(f"{what} wants {type}, not {have}")

    def expr(self, expr: ir.Expr) -> ir.Type:
        if isinstance(expr, ir.Const):
            fits = isinstance(expr.value, float) == (expr.type == "float")
            if not fits or (isinstance(expr.value, int) and not -(2**63) <= expr.value < 2**64):
                raise self.fail(f"{expr.value} is no constant of type {expr.type}")
        elif isinstance(expr, ir.Local):
            if self.types.get(expr.name) != expr.type:
                raise self.fail(f"{expr.name} is used as {expr.type}, but is {self.types.get(expr.name)}")
            if expr.name not in self.assigned:
                raise self.fail(f"{expr.name} may have no value yet")
        elif isinstance(expr, ir.Binary):
            wanted = ir.BINARY[expr.op][0]
            self.wants(expr.left, wanted, expr.op)
            self.wants(expr.right, wanted, expr.op)
        elif isinstance(expr, ir.Unary):
            self.wants(expr.of, ir.UNARY[expr.op][0], expr.op)
        elif isinstance(expr, ir.Load):
            self.wants(expr.base, "ptr", "load from")
            self.wants(expr.index, "int", "load at")
        elif isinstance(expr, ir.Offset):
            self.wants(expr.base, "ptr", "offset")
            self.wants(expr.bytes, "int", "offset by")
        elif isinstance(expr, ir.Data):
            if expr.name not in self.module.data:
                raise self.fail(f"there is no data {expr.name}")
        elif isinstance(expr, ir.Conditional):
            self.wants(expr.test, "int", "if")
            self.wants(expr.other, self.expr(expr.then), "the other arm")
        elif isinstance(expr, ir.Call):
            self.call(expr)
        elif isinstance(expr, ir.CallAt):
            self.call_at(expr)
        else:
            raise self.fail(f"{type(expr).__name__} is no expression")
        return expr.type

    def call(self, expr: ir.Call) -> None:
        called = self.module.functions.get(expr.name)
        if called is None:
            raise self.fail(f"there is no function {expr.name}")
        if len(expr.arguments) != len(called.parameters):
            raise self.fail(
                f"{expr.name} takes {len(called.parameters)} arguments, not {len(expr.arguments)}"
            )
        if expr.type != called.result:
            raise self.fail(f"{expr.name} gives {called.result}, not {expr.type}")
        for argument, parameter in zip(expr.arguments, called.parameters, strict=True):
            self.wants(argument, parameter.type, f"{expr.name}'s {parameter.name}")

    def call_at(self, expr: ir.CallAt) -> None:
        self.wants(expr.address, "int", "the address of a call")
        if expr.type != "int":
            raise self.fail(f"a call through an address gives int, not {expr.type}")
        for argument in expr.arguments:
            if self.expr(argument) == "float":
                raise self.fail("a call through an address takes int and ptr, not float")


def _leaves(body: tuple[ir.Stmt, ...]) -> bool:
    """Whether control never reaches the end of a block."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ir.Return | ir.Break | ir.Continue | ir.Go | ir.Steps):
        return True
    return isinstance(last, ir.Branch) and _leaves(last.then) and _leaves(last.other)


def _always_returns(body: tuple[ir.Stmt, ...]) -> bool:
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ir.Branch):
        return _always_returns(last.then) and _always_returns(last.other)
    if isinstance(last, ir.While):
        endless = isinstance(last.test, ir.Const) and last.test.value != 0
        return endless and not _breaks(last.body)
    return isinstance(last, ir.Return | ir.Steps)  # no step ends otherwise, see above


def _breaks(body: tuple[ir.Stmt, ...]) -> bool:
    """Whether a loop's body breaks out of that loop."""
    for stmt in body:
        if isinstance(stmt, ir.Break):
            return True
        if isinstance(stmt, ir.Branch) and (_breaks(stmt.then) or _breaks(stmt.other)):
            return True
    return False
