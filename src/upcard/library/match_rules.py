"""Rules of a match: the score after a deal, whether it is over, and who leads."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.library.sheet import MatchRules
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


def shares_scores(program: p.Program) -> bool:
    """Whether partners share their score: the scoring of the program mentions teams."""
    return any(
        isinstance(node, p.Expr) and node.kind in (Kind.TEAM, Kind.TEAMS) for node in below(program.scoring)
    )


def add_points(rules: MatchRules, total: int, more: int) -> int:
    """A side's total after a deal."""
    target, reached = rules.to, total + more
    if target is None or reached <= target or rules.over == "counts":
        return reached
    return target if rules.over == "caps" else total


def leaders(totals: Sequence[int], highest: bool) -> list[int]:
    best = max(totals) if highest else min(totals)
    return [side for side, total in enumerate(totals) if total == best]


def is_over(rules: MatchRules, totals: Sequence[int], deals: int, highest: bool) -> bool:
    target, down = rules.to, rules.down
    reached = deals >= rules.deals if target is None else max(totals) >= target
    reached = reached or (down is not None and min(totals) <= down)
    return reached and not (rules.ties == "play on" and _can_break_tie(rules, totals, highest))


def _can_break_tie(rules: MatchRules, totals: Sequence[int], highest: bool) -> bool:
    """Whether more deals can break a tie. At a target that nobody gets past, the tie would last for ever, so
    it ends the match."""
    best = leaders(totals, highest)
    at_the_cap = rules.to is not None and rules.over != "counts" and totals[best[0]] >= rules.to
    return len(best) > 1 and not at_the_cap
