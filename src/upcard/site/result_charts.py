"""Charts of results: how long games are, and what each seat scores and wins."""

from __future__ import annotations

import math
from collections.abc import Sequence

from upcard.graph.node_layout import text_width
from upcard.site.chart import LETTERS, WIDTH, Chart, ticks
from upcard.site.markup import Html
from upcard.site.number_text import whole_percent
from upcard.stats.histogram import Histogram
from upcard.study.statistics import Counted

BARS = 40
"""More lengths than this are counted together; fewer where there are few games."""
FEW = 12
"""Up to this many different scores are shown one by one."""
ROW = 34.0


def length_finding(seen: Counted, unit: str) -> str:
    least, most = seen.ends
    if least == most:
        return f"Every {unit} has {least} decisions."
    lengths = Histogram.of(seen.lengths)
    low, high = lengths.at((lengths.count - 1) // 4, math.ceil(0.75 * (lengths.count - 1)))
    return (
        f"Half of the {unit}s have {low} to {high} decisions; the mean is {seen.sums.decisions.mean:.1f}, "
        f"the shortest has {least} and the longest {most}."
    )


def lengths(seen: Counted, ends: tuple[int, int], name: str, number: int, title: str, unit: str) -> Html:
    """The share of games of each length; the mean as a line."""
    least, most = seen.ends
    games = seen.sums.scored
    width, counts = seen.length_bars(BARS)
    top = 100 * max(counts.values()) / games
    room = max(2.0, 0.03 * (ends[1] - ends[0]))
    chart = Chart(name, 170, (ends[0] - room, ends[1] + room + 0.5), (0, 1.05 * top), left=36, top=42)
    chart.y_axis(ticks(0, top, 4), f"{unit}s, %")
    for first, count in counts.items():
        left = first - 0.5
        chart.box(left + 0.07 * width, left + 0.93 * width, 0, 100 * count / games, f"f{number}")
    middle = seen.sums.decisions.mean
    chart.path(f"M{chart.px(middle):.1f},{chart.top - 2:.1f}V{chart.height - chart.bottom:.1f}", "mean")
    words = f"always {least}" if least == most else f"mean {middle:.1f}"
    half = text_width(words, LETTERS) / 2
    at = min(max(chart.px(middle), chart.left + half), WIDTH - chart.right - half)
    chart.text(words, at, chart.top - 8 if at - half > 70 else chart.top - 22, "middle")
    label = f"decisions per {unit}" + (f", {width} together" if width > 1 else "")
    chart.x_axis(ticks(*chart.x, 6, whole=True), label)
    return chart.done(title, length_finding(seen, unit))


# --- scores --------------------------------------------------------------------------------------


def _name_room(names: Sequence[str]) -> float:
    return min(150.0, max(text_width(name, LETTERS) for name in names) + 12)


def scores_finding(seen: Counted, names: Sequence[str]) -> str:
    means = [found.mean for found in seen.sums.scores]
    high, low = means.index(max(means)), means.index(min(means))
    halves = [seen.score(seat).half or 0.0 for seat in (high, low)]
    if max(means) - min(means) < 1e-9:
        return f"Every seat scores {means[0]:z.2f} on average.".replace("-", "−")
    if max(means) - min(means) <= math.hypot(*halves):
        return f"All seats score alike within the error, about {sum(means) / len(means):z.2f}.".replace(
            "-", "−"
        )
    return (
        f"{names[high]} scores most, {means[high]:z.2f} on average, and {names[low]} least, "
        f"{means[low]:z.2f}."
    ).replace("-", "−")


def scores(seen: Counted, names: Sequence[str], title: str) -> Html:
    """What each seat scores, in rows: discs where there are few different scores, else boxes."""
    found = seen.sums.scores
    values = sorted({score for one in found for score in one.counts})
    few = len(values) <= FEW
    low, high = values[0], values[-1]
    if not few:
        low = min(_quantile(one, 0.05) for one in found)  # type: ignore[assignment]
        high = max(_quantile(one, 0.95) for one in found)  # type: ignore[assignment]
    room = max(0.5, 0.06 * (high - low))
    rows = len(names)
    height = 30 + ROW * rows + 38
    chart = Chart(
        "scores", height, (low - room, high + room), (-0.8, rows - 0.4), left=_name_room(names), top=10
    )
    for seat, one in enumerate(found):
        at = rows - 1 - seat
        chart.text(names[seat], chart.left - 8, chart.py(at) + 4, "end")
        (_discs if few else _box)(chart, one, seat, at)
        chart.marks(seat, [(one.mean, at, 4.0)], "average")
    if few and high - low <= 24:
        chart.x_axis(values, "score")
    else:
        chart.x_axis(ticks(low - room, high + room, 6), "score")
    return chart.done(title, scores_finding(seen, names))


def _discs(chart: Chart, found: Histogram, seat: int, at: float) -> None:
    for score, count in found.counts.items():
        share = count / found.count
        radius = 12 * math.sqrt(share)
        chart.marks(0, [(score, at, max(0.8, radius))], f"f{seat % 8}")
        if share >= 0.005:
            below = chart.py(at) + max(radius, 4) + 9
            chart.text(whole_percent(share), chart.px(score), below, "middle", "small")


def _box(chart: Chart, found: Histogram, seat: int, at: float) -> None:
    low, first, middle, third, high = (_quantile(found, part) for part in (0.05, 0.25, 0.5, 0.75, 0.95))
    chart.line([(low, at), (high, at)], f"l{seat % 8} whole")
    chart.box(first, third, at - 0.24, at + 0.24, f"f{seat % 8}")
    chart.line([(middle, at - 0.24), (middle, at + 0.24)], "gap")


def wins_finding(seen: Counted, labels: Sequence[str], unit: str) -> str:
    shares = [seen.first_place(side).mean or 0.0 for side in range(len(seen.sides))]
    best = shares.index(max(shares))
    found, due = seen.first_place(best), 1 / len(shares)
    if found.low is not None and found.low <= due:
        return f"No side wins more than an equal share of the {unit}s, {100 * due:.0f} %, within the error."
    return (
        f"{labels[best]} win{'' if '+' in labels[best] else 's'} the most {unit}s, "
        f"{100 * shares[best]:.1f} %; an equal share is {100 / len(shares):.1f} %."
    )


def wins(seen: Counted, labels: Sequence[str], unit: str, title: str) -> Html:
    """The share of games that each side wins, with its interval; the equal share as a line."""
    shares = [seen.first_place(side) for side in range(len(seen.sides))]
    most = max(100 * (one.high or one.mean or 0.0) for one in shares)
    equal = 100 / len(shares)
    top = min(100.0, max(1.15 * most, 1.3 * equal))
    rows = len(shares)
    chart = Chart(
        "wins", 26 + 26.0 * rows + 38, (0, top), (-0.5, rows - 0.5), left=_name_room(labels), top=20
    )
    chart.path(f"M{chart.px(equal):.1f},{chart.top - 4:.1f}V{chart.height - chart.bottom:.1f}", "mid")
    chart.text("equal share", chart.px(equal), chart.top - 8, "middle", "soft")
    for number, one in enumerate(shares):
        at = rows - 1 - number
        first = seen.sides[number][0]
        chart.text(labels[number], chart.left - 8, chart.py(at) + 4, "end")
        if one.mean is None:
            continue
        if one.low is not None and one.high is not None:
            chart.line([(100 * one.low, at), (100 * one.high, at)], f"l{first % 8} whole")
        chart.marks(first, [(100 * one.mean, at, 5.0)], f"f{first % 8}")
    chart.x_axis(ticks(0, top, 5), f"{unit}s won, %")
    return chart.done(title, wins_finding(seen, labels, unit))


def _quantile(found: Histogram, part: float) -> float:
    return found.at(round(part * (found.count - 1)))[0]
