"""Reasons: what a hint says about its best move, in sentences from the deals that were played out."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.advice.decisive_cards import Fact, decisive_cards
from upcard.advice.game_advice import GameAdvice
from upcard.advice.move_value import MoveValue, Result, points_text, signed
from upcard.advice.words import Words
from upcard.engine.api import TABLE, Observation

MAX_RESULTS = 6
"""Ways for a deal to end that are listed one by one; of more, the middle and the ends are told."""
LEAST_SHARE = 0.005


def percent(share: float) -> str:
    return (
        f"{100 * share:.0f} %" if 0.0095 <= share < 0.9905 or share in (0.0, 1.0) else f"{100 * share:.1f} %"
    )


def verdict(ordered: Sequence[MoveValue], match: bool) -> str:
    """How much better the best move is, and than which."""
    best, other = ordered[0], ordered[1]
    start = _capital(best.doing)
    wins = "matches" if match else "deals"
    assert other.behind is not None
    win, points = other.behind.win, other.behind.points
    if match and win.low > 0 and win.value >= 0.0005:
        return (
            f"{start} wins {100 * best.win.value:.1f} % of {wins}, {100 * win.value:.1f} points more than "
            f"{other.doing}."
        )
    if points.low > 0 and points.value >= 0.005:
        close = f", and wins about as many {wins}" if match else ""
        more = f"{abs(points.value):.2f} more than {other.doing}"
        return f"{start} is worth {signed(best.points.value)} points, {more}{close}."
    return f"{start} is about as good as {other.doing}."


def results_sentence(value: MoveValue) -> str:
    """How often each result comes."""
    shown = [result for result in value.results if result.share >= LEAST_SHARE]
    start = _capital(value.doing)
    if len(shown) == 1:
        return f"{start}: always {shown[0].words}."
    if len(shown) <= MAX_RESULTS:
        return f"{start}: " + ", ".join(f"{percent(r.share)} {r.words}" for r in shown) + "."
    low, middle, high = (_quantile(value.results, share) for share in (0.1, 0.5, 0.9))
    return (
        f"{start}: the median is {middle} points; one deal in ten brings {low} or worse, one in ten {high} "
        "or better."
    )


def _quantile(results: Sequence[Result], share: float) -> str:
    """The result below which that share of the deals ends."""
    below = 0.0
    for result in sorted(results, key=lambda result: result.points):
        below += result.share
        if below >= share:
            return points_text(result.points)
    return points_text(results[0].points)


def fact_sentence(fact: Fact, holder: str, card: str, win: bool) -> str:
    """One decisive card."""
    who = f"{holder} holds {card}" if fact.owner != TABLE else f"nobody holds {card}"
    if win:
        return (
            f"If {who} ({percent(fact.share)} of deals), you win {percent(fact.value)} of matches, otherwise "
            f"{percent(fact.otherwise)}."
        )
    return (
        f"If {who} ({percent(fact.share)} of deals), the move is worth {signed(fact.value)} points, "
        f"otherwise {signed(fact.otherwise)}."
    )


def fact_sentences(
    observation: Observation,
    advice: GameAdvice,
    words: Words,
    best: MoveValue,
    facts: Sequence[Fact],
    win: bool,
) -> list[str]:
    sentences = []
    for fact in facts:
        name = advice.card_name(observation, best.move, fact.card) or words.card(fact.card)
        holder = "" if fact.owner == TABLE else words.seat(fact.owner)
        sentences.append(fact_sentence(fact, holder, name, win))
    return sentences


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["decisive_cards", "fact_sentences", "results_sentence", "verdict"]
