"""The edge of a seat: what dealing is worth, and why a match takes it away again.

A program always deals from the same seat, the last one. In a match the deal goes round the table, so an edge
of one deal is no edge of the game: over a full round of deals every side has each place equally often.
"""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.shared.game import LoadedGame
from upcard.stats.interval_text import percent
from upcard.stats.intervals import Interval
from upcard.study.statistics import Counted


@dataclass(frozen=True)
class DealerEdge:
    seat: str
    named: bool
    """Whether the sheet's phrases call this seat the dealer."""
    unit: str
    partners: bool
    sides: int
    share: Interval
    """Of deals that this seat's side wins."""

    @property
    def winner(self) -> str:
        """`the dealer`, `the dealer's side`, `the last seat`."""
        whose = "the dealer" if self.named else "the last seat"
        return f"{whose}'s side" if self.partners else whose

    @property
    def sentence(self) -> str:
        each = "side" if self.partners else "player"
        all_deals = f"both {self.unit}s" if self.sides == 2 else f"a full round of {self.unit}s"
        more = "more" if (self.share.mean or 0.0) > 1 / self.sides else "less"
        place = "deals" if self.named else "has the last seat in"
        return (
            f"{self.seat} {place} every {self.unit} here, and {self.winner} wins {percent(self.share)} of "
            f"them, {more} than an equal share of {100 / self.sides:.0f} %; in a match the deal passes on, "
            f"so over {all_deals} no {each} has an edge"
        )


def dealer_edge(game: LoadedGame, seen: Counted) -> DealerEdge | None:
    """None where a match is a single deal, or where no edge can be told from chance."""
    sheet = game.narrator.sheet
    if sheet is None or len(seen.sides) < 2 or (sheet.match.to is None and sheet.match.deals < 2):
        return None
    seat = game.seats - 1
    side = next(number for number, members in enumerate(seen.sides) if seat in members)
    share, due = seen.first_place(side), 1 / len(seen.sides)
    if share.low is None or share.high is None or share.low <= due <= share.high:
        return None
    name = game.narrator.seat(seat)
    named = any(phrase.do == "shuffle" and name in phrase.tell.split() for phrase in sheet.phrases)
    partners = any(len(members) > 1 for members in seen.sides)
    return DealerEdge(name, named, sheet.deal_word, partners, len(seen.sides), share)
