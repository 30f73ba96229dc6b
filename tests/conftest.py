"""Lets test files share helpers as `tests.engine.*` and the like, however pytest was started."""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = str(Path(__file__).resolve().parents[1])
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)

# the checker raises the limit when it first runs; hypothesis objects to that in the middle of a test
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
