"""A page read as a browser reads it: its elements, its texts, and whatever it would ask others for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = frozenset("meta link br hr img input".split())
LOADING = frozenset(
    "src srcset poster background data action formaction ping manifest archive codebase".split()
)
"""Attributes by which a page asks for something by itself."""


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str = "") -> list[Element]:
        found = []
        for child in self.children:
            if isinstance(child, Element):
                found += [child] if not tag or child.tag == tag else []
                found += child.all(tag)
        return found

    def one(self, name: str) -> Element:
        """By id."""
        (found,) = [element for element in self.all() if element.attributes.get("id") == name]
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {}, None)
        self.here = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {key: value or "" for key, value in attrs}, self.here)
        assert len(element.attributes) == len(attrs), f"an attribute of {tag} is there twice"
        self.here.children.append(element)
        if tag not in EMPTY:
            self.here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.children.append(Element(tag, {key: value or "" for key, value in attrs}, self.here))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.here.tag, f"</{tag}> closes {self.here.tag}"
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)


def read(page: str) -> Element:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.here is reader.root, f"{reader.here.tag} is not closed"
    return reader.root


def ids(root: Element) -> list[str]:
    return [element.attributes["id"] for element in root.all() if "id" in element.attributes]


def pointed_at(page: str) -> set[str]:
    """Ids that the page refers to."""
    return set(re.findall(r'(?:href="#|url\(#)([^")]+)', page))


def asked_for(root: Element) -> list[str]:
    """What showing the page would fetch, in the page's own words; links are followed only by a click."""
    found = []
    for element in root.all():
        for key, value in element.attributes.items():
            local = element.tag != "a" and key in ("href", "xlink:href") and not value.startswith("#")
            if key in LOADING or local:
                found.append(f"{element.tag} {key}={value}")
            found += _in_style(value) if key != "content" else []
        if element.tag == "style":
            found += _in_style(element.text)
        if element.tag in ("iframe", "object", "embed", "base", "link", "image"):
            found.append(element.tag)
        if element.tag == "meta" and element.attributes.get("http-equiv", "").lower() == "refresh":
            found.append("refresh")
    return found


def _in_style(text: str) -> list[str]:
    addresses = [one for one in re.findall(r"url\(([^)]*)", text) if not one.strip("\"' ").startswith("#")]
    return addresses + re.findall(r"@import[^;]*", text)


def handlers(root: Element) -> list[str]:
    """Anything that would run by itself."""
    found = [element.tag for element in root.all("script")]
    for element in root.all():
        found += [key for key in element.attributes if key.startswith("on")]
        found += [
            value for value in element.attributes.values() if value.strip().lower().startswith("javascript:")
        ]
    return found
