"""Canvas of the charts on pages: scales, axes, marks and labels as SVG with text, in the page's colours.

A chart has a name and a description for those who cannot see it. Series differ in colour and also in shape
or dashes, and words are always in the colours of text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from upcard.graph.node_layout import text_width
from upcard.site.markup import Html, join, tag

WIDTH = 400.0
LETTERS = 11.5
LINE = 15.0
"""Distance between lines of text."""


@dataclass
class Chart:
    """What is drawn is in numbers of the data; the plot lies between the margins."""

    name: str
    """Prefix of its ids."""
    height: float
    x: tuple[float, float]
    y: tuple[float, float]
    left: float = 34.0
    right: float = 10.0
    top: float = 24.0
    bottom: float = 38.0
    width: float = WIDTH
    parts: list[Html] = field(default_factory=list)

    # --- scales --------------------------------------------------------------------------------

    def px(self, value: float) -> float:
        low, high = self.x
        return self.left + (value - low) / (high - low) * (self.width - self.left - self.right)

    def py(self, value: float) -> float:
        low, high = self.y
        return (
            self.height - self.bottom - (value - low) / (high - low) * (self.height - self.top - self.bottom)
        )

    # --- axes ----------------------------------------------------------------------------------

    def x_axis(self, ticks: Sequence[float], label: str) -> None:
        base = self.height - self.bottom
        end = self.width - self.right
        self.path(f"M{_n(self.left)},{_n(base)}H{_n(end)}", "axis")
        for value in ticks:
            at = self.px(value)
            self.path(f"M{_n(at)},{_n(base)}V{_n(base + 4)}", "axis")
            self.text(tick_text(value), at, base + 16, "middle", "soft")
        self.text(label, end, base + 32, "end", "soft")

    def y_axis(self, ticks: Sequence[float], label: str) -> None:
        """The label stands above the axis, where it needs no turning of heads."""
        for value in ticks:
            at = self.py(value)
            self.path(f"M{_n(self.left)},{_n(at)}H{_n(self.width - self.right)}", "grid")
            self.text(tick_text(value), self.left - 5, at + 4, "end", "soft")
        self.text(label, 2, self.top - 11, "start", "soft")

    # --- marks ---------------------------------------------------------------------------------

    def path(self, d: str, css: str) -> None:
        self.parts.append(tag("path", class_=css, d=d))

    def line(self, points: Sequence[tuple[float, float]], css: str) -> None:
        self.path("M" + "L".join(f"{_n(self.px(x))},{_n(self.py(y))}" for x, y in points), css)

    def steps(self, values: Sequence[float], edges: Sequence[float], css: str) -> None:
        d = f"M{_n(self.px(edges[0]))},{_n(self.py(values[0]))}"
        for value, end in zip(values, edges[1:], strict=True):
            d += f"V{_n(self.py(value))}H{_n(self.px(end))}"
        self.path(d, css)

    def band(self, points: Sequence[tuple[float, float, float]], css: str) -> None:
        """Between low and high: (x, low, high)."""
        there = [(x, high) for x, _, high in points]
        back = [(x, low) for x, low, _ in reversed(points)]
        self.line([*there, *back], css)

    def box(self, left: float, right: float, low: float, high: float, css: str, **more: float) -> None:
        self.parts.append(
            tag(
                "rect",
                class_=css,
                x=self.px(left),
                y=self.py(high),
                width=max(0.4, self.px(right) - self.px(left)),
                height=max(0.4, self.py(low) - self.py(high)),
                **{key: f"{value:.2f}" for key, value in more.items()},
            )
        )

    def marks(self, number: int, points: Sequence[tuple[float, float, float]], css: str) -> None:
        """The marks of a series, one path: (x, y, radius on the page)."""
        d = "".join(mark(number, self.px(x), self.py(y), radius) for x, y, radius in points)
        if d:
            self.path(d, css)

    def text(self, words: str, x: float, y: float, anchor: str = "start", css: str = "") -> None:
        """At a point of the page."""
        self.parts.append(tag("text", words, x=x, y=y, text_anchor=anchor, class_=css or None))

    # --- labels --------------------------------------------------------------------------------

    def end_labels(self, ends: Sequence[tuple[float, str, str]]) -> None:
        """Words right of the plot, at the heights where curves end: (y, words, class of the sample)."""
        at: list[float] = []
        ordered = sorted(ends, key=lambda end: -end[0])
        for y, _, _ in ordered:
            at.append(max(self.py(y), at[-1] + LINE) if at else self.py(y))
        over = max(0.0, at[-1] - (self.height - self.bottom)) if at else 0.0
        x = self.width - self.right
        for (_, words, css), y in zip(ordered, at, strict=True):
            self.path(f"M{_n(x + 4)},{_n(y - over)}h12", css)
            self.text(words, x + 20, y - over + 4)

    def legend(self, entries: Sequence[tuple[str, int | str]]) -> None:
        """Names of series above the plot: marks by number, lines by class. Makes room for itself."""
        x, rows = 2.0, 1
        placed: list[tuple[float, int, str, int | str]] = []
        for words, what in entries:
            needed = 20 + text_width(words, LETTERS) + 6
            if x > 2 and x + needed > self.width:
                x, rows = 2.0, rows + 1
            placed.append((x, rows, words, what))
            x += needed
        for x, row, words, what in placed:
            y = row * LINE - 4
            if isinstance(what, int):
                self.path(mark(what, x + 7, y - 4, 4.5), f"f{what % 8}")
            else:
                self.path(f"M{_n(x)},{_n(y - 4)}h14", what)
            self.text(words, x + 19, y)

    @staticmethod
    def legend_height(entries: Sequence[str]) -> float:
        """What a legend with these words needs above the plot."""
        x, rows = 2.0, 1
        for words in entries:
            needed = 20 + text_width(words, LETTERS) + 6
            if x > 2 and x + needed > WIDTH:
                x, rows = 2.0, rows + 1
            x += needed
        return rows * LINE + 6

    def done(self, title: str, finding: str) -> Html:
        return picture(self.name, self.width, self.height, title, finding, self.parts, "chart")


def picture(
    name: str, width: float, height: float, title: str, finding: str, parts: Sequence[Html], css: str
) -> Html:
    """An SVG element with a name and a description that states what it shows."""
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", finding, id=f"{name}-desc"),
        join(*parts),
        class_=css,
        viewBox=f"0 0 {_n(width)} {_n(height)}",
        role="img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-desc",
    )


def mark(number: int, x: float, y: float, r: float) -> str:
    """The shape of a series, around a point: a path of its own for each of six series."""
    kind = number % 6
    if kind == 0:
        return (
            f"M{_n(x - r)},{_n(y)}a{_n(r)},{_n(r)} 0 1 1 {_n(2 * r)},0a{_n(r)},{_n(r)} 0 1 1 {_n(-2 * r)},0"
        )
    if kind == 1:
        s = 0.88 * r
        return f"M{_n(x - s)},{_n(y - s)}h{_n(2 * s)}v{_n(2 * s)}h{_n(-2 * s)}z"
    if kind == 2:
        return f"M{_n(x)},{_n(y - 1.1 * r)}l{_n(r)},{_n(1.9 * r)}h{_n(-2 * r)}z"
    if kind == 3:
        tall = _n(1.2 * r)
        return f"M{_n(x)},{_n(y - 1.2 * r)}l{_n(r)},{tall}l{_n(-r)},{tall}l{_n(-r)},-{tall}z"
    if kind == 4:
        return f"M{_n(x)},{_n(y + 1.1 * r)}l{_n(r)},{_n(-1.9 * r)}h{_n(-2 * r)}z"
    s = 0.4 * r
    return f"M{_n(x - s)},{_n(y - r)}h{_n(2 * s)}v{_n(2 * r)}h{_n(-2 * s)}z"


def ticks(low: float, high: float, about: int = 5, whole: bool = False) -> list[float]:
    """Round numbers between two ends."""
    span = max(high - low, 1e-9)
    raw = span / about
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    if whole:
        step = max(1.0, round(step))
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def tick_text(value: float) -> str:
    return f"{value:z.6g}".replace("-", "−")


def _n(value: float) -> str:
    return f"{value:z.1f}".removesuffix(".0")
