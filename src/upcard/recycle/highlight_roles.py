"""Roles of the tokens of a program, for syntax highlighting.

Pieces are the reader's own tokens, so colours and meaning cannot drift apart. Any text has pieces, a wrong
one too, and together they are the text. What a name stands for is told by what is around it: no program needs
to be sound to be shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from upcard.recycle.reader import TOKEN
from upcard.recycle.reserved_words import CLASSES, RESERVED, ROLES, STORAGES


class Role(Enum):
    SPACE = "space"
    COMMENT = "comment"
    PARENTHESIS = "parenthesis"
    MARK = "mark"
    OPERATOR = "operator"
    """+ == and their like."""
    LOGIC = "logic"
    """and, or, not."""
    BLOCK = "block"
    """What gives a program its shape: game, stage, choice, do, let."""
    ACTION = "action"
    """What changes something: move, set, shuffle."""
    OPERATION = "operation"
    """What computes something: filter, top, sum."""
    OWNER = "owner"
    """Who: player, team, next, and game where it means the table."""
    CLASS = "class"
    """vloc, iloc, hloc, oloc, mem."""
    STORAGE = "storage"
    """sto, str, points."""
    DECLARED = "declared"
    """A variable that a declare gives its value: a house rule."""
    VARIABLE = "variable"
    NUMBER = "number"
    PLACE = "place"
    """The name of a location."""
    SLOT = "slot"
    """The name of a storage."""
    KEY = "key"
    """The name of an attribute of cards."""
    VALUE = "value"
    """Any other name: a string."""
    WRONG = "wrong"


class Piece(NamedTuple):
    role: Role
    start: int
    text: str


_BY_ATTRIBUTE = frozenset({"cardatt", "partition"})
"""Words that name an attribute right behind them."""

_NAME = re.compile(r"[A-Z]+\Z")
_NUMBER = re.compile(r"[0-9]+\Z")
_VARIABLE = re.compile(r"'[A-Z]+\Z")


class _Token(NamedTuple):
    group: str
    start: int
    text: str


def pieces(text: str) -> Iterator[Piece]:
    """Every character of the text, in order, in exactly one piece."""
    tokens = [
        _Token(match.lastgroup or "stray", match.start(), match.group()) for match in TOKEN.finditer(text)
    ]
    said = [token for token in tokens if token.group not in ("space", "comment")]
    around = _around(said)
    place = -1
    for token in tokens:
        if token.group == "space":
            role = Role.SPACE
        elif token.group == "comment":
            role = Role.COMMENT
        else:
            place += 1
            role = _role(said, place, around)
        yield Piece(role, token.start, token.text)


class _Around(NamedTuple):
    """What can only be told from forms, however broken."""

    declared: frozenset[str]
    """The variables that end a declare form."""
    keys: frozenset[int]
    """Places of names that head an attribute of a deck; their values may head forms as well."""
    values: frozenset[int]


def _around(said: Sequence[_Token]) -> _Around:
    heads: list[str] = []
    deck: list[int] = []  # how deep the deck forms around are
    declared: set[str] = set()
    keys: set[int] = set()
    values: set[int] = set()
    for place, token in enumerate(said):
        if token.group == "open":
            heads.append(said[place + 1].text if place + 1 < len(said) else "")
            if heads[-1] == "deck":
                deck.append(len(heads))
            elif deck:
                odd = (len(heads) - deck[-1]) % 2
                (keys if odd else values).add(place + 1)
        elif token.group == "close" and heads:
            if deck and deck[-1] == len(heads):
                deck.pop()
            if heads.pop() == "declare" and place and said[place - 1].group == "variable":
                declared.add(said[place - 1].text)
    return _Around(frozenset(declared), frozenset(keys), frozenset(values))


def _role(said: Sequence[_Token], place: int, around: _Around) -> Role:
    token = said[place]
    if token.group in ("open", "close"):
        return Role.PARENTHESIS
    if token.group == "mark":
        return Role.MARK
    if token.group == "operator":
        return Role.OPERATOR
    if token.group == "variable":
        if not _VARIABLE.match(token.text):
            return Role.WRONG
        return Role.DECLARED if token.text in around.declared else Role.VARIABLE
    if token.group != "text":
        return Role.WRONG
    if _NUMBER.match(token.text):
        return Role.NUMBER
    before = said[place - 1].text if place else ""
    after = said[place + 1].text if place + 1 < len(said) else ""
    if _NAME.match(token.text):
        if place in around.keys or place in around.values:
            return Role.KEY if place in around.keys else Role.VALUE
        return _name(before, after)
    return _word(token.text, before, after) if token.text in RESERVED else Role.WRONG


def _name(before: str, after: str) -> Role:
    if before in CLASSES:
        return Role.PLACE
    if before in STORAGES:
        return Role.SLOT
    # (SUIT : HEARTS), (SUIT (HEARTS, SPADES)), (cardatt SUIT 'C)
    if before in _BY_ATTRIBUTE or (before == "(" and after in (":", "(")):
        return Role.KEY
    return Role.VALUE


def _word(word: str, before: str, after: str) -> Role:
    if word == "game" and (after in CLASSES or after in STORAGES):
        return Role.OWNER
    if word == "all" and before == "repeat":
        return Role.OPERATION
    return Role(ROLES[word])
