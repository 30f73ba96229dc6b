"""How a game narrows: the number of choices against the decision number.

The *convergence* of a game is (1 - b) / 2, where b is the slope of the least-squares line through the number
of choices at decisions 1, 2, ...; one half is flat, more is narrowing. Forced decisions count like others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from upcard.analysis.running import Running
from upcard.engine.contract import ENDINGS, Ending, Limits, rank
from upcard.engine.native.backends.choosing import NoMachineCode
from upcard.engine.shared.game import LoadedGame
from upcard.players import UniformPlayer


class Line(NamedTuple):
    """One game of random players, decision by decision."""

    ending: Ending
    seats: tuple[int, ...]
    choices: tuple[int, ...]
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]


def lines(
    game: LoadedGame, games: int, seed: int, limits: Limits | None = None, first: int = 0
) -> Iterator[Line]:
    """Games in deal order, from a deal on: in machine code where the program is taken, else by the reference
    engine.

    Both play the same games; `simulating` plays them too, but keeps sums only.
    """
    if game.engine == "native":
        try:
            return native_lines(game, games, seed, limits, first)
        except NoMachineCode:
            pass
    return reference_lines(game, games, seed, limits, first)


def native_lines(
    game: LoadedGame, games: int, seed: int, limits: Limits | None = None, first: int = 0
) -> Iterator[Line]:
    """Raises `NoMachineCode` where there is none for this program or on this machine."""
    from upcard.engine.native.compiled import Compiled
    from upcard.engine.native.decisions import walks
    from upcard.engine.native.game import NativeGame

    # a native game keeps its code, however many stretches of games are played
    if isinstance(game, NativeGame):
        compiled = game.playing
    else:
        compiled = Compiled(game.program, game.facts, logging=False)

    def converted() -> Iterator[Line]:
        for walked in walks(compiled, games, seed, limits or Limits(), first):
            ending = ENDINGS[walked.ending - 1]
            scores = None if ending == "failed" else walked.scores
            yield Line(ending, walked.seats, walked.choices, scores, _winners(game, scores))

    return converted()


def reference_lines(
    game: LoadedGame, games: int, seed: int, limits: Limits | None = None, first: int = 0
) -> Iterator[Line]:
    for deal in range(first, first + games):
        state = game.deal(seed, deal, limits=limits or Limits(), recording=False)
        players = [UniformPlayer(seed, deal, seat) for seat in range(game.seats)]
        seats, choices = [], []
        while (seat := state.to_move) is not None:
            seats.append(seat)
            choices.append(state.choices)
            state.play(players[seat].pick(state.choices))
        assert state.outcome is not None
        scores = state.outcome.scores
        yield Line(state.outcome.ending, tuple(seats), tuple(choices), scores, _winners(game, scores))


def _winners(game: LoadedGame, scores: tuple[int, ...] | None) -> tuple[int, ...]:
    ranks = rank(scores, game.program.scoring.highest) if scores else ()
    return tuple(seat for seat, place in enumerate(ranks) if place == 0)


def slope(choices: Sequence[int]) -> float:
    """Of the least-squares line through the points (1, first), (2, second), ...; flat below two points."""
    n = len(choices)
    if n < 2:
        return 0.0
    # sums of whole numbers are exact, so the result depends on neither the order nor the machine
    weighted = sum(x * y for x, y in enumerate(choices, 1))
    total = sum(choices)
    return (12 * weighted - 6 * (n + 1) * total) / (n * (n * n - 1))


def convergence(choices: Sequence[int]) -> float:
    """Of one game."""
    return (1 - slope(choices)) / 2


@dataclass
class Narrowing:
    """What many games come to."""

    convergence: Running = field(default_factory=Running)
    decisions: Running = field(default_factory=Running)
    branching: Running = field(default_factory=Running)
    """Choices per decision, a number for each game."""
    least: int | None = None
    most: int | None = None
    """The fewest and the most choices that any decision offered."""
    first_seat: Running = field(default_factory=Running)
    """How often nobody was ahead of the first seat: partners and ties are first together."""

    def add(self, line: Line) -> None:
        self.convergence.add(convergence(line.choices))
        self.decisions.add(len(line.choices))
        if line.choices:
            self.branching.add(sum(line.choices) / len(line.choices))
            low, high = min(line.choices), max(line.choices)
            self.least = low if self.least is None else min(self.least, low)
            self.most = high if self.most is None else max(self.most, high)
        if line.winners:
            self.first_seat.add(float(0 in line.winners))

    @classmethod
    def of(cls, game: LoadedGame, games: int, seed: int) -> Narrowing:
        made = cls()
        for line in lines(game, games, seed):
            made.add(line)
        return made
