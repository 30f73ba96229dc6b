"""Nodes of a whole game: declarations, setup, stages, choices, scoring."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from upcard.recycle import failures
from upcard.recycle.nodes.actions import CreateDeck, CreateTeams, Item, Repeat
from upcard.recycle.nodes.node import Binding, Expr, Node, node
from upcard.recycle.nodes.syntax import UNBOUNDED, Syntax
from upcard.recycle.source import Source

_GAME = "(game (setup ...) (stage ...) (scoring max ((current player) sto SCORE)))"


@node(
    page="choices",
    failures=(
        failures.NOTHING_TO_CHOOSE,
        failures.TOO_MANY_ALTERNATIVES,
        failures.TOO_MANY_LISTED,
        failures.TOO_MANY_PICKED,
    ),
)
class Choice(Node):
    items: tuple[Item, ...]
    syntax: ClassVar = Syntax(
        "choice", "({head} ((turn pass) (turn pass)))", count=(1, 1), role="block", layout="items"
    )


@node(page="shape#let", failures=())
class LetChoice(Node):
    """(let VALUE 'V CHOICE), possibly through another let."""

    value: Expr
    binding: Binding
    inner: Choice | LetChoice


@node(page="shape#stage-and-choice", failures=())
class Stage(Node):
    of: Literal["player", "team"]
    end: Expr
    body: tuple[Element, ...]
    syntax: ClassVar = Syntax(
        "stage",
        "(stage player (end (== (game sto ROUND) 3)) (choice ((turn pass))))",
        count=(3, UNBOUNDED),
        role="block",
    )
    inner_syntax: ClassVar = (Syntax("end", "(end (== (game sto ROUND) 3))", count=(1, 1), role="block"),)


Element: TypeAlias = Stage | Choice | LetChoice | Item


@node(page="shape#declare", failures=())
class Declare(Node):
    value: Expr
    binding: Binding
    overridden: bool = False
    syntax: ClassVar = Syntax("declare", "(declare 5 'CARDS)", count=(2, 2), role="block")


@node(page="setup", failures=())
class Setup(Node):
    players: Expr
    teams: CreateTeams | None
    decks: tuple[CreateDeck | Repeat, ...]
    syntax: ClassVar = Syntax(
        "setup",
        "(setup (create players 4) (create deck (game iloc STOCK) (deck (RANK (A, K)))))",
        role="block",
    )
    inner_syntax: ClassVar = (
        Syntax(
            "create", "(create players 4)", count=(2, 2), inside="players", role="action", inside_role="owner"
        ),
    )


@node(page="shape#scoring", failures=())
class Scoring(Node):
    highest: bool
    value: Expr
    syntax: ClassVar = Syntax(
        "scoring", "(scoring max ((current player) sto SCORE))", count=(2, 2), inside="min max", role="block"
    )


@node(page="shape", failures=())
class Program(Node):
    """A whole game, checked: it can be played as it stands."""

    source: Source
    declares: tuple[Declare, ...]
    setup: Setup
    body: tuple[Element, ...]
    scoring: Scoring
    players: int
    base: Literal[0, 1]
    """What the program counts players and teams from; engines count from 0."""
    slots: int
    """How many variables there are."""
    overrides: tuple[tuple[str, str], ...] = field(default=())
    """Declared values given from outside, as name and text, in the order of declaration."""

    syntax: ClassVar = Syntax("game", _GAME, role="block")


ACTUAL = Syntax("actual", "(actual (top (game vloc PILE)))", count=(1, 1))
FARO = Syntax("faro", "(shuffle (game iloc STOCK))", role="action")
WITHOUT_NODES = (ACTUAL, FARO, Syntax(inside="new"))
"""Forms that leave no node of their own: `actual` is the card itself; the others have no meaning yet."""
