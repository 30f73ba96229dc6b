"""A deal as one viewer may see it, for the document: built from an observation and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from upcard.engine.api import Observation, Record
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.match.seats import Seating
from upcard.terminal.render import deal_title
from upcard.terminal.seat_view import CardPlace, Chair, Trick, View, tricks
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view, view_of
from upcard.terminal.ui import question
from upcard.web.messages import ChairPart, DealPart, OptionPart, PlacePart, ResultPart, TrickPart
from upcard.web.public_observation import public

TRICK = "trick"
"""What sheets call the places whose cards lie in the middle, in the order of play."""
NO_TRICK = TrickPart([], -1)


@dataclass
class DealLog:
    """What happened in a deal, told to one viewer. New records are told once and not narrated again."""

    deal: tuple[int, int] = (-1, -1)
    """Which deal it is: match and number."""
    told: int = 0
    """How many records were told."""
    lines: dict[str, str] = field(default_factory=dict)

    def go_on(self, view: View, deal: tuple[int, int]) -> Mapping[str, str]:
        """The sentences by their number, with those for new records."""
        if deal != self.deal:
            self.deal, self.told, self.lines = deal, 0, {}
        records = view.observation.records
        for line in view.narrator.story(records[self.told :], view.observation):
            if line:
                self.lines[str(len(self.lines))] = line
        self.told = len(records)
        return self.lines


@dataclass(frozen=True)
class Position:
    """A state of a match, and what the seats know about the match around it."""

    state: BaseState
    seating: Seating
    around: Mapping[str, Any]
    """As `Match.around` gives it, with the names of the people who sit there now."""

    def observe(self, person: int | None) -> Observation:
        """What a person's seat may know; without a person, what every seat sees."""
        around = dict(self.around)
        if person is not None:
            return self.state.observe(self.seating.seat(person), around)
        return public([self.state.observe(seat, around) for seat in range(self.seating.seats)])


def view_for(game: LoadedGame, position: Position, person: int | None) -> View:
    observation = position.observe(person)
    view = make_view(observation, TableNarrator.at(game.narrator, observation))
    return view if person is not None else _without_viewer(view)


def _without_viewer(view: View) -> View:
    chairs = tuple(replace(chair, you=False, partner=False) for chair in view.chairs)
    return replace(view, chairs=chairs, options=())


def deal_part(view: View, seating: Seating, turn: str, log: Mapping[str, str]) -> DealPart:
    observation = view.observation
    taken = tricks(observation)
    last = _trick_part(taken[-1]) if taken else NO_TRICK
    current = current_trick(view)
    return DealPart(
        turn=turn,
        title=deal_title(view),
        scores=[*view.scores],
        facts=[*view.facts],
        to_move=-1 if observation.to_move is None else observation.to_move,
        your_turn=bool(view.options),
        question=question(view) if view.options else "",
        options=[OptionPart(option.text, [*option.cards]) for option in view.options],
        chairs=[_chair_part(view, chair, seating) for chair in view.chairs],
        middle=[_place_part(place) for place in view.table],
        trick=current if current.cards else last,
        last_trick=last,
        log=dict(log),
    )


def result_part(view: View, deal: int, result: Record, sides: Sequence[str]) -> ResultPart:
    """How a deal ended: in the game's own words, then the points and totals of the sides."""
    word = view.narrator.sheet.deal_word if view.narrator.sheet else "deal"
    lines = view_of(view.observation).result_lines(view) if view.you.you else []
    if result["ending"] in ("cut_off", "stuck"):
        lines.append(f"The {word} took too long and was cut off.")
    scored = ", ".join(f"{side} {points:+d}" for side, points in zip(sides, result["points"], strict=True))
    totals = ", ".join(f"{side} {total}" for side, total in zip(sides, result["totals"], strict=True))
    return ResultPart(deal, [*lines, f"This {word}: {scored}.", f"Score: {totals}."])


def current_trick(view: View) -> TrickPart:
    """The cards of the trick that is being played, in the order of play."""
    observation = view.observation
    lying = {
        card: chair.seat
        for chair in view.chairs
        for place in chair.places
        if place.words == TRICK
        for card in place.cards
        if card is not None
    }
    played: dict[str, None] = {}
    for record in observation.records:
        for action in record["actions"] if record["do"] == "decision" else ():
            if action.get("card") in lying:
                played.pop(action["card"], None)  # the last time that it was moved counts
                played[action["card"]] = None
    order = [*played, *(card for card in lying if card not in played)]
    return TrickPart([(lying[card], card) for card in order], -1)


def _trick_part(trick: Trick) -> TrickPart:
    return TrickPart([*trick.cards], -1 if trick.taker is None else trick.taker)


def _chair_part(view: View, chair: Chair, seating: Seating) -> ChairPart:
    notes = (("you", chair.you), ("partner", chair.partner), ("dealer", chair.deals))
    return ChairPart(
        seat=chair.seat,
        person=seating.person(chair.seat),
        name=chair.name,
        notes=[word for word, holds in notes if holds],
        status=view_of(view.observation).status(view, chair),
        counts=[*chair.counts],
        places=[_place_part(place) for place in chair.places],
    )


def _place_part(place: CardPlace) -> PlacePart:
    kind = "hand" if place.private else "trick" if place.words == TRICK else "open"
    return PlacePart(place.words, kind, [card or "" for card in place.cards], place.total)  # type: ignore[arg-type]
