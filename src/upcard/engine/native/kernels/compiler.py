"""Kernel compiler: from the typed subset of Python to the IR.

Types are read from the syntax tree; anything outside the subset is refused with its line.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.ir_verifier import verify
from upcard.engine.native.kernels.struct_access import NotInSubset, StructAccess, StructType, struct_text
from upcard.engine.native.kernels.structs import Struct

_TYPES: dict[str, ir.Type] = {"Int": "int", "Float": "float", "Ptr": "ptr"}
_LOADS: dict[str, ir.Width] = {"u8": "u8", "u16": "u16", "u32": "u32", "i64": "i64", "f64": "f64"}
_STORES: dict[str, ir.Width] = {f"set_{name}": width for name, width in _LOADS.items()}
_NAMED = {"add", "sub", "mul", "shl", "lshr", "umulh", "sdiv", "srem", "udiv", "urem", "ult", "nth_bit"}
_OPERATORS: dict[type[ast.operator], tuple[str, str | None]] = {
    ast.Add: ("add", "fadd"),
    ast.Sub: ("sub", "fsub"),
    ast.Mult: ("mul", "fmul"),
    ast.Div: ("", "fdiv"),
    ast.BitAnd: ("and", None),
    ast.BitOr: ("or", None),
    ast.BitXor: ("xor", None),
    ast.RShift: ("ashr", None),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "feq"),
    ast.NotEq: ("ne", "fne"),
    ast.Lt: ("slt", "flt"),
    ast.LtE: ("sle", "fle"),
    ast.Gt: ("sgt", "fgt"),
    ast.GtE: ("sge", "fge"),
}
TRUE, FALSE = ir.Const(1), ir.Const(0)


def compile_kernels(
    name: str,
    functions: Iterable[Callable[..., Any]],
    given: Iterable[Callable[..., Any]] = (),
    exported: Iterable[Callable[..., Any]] | None = None,
) -> ir.Module:
    """A module of kernels that may call each other; all are exported unless it is said which.

    `given` are functions that somebody else writes into the module later: only how they are called is known.
    """
    module = ir.Module(name)
    to_come = tuple(given)
    names = None if exported is None else {kernel.__name__ for kernel in exported}
    for function in _compiled(tuple(functions), to_come):
        module.add(replace(function, exported=names is None or function.name in names))
    if not to_come:
        verify(module)
    return module


@cache
def _compiled(
    functions: tuple[Callable[..., Any], ...], given: tuple[Callable[..., Any], ...]
) -> list[ir.Function]:
    """Every game's module begins with the same kernels, so they are read once a process."""
    kernels = [_Kernel(function) for function in functions]
    signatures = {kernel.name: kernel for kernel in (*kernels, *(_Kernel(function) for function in given))}
    return [kernel.compile(signatures) for kernel in kernels]


