"""Pages of the documentation as the site shows them: plain Markdown in, Markdown for the site out.

The files in `docs` are plain Markdown that any viewer shows. The site adds generated references in place of
a line `<!-- generated: NAME -->`, files that lie beside `docs`, and tables of contents.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from tests.docs.site.api_reference import api_reference
from tests.docs.site.command_reference import command_reference

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"

OUTSIDE = {
    "CONTRIBUTING.md": "development/contributing",
    "SECURITY.md": "development/security",
    "CHANGELOG.md": "development/changelog",
}
"""Files beside `docs`, and the pages that show them."""

CHAPTERS = {
    "Tutorial": "tutorial",
    "Guides": "how-to",
    "Notebooks": "notebooks",
    "Reference": "reference",
    "Explanation": "explanation",
}
"""Captions of the navigation, and the folders below them."""

BORROWED = {"how-to/index": ["hint"], "reference/index": ["language/index"]}
"""Pages that lie elsewhere and belong to these tables of contents."""

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
_FENCE_START = re.compile(r"^```(\w+) +(.+)$", re.MULTILINE)


def pages() -> list[str]:
    """Every page by its path in `docs`, without `.md`."""
    return sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))


def site_text(page: str, text: str) -> str:
    """The text of a page for the site."""
    shown = source(page, text)
    parts = re.split(f"({FENCE.pattern})", shown, flags=FENCE.flags)
    parts[::2] = [LINK.sub(lambda match: _link(page, match), part) for part in parts[::2]]
    return _FENCE_START.sub(_fence, "".join(parts)) + _contents(page, text)


def source(page: str, text: str) -> str:
    """A page with everything that is generated or lies in another file."""
    for name, where in OUTSIDE.items():
        if page == where:
            return (ROOT / name).read_text(encoding="utf-8")
    return _MARKER.sub(lambda match: GENERATED[match[1]](), text)


def home(page: str) -> str:
    """The folder from which the links of a page start, relative to `docs`."""
    return ".." if page in OUTSIDE.values() else posixpath.dirname(page)


def _link(page: str, match: re.Match[str]) -> str:
    """A link as the site follows it. A link to a file that the site does not have becomes plain text."""
    text, target = match.groups()
    if re.match(r"[a-z]+:|#", target):
        return match[0]
    path, mark, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(home(page), path))
    if path == "errors":
        path = "reference/diagnostics.md"
    inside = path.removeprefix("../docs/")
    outside = OUTSIDE.get(path.removeprefix("../"))
    if path.startswith("../") and outside is not None and (DOCS / f"{outside}.md").exists():
        inside = f"{outside}.md"
    if inside.startswith("../"):
        return text
    return f"[{text}](/{inside}{mark}{anchor})"


def _fence(match: re.Match[str]) -> str:
    """The start of a fence; where it names a file, the file's name becomes a caption."""
    language, about = match.groups()
    name, _, what = about.partition(" ")
    if name == "with":
        return f"```{{code-block}} {language}\n:caption: with\n"
    if "." not in name:
        return f"```{language}"
    form = {"replace": "In {}, replace", "add": "At the end of {}"}.get(what.split(" ")[0], "{}")
    return f"```{{code-block}} {language}\n:caption: {form.format(name)}\n"


def _contents(page: str, text: str) -> str:
    """The hidden table of contents of an index page."""
    if page == "index":
        parts = [_toctree([f"{folder}/index"], caption) for caption, folder in CHAPTERS.items()]
        return "".join([*parts, _toctree(_development(), "Development")])
    if page == "reference/diagnostics":
        return _toctree([each for each in pages() if each.startswith("errors/")])
    return _toctree(children(page, text)) if page.endswith("/index") else ""


def children(page: str, text: str) -> list[str]:
    """The pages below an index page: first those that it links to, in that order, then the others."""
    folder = posixpath.dirname(page)
    below = [each for each in pages() if posixpath.dirname(each) == folder and each != page]
    below += BORROWED.get(page, [])
    linked = []
    for match in LINK.finditer(FENCE.sub("", text)):
        target = posixpath.normpath(posixpath.join(folder, match[2].partition("#")[0]))
        linked.append(target.removesuffix(".md"))
    return [each for each in dict.fromkeys([*linked, *below]) if each in below]


def _development() -> list[str]:
    """The pages for developers: those at the top that belong to no other chapter, and their folder."""
    borrowed = {name for names in BORROWED.values() for name in names}
    found = [each for each in pages() if "/" not in each and each != "index" and each not in borrowed]
    found = [
        each for each in found if "orphan: true" not in (DOCS / f"{each}.md").read_text(encoding="utf-8")
    ]
    return [*found, *(each for each in pages() if each.startswith("development/"))]


def _toctree(names: list[str], caption: str = "") -> str:
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    lines = ["```{toctree}", *options, "", *(f"/{name}" for name in names), "```"]
    return "\n\n" + "\n".join(lines) + "\n"


GENERATED: dict[str, Callable[[], str]] = {"api": api_reference, "commands": command_reference}
