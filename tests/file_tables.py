"""File tables: the docstring of a package ends with a line per module, taken from the module's docstring.

    python -m tests.file_tables --write      bring every table up to date

A test fails while a table is out of date.
"""

from __future__ import annotations

import argparse
import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "upcard"
DATA = {"games", "starter", "__pycache__"}
HEADING = "Modules:"
WIDTH = 106


def packages() -> list[Path]:
    """Every package but the root, whose docstring is for users."""
    found = {path.parent for path in PACKAGE.rglob("*/*.py")}
    return sorted(folder for folder in found if not DATA & set(folder.relative_to(PACKAGE).parts))


def purpose(path: Path) -> str:
    """The first paragraph of a module's docstring, on one line."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].split())


def entries(folder: Path) -> Iterator[tuple[str, str]]:
    """Names and purposes of the modules and packages in a folder, packages last."""
    for path in sorted(folder.glob("*.py")):
        if not path.stem.startswith("__"):
            yield path.stem, purpose(path)
    for path in sorted(folder.glob("*/__init__.py")):
        yield f"{path.parent.name}/", purpose(path)


def table(folder: Path) -> str:
    rows = list(entries(folder))
    column = max((len(name) for name, _ in rows), default=0) + 2
    lines = []
    for name, text in rows:
        wrapped = textwrap.wrap(text, WIDTH - 4 - column) or [""]
        lines.append(f"    {name:<{column}}{wrapped[0]}".rstrip())
        lines += [f"    {'':<{column}}{more}" for more in wrapped[1:]]
    return "\n".join(lines)


def expected(folder: Path) -> str:
    """The text of a package's `__init__.py` with its table up to date."""
    path = folder / "__init__.py"
    text = path.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text), clean=False) or ""
    prose = docstring.split(f"\n\n{HEADING}\n")[0].rstrip()
    rows = table(folder)
    wanted = f"{prose}\n\n{HEADING}\n{rows}\n" if rows else docstring
    return text.replace(docstring, wanted, 1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.file_tables", description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="bring every table up to date")
    write = parser.parse_args().write
    for folder in packages():
        path, text = folder / "__init__.py", expected(folder)
        if path.read_text(encoding="utf-8") != text:
            print(path.relative_to(PACKAGE))
            if write:
                path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
