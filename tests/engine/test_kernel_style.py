"""Kernels take few parameters, and name their words by structs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import upcard

SOURCE = Path(upcard.__file__).parent
MAX_PARAMETERS = 8
UNFINISHED = {"engine/native/kernels/trace.py", "engine/native/kernels/playout.py"}
"""Modules that still have kernels with more parameters."""


def kernel_modules() -> dict[str, ast.Module]:
    """Modules with a tuple of kernels."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text()
        if "KERNELS = (" in text and "kernels.language import" in text:
            found[path.relative_to(SOURCE).as_posix()] = ast.parse(text)
    return found


def offenders(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and len(node.args.args) > MAX_PARAMETERS:
            yield f"{node.name} has {len(node.args.args)} parameters"
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Tuple)
            and _is_counted(node.value)
        ):
            yield f"{ast.unparse(node.targets[0])} number words"


def _is_counted(value: ast.expr) -> bool:
    """Whether it is 0, 1, 2 ... or range(...)."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "range"
    if not isinstance(value, ast.Tuple) or len(value.elts) < 2:
        return False
    numbers = [item.value for item in value.elts if isinstance(item, ast.Constant)]
    return numbers in (list(range(len(value.elts))), list(range(1, len(value.elts) + 1)))


def test_kernels_take_structs() -> None:
    modules = kernel_modules()
    assert len(modules) > 15
    assert modules.keys() >= UNFINISHED
    found = {name: list(offenders(module)) for name, module in modules.items() if name not in UNFINISHED}
    assert {name: why for name, why in found.items() if why} == {}


def test_what_is_looked_for_is_found() -> None:
    text = "A, B, C = 0, 1, 2\nD, E = range(2)\nF, G = 5, 7\ndef f(a, b, c, d, e, f, g, h, i): pass\n"
    assert list(offenders(ast.parse(text))) == [
        "(A, B, C) number words",
        "(D, E) number words",
        "f has 9 parameters",
    ]
