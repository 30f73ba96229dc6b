"""Visibility tables of a game, prepared for `action_id` and `infoset_key`."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

from upcard.engine.api import Move
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import add
from upcard.engine.native.kernels.random_numbers import name_word
from upcard.engine.shared.flat_program import Ask
from upcard.players.belief.action_match import BIT, CARD, CARDS, ONE_CARD, PLAIN, RECORDED
from upcard.players.search import action_id as k
from upcard.players.search.search_code import SearchCode
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind

MAX_NAMED = 1 << 14


class Visibility:
    """The table of one game, and the identities of moves."""

    def __init__(self, machine: SearchCode) -> None:
        layout, lowered = machine.layout, machine.lowered
        self.lowered = lowered
        self.numbers, self.places, self.strings = machine.numbers, machine.places, layout.strings
        places, code = layout.places, machine.game.code
        asks = {n: step for n, step in enumerate(code) if isinstance(step, Ask)}
        sites = {site: _sort(kind, as_place) for site, (kind, as_place) in lowered.sites.items()}
        for ask in asks.values():
            sites.update(dict.fromkeys(ask.open_sites, k.SHOWN_CARD))
        words = [0] * (k.VisibilityTable.size // 8)
        head: dict[str, int] = {}

        def begin(part: str) -> None:
            head[part] = len(words)

        words.append(-1)  # before the first place: what all see, wherever it lies
        begin("sees_at")
        seats = min(layout.seats, k.MAX_SEATS)
        words += [sum(1 << s for s in place.seats_that_see(seats)) for place in places]
        begin("sites_at")
        words += [sites.get(site, PLAIN) for site in range(max(sites, default=-1) + 1)]
        begin("stored_at")
        stored = [
            first + i
            for space in (layout.ints, layout.strs)
            for (owner, _), first in space.items()
            for i in range(layout.owners(owner))
        ]
        words += [word for n, at in enumerate(stored) for word in (at, name_word(n, 1) | 1)]
        head["stored"] = len(stored)
        begin("parts_at")
        # control and storages; cards come by where they lie, and lists by what they hold
        parts = [(layout.words["pc"], 1), (layout.words["seat_index"], 0)]
        parts[1] = (parts[1][0], layout.size_words - parts[1][0])
        if layout.moving_faces:
            parts.append((layout.faces_at // 8, (layout.size - layout.faces_at) // 8))
        words += [word for part in parts for word in part]
        head["parts"] = len(parts)
        head |= {"places": len(places), "room": layout.room}
        begin("steps_at")
        first = len(words)
        words += [0] * len(code)
        self.hows: dict[int, list[int]] = {}
        for pc, ask in asks.items():
            words[first + pc] = len(words)
            self.hows[pc] = [_how(machine, pc, i, item) for i, item in enumerate(ask.choice.items)]
            seat = layout.words["seat_index"] + lowered.depths[pc].seat
            words += [seat, len(ask.choice.items), *self.hows[pc]]
        self.table = k.VisibilityTable.pack(**head, rest=words[k.VisibilityTable.size // 8 :])
        self.sites = sites
        self._named: dict[object, int] = {}
        """Identities by step and move: the same ones come back in every deal."""

    def identities(self, pc: int, moves: Sequence[Move]) -> list[int]:
        """The identities that `identify` gives the moves of an observation at a step of the program."""
        found = []
        for move in moves:
            picks = (
                (word, tuple(value) if word == "cards" else value)
                for pick in move.picks
                for word, value in pick.items()
            )
            key = (pc, move.item, move.copy, *picks)
            if key not in self._named:
                if len(self._named) >= MAX_NAMED:
                    self._named.clear()
                self._named[key] = self._identity(pc, move)
            found.append(self._named[key])
        return found

    def _identity(self, pc: int, move: Move) -> int:
        plain, total = name_word(1, move.item), 0
        how = self.hows[pc][move.item]
        blank = False
        if how == BIT:
            return name_word(name_word(plain, self._leaf(pc, move)), 0)
        for number, pick in enumerate(move.picks, 1):
            ((word, value),) = pick.items()
            cards: list[str | None] = [value] if word == "card" else value if word == "cards" else []
            if word == "cards":
                plain = name_word(plain, len(cards))
            if word not in ("card", "cards"):
                plain = name_word(plain, self._plain(word, value))
            for card in cards:
                blank = blank or card is None
                total = add(total, name_word(number, 0 if card is None else self.numbers[card] + 1))
        name = name_word(plain, total)
        return name if blank or not move.copy else name_word(name, move.copy)

    def _leaf(self, pc: int, move: Move) -> int:
        rows = self.lowered.leaves.get((pc, move.item))
        if not rows:
            return 0
        values = tuple(self._plain(*next(iter(pick.items()))) for pick in move.picks)
        bits = [bit for bit, row in enumerate(rows) if row == values]
        return bits[min(move.copy, len(bits) - 1)] if bits else -1

    def _plain(self, word: str, value: object) -> int:
        if word == "string":
            return self.strings.get(str(value), -1)
        return self.places[str(value)] if word == "place" else int(str(value))


def _sort(kind: Kind, as_place: bool) -> int:
    if kind is Kind.CARD:
        return ONE_CARD
    return CARDS if kind is Kind.CARDS and not as_place else PLAIN


def _how(machine: SearchCode, pc: int, number: int, item: p.Item) -> int:
    lowered = machine.lowered
    if not lowered.simple_items[pc][number]:
        return RECORDED
    while isinstance(item, p.When):
        item = item.item
    return CARD if isinstance(item, p.ForAny) and (pc, number) not in lowered.leaves else BIT


_known: weakref.WeakKeyDictionary[NativeGame, Visibility] = weakref.WeakKeyDictionary()


def visibility_of(machine: SearchCode) -> Visibility:
    if machine.game not in _known:
        _known[machine.game] = Visibility(machine)
    return _known[machine.game]
