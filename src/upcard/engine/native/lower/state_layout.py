"""State layout: a state is one flat block of memory, and copying it copies bytes.

Words of 64 bits come first (control, chance, cycles, teams, storages, variables that outlive a decision),
then the sets of all places, then the lists of the places whose order can be seen, then where each card lies.
Where decks are made in play, or as chance says, the faces and backs of the cards come last: a card's number
is then the order in which it was made, and what it is called is known only to the state.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from upcard.engine.api import TABLE, Place
from upcard.engine.native.ir import Width
from upcard.engine.native.lower.analysis import is_place
from upcard.engine.native.lower.bounds import Bounds
from upcard.engine.native.lower.builder import NotLowered
from upcard.engine.native.lower.card_faces import MAX_CARDS, TOO_MANY_CARDS, CardFace, is_fixed, static_cards
from upcard.engine.native.lower.declarations import Declared
from upcard.lazy import lazy_property
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.facts import Facts
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_NUMBER, MAX_REFERENCES
from upcard.recycle.walk import below

MAX_NUMBERS = MAX_NUMBER + 1
MAX_PLACES = 1 << 18
MAX_BYTES = 64 << 20
"""Of one state."""
MAX_STRINGS = 1 << 16
RUNNING, FINISHED, STUCK, CUT_OFF, FAILED = range(5)
"""How a game stands or ended: the word `ending` of a state."""
SAID = 2
"""Numbers that the sentence of a fault may have in it."""


# --- places --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shelf:
    """The places of one owner kind, class and name: owners outermost, numbers innermost."""

    owners: int
    cls: str
    name: str
    numbers: int
    first: int
    ordered: bool

    @property
    def places(self) -> int:
        return self.owners * self.numbers

    @property
    def sets(self) -> str:
        """The kind of memory that their sets are."""
        return f"set/{self.first}"


@dataclass
class Layout:
    program: p.Program
    facts: Facts
    declared: Declared
    cards: list[CardFace]
    """Those known when the game is loaded: all, or where faces lie in the state none. See `cards_of`."""
    room: int
    """How many cards there can be."""
    deck_runs: list[list[int]]
    strings: dict[str, int]
    keys: list[str]
    shelves: dict[tuple[bool, str], dict[str, Shelf]] = field(default_factory=dict)
    """By (table's, class), then by name."""
    words: dict[str, int] = field(default_factory=dict)
    """Named words of the state, by index."""
    ints: dict[tuple[str, str], int] = field(default_factory=dict)
    strs: dict[tuple[str, str], int] = field(default_factory=dict)
    maps: dict[tuple[str, str], int] = field(default_factory=dict)
    """First word of a storage by (owner kind, name); owners follow each other."""
    map_stride: int = 1
    size_words: int = 0
    sets_at: int = 0
    lists_at: int = 0
    list_offsets: list[int] = field(default_factory=list)
    """Per place the byte where its list lies, or -1."""
    where_at: int = 0
    moving_faces: bool = False
    """Faces and backs of cards lie in the state."""
    faces_at: int = 0
    """Per key, per card a string."""
    backs_at: int = 0
    size: int = 0

    @property
    def seats(self) -> int:
        return self.program.players

    @property
    def set_words(self) -> int:
        return max(1, (self.room + 63) // 64)

    @property
    def card_width(self) -> Width:
        """How a card lies in a list."""
        return "u8" if self.room <= 256 else "u16"

    @property
    def card_bytes(self) -> int:
        return 1 if self.card_width == "u8" else 2

    @property
    def where_width(self) -> Width:
        """How the number of a place lies in memory."""
        return "u16" if self.place_count <= 1 << 16 else "u32"

    @property
    def where_bytes(self) -> int:
        return 2 if self.where_width == "u16" else 4

    @lazy_property
    def place_count(self) -> int:
        return sum(shelf.places for shelves in self.shelves.values() for shelf in shelves.values())

    def cards_of(self, state: bytes | bytearray | memoryview) -> list[CardFace]:
        """The cards there are in a state, by their numbers."""
        if not self.moving_faces:
            return self.cards
        (count,) = struct.unpack_from("<q", state, 8 * self.words["cards"])
        texts = list(self.strings)
        backs = struct.unpack_from(f"<{count}H", state, self.backs_at)
        rows = [
            struct.unpack_from(f"<{count}H", state, self.faces_at + 2 * row * self.room)
            for row in range(len(self.keys))
        ]
        made: dict[str, int] = {}
        found = []
        for card in range(count):
            back = texts[backs[card]]
            face = {key: texts[row[card]] for key, row in zip(self.keys, rows, strict=True) if row[card]}
            found.append(CardFace(back, made.get(back, 0), face))
            made[back] = made.get(back, 0) + 1
        return found

    @lazy_property
    def places(self) -> list[Place]:
        found: dict[int, Place] = {}
        for (table, cls), shelves in self.shelves.items():
            for name, shelf in shelves.items():
                for i in range(shelf.places):
                    owner = TABLE if table else i // shelf.numbers
                    found[shelf.first + i] = Place(owner, cls, name, i % shelf.numbers)
        return [found[i] for i in range(len(found))]

    def number_of(self, place: Place) -> int:
        """The number of a place that the program mentions."""
        shelf = self.shelves[place.owner == TABLE, place.cls][place.name]
        return shelf.first + max(place.owner, 0) * shelf.numbers + place.number

    @lazy_property
    def bounds(self) -> Bounds:
        return Bounds(self.room, self.seats)

    def owners(self, kind: str) -> int:
        return 1 if kind == "table" else self.seats


def lay_out(
    program: p.Program,
    facts: Facts,
    values: Declared,
    persistent: Iterable[p.Binding],
    captures: Callable[[int], int],
    as_set: Callable[[p.Expr], bool],
) -> Layout:
    """`persistent` are variables that outlive a decision; `captures` is the most words a point
    map takes, given the words of a set; `as_set` says which collections are kept as sets."""
    fixed = is_fixed(program)
    cards, runs = static_cards(program, facts) if fixed else ([], [])
    strings = {text: number for number, text in enumerate(facts.strings)}
    for face in cards:
        for text in (*face.attributes, *face.attributes.values(), face.back):
            strings.setdefault(text, len(strings))
    if len(strings) > MAX_STRINGS:
        raise NotLowered(program, f"the native engine supports games with up to {MAX_STRINGS:,} strings")
    nodes = list(below(program))
    if fixed:
        keys = list(dict.fromkeys(key for face in cards for key in face.attributes))
    else:
        named = [text_of(node.key) for node in nodes if isinstance(node, p.Attribute)]
        keys = list(facts.key_order if None in named else facts.keys)
    room = len(cards) if fixed else _room_for_cards(facts, nodes)
    layout = Layout(program, facts, values, cards, room, runs, strings, keys)
    layout.moving_faces = not fixed
    _shelve(layout, nodes)
    _words(layout, nodes, [(b, _room(layout, b, as_set)) for b in persistent], captures(layout.set_words))
    _bytes(layout)
    return layout


def _room_for_cards(facts: Facts, nodes: list[p.Node]) -> int:
    """Every card that can ever be made has its number; more than there is room for fail as they are made."""
    if facts.cards_at_most is None:
        return facts.most_cards
    if facts.cards_at_most > MAX_CARDS:
        last = [node for node in nodes if isinstance(node, p.CreateDeck)][-1]
        raise NotLowered(last, TOO_MANY_CARDS)
    return facts.cards_at_most


def _shelve(layout: Layout, nodes: list[p.Node]) -> None:
    wanted: dict[tuple[bool, str], dict[str, int]] = {}
    widest: p.Node = layout.program
    most = 0
    for node in nodes:
        if isinstance(node, p.Location | p.Indexed):
            group = wanted.setdefault((isinstance(node.owner, p.Table), node.cls), {})
            numbers = 1
            if isinstance(node, p.Indexed):
                numbers = MAX_NUMBERS
            elif node.number is not None:
                numbers = node.number.value + 1 if isinstance(node.number, p.Int) else MAX_NUMBERS
                numbers = min(numbers, MAX_NUMBERS)
            text = text_of(node.name)
            for name in [text] if text is not None else list(layout.strings):
                group[name] = max(group.get(name, 1), numbers)
            if numbers > most:
                widest, most = node, numbers
    owned = [(1 if table else layout.seats, names) for (table, _), names in wanted.items()]
    if sum(owners * sum(names.values()) for owners, names in owned) > MAX_PLACES:
        raise NotLowered(widest, f"the native engine supports games with up to {MAX_PLACES:,} places")
    first = 0
    for (table, cls), names in wanted.items():
        owners = 1 if table else layout.seats
        made = layout.shelves.setdefault((table, cls), {})
        for name, numbers in names.items():
            ordered = layout.facts.order.is_ordered("table" if table else "player", cls, name)
            made[name] = Shelf(owners, cls, name, numbers, first, ordered)
            first += owners * numbers


_HEADER = (
    "pc",
    "steps",
    "decisions",
    "ending",
    "fault",
    "shuffles",
    "name",
    "c0",
    "c1",
    "c2",
    "c3",
    "choices",
)


def _words(
    layout: Layout, nodes: list[p.Node], persistent: list[tuple[p.Binding, int]], captures: int
) -> None:
    at = 0

    def take(name: str, count: int = 1) -> None:
        nonlocal at
        layout.words[name] = at
        at += count

    for name in _HEADER:
        take(name)
    if layout.facts.work:
        take("work")
    seats = layout.seats
    depth = 2 + max((_stage_depth(element, "player") for element in layout.program.body), default=0)
    take("seat_index", depth)
    take("seat_queue", depth)
    take("cards")
    take("said", SAID)
    take("team_index", 1 + max((_stage_depth(element, "team") for element in layout.program.body), default=0))
    take("teams")
    take("team_of", seats)
    take("team_size", seats)
    take("members", seats * seats)
    take("scores", seats)
    layout.map_stride = captures
    spaces = (
        (p.IntStore, layout.ints, 1),
        (p.StrStore, layout.strs, 1),
        (p.MapStore, layout.maps, captures),
    )
    for sort, space, stride in spaces:
        for key in _store_names(layout, nodes, sort):
            space[key] = at
            at += layout.owners(key[0]) * stride
    for binding, room in persistent:
        take(f"var{binding.slot}", room)
    layout.size_words = at


def _room(layout: Layout, binding: p.Binding, as_set: Callable[[p.Expr], bool]) -> int:
    """Words for a variable that outlives a decision; a snapshot has a count and its cards."""
    if binding.how == "declare":
        return 1 + layout.bounds.elements(binding.source) if binding.kind in LISTED else 1
    if is_made_again(layout, binding):
        return STREAM_WORDS
    if binding.kind is Kind.CARDS and as_set(binding.source):
        return layout.set_words
    if binding.kind is Kind.CARDS and not is_place(binding.source):
        room = layout.bounds.cards(binding.source)
        return 1 + max(layout.set_words, -(-room * layout.card_bytes // 8))
    return 1


LISTED = (Kind.LISTS, Kind.INTS, Kind.STRS, Kind.PLAYERS, Kind.TEAMS)

STREAM_WORDS = 4

MAX_HELD = 8192
"""Cards of a snapshot that is kept in the state."""


def is_made_again(layout: Layout, binding: p.Binding) -> bool:
    """A list around a choice is not kept: nothing changes between the let and the choice, so it is made again
    where it is needed, with the draws it was made with, from the stream as it was."""
    if binding.kind is Kind.CARDS and not is_place(binding.source):
        return layout.bounds.cards(binding.source) > MAX_HELD
    return binding.kind in LISTED


def _stage_depth(element: p.Element, of: str) -> int:
    if not isinstance(element, p.Stage):
        return 0
    inner = max((_stage_depth(e, of) for e in element.body), default=0)
    return inner + (1 if element.of == of else 0)


def _store_names(layout: Layout, nodes: list[p.Node], sort: type[p.Node]) -> list[tuple[str, str]]:
    from upcard.recycle.facts import owner_word

    found: dict[tuple[str, str], None] = {}
    for node in nodes:
        if isinstance(node, sort):
            assert isinstance(node, p.Storage)
            text = text_of(node.name)
            for name in [text] if text is not None else list(layout.strings):
                found[owner_word(node.owner), name] = None
    return list(found)


def _bytes(layout: Layout) -> None:
    at = layout.size_words * 8
    layout.sets_at = at
    at += len(layout.places) * layout.set_words * 8
    layout.lists_at = at
    ordered = {
        shelf.first + i: shelf
        for shelves in layout.shelves.values()
        for shelf in shelves.values()
        if shelf.ordered
        for i in range(shelf.places)
    }
    for place in range(len(layout.places)):
        if place not in ordered:
            layout.list_offsets.append(-1)
            continue
        layout.list_offsets.append(at)
        room = MAX_REFERENCES if ordered[place].cls == "mem" else layout.room
        at += 8 + -(-room * layout.card_bytes // 8) * 8  # a count, then the cards
    layout.where_at = at
    at += -(-layout.room * layout.where_bytes // 8) * 8
    if layout.moving_faces:
        layout.faces_at = at
        at += -(-len(layout.keys) * layout.room * 2 // 8) * 8
        layout.backs_at = at
        at += -(-layout.room * 2 // 8) * 8
    layout.size = at
    if at > MAX_BYTES:
        most = MAX_BYTES >> 20
        raise NotLowered(layout.program, f"the native engine supports games whose state fits in {most} MB")
