"""Shows hints at the table: the values of all moves in lines, and what a played move gave up."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

from upcard.advice.estimate import Estimate
from upcard.advice.hint import Hint, hint
from upcard.advice.move_value import MoveValue, signed
from upcard.advice.playouts import QUICK, Effort
from upcard.engine.api import Move
from upcard.engine.shared.game import LoadedGame
from upcard.players.protocol import Budget, Indifferent, Player
from upcard.terminal.seat_view import View

WIDE = 60
"""Columns from which intervals are shown."""
NUMBERS, FEW_NUMBERS = 30, 17
"""Columns for the numbers beside a move, with and without intervals."""
LEAST_NAME = 12


class ViewWords:
    """Moves, cards and players as the menu and the table call them."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._texts = {option.move.key: option.text for option in view.options}

    def move(self, move: Move) -> str:
        return self._texts.get(move.key, move.text)

    def seat(self, seat: int) -> str:
        return self._view.name(seat)

    def card(self, card: str) -> str:
        return self._view.card(card)


@dataclass(frozen=True)
class Advice:
    """A hint with the words of a view."""

    hint: Hint
    view: View

    @property
    def best(self) -> str:
        """The best move in the words of the menu."""
        return ViewWords(self.view).move(self.hint.best)

    @property
    def reason(self) -> str:
        return " ".join(self.hint.reasons)

    def table(self, room: int, played: Move | None = None, ascii_only: bool = False) -> list[str]:
        """The value of every move. Long names are wrapped, never cut."""
        if not self.hint.valued:
            return []
        wide = room >= WIDE
        numbers = (NUMBERS if wide else FEW_NUMBERS) + (8 if played is not None else 0)
        longest = max(len(value.text) for value in self.hint.moves)
        width = max(LEAST_NAME, min(room - numbers - 2, longest))
        lines = []
        if wide:
            wins = "wins" if self.hint.match else "wins deal"
            lines.append(f"{'':<{width + 2}} {wins:<14} points")
        for value in self.hint.moves:
            mark = "*" if value.move.key == self.hint.best.key else " "
            name, *more = textwrap.wrap(value.text, width) or [""]
            shown = _numbers(value, ascii_only) if wide else _few_numbers(value)
            was = "  played" if played is not None and value.move.key == played.key else ""
            lines.append(f"{mark} {name:<{width}} {shown}{was}".rstrip())
            lines += [f"    {part}" for part in more]
        return lines

    def legend(self) -> str:
        """What the numbers are."""
        if not self.hint.valued:
            return ""
        seen = self.view.observation
        sides = len(seen.teams) or seen.seats
        others = "the other side" if sides == 2 else "the others' average"
        return (
            f"From {self.hint.worlds} deals of the hidden cards, in which everybody then plays like "
            f"{self.hint.model}. Points are those by which you beat {others}; ± is a 95 % interval."
        )

    def review_played(self, played: Move) -> str:
        """What a played move gives up against the best, if that is more than the error."""
        words = ViewWords(self.view)
        if played.key == self.hint.best.key:
            return f"Played: {words.move(played)}, the best move."
        value = self.hint.value(played)
        if value is None or value.behind is None:
            return f"Played: {words.move(played)}."
        behind = value.behind
        if not behind.clear_in(self.hint.match) and behind.points.low <= 0:
            return f"Played: {words.move(played)}, about as good as {self.best}."
        lost = f"{behind.points.value:.2f} ±{behind.points.half:.2f} points"
        if self.hint.match:
            win = f"{100 * behind.win.value:.1f} ±{100 * behind.win.half:.1f} % of matches"
            lost = f"{win} and {lost}"
        return f"Played: {words.move(played)}, which gives up {lost} against {self.best}."

    def to_json(self, played: Move | None = None) -> dict[str, Any]:
        return {**self.hint.to_json(played), "best": self.best}


def unbroken_lines(text: str, room: int) -> list[str]:
    """A sentence in lines; a number is not parted from its percent sign."""
    joined = text.replace(" %", "\u00a0%")
    return [line.replace("\u00a0%", " %") for line in textwrap.wrap(joined, room, break_on_hyphens=False)]


def _numbers(value: MoveValue, ascii_only: bool) -> str:
    plus_minus = "+/-" if ascii_only else "±"
    win = f"{100 * value.win.value:5.1f} %"
    win += f" {plus_minus}{100 * value.win.half:.1f}" if not value.win.certain else ""
    return f"{win:<14} {_points(value.points, plus_minus)}"


def _points(points: Estimate, plus_minus: str) -> str:
    if points.certain:
        return f"{signed(points.value):>6} certain"
    return f"{signed(points.value):>6} {plus_minus}{points.half:.2f}"


def _few_numbers(value: MoveValue) -> str:
    return f"{100 * value.win.value:4.0f} % {signed(value.points.value):>7}"


def advise(
    view: View,
    game: LoadedGame,
    adviser: Player | Indifferent,
    by: str,
    budget: Budget | None = None,
    seed: int = 0,
    effort: Effort = QUICK,
    played: Move | None = None,
) -> Advice:
    """Ask for a hint; it is given the person's observation and nothing else but the move that was played."""
    found = hint(
        game,
        view.observation,
        player=adviser,
        name=by,
        seed=seed,
        budget=budget,
        effort=effort,
        words=ViewWords(view),
        played=played,
    )
    return Advice(found, view)
