"""The rooms of the house: a lower one never imports a higher one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "upcard"

LAYERS: list[set[str]] = [
    {"recycle"},
    {"files"},
    {"storage"},
    {"library"},
    {"engine"},
    {"players"},
    {"match"},
    {"arena", "euchre"},
    {"analysis"},
    {"table"},
    {"pages"},
    {"cli"},
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update({node.module, *(f"{node.module}.{name.name}" for name in node.names)})
            assert node.level == 0, f"{path} imports relatively; the rooms are easier to see by full name"
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return {name for name in found if name.startswith("upcard.")}


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downwards(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    assert room in LEVEL, (
        f"{room} has no place among the layers; give it one here and in docs/architecture.md"
    )
    for name in imports(path):
        other = name.split(".")[1]
        if other in LEVEL and other != room:
            assert LEVEL[other] < LEVEL[room], f"{path.name} in {room} imports {name}"


def test_the_language_stands_alone() -> None:
    """Reading and checking need nothing but the standard library."""
    for path in (PACKAGE / "recycle").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.split(".")[0] in ("typer", "rich") for name in names), path


def test_architecture_names_every_room() -> None:
    page = (PACKAGE.parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert not [room for room in sorted(rooms) if f"`{room}/`" not in page]
