"""Optional packages: without one, what needs it says how to install it."""

from __future__ import annotations

from importlib import import_module

from upcard.recycle.diagnostics import Refused


class NotInstalled(Refused):
    """A package of an extra is missing."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} need {package}: pip install 'upcard[{extra}]'")


def need(what: str, module: str, extra: str, package: str | None = None) -> None:
    """Raises `NotInstalled` if a module of an extra is missing. `package` is its name where it differs."""
    try:
        import_module(module)
    except ImportError:
        raise NotInstalled(what, package or module, extra) from None


def need_parquet(what: str = "parquet files") -> None:
    """Raises `NotInstalled` before anything is played if pyarrow is missing."""
    need(what, "pyarrow.parquet", "parquet", "pyarrow")


def need_arrow() -> None:
    """The same for tables that stay in memory."""
    need_parquet("tables")


def need_numpy() -> None:
    need("vector environments", "numpy", "rl")


def need_web() -> None:
    for package in ("starlette", "uvicorn", "websockets", "msgspec"):
        need("tables in the browser", package, "web")
