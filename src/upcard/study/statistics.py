"""Statistics of a study, each with a 95 % interval over games.

Figures of one game are averaged over games. The spread is a mean over decisions, so its interval is that of a
ratio: sums of games over their numbers of decisions. Games that failed count among the endings and nowhere
else. Partners are one side: a side wins, ties are between sides, and fairness and order are of the side of
the first seat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.lazy import lazy_property
from upcard.simulate.trace_sums import Sides, TraceSums
from upcard.stats.intervals import Interval, interval, interval_of, of_shares, share_interval, student
from upcard.study.convergence import narrowing
from upcard.study.game_log import Watched
from upcard.study.heuristics import (
    Played,
    drama_of,
    fairness,
    mean,
    normalised,
    order,
    resampled,
    security_of,
)

SURE = 0.8
"""A winner's estimate above this counts as the game being decided."""


@dataclass(frozen=True)
class Counted:
    """The games of one part by their sums: every statistic that needs no single games."""

    sums: TraceSums

    @property
    def sides(self) -> Sides:
        return self.sums.sides

    @property
    def seats(self) -> int:
        return sum(len(side) for side in self.sides)

    @property
    def played(self) -> int:
        """The number of games, including failed ones."""
        return self.sums.games

    @property
    def endings(self) -> dict[str, int]:
        return {word: count for word, count in sorted(self.sums.ends.items()) if count}

    # --- length and choices --------------------------------------------------------------------

    @property
    def lengths(self) -> dict[int, int]:
        """The number of games of each length, shortest first."""
        return {decisions: sums[0] for decisions, sums in sorted(self.sums.lengths.items())}

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and largest number of decisions in a game."""
        return min(self.sums.lengths), max(self.sums.lengths)

    def length_bars(self, most: int) -> tuple[int, dict[int, int]]:
        """Lengths put together into at most so many bars: how many lengths a bar has, and how many games by
        the lowest length of their bar. Few games have fewer bars."""
        low, high = self.ends
        bars = min(most, max(8, int(2 * math.sqrt(self.sums.scored))))
        width = max(1, math.ceil((high - low + 1) / bars))
        counts: dict[int, int] = {}
        for length, count in self.lengths.items():
            first = low + (length - low) // width * width
            counts[first] = counts.get(first, 0) + count
        return width, counts

    @property
    def length(self) -> Interval:
        return interval_of(self.sums.decisions)

    @property
    def choices(self) -> Interval:
        """Choices per decision, averaged within each game."""
        return interval_of(self.sums.branching)

    @property
    def forced(self) -> Interval:
        """The share of forced decisions in each game."""
        return interval_of(self.sums.forced_share)

    @property
    def convergence(self) -> Interval:
        found = interval_of(self.sums.slope)
        mean, low, high = (
            None if slope is None else narrowing(slope) for slope in (found.mean, found.high, found.low)
        )
        return Interval(found.count, mean, low, high)

    # --- results -------------------------------------------------------------------------------

    @property
    def ties(self) -> Interval:
        """The share of games won by more than one side."""
        return of_shares(interval_of(self.sums.ties))

    def first_place(self, side: int) -> Interval:
        """The share of games that a side wins; sides that tie for first share the win."""
        return of_shares(interval_of(self.sums.first_share(side)))

    def won(self, side: int) -> Interval:
        """The share of games in which a side is first, alone or with others."""
        return of_shares(interval_of(self.sums.won(side)))

    def score(self, seat: int) -> Interval:
        return interval_of(self.sums.scores[seat].tally.spread)

    @property
    def first_side(self) -> int:
        return next(number for number, side in enumerate(self.sides) if 0 in side)

    @property
    def fairness(self) -> Interval:
        """Highest where the first side wins its fair share, so an interval around that share reaches up to
        1."""
        share, sides = self.first_place(self.first_side), len(self.sides)
        if share.mean is None or sides < 2:
            return Interval(share.count, None, None, None)
        value = fairness(share.mean, sides)
        if share.low is None or share.high is None:
            return Interval(share.count, value, None, None)
        ends = fairness(share.low, sides), fairness(share.high, sides)
        due = share.low <= 1 / sides <= share.high
        return Interval(share.count, value, min(ends), 1.0 if due else max(ends))

    @property
    def order(self) -> Interval:
        """Order, from games with a search player in the first seat and random players elsewhere. A tie counts
        as a win, as in the publication: its figures are multiples of 1/100 even where every other game is
        tied."""
        share, sides = self.won(self.first_side), len(self.sides)
        if sides < 2:
            return Interval(share.count, None, None, None)
        low, middle, high = (
            None if end is None else order(end, sides) for end in (share.low, share.mean, share.high)
        )
        return Interval(share.count, middle, low, high)


@dataclass(frozen=True)
class Seen(Counted):
    """The games of one part that were recorded one by one, with the estimates of search players."""

    games: Sequence[Watched]

    @classmethod
    def of(cls, games: Sequence[Watched], sides: Sides, highest: bool) -> Seen:
        return cls(summed(games, sides, highest), games)

    @property
    def highest(self) -> bool:
        return self.sums.highest

    @property
    def scored(self) -> list[Watched]:
        return [game for game in self.games if game.scores is not None]

    @property
    def spread(self) -> Interval:
        """The mean over forced decisions and all decisions whose mover gave estimates."""
        told = [[one for one in game.spreads if one is not None] for game in self.scored]
        return within(ratio_interval([math.fsum(game) for game in told], [len(game) for game in told]))

    @lazy_property
    def histories(self) -> list[Played]:
        """Of games with any leads at all: of sides, since partners end alike."""
        found = [history_of(game, self.sides, self.highest) for game in self.scored]
        return [one for one in found if one.leads]

    @property
    def drama(self) -> Interval:
        return within(interval([drama_of(game) for game in self.histories] if len(self.sides) > 1 else []))

    @property
    def security(self) -> Interval:
        rivals = len(self.sides) > 1
        return share_interval([security_of(game) for game in self.histories] if rivals else [])

    @property
    def decisiveness(self) -> Interval:
        found = [decisiveness_of(game, self.sides, self.highest) for game in self.scored]
        return share_interval([one for one in found if one is not None])

    def paths(self) -> list[list[list[float]]]:
        """For each final place and game, the side's estimates at 101 evenly spaced points of the game."""
        lines: list[list[list[float]]] = [[] for _ in self.sides]
        for game in self.histories:
            sides = range(len(self.sides))
            places = sorted(sides, key=lambda side: (game.ranks[side], side))
            for place, side in enumerate(places):
                ended = normalised(game.ranks[side], len(self.sides))
                lines[place].append(resampled([*game.history(side), ended]))
        return lines

    @property
    def made_up(self) -> bool:
        """Whether no lead distinguishes two other seats: the player then reported only its own chances
        (`leads`)."""
        side_of = {seat: side for side in self.sides for seat in side}
        told = False
        for game in self.scored:
            for mover, lead in zip(game.seats, game.leads, strict=False):
                if lead is not None:
                    told = True
                    others = {lead[seat] for seat in side_of if side_of[seat] != side_of[mover]}
                    if len(others) > 1:
                        return False
        return told and len(self.sides) > 2

    def relative_spreads(self) -> list[float]:
        """The spread relative to the largest of its game, at 101 evenly spaced points of the game."""
        found = []
        for game in self.scored:
            told = [one for one in game.spreads if one is not None]
            largest = max(told, default=0.0)
            if largest > 0:
                found.append(resampled([one / largest for one in told]))
        return [mean(column) for column in zip(*found, strict=True)]


