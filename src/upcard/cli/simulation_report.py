"""Prints the statistics of a simulation, just played or read from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from upcard.output import say, shown

if TYPE_CHECKING:
    from upcard.simulate.summary import Summary
    from upcard.stats.moments import Spread


def print_statistics(summary: Summary, seats: Sequence[str]) -> None:
    """Everything except the first line, which names the game. `seats` are names."""
    ends = [f"{count:,} {word.replace('_', ' ')}" for word, count in summary.ends.items() if count]
    say(f"  endings    {', '.join(ends)}")
    d, b, f = summary.decisions, summary.branching, summary.forced_share
    say(f"  decisions  {d.mean:.2f} ± {_margin(d):.2f} a game, {d.least} to {d.most}")
    forced = f"{100 * f.mean:.1f} % are forced"
    say(f"  choices    {b.mean:.3f} ± {_margin(b):.3f} alternatives per decision; {forced}")
    if summary.games > summary.ends["failed"]:
        width = max(map(len, seats))
        plus_minus = shown("±")
        say(f"  {'':<{width}}  {'score':>{16 + len(plus_minus)}}   first place")
        for seat, score, share in zip(seats, summary.scores, summary.first_place, strict=True):
            points = f"{score.mean:8.3f} {plus_minus} {_margin(score):6.3f}"
            say(f"  {seat:<{width}}  {points}   {100 * (share or 0):9.1f} %")
    for deal, failure in summary.failures:
        say(f"  deal {deal} failed at line {failure.line}: {failure.message}: {failure.form}")


def interval(summary: Summary) -> str:
    """The mean number of decisions as it is known so far."""
    if not summary.games:
        return ""
    decisions = summary.decisions
    return f"{decisions.mean:.2f} {shown('±')} {_margin(decisions):.2f} decisions"


def _margin(spread: Spread) -> float:
    """Half of the 95 % interval of a mean; 0 if all numbers are equal."""
    from upcard.stats.intervals import student

    return student(spread.count - 1) * spread.error if spread.count > 1 else 0.0
