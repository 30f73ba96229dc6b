"""Messages between the server and a browser, and the document of what a viewer may see.

The server sends a document once, and then differences (`merge_patch`), each with a number. A browser sends
what the person did, never a state: options are named by their number in the document.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

LONGEST_MESSAGE = 2048
"""Bytes of a browser's message."""
LONGEST_NAME = 20
"""Characters of a player's name."""

Token: TypeAlias = Annotated[str, Meta(max_length=64)]
Name: TypeAlias = Annotated[str, Meta(max_length=4 * LONGEST_NAME)]
Turn: TypeAlias = Annotated[str, Meta(max_length=40)]
"""The decision that a message is about: match, deal and number of the decision."""
Phrase: TypeAlias = Literal["hello", "thanks", "well played", "sorry", "moment", "good game", "bye"]
Person: TypeAlias = Annotated[int, Meta(ge=0, lt=256)]


# --- from a browser ------------------------------------------------------------------------------


class Settings(Struct, forbid_unknown_fields=True):
    """A new table, as the lobby sends it."""

    game: Annotated[str, Meta(max_length=200)]
    name: Name
    """Of the person who makes the table."""
    seats: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(max_length=256)]
    """Per person "open", or the level of a bot. The first seat belongs to the person who makes the table."""
    rules: Annotated[dict[str, str], Meta(max_length=50)] = {}
    to: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """The target of the match; 0 is the game's own."""
    pace: Literal["slow", "normal", "fast"] = "normal"


class Join(Struct, tag="join", forbid_unknown_fields=True):
    """The first message of a connection: the token of a seat, or nothing to watch."""

    token: Token = ""


class Sit(Struct, tag="sit", forbid_unknown_fields=True):
    person: Person
    name: Name


class Start(Struct, tag="start", forbid_unknown_fields=True):
    """Begin the match: from the person who made the table."""


class Play(Struct, tag="play", forbid_unknown_fields=True):
    turn: Turn
    option: Annotated[int, Meta(ge=1, le=1_000_000)]


class Continue(Struct, tag="continue", forbid_unknown_fields=True):
    """The result of a deal was read; bots wait for it."""

    deal: Annotated[int, Meta(ge=0, le=1_000_000)]


class Hint(Struct, tag="hint", forbid_unknown_fields=True):
    turn: Turn


class Review(Struct, tag="review", forbid_unknown_fields=True):
    """What the person's decisions in a finished deal cost."""

    deal: Annotated[int, Meta(ge=0, le=1_000_000)]


class Rematch(Struct, tag="rematch", forbid_unknown_fields=True):
    """Another match with the same people, when one is over."""


class Say(Struct, tag="say", forbid_unknown_fields=True):
    """One of the fixed phrases; the client has the words."""

    phrase: Phrase


class Leave(Struct, tag="leave", forbid_unknown_fields=True):
    """Give the seat up."""


FromBrowser: TypeAlias = Join | Sit | Start | Play | Continue | Hint | Review | Rematch | Say | Leave


# --- the document --------------------------------------------------------------------------------


class TablePart(Struct):
    code: str
    title: str
    state: Literal["waiting", "playing", "over", "stopped"]
    pace: str
    match: int
    deal_word: str
    rules: list[str]
    """The match and the house rules, in sentences."""
    notes: list[str]
    """What else everybody should know, such as a level that the game lacks."""
    fingerprint: str
    """Of the seed; it is there before the first card."""
    seed: str
    salt: str
    """Seed and salt when the match is over, else empty. The seed is a text, so that no digit is lost."""
    problem: str
    """Why the match cannot go on; empty if it can."""
    watching: int
    """How many spectators there are."""


class PersonPart(Struct):
    name: str
    kind: Literal["person", "bot", "open"]
    level: str
    """Of the bot that plays for this person when nobody does."""
    here: bool
    bot_plays: bool
    said: tuple[int, str]
    """How many phrases this person has said, and the last one; empty before the first."""


class PlacePart(Struct):
    words: str
    kind: Literal["hand", "trick", "open"]
    cards: list[str]
    """From bottom to top; a face-down card is empty."""
    total: str


class ChairPart(Struct):
    seat: int
    person: int
    name: str
    notes: list[str]
    """you, partner, dealer."""
    status: str
    counts: list[tuple[str, str]]
    places: list[PlacePart]


class OptionPart(Struct):
    text: str
    cards: list[str]


class TrickPart(Struct):
    cards: list[tuple[int, str]]
    """Seats and cards, in the order of play."""
    taker: int
    """Who took it; -1 if it is still being played."""


class ResultPart(Struct):
    deal: int
    lines: list[str]


class DealPart(Struct):
    turn: str
    title: str
    scores: list[tuple[str, int]]
    facts: list[tuple[str, str]]
    to_move: int
    your_turn: bool
    question: str
    options: list[OptionPart]
    chairs: list[ChairPart]
    """You first, then round the table."""
    middle: list[PlacePart]
    trick: TrickPart
    """The one that is being played, or the last one until a card is led to the next."""
    last_trick: TrickPart
    log: dict[str, str]
    """Sentences by their number; a difference holds the new ones."""


class Document(Struct):
    """All that a browser knows of a table; whatever it draws comes from here."""

    table: TablePart
    you: int
    """The person whose seat this is; -1 for a spectator."""
    people: dict[str, PersonPart]
    deal: DealPart | UnsetType = UNSET
    result: ResultPart | UnsetType = UNSET
    """Of the last deal that is over."""


# --- from the server -----------------------------------------------------------------------------


class Welcome(Struct, tag="welcome"):
    """The first answer: the whole document, and the names of all cards of the game, which are public."""

    number: int
    document: Document
    cards: dict[str, str]


class Change(Struct, tag="change"):
    """A difference to the document with the number before."""

    number: int
    patch: dict[str, Any]


class Seated(Struct, tag="seated"):
    """The seat is yours; the token proves it from now on."""

    person: int
    token: str


class Advice(Struct, tag="advice"):
    turn: str
    best: int
    """The number of the best option; 0 without one."""
    lines: list[str]


class Reviewed(Struct, tag="reviewed"):
    deal: int
    lines: list[str]


class Refused(Struct, tag="refused"):
    why: str


FromServer: TypeAlias = Welcome | Change | Seated | Advice | Reviewed | Refused


# --- over HTTP -----------------------------------------------------------------------------------


class RulePart(Struct):
    name: str
    title: str
    choices: list[str]
    default: str


class GamePart(Struct):
    name: str
    title: str
    family: str
    line: str
    summary: str
    seats: list[str]
    rules: list[RulePart]
    to: int
    targets: list[int]


class Lobby(Struct):
    games: list[GamePart]
    levels: list[str]


class Created(Struct):
    code: str
    token: str


_decoder = msgspec.json.Decoder(FromBrowser)
_settings = msgspec.json.Decoder(Settings)
_encoder = msgspec.json.Encoder(order="deterministic")


class BadMessage(Exception):
    """What a browser sent is not a message."""


def parse(data: str | bytes) -> FromBrowser:
    try:
        parsed: FromBrowser = _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadMessage("this is not a message that the table knows") from None
    return parsed


def parse_settings(data: bytes) -> Settings:
    try:
        return _settings.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadMessage("these are not the settings of a table") from None


def encode(message: Struct | dict[str, Any]) -> bytes:
    return _encoder.encode(message)


def plain(part: Struct) -> dict[str, Any]:
    """A message as plain data, in which differences are found."""
    data = msgspec.to_builtins(part)
    assert isinstance(data, dict)
    return data
