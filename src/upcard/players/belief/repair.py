"""Repairs a history until it shows the seat what it saw, by directed and then random exchanges."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Iterable, Mapping

from upcard.engine.api import Record, walk_records
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.state import NativeState
from upcard.engine.rng import Stream
from upcard.players.belief import action_match as k
from upcard.players.belief.card_swaps import of_one_shuffle, words_of
from upcard.players.belief.history_replay import PlayedAgain
from upcard.players.belief.history_steps import Inconsistent, Step

MOST_REPAIRS = 10
FEW_CLIMBS = 200
MOST_CLIMBS = 5000


class Laid(PlayedAgain):
    """A history that is mended where it is wrong."""

    def _take(self, step: Step) -> None:
        """Go on by a step."""
        m = self.machine
        self.steps.append(step)
        if m.code.take(m.base, self.state.address, m.work.address, step.index):
            self._climb()

    def _try(self, change: Callable[[], bool | None]) -> bool:
        """A change of the history that may turn out to be none that can be told; gives whether it was
        made."""
        orders, part, steps = self.orders[:], dict(self.part), self.steps[:]
        try:
            made = change() is not False
            if made:
                self._reach()
            return made
        except Inconsistent:
            self.orders, self.part, self.steps = orders, part, steps
            self._fresh = False
            self._reach()
            return False

    def _mended(self) -> None:
        self._reach()
        for _ in range(MOST_REPAIRS):
            if self._agrees():
                return
            self._repair()
            self._reach()
        raise Inconsistent("the cards cannot all lie where they were seen")

    def _repair(self) -> None:
        """Tell the history as this seat would have seen it, and mend it where another card was seen."""
        state = self._replay()
        told = state.records_seen_by(self.seat)
        seen = self.records[: self._read_up_to()]
        other: dict[str, str] = {}
        changed = False
        for at, (mine, theirs) in enumerate(zip(walk_records(told), walk_records(seen), strict=False)):
            if any(mine.get(key) != theirs.get(key) for key in ("do", "from", "value")):
                changed = changed or self._mend(state, at, theirs)
                break
            for key in ("card", "other"):
                wanted, found = theirs.get(key), mine.get(key)
                if wanted is None or found is None:
                    continue
                found = other.get(str(found), str(found))
                if found != wanted:
                    changed = True
                    if not self._transpose(self._card(found), self._card(wanted)):
                        return
                    turned = {found: wanted, wanted: found}
                    both = {**{c: c for c in turned}, **other}
                    other = {c: turned.get(o, o) for c, o in both.items()}
        if not changed:
            self._lay()

    def _lay(self) -> None:
        """No line tells what is wrong: lay a card where it was seen, or try other draws and other cards."""
        where = self.where
        for card, place in enumerate(self.located):
            if place >= 0 and where[card] != place and card in self.epoch:
                self._put(card, place)
                return
        self.number += 1
        self._fresh = False
        unknown = self.unknown()
        stream = Stream((self.number, self.seat, len(self.steps)))
        for _ in range(20):
            one, other = (unknown[stream.below(len(unknown))] for _ in range(2)) if unknown else (0, 0)
            if where[one] != where[other] and self.epoch[one] == self.epoch[other]:
                self._transpose(one, other)
                return

    def _mend(self, state: NativeState, at: int, theirs: Record) -> bool:
        """Something else happens than was seen: perhaps since a card is not, or is, where it was not."""
        lying: dict[str, str] = {}
        mine: Record = {}
        for n, line in enumerate(walk_records(state.records)):
            mine = line
            if n == at:
                break
            if line["do"] == "move":
                lying[line["card"]] = line["to"]
        return self._bring(theirs, lying) or self._send(mine, lying)

    def _bring(self, line: Record, lying: Mapping[str, str]) -> bool:
        """A card was seen to leave a place where the history does not have it."""
        card = line.get("card") if line["do"] == "move" else None
        if card is None or lying.get(card) == line["from"] or self._card(card) not in self.epoch:
            return False
        parts = self._parts_in(line["from"], self._card(card), lying)
        if parts:
            self._exchange(self._card(card), parts, (self._card(card),))
        return bool(parts)

    def _send(self, line: Record, lying: Mapping[str, str]) -> bool:
        """A card leaves a place in the history, and nobody saw one leave: put another one there. No ban: it
        may be that not this card but all of them together could not be there, as four of a rank in a
        hand."""
        card = self._card(line["card"]) if line["do"] == "move" else None
        if card is None or not self.is_unknown(card):
            return False
        free = {self.part[c] for c in self.unknown() if self.epoch[c] == self.epoch[card]}
        self._exchange(card, free - self._parts_in(line["from"], card, lying))
        return True

    def _parts_in(self, place: str, card: int, lying: Mapping[str, str]) -> set[int]:
        """The parts of unknown cards that lay in a place, of the card's own shuffle."""
        cards = (self._card(c) for c, where in lying.items() if where == place)
        return {
            self.part[c]
            for c in cards
            if c in self.epoch and self.epoch[c] == self.epoch[card] and (self.is_unknown(c) or c == card)
        }

    def _transpose(self, found: int, wanted: int) -> bool:
        """Two cards change parts; where bans stand against it others must, and False is given."""
        epoch = self.epoch.get(wanted)
        if epoch is None and self._settle_pick(found, wanted):
            return False
        if epoch is None or self.epoch.get(found) != epoch:
            raise Inconsistent(f"{self.card_id(wanted)} was seen where {self.card_id(found)} must be")
        if (
            not (self.bans.get(wanted, 0) >> self.part[found] | self.bans.get(found, 0) >> self.part[wanted])
            & 1
        ):
            self._rename({found: wanted, wanted: found}, epoch)
            return True
        self._exchange(wanted, {self.part[found]}, (found, wanted))
        return False

    def _settle_pick(self, found: int, wanted: int) -> bool:
        """A hidden pick among cards that no shuffle hides has come to light."""
        for number, step in reversed(list(enumerate(self.steps))):
            if step.seen == k.DRAWN and found in step.cards:
                self.steps[number] = step.renamed({found: wanted, wanted: found}, k.SEEN)
                self._fresh = False
                return True
        return False

    def _put(self, card: int, place: int) -> None:
        """Exchange cards so that this one lies in the place where it was seen."""
        where = self.where
        astray = {c for c, p in enumerate(self.located) if p >= 0 and where[c] != p} | {card}
        epoch = self.epoch.get(card)
        free = self.unknown_set() | astray
        there = [c for c in free if where[c] == place and self.epoch.get(c) == epoch]
        if epoch is None or not there:
            name = self.machine.layout.places[place].text
            raise Inconsistent(f"{self.card_id(card)} cannot have come to {name}")
        self._exchange(card, {self.part[c] for c in there}, astray)

    def _exchange(self, card: int, parts: set[int], astray: Collection[int] = ()) -> None:
        """Let a card have one of these parts, and whoever had it another one, as bans allow. Cards that went
        astray have been seen, but do not lie there yet."""
        epoch = self.epoch[card]
        free = {c for c in (*self.unknown(), *astray) if self.epoch.get(c) == epoch}
        owner = {self.part[c]: c for c in free}
        taken: dict[int, int] = {}
        if not self._settle(card, sorted(parts), self.part[card], owner, set(), taken):
            raise Inconsistent(f"nothing else can take the part of {self.card_id(card)}")
        self._rename({owner[part]: taker for part, taker in taken.items()}, epoch)

    def _settle(
        self,
        moving: int,
        wanted: Iterable[int],
        last: int,
        owner: Mapping[int, int],
        tried: set[int],
        taken: dict[int, int],
    ) -> bool:
        """Find a card one of these parts, and whoever had it another one, until one has the last part: gives
        whether there is a way."""
        bans = self.bans.get(moving, 0)
        for part in wanted:
            if part in tried or bans >> part & 1:
                continue
            tried.add(part)
            if part == last or self._settle(owner[part], owner, last, owner, tried, taken):
                taken[part] = moving
                return True
        return False

    def _rename(self, new: Mapping[int, int], epoch: int) -> None:
        """From a card to the one that takes its part."""
        parts = {taker: self.part[card] for card, taker in new.items()}
        self.part.update(parts)
        self.orders[epoch] = [new.get(card, card) for card in self.orders[epoch]]
        for number, step in enumerate(self.steps):
            if step.seen == k.TOKEN and step.shuffles > epoch:
                self.steps[number] = step.renamed(new)
        self._fresh = False

    def _climb(self) -> None:
        """Exchange cards at random as long as that brings the history further; then also think again about
        what was picked unseen. A few tries of both first: mostly one of them is just what is missing."""
        failed: Inconsistent | None = None
        for tries in (FEW_CLIMBS, MOST_CLIMBS):
            try:
                self._exchange_at_random(tries)
                return
            except Inconsistent as error:
                failed = error
            for number, step in reversed(list(enumerate(self.steps))):
                picked = step.hidden_cards
                if len(picked) != 1:
                    continue
                eligible = self._eligible_cards(number, step)
                # a card that came last into sight is most likely still within reach
                for card in sorted(eligible, key=lambda card: -self.named.get(card, -1)):
                    if card not in picked and self._repicked(number, card):
                        return
        assert failed is not None
        raise failed

    def _repicked(self, number: int, card: int) -> bool:
        """Try the history with another card picked unseen at a decision; gives whether it can be told so."""
        step = self.steps[number]
        change = dict.fromkeys(step.hidden_cards, card)
        self.steps[number] = step.renamed(change, k.DRAWN)
        self._fresh = False
        try:
            self._exchange_at_random(MOST_CLIMBS // 10)
            return True
        except Inconsistent:
            self.steps[number] = step
            self._fresh = False
            return False

    def _exchange_at_random(self, tries: int) -> None:
        m = self.machine
        self._learn_all_shuffles()
        cards = self.movable()
        if len(cards) < 2:
            raise Inconsistent("nothing can be exchanged")
        m.listed = None
        m.work.limits(self.limits.decisions, self.limits.steps)
        pairs = words_of(of_one_shuffle(self, cards))
        swaps = self.swaps()
        stream = (ctypes.c_int64 * 4)(*(signed(w) for w in Stream((len(self.steps), self.seat)).state))
        upto = len(self.steps)
        self._pack(len(self._blocks))
        got = m.code.wander(
            m.base,
            self.address,
            pairs.buffer_info()[0],
            len(cards),
            swaps.buffer_info()[0],
            self.state.address,
            m.room.address,
            m.work.address,
            ctypes.addressof(stream),
            ctypes.addressof(m.scratch),
            upto,
            tries,
            k.CLIMBING,
        )
        for epoch in range(len(self.orders)):
            new = {c: swaps[2 * c] for c in cards if self.epoch[c] == epoch and swaps[2 * c] != c}
            if new:
                self._rename(new, epoch)
        self._fresh = False
        if got != 2000 * upto + 2000:
            raise Inconsistent(f"decision {got // 2000} would have been impossible")
        self._reach()
