"""A decision of Euchre's auction from a hand, the turned card, a seat and a score, for `upcard hint`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from upcard.engine.api import Observation
from upcard.engine.shared.game import LoadedGame
from upcard.euchre.stacked_deals import deal, match_around, moves_by_word, parse_card, parse_cards
from upcard.recycle.diagnostics import Refused

EXAMPLE = "upcard hint euchre --hand JS,JC,AS,KS,9H --up TS --seat dealer"
SEAT_NAMES = {
    **{str(seat + 1): seat for seat in range(4)},
    **dict(zip(("first", "second", "third", "fourth"), range(4), strict=True)),
    "eldest": 0,
    "partner": 1,
    "dealer": 3,
}
"""From 1, left of the dealer, to 4, the dealer."""


def position(game: LoadedGame, options: Mapping[str, str | None]) -> tuple[Observation, str]:
    """What the seat sees when everybody before it has passed, and which round it is.

    `options` are `hand`, `up` or `down`, `seat`, and, if wanted, `score` and `to`."""
    hand, up, down, seat = (options.get(name) for name in ("hand", "up", "down", "seat"))
    if hand is None or seat is None or (up is None) == (down is None):
        missing = "--hand" if hand is None else "--seat" if seat is None else "one of --up and --down"
        raise Refused(f"a Euchre hand needs {missing}, as in {EXAMPLE}")
    if seat.lower() not in SEAT_NAMES:
        raise Refused(
            f"--seat must be 1 (left of the dealer) to 4, first, second, third or dealer, not {seat[:20]}"
        )
    turned, place = parse_card(up or down or ""), SEAT_NAMES[seat.lower()]
    own, others = _score(options.get("score"))
    to = options.get("to")
    target = match_around(game, place, own, others, None if to is None else int(to))
    if max(own, others) >= target["to"]:
        raise Refused(f"the match to {target['to']} is over at {own}-{others}; give a score below it")
    state = deal(game, {place: parse_cards(hand)}, turned)
    for _ in range(place if up is not None else 4 + place):
        assert state.to_move is not None
        state.play(moves_by_word(state.observe(state.to_move))["pass"])
    return state.observe(place, target), f"{'first' if up is not None else 'second'} round of calls"


def _score(text: str | None) -> tuple[int, int]:
    if text is None:
        return 0, 0
    match = re.fullmatch(r"([0-9]{1,3})[-:]([0-9]{1,3})", text)
    if match is None:
        raise Refused(f"--score must be your points and theirs, as in 6-7, not {text[:20]}")
    return int(match[1]), int(match[2])
