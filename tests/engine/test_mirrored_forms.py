"""A form means the same in both engines, and its two functions lie in files of the same name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from upcard.engine import native
from upcard.engine.native.lower import context
from upcard.engine.reference import evaluator
from upcard.recycle import program as p

MEANING = evaluator.VALUES | evaluator.ACTIONS
LOWERING: list[Mapping[type[p.Node], object]] = [
    context.VALUES,
    context.CARDS,
    context.GROUPS,
    context.ARRAYS,
    context.ACTIONS,
]
INSIDE_OTHERS = {p.MapStore}
"""A point map is no value of its own in machine code: forms that score cards find its words."""


def home(function: object) -> str:
    return str(function.__module__).rsplit(".", 1)[-1]


def test_every_form_is_lowered() -> None:
    lowered = {node for table in LOWERING for node in table}
    assert set(MEANING) - lowered == INSIDE_OTHERS


@pytest.mark.parametrize(
    "node", [node for node in MEANING if node is not p.Var], ids=lambda node: node.__name__
)
def test_a_form_has_files_of_the_same_name(node: type[p.Node]) -> None:
    """`values.py` in both; where the lowering has more than one file, `list_values.py` and so on.

    A variable can hold anything, so it is lowered with what it holds.
    """
    meant = home(MEANING[node])
    lowered = {home(table[node]) for table in LOWERING if node in table}
    assert all(name == meant or name.endswith(f"_{meant}") for name in lowered), lowered


def test_the_mirrored_files_exist() -> None:
    lower = Path(native.__file__).parent / "lower"
    assert all((lower / f"{home(function)}.py").exists() for function in MEANING.values())
