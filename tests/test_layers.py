"""Packages form layers: a lower one never imports a higher one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "upcard"

LAYERS: list[set[str]] = [
    {"recycle"},
    {"files", "parallel"},
    {"storage", "stats"},
    {"library"},
    {"narration"},
    {"engine"},
    {"encoding", "simulate"},
    {"players"},
    {"match"},
    {"advice"},
    {"arena", "terminal"},
    {"euchre"},
    {"course", "graph", "solve", "verify"},
    {"rl", "study"},
    {"site"},
    {"web"},
    {"cli"},
]
LEVEL = {package: level for level, packages in enumerate(LAYERS) for package in packages}

UPWARD = {
    (file, package)
    for file in ("engine/game.py", "engine/shared/game.py")
    for package in ("encoding", "simulate")
}
"""`Game.simulate` and `Game.encoding` are part of the public API, so a game reaches up to what makes them."""


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update({node.module, *(f"{node.module}.{name.name}" for name in node.names)})
            assert node.level == 0, f"{path} imports relatively; full names show the layers"
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return {name for name in found if name.startswith("upcard.")}


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downwards(path: Path) -> None:
    inside = path.relative_to(PACKAGE).as_posix()
    package = inside.split("/")[0]
    assert package in LEVEL, f"{package} has no layer; give it one here and in docs/architecture.md"
    for name in imports(path):
        other = name.split(".")[1]
        if other in LEVEL and other != package and (inside, other) not in UPWARD:
            assert LEVEL[other] < LEVEL[package], f"{path.name} in {package} imports {name}"


def test_the_language_needs_only_the_standard_library() -> None:
    files = list((PACKAGE / "recycle").rglob("*.py"))
    assert len(files) > 10
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.split(".")[0] in ("typer", "rich") for name in names), path


def test_the_architecture_page_names_every_package() -> None:
    page = (PACKAGE.parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert not [package for package in sorted(packages) if f"`{package}/`" not in page]
