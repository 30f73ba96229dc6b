"""Frame of every page: head, colours, contents, a policy that forbids requests."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from upcard.site.markup import Html, join, tag
from upcard.site.theme_css import css_variables
from upcard.study.figures.figure_style import DARK, LIGHT

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Section:
    name: str
    """The fragment of the address."""
    title: str
    body: Html


@cache
def style() -> Html:
    """The style sheet of all pages, with the colours of the figures' themes."""
    rules = (HERE / "page.css").read_text(encoding="utf-8")
    own = f":root {{ {css_variables(LIGHT)} }}\n"
    own += f"@media (prefers-color-scheme: dark) {{ :root {{ {css_variables(DARK)} }} }}\n"
    return Html(f"<style>\n{own}{rules}</style>")


def document(title: str, about: str, body: Html, script: str = "") -> str:
    """A whole page. Its policy forbids all requests, and all scripts but the given one."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'; " if script else ""
    policy = f"default-src 'none'; style-src 'unsafe-inline'; {allowed}base-uri 'none'; form-action 'none'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="description", content=about) if about else None,
        tag("title", title),
        style(),
    )
    run = Html(f"<script>{script}</script>") if script else None
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', body, run), lang='en')}\n"


def contents(sections: Sequence[Section]) -> Html:
    """The table of contents: beside the page if there is room, else above it."""
    links = [tag("li", tag("a", section.title, href=f"#{section.name}")) for section in sections]
    return tag("nav", tag("div", tag("p", "On this page"), tag("ol", *links)), class_="contents")


def render_sections(sections: Sequence[Section]) -> Html:
    return join(
        *(tag("section", tag("h2", section.title), section.body, id=section.name) for section in sections),
        between="\n",
    )


def figure(picture: Html, about: Html, command: str, css: str = "", into: str = "") -> Html:
    """A picture, its caption, and the command that makes it; `into`: the file it writes."""
    frame = tag("div", picture, class_="frame", tabindex="0" if css == "wide" else None)
    return tag("figure", frame, tag("figcaption", about, command_line(command, into)), class_=css or None)


def command_line(command: str, into: str = "") -> Html:
    """A command line, ready to copy."""
    where = join(" draws ", tag("code", into)) if into else None
    return tag("p", tag("code", command), where, class_="command")
