"""A table with a pack on it, for the commands of the course."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard.euchre.cards import STANDARD
from upcard.euchre.course_pack import pack_text


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "pack.in").write_text(pack_text(STANDARD), encoding="utf-8")
    return tmp_path
