"""Plays one game of a contest and makes its line of the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias

from upcard.arena.contest import Contest
from upcard.arena.schedule import Sitting
from upcard.engine.api import Record, rank
from upcard.files.decode import Mismatch, Range
from upcard.library.sheet import MAX_DEALS
from upcard.match.match_play import Match, MatchOver, Participant, Table
from upcard.match.seats import side_of
from upcard.players.guard import Clock, Guarded, Misbehaved
from upcard.players.protocol import Indifferent
from upcard.players.seeds import Seeds

Count: TypeAlias = Annotated[int, Range(0)]


@dataclass(frozen=True)
class Forfeit:
    """The player that could not continue, when, and why."""

    player: Count
    place: Count
    seat: Count
    dealt: Annotated[int, Range(1)]
    decision: Count
    why: str


@dataclass(frozen=True)
class Game:
    """The result of one game, place by place."""

    index: int
    deal: int
    """The number of the deal, or of the match."""
    group: int
    players: tuple[int, ...]
    """The player at each place."""
    points: tuple[float, ...] | None
    """Points of a deal for each place; in a match, the mean of its deals. None: forfeited."""
    shares: tuple[Annotated[float, Range(0, 1)], ...]
    """Shares of the win: players that tie divide it, and a player that forfeits gets nothing."""
    scores: tuple[int, ...]
    """Per seat; in a match, the totals per place. Empty when forfeited."""
    ending: Literal["finished", "stuck", "cut_off", "won", "shared", "unfinished", "forfeit"]
    """The engine's word for a deal; won, shared or unfinished for a match; or forfeit."""
    dealt: Annotated[int, Range(1, MAX_DEALS)]
    """The number of deals."""
    decisions: tuple[Count, ...]
    seconds: tuple[Annotated[float, Range(0)], ...]
    """Thinking time at each place, the only part that differs from run to run."""
    guessed: tuple[Count, ...]
    """Decisions at each place without a consistent history."""
    forfeit: Forfeit | None = None

    def to_json(self) -> Record:
        return {"do": "game", **asdict(self)}

    def check(self, contest: Contest, index: int) -> None:
        """Raises `Mismatch` unless this can be game `index` of a contest."""
        deal, sitting = contest.schedule.game(index)
        for key, expected in (("index", index), ("deal", deal), ("group", sitting.group)):
            if getattr(self, key) != expected:
                raise Mismatch(f"must be {expected} in game {index} of this contest", key)
        if self.players != sitting.players:
            raise Mismatch(f"must be {list(sitting.players)} in game {index} of this contest", "players")
        places = len(sitting.players)
        for key in ("points", "shares", "decisions", "seconds", "guessed"):
            values = getattr(self, key)
            if values is not None and len(values) != places:
                raise Mismatch(f"must be a list of {places}, one for each place", key)
        if self.forfeit is None:
            self._check_played(places if contest.matches else contest.table.game.seats)
        else:
            self._check_forfeit(self.forfeit, contest)

    def _check_played(self, scores: int) -> None:
        if self.ending == "forfeit":
            raise Mismatch("is missing, but the game ended with one", "forfeit")
        if self.points is None:
            raise Mismatch("must be a list, since no player forfeited", "points")
        if len(self.scores) != scores:
            raise Mismatch(f"must be a list of {scores}", "scores")

    def _check_forfeit(self, forfeit: Forfeit, contest: Contest) -> None:
        if self.ending != "forfeit":
            raise Mismatch('must be "forfeit", since a player forfeited', "ending")
        if self.points is not None:
            raise Mismatch("must be null, since a player forfeited", "points")
        if self.scores:
            raise Mismatch("must be empty, since a player forfeited", "scores")
        if forfeit.place >= len(self.players):
            raise Mismatch(f"must be less than {len(self.players)}", "forfeit", "place")
        if forfeit.player != self.players[forfeit.place]:
            raise Mismatch(
                f"must be the player who sat there, {self.players[forfeit.place]}", "forfeit", "player"
            )
        if forfeit.seat >= contest.table.game.seats:
            raise Mismatch(f"must be less than {contest.table.game.seats}", "forfeit", "seat")


