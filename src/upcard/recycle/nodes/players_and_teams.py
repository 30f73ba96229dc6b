"""Nodes of players and teams: one of them, and collections of them."""

from __future__ import annotations

from typing import ClassVar

from upcard.recycle import failures
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.node import Expr, Which, node
from upcard.recycle.nodes.syntax import Operand, Syntax


@node
class Seats(Expr):
    """A player, a team, or a collection of players or teams."""

    page: ClassVar = "players-and-teams#who"


@node
class SeatAt(Seats):
    """(current player), (next player), (previous player)"""

    which: Which
    kind: ClassVar[Kind] = Kind.PLAYER
    syntax: ClassVar = Syntax(inside="player current next previous", inside_role="owner")
    failures: ClassVar = ()


@node
class SeatNumber(Seats):
    """(n player), counted from the program's base"""

    number: Expr
    kind: ClassVar[Kind] = Kind.PLAYER
    failures: ClassVar = (failures.NO_SUCH_PLAYER,)


@node
class OwnerOf(Seats):
    card: Expr
    kind: ClassVar[Kind] = Kind.PLAYER
    syntax: ClassVar = Syntax(
        "owner", "(owner (top (game mem SEEN)))", (Operand("card", Kind.CARD),), role="owner"
    )
    failures: ClassVar = (failures.NO_CARD_TO_OWN, failures.OWNED_BY_TABLE)


@node
class TeamAt(Seats):
    which: Which
    kind: ClassVar[Kind] = Kind.TEAM
    syntax: ClassVar = Syntax(inside="team current next previous", inside_role="owner")
    failures: ClassVar = (failures.NO_TEAMS_YET,)


@node
class TeamNumber(Seats):
    number: Expr
    kind: ClassVar[Kind] = Kind.TEAM
    failures: ClassVar = (failures.NO_SUCH_TEAM,)


@node
class TeamOf(Seats):
    player: Expr
    kind: ClassVar[Kind] = Kind.TEAM
    syntax: ClassVar = Syntax(
        "team", "(team (current player))", (Operand("player", Kind.PLAYER),), role="owner"
    )
    failures: ClassVar = (failures.NO_TEAMS_YET,)


@node
class Players(Seats):
    """`player`, or (other player) without the current one"""

    others: bool
    kind: ClassVar[Kind] = Kind.PLAYERS
    syntax: ClassVar = Syntax("other", "(other player)", count=(1, 1), alone="player", role="owner")
    failures: ClassVar = ()


@node
class Teams(Seats):
    others: bool
    kind: ClassVar[Kind] = Kind.TEAMS
    syntax: ClassVar = Syntax("other", "(other team)", count=(1, 1), alone="team", role="owner")
    failures: ClassVar = ()


@node
class Members(Seats):
    """A team where a collection is wanted."""

    team: Expr
    kind: ClassVar[Kind] = Kind.PLAYERS
    failures: ClassVar = (failures.TEAM_IS_GONE,)
