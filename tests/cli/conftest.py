"""A table with a pack on it, for the commands of the course."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard.course.pack import pack_text
from upcard.euchre.euchre_cards import STANDARD


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "pack.in").write_text(pack_text(STANDARD), encoding="utf-8")
    return tmp_path
