"""Conservative read and write sets of a piece of program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.lint_subject import Key, Subject

CLASSES = ("vloc", "iloc", "hloc", "oloc", "mem")


@dataclass
class Touched:
    """A set of names, some of which may stand for every name, and the few things without names."""

    keys: set[Key] = field(default_factory=set)
    everywhere: bool = False
    """Some card, wherever it lies."""
    seats: bool = False
    """The player cycle."""
    team_turn: bool = False
    """The team cycle."""
    teams: bool = False
    """Who is in which team."""

    def add(self, other: Touched) -> None:
        self.keys |= other.keys
        self.everywhere |= other.everywhere
        self.seats |= other.seats
        self.team_turn |= other.team_turn
        self.teams |= other.teams

    def meets(self, other: Touched) -> bool:
        """Whether the two can have something in common."""
        cycles = (self.seats, other.seats), (self.team_turn, other.team_turn), (self.teams, other.teams)
        cards = (self.everywhere, other.has_cards), (self.has_cards, other.everywhere)
        if any(mine and theirs for mine, theirs in (*cycles, *cards)):
            return True
        few, many = sorted((self.keys, other.keys), key=len)
        for key in few:
            if key in many or key.nameless in many:
                return True
            if key.name is None and any(named.nameless == key for named in many):
                return True
        return False

    @property
    def has_cards(self) -> bool:
        return self.everywhere or any(key.space in CLASSES for key in self.keys)


def read_by(subject: Subject, nodes: Iterable[p.Node]) -> Touched:
    """What values made of these nodes depend on, chance left aside."""
    found = Touched()
    for node in nodes:
        if isinstance(node, p.Named):
            found.keys.add(subject.key(node))
        elif isinstance(node, p.Var):
            if node.kind in (Kind.CARD, Kind.CARDS, Kind.LISTS):
                found.keys.update(subject.families(node))
        elif isinstance(node, p.SeatAt):
            found.seats = True
        elif isinstance(node, p.TeamAt):
            found.team_turn = True
        elif isinstance(node, p.Players | p.Teams) and node.others:
            found.seats |= isinstance(node, p.Players)
            found.team_turn |= isinstance(node, p.Teams)
        elif isinstance(node, p.OwnerOf):
            found.everywhere = True  # the owner changes with any move of the card
        if isinstance(node, p.Teams | p.TeamNumber | p.TeamOf | p.TeamAt | p.Members):
            found.teams = True
    return found


def changed_by(subject: Subject, action: p.Node) -> Touched:
    """What a simple action can change."""
    found = Touched()
    if isinstance(action, p.Store):
        found.keys.add(subject.key(action.store))
    elif isinstance(action, p.Move):
        sources = set(subject.families(action.card))
        # a card reached through a memory lies anywhere
        found.everywhere = any(key.space == "mem" for key in sources)
        found.keys = sources | set(subject.families(action.place))
    elif isinstance(action, p.Remember):
        found.keys.update(subject.families(action.place))
    elif isinstance(action, p.Forget):
        found.keys.update(subject.families(action.card))
    elif isinstance(action, p.Shuffle):
        found.keys.update(subject.families(action.cards))
    elif isinstance(action, p.Swap):
        found.keys = {*subject.families(action.left), *subject.families(action.right)}
        found.everywhere = any(key.space == "mem" for key in found.keys)
    elif isinstance(action, p.CreateDeck):
        found.keys.add(subject.key(action.location))
    elif isinstance(action, p.CreateTeams):
        found.teams = found.team_turn = True
        # the storages of the old teams are gone
        found.keys.update(Key(space, "team", None) for space in ("sto", "str", "points"))
    elif isinstance(action, p.Cycle):
        found.seats = True
    return found