def play(contest: Contest, index: int) -> Game:
    """Play game `index` of a contest. The result does not depend on the process or on earlier games."""
    deal, sitting = contest.schedule.game(index)
    clocks = [Clock() for _ in sitting.players]
    with _seated(contest, sitting, clocks).sitting() as table:
        try:
            result = (_match if contest.matches else _deal)(contest, table, deal)
        except _Forfeit as forfeit:
            result = _forfeited(table, forfeit, sitting)
    return Game(
        index=index,
        deal=deal,
        group=sitting.group,
        players=sitting.players,
        decisions=tuple(clock.decisions for clock in clocks),
        seconds=tuple(round(clock.seconds, 6) for clock in clocks),
        guessed=tuple(clock.guessed for clock in clocks),
        **result,
    )


class _Forfeit(Exception):
    def __init__(self, error: Misbehaved, person: int, seat: int, dealt: int, decision: int) -> None:
        self.why, self.person, self.seat, self.dealt, self.decision = error.why, person, seat, dealt, decision


def _seated(contest: Contest, sitting: Sitting, clocks: Sequence[Clock]) -> Table:
    table = contest.table
    people = []
    for person, name in enumerate(table.names):
        place = side_of(person, table.sides)
        player = contest.players[sitting.players[place]]
        make = Guarded(player.name, player.make, clocks[place])
        people.append(Participant(name, player.name, make, player.budget))
    return replace(table, participants=tuple(people))


def _deal(contest: Contest, table: Table, number: int) -> dict[str, Any]:
    """Play a single deal."""
    seeds = Seeds(contest.seed, table.secret)
    makers = [participant.make for participant in table.participants]
    players = [make(*seeds.player(number, seat)) for seat, make in enumerate(makers) if make is not None]
    blind = all(isinstance(player, Indifferent) for player in players)
    state = table.game.deal(
        *seeds.deal(number),
        limits=table.limits,
        recording=not blind,
        given=table.game.given_outside_a_match(number),
    )
    while (seat := state.to_move) is not None:
        player = players[seat]
        try:
            if isinstance(player, Indifferent):
                state.play(player.pick(state.choices))
            else:
                budget = table.participants[seat].budget
                state.play(player.choose(state.observe(seat), budget).move)
        except Misbehaved as error:
            raise _Forfeit(error, seat, seat, 1, state.decisions) from None
    outcome = state.outcome
    assert outcome is not None
    if outcome.scores is None:
        raise MatchOver.by(outcome.failure, f"deal {number} of seed {contest.seed}")
    points = table.board().points(outcome.scores)
    return {
        "points": tuple(float(more) for more in points),
        "shares": _shares(points, table),
        "scores": outcome.scores,
        "ending": outcome.ending,
        "dealt": 1,
    }


def _match(contest: Contest, table: Table, number: int) -> dict[str, Any]:
    match = Match(table, contest.seed, number)
    while not match.over:
        try:
            match.step()
        except Misbehaved as error:
            assert match.state is not None
            assert match.to_move is not None
            person = match.to_move
            seat = match.seating.seat(person)
            decision = match.state.decisions
            raise _Forfeit(error, person, seat, match.board.deals + 1, decision) from None
    board, winners = match.board, match.winners
    sums = [sum(line["points"][side] for line in match.outcomes) for side in range(len(table.sides))]
    ending = "unfinished" if not board.over else "won" if len(winners) == 1 else "shared"
    return {
        "points": tuple(points / board.deals for points in sums),
        "shares": tuple(1 / len(winners) if side in winners else 0.0 for side in range(len(sums))),
        "scores": tuple(board.totals),
        "ending": ending,
        "dealt": board.deals,
    }


def _shares(points: Sequence[int], table: Table) -> tuple[float, ...]:
    ranks = rank(points, table.game.program.scoring.highest)
    return tuple(1 / ranks.count(0) if mine == 0 else 0.0 for mine in ranks)


def _forfeited(table: Table, forfeit: _Forfeit, sitting: Sitting) -> dict[str, Any]:
    """A forfeit has no points yet: they depend on the other games (`results`)."""
    at_fault = side_of(forfeit.person, table.sides)
    player = sitting.players[at_fault]
    others = sum(who != player for who in sitting.players)
    return {
        "points": None,
        "shares": tuple(0.0 if who == player else 1 / others for who in sitting.players),
        "scores": (),
        "ending": "forfeit",
        "dealt": forfeit.dealt,
        "forfeit": Forfeit(player, at_fault, forfeit.seat, forfeit.dealt, forfeit.decision, forfeit.why),
    }
