"""Nodes of single values: numbers, conditions, strings, point maps, cards."""

from __future__ import annotations

from typing import ClassVar, Literal

from upcard.recycle import arithmetic, failures
from upcard.recycle.kinds import Kind
from upcard.recycle.nodes.node import Binding, End, Expr, Owner, node
from upcard.recycle.nodes.syntax import Operand, Syntax

_CARDS = Operand("cards", Kind.CARDS)
_USING = ("using", Operand("using", Kind.MAP, what="{head} using"))

# storages


@node
class Storage(Expr):
    """(OWNER sto NAME) and its like: a value that an owner keeps under a name."""

    owner: Owner
    name: Expr
    word: ClassVar[str]
    failures: ClassVar = (failures.TEAM_IS_GONE,)
    page: ClassVar = "values#storages"


@node
class IntStore(Storage):
    syntax: ClassVar = Syntax(inside="sto", inside_role="storage")
    word: ClassVar[str] = "sto"
    kind: ClassVar[Kind] = Kind.INT


@node
class StrStore(Storage):
    syntax: ClassVar = Syntax(inside="str", inside_role="storage")
    word: ClassVar[str] = "str"
    kind: ClassVar[Kind] = Kind.STR


@node
class MapStore(Storage):
    syntax: ClassVar = Syntax(inside="points", inside_role="storage")
    word: ClassVar[str] = "points"
    kind: ClassVar[Kind] = Kind.MAP
    page: ClassVar = "points"


# integers


@node
class Int(Expr):
    value: int
    kind: ClassVar[Kind] = Kind.INT
    fold: ClassVar = int
    failures: ClassVar = ()
    page: ClassVar = "values#arithmetic"


@node
class Arithmetic(Expr):
    """Two or more operands, folded from the left."""

    operator: Literal["+", "-", "*", "//", "%", "^"]
    operands: tuple[Expr, ...]
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax(
        "+ - * // % ^",
        "({head} 7 2)",
        (Operand("operands", Kind.INT, many=2),),
        fields={head: {"operator": head} for head in ("+", "-", "*", "//", "%", "^")},
        layout="aligned",
        newer=3,
    )
    fold: ClassVar = arithmetic.fold
    failures: ClassVar = (failures.TOO_WIDE, failures.DIVIDED_BY_ZERO, failures.NEGATIVE_EXPONENT)
    page: ClassVar = "values#arithmetic"


