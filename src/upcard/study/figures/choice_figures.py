"""Figures of choices: branching during a game, for leaders and followers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from upcard.simulate.trace_sums import TraceSums
from upcard.study.choice_columns import Column, cells, columns, dots_by_seat, drawn_as_steps
from upcard.study.figures.figure_style import Theme, clean, dash, label_lines, marker
from upcard.study.game_log import Watched
from upcard.study.statistics import Rounds

SHOWN = 100
"""Games whose decisions are shown as dots."""


def branching(
    axes: Any,
    theme: Theme,
    sample: Sequence[Watched],
    sums: TraceSums,
    names: Sequence[str],
    legend: bool = True,
) -> None:
    """What happened at each decision. In short games: dots by seat, of the first games, larger where several
    have the same; a step with the mean and one between the quantiles. In long ones a density strip."""
    found = columns(sums)
    if drawn_as_steps(found):
        _dots(axes, theme, sample[:SHOWN], names)
    else:
        _strip(axes, theme, found)
    edges = [found[0].first - 0.5, *(one.last + 0.5 for one in found)] if found else [0.5, 1.5]
    if drawn_as_steps(found) and found:
        low, high = [one.low - 0.06 for one in found], [one.high + 0.06 for one in found]
        axes.stairs(high, edges, baseline=low, fill=True, color=theme.ink, alpha=0.16, zorder=1)
    if found:
        means = [one.mean for one in found]
        axes.stairs(means, edges, baseline=None, color=theme.paper, linewidth=3.6, zorder=3)
        axes.stairs(means, edges, baseline=None, color=theme.ink, linewidth=1.8, zorder=4, label="mean")
    most = max((one.tally.most or 1 for one in sums.choices), default=1)
    axes.set_xlim(edges[0] - 0.5, edges[-1] + 0.5)
    axes.set_ylim(0, 1.04 * most + 0.4)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("decision")
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
        for handle in key.legend_handles:
            if hasattr(handle, "set_sizes"):
                handle.set_sizes([34])
                handle.set_alpha(1)


def _dots(axes: Any, theme: Theme, shown: Sequence[Watched], names: Sequence[str]) -> None:
    """At the numbers of choices that there were; seats lie side by side within a decision."""
    apart = 0.62 / max(1, len(names))
    longest = max((len(game.choices) for game in shown), default=1)
    unit = 15.0 * min(1.0, 60 / longest)
    for seat, found in enumerate(dots_by_seat(shown, len(names))):
        aside = (seat - (len(names) - 1) / 2) * apart
        axes.scatter(
            [number + aside for number, _ in found],
            [choices for _, choices in found],
            s=[unit * math.sqrt(count / len(shown)) * 3 + 2.5 for count in found.values()],
            color=theme.colour(seat),
            marker=marker(seat),
            alpha=0.75,
            linewidths=0,
            label=names[seat],
            zorder=2,
        )


def _strip(axes: Any, theme: Theme, found: Sequence[Column]) -> None:
    """The darker a cell, the more of the decisions have that number of choices."""
    height, shares = cells(found)
    top = max(share for _, _, share in shares)
    for column, row, share in shares:
        axes.bar(
            [(column.first + column.last) / 2],
            [height],
            width=column.last - column.first + 1,
            bottom=[row - 0.5],
            color=theme.colour(0),
            alpha=0.08 + 0.82 * math.sqrt(share / top),
            linewidth=0,
            zorder=2,
        )


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
