"""Prints IR for people: `upcard compile --emit ir`."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.engine.native import ir


def show(module: ir.Module) -> str:
    lines = [f"module {module.name}"]
    lines += [f"data {name}: {len(data)} bytes" for name, data in module.data.items()]
    for function in module.functions.values():
        lines += ["", *_function(function)]
    return "\n".join(lines) + "\n"


def _function(function: ir.Function) -> Iterator[str]:
    given = ", ".join(f"{p.name}: {p.type}" for p in function.parameters)
    yield f"{'export ' if function.exported else ''}def {function.name}({given}) -> {function.result}:"
    yield from _block(function.body, 1)


def _block(body: tuple[ir.Stmt, ...], depth: int) -> Iterator[str]:
    pad = "    " * depth
    if not body:
        yield f"{pad}pass"
    for stmt in body:
        if isinstance(stmt, ir.Assign):
            yield f"{pad}{stmt.local.name} = {expr(stmt.value)}"
        elif isinstance(stmt, ir.Store):
            yield f"{pad}{stmt.width}[{expr(stmt.base)}, {expr(stmt.index)}] = {expr(stmt.value)}"
        elif isinstance(stmt, ir.Spread):
            planes = ", ".join(f"{expr(mask)} as {expr(value)}" for mask, value in stmt.planes)
            yield f"{pad}u8[{expr(stmt.base)}, {expr(stmt.index)}] = {stmt.count} bits of {planes}"
        elif isinstance(stmt, ir.Prefetch):
            yield f"{pad}prefetch u8[{expr(stmt.base)}, {expr(stmt.index)}]"
        elif isinstance(stmt, ir.Branch):
            yield f"{pad}if {expr(stmt.test)}:"
            yield from _block(stmt.then, depth + 1)
            if stmt.other:
                yield f"{pad}else:"
                yield from _block(stmt.other, depth + 1)
        elif isinstance(stmt, ir.While):
            yield f"{pad}while {expr(stmt.test)}:"
            yield from _block(stmt.body, depth + 1)
        elif isinstance(stmt, ir.Steps):
            yield f"{pad}steps from {expr(stmt.start)}:"
            for number, block in enumerate(stmt.blocks):
                yield f"{pad}step {number}:"
                yield from _block(block, depth + 1)
        elif isinstance(stmt, ir.Go):
            yield f"{pad}go {stmt.to}"
        elif isinstance(stmt, ir.Return):
            yield f"{pad}return {expr(stmt.value)}"
        elif isinstance(stmt, ir.Do):
            yield f"{pad}{expr(stmt.call)}"
        else:
            yield f"{pad}{type(stmt).__name__.lower()}"


def expr(node: ir.Expr) -> str:
    if isinstance(node, ir.Const):
        return str(node.value)
    if isinstance(node, ir.Local):
        return node.name
    if isinstance(node, ir.Binary):
        return f"({expr(node.left)} {node.op} {expr(node.right)})"
    if isinstance(node, ir.Unary):
        return f"{node.op}({expr(node.of)})"
    if isinstance(node, ir.Load):
        return f"{node.width}[{expr(node.base)}, {expr(node.index)}]"
    if isinstance(node, ir.Offset):
        return f"({expr(node.base)} + {expr(node.bytes)} bytes)"
    if isinstance(node, ir.Data):
        return f"@{node.name}"
    if isinstance(node, ir.If):
        return f"({expr(node.then)} if {expr(node.test)} else {expr(node.other)})"
    if isinstance(node, ir.Select):
        return f"select({expr(node.test)}, {expr(node.then)}, {expr(node.other)})"
    assert isinstance(node, ir.Call | ir.CallAt)
    called = node.name if isinstance(node, ir.Call) else f"at[{expr(node.address)}]"
    return f"{called}({', '.join(expr(a) for a in node.arguments)})"