@node
class Tri(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax("tri", "({head} 4)", (Operand("of", Kind.INT),))
    fold: ClassVar = arithmetic.triangle
    failures: ClassVar = (failures.NEGATIVE_TRI, failures.TOO_WIDE)
    page: ClassVar = "values#arithmetic"


@node
class Fib(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax("fib", "({head} 4)", (Operand("of", Kind.INT),))
    fold: ClassVar = arithmetic.fibonacci
    failures: ClassVar = (failures.NEGATIVE_FIB, failures.TOO_WIDE)
    page: ClassVar = "values#arithmetic"


@node
class Random(Expr):
    """Uniform on low to high, both included; no low means from 0."""

    low: Expr | None
    high: Expr
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax("random", "(random 3) or (random 2 .. 5)", count=(1, 3))
    failures: ClassVar = (failures.NOTHING_TO_DRAW, failures.RANDOM_TOO_WIDE)
    draws: ClassVar = True
    page: ClassVar = "chance#where-chance-enters"


@node
class Size(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax("size", "(size (game vloc PILE))", (Operand("of", "collection"),))
    failures: ClassVar = ()
    page: ClassVar = "values#other-numbers"


@node
class Pid(Expr):
    player: Expr
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax(
        "pid", "(pid (current player))", (Operand("player", Kind.PLAYER),), role="owner", newer=0
    )
    failures: ClassVar = ()
    page: ClassVar = "players-and-teams#who"


@node
class SumOver(Expr):
    """(all X 'V (W sto N)) as a number: the sum of those storages."""

    source: Expr
    binding: Binding
    store: IntStore
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax("all", count=(3, 3), role="block", layout="binder")
    failures: ClassVar = (failures.TOO_WIDE,)
    page: ClassVar = "values#for-all-and-for-some"


# scores


@node
class Score(Expr):
    card: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax(
        "score", "(score 'C using (game points VALUE))", (Operand("card", Kind.CARD), *_USING), inside="using"
    )
    failures: ClassVar = (failures.NO_CARD_TO_SCORE, failures.TOO_WIDE)
    page: ClassVar = "points"


@node
class Sum(Expr):
    cards: Expr
    using: Expr
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax("sum", "({head} (game vloc PILE) using (game points VALUE))", (_CARDS, *_USING))
    failures: ClassVar = (failures.TOO_WIDE,)
    page: ClassVar = "points"


@node
class BestScore(Expr):
    """(scoremax C using M), (scoremin C using M)"""

    cards: Expr
    using: Expr
    greatest: bool
    kind: ClassVar[Kind] = Kind.INT
    syntax: ClassVar = Syntax(
        "scoremax scoremin",
        "({head} (game vloc PILE) using (game points VALUE))",
        (_CARDS, *_USING),
        fields={"scoremax": {"greatest": True}, "scoremin": {"greatest": False}},
        newer=0,
    )
    failures: ClassVar = (failures.NO_CARDS_TO_SCORE, failures.TOO_WIDE)
    page: ClassVar = "points"


# booleans


@node
class Logic(Expr):
    """(and ...), (or ...): left to right, stopping as soon as decided."""

    operator: Literal["and", "or"]
    operands: tuple[Expr, ...]
    kind: ClassVar[Kind] = Kind.BOOL
    syntax: ClassVar = Syntax(
        "and or",
        "({head} (== 1 1) (== 2 2))",
        (Operand("operands", Kind.BOOL, many=2),),
        fields={head: {"operator": head} for head in ("and", "or")},
        role="logic",
        layout="aligned",
    )
    failures: ClassVar = ()
    page: ClassVar = "values#conditions"


@node
class Not(Expr):
    of: Expr
    kind: ClassVar[Kind] = Kind.BOOL
    syntax: ClassVar = Syntax(
        "not", "(not (== 1 2))", (Operand("of", Kind.BOOL),), role="logic", layout="aligned"
    )
    failures: ClassVar = ()
    page: ClassVar = "values#conditions"


@node
class Compare(Expr):
    operator: Literal["<", ">", "<=", ">="]
    left: Expr
    right: Expr
    kind: ClassVar[Kind] = Kind.BOOL
    syntax: ClassVar = Syntax(
        "< > <= >=",
        "({head} (game sto COUNT) 3)",
        (Operand("left", Kind.INT), Operand("right", Kind.INT)),
        fields={head: {"operator": head} for head in ("<", ">", "<=", ">=")},
        layout="aligned",
    )
    failures: ClassVar = ()
    page: ClassVar = "values#conditions"


@node
class Same(Expr):
    """(== X Y), (!= X Y) on two values of one kind: INT, STR, CARD, PLAYER or TEAM."""

    left: Expr
    right: Expr
    negated: bool
    of: Kind
    kind: ClassVar[Kind] = Kind.BOOL
    syntax: ClassVar = Syntax("== !=", "({head} (cardatt SUIT 'C) HEARTS)", count=(2, 2), layout="aligned")
    failures: ClassVar = ()
    page: ClassVar = "values#conditions"


@node
class Quantified(Expr):
    """(all X 'V B), (any X 'V B) as a condition; stops at the first element that decides."""

    every: bool
    source: Expr
    binding: Binding
    test: Expr
    kind: ClassVar[Kind] = Kind.BOOL
    syntax: ClassVar = Syntax(
        "all any", "({head} player 'P (> ('P sto COUNT) 3))", count=(3, 3), role="block", layout="binder"
    )
    failures: ClassVar = ()
    page: ClassVar = "values#for-all-and-for-some"


@node
class Truth(Expr):
    """Given from outside in place of a declared condition; the text itself has no such form."""

    value: bool
    kind: ClassVar[Kind] = Kind.BOOL
    failures: ClassVar = ()
    page: ClassVar = "chance#house-rules"


# strings


@node
class Str(Expr):
    text: str
    kind: ClassVar[Kind] = Kind.STR
    fold: ClassVar = str
    failures: ClassVar = ()
    page: ClassVar = "values#strings"


@node
class CardAtt(Expr):
    key: Expr
    card: Expr
    kind: ClassVar[Kind] = Kind.STR
    syntax: ClassVar = Syntax(
        "cardatt",
        "(cardatt SUIT 'C)",
        (Operand("key", Kind.STR, what="the key of {head}"), Operand("card", Kind.CARD)),
    )
    failures: ClassVar = ()
    page: ClassVar = "values#strings"


# cards


class Position(Expr):
    """A card by its place in a collection."""

    __slots__ = ()
    cards: Expr


class EndPosition(Position):
    """The card at an end of a collection, or no card."""

    __slots__ = ()
    end: End


@node
class EndCard(EndPosition):
    """(top C), (bottom C): the last or first card of C, or no card."""

    end: End
    cards: Expr
    kind: ClassVar[Kind] = Kind.CARD
    syntax: ClassVar = Syntax(
        "top bottom", "({head} (game vloc PILE)), or ({head} 2 (game vloc PILE)) for several", count=(1, 2)
    )
    failures: ClassVar = ()
    page: ClassVar = "cards-and-places#one-card"


@node
class TopOf(EndPosition):
    """A collection where a card is wanted: its top card."""

    cards: Expr
    end: End = "top"
    kind: ClassVar[Kind] = Kind.CARD
    failures: ClassVar = ()
    page: ClassVar = "cards-and-places#one-card"


@node
class CardAt(Position):
    """(n C): the card with index n, 0 at the bottom."""

    index: Expr
    cards: Expr
    kind: ClassVar[Kind] = Kind.CARD
    failures: ClassVar = (failures.NO_SUCH_CARD,)
    page: ClassVar = "cards-and-places#one-card"


@node
class BestCard(Expr):
    """(max C using M), (min C using M): ties are drawn."""

    cards: Expr
    using: Expr
    greatest: bool
    kind: ClassVar[Kind] = Kind.CARD
    syntax: ClassVar = Syntax(
        "max min",
        "({head} (game vloc PILE) using (game points VALUE))",
        (_CARDS, *_USING),
        fields={"max": {"greatest": True}, "min": {"greatest": False}},
    )
    failures: ClassVar = (failures.NO_GREATEST_CARD, failures.NO_LEAST_CARD, failures.TOO_WIDE)
    draws: ClassVar = True
    page: ClassVar = "points"
