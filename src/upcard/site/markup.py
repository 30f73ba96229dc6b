"""HTML builder: everything that is not markup already is escaped.

tag("p", "a < b, ", tag("b", "says"), " ", title, class_="note")
"""

from __future__ import annotations

import re
from html import escape
from typing import TypeAlias

_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""What has no place in a file of text: a browser would drop it or stop at it."""
_EMPTY = frozenset("meta link br hr img input rect path use circle line".split())


class Html(str):
    """Markup. Only `tag`, `joined` and whoever is sure of it make some."""

    __slots__ = ()


Part: TypeAlias = "str | int | None"
"""Html stays as it is, anything else is text, None is nothing."""


def text(value: Part) -> Html:
    if isinstance(value, Html):
        return value
    return Html("" if value is None else escape(shown(str(value))))


def shown(value: str) -> str:
    """The text with a mark for what cannot be shown."""
    return _UNSHOWN.sub("\ufffd", value.replace("\r\n", "\n"))


def joined(*parts: Part, between: str = "") -> Html:
    return Html(between.join(text(part) for part in parts))


def tag(name: str, /, *parts: Part, **attributes: str | float | bool | None) -> Html:
    """An element. `class_` is class, `_` in other names is `-`; None and False leave an attribute out."""
    written = ""
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        if value is True:
            written += f" {key}"
        else:
            value = number(value) if isinstance(value, float) else value
            written += f' {key}="{escape(shown(str(value)))}"'
    if name in _EMPTY and not parts:
        return Html(f"<{name}{written}/>")
    return Html(f"<{name}{written}>{joined(*parts)}</{name}>")


def number(value: float) -> str:
    """A length in a drawing, as short as it can be said."""
    return f"{value:.1f}".removesuffix(".0")
