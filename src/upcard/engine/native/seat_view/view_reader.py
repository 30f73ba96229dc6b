"""Reads what the kernels wrote: the words of one program's views, as fields of observations.

A reader knows the program, and nothing of any game in progress.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from upcard.engine.api import Move, Pick, Record, owner_text
from upcard.engine.native.event_log import Awards, Words
from upcard.engine.native.lower.runtime import (
    CYCLE,
    DECK,
    EXCHANGE,
    FORGET,
    MOVE,
    POINTS,
    REMEMBER,
    SET_INT,
    SET_STR,
    SHUFFLE,
    SWAP,
    TEAMS,
)
from upcard.engine.native.seat_view.seat_log import VALUE
from upcard.engine.native.seat_view.view_facts import captured, pick_sort
from upcard.engine.shared.effect_records import awards_json
from upcard.engine.shared.flat_program import StageStep
from upcard.engine.shared.table import Table, single_seats
from upcard.engine.shared.views import menu_order
from upcard.recycle.kinds import Kind

if TYPE_CHECKING:
    from upcard.engine.native.game import NativeGame

_MASK = (1 << 64) - 1
_PICK_WORDS = {
    Kind.CARD: "card",
    Kind.PLAYER: "seat",
    Kind.TEAM: "team",
    Kind.INT: "number",
    Kind.STR: "string",
}
_SORTS = {word: pick_sort(kind, False) for kind, word in _PICK_WORDS.items()}
_SORTS |= {"cards": pick_sort(Kind.CARDS, False), "place": pick_sort(Kind.CARDS, True)}
MAX_KEPT = 4096
"""Texts of moves, sets of places and point maps that are kept, because they come back in every deal."""


class Chooser:
    """What the narrator needs to know of a state."""

    def __init__(self, faces: dict[str, Mapping[str, str]], to_move: int) -> None:
        self.faces, self.to_move = faces, to_move


class ViewReader:
    """One program's."""

    def __init__(self, game: NativeGame) -> None:
        words: Words = game.words
        layout = words.lowered.layout
        self.words = words
        self.seats = game.seats
        self.narrator = game.narrator
        self.sites = words.lowered.sites
        self.strings = words.strings
        self.ids = [f"{card.back}:{card.number}" for card in layout.cards]
        self.faces: dict[str, Mapping[str, str]] = {
            name: card.attributes for name, card in zip(self.ids, layout.cards, strict=True)
        }
        self.places = [place.text for place in layout.places]
        self.ordered = [listed >= 0 for listed in layout.list_offsets]
        self.place_words = max(1, -(-len(self.places) // 64))
        self.stages = {n: step for n, step in enumerate(game.code) if isinstance(step, StageStep)}
        source = game.program.source
        self.lines = {n: source.line(step.stage.span.start) for n, step in self.stages.items()}
        self.order = layout.facts.order
        self.alone = game.program.setup.teams is None
        stored = min([*words.ints, *words.strs], default=0)
        self.ints = _by_owner(words.ints, stored)
        self.strs = _by_owner(words.strs, stored)
        self.stored = len(words.ints) + len(words.strs)
        first_maps = [
            first + i * layout.map_stride
            for (owner, _), first in layout.maps.items()
            for i in range(layout.owners(owner))
        ]
        self.maps = [words.maps[first] for first in first_maps]
        self.captured = [captured(site) for site in words.lowered.map_sites]
        self._numbers = {card: number for number, card in enumerate(self.ids)}
        self._places = {text: number for number, text in enumerate(self.places)}
        self._strings = {text: number for number, text in enumerate(self.strings)}
        self._sorts = {site: pick_sort(*sort) for site, sort in self.sites.items()}
        self._move_texts: dict[object, str] = {}
        self._place_sets: dict[tuple[int, ...], list[str]] = {}
        self._point_maps: dict[object, Awards] = {}

    def first_cycles(self) -> Table:
        """Teams and cycles before anything happens."""
        table = Table(self.seats, 0, self.order, all_ordered=False)
        if self.alone:
            table.make_teams(single_seats(self.seats))
        return table

    # --- events --------------------------------------------------------------------------------

    def card(self, number: int) -> str | None:
        return None if number < 0 else self.ids[number]

    def pick_word(self, site: int) -> str:
        """What a pick is called in JSON."""
        kind, as_place = self.sites[site]
        if kind is Kind.CARDS:
            return "place" if as_place else "cards"
        return _PICK_WORDS[kind]

    def pick(self, site: int, values: Sequence[int]) -> Pick:
        word = self.pick_word(site)
        if word == "cards":
            known: list[str | None] = [self.ids[card] for card in values if card >= 0]
            return {"cards": known + [None] * (len(values) - len(known))}
        (value,) = values
        if word == "card":
            return {"card": self.card(value)}
        if word == "place":
            return {"place": self.places[value]}
        return {word: self.strings[value] if word == "string" else value}

    def move_words(self, move: Move) -> list[int]:
        """A move as words for `find_move`. Raises an exception if it is none of this game, or has a hidden
        card."""
        words = [move.item, move.copy, len(move.picks)]
        for pick in move.picks:
            ((word, value),) = pick.items()
            if word == "cards":
                cards = [self._numbers[card] for card in value]
                words += [_SORTS[word], len(cards), *cards]
                continue
            if word in ("card", "place", "string"):
                value = {"card": self._numbers, "place": self._places, "string": self._strings}[word][value]
            words += [_SORTS[word], VALUE, value]
        return words

    def event(self, kind: int, values: Sequence[int], listed: bool = False) -> Record:
        """The record of an event as a seat sees it; `listed` of an alternative's effect."""
        places = self.places
        if kind == MOVE:
            card, source, target, index, by_position = values
            made: Record = {
                "do": "move",
                "card": self.card(card),
                "from": places[source],
                "to": places[target],
            }
            if self.ordered[target]:
                made["index"] = index
            if by_position:
                made["by_position"] = True
            return made
        if kind in (SET_INT, SET_STR):
            owner, name = (self.words.ints if kind == SET_INT else self.words.strs)[values[0]]
            value = values[1] if kind == SET_INT else self.strings[values[1]]
            return {"do": "set", "owner": owner_text(owner), "name": name, "value": value}
        if kind == CYCLE:
            return {"do": "cycle", "which": "current" if values[0] else "next", "seat": values[1]}
        if kind == SHUFFLE:
            return _shuffle(self, values, listed)
        if kind == REMEMBER:
            card, where, memory, index = values
            origin = {"from": places[where], "to": places[memory]}
            return {"do": "remember", "card": self.card(card), **origin, "index": index}
        if kind == FORGET:
            card, memory, index = values
            return {"do": "forget", "card": self.card(card), "from": places[memory], "index": index}
        if kind == SWAP:
            return {"do": "swap", "from": places[values[0]], "to": places[values[1]]}
        if kind == EXCHANGE:
            card, source, other, target = values
            made = {"do": "swap", "card": self.card(card), "from": places[source]}
            return {**made, "other": self.card(other), "to": places[target]}
        if kind == POINTS:
            owner, name = self.words.maps[values[0]]
            awards = awards_json(self._awards(values[1], tuple(values[2:])))
            return {"do": "points", "owner": owner_text(owner), "name": name, "awards": awards}
        if kind == TEAMS:
            teams = self.words.teams(values[0], values[1:], self.seats)
            return {"do": "teams", "teams": [list(team) for team in teams]}
        if kind == DECK:
            place, first, count = values
            cards = {name: dict(self.faces[name]) for name in self.ids[first : first + count]}
            return {"do": "create", "place": places[place], "cards": cards}
        return {"do": "pass"}

    # --- moves ---------------------------------------------------------------------------------

    def moves(self, words: tuple[int, ...], at: int, to_move: int) -> tuple[Move, ...]:
        """The moves that begin at a word of a view."""
        chooser = Chooser(self.faces, to_move)
        made: list[tuple[Move, Any, bool]] = []
        count, at = words[at], at + 1
        for _ in range(count):
            item, blank, picked = words[at : at + 3]
            at += 3
            picks, name = [], [item]
            for _ in range(picked):
                site, cards = words[at], words[at + 1]
                values = words[at + 2 : at + 2 + (1 if cards == VALUE else cards)]
                picks.append(self.pick(site, values))
                name += [self._sorts[site], cards, *values]
                at += 2 + len(values)
            does_more, size = words[at], words[at + 1]
            at += 2
            effects = [self.event(kind, event, True) for kind, event in _events(words, at, at + size)]
            if does_more:
                effects.append({"do": "hidden"})
            shown, done = tuple(effects), (to_move, does_more, words[at : at + size])
            at += size
            text = self._move_texts.get(done)
            if text is None:
                if len(self._move_texts) >= MAX_KEPT:
                    self._move_texts.clear()
                text = self._move_texts[done] = self.narrator.move(shown, chooser)
            made.append((Move(item, tuple(picks), 0, shown, text), tuple(name), bool(blank)))
        made.sort(key=lambda entry: menu_order(entry[0], entry[2]))
        counts: dict[Any, int] = {}
        moves = []
        for move, key, _ in made:
            copy = counts[key] = counts.get(key, -1) + 1
            moves.append(Move(move.item, move.picks, copy, move.effects, move.text) if copy else move)
        return tuple(moves)

    # --- the table -----------------------------------------------------------------------------

    def table(self, words: tuple[int, ...], at: int, given: Mapping[tuple[int, str], int]) -> dict[str, Any]:
        """The fields of an observation that say what lies on the table, from a word of a view on."""
        depth = words[at]
        seat_cycles = []
        for n in range(depth + 1):
            index, queue = words[at + 1 + 2 * n : at + 3 + 2 * n]
            seat_cycles.append([index, None if queue < 0 else queue])
        at += 3 + 2 * depth
        team_cycles = list(words[at + 1 : at + 2 + words[at]])
        at += 2 + words[at]
        teams = []
        count, at = words[at], at + 1
        for _ in range(count):
            teams.append(tuple(words[at + 1 : at + 1 + words[at]]))
            at += 1 + words[at]
        integers = [(key, words[at + word]) for word, key in self.ints if words[at + word]]
        if given:
            # a match may set storages that the program does not have
            known = {key for _, key in self.ints}
            integers = sorted([*integers, *((key, n) for key, n in given.items() if n and key not in known)])
        texts = [(key, self.strings[words[at + word]]) for word, key in self.strs]
        at += self.stored
        points = {}
        for key in self.maps:
            site, at = words[at] - 1, at + 1
            if site >= 0:
                points[key] = awards_json(self._awards(site, words[at : at + self.captured[site]]))
                at += self.captured[site]
        places: dict[str, tuple[str | None, ...]] = {}
        backs: dict[str, tuple[str, ...]] = {}
        shown, at = words[at], at + 1
        for _ in range(shown):
            number, count, seen = words[at : at + 3]
            values, text = words[at + 3 : at + 3 + count], self.places[number]
            at += 3 + count
            if seen:
                places[text] = tuple([self.ids[card] for card in values])
            else:
                places[text] = (None,) * count
                lying = [self.strings[back] for back in values]
                backs[text] = tuple(lying if self.ordered[number] else sorted(lying))
        return {
            "teams": tuple(teams),
            "places": places,
            "backs": backs,
            "integers": {_storage(key): value for key, value in integers},
            "strings": {_storage(key): text for key, text in texts if text},
            "points": {_storage(key): points[key] for key in sorted(points)},
            "cycles": {"seats": seat_cycles, "teams": team_cycles},
        }

    def memory(self, words: Sequence[int], at: int) -> dict[str, Record]:
        """Where a seat's face-down cards can be."""
        wide = self.place_words
        found: dict[str, Record] = {}
        count, at = words[at], at + 1
        for _ in range(count):
            where = tuple(words[at + 2 : at + 2 + wide])
            found[self.ids[words[at]]] = {"where": [*self._place_texts(where)], "placed": bool(words[at + 1])}
            at += 2 + wide
        return found

    def _place_texts(self, where: tuple[int, ...]) -> list[str]:
        known = self._place_sets.get(where)
        if known is None:
            bits = sum((word & _MASK) << (64 * n) for n, word in enumerate(where))
            known = sorted(self.places[n] for n in range(bits.bit_length()) if bits >> n & 1)
            if len(self._place_sets) >= MAX_KEPT:
                self._place_sets.clear()
            self._place_sets[where] = known
        return known

    def _awards(self, site: int, captured: tuple[int, ...]) -> Awards:
        key = site, captured
        known = self._point_maps.get(key)
        if known is None:
            if len(self._point_maps) >= MAX_KEPT:
                self._point_maps.clear()
            known = self._point_maps[key] = self.words.awards(site, captured)
        return known


def unpack(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 8}q", data)


def _by_owner(space: Mapping[int, tuple[int, str]], first: int) -> list[tuple[int, tuple[int, str]]]:
    """Storages in the order of observations, each with its word."""
    return sorted(((word - first, key) for word, key in space.items()), key=lambda entry: entry[1])


def _storage(key: tuple[int, str]) -> str:
    return f"{owner_text(key[0])}.{key[1]}"


def _events(words: Sequence[int], at: int, end: int) -> list[tuple[int, Sequence[int]]]:
    found = []
    while at < end:
        found.append((words[at], words[at + 2 : at + 2 + words[at + 1]]))
        at += 2 + words[at + 1]
    return found


def _shuffle(reader: ViewReader, values: Sequence[int], listed: bool) -> Record:
    place, *rest = values
    cards: list[str | None] | None = None
    if place >= 0:
        size, *seen = rest
        cards = [reader.ids[card] for card in seen] if seen else [None] * size
    made: Record = {"do": "shuffle", "place": None if place < 0 else reader.places[place], "cards": cards}
    return {**made, "given": False} if listed else made
