"""The table: cards in places, storages, cycles, variables, and a trail that undoes every change.

While alternatives are listed, each change pushes its inverse on the trail, and rolling back to a mark
restores everything, including the order inside every place and snapshot.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from upcard.engine.api import TABLE, Card, Place
from upcard.recycle.order import OrderFacts


class Snapshot:
    """A computed collection: cards leave it only when they are moved through it."""

    __slots__ = ("cards",)

    def __init__(self, cards: Sequence[int]) -> None:
        self.cards = list(cards)

    def __copy__(self) -> Snapshot:
        return Snapshot(self.cards)


class PointMap:
    """An immutable point map; scores are cached per card."""

    __slots__ = ("_scores", "awards")

    def __init__(self, awards: tuple[tuple[tuple[tuple[str, str], ...], int], ...]) -> None:
        self.awards = awards
        self._scores: dict[Card, int] = {}

    def __reduce__(self) -> tuple[type[PointMap], tuple[object]]:
        return PointMap, (self.awards,)

    def score(self, card: Card, add: Callable[[int], int]) -> int:
        """The sum of all awards whose every pair matches; `add` checks each partial sum."""
        known = self._scores.get(card)
        if known is None:
            known = 0
            for pairs, amount in self.awards:
                if all(card.attributes.get(key, "") == value for key, value in pairs):
                    known = add(known + amount)
            self._scores[card] = known
        return known


EMPTY_MAP = PointMap(())


def single_seats(seats: int) -> tuple[tuple[int, ...], ...]:
    """The teams of a game without partners."""
    return tuple((seat,) for seat in range(seats))


class _Unbound:
    """The value of a variable that is not bound yet."""

    def __reduce__(self) -> str:
        return "UNBOUND"  # there is one, also after unpickling


UNBOUND = _Unbound()


class Table:
    """Everything that changes in play, except the random stream and the position in the program."""

    def __init__(self, seats: int, slots: int, order: OrderFacts, all_ordered: bool) -> None:
        self.seats = seats
        self.cards: list[Card] = []
        self.made: dict[str, int] = {}
        self.places: dict[Place, list[int]] = {}
        self.where: list[Place] = []
        self.ints: dict[tuple[int, str], int] = {}
        self.strs: dict[tuple[int, str], str] = {}
        self.maps: dict[tuple[int, str], PointMap] = {}
        self.teams: tuple[tuple[int, ...], ...] = ()
        self.seat_cycles: list[tuple[int, int | None]] = [(0, None)]
        self.team_cycles: list[int] = [0]
        self.env: list[Any] = [UNBOUND] * slots
        self.trail: list[tuple[Callable[..., object], tuple[Any, ...]]] | None = None
        self._order = order
        self._all_ordered = all_ordered
        self._ordered: dict[tuple[bool, str, str], bool] = {}

    # --- copying and comparing -----------------------------------------------------------------

    def copy(self) -> Table:
        other = Table.__new__(Table)
        other.seats = self.seats
        other.cards = list(self.cards)
        other.made = dict(self.made)
        other.places = {place: list(cards) for place, cards in self.places.items() if cards}
        other.where = list(self.where)
        other.ints, other.strs, other.maps = dict(self.ints), dict(self.strs), dict(self.maps)
        other.teams = self.teams
        other.seat_cycles = list(self.seat_cycles)
        other.team_cycles = list(self.team_cycles)
        other.trail = None
        other._order, other._all_ordered, other._ordered = self._order, self._all_ordered, self._ordered
        copies: dict[int, Snapshot] = {}
        other.env = [_copy_value(value, copies) for value in self.env]
        return other

    def __getstate__(self) -> dict[str, Any]:
        """All but what follows from the game: `attach` gives that to an unpickled table."""
        kept = dict(self.__dict__)
        for name in ("_order", "_all_ordered", "_ordered", "trail"):
            del kept[name]
        return kept

    def attach(self, order: OrderFacts, all_ordered: bool) -> None:
        """Completes an unpickled table."""
        self._order, self._all_ordered, self._ordered, self.trail = order, all_ordered, {}, None

    def content(self) -> tuple[Any, ...]:
        """The table's contents, for comparisons: absent and default values are equal."""
        return (
            [(c.id, dict(c.attributes)) for c in self.cards],
            {place: tuple(cards) for place, cards in self.places.items() if cards},
            {key: value for key, value in self.ints.items() if value},
            {key: value for key, value in self.strs.items() if value},
            {key: value.awards for key, value in self.maps.items() if value.awards},
            self.teams,
            tuple(self.seat_cycles),
            tuple(self.team_cycles),
            [_value_content(value) for value in self.env],
        )

    # --- the trail -----------------------------------------------------------------------------

    def note(self, undo: Callable[..., object], *arguments: Any) -> None:
        if self.trail is not None:
            self.trail.append((undo, arguments))

    def roll_back(self, mark: int) -> None:
        trail = self.trail
        assert trail is not None
        while len(trail) > mark:
            undo, arguments = trail.pop()
            undo(*arguments)

    # --- variables -----------------------------------------------------------------------------

    def bind(self, slot: int, value: Any) -> None:
        if self.trail is not None:
            self.trail.append((self.env.__setitem__, (slot, self.env[slot])))
        self.env[slot] = value

    # --- places --------------------------------------------------------------------------------

    def is_ordered(self, place: Place) -> bool:
        """Whether the program can depend on the order of cards here (docs/language/order.md)."""
        if self._all_ordered:
            return True
        key = (place.owner == TABLE, place.cls, place.name)
        known = self._ordered.get(key)
        if known is None:
            owner = "table" if key[0] else "player"
            known = self._ordered[key] = self._order.is_ordered(owner, key[1], key[2])  # type: ignore[arg-type]
        return known

    def at(self, place: Place) -> Sequence[int]:
        return self.places.get(place, ())

    def _list(self, place: Place) -> list[int]:
        cards = self.places.get(place)
        if cards is None:
            cards = self.places[place] = []
        return cards

    def _insert(self, place: Place, card: int, index: int) -> int:
        """Inserts a card, in card order where the place is unordered; returns its index."""
        cards = self._list(place)
        if not self.is_ordered(place):
            index = bisect_left(cards, card)
        cards.insert(index, card)
        return index

    def new_card(self, back: str, attributes: Mapping[str, str], place: Place) -> int:
        """Creates a card. Not on the trail: listing alternatives creates no cards."""
        index = self.new_card_at(back, attributes, place)
        self._insert(place, index, len(self._list(place)))
        return index

    def new_card_at(self, back: str, attributes: Mapping[str, str], place: Place) -> int:
        """Creates a card whose place already lists it."""
        number = self.made.get(back, 0)
        self.made[back] = number + 1
        index = len(self.cards)
        self.cards.append(Card(back, number, index, attributes))
        self.where.append(place)
        return index

    def move(self, card: int, place: Place, index: int | None) -> int:
        """Moves a card to an index of a place (None: on top); returns the index it got."""
        source = self.where[card]
        taken_from = self._list(source)
        was = taken_from.index(card)
        del taken_from[was]
        into = self._list(place)
        got = self._insert(place, card, len(into) if index is None else index)
        self.where[card] = place
        self.note(self._unmove, card, source, was, place, got)
        return got

    def _unmove(self, card: int, source: Place, was: int, place: Place, got: int) -> None:
        del self.places[place][got]
        self._list(source).insert(was, card)
        self.where[card] = source

    def refer(self, card: int, place: Place, index: int) -> None:
        """Adds a reference to a memory; the card itself stays where it is."""
        cards = self._list(place)
        cards.insert(index, card)
        self.note(cards.pop, index)

    def unrefer(self, place: Place, index: int) -> None:
        cards = self._list(place)
        self.note(cards.insert, index, cards.pop(index))

    def leave(self, snapshot: Snapshot, index: int) -> None:
        self.note(snapshot.cards.insert, index, snapshot.cards.pop(index))

    def rearrange(self, cards: list[int], order: Sequence[int]) -> None:
        """Reorders a place or a snapshot."""
        self.note(cards.__setitem__, slice(None), list(cards))
        cards[:] = order

    def cards_at(self, place: Place) -> list[int]:
        """The live list of a place, for rearranging."""
        return self._list(place)

    def swap_places(self, a: Place, b: Place) -> None:
        self._swap_places(a, b)
        self.note(self._swap_places, a, b)

    def _swap_places(self, a: Place, b: Place) -> None:
        self.places[a], self.places[b] = self._list(b), self._list(a)
        for place in (a, b):
            for card in self.places[place]:
                self.where[card] = place

    def swap_cards(self, a: int, b: int) -> None:
        """Exchanges the exact positions of two cards."""
        pa, pb = self.where[a], self.where[b]
        la, lb = self._list(pa), self._list(pb)
        self.note(self._restore_pair, pa, list(la), pb, list(lb), a, b)
        ia, ib = la.index(a), lb.index(b)
        la[ia], lb[ib] = b, a
        self.where[a], self.where[b] = pb, pa
        for place, cards in ((pa, la), (pb, lb)):
            if not self.is_ordered(place):
                cards.sort()

    def _restore_pair(self, pa: Place, la: list[int], pb: Place, lb: list[int], a: int, b: int) -> None:
        self.places[pa][:] = la
        self.places[pb][:] = lb
        self.where[a], self.where[b] = pa, pb

    # --- storages and cycles -------------------------------------------------------------------

    def store(self, space: dict[tuple[int, str], Any], key: tuple[int, str], value: Any) -> None:
        if key in space:
            self.note(space.__setitem__, key, space[key])
        else:
            self.note(space.__delitem__, key)
        space[key] = value

    def set_cycle(self, index: int, queue: int | None) -> None:
        self.note(self.seat_cycles.__setitem__, -1, self.seat_cycles[-1])
        self.seat_cycles[-1] = (index, queue)

    def enter(self, of: str) -> None:
        """Begins a stage: its cycle starts at the current one of the stage around it."""
        if of == "player":
            self.seat_cycles.append((self.current, None))
        else:
            self.team_cycles.append(self.team_cycles[-1])

    def leave_stage(self, of: str) -> None:
        (self.seat_cycles if of == "player" else self.team_cycles).pop()

    def advance(self, of: str) -> None:
        """Next round of a stage: on to the next seat or team."""
        if of == "player":
            self.seat_cycles[-1] = (self.next, None)
        else:
            self.team_cycles[-1] = (self.team_cycles[-1] + 1) % len(self.teams)

    def make_teams(self, teams: tuple[tuple[int, ...], ...]) -> None:
        """Replaces all teams and clears their storages; every team cycle starts at the first."""
        self.teams = teams
        self.team_cycles = [0] * len(self.team_cycles)
        spaces: tuple[dict[tuple[int, str], Any], ...] = (self.ints, self.strs, self.maps)
        for space in spaces:
            for key in [key for key in space if key[0] <= -2]:
                del space[key]

    @property
    def current(self) -> int:
        return self.seat_cycles[-1][0]

    @property
    def next(self) -> int:
        index, queue = self.seat_cycles[-1]
        return (index + 1) % self.seats if queue is None else queue

    @property
    def previous(self) -> int:
        return (self.current - 1) % self.seats


def _copy_value(value: Any, copies: dict[int, Snapshot]) -> Any:
    """Variables may share a snapshot; their copies must share its copy."""
    if isinstance(value, Snapshot):
        made = copies.get(id(value))
        if made is None:
            made = copies[id(value)] = Snapshot(value.cards)
        return made
    if isinstance(value, list):
        return [_copy_value(part, copies) for part in value]
    return value


def _value_content(value: Any) -> Any:
    if isinstance(value, Snapshot):
        return ("snapshot", tuple(value.cards))
    if isinstance(value, list):
        return [_value_content(part) for part in value]
    return None if value is UNBOUND else value
