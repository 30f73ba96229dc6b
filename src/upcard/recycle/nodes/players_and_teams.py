"""Nodes of players and teams: one of them, and collections of them."""

from __future__ import annotations

from typing import ClassVar

from upcard.recycle import failures
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.node import Expr, Which, node
from upcard.recycle.nodes.syntax import Operand, Syntax


@node(page="players-and-teams#who")
class Seats(Expr):
    """A player, a team, or a collection of players or teams."""


@node(Kind.PLAYER, failures=())
class SeatAt(Seats):
    """(current player), (next player), (previous player)"""

    which: Which
    syntax: ClassVar = Syntax(inside="player current next previous", inside_role="owner")


@node(Kind.PLAYER, failures=(failures.NO_SUCH_PLAYER,))
class SeatNumber(Seats):
    """(n player), counted from the program's base"""

    number: Expr


@node(Kind.PLAYER, failures=(failures.NO_CARD_TO_OWN, failures.OWNED_BY_TABLE))
class OwnerOf(Seats):
    card: Expr
    syntax: ClassVar = Syntax(
        "owner", "(owner (top (game mem SEEN)))", (Operand("card", Kind.CARD),), role="owner"
    )


@node(Kind.TEAM, failures=(failures.NO_TEAMS_YET,))
class TeamAt(Seats):
    which: Which
    syntax: ClassVar = Syntax(inside="team current next previous", inside_role="owner")


@node(Kind.TEAM, failures=(failures.NO_SUCH_TEAM,))
class TeamNumber(Seats):
    number: Expr


@node(Kind.TEAM, failures=(failures.NO_TEAMS_YET,))
class TeamOf(Seats):
    player: Expr
    syntax: ClassVar = Syntax(
        "team", "(team (current player))", (Operand("player", Kind.PLAYER),), role="owner"
    )


@node(Kind.PLAYERS, failures=())
class Players(Seats):
    """`player`, or (other player) without the current one"""

    others: bool
    syntax: ClassVar = Syntax("other", "(other player)", count=(1, 1), alone="player", role="owner")


@node(Kind.TEAMS, failures=())
class Teams(Seats):
    others: bool
    syntax: ClassVar = Syntax("other", "(other team)", count=(1, 1), alone="team", role="owner")


@node(Kind.PLAYERS, failures=(failures.TEAM_IS_GONE,))
class Members(Seats):
    """A team where a collection is wanted."""

    team: Expr
