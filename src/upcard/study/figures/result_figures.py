"""Figures of results: lengths, scores, and a game's profile."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from upcard.stats.histogram import Histogram
from upcard.stats.intervals import Interval
from upcard.study.figures.figure_style import Theme, clean, marker
from upcard.study.statistics import Counted

BARS = 40
"""With more lengths than this, neighbouring lengths share a bar; the limit is lower for few games."""
FEW = 12
"""Up to this many different scores each get a bar."""


def lengths(
    axes: Any, theme: Theme, seen: Counted, number: int = 0, ends: tuple[int, int] | None = None
) -> None:
    """The share of games of each length, with the mean as a line."""
    least, most = seen.ends
    low, high = ends or (least, most)
    games = seen.sums.scored
    width, counts = seen.length_bars(BARS)
    heights = [100 * count / games for count in counts.values()]
    at = [first + (width - 1) / 2 for first in counts]
    axes.bar(at, heights, width=0.86 * width, color=theme.colour(number), linewidth=0)
    middle = seen.sums.decisions.mean
    axes.axvline(middle, color=theme.ink, linewidth=1.4, linestyle=(0, (4, 2)))
    axes.annotate(
        f"always {least}" if least == most else f"mean {middle:.1f}",
        (middle, 1),
        xycoords=("data", "axes fraction"),
        xytext=(5, -2) if middle <= (low + high) / 2 else (-5, -2),
        textcoords="offset points",
        ha="left" if middle <= (low + high) / 2 else "right",
        va="top",
        fontsize=9,
        bbox={"facecolor": theme.paper, "edgecolor": "none", "pad": 1.5, "alpha": 0.85},
    )
    room = max(3.0, 0.04 * (high - low)) if high - low < 5 else width
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(0, 1.16 * max(heights))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("decisions per game" + (f", {width} together" if width > 1 else ""))
    axes.set_ylabel("games, %")
    clean(axes)


def scores(axes: Any, theme: Theme, seen: Counted, names: Sequence[str]) -> str:
    """The scores of each seat, in rows; returns the text that explains the drawing."""
    columns = seen.sums.scores
    values = sorted({score for found in columns for score in found.counts})
    few = len(values) <= FEW
    for seat, found in enumerate(columns):
        at = len(names) - 1 - seat
        if few:
            _discs(axes, theme, found, seat, at)
        else:
            _box(axes, theme, found, seat, at)
    if few:
        axes.set_xticks(values)
        room = max(0.5, 0.06 * (values[-1] - values[0]))
        axes.set_xlim(values[0] - room, values[-1] + room)
    axes.set_yticks(range(len(names)), list(reversed(names)))
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel("score")
    clean(axes, "x")
    if few:
        return "a disc's area: the share of games, in %; mark: mean"
    return "box: middle half, gap: median, line: 90 %, mark: mean"


def _discs(axes: Any, theme: Theme, found: Histogram, seat: int, at: float) -> None:
    colour = theme.colour(seat)
    for score, count in found.counts.items():
        share = count / found.count
        axes.scatter([score], [at], s=900 * share + 4, color=colour, alpha=0.85, linewidths=0, zorder=2)
        if share >= 0.005:
            axes.annotate(
                f"{100 * share:.0f}",
                (score, at),
                xytext=(0, -2 - math.sqrt(900 * share + 4) / 2),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=7.5,
                color=theme.quiet,
            )
    _mean(axes, theme, found, seat, at)


def _box(axes: Any, theme: Theme, found: Histogram, seat: int, at: float) -> None:
    low, first, middle, third, high = (_quantile(found, part) for part in (0.05, 0.25, 0.5, 0.75, 0.95))
    colour = theme.colour(seat)
    axes.plot([low, high], [at, at], color=colour, linewidth=2, solid_capstyle="butt", zorder=2)
    axes.barh(at, third - first, left=first, height=0.46, color=colour, linewidth=0, zorder=3)
    axes.plot([middle, middle], [at - 0.23, at + 0.23], color=theme.paper, linewidth=2.2, zorder=4)
    _mean(axes, theme, found, seat, at)


def _mean(axes: Any, theme: Theme, found: Histogram, seat: int, at: float) -> None:
    axes.plot(
        [found.mean],
        [at],
        marker=marker(seat),
        markersize=7,
        color=theme.paper,
        markeredgecolor=theme.ink,
        markeredgewidth=1.3,
        zorder=5,
    )


def wins(axes: Any, theme: Theme, seen: Counted, names: Sequence[str]) -> None:
    """The share of games that each side wins, with its interval, and the fair share as a line."""
    for number, side in enumerate(seen.sides):
        found = seen.first_place(number)
        _dot(axes, theme, found, len(seen.sides) - 1 - number, side[0], 100)
    due = 100 / len(seen.sides)
    axes.axvline(due, color=theme.quiet, linewidth=1.2, linestyle=(0, (4, 2)), zorder=1)
    labels = [" + ".join(names[seat] for seat in side) for side in seen.sides]
    axes.set_yticks(range(len(labels)), list(reversed(labels)))
    axes.set_ylim(-0.6, len(labels) - 0.4)
    axes.set_xlim(0, None)
    axes.set_xlabel("games won, %")
    clean(axes, "x")


def profile(axes: Any, theme: Theme, variants: Mapping[str, Mapping[str, Interval]]) -> None:
    """Figures from 0 to 1, one row each, with a marker and an interval for each variant."""
    rows = list(dict.fromkeys(name for found in variants.values() for name in found))
    apart = 0.62 / max(1, len(variants))
    for row, name in enumerate(rows):
        at = len(rows) - 1 - row
        if row % 2 == 0:
            axes.axhspan(at - 0.5, at + 0.5, color=theme.faint, alpha=0.38, linewidth=0, zorder=0)
        for number, (variant, found) in enumerate(variants.items()):
            if name in found:
                here = at + ((len(variants) - 1) / 2 - number) * apart
                label = variant if row == 0 else None
                _dot(axes, theme, found[name], here, number, 1, label)
                if len(variants) == 1:
                    _value(axes, theme, found[name], here)
    edges = [edge for found in variants.values() for i in found.values() for edge in (i.low, i.mean, i.high)]
    low = min(0.0, *(max(-1.0, edge) for edge in edges if edge is not None))
    high = max(1.0, *(min(2.0, edge) for edge in edges if edge is not None))
    axes.set_xlim(low - 0.02, high + (0.02 if len(variants) > 1 else 0.13 * (high - low)))
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])
    axes.set_yticks(range(len(rows)), list(reversed(rows)))
    axes.set_ylim(-0.5, len(rows) - 0.5)
    clean(axes, "x")
    axes.tick_params(axis="y", length=0)
    if len(variants) > 1:
        axes.legend(
            loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=min(4, len(variants)), handletextpad=0.4
        )


def _dot(
    axes: Any, theme: Theme, found: Interval, at: float, number: int, scale: float, label: str | None = None
) -> None:
    if found.mean is None:
        return
    colour = theme.colour(number)
    if found.low is not None and found.high is not None:
        ends = [scale * found.low, scale * found.high]
        axes.plot(ends, [at, at], color=colour, linewidth=2.2, solid_capstyle="round", zorder=2)
    axes.plot(
        [scale * found.mean],
        [at],
        linestyle="none",
        marker=marker(number),
        markersize=8,
        color=colour,
        markeredgecolor=theme.paper,
        markeredgewidth=1,
        zorder=3,
        label=label,
    )


def _value(axes: Any, theme: Theme, found: Interval, at: float) -> None:
    axes.annotate(
        f"{found.mean:z.3f}",
        (0.99, at),
        xycoords=("axes fraction", "data"),
        ha="right",
        va="center",
        fontsize=9,
        color=theme.ink,
        annotation_clip=False,
    )


def _quantile(found: Histogram, part: float) -> float:
    """Interpolates linearly between two values."""
    at = part * (found.count - 1)
    low = math.floor(at)
    here, there = found.at(low, min(low + 1, found.count - 1))
    return here + (there - here) * (at - low)
