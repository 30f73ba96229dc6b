"""Pictures of the README and the documentation, made by the commands that the pages name.

    python -m tests.docs.pictures --write      make every picture again

A test fails while a picture differs from what the command makes.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from tests.cli.runner import process

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
PAGE = "upcard page euchre --seed 1 --players none --games 20"
"""The table on the page that this command makes."""
GRAPH = "upcard graph kuhn-poker"
"""Its output."""


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    return {"euchre-table.svg": table_of(made(PAGE, "page.html")), "kuhn-poker.svg": made(GRAPH, "graph.svg")}


def made(command: str, name: str) -> str:
    """The file that a command writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        done = process(*command.split()[1:], "-o", str(path))
        assert done.returncode == 0, done.stderr
        return path.read_text(encoding="utf-8")


def table_of(page: str) -> str:
    """The picture of the table on a page, as a file of its own with the page's colours."""
    found = re.search(r'<svg class="table".*?</svg>', page, re.DOTALL)
    assert found, "the page has no table"
    styles = "\n".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    roots = re.findall(r":root \{(.*?)\}", styles, re.DOTALL)
    light, dark = (colours(block) for block in roots if "--felt:" in block)
    rules = "\n".join(re.findall(r"^\.table .*$", styles, re.MULTILINE))
    style = f".table {{ {light} }}\n@media (prefers-color-scheme: dark) {{ .table {{ {dark} }} }}\n{rules}"
    start = '<svg xmlns="http://www.w3.org/2000/svg" class="table"'
    return (
        found[0].replace('<svg class="table"', start, 1).replace(">", f">\n<style>\n{style}\n</style>\n", 1)
        + "\n"
    )


def colours(block: str) -> str:
    """The colours of the table among a page's variables."""
    names = "felt|rim|cloth|card|card-rim|black-suit|red-suit|back|back-line"
    return "; ".join(re.findall(rf"--(?:{names}): [^;]+", block))


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the pictures of the documentation.")
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args()
    for name, text in pictures().items():
        (IMAGES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
