"""Definition of a contest: the game, the players, the deals, and everything else its results depend on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from upcard.arena.schedule import Schedule
from upcard.arguments import check_whole
from upcard.engine.api import Record
from upcard.engine.shared.game import LoadedGame
from upcard.match.match_play import Participant, Table
from upcard.match.seats import names_of_sides
from upcard.players.external.external_player import PATIENCE
from upcard.players.spec import PlayerSpec
from upcard.recycle.diagnostics import Refused

FORMAT = 2
"""The version of the record's format."""


class BadContest(Refused):
    """Players that cannot be compared.

    >>> try:
    ...     upcard.arena.run("kuhn-poker", ["random"])
    ... except upcard.arena.BadContest:
    ...     print("one player is not enough")
    one player is not enough
    """


@dataclass(frozen=True)
class Contest:
    table: Table
    """Without players at its seats: every game seats them anew."""
    players: tuple[PlayerSpec, ...]
    schedule: Schedule
    deals: int
    """The number of deals, or matches, each of which is played once per sitting."""
    seed: int
    matches: bool = False
    patience: float = PATIENCE
    sprt: tuple[float, float] | None = None
    """Bounds of a sequential test that may end the contest early."""

    @classmethod
    def of(
        cls,
        game: LoadedGame,
        players: Sequence[PlayerSpec],
        deals: int,
        seed: int = 0,
        *,
        matches: bool = False,
        to: int | None = None,
        ladder: bool = False,
        patience: float = PATIENCE,
        sprt: tuple[float, float] | None = None,
        secret: str | None = None,
    ) -> Contest:
        """`secret` repeats a contest with external players, which draws a new one otherwise."""
        check_whole("matches" if matches else "deals", deals, 0)
        check_whole("a seed", seed)
        if len(players) < 2:
            raise BadContest("the arena compares players: name at least two, for example simple,random")
        if sprt is not None and len(players) != 2:
            raise BadContest(f"--sprt compares two players, not {len(players)}; leave it out")
        nobody = [Participant(game.narrator.seat(seat), "") for seat in range(game.seats)]
        table = Table.of(game, nobody).to(to).of_players(players, secret)
        places = len(table.sides)
        make = Schedule.neighbours if ladder else Schedule.everybody
        return cls(table, tuple(players), make(len(players), places), deals, seed, matches, patience, sprt)

    def on_this_machine(self) -> Contest:
        """The contest with players that this machine can start."""
        return replace(self, players=tuple(player.on_this_machine() for player in self.players))

    @property
    def games(self) -> int:
        return self.deals * len(self.schedule.sittings)

    @property
    def names(self) -> list[str]:
        """The players' names; equal ones are numbered."""
        given = [player.name for player in self.players]
        return [
            name if given.count(name) == 1 else f"{name} #{given[:i].count(name) + 1}"
            for i, name in enumerate(given)
        ]

    @property
    def labels(self) -> list[str]:
        """Names for tables: without the folders of files, where they remain different."""
        names = self.names
        short = [re.sub(r"^(?!cmd:).*[/\\]", "", name) for name in names]
        return short if len(set(short)) == len(names) else names

    @property
    def places(self) -> list[str]:
        return names_of_sides(self.table.names, self.table.sides)

    @property
    def highest(self) -> bool:
        """Whether more points are better."""
        return self.table.game.program.scoring.highest

    def header(self) -> Record:
        """The first line of the record: only a contest with an equal header resumes from it."""
        about: Record = {
            "do": "arena",
            "format": FORMAT,
            **self.table.game.identity,
            "players": [player.name for player in self.players],
            "files": [player.digest for player in self.players],
            "groups": [list(group) for group in self.schedule.groups],
            "seed": self.seed,
            "matches" if self.matches else "deals": self.deals,
            "patience": self.patience,
            "sprt": None if self.sprt is None else list(self.sprt),
            **self.table.trust,
        }
        if self.matches:
            about["rules"] = self.table.recorded_rules
        return about
