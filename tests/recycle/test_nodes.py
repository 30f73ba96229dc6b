"""Nodes lie in families, and everybody takes them from one place."""

from __future__ import annotations

from pathlib import Path

import upcard
from upcard.recycle import program as p
from upcard.recycle.nodes import actions, collections, node, values


def test_the_program_hands_on_every_node_of_the_families() -> None:
    for family in (node, values, collections, actions):
        own = {
            name: thing
            for name, thing in vars(family).items()
            if isinstance(thing, type) and thing.__module__ == family.__name__
        }
        assert own
        assert {name: getattr(p, name, None) for name in own} == own


def test_nobody_else_takes_nodes_from_a_family() -> None:
    root = Path(upcard.__file__).parent
    named = {
        path.relative_to(root) for path in root.rglob("*.py") if "recycle.nodes" in path.read_text("utf-8")
    }
    assert {path for path in named if path.parent.name != "nodes"} == {Path("recycle/program.py")}
