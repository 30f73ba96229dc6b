"""Notebooks of the documentation: carries their cells out, and makes a page of each.

    python -m tests.docs.notebooks --write     outputs in docs/notebooks/*.ipynb, and the pages beside them

Cells run in this process, in the order of the notebook, and are shown as Jupyter shows them: what they print,
the last expression, and figures of matplotlib that are open at the end of a cell.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.docs.steps import DOCS

FOLDER = DOCS / "notebooks"
IMAGES = DOCS / "images" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
FIGURE = "image/svg+xml"


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def run(notebook: dict[str, Any], folder: Path) -> list[list[dict[str, Any]]]:
    """The outputs of every cell with code."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        return [_run_cell("".join(cell["source"]), names) for cell in code_cells(notebook)]


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _run_cell(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    body = ast.parse(source).body
    last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body if last is None else body[:-1], []), "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        outputs.append({"output_type": "execute_result", "metadata": {}, "data": _bundle(value)})
    for svg in _open_figures():
        outputs.append({"output_type": "display_data", "metadata": {}, "data": {FIGURE: _lines(svg)}})
    return outputs


def _bundle(value: Any) -> dict[str, list[str]]:
    found = {"text/plain": _lines(repr(value))}
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    return found if html is None else {"text/html": _lines(html), **found}


def _open_figures() -> list[str]:
    """As SVG; they are closed."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    from matplotlib import pyplot

    found = []
    for number in pyplot.get_fignums():
        text = io.StringIO()
        pyplot.figure(number).savefig(text, format="svg", metadata={"Date": None})
        found.append(text.getvalue())
    pyplot.close("all")
    return found


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


# --- writing ---------------------------------------------------------------------------------------


def page(path: Path, notebook: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """The notebook as a page, and its pictures by file name."""
    parts, pictures = list[str](), dict[str, str]()

    def picture(svg: str, alt: str) -> str:
        name = f"{path.stem}-{len(pictures) + 1}.svg"
        pictures[name] = svg
        return f"\n\n![{alt}](../images/notebooks/{name})\n\n"

    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if output["output_type"] == "stream":
                parts.append(f"```text\n{''.join(output['text']).rstrip()}\n```")
            elif FIGURE in data:
                parts.append(picture("".join(data[FIGURE]), "The figure of these lines").strip())
            elif "text/html" in data:
                parts.append(_as_markdown("".join(data["text/html"]), picture))
            else:
                parts.append(f"```text\n{''.join(data['text/plain'])}\n```")
    about = f"This page is a notebook, `docs/notebooks/{path.name}`, with what its cells show."
    title, _, rest = "\n\n".join(parts).partition("\n\n")
    return f"{title}\n\n{about}\n\n{rest}\n", pictures


def _as_markdown(html: str, picture: Any) -> str:
    """Pictures as images of the page, since a page has no images inside."""

    def image(found: re.Match[str]) -> str:
        alt = re.search(r'alt="([^"]*)"', found[0])
        data = re.search(r'base64,([^"]*)"', found[0])
        assert alt is not None
        assert data is not None
        return str(picture(base64.b64decode(data[1]).decode(), alt[1]))

    text = re.sub(r"</?figure[^>]*>", "", html)
    text = re.sub(r"<figcaption>(.*?)</figcaption>", r"\n\n*\1*\n\n", text)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"<img[^>]*>", image, text)).strip()


def write() -> None:
    IMAGES.mkdir(exist_ok=True)
    for path in NOTEBOOKS:
        notebook = read(path)
        with tempfile.TemporaryDirectory() as folder:
            made = run(notebook, Path(folder))
        for number, (cell, outputs) in enumerate(zip(code_cells(notebook), made, strict=True), 1):
            numbered = [
                one | {"execution_count": number} if one["output_type"] == "execute_result" else one
                for one in outputs
            ]
            cell.update(execution_count=number, outputs=numbered)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        text, pictures = page(path, notebook)
        path.with_suffix(".md").write_text(text, encoding="utf-8")
        for name, svg in pictures.items():
            (IMAGES / name).write_text(svg, encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.docs.notebooks --write")
    write()
