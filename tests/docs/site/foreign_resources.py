"""Finds what a built site would load from other sites; links that a reader may follow are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_LOADED = re.compile(
    r"<(?:script|img|iframe|source|audio|video|embed|object)\b[^>]*\b(?:src|srcset|data)=[\"']?\s*(?:https?:)?//[^\"'\s>]*"
    r"|<link\b(?=[^>]*\brel=[\"']?(?:stylesheet|preload|preconnect|icon|shortcut))[^>]*\bhref=[\"']?(?:https?:)?//[^\"'\s>]*"
    r"|@import\s+(?:url\()?[\"']?(?:https?:)?//[^\"'\s)]*"
    r"|url\([\"']?\s*(?:https?:)?//[^\"'\s)]*",
    re.IGNORECASE,
)


def foreign_resources(folder: Path) -> Iterator[str]:
    """A sentence for each resource that a page or a style sheet loads from elsewhere."""
    for path in sorted([*folder.rglob("*.html"), *folder.rglob("*.css")]):
        for match in _LOADED.finditer(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(folder)} loads from another site: {match[0]}"
