"""Reviews a deal: what each decision cost compared with the expert's choice.

??  costs much    ?  costs    ?!  costs a little    !  the one good choice    !!  the one that saves much
A decision is blamed only where its cost is more than twice the error of the estimate, and praised only where
an everyday player would have done otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from upcard.engine.api import Move, Observation, Record
from upcard.match.match_play import Match, Table
from upcard.players.protocol import Budget, Decision, Indifferent, Player, Value
from upcard.terminal.advice import CLEAR_ERRORS, difference, win_rates_differ
from upcard.terminal.recorded_decision import shown_move
from upcard.terminal.seat_view import View

IN_WINNING = (0.06, 0.02, 0.005)
"""Costs in chance of winning from which a decision is ??, ? and ?!; as gains on the next best, !! and !."""
IN_POINTS = (0.8, 0.3, 0.08)
"""The same in points, where chances of winning say nothing."""


@dataclass(frozen=True)
class JudgedDecision:
    """One decision: the move played, the expert's move, and the difference in value."""

    did: str
    expert: str
    agrees: bool
    points: float
    points_error: float
    win: float
    win_error: float
    mark: str
    valued: bool = True
    """Whether the expert values the alternatives."""

    @property
    def line(self) -> str:
        if self.agrees:
            return f"{self.mark:<2}  {self.did}: as the expert would."
        if not self.valued:
            return f"    {self.did}: the expert would {self.expert}."
        if not self.mark:
            return f"    {self.did}: the expert would {self.expert}; too close to call."
        win = f"{100 * self.win:.1f}% ±{100 * self.win_error:.1f} to win"
        cost = f"{win}, {self.points:.2f} ±{self.points_error:.2f} points"
        return f"{self.mark:<2}  {self.did}: the expert would {self.expert}; cost {cost}."


def decisions(
    table: Table, lines: Sequence[Record], person: int, deal: int
) -> Iterator[tuple[Observation, Move]]:
    """A person's observation and move at each decision of one deal, by replaying the record."""
    silent = replace(table, participants=tuple(replace(p, make=None) for p in table.participants))
    until = [line for line in lines if line["do"] == "decision"]
    match = Match(silent, int(lines[0]["seed"]), int(lines[0]["match"]))
    for line in until:
        if match.board.deals > deal or match.over:
            return
        move = Move(line["item"], tuple(line["picks"]), line["copy"])
        if match.board.deals == deal and match.to_move == person:
            assert match.state is not None
            seen = match.state.observe(match.seating.seat(person), match.around())
            shown = shown_move(match.state, move)
            assert shown is not None
            yield seen, shown
        match.decide(move)


def judge(view: View, move: Move, decision: Decision, usual: Move | None = None) -> JudgedDecision:
    """One decision against the expert's values; `usual` is what an everyday player would have done."""
    texts = {option.move.key: option.text for option in view.options}
    values = {value.move.key: value for value in decision.values}
    did, wanted = texts.get(move.key, move.text), texts.get(decision.move.key, decision.move.text)
    mine, best = values.get(move.key), values.get(decision.move.key)
    if mine is None or best is None:
        return JudgedDecision(did, wanted, move.key == decision.move.key, 0.0, 0.0, 0.0, 0.0, "", False)
    if move.key == decision.move.key:
        plain = usual is not None and usual.key == move.key
        return JudgedDecision(
            did, wanted, True, 0.0, 0.0, 0.0, 0.0, "" if plain else _praise(best, decision.values)
        )
    points, points_error = difference(best.points, best.error, mine.points, mine.error)
    win, win_error = difference(best.win, best.win_error, mine.win, mine.win_error)
    if win_rates_differ(decision.values):
        mark = _blame(win, win_error, IN_WINNING)
    else:
        mark = _blame(points, points_error, IN_POINTS)
    return JudgedDecision(did, wanted, False, points, points_error, win, win_error, mark)


def _blame(cost: float, error: float, steps: tuple[float, float, float]) -> str:
    if cost <= CLEAR_ERRORS * error:
        return ""
    return next((mark for mark, step in zip(("??", "?", "?!"), steps, strict=True) if cost >= step), "")


def _praise(best: Value, values: Sequence[Value]) -> str:
    """The mark for a good choice, by what the next best one would have cost."""
    others = [value for value in values if value.move.key != best.move.key]
    if not others:
        return ""
    if win_rates_differ(tuple(values)):
        nearest = max(others, key=lambda value: value.win)
        gain, error = difference(best.win, best.win_error, nearest.win, nearest.win_error)
        steps = IN_WINNING
    else:
        nearest = max(others, key=lambda value: value.points)
        gain, error = difference(best.points, best.error, nearest.points, nearest.error)
        steps = IN_POINTS
    if gain <= CLEAR_ERRORS * error:
        return ""
    return "!!" if gain >= steps[0] else "!" if gain >= steps[1] else ""


def review(
    seen: Sequence[tuple[View, Move]],
    adviser: Player | Indifferent,
    by: str,
    everyday: Player | Indifferent | None = None,
) -> list[str]:
    """The lines of a review. Decisions without a choice are left out."""
    choices = [(view, move) for view, move in seen if len(view.options) > 1]
    if not choices:
        return ["You had nothing to decide."]
    if isinstance(adviser, Indifferent):
        return [f"The {by} player has no opinion, so there is nothing to review by."]
    judged = []
    for view, move in choices:
        usual = everyday.choose(view.observation, Budget()).move if isinstance(everyday, Player) else None
        judged.append(judge(view, move, adviser.choose(view.observation, Budget()), usual))
    lines = [f"{number:>2}  {decision.line}" for number, decision in enumerate(judged, 1)]
    blamed = [decision for decision in judged if "?" in decision.mark]
    if any(decision.valued for decision in judged):
        total = sum(decision.win for decision in blamed)
        points = sum(decision.points for decision in blamed)
        summed = f"{100 * total:.1f}% to win and {points:.2f} points in all"
        what = f"{len(blamed)} of your {len(judged)} decisions cost something: {summed}."
        none = f"None of your {len(judged)} decisions cost more than the error of the estimate allows to say."
        lines += ["", what if blamed else none]
    else:
        agreed = sum(decision.agrees for decision in judged)
        lines += ["", f"The {by} player gives no values; it agrees with {agreed} of {len(judged)} decisions."]
    return lines
