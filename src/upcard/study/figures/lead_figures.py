"""Figures of evaluations by search players: lead histories and the weight of decisions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from upcard.study.figures.figure_style import Theme, clean, dash, label_lines
from upcard.study.game_log import Watched
from upcard.study.heuristics import POINTS, mean, threshold
from upcard.study.statistics import Seen

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def history(axes: Any, theme: Theme, seen: Seen) -> None:
    """A line for each final place, the mean of its estimates, with a band for the middle half of the
    games."""
    paths = seen.paths()
    partners = any(len(side) > 1 for side in seen.sides)
    share = [100 * point / (POINTS - 1) for point in range(POINTS)]
    ends = []
    for place, found in enumerate(paths):
        colour = theme.colour(place)
        columns = [sorted(column) for column in zip(*found, strict=True)]
        low = [column[(len(column) - 1) // 4] for column in columns]
        high = [column[-1 - (len(column) - 1) // 4] for column in columns]
        middle = [mean(column) for column in columns]
        axes.fill_between(share, low, high, color=colour, alpha=0.16, linewidth=0)
        axes.plot(share, middle, color=theme.paper, linewidth=4)
        axes.plot(share, middle, color=colour, linewidth=2.2, linestyle=dash(place))
        word = ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"
        word += " side" if partners else ""
        ends.append((middle[-1], word, colour))
    line = threshold(len(seen.sides))
    axes.plot([0, 100], [line, line], color=theme.quiet, linewidth=1, linestyle=(0, (2, 2)))
    # all labels stand right of the curves, where there are none
    label_lines(axes, [*ends, (line, "ahead, above", theme.quiet)], 100, 0.06, fontsize=9.5)
    axes.set_xlim(0, 122)
    axes.set_ylim(-0.03, 1.05)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_xlabel("game done, %")
    axes.set_ylabel("expected rank: 1 first, 0 last")
    clean(axes)


def spreads(axes: Any, theme: Theme, games: Sequence[Watched], bins: int = 25) -> None:
    """Dots over the course of the game, the smoothed mean of each stretch, and a band for the middle half."""
    points: list[tuple[float, float]] = []
    for game in games:
        last = max(1, len(game.spreads) - 1)
        points += [(100 * n / last, one) for n, one in enumerate(game.spreads) if one is not None]
    shown = games[:40]
    for n, game in enumerate(shown):
        last = max(1, len(game.spreads) - 1)
        told = [(100 * i / last, one) for i, one in enumerate(game.spreads) if one]
        axes.scatter(
            [x for x, _ in told],
            [y for _, y in told],
            s=9,
            color=theme.colour(0),
            alpha=0.4,
            linewidths=0,
            label="a decision that is not forced" if n == 0 else None,
        )
    stretches: list[list[float]] = [[] for _ in range(bins)]
    for x, y in points:
        stretches[min(bins - 1, int(x * bins / 100))].append(y)
    kept = [(100 * (n + 0.5) / bins, sorted(found)) for n, found in enumerate(stretches) if found]
    at = [x for x, _ in kept]
    low = [found[(len(found) - 1) // 4] for _, found in kept]
    high = [found[math.ceil(0.75 * (len(found) - 1))] for _, found in kept]
    middle = [mean(found) for _, found in kept]
    axes.fill_between(at, low, high, step="mid", color=theme.ink, alpha=0.14, linewidth=0)
    axes.plot(at, middle, color=theme.paper, linewidth=4.5, drawstyle="steps-mid")
    axes.plot(
        at, middle, color=theme.ink, linewidth=2.2, drawstyle="steps-mid", label="mean of all decisions"
    )
    top = sorted(y for _, y in points)
    axes.set_ylim(0, max(0.05, 1.1 * top[math.ceil(0.995 * (len(top) - 1))]))
    axes.set_xlim(0, 100)
    axes.set_xlabel("game done, %")
    axes.set_ylabel("best minus worst choice")
    clean(axes)
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=2, handletextpad=0.4)
