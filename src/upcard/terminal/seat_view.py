"""What one seat sees, in words, built from its observation alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from upcard.engine.api import Move, Observation, Record
from upcard.narration.card_totals import total_text
from upcard.terminal.table_narrator import TableNarrator

RECENT = 150
"""Records that the log on the screen narrates; older ones have scrolled away."""


@dataclass(frozen=True)
class CardPlace:
    """A place in words, and its cards from bottom to top; None is face down."""

    words: str
    cards: tuple[str | None, ...]
    private: bool = False
    """Seen by its owner only: a hand."""
    single: bool = False
    """A place for one card: called so, or a player's own place that is not a hand."""
    total: str = ""
    """What the cards count, if the sheet says so and the seat sees them all."""

    @property
    def hidden(self) -> bool:
        return all(card is None for card in self.cards)


@dataclass(frozen=True)
class Chair:
    """A player at the table, with the places and counts before them."""

    seat: int
    name: str
    you: bool
    partner: bool
    deals: bool
    to_move: bool
    places: tuple[CardPlace, ...]
    counts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Option:
    """One option of the menu: number, move, words, and its cards."""

    number: int
    move: Move
    text: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Trick:
    """Cards played to a trick in the order of play, and who took them."""

    cards: tuple[tuple[int, str], ...]
    taker: int | None


@dataclass(frozen=True)
class View:
    observation: Observation
    narrator: TableNarrator
    chairs: tuple[Chair, ...]
    """You first, then round the table."""
    table: tuple[CardPlace, ...]
    facts: tuple[tuple[str, str], ...]
    """Values of the whole table, such as trump: words and value."""
    options: tuple[Option, ...]
    scores: tuple[tuple[str, int], ...] = field(default=())
    """Sides with their totals in the match, yours first."""

    @property
    def you(self) -> Chair:
        return self.chairs[0]

    @property
    def your_turn(self) -> bool:
        return self.observation.to_move == self.observation.seat

    @property
    def hand(self) -> list[str]:
        """The cards that you alone see."""
        return [
            card for place in self.you.places if place.private for card in place.cards if card is not None
        ]

    def card(self, card: str | None) -> str:
        """A card's face, or a blank for a face-down card."""
        if card is None:
            return "##" if self.narrator.ascii_only else "▒▒"
        return self.narrator.card(card, self.observation.cards)

    def recent(self) -> list[str]:
        """The newest sentences of the deal, oldest first."""
        return [
            line for line in self.narrator.story(self.observation.records[-RECENT:], self.observation) if line
        ]

    def name(self, seat: int) -> str:
        return self.narrator.seat(seat)


def look(observation: Observation, narrator: TableNarrator) -> View:
    seat, seats = observation.seat, observation.seats
    chairs = tuple(_chair(observation, narrator, (seat + turn) % seats) for turn in range(seats))
    return View(
        observation,
        narrator,
        chairs,
        tuple(_places(observation, narrator, "table")),
        tuple(_values(observation, narrator, "table")),
        options(observation, narrator),
        tuple(_scores(observation, narrator)),
    )


def _chair(observation: Observation, narrator: TableNarrator, seat: int) -> Chair:
    viewer = observation.seat
    team = next((team for team in observation.teams if seat in team), (seat,))
    number = next((n for n, members in enumerate(observation.teams) if seat in members), None)
    counts = [*_values(observation, narrator, f"seat{seat}")]
    if number is not None and seat == min(team):  # a team's counts are shown once
        counts += _values(observation, narrator, f"team{number}")
    return Chair(
        seat,
        narrator.seat(seat),
        seat == viewer,
        viewer in team and seat != viewer,
        narrator.a_seat_deals and seat == observation.seats - 1,
        observation.to_move == seat,
        tuple(_places(observation, narrator, f"seat{seat}")),
        tuple(counts),
    )


def _places(observation: Observation, narrator: TableNarrator, owner: str) -> Iterator[CardPlace]:
    """The owner's places that hold cards, in the order of the sheet."""
    order = {card: at for at, card in enumerate(observation.cards)}
    listed = list(narrator.sheet.table) if narrator.sheet else []
    rank = {name: at for at, name in enumerate(listed)}
    places = sorted(observation.places.items(), key=lambda entry: rank.get(entry[0].split(".")[2], len(rank)))
    for text, cards in places:
        place_owner, cls, name, *_ = text.split(".")
        if place_owner != owner or not cards:
            continue
        words = narrator.place(name)
        if not words:
            continue
        private = cls == "iloc" and place_owner != "table"
        if private and None not in cards:
            cards = tuple(sorted(cards, key=lambda card: _hand_order(observation, order, card)))
        single = words.endswith("card") or (place_owner != "table" and not private)
        yield CardPlace(words, cards, private, single, _total(observation, narrator, name, cards))


