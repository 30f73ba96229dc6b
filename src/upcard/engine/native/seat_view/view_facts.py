"""Facts of a program for the kernels of this package: where its states keep what, and who sees which place.

A program's facts are one struct, followed by its tables. They come from the text alone: nothing in them
depends on a deal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.engine.native.kernels.language import Int, Ptr, i64, lshr
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.runtime import BEGINS, EFFECTS, WATCHED_AT
from upcard.engine.shared.flat_program import Ask, Depths, Step
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_REFERENCES

if TYPE_CHECKING:
    from upcard.engine.api import Place
    from upcard.engine.native.stepping_code import Compiled

NOBODY = 0
ALL = 1
OWNER = 2
OTHERS = 3
"""Who sees a place; its owner, counted from 1, lies above these two bits."""
PLAIN = 0
ONE_CARD = 1
CARDS = 2
"""What an `any` form picks; with OPEN if all seats see it, and the number of its kind above that."""
OPEN = 4
KIND_SHIFT = 3
STEP_WORDS = 3
MAX_VIEW = 1 << 17
"""Words of a view without moves and history; a game that may need more is observed by its table."""


class ViewFacts(Struct):
    """`..._at` are words of a state, of a workspace, or of this struct, where something begins."""

    apply: Int
    advance: Int
    relist: Int
    """Addresses of the game's functions."""
    learns: Int
    """1 if what the seats know is kept (`seat_knowledge`); 0 where that would take too much memory."""
    seats: Int
    places: Int
    room: Int
    """How many cards there can be."""
    place_words: Int
    """Words of a set of places."""
    set_words: Int
    """Words of a set of cards."""
    sets_at: Int
    where_at: Int
    """In elements of `where_bytes`."""
    where_bytes: Int
    card_bytes: Int
    pc: Int
    ending: Int
    decisions: Int
    choices: Int
    name: Int
    seat_index: Int
    seat_queue: Int
    team_index: Int
    teams: Int
    team_size: Int
    members: Int
    """Words of a state, by name."""
    stored_at: Int
    stored: Int
    """Storages of numbers and strings in a state: the first word and how many."""
    effects_at: Int
    begins_at: Int
    watched_at: Int
    """Words of a workspace."""
    known_at: Int
    """Where what the first seat knows begins in a game's memory of what is known (`seat_knowledge`)."""
    seat_words: Int
    """Words that each seat takes there."""
    table_words: Int
    """The most words of a view without moves and history."""
    sights_at: Int
    """Per place, who sees it."""
    lists_at: Int
    """Per place, the byte of a state where its list lies, or -1 where no order is kept."""
    order_at: Int
    """The places in the order in which observations list them."""
    backs_at: Int
    """Per card, the string that is its back."""
    sites_at: Int
    """Per `any` form, what it picks."""
    steps_at: Int
    """Per step of the program: open stages of players and of teams, and where its telling items lie, or 0."""
    maps: Int
    maps_at: Int
    """The words of a state where point maps lie."""
    captured_at: Int
    """Per form that sets a point map: where in its words what it captured begins, and how many words."""
    rest: Array[Int]


def sees(facts: ViewFacts, place: Int, seat: Int) -> Int:
    """Whether a seat sees the faces of the cards in a place."""
    sight = i64(facts, facts.sights_at + place)
    kind = sight & 3
    if kind == OWNER:
        return lshr(sight, 2) == seat + 1
    if kind == OTHERS:
        return lshr(sight, 2) != seat + 1
    return kind == ALL


def chooser_of(facts: ViewFacts, state: Ptr) -> Int:
    """The seat whose decision it is."""
    depth = i64(facts, facts.steps_at + STEP_WORDS * i64(state, facts.pc))
    return i64(state, facts.seat_index + depth)


KERNELS = (sees, chooser_of)


