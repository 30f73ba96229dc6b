"""Match equity: the probability of winning the match from any score.

A match is a Markov chain over standings: the totals, whose turn it is to deal, and the deals left where their
number is fixed. Each standing is solved once, after its successors; standings that lead back to each other (a
deal that adds nothing, scores that can fall) are solved together. Tallies through a match, such as bags, are
not modelled: include their average cost in the points of a deal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from upcard.library.match_rules import add_points, is_over, leaders
from upcard.library.sheet import MatchRules
from upcard.recycle.diagnostics import Refused

Points: TypeAlias = tuple[int, ...]
"""What a deal adds to each side."""
Distribution: TypeAlias = Mapping[Points, float]

MAX_STANDINGS = 100_000
SOLVED_AT_ONCE = 24
"""Components up to this size are solved by elimination, larger ones by iteration."""
CLOSE_ENOUGH = 1e-13
MAX_ROUNDS = 100_000
DEEPEST = 2
"""Where scores have no lower bound, they are cut off this many targets below zero."""


class TooManyScores(Refused):
    """A match with more standings than a table can hold."""


class Standing(NamedTuple):
    totals: Points
    turn: int
    left: int
    """Deals to come, where their number is fixed."""


class Worth(NamedTuple):
    """The value of a standing."""

    win: tuple[float, ...]
    """Each side's probability of winning the match; a shared win counts in parts."""
    deals: float
    """Expected number of further deals."""


class _Transition(NamedTuple):
    """A transition by one deal: to another standing, or to the end of the match with its shares."""

    chance: float
    to: Standing | None
    end: tuple[float, ...]


class MatchEquity:
    """Each side's probability of winning from any score: solved on demand, then looked up."""

    def __init__(self, rules: MatchRules, turns: Sequence[Distribution], highest: bool = True) -> None:
        """`turns` are the distributions of a deal's points, by turn to deal: deal n is of turn n %
        len(turns)."""
        if not turns or any(not math.isclose(sum(turn.values()), 1, abs_tol=1e-6) for turn in turns):
            raise ValueError("what a deal adds has chances that add up to 1, for each turn to deal")
        self.rules, self.highest = rules, highest
        self._turns = [tuple((points, p) for points, p in turn.items() if p > 0) for turn in turns]
        self.sides = len(self._turns[0][0][0])
        worst = min(more for turn in self._turns for points, _ in turn for more in points)
        self._ceiling = None if rules.to is None else rules.to + max(0, -worst)
        open_below = worst < 0 and rules.down is None and rules.to is not None
        self._floor = -DEEPEST * max(1, abs(rules.to or 0)) if open_below else None
        self._table: dict[Standing, Worth] = {}

    def win(self, totals: Sequence[int], deal: int = 0) -> tuple[float, ...]:
        """Each side's chance when deal number `deal` is about to be dealt at this score."""
        return self.worth(totals, deal).win

    def worth(self, totals: Sequence[int], deal: int = 0) -> Worth:
        given = tuple(totals)
        if is_over(self.rules, given, deal, self.highest):
            return Worth(self._shares(given), 0.0)
        left = 0 if self.rules.to is not None else max(0, self.rules.deals - deal)
        standing = Standing(self._canonical(given), deal % len(self._turns), left)
        if standing not in self._table:
            self._solve(standing)
        return self._table[standing]

    # --- one deal --------------------------------------------------------------------------------

    def _shares(self, totals: Points) -> tuple[float, ...]:
        best = leaders(totals, self.highest)
        return tuple(1 / len(best) if side in best else 0.0 for side in range(self.sides))

    def _canonical(self, totals: Points) -> Points:
        """An equivalent score, so that there are finitely many standings."""
        if self._ceiling is None:  # a fixed number of deals: only differences matter
            return tuple(total - max(totals) for total in totals)
        if max(totals) > self._ceiling:  # a tie beyond the target is played on, and it stays beyond
            totals = tuple(total - max(totals) + self._ceiling for total in totals)
        if self._floor is not None:
            totals = tuple(max(total, self._floor) for total in totals)
        return totals

    def _transitions(self, standing: Standing) -> list[_Transition]:
        found: dict[tuple[Standing | None, tuple[float, ...]], float] = {}
        left = max(0, standing.left - 1)
        dealt = self.rules.deals - left if self.rules.to is None else 0
        turn = (standing.turn + 1) % len(self._turns)
        for points, chance in self._turns[standing.turn]:
            totals = tuple(
                add_points(self.rules, total, more)
                for total, more in zip(standing.totals, points, strict=True)
            )
            over = is_over(self.rules, totals, dealt, self.highest)
            to = None if over else Standing(self._canonical(totals), turn, left)
            transition = to, self._shares(totals) if over else ()
            found[transition] = found.get(transition, 0.0) + chance
        return [_Transition(chance, to, end) for (to, end), chance in found.items()]

    # --- solving ---------------------------------------------------------------------------------

    def _solve(self, start: Standing) -> None:
        for component, transitions in self._components(start):
            for standing, worth in zip(component, self._worths(component, transitions), strict=True):
                self._table[standing] = worth

    def _components(
        self, start: Standing
    ) -> Iterator[tuple[list[Standing], dict[Standing, list[_Transition]]]]:
        """Strongly connected standings with their transitions, successors first (Tarjan, without
        recursion)."""
        transitions: dict[Standing, list[_Transition]] = {start: self._transitions(start)}
        index, low = {start: 0}, {start: 0}
        path, waiting = [start], [(start, iter(transitions[start]))]
        on_path, before = {start}, len(self._table)
        while waiting:
            standing, rest = waiting[-1]
            for transition in rest:
                to = transition.to
                if to is None or to in self._table:
                    continue
                if to in index:
                    if to in on_path:
                        low[standing] = min(low[standing], index[to])
                    continue
                if before + len(index) >= MAX_STANDINGS:
                    raise TooManyScores(
                        f"this match has more than {MAX_STANDINGS:,} standings, too many for a table of "
                        "chances; use a lower target, or points in larger steps"
                    )
                transitions[to] = self._transitions(to)
                index[to] = low[to] = len(index)
                path.append(to)
                on_path.add(to)
                waiting.append((to, iter(transitions[to])))
                break
            else:
                waiting.pop()
                if waiting:
                    above = waiting[-1][0]
                    low[above] = min(low[above], low[standing])
                if low[standing] == index[standing]:
                    at = _last(path, standing)
                    component = path[at:]
                    del path[at:]
                    on_path.difference_update(component)
                    yield component, {member: transitions.pop(member) for member in component}

    def _worths(
        self, component: list[Standing], transitions: Mapping[Standing, list[_Transition]]
    ) -> list[Worth]:
        """Solves x = known + inside * x, where `inside` are the transitions within the component."""
        number = {standing: n for n, standing in enumerate(component)}
        known: list[list[float]] = []
        stays: list[dict[int, float]] = []
        for standing in component:
            sums, inside = [0.0] * self.sides + [1.0], {}
            for chance, to, end in transitions[standing]:
                if to in number:
                    assert to is not None
                    inside[number[to]] = chance
                    continue
                worth = (*self._table[to].win, self._table[to].deals) if to is not None else (*end, 0.0)
                sums = [so_far + chance * more for so_far, more in zip(sums, worth, strict=True)]
            known.append(sums)
            stays.append(inside)
        if len(component) == 1 and not stays[0]:
            return [_worth(known[0])]
        if all(math.isclose(sum(inside.values()), 1, abs_tol=1e-9) for inside in stays):
            return [Worth((0.0,) * self.sides, math.inf) for _ in component]
        solve = _eliminate if len(component) <= SOLVED_AT_ONCE else _iterate
        return [_worth(row) for row in solve(known, stays)]


