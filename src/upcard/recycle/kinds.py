"""Kinds of value. A variable has one binding site, so its kind is known statically."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """A kind; its value is the phrase that messages use."""

    INT = "a number"
    BOOL = "a condition"
    STR = "a string"
    CARD = "a card"
    PLAYER = "a player"
    TEAM = "a team"
    MAP = "a point map"
    CARDS = "a card collection"
    LISTS = "a list of collections"
    STRS = "a list of strings"
    INTS = "a list of numbers"
    PLAYERS = "a list of players"
    TEAMS = "a list of teams"
    ANY = "something already reported"

    @property
    def element(self) -> Kind | None:
        """What a loop over this kind binds its variable to; None when it cannot be looped over."""
        return _ELEMENTS.get(self)


_ELEMENTS = {
    Kind.CARDS: Kind.CARD,
    Kind.LISTS: Kind.CARDS,
    Kind.STRS: Kind.STR,
    Kind.INTS: Kind.INT,
    Kind.PLAYERS: Kind.PLAYER,
    Kind.TEAMS: Kind.TEAM,
    Kind.ANY: Kind.ANY,
}
