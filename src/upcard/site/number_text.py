"""Formats numbers and paragraphs for pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from upcard.site.markup import Html, joined, tag
from upcard.stats import interval_text as interval_words
from upcard.stats.intervals import Interval

_ITEM = re.compile(r"\s*[-*•]\s+|\s{2,}\S")
_HEAD = re.compile(r"([A-Z][^.!?:;,]{1,34})\.\s+(?=\S)")
_ADDRESS = re.compile(r"https?://[^\s<>\"'()]+[^\s<>\"'().,;:]")
_MOST_WORDS = 2
"""Of a few words with which a paragraph says what it is about."""


def told(found: Interval, digits: int = 2) -> str:
    return interval_words.told(found, digits).replace("-", "−")


def share(found: Interval) -> str:
    """A share with its interval, which need not be even around it."""
    if found.mean is None:
        return "unknown"
    if found.low is None or found.high is None:
        return f"{100 * found.mean:.0f} %"
    return f"{100 * found.mean:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f} %)"


def ends(found: Interval, digits: int = 3) -> str:
    if found.low is None or found.high is None:
        return "–"
    return f"{found.low:.{digits}f} to {found.high:.{digits}f}".replace("-", "−")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """The text with a full stop behind it, if it has none."""
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def prose(text: str) -> Html:
    """Paragraphs with an empty line between them; lines of lists stay lines, and lines of two columns are a
    small table. A paragraph that begins with a word or two and a full stop has them for a heading."""
    return joined(*(_paragraph(block) for block in re.split(r"\n\s*\n", text.strip("\n"))))


def _columns(lines: Sequence[str]) -> list[list[str]] | None:
    """Rows of two, where every line is indented and has a gap, or goes on with the right side of the row
    above; None for anything else."""
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


def linked(text: str) -> Html:
    """Text in which addresses can be followed by whoever clicks on them."""
    return joined(*_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    at = 0
    for found in _ADDRESS.finditer(text):
        yield text[at : found.start()]
        yield tag("a", found[0], href=found[0], rel="noreferrer noopener")
        at = found.end()
    yield text[at:]
