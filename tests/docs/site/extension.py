"""Sphinx extension of the documentation site: gives Sphinx the pages as the site shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.util import logging
from tests.docs.site.api_reference import canonical_names, neutral
from tests.docs.site.foreign_resources import foreign_resources
from tests.docs.site.site_pages import OUTSIDE, ROOT, site_text

from upcard.site.lexer import RecycleLexer

PLAIN = ("result", "recycle-bytes")
"""Languages of fences that are shown without colours."""


def _read(app: Any, page: str, text: list[str]) -> None:
    for name, where in OUTSIDE.items():
        if page == where:
            app.env.note_dependency(str(ROOT / name))
    text[0] = site_text(page, text[0])


def _docstring(_app: Any, _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    lines[:] = neutral(lines)


def _reference(app: Any, env: Any, node: Any, content: Any) -> Any:
    """A link to a class where it is defined leads to the name under which `upcard` exports it."""
    name = canonical_names().get(str(node.get("reftarget", "")))
    if name is None:
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], name, node, content)


def _check(app: Any, failed: Exception | None) -> None:
    """Every resource of the site must be its own."""
    if failed is None:
        for found in foreign_resources(Path(app.outdir)):
            logging.getLogger(__name__).warning(found)


def setup(app: Any) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_lexer("recycle", RecycleLexer)
    for name in PLAIN:
        app.add_lexer(name, TextLexer)
    app.connect("source-read", _read)
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    app.connect("missing-reference", _reference)
    app.connect("build-finished", _check)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
