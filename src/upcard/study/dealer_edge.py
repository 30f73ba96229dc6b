"""The dealer's edge: what dealing is worth, and why a match takes it away again.

A program always deals from the same seat. In a match the deal goes round the table, so an edge of one deal is no
edge of the game: over a full round of deals every side has each place equally often.
"""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.shared.game import LoadedGame
from upcard.stats.interval_text import percent
from upcard.stats.intervals import Interval
from upcard.study.statistics import Counted


@dataclass(frozen=True)
class DealerEdge:
    dealer: str
    unit: str
    partners: bool
    sides: int
    share: Interval
    """Of deals that the dealer's side wins."""

    @property
    def sentence(self) -> str:
        whose = "the dealer's side" if self.partners else "the dealer"
        each = "side" if self.partners else "player"
        round_of = f"both {self.unit}s" if self.sides == 2 else f"a full round of {self.unit}s"
        better = (self.share.mean or 0.0) > 1 / self.sides
        return (
            f"{self.dealer} deals every {self.unit} here, and {whose} wins {percent(self.share)} of them, "
            f"{'more' if better else 'less'} than an equal share of {100 / self.sides:.0f} %; in a match the deal "
            f"passes on, so over {round_of} no {each} has an edge"
        )


def dealing_seat(game: LoadedGame) -> int | None:
    """The last seat, if the sheet's phrases say that it deals."""
    sheet = game.narrator.sheet
    last = game.narrator.seat(game.seats - 1)
    phrases = sheet.phrases if sheet else ()
    deals = any(phrase.do == "shuffle" and last in phrase.tell.split() for phrase in phrases)
    return game.seats - 1 if deals else None


def dealer_edge(game: LoadedGame, seen: Counted) -> DealerEdge | None:
    """None where nobody deals, where a match is a single deal, or where no edge can be told."""
    seat, sheet = dealing_seat(game), game.narrator.sheet
    if seat is None or sheet is None or len(seen.sides) < 2:
        return None
    if sheet.match.to is None and sheet.match.deals < 2:
        return None
    side = next(number for number, members in enumerate(seen.sides) if seat in members)
    share, due = seen.first_place(side), 1 / len(seen.sides)
    if share.low is None or share.high is None or share.low <= due <= share.high:
        return None
    partners = any(len(members) > 1 for members in seen.sides)
    return DealerEdge(game.narrator.seat(seat), sheet.deal_word, partners, len(seen.sides), share)