class _Kernel(StructAccess):
    def __init__(self, function: Callable[..., Any]) -> None:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
        (definition,) = tree.body
        assert isinstance(definition, ast.FunctionDef)
        self.definition = definition
        self.name = definition.name
        self.where = f"{inspect.getsourcefile(function)}"
        self.first = first
        names = function.__globals__.items()
        self.constants = {key: value for key, value in names if type(value) in (int, float)}
        self.structs: dict[str, type[Struct]] = {
            key: value for key, value in names if isinstance(value, type) and issubclass(value, Struct)
        }
        arguments = definition.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            raise self.refused(definition, "a kernel has plain parameters")
        annotated = [(a.arg, *self.annotated(a.annotation, a)) for a in arguments.args]
        self.parameters = tuple(ir.Local(name, type_) for name, type_, _ in annotated)
        self.wanted = tuple(leads_to for _, _, leads_to in annotated)
        returns = definition.returns
        nothing = isinstance(returns, ast.Constant) and returns.value is None
        self.result: ir.Type
        self.result, self.result_struct = ("int", None) if nothing else self.annotated(returns, definition)
        self.types: dict[str, ir.Type] = {p.name: p.type for p in self.parameters}
        self.local_structs: dict[str, StructType] = {name: leads_to for name, _, leads_to in annotated}
        self.others: dict[str, _Kernel] = {}
        self.hidden = 0

    def refused(self, node: Any, why: str) -> NotInSubset:
        line = self.first + getattr(node, "lineno", 1) - 1
        return NotInSubset(f"{self.where}:{line}: {why}")

    def annotated(self, node: ast.expr | None, at: Any) -> tuple[ir.Type, StructType]:
        if isinstance(node, ast.Name) and node.id in _TYPES:
            return _TYPES[node.id], None
        if isinstance(node, ast.Name) and node.id in self.structs:
            return "ptr", self.structs[node.id]
        raise self.refused(at, "types are Int, Float, Ptr and structs, written out")

    def returned_struct(self, name: str) -> StructType:
        kernel = self.others.get(name)
        return self.structs.get(name) if kernel is None else kernel.result_struct

    def compile(self, others: dict[str, _Kernel]) -> ir.Function:
        self.others = others
        body = self.block(self.definition.body)
        if self.definition.returns is not None and isinstance(self.definition.returns, ast.Constant):
            body = (*body, ir.Return(FALSE))
        return ir.Function(self.name, self.parameters, body, self.result, exported=True)

    # --- statements ----------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> tuple[ir.Stmt, ...]:
        made: list[ir.Stmt] = []
        for stmt in body:
            made.extend(self.statement(stmt))
        return tuple(made)

    def statement(self, stmt: ast.stmt) -> list[ir.Stmt]:
        if isinstance(stmt, ast.Assign | ast.AnnAssign | ast.AugAssign):
            return [self.assignment(stmt)]
        if isinstance(stmt, ast.If):
            return [ir.Branch(self.test(stmt.test), self.block(stmt.body), self.block(stmt.orelse))]
        if isinstance(stmt, ast.While):
            if stmt.orelse:
                raise self.refused(stmt, "a loop has no else")
            return [ir.While(self.test(stmt.test), self.block(stmt.body))]
        if isinstance(stmt, ast.For):
            return self.counted(stmt)
        if isinstance(stmt, ast.Return):
            value = FALSE if stmt.value is None else self.expr(stmt.value)
            if stmt.value is not None:
                self.expect(self.result_struct, stmt.value)
            return [ir.Return(value)]
        if isinstance(stmt, ast.Break):
            return [ir.Break()]
        if isinstance(stmt, ast.Continue):
            return [ir.Continue()]
        if isinstance(stmt, ast.Pass):
            return []
        if isinstance(stmt, ast.Expr):
            return self.done(stmt)
        raise self.refused(stmt, f"{type(stmt).__name__} is not in the subset")

    def assignment(self, stmt: ast.Assign | ast.AnnAssign | ast.AugAssign) -> ir.Stmt:
        if isinstance(stmt, ast.Assign):
            if len(stmt.targets) != 1:
                raise self.refused(stmt, "one name is assigned at a time")
            target, value = stmt.targets[0], stmt.value
        elif isinstance(stmt, ast.AugAssign):
            target = stmt.target
            if any(isinstance(part, ast.Call) for part in ast.walk(target)):
                raise self.refused(stmt, "what is changed in place is named without a call")
            value = ast.copy_location(ast.BinOp(target, stmt.op, stmt.value), stmt)
        else:
            if stmt.value is None:
                raise self.refused(stmt, "a local gets its value where it is annotated")
            target, value = stmt.target, stmt.value
        made = self.expr(value)
        if isinstance(target, ast.Attribute | ast.Subscript):
            return self.store(target, made, value)
        if not isinstance(target, ast.Name):
            raise self.refused(stmt, "names, fields and elements are assigned")
        leads_to = self.leads_to(value)
        if isinstance(stmt, ast.AnnAssign) and self.annotated(stmt.annotation, stmt) != (made.type, leads_to):
            raise self.refused(stmt, f"{target.id} is annotated as another type than its value has")
        if self.types.setdefault(target.id, made.type) != made.type:
            raise self.refused(stmt, f"{target.id} was {self.types[target.id]} before")
        before = self.local_structs.setdefault(target.id, leads_to)
        if before is not leads_to:
            raise self.refused(
                stmt, f"{target.id} was {struct_text(before)} before, and this is {struct_text(leads_to)}"
            )
        return ir.Assign(ir.Local(target.id, made.type), made)

    def counted(self, stmt: ast.For) -> list[ir.Stmt]:
        """for i in range(a, b): the bound is evaluated once, and the body may not change i."""
        call = stmt.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"):
            raise self.refused(stmt, "for goes over range(...) only")
        if not isinstance(stmt.target, ast.Name) or stmt.orelse or not 1 <= len(call.args) <= 2:
            raise self.refused(stmt, "a counted loop is for i in range(a, b)")
        low = self.expr(call.args[0]) if len(call.args) == 2 else FALSE
        high = self.expr(call.args[-1])
        self.hidden += 1
        name = stmt.target.id
        if self.types.setdefault(name, "int") != "int":
            raise self.refused(stmt, f"{name} was {self.types[name]} before")
        counter, bound = ir.Local(f"{name}.{self.hidden}", "int"), ir.Local(f"end.{self.hidden}", "int")
        visible = ir.Local(name, "int")
        body = self.block(stmt.body)
        # the counter steps before the body runs, so that continue needs no special care
        return [
            ir.Assign(counter, low),
            ir.Assign(bound, high),
            ir.While(
                ir.Binary("slt", counter, bound),
                (
                    ir.Assign(visible, counter),
                    ir.Assign(counter, ir.Binary("add", counter, TRUE)),
                    *body,
                ),
            ),
        ]

    def done(self, stmt: ast.Expr) -> list[ir.Stmt]:
        value = stmt.value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return []  # a docstring
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            raise self.refused(stmt, "a value that nobody uses")
        width = _STORES.get(value.func.id)
        if width is not None:
            base, index, stored = self.arguments(value, 3)
            return [ir.Store(width, base, index, stored)]
        if value.func.id == "prefetch":
            base, index = self.arguments(value, 2)
            return [ir.Prefetch(base, index)]
        called = self.expr(value)
        if not isinstance(called, ir.Call | ir.CallAt):
            raise self.refused(stmt, "a value that nobody uses")
        return [ir.Do(called)]

    # --- expressions ---------------------------------------------------------------------------

    def test(self, node: ast.expr) -> ir.Expr:
        made = self.expr(node)
        if made.type != "int":
            raise self.refused(node, "a condition is a comparison or a number")
        return made

    def expr(self, node: ast.expr) -> ir.Expr:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool) or not isinstance(node.value, int | float):
                raise self.refused(node, "constants are numbers")
            return ir.Const(node.value, "float" if isinstance(node.value, float) else "int")
        if isinstance(node, ast.Name):
            return self.name_(node)
        if isinstance(node, ast.BinOp):
            return self.operation(node)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.Compare):
            return self.comparison(node)
        if isinstance(node, ast.BoolOp):
            return self.logic(node)
        if isinstance(node, ast.IfExp):
            return ir.If(self.test(node.test), self.expr(node.body), self.expr(node.orelse))
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Attribute | ast.Subscript):
            return self.field(node)
        raise self.refused(node, f"{type(node).__name__} is not in the subset")

    def name_(self, node: ast.Name) -> ir.Expr:
        if node.id in self.types:
            return ir.Local(node.id, self.types[node.id])
        if node.id in self.constants:
            value = self.constants[node.id]
            return ir.Const(value, "float" if isinstance(value, float) else "int")
        raise self.refused(node, f"{node.id} is neither a local nor a number of this file")

    def operation(self, node: ast.BinOp) -> ir.Expr:
        named = _OPERATORS.get(type(node.op))
        if named is None:
            raise self.refused(node, "call this operation by name: shl, sdiv, srem, udiv or urem")
        left, right = self.expr(node.left), self.expr(node.right)
        if left.type != right.type or left.type == "ptr":
            raise self.refused(
                node, f"{left.type} and {right.type} do not go together; convert with itof or ftoi"
            )
        op = named[1] if left.type == "float" else named[0]
        if not op:
            raise self.refused(node, f"this operation is not for {left.type}")
        return ir.Binary(op, left, right)

    def unary(self, node: ast.UnaryOp) -> ir.Expr:
        of = self.expr(node.operand)
        if isinstance(node.op, ast.Not):
            return ir.Binary("eq", of, FALSE)
        if isinstance(node.op, ast.Invert):
            return ir.Unary("not", of)
        if isinstance(node.op, ast.USub):
            if isinstance(of, ir.Const):
                return ir.Const(-of.value, of.type)
            return (
                ir.Binary("sub", FALSE, of)
                if of.type == "int"
                else ir.Binary("fsub", ir.Const(0.0, "float"), of)
            )
        raise self.refused(node, "this sign is not in the subset")

    def comparison(self, node: ast.Compare) -> ir.Expr:
        if len(node.ops) != 1 or type(node.ops[0]) not in _COMPARISONS:
            raise self.refused(node, "one comparison at a time")
        left, right = self.expr(node.left), self.expr(node.comparators[0])
        if left.type != right.type or left.type == "ptr":
            raise self.refused(node, f"{left.type} and {right.type} cannot be compared")
        of_ints, of_floats = _COMPARISONS[type(node.ops[0])]
        return ir.Binary(of_floats if left.type == "float" else of_ints, left, right)

    def logic(self, node: ast.BoolOp) -> ir.Expr:
        """Stops as soon as it is decided. The result is 0 or 1, so operands must be conditions."""
        *rest, made = [self.condition(value) for value in node.values]
        for operand in reversed(rest):
            made = ir.If(operand, made, FALSE) if isinstance(node.op, ast.And) else ir.If(operand, TRUE, made)
        return made

    def condition(self, node: ast.expr) -> ir.Expr:
        made = self.test(node)
        is_test = isinstance(node, ast.Compare | ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        )
        if not is_test and not (isinstance(made, ir.Binary) and made.op == "ult"):
            raise self.refused(node, "and, or join comparisons: write x != 0")
        return made

    def arguments(self, node: ast.Call, count: int) -> list[ir.Expr]:
        if node.keywords or len(node.args) != count:
            raise self.refused(node, f"this takes {count} arguments")
        return [self.expr(argument) for argument in node.args]

    def call(self, node: ast.Call) -> ir.Expr:
        if not isinstance(node.func, ast.Name):
            raise self.refused(node, "only functions of the subset and other kernels are called")
        name = node.func.id
        if name in _LOADS:
            base, index = self.arguments(node, 2)
            return ir.Load(_LOADS[name], base, index)
        if name == "offset":
            base, count = self.arguments(node, 2)
            return ir.Offset(base, count)
        if name in _NAMED:
            left, right = self.arguments(node, 2)
            return ir.Binary(name, left, right)
        if name in ir.UNARY and name != "not":
            (of,) = self.arguments(node, 1)
            return ir.Unary(name, of)
        if name == "call_at":
            address, *given = self.arguments(node, max(len(node.args), 1))
            if address.type != "int" or any(argument.type == "float" for argument in given):
                raise self.refused(node, "call_at takes an address, which is an Int, then Int and Ptr")
            return ir.CallAt(address, tuple(given))
        if name in self.structs:
            (of,) = self.arguments(node, 1)
            if of.type != "ptr":
                raise self.refused(node, f"{name}(...) gives a pointer its type, and {of.type} is no pointer")
            return of
        other = self.others.get(name)
        if other is None:
            raise self.refused(node, f"{name} is neither in the subset nor a kernel of this module")
        values = self.arguments(node, len(other.parameters))
        for wanted, argument in zip(other.wanted, node.args, strict=True):
            self.expect(wanted, argument)
        return ir.Call(name, tuple(values), other.result)
