"""Figures of choices: branching during a game, for leaders and followers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from upcard.simulate.trace_sums import TraceSums
from upcard.stats.histogram import Histogram
from upcard.study.figures.figure_style import Theme, clean, dash, label_lines, marker
from upcard.study.game_log import Watched
from upcard.study.statistics import Rounds

SHOWN = 100
"""Games whose decisions are drawn as dots."""
FEWEST = 10
"""The line ends where fewer games than this, or fewer than a twentieth of all games, are still in
progress."""


def branching(
    axes: Any,
    theme: Theme,
    sample: Sequence[Watched],
    sums: TraceSums,
    names: Sequence[str],
    legend: bool = True,
) -> None:
    """Draws the decisions of the first games as dots by seat, larger where several coincide, and the mean and
    the middle 80 % of all games as a line and a band."""
    shown = sample[:SHOWN]
    dots: list[Counter[tuple[int, int]]] = [Counter() for _ in names]
    for game in shown:
        for number, (seat, choices) in enumerate(zip(game.seats, game.choices, strict=True), 1):
            dots[seat][number, choices] += 1
    most = max((one.tally.most or 1 for one in sums.choices), default=1)
    longest = max((len(game.choices) for game in shown), default=1)
    # seats are drawn side by side around their common whole number
    apart = 0.62 / max(1, len(names))
    unit = 15.0 * min(1.0, 60 / longest)
    for seat, found in enumerate(dots):
        at = (seat - (len(names) - 1) / 2) * apart
        axes.scatter(
            [number for number, _ in found],
            [choices - at for _, choices in found],
            s=[unit * math.sqrt(count / len(shown)) * 3 + 2.5 for count in found.values()],
            color=theme.colour(seat),
            marker=marker(seat),
            alpha=0.75,
            linewidths=0,
            label=names[seat],
            zorder=2,
        )
    numbers, middle, low, high = choices_by_decision(sums, len(names))
    axes.fill_between(numbers, low, high, color=theme.ink, alpha=0.13, linewidth=0, zorder=1)
    axes.plot(numbers, middle, color=theme.paper, linewidth=3.2, alpha=0.8, zorder=3)
    axes.plot(numbers, middle, color=theme.ink, linewidth=1.8, zorder=4, label="mean, smoothed")
    axes.set_xlim(0, longest + 1)
    axes.set_ylim(0.2, most + 0.8)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("decision of the game")
    axes.set_ylabel("choices")
    clean(axes)
    if legend:
        key = axes.legend(
            loc="lower left",
            bbox_to_anchor=(-0.01, 1.0),
            ncols=len(names) + 1,
            handletextpad=0.3,
            columnspacing=1.2,
        )
        for handle in key.legend_handles[:-1]:
            handle.set_sizes([34])
            handle.set_alpha(1)


def choices_by_decision(
    sums: TraceSums, seats: int
) -> tuple[list[int], list[float], list[float], list[float]]:
    """Decision numbers with the smoothed mean of choices and the range of the middle 80 %. The mean is
    smoothed over about one round of the table, less towards both ends, and not at all at the ends."""
    games = sums.scored
    least = min(games, max(FEWEST, games // 20))
    kept = [column for column in sums.choices if column.count >= least]
    widths = [
        min(seats / 2, 0.3 + min(here, len(kept) - 1 - here) / 2, len(kept) / 8) for here in range(len(kept))
    ]
    lows, highs = [], []
    for here, width in enumerate(widths):
        reach = round(width)
        near = Histogram.together(kept[max(0, here - reach) : here + reach + 1])
        low, high = near.at(int(0.1 * (near.count - 1)), math.ceil(0.9 * (near.count - 1)))
        lows.append(low)
        highs.append(high)
    return (
        list(range(1, len(kept) + 1)),
        smoothed([column.mean for column in kept], widths),
        smoothed(lows, widths),
        smoothed(highs, widths),
    )


def smoothed(values: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Smooths each value with its neighbours, weighted by a bell curve of the width given for it."""
    found = []
    for here, width in enumerate(widths):
        reach = math.ceil(3 * width)
        near = range(max(0, here - reach), min(len(values), here + reach + 1))
        weights = [math.exp(-(((other - here) / max(width, 1e-3)) ** 2) / 2) for other in near]
        total = math.fsum(w * values[other] for w, other in zip(weights, near, strict=True))
        found.append(total / math.fsum(weights))
    return found


def leading(axes: Any, theme: Theme, rounds: Rounds) -> None:
    numbers = list(range(1, len(rounds.leader) + 1))
    ends = []
    for n, (word, values) in enumerate((("leader", rounds.leader), ("followers", rounds.followers))):
        colour = theme.colour(n)
        axes.plot(
            numbers,
            values,
            color=colour,
            marker=marker(n),
            linestyle=dash(n),
            linewidth=2,
            markersize=6,
            label=word,
        )
        ends.append((values[-1], word, colour))
    top = max(*rounds.leader, *rounds.followers)
    label_lines(axes, ends, numbers[-1], top / 14, fontsize=10)
    axes.set_ylim(0, 1.08 * top)
    axes.set_xlim(0.7, numbers[-1] + 0.12 * len(numbers) + 0.3)
    axes.set_xticks(numbers if len(numbers) <= 20 else numbers[:: math.ceil(len(numbers) / 12)])
    axes.set_xlabel("round")
    axes.set_ylabel("choices, mean")
    clean(axes)