def pack_facts(stepping: Compiled, code: list[Step]) -> ViewFacts:
    """The facts of a compiled program."""
    lowered, layout = stepping.lowered, stepping.layout
    words = [0] * (ViewFacts.size // 8)
    head: dict[str, int] = {}

    def begin(part: str) -> None:
        head[part] = len(words)

    begin("sights_at")
    words += [_sight(place) for place in layout.places]
    begin("lists_at")
    words += layout.list_offsets
    begin("order_at")
    words += sorted(range(len(layout.places)), key=lambda number: layout.places[number])
    begin("backs_at")
    words += [layout.strings[card.back] for card in layout.cards]
    asks = [step for step in code if isinstance(step, Ask)]
    open_sites = {site for ask in asks for site in ask.open_sites}
    begin("sites_at")
    sites = {
        site: pick_sort(*sort) | (OPEN if site in open_sites else 0) for site, sort in lowered.sites.items()
    }
    words += [sites.get(site, PLAIN) for site in range(max(sites, default=-1) + 1)]
    begin("maps_at")
    words += [
        first + i * layout.map_stride
        for (owner, _), first in layout.maps.items()
        for i in range(layout.owners(owner))
    ]
    head["maps"] = len(words) - head["maps_at"]
    begin("captured_at")
    for site, first in zip(lowered.map_sites, lowered.captured_at, strict=True):
        words += [first, captured(site)]
    telling = []
    for step in code:
        items = sorted(step.telling_items) if isinstance(step, Ask) else []
        telling.append(len(words) if items else 0)
        if isinstance(step, Ask) and items:
            words += [int(item in items) for item in range(len(step.choice.items))]
    begin("steps_at")
    for depths, items_at in zip([*lowered.depths, Depths(0, 0)], [*telling, 0], strict=True):
        words += [depths.seat, depths.team, items_at]
    at = layout.words
    places, room = layout.place_count, layout.room
    set_words, place_words = layout.set_words, max(1, -(-layout.place_count // 64))
    stored = [
        first + i
        for space in (layout.ints, layout.strs)
        for (owner, _), first in space.items()
        for i in range(layout.owners(owner))
    ]
    remembered = MAX_REFERENCES * sum(place.cls == "mem" for place in layout.places)
    most_stages = 2 * (1 + max((d.seat + d.team for d in lowered.depths), default=0))
    return ViewFacts.pack(
        **head,
        **{name: stepping.address(name) for name in ("apply", "advance", "relist")},
        **{
            name: at[name]
            for name in (
                *("pc", "ending", "decisions", "choices", "name", "seat_index", "seat_queue"),
                *("team_index", "teams", "team_size", "members"),
            )
        },
        learns=0,
        seats=layout.seats,
        places=places,
        room=room,
        place_words=place_words,
        set_words=set_words,
        sets_at=layout.sets_at // 8,
        where_at=layout.where_at // layout.where_bytes,
        where_bytes=layout.where_bytes,
        card_bytes=layout.card_bytes,
        stored_at=min(stored, default=0),
        stored=len(stored),
        effects_at=EFFECTS + BASE,
        begins_at=BEGINS + BASE,
        watched_at=WATCHED_AT,
        known_at=room + places + 2 * set_words,
        seat_words=set_words + room * place_words,
        table_words=64
        + most_stages
        + len(stored)
        + head["maps"] * (1 + layout.map_stride)
        + layout.seats * (layout.seats + 1)
        + 3 * places
        + room
        + remembered
        + room * (2 + place_words),
        rest=words[ViewFacts.size // 8 :],
    )


def _sight(place: Place) -> int:
    owner = (place.owner + 1) << 2
    if place.cls in ("vloc", "mem"):
        return ALL
    if place.cls == "iloc":
        return owner | OWNER
    return owner | OTHERS if place.cls == "oloc" else NOBODY


def pick_sort(kind: Kind, as_place: bool) -> int:
    """What an `any` form picks, as a number."""
    number = list(Kind).index(kind) << KIND_SHIFT
    if kind is Kind.CARD:
        return number | ONE_CARD
    return number | (CARDS if kind is Kind.CARDS and not as_place else PLAIN)


def captured(site: p.SetPoints) -> int:
    """How many words the awards of a point map capture."""
    texts = [part for award in site.awards for pair in award.pairs for part in pair]
    amounts = [award.amount for award in site.awards]
    return sum(not isinstance(text, p.Str) for text in texts) + sum(
        not isinstance(amount, p.Int) for amount in amounts
    )
