"""Small programs for the checker, and what it says of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from upcard.recycle import program as p
from upcard.recycle.frontend import Checked, check
from upcard.recycle.source import Source

DECK = "(create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)) (SUIT (H, S))))"
SCORING = "(scoring max ((current player) sto SCORE))"


def game(
    body: str, setup: str = f"(create players 4) {DECK}", declares: str = "", scoring: str = SCORING
) -> str:
    return f"(game {declares}\n(setup {setup})\n{body}\n{scoring})"


def do(*items: str) -> str:
    return f"(do ({' '.join(items)}))"


def checked(
    text: str, overrides: Mapping[str, str] | None = None, base: Literal[0, 1] | None = None
) -> Checked:
    return check(Source("x", text), overrides, base)


def errors(
    text: str, overrides: Mapping[str, str] | None = None, base: Literal[0, 1] | None = None
) -> list[str]:
    return [d.code for d in checked(text, overrides, base).errors]


def sound(text: str, overrides: Mapping[str, str] | None = None) -> p.Program:
    return checked(text, overrides).sound()[0]


def counted_from(
    body: str = "", teams: str = "", players: int = 4, base: Literal[0, 1] | None = None
) -> tuple[int, list[str]]:
    """The base that was settled on, and what was said about it."""
    made = f"(create teams {teams})" if teams else ""
    body = body or do("(turn pass)")
    result = checked(game(body, f"(create players {players}) {made} {DECK}"), base=base)
    said = [d.code for d in result.diagnostics if d.code in ("E402", "W512", "W513")]
    return result.sound()[0].base if result.program else -1, said
