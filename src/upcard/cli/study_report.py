"""Prints the results of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.cli import text_layout as page
from upcard.output import say, shown
from upcard.stats.interval_text import between, percent, told

if TYPE_CHECKING:
    from upcard.study.statistics import Counted
    from upcard.study.study_summary import Summed


def show(summed: Summed, seconds: float) -> None:
    study, plan = summed.study, summed.plan
    rules = [f"{name} {value}" for name, value in plan.game.program.overrides]
    page.heading(": ".join([plan.title, *([", ".join(rules)] if rules else [])]))
    taken = f", {study.resumed:,} of them from the record" if study.resumed else ""
    say(f"  {study.done:,} games{taken} in {seconds:.1f} s, seed {plan.seed}")
    if summed.random is not None:
        _games(f"{summed.random.played:,} games of random players", summed, summed.random)
    if summed.searching is not None:
        name = plan.players[0].name
        _games(f"{summed.searching.played:,} games, {name} in every seat", summed, summed.searching)
    _profile(summed)
    _skill(summed)
    for note in summed.notes:
        page.prose(f"- {note}")


def _games(title: str, summed: Summed, seen: Counted) -> None:
    say()
    page.heading(f"  {title}")
    least, most = seen.ends
    say(f"    decisions a game      {told(seen.length, 2)}, {least} to {most}")
    say(f"    choices a decision    {told(seen.choices, 3)}")
    say(f"    forced decisions      {percent(seen.forced)}")
    say(f"    ties for first place  {percent(seen.ties)}")
    names = [summed.plan.game.narrator.seat(seat) for seat in range(seen.seats)]
    width = max(len(name) for name in names)
    partners = any(len(side) > 1 for side in seen.sides)
    say(f"    {'':<{width}}  {'score':>18}  {'its side wins' if partners else 'wins':>16}")
    for seat, name in enumerate(names):
        side = next(number for number, members in enumerate(seen.sides) if seat in members)
        share = shown(percent(seen.first_place(side)))
        say(f"    {name:<{width}}  {shown(told(seen.score(seat), 3)):>18}  {share:>16}")


def _profile(summed: Summed) -> None:
    from upcard.study.study_summary import MEANINGS

    say()
    page.heading("  profile, from 0 to 1, with 95 % intervals")
    said = {name: f"{name:<13} {between(found)}" for name, found in summed.profile.items()}
    column = max([39, *(len(line) + 2 for line in said.values())])
    for name, line in said.items():
        page.entry(line, MEANINGS[name], column, indent=4)


def _skill(summed: Summed) -> None:
    run = summed.study.skill
    if run is None or not run.results.deals:
        return
    (pair,) = run.results.pairs()
    one, other = run.contest.labels
    say()
    page.heading(f"  skill against luck: {one} against {other} on {run.results.deals:,} duplicate deals")
    ahead = pair.ahead if (pair.ahead.mean or 0) >= 0 else pair.turned.ahead
    better = one if (pair.ahead.mean or 0) >= 0 else other
    say(f"    {better} is ahead by {told(ahead, 3)} points a deal")
    if summed.skill is None:
        say("    nothing to explain: every game came to the same")
        return
    for what, found in (
        ("who plays", summed.skill.line_up),
        ("the deal", summed.skill.deal),
        ("the rest", summed.skill.rest),
    ):
        say(f"    {what:<13} {between(found)}  of the variance of results")
