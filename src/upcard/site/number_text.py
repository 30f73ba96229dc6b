"""Formats numbers and paragraphs for pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from upcard.site.markup import Html, join, tag
from upcard.stats import interval_text
from upcard.stats.intervals import Interval

_ITEM = re.compile(r"\s*[-*•]\s+|\s{2,}\S")
_HEAD = re.compile(r"([A-Z][^.!?:;,]{1,34})\.\s+(?=\S)")
_ADDRESS = re.compile(r"https?://[^\s<>\"'()]+[^\s<>\"'().,;:]")
_MOST_WORDS = 2
"""The longest heading at the start of a paragraph, in words."""


def format_interval(interval: Interval, digits: int = 2) -> str:
    return interval_text.told(interval, digits).replace("-", "−")


def format_share(interval: Interval) -> str:
    """A share with its interval, which may be asymmetric."""
    if interval.mean is None:
        return "unknown"
    if interval.low is None or interval.high is None:
        return f"{100 * interval.mean:z.0f} %"
    return f"{100 * interval.mean:z.0f} % ({100 * interval.low:z.0f} to {100 * interval.high:z.0f} %)"


def format_range(interval: Interval) -> str:
    """A value with the ends of its interval, which may be nearer on one side."""
    return interval_text.between(interval).replace("-", "−")


def format_value(interval: Interval) -> str:
    return "unknown" if interval.mean is None else f"{interval.mean:z.3f}".replace("-", "−")


def ends(interval: Interval, digits: int = 3) -> str:
    if interval.low is None or interval.high is None:
        return "–"
    return f"{interval.low:z.{digits}f} to {interval.high:z.{digits}f}".replace("-", "−")


def whole_percent(share: float) -> str:
    """A share as a whole number of percent; a small one is not nothing."""
    return "<1" if 0 < share < 0.01 else f"{100 * share:.0f}"


def sentence(text: str) -> str:
    """The text with a full stop behind it, if it has none."""
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def count_noun(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def prose(text: str) -> Html:
    """Paragraphs separated by empty lines. Lists keep their lines, two columns become a table, and one or two
    words with a full stop at the start become a heading."""
    return join(*(_paragraph(block) for block in re.split(r"\n\s*\n", text.strip("\n"))))


def _columns(lines: Sequence[str]) -> list[list[str]] | None:
    """Rows of two cells, if every line is indented and has a gap or continues the row above; else None."""
    rows: list[list[str]] = []
    for line in lines:
        cells = re.split(r"\s{2,}", line.strip(), maxsplit=1)
        if not line.startswith("  ") or (len(cells) == 1 and not rows):
            return None
        if len(cells) == 2:
            rows.append(cells)
        else:
            rows[-1][1] += f" {cells[0]}"
    return rows


def _paragraph(block: str) -> Html:
    lines = block.splitlines()
    columns = _columns(lines)
    if columns is not None:
        rows = (tag("tr", tag("th", left, scope="row"), tag("td", right)) for left, right in columns)
        return tag("table", tag("tbody", *rows), class_="lines")
    if len(lines) > 1 and any(_ITEM.match(line) for line in lines[1:]):
        return tag("p", "\n".join(line.rstrip() for line in lines), class_="lines")
    plain = " ".join(block.split())
    head = _HEAD.match(plain)
    if head and len(head[1].split()) <= _MOST_WORDS:
        return tag("p", tag("b", head[1] + "."), " ", plain[head.end() :])
    return tag("p", plain)


def link_addresses(text: str) -> Html:
    """Text with its web addresses as links."""
    return join(*_pieces(text))


def link_source(text: str) -> Html:
    """A source. An address at its end becomes the link of the words before it."""
    words, _, address = text.rpartition(", ")
    if words and _ADDRESS.fullmatch(address):
        return tag("a", words, href=address, rel="noreferrer noopener")
    return link_addresses(text)


def _pieces(text: str) -> Iterator[str]:
    at = 0
    for interval in _ADDRESS.finditer(text):
        yield text[at : interval.start()]
        yield tag("a", interval[0], href=interval[0], rel="noreferrer noopener")
        at = interval.end()
    yield text[at:]