def summed(games: Sequence[Watched], sides: Sides, highest: bool) -> TraceSums:
    made = TraceSums(sides, highest)
    for game in games:
        made.add(game.trace, game.deal)
    return made


def within(found: Interval) -> Interval:
    """The interval of a figure that lies between 0 and 1 by its definition."""
    if found.low is None or found.high is None:
        return found
    return Interval(found.count, found.mean, max(0.0, found.low), min(1.0, found.high))


def history_of(game: Watched, sides: Sides, highest: bool) -> Played:
    """A game's leads and ranks, of sides instead of seats."""
    leads = [by_side(lead, sides) for lead in game.leads if lead is not None]
    return Played(leads, side_ranks(game, sides, highest))


def side_ranks(game: Watched, sides: Sides, highest: bool) -> list[int]:
    """Per side the number of sides ahead of it."""
    ranks = game.ranks(highest)
    best = [min(ranks[seat] for seat in side) for side in sides]
    return [sum(other < one for other in best) for one in best]


def by_side(lead: Sequence[float], sides: Sides) -> list[float]:
    """The normalised rank of every side, from those of seats.

    A losing side's seats are not last among the seats: their partners are not ahead of them. Among sides they
    are, so the scale is stretched until it reaches from 1 for the first side to 0 for the last."""
    seats = len(lead)
    found = []
    for side in sides:
        if len(side) == 1 and len(sides) == seats:
            found.append(lead[side[0]])
            continue
        own, rivals = mean([lead[seat] for seat in side]), seats - len(side)
        behind = (1 - own) * (seats - 1) / rivals if rivals else 0.0
        found.append(min(1.0, max(0.0, 1 - behind)))
    return found


