"""Lets test files share helpers as `tests.engine.*` and the like, however pytest was started.

Machine code is made quickly here, since most tests are about what it means: without LLVM's passes, which take
ten times as long as all the rest. Tests with `as_shipped` get the code that users run.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import pytest

_ROOT = str(Path(__file__).resolve().parents[1])
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)

# the checker raises the limit when it first runs; hypothesis objects to that in the middle of a test
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

os.environ.setdefault("UPCARD_OPT", "0")


@pytest.fixture
def as_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code as users get it, with all of LLVM's passes."""
    monkeypatch.delenv("UPCARD_OPT", raising=False)


def pytest_collection_finish() -> None:
    """What is there now stays to the end, so the collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
