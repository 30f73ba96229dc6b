"""The course game: its command-line arguments, and a match of the library's Euchre configured like it.

| the course | here |
| --- | --- |
| seat 0 deals first, then seat 1 | the program's last seat deals: the course's seat c is person c - 1 |
| the pack, its shuffle, its batches | a stacked deck a hand |
| nobody goes alone; the dealer is stuck | the house rules alone and stick |
| points to win | the target of the match |
| Simple, Human | a player on observations; a participant who decides outside |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from upcard.course.course_transcript import SEATS, CourseTranscript, chair
from upcard.course.human_player import Question
from upcard.course.pack import Packs
from upcard.course.simple_player import SimplePlayer
from upcard.engine.api import Move, Record
from upcard.engine.loader import load
from upcard.engine.shared.game import LoadedGame
from upcard.euchre.euchre_cards import Card
from upcard.library.sheet import MatchRules
from upcard.match import Match, Participant, Table

PROGRAM = "./euchre.exe"
USAGE = (
    "Usage: euchre.exe PACK_FILENAME [shuffle|noshuffle] POINTS_TO_WIN "
    "NAME1 TYPE1 NAME2 TYPE2 NAME3 TYPE3 NAME4 TYPE4"
)
POINTS = re.compile(r"0*([1-9][0-9]?|100)")
TYPES = ("Simple", "Human")


class Usage(Exception):
    """Arguments that the course's program answers with its usage line."""


def no_pack(name: str) -> str:
    """The course's message for a pack that cannot be opened."""
    return f"Error opening {name}"


@dataclass(frozen=True)
class Settings:
    """The arguments of a game, in the course's order of seats."""

    pack: str
    shuffle: bool
    points: int
    names: tuple[str, ...]
    types: tuple[str, ...]
    arguments: tuple[str, ...]

    @classmethod
    def of(cls, arguments: Sequence[str]) -> Settings:
        if len(arguments) != 3 + 2 * SEATS:
            raise Usage
        pack, order, points, *players = arguments
        names, types = tuple(players[::2]), tuple(players[1::2])
        to_win = POINTS.fullmatch(points)
        if to_win is None or order not in ("shuffle", "noshuffle") or not set(types) <= set(TYPES):
            raise Usage
        return cls(pack, order == "shuffle", int(to_win[1]), names, types, tuple(arguments))


@cache
def course_game() -> LoadedGame:
    """The library's Euchre under the course's house rules, on the reference engine: observations cost the
    same on either engine, and this one starts at once."""
    return load("euchre", rules={"alone": "no", "stick": "yes"}, engine="reference")


def play(
    settings: Settings,
    pack: Sequence[Card],
    tell: Callable[[str], None],
    ask: Callable[[Question], Move],
) -> None:
    """Plays a whole game. `tell` receives every line of the transcript, and `ask` decides for Humans, after
    the lines of the question are printed. An exception in `ask` ends the game."""
    game = course_game()
    faces = {card: Card.of(attributes) for card, attributes in game.deal(0, 0).faces.items()}
    ids = {face: card for card, face in faces.items()}
    packs = Packs(pack, settings.shuffle)
    transcript = CourseTranscript(settings.names, faces, tell)

    def listen(line: Record) -> None:
        if line["do"] == "deal":
            transcript.deal(line)
        elif line["do"] == "result":
            assert match.state is not None
            transcript.follow(match.state.records)
            transcript.result(line)
        elif line["do"] == "over":
            transcript.over(line)

    tell("".join(f"{word} " for word in (PROGRAM, *settings.arguments)))
    seated = [chair(person) for person in range(SEATS)]
    participants = [_participant(settings.names[seat], settings.types[seat]) for seat in seated]
    table = Table.of(game, participants, MatchRules(to=settings.points))
    match = Match(table, 0, stacked=lambda hand: packs.stacked(hand, ids), on_record=listen)
    while match.state is not None:
        transcript.follow(match.state.records)
        person, seat = match.to_move, match.state.to_move
        assert person is not None
        assert seat is not None
        if participants[person].make is not None:
            match.step()
            continue
        question = Question(match.state.observe(seat, match.around()), participants[person].name)
        for line in question.lines:
            tell(line)
        match.decide(ask(question))


def _participant(name: str, kind: str) -> Participant:
    return Participant(name, kind.lower(), SimplePlayer if kind == "Simple" else None)
