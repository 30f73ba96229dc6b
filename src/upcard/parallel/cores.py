"""Number of cores that this process may use."""

from __future__ import annotations

import os


def cores() -> int:
    """Cores that this process is allowed to run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
