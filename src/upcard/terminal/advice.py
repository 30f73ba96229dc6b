"""Hints: the recommended move, the values of all moves, and a reason."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from upcard.engine.api import Move
from upcard.players.protocol import Budget, Decision, Indifferent, Player, Value
from upcard.terminal.canvas import fit
from upcard.terminal.seat_view import Option, View
from upcard.terminal_text import capitalize_first

CLEAR_ERRORS = 2.0
"""A difference counts if it is larger than this many of its standard errors."""


@dataclass(frozen=True)
class Advice:
    by: str
    best: Option
    valued: tuple[tuple[Option, Value], ...]
    """Best first; empty if the adviser gives no values."""
    reason: str
    guessed: bool = False
    """Whether the adviser searched without a deal that explains the observation."""

    def table(self, room: int, played: Move | None = None, ascii_only: bool = False) -> list[str]:
        """A line with the value of every option; with errors if they fit, and with the played move marked."""
        if not self.valued:
            return []
        room -= 8 if played is not None else 0
        errors, plus_minus = room >= 60, "+/-" if ascii_only else "±"
        width = max(6, min(room - (27 if errors else 18), max(len(option.text) for option, _ in self.valued)))
        lines = [f"{'':<{width + 2}} {'wins':>6}{'':>{len(plus_minus) + 6}}{'points':>7}"] if errors else []
        for option, value in self.valued:
            mark = "*" if option == self.best else " "
            text = f"{mark} {fit(option.text, width, True):<{width}} {100 * value.win:5.1f}%"
            if errors:
                text += f" {plus_minus}{100 * value.win_error:<4.1f}"
                text += f" {value.points:+6.2f} {plus_minus}{value.error:.2f}"
            else:
                text += f" {value.points:+.2f} pt"
            lines.append(f"{text}  played" if option.move == played else text)
        return lines

    def review_played(self, played: Move, options: tuple[Option, ...]) -> str:
        """One sentence on the played move: what it gives up against the best, if that is more than chance."""
        option = next((option for option in options if option.move == played), None)
        if option is None or option == self.best:
            return f"Played: {self.best.text}, as the {self.by} player would."
        values = {option.move.key: value for option, value in self.valued}
        mine, best = values.get(option.move.key), values.get(self.best.move.key)
        if mine is None or best is None:
            return f"Played: {option.text}."
        win, win_error = difference(best.win, best.win_error, mine.win, mine.win_error)
        points, points_error = difference(best.points, best.error, mine.points, mine.error)
        if win <= CLEAR_ERRORS * win_error and points <= CLEAR_ERRORS * points_error:
            return f"Played: {option.text}; too close to {self.best.text} to call."
        return (
            f"Played: {option.text}, which gives up {100 * win:.1f}% ±{100 * win_error:.1f} to win and "
            f"{points:.2f} ±{points_error:.2f} points against {self.best.text}."
        )

    def to_json(self, played: Move | None = None) -> dict[str, Any]:
        return {
            "by": self.by,
            "best": self.best.text,
            "reason": self.reason,
            "guessed": self.guessed,
            "moves": [
                {
                    "move": option.text,
                    "key": option.move.key,
                    "played": option.move == played,
                    "win": value.win,
                    "win_error": value.win_error,
                    "points": value.points,
                    "points_error": value.error,
                    "visits": value.visits,
                }
                for option, value in self.valued
            ],
        }


def advise(view: View, adviser: Player | Indifferent, by: str, budget: Budget | None = None) -> Advice:
    """Ask the adviser, which is given the person's observation and nothing else."""
    if len(view.options) == 1:
        only = view.options[0]
        return Advice(by, only, (), f"{capitalize_first(only.text)}: there is nothing else to do.")
    if isinstance(adviser, Indifferent):
        first = view.options[0]
        return Advice(
            by,
            first,
            (),
            f"The {by} player has no opinion, so there is no hint; any choice is as good to it.",
        )
    decision = adviser.choose(view.observation, budget or Budget())
    return _advice(view, decision, by)


def _advice(view: View, decision: Decision, by: str) -> Advice:
    options = {option.move.key: option for option in view.options}
    best = options.get(decision.move.key, view.options[0])
    valued = [(options[value.move.key], value) for value in decision.values if value.move.key in options]
    valued.sort(key=lambda pair: (pair[0] != best, -worth(pair[1], decision.values), pair[0].number))
    if len(valued) < 2:
        return Advice(
            by,
            best,
            tuple(valued),
            f"The {by} player would choose: {best.text}. It gives no values.",
            decision.guessed,
        )
    text = reason(valued[0], valued[1], view.observation.match is not None)
    return Advice(by, best, tuple(valued), text, decision.guessed)


def worth(value: Value, among: tuple[Value, ...]) -> float:
    """The value to compare by: the chance of winning, or points where all chances are equal."""
    return value.win if win_rates_differ(among) else value.points


def win_rates_differ(values: tuple[Value, ...]) -> bool:
    return len({value.win for value in values}) > 1


def reason(best: tuple[Option, Value], next_best: tuple[Option, Value], match: bool) -> str:
    """One sentence: how much better than which alternative, and whether that is more than chance."""
    (option, value), (other, runner_up) = best, next_best
    what = "the match" if match else "the deal"
    wins, wins_error = difference(value.win, value.win_error, runner_up.win, runner_up.win_error)
    points, points_error = difference(value.points, value.error, runner_up.points, runner_up.error)
    start = capitalize_first(option.text)
    if wins > CLEAR_ERRORS * wins_error and wins >= 0.0005:
        return (
            f"{start} wins {what} {100 * value.win:.1f}% of the time, {100 * wins:.1f} more in a hundred "
            f"than the next best, {other.text}."
        )
    if points > CLEAR_ERRORS * points_error and points >= 0.005:
        return (
            f"{start} is worth {value.points:+.2f} points, {points:.2f} more than the next best, "
            f"{other.text}; the chance of winning {what} is much the same."
        )
    return (
        f"{start} and {other.text} are about as good: {100 * value.win:.1f}% and "
        f"{100 * runner_up.win:.1f}% to win {what}, closer than the error of the estimate."
    )


def difference(one: float, one_error: float, other: float, other_error: float) -> tuple[float, float]:
    """A difference and its standard error, as if both values were independent."""
    return one - other, math.hypot(one_error, other_error)
