"""Optional packages: without one, what needs it says how to install it."""

from __future__ import annotations

from upcard.recycle.diagnostics import Refused


class NotInstalled(Refused):
    """A package of an extra is missing."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} need {package}: pip install 'upcard[{extra}]'")


def need_parquet(what: str = "parquet files") -> None:
    """Raises `NotInstalled` before anything is played if pyarrow is missing."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise NotInstalled(what, "pyarrow", "parquet") from None


def need_arrow() -> None:
    """The same for tables that stay in memory."""
    need_parquet("tables")