def _last(path: list[Standing], standing: Standing) -> int:
    at = len(path) - 1
    while path[at] != standing:
        at -= 1
    return at


def _worth(row: Sequence[float]) -> Worth:
    return Worth(tuple(row[:-1]), row[-1])


def _eliminate(known: list[list[float]], stays: list[dict[int, float]]) -> list[list[float]]:
    """Solves x = known + stays * x by elimination. The rows of `stays` sum to less than 1, so no pivot is
    0."""
    n = len(known)
    rows = [[float(i == j) - stays[i].get(j, 0.0) for j in range(n)] + known[i] for i in range(n)]
    for i in range(n):
        best = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                factor = rows[r][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [row[n:] for row in rows]


def _iterate(known: list[list[float]], stays: list[dict[int, float]]) -> list[list[float]]:
    """The same by iteration (Gauss-Seidel)."""
    found = [list(row) for row in known]
    for _ in range(MAX_ROUNDS):
        change = 0.0
        for i, row in enumerate(known):
            own = 1 - stays[i].get(i, 0.0)
            for k, value in enumerate(row):
                fresh = (value + sum(p * found[j][k] for j, p in stays[i].items() if j != i)) / own
                change = max(change, abs(fresh - found[i][k]) / max(1.0, abs(fresh)))
                found[i][k] = fresh
        if change < CLOSE_ENOUGH:
            break
    return found


# --- what a deal adds ----------------------------------------------------------------------------


def turns_by_dealer(
    own: Mapping[int, float], others: Mapping[int, float], first: int = 1
) -> list[Distribution]:
    """For two sides that deal in turn: probabilities of points for the dealing side and for the other.

    With the remaining probability nobody scores. `first` is the side that deals first: the last seat's in
    a match, which is 1.
    """
    nothing = 1 - sum(own.values()) - sum(others.values())
    turns: list[Distribution] = []
    for dealer in (first, 1 - first):
        deal: dict[Points, float] = {(0, 0): max(0.0, nothing)}
        for side, scored in ((dealer, own), (1 - dealer, others)):
            deal |= {((more, 0) if side == 0 else (0, more)): chance for more, chance in scored.items()}
        turns.append(deal)
    return turns


def turns_from_deals(deals: Iterable[tuple[int, Sequence[int]]], turns: int) -> list[Distribution]:
    """Distributions from played deals: each deal's number in the match and its points for each side."""
    counted: list[Counter[Points]] = [Counter() for _ in range(turns)]
    for number, points in deals:
        counted[number % turns][tuple(points)] += 1
    if not all(counted):
        raise ValueError("every turn to deal must have been seen")
    return [{points: n / deal.total() for points, n in deal.items()} for deal in counted]
