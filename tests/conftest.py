"""Set-up of every process that runs tests: import path, signals, machine code, garbage collection.

Machine code is compiled without LLVM's passes here, since most tests are about what it means and the passes
take ten times as long as everything else. Tests with `as_shipped` get the code that users run.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from upcard.recycle.frontend import Checked

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


@pytest.fixture(scope="session", autouse=True)
def _library_checked_once() -> Iterator[None]:
    """Thousands of tests load games of the library. Nothing changes their programs, so each is checked once
    for each set of overrides."""
    from upcard.engine import loader
    from upcard.library import check_game, find

    @cache
    def check_once(
        what: str, rules: Path, overrides: tuple[tuple[str, str], ...], base: Literal[0, 1] | None
    ) -> Checked:
        return check_game(what, dict(overrides), base, lint=False)

    def checked(
        what: str | Path, overrides: Mapping[str, str], base: Literal[0, 1] | None, lint: bool
    ) -> Checked:
        found = find(what)
        if lint or not found.in_library:
            return check_game(what, overrides, base, lint)
        return check_once(str(what), found.rules, tuple(overrides.items()), base)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loader, "check_game", checked)
        yield


def pytest_collection_finish() -> None:
    """Takes all that exists now, which stays to the end, out of garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
