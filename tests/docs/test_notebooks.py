"""The notebooks are carried out; their outputs and their pages are as they are stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.docs.notebooks import FIGURE, FOLDER, IMAGES, NOTEBOOKS, code_cells, page, read, run
from tests.docs.steps import DOCS


def texts(outputs: list[dict[str, Any]]) -> list[Any]:
    """What is the same everywhere: matplotlib draws differently from version to version."""
    found = []
    for output in outputs:
        data = dict(output.get("data", {}))
        drawn = data.pop(FIGURE, None)
        found.append((output["output_type"], output.get("text"), data, drawn is not None))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_show_what_is_stored(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("matplotlib", "numpy", "pyarrow"):
        pytest.importorskip(module, reason=f"{module} is not installed here")
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = read(path)
    made = run(notebook, tmp_path)
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), made, strict=True), 1):
        assert texts(outputs) == texts(cell["outputs"]), (
            f"cell {number}; see python -m tests.docs.notebooks --write"
        )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_is_its_notebook(path: Path) -> None:
    text, pictures = page(path, read(path))
    assert path.with_suffix(".md").read_text(encoding="utf-8") == text
    for name, svg in pictures.items():
        assert (IMAGES / name).read_text(encoding="utf-8") == svg


def test_the_notebooks_are_listed() -> None:
    assert len(NOTEBOOKS) == 3
    listed = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert [path.stem for path in NOTEBOOKS if f"]({path.stem}.md)" not in listed] == []
    used = {name for path in NOTEBOOKS for name in page(path, read(path))[1]}
    assert {path.name for path in (DOCS / "images" / "notebooks").iterdir()} == used
