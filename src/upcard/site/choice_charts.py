"""Charts of choices: the branching factor at every decision, and leaders against followers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from upcard.site.chart import Chart, ticks
from upcard.site.markup import Html
from upcard.study.choice_columns import Column, cells, columns, dots_by_seat, drawn_as_steps
from upcard.study.statistics import Rounds
from upcard.study.study_summary import Summed

SHOWN = 100
"""Games whose decisions are shown as dots."""


def branching_finding(summed: Summed) -> str:
    assert summed.random is not None
    found = columns(summed.random.sums)
    if not found:
        return "There were no decisions."
    peak = max(found, key=lambda one: one.mean)
    first, last = found[0], found[-1]
    sentence = (
        f"The first decision has {_mean(first)} choices on average and the last one shown {_mean(last)}"
    )
    if peak.mean > 1.05 * max(first.mean, last.mean):
        sentence += f"; decision {peak.first} has the most, {_mean(peak)}"
    rounds = summed.rounds
    if rounds is not None and rounds.differ:
        sentence += (
            f". In the first round the leader has {rounds.leader[0]:.1f} choices and a follower "
            f"{rounds.followers[0]:.1f}"
        )
    return sentence + "."


def numbers_from_one(last: int) -> list[float]:
    """1, and round numbers that do not stand too near to it."""
    found = ticks(0, last, 6, whole=True)
    step = found[1] if len(found) > 1 else 1.0
    return [1.0, *(value for value in found if value > 0.4 * step + 1)]


def _mean(column: Column) -> str:
    return f"{column.mean:.1f}".removesuffix(".0")


def branching(summed: Summed, names: Sequence[str], title: str) -> Html:
    assert summed.random is not None
    sums = summed.random.sums
    found = columns(sums)
    stepped = drawn_as_steps(found)
    most = max((value for one in found for value in one.counts), default=1)
    seats = [(name, seat) for seat, name in enumerate(names)] if stepped else []
    entries: list[tuple[str, int | str]] = [*seats, ("mean", "ink")]
    above = Chart.legend_height([words for words, _ in entries])
    last = found[-1].last if found else 1
    chart = Chart("branching", 236 + above, (0.5, last + 0.5), (0, most + 0.5), top=above + 22, left=30.0)
    chart.legend(entries)
    chart.y_axis(ticks(0, most, 5, whole=True), "choices")
    if stepped:
        _bands(chart, found)
        _dots(chart, summed, names)
    else:
        _strip(chart, found)
    if found:
        edges = [found[0].first - 0.5, *(one.last + 0.5 for one in found)]
        means = [one.mean for one in found]
        chart.steps(means, edges, "halo")
        chart.steps(means, edges, "ink")
    chart.x_axis(numbers_from_one(last), "decision")
    return chart.done(title, branching_finding(summed))


def _bands(chart: Chart, found: Sequence[Column]) -> None:
    for one in found:
        if one.low < one.high:
            chart.box(one.first - 0.5, one.last + 0.5, one.low, one.high, "band")


def _dots(chart: Chart, summed: Summed, names: Sequence[str]) -> None:
    """At the numbers of choices that there were; seats lie side by side within a decision."""
    shown = summed.sample[:SHOWN]
    last = chart.x[1]
    room = (chart.px(2) - chart.px(1)) / 2
    apart = 0.6 / max(1, len(names)) if room > 6 else 0.0
    largest = max(2.4, min(4.2, room * 1.1))
    for seat, found in enumerate(dots_by_seat(shown, len(names))):
        aside = (seat - (len(names) - 1) / 2) * apart
        points = [
            (number + aside, float(choices), max(0.7, largest * (count / len(shown)) ** 0.4))
            for (number, choices), count in found.items()
            if number + aside < last
        ]
        chart.marks(seat, points, f"f{seat % 8} dots")


def _strip(chart: Chart, found: Sequence[Column]) -> None:
    """The stronger the colour of a cell, the more of the decisions have that number of choices."""
    height, shares = cells(found)
    top = max(share for _, _, share in shares)
    for column, row, share in shares:
        opacity = 0.08 + 0.8 * math.sqrt(share / top)
        high = row + height - 0.5
        chart.box(column.first - 0.5, column.last + 0.5, row - 0.5, high, "f0", opacity=opacity)


# --- leading and following -----------------------------------------------------------------------


def leading_finding(rounds: Rounds) -> str:
    more = sum(one > other for one, other in zip(rounds.leader, rounds.followers, strict=True))
    return (
        f"In the first round the leader has {rounds.leader[0]:.1f} choices and a follower "
        f"{rounds.followers[0]:.1f}, in round {len(rounds.leader)} {rounds.leader[-1]:.1f} and "
        f"{rounds.followers[-1]:.1f}; the leader has more in {more} of {len(rounds.leader)} rounds."
    )


def leading(rounds: Rounds, title: str) -> Html:
    last = len(rounds.leader)
    top = max(*rounds.leader, *rounds.followers)
    chart = Chart("leading", 220, (0.7, last + 0.3), (0, 1.05 * top), top=40, left=30)
    chart.legend([("leader", 0), ("followers, mean", 1)])
    chart.y_axis(ticks(0, top, 5), "choices")
    for number, values in enumerate((rounds.leader, rounds.followers)):
        points = list(enumerate(values, 1))
        chart.line(points, f"l{number}")
        chart.marks(number, [(x, y, 3.6) for x, y in points], f"f{number}")
    chart.x_axis(numbers_from_one(last), "round")
    return chart.done(title, leading_finding(rounds))
