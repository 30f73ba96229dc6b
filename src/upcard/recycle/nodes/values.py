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


@node(page="values#storages", failures=(failures.TEAM_IS_GONE,))
class Storage(Expr):
    """(OWNER sto NAME) and its like: a value that an owner keeps under a name."""

    owner: Owner
    name: Expr
    word: ClassVar[str]


@node(Kind.INT)
class IntStore(Storage):
    syntax: ClassVar = Syntax(inside="sto", inside_role="storage")
    word: ClassVar[str] = "sto"


@node(Kind.STR)
class StrStore(Storage):
    syntax: ClassVar = Syntax(inside="str", inside_role="storage")
    word: ClassVar[str] = "str"


@node(Kind.MAP, page="points")
class MapStore(Storage):
    syntax: ClassVar = Syntax(inside="points", inside_role="storage")
    word: ClassVar[str] = "points"


# integers


@node(Kind.INT, page="values#arithmetic", failures=())
class Int(Expr):
    value: int
    fold: ClassVar = int


@node(
    Kind.INT,
    page="values#arithmetic",
    failures=(failures.TOO_WIDE, failures.DIVIDED_BY_ZERO, failures.NEGATIVE_EXPONENT),
)
class Arithmetic(Expr):
    """Two or more operands, folded from the left."""

    operator: Literal["+", "-", "*", "//", "%", "^"]
    operands: tuple[Expr, ...]
    syntax: ClassVar = Syntax(
        "+ - * // % ^",
        "({head} 7 2)",
        (Operand("operands", Kind.INT, many=2),),
        fields={head: {"operator": head} for head in ("+", "-", "*", "//", "%", "^")},
        layout="aligned",
        newer=3,
    )
    fold: ClassVar = arithmetic.fold


@node(Kind.INT, page="values#arithmetic", failures=(failures.NEGATIVE_TRI, failures.TOO_WIDE))
class Tri(Expr):
    of: Expr
    syntax: ClassVar = Syntax("tri", "({head} 4)", (Operand("of", Kind.INT),))
    fold: ClassVar = arithmetic.triangle


@node(Kind.INT, page="values#arithmetic", failures=(failures.NEGATIVE_FIB, failures.TOO_WIDE))
class Fib(Expr):
    of: Expr
    syntax: ClassVar = Syntax("fib", "({head} 4)", (Operand("of", Kind.INT),))
    fold: ClassVar = arithmetic.fibonacci


@node(
    Kind.INT,
    page="chance#where-chance-enters",
    failures=(failures.NOTHING_TO_DRAW, failures.RANDOM_TOO_WIDE),
    draws=True,
)
class Random(Expr):
    """Uniform on low to high, both included; no low means from 0."""

    low: Expr | None
    high: Expr
    syntax: ClassVar = Syntax("random", "(random 3) or (random 2 .. 5)", count=(1, 3))


@node(Kind.INT, page="values#other-numbers", failures=())
class Size(Expr):
    of: Expr
    syntax: ClassVar = Syntax("size", "(size (game vloc PILE))", (Operand("of", "collection"),))


@node(Kind.INT, page="players-and-teams#who", failures=())
class Pid(Expr):
    player: Expr
    syntax: ClassVar = Syntax(
        "pid", "(pid (current player))", (Operand("player", Kind.PLAYER),), role="owner", newer=0
    )


@node(Kind.INT, page="values#for-all-and-for-some", failures=(failures.TOO_WIDE,))
class SumOver(Expr):
    """(all X 'V (W sto N)) as a number: the sum of those storages."""

    source: Expr
    binding: Binding
    store: IntStore
    syntax: ClassVar = Syntax("all", count=(3, 3), role="block", layout="binder")


# scores


@node(Kind.INT, page="points", failures=(failures.NO_CARD_TO_SCORE, failures.TOO_WIDE))
class Score(Expr):
    card: Expr
    using: Expr
    syntax: ClassVar = Syntax(
        "score", "(score 'C using (game points VALUE))", (Operand("card", Kind.CARD), *_USING), inside="using"
    )


@node(Kind.INT, page="points", failures=(failures.TOO_WIDE,))
class Sum(Expr):
    cards: Expr
    using: Expr
    syntax: ClassVar = Syntax("sum", "({head} (game vloc PILE) using (game points VALUE))", (_CARDS, *_USING))


@node(Kind.INT, page="points", failures=(failures.NO_CARDS_TO_SCORE, failures.TOO_WIDE))
class BestScore(Expr):
    """(scoremax C using M), (scoremin C using M)"""

    cards: Expr
    using: Expr
    greatest: bool
    syntax: ClassVar = Syntax(
        "scoremax scoremin",
        "({head} (game vloc PILE) using (game points VALUE))",
        (_CARDS, *_USING),
        fields={"scoremax": {"greatest": True}, "scoremin": {"greatest": False}},
        newer=0,
    )


