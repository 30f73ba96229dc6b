"""HTML builder: escapes everything that is not markup already.

tag("p", "a < b, ", tag("b", "says"), " ", title, class_="note")
"""

from __future__ import annotations

import re
from html import escape
from typing import TypeAlias

_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that HTML does not allow."""
_EMPTY = frozenset("meta link br hr img input rect path use circle line".split())


class Html(str):
    """Markup that needs no escaping."""

    __slots__ = ()


Part: TypeAlias = "str | int | None"
"""Html is kept, other values are escaped as text, None is empty."""


def text(value: Part) -> Html:
    if isinstance(value, Html):
        return value
    return Html("" if value is None else escape(shown(str(value))))


def shown(value: str) -> str:
    """The text with U+FFFD for characters that HTML does not allow."""
    return _UNSHOWN.sub("\ufffd", value.replace("\r\n", "\n"))


def join(*parts: Part, between: str = "") -> Html:
    return Html(between.join(text(part) for part in parts))


def tag(name: str, /, *parts: Part, **attributes: str | float | bool | None) -> Html:
    """An element. `class_` is class, `_` in other names is `-`; None and False leave an attribute out."""
    render_sections = ""
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            render_sections += f" {key}"
        else:
            value = number(value) if isinstance(value, float) else value
            render_sections += f' {key}="{escape(shown(str(value)))}"'
    if name in _EMPTY and not parts:
        return Html(f"<{name}{render_sections}/>")
    return Html(f"<{name}{render_sections}>{join(*parts)}</{name}>")


def number(value: float) -> str:
    """A length in a drawing, with at most one digit."""
    return f"{value:.1f}".removesuffix(".0")