def _total(observation: Observation, narrator: TableNarrator, name: str, cards: Sequence[str | None]) -> str:
    """What the cards of a place count; empty if a card is hidden, which a total would give away."""
    seen = [observation.cards[card] for card in cards if card is not None]
    if len(seen) < len(cards) or narrator.sheet is None:
        return ""
    totals = (total for total in narrator.sheet.totals if total.of == name)
    texts = (total_text(total, seen, observation.points.get(f"table.{total.points}")) for total in totals)
    return ", ".join(filter(None, texts))


def _hand_order(observation: Observation, order: Mapping[str, int], card: str | None) -> tuple[int, int]:
    """Sort key: suits together, each from high to low if the deck lists low to high."""
    attributes = observation.cards[card] if card is not None else {}
    suit = attributes.get("SUIT")
    first = next((at for known, at in order.items() if observation.cards[known].get("SUIT") == suit), 0)
    return first, -order[card] if card is not None else 0


def _values(observation: Observation, narrator: TableNarrator, owner: str) -> Iterator[tuple[str, str]]:
    """The owner's storages and strings that the sheet has words for."""
    for text, value in (*observation.strings.items(), *observation.integers.items()):
        place_owner, name = text.split(".", 1)
        words = narrator.called(name)
        if place_owner == owner and words and value != "NONE":
            yield words, narrator.word(value)


def _scores(observation: Observation, narrator: TableNarrator) -> Iterator[tuple[str, int]]:
    match = observation.match
    if match is None:
        return
    sides: list[tuple[int, ...]] = [tuple(team) for team in observation.teams] or [
        (seat,) for seat in range(observation.seats)
    ]
    sides.sort(key=lambda side: (observation.seat not in side, side))
    for side in sides:
        yield narrator.side(side), match["scores"][side[0]]


# --- options ---------------------------------------------------------------------------------------


def options(observation: Observation, narrator: TableNarrator) -> tuple[Option, ...]:
    """The options in menu order: by the hand if each is one card of it."""
    moves = list(observation.moves)
    cards = {move.key: cards_of(move) for move in moves}
    place = {card: at for at, card in enumerate(hand_of(observation))}
    if moves and all(len(held) == 1 and held[0] in place for held in cards.values()):
        moves.sort(key=lambda move: (place[cards[move.key][0]], move.item))
    texts = [narrator.choice(move.effects, observation) for move in moves]
    return tuple(
        Option(number, move, text, cards[move.key])
        for number, (move, text) in enumerate(zip(moves, texts, strict=True), 1)
    )


def hand_of(observation: Observation) -> list[str]:
    """The cards that this seat alone sees, sorted."""
    order = {card: at for at, card in enumerate(observation.cards)}
    own = f"seat{observation.seat}.iloc."
    cards = [c for text, held in observation.places.items() if text.startswith(own) for c in held if c]
    return sorted(cards, key=lambda card: _hand_order(observation, order, card))


def cards_of(move: Move) -> tuple[str, ...]:
    """The visible cards of a move: those picked, else those moved."""
    picked: list[str | None] = []
    for pick in move.picks:
        picked += [pick["card"]] if "card" in pick else list(pick.get("cards") or ())
    if not picked:
        picked = [effect.get("card") for effect in move.effects if effect["do"] == "move"]
    return tuple(dict.fromkeys(card for card in picked if card is not None))


# --- tricks ----------------------------------------------------------------------------------------


def tricks(observation: Observation) -> list[Trick]:
    """Tricks taken: cards that players put before them in turn, and that the rules then gathered."""
    taken: list[Trick] = []
    laid: dict[str, list[tuple[int, str]]] = {}
    gathered: list[tuple[int, str]] = []
    taker: int | None = None
    for actor, record in _actions(observation.records):
        if record["do"] != "move" or record.get("card") is None:
            continue
        source, target = str(record["from"]), str(record["to"])
        if actor is not None and target.startswith(f"seat{actor}.vloc."):
            laid.setdefault(target.split(".")[2], []).append((actor, record["card"]))
        elif actor is None and source.startswith("seat") and ".vloc." in source:
            pile = laid.get(source.split(".")[2], [])
            card = next((entry for entry in pile if entry[1] == record["card"]), None)
            if card is None:
                continue
            gathered.append(card)
            taker = int(target.split(".")[0][4:]) if target.startswith("seat") else taker
            if len(gathered) == len(pile):
                if len({seat for seat, _ in pile}) > 1:
                    taken.append(Trick(tuple(pile), taker))
                laid.pop(source.split(".")[2])
                gathered, taker = [], None
    return taken


def _actions(records: Sequence[Record]) -> Iterator[tuple[int | None, Record]]:
    """Every action with the seat that decided it; None for actions of the rules."""
    for record in records:
        if record["do"] == "decision":
            for action in record["actions"]:
                yield record["seat"], action
        else:
            yield None, record