# booleans


@node(Kind.BOOL, page="values#conditions", failures=())
class Logic(Expr):
    """(and ...), (or ...): left to right, stopping as soon as decided."""

    operator: Literal["and", "or"]
    operands: tuple[Expr, ...]
    syntax: ClassVar = Syntax(
        "and or",
        "({head} (== 1 1) (== 2 2))",
        (Operand("operands", Kind.BOOL, many=2),),
        fields={head: {"operator": head} for head in ("and", "or")},
        role="logic",
        layout="aligned",
    )


@node(Kind.BOOL, page="values#conditions", failures=())
class Not(Expr):
    of: Expr
    syntax: ClassVar = Syntax(
        "not", "(not (== 1 2))", (Operand("of", Kind.BOOL),), role="logic", layout="aligned"
    )


@node(Kind.BOOL, page="values#conditions", failures=())
class Compare(Expr):
    operator: Literal["<", ">", "<=", ">="]
    left: Expr
    right: Expr
    syntax: ClassVar = Syntax(
        "< > <= >=",
        "({head} (game sto COUNT) 3)",
        (Operand("left", Kind.INT), Operand("right", Kind.INT)),
        fields={head: {"operator": head} for head in ("<", ">", "<=", ">=")},
        layout="aligned",
    )


@node(Kind.BOOL, page="values#conditions", failures=())
class Same(Expr):
    """(== X Y), (!= X Y) on two values of one kind: INT, STR, CARD, PLAYER or TEAM."""

    left: Expr
    right: Expr
    negated: bool
    of: Kind
    syntax: ClassVar = Syntax("== !=", "({head} (cardatt SUIT 'C) HEARTS)", count=(2, 2), layout="aligned")


@node(Kind.BOOL, page="values#for-all-and-for-some", failures=())
class Quantified(Expr):
    """(all X 'V B), (any X 'V B) as a condition; stops at the first element that decides."""

    every: bool
    source: Expr
    binding: Binding
    test: Expr
    syntax: ClassVar = Syntax(
        "all any", "({head} player 'P (> ('P sto COUNT) 3))", count=(3, 3), role="block", layout="binder"
    )


@node(Kind.BOOL, page="chance#house-rules", failures=())
class Truth(Expr):
    """Given from outside in place of a declared condition; the text itself has no such form."""

    value: bool


# strings


@node(Kind.STR, page="values#strings", failures=())
class Str(Expr):
    text: str
    fold: ClassVar = str


@node(Kind.STR, page="values#strings", failures=())
class CardAtt(Expr):
    key: Expr
    card: Expr
    syntax: ClassVar = Syntax(
        "cardatt",
        "(cardatt SUIT 'C)",
        (Operand("key", Kind.STR, what="the key of {head}"), Operand("card", Kind.CARD)),
    )


# cards


class Position(Expr):
    """A card by its place in a collection."""

    __slots__ = ()
    cards: Expr


class EndPosition(Position):
    """The card at an end of a collection, or no card."""

    __slots__ = ()
    end: End


@node(Kind.CARD, page="cards-and-places#one-card", failures=())
class EndCard(EndPosition):
    """(top C), (bottom C): the last or first card of C, or no card."""

    end: End
    cards: Expr
    syntax: ClassVar = Syntax(
        "top bottom", "({head} (game vloc PILE)), or ({head} 2 (game vloc PILE)) for several", count=(1, 2)
    )


@node(Kind.CARD, page="cards-and-places#one-card", failures=())
class TopOf(EndPosition):
    """A collection where a card is wanted: its top card."""

    cards: Expr
    end: End = "top"


@node(Kind.CARD, page="cards-and-places#one-card", failures=(failures.NO_SUCH_CARD,))
class CardAt(Position):
    """(n C): the card with index n, 0 at the bottom."""

    index: Expr
    cards: Expr


@node(
    Kind.CARD,
    page="points",
    failures=(failures.NO_GREATEST_CARD, failures.NO_LEAST_CARD, failures.TOO_WIDE),
    draws=True,
)
class BestCard(Expr):
    """(max C using M), (min C using M): ties are drawn."""

    cards: Expr
    using: Expr
    greatest: bool
    syntax: ClassVar = Syntax(
        "max min",
        "({head} (game vloc PILE) using (game points VALUE))",
        (_CARDS, *_USING),
        fields={"max": {"greatest": True}, "min": {"greatest": False}},
    )
