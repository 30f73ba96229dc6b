"""Links of a page lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path


def anchors(path: Path) -> set[str]:
    """Headings as Markdown viewers name them."""
    outside = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", outside, flags=re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads}


def check_links(path: Path) -> None:
    """Fails at the first link that leads nowhere. A page without links is wrong too."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\[`[^`\n]*`\]", "[code]", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text))
    assert links
    for link in links:
        if link.startswith("http"):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        assert target.is_file(), f"{path.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{path.name}: {link}"
