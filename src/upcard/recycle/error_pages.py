"""Finds the page that explains a diagnostic code."""

from __future__ import annotations

import re
from pathlib import Path

import upcard
from upcard.recycle.diagnostics import suggest

_CODE = re.compile(r"[EW][0-9]{3}\Z")


def folder() -> Path | None:
    """Where the pages are: inside an installed package, or beside `src` in a checkout."""
    package = Path(upcard.__file__).resolve().parent
    places = (package / "docs" / "errors", package.parent.parent / "docs" / "errors")
    return next((place for place in places if place.is_dir()), None)


def codes() -> list[str]:
    """Every code that has a page."""
    pages = folder()
    return sorted(p.stem for p in pages.glob("*.md") if _CODE.match(p.stem)) if pages else []


def explain(code: str) -> str | None:
    """The page about a code, or nothing; small letters and blanks around it do no harm."""
    code = code.strip().upper()
    pages = folder()
    # the pattern also keeps a code from leading out of the folder
    if pages is None or not _CODE.match(code):
        return None
    page = pages / f"{code}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else None


def unknown(code: str) -> str:
    """What to say about a code without a page."""
    shown = code.strip()[:24]
    known = codes()
    meant = suggest(shown.upper(), known)
    if meant is None:
        # a bare number, or the wrong letter before the right one
        digits = re.sub(r"[^0-9]", "", shown)
        meant = next((k for k in known if digits and k[1:] == digits), None)
    hint = f"did you mean {meant}?" if meant else "write a code such as E301 or W501"
    return f"there is no code {shown}: {hint}" if shown else f"the code is missing: {hint}"
