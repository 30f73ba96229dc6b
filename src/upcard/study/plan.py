"""Plan of a study: everything that its games depend on.

| part | games | who plays | for |
| --- | --- | --- | --- |
| random | `games` | random players | choices, fairness, length, scores |
| searching | `search_games` | the first player named, in every seat | spread, drama, security, trend |
| order | `search_games` | the same in the first seat, random players in the others | order |
| skill | `search_games` deals | two players on duplicate deals, in the arena | skill against luck |

The last three only where a player is named. Against whom the arena sets it is the second player named, else
a random one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
"""Of the record."""

Part: TypeAlias = Literal["random", "searching", "order"]
PARTS: tuple[Part, ...] = ("random", "searching", "order")

KEPT = 100
"""Random games that are kept one by one, with the rounds in them; of those behind them there are sums."""
PIECE = 20
"""Of these, how many are played at a time; of searching players' games it is one."""


class BadStudy(Refused):
    """A study that cannot be made."""


@dataclass(frozen=True)
class Plan:
    game: LoadedGame
    games: int
    seed: int = 0
    players: tuple[PlayerSpec, ...] = ()
    """Nobody; or who searches, and whom it is compared with."""
    search_games: int = 0
    secret: str = ""
    """Where external players take part that are not trusted: see `players.seeds`."""

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
        """`secret` repeats a study with external players, which draws a new one otherwise."""
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

    @property
    def parts(self) -> tuple[Part, ...]:
        return PARTS if self.players else ("random",)

    def count(self, part: Part) -> int:
        return self.games if part == "random" else self.search_games

    def kept(self, part: Part) -> int:
        """How many of them are kept one by one."""
        return min(self.games, KEPT) if part == "random" else self.search_games

    def piece(self, part: Part) -> int:
        return PIECE if part == "random" else 1

    @property
    def contest(self) -> Contest | None:
        """Skill against luck needs somebody to play against."""
        if not self.players or self.game.seats < 2 or len(self.sides) < 2:
            return None
        return Contest.of(self.game, self.players, self.search_games, self.seed, secret=self.secret)

    @lazy_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Partnerships, or each seat for itself."""
        return self.game.deal(self.seed, 0).teams

    @property
    def traced_games(self) -> RandomGames[Trace, TraceSums]:
        """Random games from any deal on."""
        return RandomGames(self.game, Traces(self.sides), self.seed)

    def no_games(self) -> TraceSums:
        """Sums to add to."""
        return TraceSums(self.sides, self.highest)

    @property
    def highest(self) -> bool:
        """Whether more points are better."""
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
        """The first line of a record: whoever goes on with it must be making the same study."""
        about: Record = {"do": "study", "format": FORMAT, "part": part, **self.game.identity}
        about |= {"seed": self.seed, "games": self.games}
        if self.players:
            about["players"] = [player.name for player in self.players]
            about["files"] = [player.digest for player in self.players]
            about["search-games"] = self.search_games
        return about | self.trust

    @property
    def trust(self) -> Record:
        """What a record says about external players; nothing where there are none."""
        secret: Record = {"secret": self.secret} if self.secret else {}
        return {**secret, "trusted": True} if any(player.trusted for player in self.players) else secret

    def play(self, part: Part, start: int, end: int) -> list[Watched]:
        """Some deals of a part: the same games whoever plays them and after whatever else."""
        if part == "random":
            return list(random_games(self.game, self.seed, start, end))
        searching, nobody = self.players[0], None
        everywhere = part == "searching"
        seated = [searching if everywhere or seat == 0 else nobody for seat in range(self.game.seats)]
        seeds = Seeds(self.seed, self.secret)
        return [searching_game(self.game, seated, seeds, deal) for deal in range(start, end)]
