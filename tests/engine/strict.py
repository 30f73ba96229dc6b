"""Programs that count all their work, with little allowed: engines must fail at the same form, if at all."""

from __future__ import annotations

from dataclasses import replace

from upcard.engine.reference import ReferenceGame
from upcard.recycle.work import WorkLimits, work_of


def strict(game: ReferenceGame, most: int) -> ReferenceGame:
    """The same game, in which every form counts that can, and more than `most` units of work are too much."""
    return limited(game, WorkLimits(most, free=0, free_listing=0, free_cards=0))


def limited(game: ReferenceGame, limits: WorkLimits) -> ReferenceGame:
    """The same game with other limits on work."""
    facts = game.facts
    cards = facts.most_cards if facts.cards_at_most is None else facts.cards_at_most
    return ReferenceGame(game.name, game.program, replace(facts, work=work_of(game.program, cards, limits)))
