"""Links of Markdown pages: where they lead, and which of them are dead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.site.site_pages import DOCS, FENCE, LINK, ROOT, source

IMAGE = re.compile(r"!\[[^\]]*\]\(([^()\s]+)\)|<(?:img|source)[^>]*? (?:src|srcset)=\"([^\"]+)\"")
_CODE = re.compile(r"`[^`\n]*`")


def documents() -> list[Path]:
    """The pages of the documentation and those beside it."""
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def dead_links(path: Path) -> Iterator[str]:
    """A sentence for each link of a page that leads nowhere."""
    for target in links(text_of(path)):
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        if not found.exists():
            yield f"{path.relative_to(ROOT)}: {target} does not exist"
        elif anchor and (found.suffix != ".md" or anchor not in anchors(found)):
            yield f"{path.relative_to(ROOT)}: {target}: there is no such section"


def links(text: str) -> Iterator[str]:
    """The targets of links and pictures; addresses of other sites are left out."""
    prose = FENCE.sub("", text)
    for match in [*LINK.finditer(_CODE.sub("`", prose)), *IMAGE.finditer(prose)]:
        target = next(part for part in reversed(match.groups()) if part)
        if not re.match(r"[a-z]+:", target):
            yield target


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a page's headings, as code hosts and the site make them."""
    found: dict[str, int] = {}
    names = set()
    for heading in re.findall(r"^#{1,6} +(.*?)(?: #+)?$", FENCE.sub("", text_of(path)), re.MULTILINE):
        slug = slug_of(heading)
        names.add(f"{slug}-{found[slug]}" if slug in found else slug)
        found[slug] = found.get(slug, 0) + 1
    return frozenset(names)


def slug_of(heading: str) -> str:
    text = LINK.sub(r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def text_of(path: Path) -> str:
    """A page with its generated parts."""
    text = path.read_text(encoding="utf-8")
    if not path.is_relative_to(DOCS):
        return text
    page = path.relative_to(DOCS).with_suffix("").as_posix()
    return text if page.startswith("development/") else source(page, text)
