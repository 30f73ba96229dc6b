"""The programs inside the documents that the project grew from; they lie beside it and do not ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard.recycle.reader import read
from upcard.recycle.source import Source

SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"
EUCHRE, WHIST = 0, 1


def document(number: int) -> str:
    """A whole document; without the folder the test that asks is skipped."""
    found = sorted(SEEDS.glob(f"{number:03}_*.txt"))
    if not found:
        pytest.skip("the documents' programs lie outside the project, in ../shared/seeds, which is not here")
    return found[0].read_text(encoding="utf-8")


def program(number: int) -> str:
    """The program in a document, from its first parenthesis to its last."""
    text = document(number)
    text = text[text.index("(game") :]
    form = read(Source("document", text)).form
    assert form is not None
    return text[: form.span.end] + "\n"
