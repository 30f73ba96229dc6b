"""Reviews a deal: what each decision cost, by the values of a hint.

A mark needs a difference that is larger than its 95 % interval. Where the interval is still too wide to tell,
the two moves in question are played out in more deals; if that does not help either, there is no verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from upcard.advice.estimate import Estimate
from upcard.advice.hint import compare
from upcard.advice.move_value import Difference
from upcard.advice.playouts import QUICK, Effort
from upcard.engine.api import Move
from upcard.engine.shared.game import LoadedGame
from upcard.players.protocol import Indifferent, Player
from upcard.terminal.advice import Advice, ViewWords, advise
from upcard.terminal.seat_view import View

IN_WINNING = (0.06, 0.02, 0.005)
"""Costs in chance of winning the match from which a decision is ??, ? and ?!; as gains on the next best, !!
and !."""
IN_POINTS = (0.8, 0.3, 0.08)
"""The same in points, where there is no match."""
CLOSER = Effort(400, 30_000_000)
"""For two moves between which there is no verdict yet."""
LEGEND = (
    "??  costs much      ?   costs       ?!  costs a little",
    "!!  saves much      !   saves: the best move, clearly ahead of the next one",
    "=   as good as the best move        ~   no verdict: the error is too large",
)


@dataclass(frozen=True)
class JudgedDecision:
    """One decision: the move played, the best move, and the difference in value."""

    did: str
    best: str
    agrees: bool
    difference: Difference | None
    """By how much the best move is better; None for the best itself, or without values."""
    mark: str
    match: bool
    advice: Advice

    @property
    def line(self) -> str:
        start = f"{self.mark:<2}  {self.did}"
        if self.agrees:
            return f"{start}: the best move."
        if self.difference is None:
            return f"{start}; {self.best} was preferred, without values."
        if self.mark == "=":
            return f"{start}: as good as {self.best}."
        if self.mark == "~":
            return f"{start}: no verdict against {self.best} ({self._cost('may cost')})."
        return f"{start}: {self.best} was better ({self._cost('cost')})."

    def _cost(self, verb: str) -> str:
        assert self.difference is not None
        points, win = self.difference.points, self.difference.win
        text = f"{points.value:.2f} ±{points.half:.2f} points"
        if self.match:
            text = f"{100 * win.value:.1f} ±{100 * win.half:.1f} % of matches, {text}"
        return f"{verb} {text}"


def judge(game: LoadedGame, view: View, move: Move, advice: Advice, seed: int) -> JudgedDecision:
    """One decision by its hint, with more deals where the hint is not enough."""
    words, found = ViewWords(view), advice.hint
    did, best = words.move(move), advice.best
    if move.key == found.best.key:
        return JudgedDecision(did, best, True, None, _praise(advice), found.match, advice)
    value = found.value(move)
    if value is None or value.behind is None:
        return JudgedDecision(did, best, False, None, "", found.match, advice)
    behind = value.behind
    if not _settled(behind, found.match):
        closer = compare(game, view.observation, found.best, move, seed=seed + 1, effort=CLOSER)
        behind = closer if closer is not None else behind
    return JudgedDecision(did, best, False, behind, mark_of(behind, found.match), found.match, advice)


def counted(difference: Difference, match: bool) -> tuple[Estimate, tuple[float, float, float]]:
    """What marks go by: the chance of the match where there is one, otherwise points."""
    return (difference.win, IN_WINNING) if match else (difference.points, IN_POINTS)


def _settled(difference: Difference, match: bool) -> bool:
    """Whether the interval lies on one side of the least cost that counts."""
    cost, steps = counted(difference, match)
    return cost.low > 0 or cost.high < steps[1]


def mark_of(difference: Difference, match: bool) -> str:
    cost, steps = counted(difference, match)
    if cost.low > 0:
        marks = zip(("??", "?", "?!"), steps, strict=True)
        return next((mark for mark, step in marks if cost.value >= step), "=")
    return "=" if cost.high < steps[1] else "~"


def _praise(advice: Advice) -> str:
    """The mark for the best move, by what the next best one would have cost."""
    others = [value.behind for value in advice.hint.moves if value.behind is not None]
    if not others:
        return ""
    gains = [counted(behind, advice.hint.match) for behind in others]
    gain, steps = min(gains, key=lambda pair: pair[0].value)
    if gain.low <= 0:
        return ""
    return "!!" if gain.value >= steps[0] else "!" if gain.value >= steps[1] else ""


@dataclass(frozen=True)
class Review:
    """The judged decisions of a deal, and the lines that show them."""

    judged: tuple[JudgedDecision, ...]
    lines: tuple[str, ...]


def review(
    game: LoadedGame,
    seen: Sequence[tuple[View, Move]],
    adviser: Player | Indifferent,
    by: str,
    seed: int = 0,
    effort: Effort = QUICK,
    on_progress: Callable[[int, int], None] = lambda number, count: None,
) -> Review:
    """Judge all decisions with a choice."""
    choices = [(view, move) for view, move in seen if len(view.options) > 1]
    if not choices:
        return Review((), ("You had nothing to decide.",))
    judged = []
    for number, (view, move) in enumerate(choices, 1):
        on_progress(number, len(choices))
        advice = advise(view, game, adviser, by, seed=seed, effort=effort)
        judged.append(judge(game, view, move, advice, seed))
    lines = [f"{number:>2}  {decision.line}" for number, decision in enumerate(judged, 1)]
    return Review(tuple(judged), (*lines, "", *summary(judged), "", *LEGEND))


def summary(judged: Sequence[JudgedDecision]) -> list[str]:
    """What was lost in all, and for how many decisions there is no verdict."""
    blamed = [decision for decision in judged if "?" in decision.mark]
    unclear = sum(decision.mark == "~" for decision in judged)
    count = len(judged)
    lines = []
    if blamed:
        points = sum(d.difference.points.value for d in blamed if d.difference is not None)
        wins = sum(d.difference.win.value for d in blamed if d.difference is not None)
        lost = f"{points:.2f} points"
        if blamed[0].match:
            lost = f"{100 * wins:.1f} % of matches and {lost}"
        which = f"{len(blamed)} of your {count} decisions" if count > 1 else "Your only decision"
        lines.append(f"{which} cost something: {lost} in all.")
    else:
        which = f"None of your {count} decisions is" if count > 1 else "Your only decision is not"
        lines.append(f"{which} shown to have cost anything.")
    if unclear:
        which = "one decision" if unclear == 1 else f"{unclear} decisions"
        lines.append(f"For {which} there is no verdict.")
    return lines