def decisiveness_of(game: Watched, sides: Sides, highest: bool) -> float | None:
    """The share of a winner's decisions before it first considered itself almost certain to win; near 0 is
    early. A winner that never did counts all its decisions but the last. None if no winner gave estimates."""
    found = []
    for number, (side, rank) in enumerate(zip(sides, side_ranks(game, sides, highest), strict=True)):
        own = [
            by_side(lead, sides)[number]
            for mover, lead in zip(game.seats, game.leads, strict=False)
            if mover in side and lead is not None
        ]
        if rank == 0 and own:
            first = next((n for n, value in enumerate(own) if value > SURE), len(own) - 1)
            found.append(first / len(own))
    return mean(found) if found else None


def ratio_interval(tops: Sequence[float], bottoms: Sequence[float]) -> Interval:
    """An interval for sum(tops) / sum(bottoms), with one pair per game."""
    n, whole = len(tops), math.fsum(bottoms)
    if n == 0 or whole == 0:
        return Interval(n, None, None, None)
    value = math.fsum(tops) / whole
    if n == 1:
        return Interval(n, value, None, None)
    squares = math.fsum((top - value * bottom) ** 2 for top, bottom in zip(tops, bottoms, strict=True))
    half = student(n - 1) * math.sqrt(squares / (n - 1) / n) / (whole / n)
    return Interval(n, value, value - half, value + half)


# --- rounds --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rounds:
    """The mean number of choices in each round, for the leader and for the followers."""

    games: int
    leader: list[float]
    followers: list[float]

    @property
    def differ(self) -> bool:
        """Whether leading differs from simply deciding first."""
        pairs = zip(self.leader, self.followers, strict=True)
        return any(abs(one - other) > 1e-9 for one, other in pairs)


def rounds_of(games: Sequence[Watched]) -> Rounds | None:
    """From the games whose rounds are known; None without two rounds that have followers. Rounds reached by
    fewer than half of the games are left out."""
    watched = [game for game in games if game.rounds]
    leading: dict[int, list[int]] = {}
    following: dict[int, list[int]] = {}
    for game in watched:
        begun = set[int]()
        for number, offered in zip(game.rounds, game.choices, strict=True):
            if number:
                (following if number in begun else leading).setdefault(number, []).append(offered)
                begun.add(number)
    last = 0
    while 2 * len(leading.get(last + 1, ())) >= max(1, len(watched)) and last + 1 in following:
        last += 1
    if last < 2:
        return None
    numbers = range(1, last + 1)
    return Rounds(len(watched), [mean(leading[n]) for n in numbers], [mean(following[n]) for n in numbers])
