"""Set-up of every process that runs tests: import path, signals, machine code, garbage collection.

Machine code is compiled without LLVM's passes here, since most tests are about what it means and the passes
take ten times as long as everything else. Tests with `as_shipped` get the code that users run.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

import pytest

_ROOT = str(Path(__file__).resolve().parents[1])
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)

# the checker raises the limit when it first runs; hypothesis objects to that in the middle of a test
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

os.environ.setdefault("UPCARD_OPT", "0")

# A machine may forbid Python to keep compiled modules. Every program that a test starts would compile all of
# Upcard anew, which takes as long as what it then does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell without job control starts `pytest &` with SIGINT ignored. Every child would inherit that, and tests
# that interrupt a child would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def as_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code as users get it, with all of LLVM's passes."""
    monkeypatch.delenv("UPCARD_OPT", raising=False)


def pytest_collection_finish() -> None:
    """Takes all that exists now, which stays to the end, out of garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
