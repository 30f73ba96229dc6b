"""Solves a game: iterations of an algorithm, the average strategy, and how far from an equilibrium it is."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from time import perf_counter
from typing import Any

from upcard.arguments import BadArgument
from upcard.engine.native.kernels.language import signed
from upcard.engine.rng import Stream
from upcard.players.strategy_file import ALGORITHMS
from upcard.solve.game_tree import GameTree
from upcard.solve.regret_update import CFR_PLUS, DCFR, PCFR_PLUS, Problem, Seat
from upcard.solve.sampled_walk import Walk
from upcard.solve.sequence_form import SeatForm, sequence_form
from upcard.solve.solve_code import solve_code

SAMPLING = "mccfr"
_NUMBERS = {"cfr+": CFR_PLUS, "dcfr": DCFR, "pcfr+": PCFR_PLUS, SAMPLING: -1}
CHUNK_SECONDS = 0.1
"""Machine code returns this often, so that Ctrl-C is heard."""

COLUMNS = ("regrets", "last", "strategy", "plan", "total", "average", "mean", "worth")
KEPT = ("regrets", "last", "total")
"""Columns from which the others follow: what a file needs to go on."""


@dataclass(frozen=True)
class Measured:
    """How good the average strategy is."""

    iterations: int
    value: tuple[float, ...]
    """What each seat gets if all play the average strategy."""
    best: tuple[float, ...]
    """What each seat gets at best against the average strategies of the others."""

    @property
    def gains(self) -> tuple[float, ...]:
        """What each seat could gain by leaving its strategy; never below 0 but by rounding."""
        return tuple(best - value for best, value in zip(self.best, self.value, strict=True))

    @property
    def exploitability(self) -> float:
        """The mean gain of the seats. 0 is an equilibrium."""
        return sum(self.gains) / len(self.gains)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between what the first of two seats gets in every equilibrium; None for another number of seats."""
        if len(self.value) != 2:
            return None
        return -self.best[1], self.best[0]


