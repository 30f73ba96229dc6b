"""Plan of a study: everything that its games depend on.

| part | games | who plays | for |
| --- | --- | --- | --- |
| random | `games` | random players | choices, fairness, length, scores |
| searching | `search_games` | the first player named, in every seat | spread, drama, security, trend |
| order | `search_games` | the same in the first seat, random players in the others | order |
| skill | `search_games` deals | two players on duplicate deals, in the arena | skill against luck |

The last three parts need a named player. In the last, its opponent is the second player named or, if there is
only one, a random player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from upcard.arena.contest import Contest
from upcard.arguments import check_whole
from upcard.engine.api import Record
from upcard.engine.shared.game import LoadedGame
from upcard.lazy import lazy_property
from upcard.players.seeds import Seeds, new_secret
from upcard.players.spec import PlayerSpec, needs_secret, resolve_player
from upcard.recycle.diagnostics import Refused
from upcard.simulate.random_games import RandomGames
from upcard.simulate.trace_sums import TraceSums
from upcard.simulate.traces import Trace
from upcard.simulate.traces_detail import Traces
from upcard.study.game_log import Watched, random_games, searching_game

FORMAT = 2
"""The version of the record."""

Part: TypeAlias = Literal["random", "searching", "order"]
PARTS: tuple[Part, ...] = ("random", "searching", "order")

KEPT = 100
"""Random games that are recorded one by one, with their rounds; later games are only summed."""
PIECE = 20
"""How many of these are played at a time; games of search players are played one at a time."""


class BadStudy(Refused):
    """A study with impossible parameters.

    >>> try:
    ...     upcard.study.run("kuhn-poker", 10, players=["random", "random", "random"])
    ... except upcard.study.BadStudy:
    ...     print("three players are too many")
    three players are too many
    """


@dataclass(frozen=True)
class Plan:
    game: LoadedGame
    games: int
    seed: int = 0
    players: tuple[PlayerSpec, ...] = ()
    """The search player and its opponent in the arena, or nothing."""
    search_games: int = 0
    secret: str = ""
    """Present if untrusted external players take part: see `players.seeds`."""

    @classmethod
    def of(
        cls,
        game: LoadedGame,
        games: int,
        seed: int = 0,
        players: Sequence[PlayerSpec] = (),
        search_games: int = 0,
        secret: str | None = None,
    ) -> Plan:
        """`secret` repeats an earlier study with external players; otherwise a new secret is drawn."""
        check_whole("games", games, 0)
        check_whole("the games of searching players", search_games, 0)
        check_whole("a seed", seed)
        if len(players) > 2:
            raise BadStudy(
                f"a study takes at most two players, one that searches and one to compare it with, not "
                f"{len(players)}; "
                "upcard arena compares any number"
            )
        if not players:
            return cls(game, games, seed)
        if len(players) == 1:
            players = [*players, resolve_player("random", game)]
        secret = (secret or new_secret()) if needs_secret(players) else ""
        return cls(game, games, seed, tuple(players), search_games, secret)

    def on_this_machine(self) -> Plan:
        """The plan with players that this machine can start."""
        return replace(self, players=tuple(player.on_this_machine() for player in self.players))

    @property
    def parts(self) -> tuple[Part, ...]:
        return PARTS if self.players else ("random",)

    def count(self, part: Part) -> int:
        return self.games if part == "random" else self.search_games

    def kept(self, part: Part) -> int:
        """How many random games are recorded one by one."""
        return min(self.games, KEPT) if part == "random" else self.search_games

    def piece(self, part: Part) -> int:
        return PIECE if part == "random" else 1

    @property
    def contest(self) -> Contest | None:
        """Whether skill is measured against luck, which needs an opponent."""
        if not self.players or self.game.seats < 2 or len(self.sides) < 2:
            return None
        return Contest.of(self.game, self.players, self.search_games, self.seed, secret=self.secret)

    @lazy_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The partnerships, or each seat as a side of its own."""
        return self.game.deal(self.seed, 0).teams

    @property
    def traced_games(self) -> RandomGames[Trace, TraceSums]:
        """Random games from any deal onwards."""
        return RandomGames(self.game, Traces(self.sides), self.seed)

    def no_games(self) -> TraceSums:
        """Empty sums."""
        return TraceSums(self.sides, self.highest)

    @property
    def highest(self) -> bool:
        """Whether the highest score wins."""
        return self.game.program.scoring.highest

    @property
    def title(self) -> str:
        sheet = self.game.narrator.sheet
        return sheet.title if sheet else self.game.name

    @property
    def unit(self) -> str:
        """What one run of the program is called: a deal, a hand, a game."""
        sheet = self.game.narrator.sheet
        return sheet.deal_word if sheet else "game"

    def header(self, part: str) -> Record:
        """The first line of a record. Only the same study can resume it."""
        about: Record = {"do": "study", "format": FORMAT, "part": part, **self.game.identity}
        about |= {"seed": self.seed, "games": self.games}
        if self.players:
            about["players"] = [player.name for player in self.players]
            about["files"] = [player.digest for player in self.players]
            about["search-games"] = self.search_games
        return about | self.trust

    @property
    def trust(self) -> Record:
        """The part of a record about external players; empty if there are none."""
        secret: Record = {"secret": self.secret} if self.secret else {}
        return {**secret, "trusted": True} if any(player.trusted for player in self.players) else secret

    def play(self, part: Part, start: int, end: int) -> list[Watched]:
        """Plays some deals of a part. The games do not depend on the process or on what it played before."""
        if part == "random":
            return list(random_games(self.game, self.seed, start, end))
        searching, nobody = self.players[0], None
        everywhere = part == "searching"
        seated = [searching if everywhere or seat == 0 else nobody for seat in range(self.game.seats)]
        seeds = Seeds(self.seed, self.secret)
        return [searching_game(self.game, seated, seeds, deal) for deal in range(start, end)]
