"""A match between players given by name, class or object, deal after deal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.arguments import BadArgument, check_instance, check_whole, list_of
from upcard.engine.api import ENDINGS, Ending, IllegalMove, Limits, Move, Observation, Record
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.engine.state import State
from upcard.match import match_play
from upcard.match.match_play import DEALS_A_MATCH, Participant, Table
from upcard.match.seats import side_of
from upcard.players.player_argument import PlayerLike, as_player
from upcard.players.spec import PlayerSpec


@dataclass(frozen=True)
class DealResult:
    """The result of one finished deal of a match.

    >>> match = upcard.Match("kuhn-poker", ["random", "random"], seed=1)
    >>> match.play_deal().number
    0
    """

    number: int
    """The number of the deal in the match, from 0."""
    ending: Ending
    """How it ended."""
    scores: tuple[int, ...]
    """What the program scored for each person."""
    points: tuple[int, ...]
    """What the deal was worth to each side."""
    totals: tuple[int, ...]
    """The sides' totals after it."""


class Match:
    """A match that is being played: deals until a side has won, with the deal passing round.

    Persons are numbered by their seats in the first deal and keep these numbers. Later they change seats, so
    person 0 need not sit in seat 0, but partners stay partners. A side is a partnership, or a person alone.

    `players` has a player for every seat, or one for every side. A player is a spec such as "expert" or
    "mine.py:Mine", a class with `choose(observation, budget)`, an object of one, or None for a person whose
    moves are given with `decide`. Classes and objects run in your own process. `to` is the target, by default
    the game's own, `names` are the names of the persons, `limits` says when to stop a deal that goes on too
    long. The same arguments give the same match, except with a budget in seconds or a player from a file or
    program; `number` tells matches of one seed apart.

    Wrong arguments raise `BadArgument`, unknown players `NoSuchPlayer` or `BadPlayer`. A deal that fails
    because of an error in the program raises `MatchOver`.

    >>> match = upcard.Match("euchre", ["simple", "random"], seed=1, to=3)
    >>> for deal in match:
    ...     print(deal.points, deal.totals)
    (0, 1) (0, 1)
    (2, 0) (2, 1)
    (2, 0) (4, 1)
    >>> match
    <Match of euchre, seed 1: over after 3 deals, South and North won 4 to 1>
    """

    def __init__(
        self,
        game: Game | str | os.PathLike[str],
        players: Sequence[PlayerLike | None],
        *,
        seed: int = 0,
        number: int = 0,
        to: int | None = None,
        names: Sequence[str] | None = None,
        limits: Limits | None = None,
    ) -> None:
        check_whole("a seed", seed)
        check_whole("the number of a match", number, 0)
        if to is not None:
            check_whole("to", to, 1)
        if limits is not None:
            check_instance("limits", limits, Limits)
        self.game: Game = as_game(game)
        """The game that is played."""
        self._records: list[Record] = []
        table = _table(as_game(self.game), players, names, limits).to(to)
        self._match = match_play.Match(table, seed, number, on_record=self._records.append)

    # --- where the match stands ----------------------------------------------------------------

    @property
    def seed(self) -> int:
        """The seed of the match."""
        return self._match.seed

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the persons."""
        return tuple(self._match.table.names)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The persons of each side."""
        return self._match.table.sides

    @property
    def scores(self) -> tuple[int, ...]:
        """The total of each side."""
        return tuple(self._match.board.totals)

    @property
    def deals(self) -> tuple[DealResult, ...]:
        """The deals that are over."""
        return tuple(_deal_result(number, line) for number, line in enumerate(self._match.outcomes))

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._match.over

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning sides: more than one if the match is tied, none before it is over."""
        return tuple(self._match.winners)

    @property
    def state(self) -> State | None:
        """A copy of the deal in progress; None when the match is over."""
        return None if self._match.state is None else self._match.state.copy()

    @property
    def to_move(self) -> int | None:
        """The person whose decision it is; None when the match is over."""
        return self._match.to_move

    @property
    def observation(self) -> Observation | None:
        """What the person to move may know, with the standing of the match; None when the match is over."""
        state = self._match.state
        if state is None or state.to_move is None:
            return None
        return state.observe(state.to_move, self._match.around())

    @property
    def records(self) -> tuple[Record, ...]:
        """The record of the match so far: a header, deals, decisions and results."""
        return tuple(self._records)

    # --- playing -------------------------------------------------------------------------------

    def step(self) -> None:
        """Plays one decision by the player to move.

        Raises `Misbehaved` if the player raises an exception or names no legal move, and `BadArgument` when
        the match is over or the decision is given with `decide`.

        >>> match = upcard.Match("euchre", ["simple", "random"], seed=1)
        >>> match.step()
        >>> match.state.decisions
        1
        """
        self._check_going_on()
        person = self._match.to_move
        assert person is not None, "somebody decides while a match goes on"
        if self._match.table.participants[person].make is None:
            raise BadArgument(f"{self.names[person]} has no player; give the move with decide")
        self._match.step()

    def decide(self, move: Move | int) -> None:
        """Plays a move for the person to move. Raises `IllegalMove` as `State.play` does.

        >>> match = upcard.Match("euchre", [None, "random"], seed=1)
        >>> match.decide(match.observation.moves[0])
        >>> match.to_move
        1
        """
        if self.over:
            raise IllegalMove("the match is over")
        self._match.decide(move)

    def play_deal(self) -> DealResult:
        """Plays to the end of the deal in progress, and gives its result. Raises as `step` does.

        >>> match = upcard.Match("euchre", ["simple", "random"], seed=1)
        >>> match.play_deal().totals
        (0, 1)
        """
        self._check_going_on()
        number = len(self._match.outcomes)
        while len(self._match.outcomes) == number:
            self.step()
        return self.deals[number]

    def play(self) -> Match:
        """Plays to the end of the match, and gives the match itself. Raises as `step` does.

        >>> upcard.Match("euchre", ["simple", "random"], seed=1).play().winners
        (0,)
        """
        while not self.over:
            self.step()
        return self

    def __iter__(self) -> Iterator[DealResult]:
        """Plays deal after deal to the end of the match."""
        while not self.over:
            yield self.play_deal()

    def _check_going_on(self) -> None:
        if self.over:
            raise BadArgument("the match is over; make another one, with another seed or number")

    def __repr__(self) -> str:
        sides = [" and ".join(self.names[person] for person in side) for side in self.sides]
        about = f"<Match of {self.game.name}, seed {self.seed}: "
        count = len(self._match.outcomes)
        if not self.over:
            standing = ", ".join(f"{side} {score}" for side, score in zip(sides, self.scores, strict=True))
            return f"{about}deal {count}, {standing}>"
        over = f"{about}over after {count} deal{'s' if count != 1 else ''}"
        winners = " and ".join(sides[side] for side in self.winners)
        best_first = sorted(self.scores, reverse=self._match.board.highest)
        won = "won" if count < DEALS_A_MATCH else "led"
        return f"{over}, {winners} {won} {' to '.join(map(str, best_first))}>"


def _deal_result(number: int, line: Record) -> DealResult:
    (ending,) = (ending for ending in ENDINGS if ending == line["ending"])
    values: list[Any] = [tuple(line[key]) for key in ("scores", "points", "totals")]
    return DealResult(number, ending, *values)


def _checked_names(names: object, seats: int) -> Sequence[str]:
    expected = f"a list of {seats} names"
    given = list_of("names", names, expected)
    found = [name for name in given if isinstance(name, str)]
    if len(given) != seats or len(found) != seats:
        raise BadArgument(f"names is {expected}, not {names!r:.60}")
    return found


def _table(game: Any, players: object, names: object, limits: Limits | None) -> Table:
    nobody = [Participant(game.narrator.seat(seat), "") for seat in range(game.seats)]
    empty = Table.of(game, nobody, limits=limits)
    seats, sides = game.seats, len(empty.sides)
    if isinstance(players, str) or not isinstance(players, Sequence) or len(players) not in (seats, sides):
        either = f"{seats} players" if seats == sides else f"{seats} players, or {sides}, one for each side"
        raise BadArgument(f"{game.name} is played by a list of {either}, not by {players!r:.60}")
    specs = [None if player is None else as_player(player, game) for player in players]
    people = []
    for person, name in enumerate(empty.names if names is None else _checked_names(names, seats)):
        place = person if len(specs) == seats else side_of(person, empty.sides)
        spec: PlayerSpec | None = specs[place]
        made = Participant(name, "") if spec is None else Participant(name, spec.name, spec.make, spec.budget)
        people.append(made)
    table = Table.of(game, people, limits=limits)
    return table.of_players([spec for spec in specs if spec is not None])
