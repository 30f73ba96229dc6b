"""Where everything lies: a state is one flat block of memory, and copying it is copying bytes.

Words of 64 bits come first (control, chance, cycles, teams, storages, variables that outlive a decision),
then the sets of all places, then the lists of the places whose order can be seen, then where each card lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from upcard.engine.contract import TABLE, Place
from upcard.engine.native.backends.choosing import NoMachineCode
from upcard.recycle import program as p
from upcard.recycle.facts import Facts, text_of
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

MOST_CARDS = 512
MOST_NUMBERS = 256
MOST_REFERENCES = 1024
"""How many references a memory holds at most."""


class NotLowered(NoMachineCode):
    """A program that the native engine does not take, in one sentence."""

    def __init__(self, node: p.Node, message: str) -> None:
        self.node = node
        super().__init__(message)


# --- cards ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardFace:
    back: str
    number: int
    attributes: dict[str, str]


def static_cards(program: p.Program) -> tuple[list[CardFace], list[list[int]]]:
    """Every card of the setup, and per deck line run which cards it makes; all known beforehand."""
    from upcard.recycle.checker.base import constant

    cards: list[CardFace] = []
    made: dict[str, int] = {}
    runs: list[list[int]] = []

    def run(line: p.Item) -> None:
        if isinstance(line, p.Repeat):
            count = constant(line.count)
            if count is None:
                raise NotLowered(line, "how many decks there are must be fixed when the game is loaded")
            for _ in range(count):
                run(line.item)
            return
        assert isinstance(line, p.CreateDeck)
        back = _text(line.back) if line.back is not None else "DEFAULT"
        batch = []
        for face in _faces(line.attributes):
            batch.append(len(cards))
            cards.append(CardFace(back, made.get(back, 0), face))
            made[back] = made.get(back, 0) + 1
            if len(cards) > MOST_CARDS:
                raise NotLowered(line, f"the native engine takes up to {MOST_CARDS} cards")
        runs.append(batch)

    for line in program.setup.decks:
        run(line)
    return cards, runs


def _text(expr: p.Expr) -> str:
    text = text_of(expr)
    if text is None:
        raise NotLowered(expr, "the keys, values and backs of a deck must be fixed when the game is loaded")
    return text


def _faces(attributes: tuple[p.Attribute, ...]) -> list[dict[str, str]]:
    faces: list[dict[str, str]] = [{}]
    for attribute in attributes:
        key = _text(attribute.key)
        leaves = [
            {key: _text(child.value), **lower}
            for child in attribute.children
            for lower in _faces(child.below)
        ]
        faces = [{**face, **leaf} for face in faces for leaf in leaves]
    return faces


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


@dataclass
class Layout:
    program: p.Program
    facts: Facts
    cards: list[CardFace]
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
    size: int = 0

    @property
    def seats(self) -> int:
        return self.program.players

    @property
    def set_words(self) -> int:
        return max(1, (len(self.cards) + 63) // 64)

    @property
    def card_width(self) -> str:
        return "u8" if len(self.cards) <= 256 else "u16"

    @property
    def card_bytes(self) -> int:
        return 1 if self.card_width == "u8" else 2

    @cached_property
    def places(self) -> list[Place]:
        found: dict[int, Place] = {}
        for (table, cls), shelves in self.shelves.items():
            for name, shelf in shelves.items():
                for i in range(shelf.places):
                    owner = TABLE if table else i // shelf.numbers
                    found[shelf.first + i] = Place(owner, cls, name, i % shelf.numbers)
        return [found[i] for i in range(len(found))]

    def owners(self, kind: str) -> int:
        return 1 if kind == "table" else self.seats


def lay_out(
    program: p.Program,
    facts: Facts,
    persistent: Iterable[p.Binding],
    captures: Callable[[int], int],
    as_set: Callable[[p.Expr], bool],
) -> Layout:
    """`persistent` are variables that outlive a decision; `captures` is the most words a point
    map takes, given the words of a set; `as_set` says which collections are kept as sets."""
    cards, runs = static_cards(program)
    strings = {text: number for number, text in enumerate(facts.strings)}
    for face in cards:
        for text in (*face.attributes, *face.attributes.values(), face.back):
            strings.setdefault(text, len(strings))
    keys = list(dict.fromkeys(key for face in cards for key in face.attributes))
    layout = Layout(program, facts, cards, runs, strings, keys)
    nodes = list(below(program))
    _shelve(layout, nodes)
    _words(layout, nodes, [(b, _room(layout, b, as_set)) for b in persistent], captures(layout.set_words))
    _bytes(layout)
    return layout


def _shelve(layout: Layout, nodes: list[p.Node]) -> None:
    wanted: dict[tuple[bool, str], dict[str, int]] = {}
    for node in nodes:
        if isinstance(node, p.Location | p.Indexed):
            group = wanted.setdefault((isinstance(node.owner, p.Table), node.cls), {})
            numbers = 1
            if isinstance(node, p.Indexed):
                numbers = MOST_NUMBERS
            elif node.number is not None:
                numbers = node.number.value + 1 if isinstance(node.number, p.Int) else MOST_NUMBERS
                numbers = min(numbers, MOST_NUMBERS)
            text = text_of(node.name)
            for name in [text] if text is not None else list(layout.strings):
                group[name] = max(group.get(name, 1), numbers)
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
    seats = layout.seats
    depth = 2 + max((_stage_depth(element, "player") for element in layout.program.body), default=0)
    take("seat_index", depth)
    take("seat_queue", depth)
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
    if binding.kind is Kind.CARDS and as_set(binding.source):
        return layout.set_words
    if binding.kind is Kind.CARDS:
        return 1 + max(layout.set_words, (MOST_REFERENCES * layout.card_bytes) // 8)
    return 1


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
            assert isinstance(node, p.IntStore | p.StrStore | p.MapStore)
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
        room = MOST_REFERENCES if ordered[place].cls == "mem" else len(layout.cards)
        at += 8 + -(-room * layout.card_bytes // 8) * 8  # a count, then the cards
    layout.where_at = at
    at += -(-len(layout.cards) * 2 // 8) * 8
    layout.size = at