class Equilibrium:
    """An average strategy that comes nearer to an equilibrium with every iteration.

    In games of two seats it converges to one; in games of more seats it need not, and `Measured.gains`
    says what each seat could still gain.
    """

    def __init__(self, tree: GameTree, algorithm: str = "pcfr+", seed: int = 0, kernels: Any = None) -> None:
        if algorithm not in ALGORITHMS:
            raise BadArgument(f"there is no algorithm {algorithm}; choose from {', '.join(ALGORITHMS)}")
        if algorithm == SAMPLING and tree.seats < 2:
            raise BadArgument("mccfr samples the other seats, and this game has none; choose pcfr+")
        self.tree = tree
        self.algorithm = algorithm
        self.seed = seed
        self.form = sequence_form(tree)
        self._kernels = solve_code() if kernels is None else kernels
        self.columns = [_columns(form) for form in self.form.seats]
        self.responses = [array("d", bytes(8 * len(form.sets))) for form in self.form.seats]
        self._problem = Problem.pack(
            seats=tree.seats,
            algorithm=_NUMBERS[algorithm],
            iterations=0,
            forms=[_packed(*one) for one in zip(self.form.seats, self.columns, self.responses, strict=True)],
        )
        self._seats = [self._problem.forms[seat] for seat in range(tree.seats)]
        stream = Stream((seed,))
        self._stream = array("q", map(signed, stream.state))
        self._room = array("d", bytes(8 * _longest(tree)))
        self._walk = self._packed_walk()

    @property
    def iterations(self) -> int:
        return int(self._problem.iterations)

    # --- iterations ----------------------------------------------------------------------------

    def run(self, iterations: int) -> Iterator[int]:
        """Does iterations, and yields how many were just done, every tenth of a second or so.

        An iteration updates every seat once: with `mccfr` on a sampled part of the tree, otherwise on all
        of it.
        """
        sampling = self.algorithm == SAMPLING
        chunk, left = 1, iterations
        while left > 0:
            now = min(chunk, left)
            started = perf_counter()
            if sampling:
                self._kernels.sample(self._walk, now)
            else:
                self._kernels.iterate(self._problem, now)
            taken = perf_counter() - started
            left -= now
            if taken < CHUNK_SECONDS / 2:
                chunk *= 2
            elif taken > CHUNK_SECONDS:
                chunk = max(1, chunk // 2)
            yield now

    def measure(self) -> Measured:
        """The average strategy against best responses."""
        for seat in self._seats:
            self._kernels.set_average(seat)
        return self._measured()

    def _measured(self) -> Measured:
        seats = range(self.tree.seats)
        return Measured(
            self.iterations,
            tuple(self._kernels.expected_payoff(self._problem, seat) for seat in seats),
            tuple(self._kernels.best_response(self._problem, seat) for seat in seats),
        )

    # --- strategies ----------------------------------------------------------------------------

    def strategy(self) -> list[list[float]]:
        """For each information set of the tree the probabilities of its actions, on average."""
        for seat in self._seats:
            self._kernels.set_average(seat)
        made = []
        for number, one in enumerate(self.tree.information_sets):
            first = self.form.first_sequence(number)
            made.append(list(self.columns[one.seat]["average"][first : first + len(one.actions)]))
        return made

    def measure_strategy(self, strategy: Sequence[Sequence[float]]) -> Measured:
        """A given strategy, with probabilities for every information set, against best responses."""
        for number, (one, shares) in enumerate(zip(self.tree.information_sets, strategy, strict=True)):
            first = self.form.first_sequence(number)
            for action, share in enumerate(shares):
                self.columns[one.seat]["average"][first + action] = share
        for seat in self._seats:
            self._kernels.set_mean(seat)
        return self._measured()

    def reach(self) -> list[float]:
        """For each information set how likely its own seat comes there by its average strategy."""
        for seat in self._seats:
            self._kernels.set_average(seat)
        made = []
        for number, one in enumerate(self.tree.information_sets):
            parent = self.form.seats[one.seat].parent[self.form.numbers[number]]
            made.append(self.columns[one.seat]["mean"][parent])
        return made

    # --- going on later ------------------------------------------------------------------------

    def progress(self) -> dict[str, Any]:
        """What is needed to go on: plain data."""
        return {
            "iterations": self.iterations,
            "stream": list(self._stream),
            "seats": [{name: list(columns[name]) for name in KEPT} for columns in self.columns],
        }

    def resume(self, progress: dict[str, Any]) -> None:
        """Goes on from what `progress` gave for the same game and algorithm."""
        for columns, kept in zip(self.columns, progress["seats"], strict=True):
            for name in KEPT:
                if len(kept[name]) != len(columns[name]):
                    raise BadArgument("this progress is of another game")
                columns[name][:] = array("d", kept[name])
        self._stream[:] = array("q", progress["stream"])
        self._problem.iterations = progress["iterations"]
        ahead = self.algorithm == "pcfr+"
        for form, columns in zip(self.form.seats, self.columns, strict=True):
            _restore_plan(form, columns, ahead)

    # --- memory --------------------------------------------------------------------------------

    def _packed_walk(self) -> Walk:
        tree = self.tree
        address = _address
        return Walk.pack(
            problem=self._problem,
            seat=address(tree.seat),
            place=address(tree.at),
            first=address(tree.first),
            count=address(tree.count),
            probability=address(tree.probability),
            payoffs=address(tree.payoffs),
            number=address(self.form.numbers),
            values=address(self._room),
            stream=address(self._stream),
        )


def _address(column: array[Any]) -> int:
    return column.buffer_info()[0]


def _columns(form: SeatForm) -> dict[str, array[float]]:
    columns = {name: array("d", bytes(8 * form.sequences)) for name in COLUMNS}
    _restore_plan(form, columns, ahead=False)
    return columns


def _restore_plan(form: SeatForm, columns: dict[str, array[float]], ahead: bool) -> None:
    """The strategy that regrets lead to, and its plan."""
    strategy, plan = columns["strategy"], columns["plan"]
    plan[0] = 1.0
    for number, parent in enumerate(form.parent):
        begin, end = form.first[number], form.first[number + 1]
        wanted = [
            max(regret + (last if ahead else 0.0), 0.0)
            for regret, last in zip(columns["regrets"][begin:end], columns["last"][begin:end], strict=True)
        ]
        # added and multiplied as the kernel does, so that going on gives the same bits
        total = 0.0
        for one in wanted:
            total += one
        scale = 1.0 / total if total > 0.0 else 0.0
        for s, one in enumerate(wanted, begin):
            strategy[s] = one * scale if total > 0.0 else 1.0 / (end - begin)
            plan[s] = plan[parent] * strategy[s]


def _packed(form: SeatForm, columns: dict[str, array[float]], response: array[float]) -> Seat:
    address = _address
    return Seat.pack(
        sets=len(form.sets),
        sequences=form.sequences,
        first=address(form.first),
        parent=address(form.parent),
        rows=address(form.rows),
        others=address(form.others),
        payoffs=address(form.payoffs),
        response=address(response),
        **{name: address(columns[name]) for name in COLUMNS},
    )


def _longest(tree: GameTree) -> int:
    """The most actions on one path: room for their values."""
    actions = array("q", [0]) * tree.nodes
    for node in range(tree.nodes):
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            actions[child] = actions[node] + tree.count[node]
    return max(accumulate(actions, max), default=0) + 1


def checkpoints(done: int) -> Iterator[int]:
    """The iterations after which the average strategy is measured: about eight in each doubling.

    They do not depend on the speed of the machine, so neither does where a run with a target stops.
    """
    while True:
        done += max(1, 1 << max(done.bit_length() - 4, 0))
        yield done
