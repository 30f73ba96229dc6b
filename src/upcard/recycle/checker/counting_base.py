"""Decides whether a program counts players from 0 or from 1, and checks its team lists."""

from __future__ import annotations

from typing import Literal

from upcard.recycle import program as p
from upcard.recycle.checker.context import Context
from upcard.recycle.constants import constant

MAX_PLAYERS = 256


def count_players(ctx: Context, setup: p.Setup) -> int | None:
    """How many players, or None when that was reported."""
    if isinstance(setup.players, p.Bad):
        return None
    number = constant(setup.players)
    span = setup.players.span
    if number is None:
        ctx.report(
            "E401",
            span,
            "the number of players must be known before the game starts",
            "write (create players 4), or declare it: (declare 4 'SEATS)",
        )
        return None
    if not 1 <= number <= MAX_PLAYERS:
        ctx.report(
            "E401",
            span,
            f"a game cannot have {number} players",
            f"a game has 1 to {MAX_PLAYERS} players, as in (create players 4)",
        )
        return None
    return number


def settle(ctx: Context, players: int, given: Literal[0, 1] | None) -> Literal[0, 1]:
    """The rules of docs/language/reading.md, "Counting from 0 or from 1", in their order."""
    evidence = ctx.evidence
    mentioned = [entry for _, numbers in evidence.team_lists for entry in numbers]
    numbers = {n for n, _ in mentioned}
    by_teams: Literal[0, 1] | None = 0 if 0 in numbers else 1 if players in numbers else None
    if 0 in numbers and players in numbers:
        span = next(span for n, span in mentioned if n == players)
        ctx.report(
            "E402",
            span,
            f"these team lists name both player 0 and player {players}, but players are counted either "
            "from 0 or from 1",
            "with four players write (0, 2) (1, 3) or (1, 3) (2, 4)",
        )
    if given is not None:
        if by_teams is not None and by_teams != given:
            ctx.report(
                "W512",
                evidence.team_lists[0][0],
                f"players are counted from {given}, but this team list counts from {by_teams}",
                "leave out the base, or change the list",
            )
        return given
    if by_teams is not None:
        return by_teams
    if any(n == 0 for n, _ in evidence.players + evidence.teams):
        return 0
    if any(n == players for n, _ in evidence.players):
        return 1
    if evidence.newer is not None:
        return 1
    if evidence.team_lists:
        if any(f.severity == "error" for f in ctx.findings):
            return 1  # the list may be what is wrong
        ctx.report(
            "W513",
            evidence.team_lists[0][0],
            "this team list does not show whether players are counted from 0 or from 1; 1 is assumed",
            "name every player in a list, as in (1, 3) (2, 4)",
        )
        return 1
    return 0


def check_teams(ctx: Context, players: int, base: int) -> None:
    """Each literal member exists and sits in one team only."""
    for _, numbers in ctx.evidence.team_lists:
        seen: set[int] = set()
        for number, span in numbers:
            if not base <= number < base + players:
                if any(f.code == "E402" for f in ctx.findings):
                    continue
                ctx.report(
                    "E402",
                    span,
                    f"there is no player {number}",
                    f"players here are numbered {base} to {base + players - 1}",
                )
            elif number in seen:
                ctx.report(
                    "E402",
                    span,
                    f"player {number} is on two teams",
                    "name each player once, as in (0, 2) (1, 3)",
                )
            seen.add(number)
