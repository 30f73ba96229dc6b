"""Charts of search players' evaluations: lead histories, and how much decisions matter."""

from __future__ import annotations

import math
from collections.abc import Sequence

from upcard.site.chart import Chart, ticks
from upcard.site.markup import Html
from upcard.study.game_log import Watched
from upcard.study.heuristics import POINTS, mean, threshold
from upcard.study.statistics import Seen

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
MAX_STRETCHES = 25
"""Parts of the game over which spreads are averaged; a short game has one for each decision."""
SHOWN = 40
"""Games whose decisions are shown as dots."""


def history_finding(seen: Seen) -> str:
    winner = seen.paths()[0]
    start, half = (mean([path[point] for path in winner]) for point in (0, POINTS // 2))
    line = threshold(len(seen.sides))
    where = "ahead" if half >= line else "still behind"
    who = "side" if any(len(side) > 1 for side in seen.sides) else "player"
    return (
        f"The expected rank of the {who} that wins is {start:.2f} at the start and {half:.2f} halfway, "
        f"{where} on average; 1 is first, 0 is last."
    )


def history(seen: Seen, title: str) -> Html:
    paths = seen.paths()
    partners = any(len(side) > 1 for side in seen.sides)
    chart = Chart("lead-history", 250, (0, 100), (0, 1), right=104, top=26, left=30)
    chart.y_axis([0, 0.25, 0.5, 0.75, 1], "expected rank: 1 first, 0 last")
    share = [100 * point / (POINTS - 1) for point in range(POINTS)]
    ends: list[tuple[float, str, str]] = []
    lines: list[tuple[list[tuple[float, float]], int]] = []
    for place, found in enumerate(paths):
        found_columns = [sorted(column) for column in zip(*found, strict=True)]
        quarter = [(len(column) - 1) // 4 for column in found_columns]
        chart.band(
            [
                (x, column[n], column[-1 - n])
                for x, column, n in zip(share, found_columns, quarter, strict=True)
            ],
            f"f{place % 8} band",
        )
        middle = [mean(column) for column in found_columns]
        lines.append((list(zip(share, middle, strict=True)), place))
        word = ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"
        ends.append((middle[-1], word + (" side" if partners else ""), f"l{place % 8}"))
    line = threshold(len(seen.sides))
    chart.line([(0, line), (100, line)], "mid")
    for points, place in lines:
        chart.line(points, "halo")
        chart.line(points, f"l{place % 8}")
    chart.end_labels([*ends, (line, "ahead, above", "mid")])
    chart.x_axis([0, 25, 50, 75, 100], "share of the game done, %")
    return chart.done(title, history_finding(seen))


def spread_bins(games: Sequence[Watched]) -> list[list[float]]:
    """The spreads of decisions in equal stretches of the game, sorted."""
    lengths = [len(game.spreads) for game in games if game.spreads]
    count = max(1, min(MAX_STRETCHES, round(mean(lengths))))
    stretches: list[list[float]] = [[] for _ in range(count)]
    for game in games:
        last = max(1, len(game.spreads) - 1)
        for n, one in enumerate(game.spreads):
            if one is not None:
                stretches[min(count - 1, n * count // last)].append(one)
    return [sorted(found) for found in stretches]


def spread_finding(seen: Seen) -> str:
    bins = spread_bins(seen.scored)
    kept = [(number, mean(found)) for number, found in enumerate(bins) if found]
    number, most = max(kept, key=lambda item: item[1])
    low, high = 100 * number // len(bins), 100 * (number + 1) // len(bins)
    whole = seen.spread.mean or 0.0
    return (
        f"Decisions matter most when {low} to {high} % of the game is done: there the best choice is worth "
        f"{most:.2f} more than the worst on average, over the whole game {whole:.2f}."
    )


def spreads(seen: Seen, title: str) -> Html:
    games = seen.scored
    bins = spread_bins(games)
    every = sorted(one for found in bins for one in found)
    top = max(0.05, 1.1 * every[math.ceil(0.995 * (len(every) - 1))])
    chart = Chart("spread", 240, (0, 100), (0, top), top=42, left=34)
    chart.legend([("a decision that is not forced", 0), ("mean", "ink")])
    chart.y_axis(ticks(0, top, 5), "best minus worst choice")
    wide = 100 / len(bins)
    for number, found in enumerate(bins):
        if found:
            low, high = found[(len(found) - 1) // 4], found[math.ceil(0.75 * (len(found) - 1))]
            chart.box(number * wide, number * wide + wide, low, min(top, high), "band")
    points: list[tuple[float, float, float]] = []
    for game in games[:SHOWN]:
        last = max(1, len(game.spreads) - 1)
        points += [(100 * n / last, one, 1.5) for n, one in enumerate(game.spreads) if one and one <= top]
    chart.marks(0, points[:2000], "f0 dots")
    run: list[int] = []
    for number in range(len(bins) + 1):
        if number < len(bins) and bins[number]:
            run.append(number)
        elif run:
            means = [mean(bins[n]) for n in run]
            edges = [wide * n for n in [*run, run[-1] + 1]]
            chart.steps(means, edges, "halo")
            chart.steps(means, edges, "ink")
            run = []
    chart.x_axis([0, 25, 50, 75, 100], "share of the game done, %")
    return chart.done(title, spread_finding(seen))
