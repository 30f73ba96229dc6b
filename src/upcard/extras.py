"""Optional packages: without one, what needs it says how to install it."""

from __future__ import annotations

from upcard.recycle.diagnostics import Refused


class NotInstalled(Refused):
    """A package of an extra is missing."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} need {package}: pip install 'upcard[{extra}]'")


def need_parquet() -> None:
    """Raises `NotInstalled` before anything is played if pyarrow is missing."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise NotInstalled("parquet files", "pyarrow", "parquet") from None


def need_numpy() -> None:
    """Raises `NotInstalled` if numpy is missing."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise NotInstalled("vector environments", "numpy", "rl") from None
