"""Prints the results of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.cli import text_layout as layout
from upcard.output import say, shown
from upcard.stats.interval_text import between, percent, told

if TYPE_CHECKING:
    from upcard.study.statistics import Counted
    from upcard.study.study_summary import Summed


def print_report(summed: Summed, seconds: float) -> None:
    study, plan = summed.study, summed.plan
    rules = [f"{name} {value}" for name, value in plan.game.program.overrides]
    layout.heading(": ".join([plan.title, *([", ".join(rules)] if rules else [])]))
    resumed = f", {study.resumed:,} of them from the record" if study.resumed else ""
    say(f"  {study.done:,} games{resumed} in {seconds:.1f} s, seed {plan.seed}")
    unit = plan.unit
    if summed.random is not None:
        _print_games(f"{summed.random.played:,} {unit}s of random players", summed, summed.random)
    if summed.searching is not None:
        name = plan.players[0].name
        _print_games(f"{summed.searching.played:,} {unit}s, {name} in every seat", summed, summed.searching)
    _print_profile(summed)
    _print_skill(summed)
    for note in summed.notes:
        layout.prose(f"- {note}")


def _print_games(title: str, summed: Summed, stats: Counted) -> None:
    say()
    layout.heading(f"  {title}")
    least, most = stats.ends
    say(f"    {f'decisions per {summed.plan.unit}':<21} {told(stats.length, 2)}, {least} to {most}")
    say(f"    choices per decision  {told(stats.choices, 3)}")
    say(f"    forced decisions      {percent(stats.forced)}")
    say(f"    ties for first place  {percent(stats.ties)}")
    names = [summed.plan.game.narrator.seat(seat) for seat in range(stats.seats)]
    width = max(len(name) for name in names)
    partners = any(len(side) > 1 for side in stats.sides)
    say(f"    {'':<{width}}  {'score':>18}  {'its side wins' if partners else 'wins':>16}")
    for seat, name in enumerate(names):
        side = next(number for number, members in enumerate(stats.sides) if seat in members)
        share = shown(percent(stats.first_place(side)))
        say(f"    {name:<{width}}  {shown(told(stats.score(seat), 3)):>18}  {share:>16}")


def _print_profile(summed: Summed) -> None:
    from upcard.study.study_summary import MEANINGS

    say()
    layout.heading("  profile, from 0 to 1, with 95 % intervals")
    lines = {name: f"{name:<13} {between(share)}" for name, share in summed.profile.items()}
    column = max([39, *(len(line) + 2 for line in lines.values())])
    for name, line in lines.items():
        layout.entry(line, MEANINGS[name], column, indent=4)


def _print_skill(summed: Summed) -> None:
    run = summed.study.skill
    if run is None or not run.results.deals:
        return
    (pair,) = run.results.pairs()
    one, other = run.contest.labels
    say()
    layout.heading(f"  skill against luck: {one} against {other} on {run.results.deals:,} duplicate deals")
    ahead = pair.ahead if (pair.ahead.mean or 0) >= 0 else pair.turned.ahead
    better = one if (pair.ahead.mean or 0) >= 0 else other
    say(f"    {better} is ahead by {told(ahead, 3)} points a deal")
    if summed.skill is None:
        say("    nothing to explain: every game had the same result")
        return
    for what, share in (
        ("who plays", summed.skill.line_up),
        ("the deal", summed.skill.deal),
        ("the rest", summed.skill.rest),
    ):
        say(f"    {what:<13} {between(share)}  of the variance of results")
