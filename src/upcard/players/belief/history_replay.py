"""Replays a history from the deal with the game's own code and derives the outcomes of its shuffles."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from upcard.engine.api import Record, walk_records
from upcard.engine.native.state import NativeState
from upcard.players.belief import action_match as k
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.history_steps import Inconsistent, Step
from upcard.players.search.search_code import Opening


class PlayedAgain(Evidence):
    """A history with the state that it leads to."""

    @property
    def pc(self) -> int:
        """The step of the program that asks."""
        return self.state.words[self.machine.layout.words["pc"]]

    @property
    def address(self) -> int:
        return self._packed.buffer_info()[0]

    def _pack(self, checked: int, drawing: bool = False) -> None:
        """It must look as it was seen at so many decisions. `drawing`: for worlds; the history itself has its
        own picks everywhere."""
        head = [0] * k.HISTORY_HEAD
        for order in self.orders:
            head.append(len(order))
            head += order
        words = array("q", head)
        words[k.HISTORY_FIRST] = len(words)
        if drawing and any(step.seen != k.SEEN for step in self.steps):
            for n, step in enumerate(self.steps):
                eligible = self._eligible(n, step) if step.seen != k.SEEN else None
                words.extend(array("q", step.words(eligible)) if eligible else step.packed())
        else:
            words.extend(self._steps_packed())
        words[k.HISTORY_UNKNOWN] = len(words)
        if drawing:
            words.extend(self.set_of(self.unknown()))
            words.extend(self.set_of(self.movable()))
        words[k.HISTORY_DECISIONS], words[k.HISTORY_SHUFFLES] = len(self.steps), len(self.orders)
        words[k.HISTORY_CHECKS], words[k.HISTORY_CHECKS_AT] = checked, len(words)
        words[k.HISTORY_NUMBER] = self.number
        words.extend(self._closed)
        if self._blocks:
            words.extend(self._last_block())
        self._packed = words

    def believe(self, belief: array[int]) -> None:
        """What `move_likelihood` need, until the history goes on."""
        self._packed[k.HISTORY_BELIEF] = len(self._packed)
        self._packed.extend(belief)

    @property
    def believes(self) -> bool:
        return self._packed[k.HISTORY_BELIEF] != 0

    def _steps_packed(self) -> array[int]:
        """The words of all steps: those that have not changed are packed already."""
        steps, told = self.steps, len(self._packed_for)
        if steps[:told] != self._packed_for:
            self._packed_steps, told = array("q"), 0
        for step in steps[told:]:
            self._packed_steps.extend(step.packed())
        self._packed_for = steps[:]
        return self._packed_steps

    def indices(self) -> list[int]:
        """Of the alternatives, where the history or a world of it was last played."""
        found = []
        at = self._packed[k.HISTORY_FIRST]
        for _ in self.steps:
            found.append(self._packed[at + 10])
            at += self._packed[at]
        return found

    def _eligible(self, number: int, step: Step) -> list[int]:
        """Cards that a hidden pick may have taken though they are not exchanged, as a set: seen earlier, not
        since. Empty if the pick has come to light."""
        picked = step.hidden_cards
        if any(self.named.get(card, 0) > number for card in picked):
            return []
        hidden = any(self.is_unknown(card) for card in picked)
        if hidden and len(picked) > 1:
            return []
        return self.set_of(self._eligible_cards(number, step))

    def _eligible_cards(self, number: int, step: Step) -> list[int]:
        unknown, named, epoch = self.unknown_set(), self.named, self.epoch
        return [
            card
            for card in range(len(self.machine.layout.cards))
            if card not in unknown and named.get(card, 0) <= number and epoch.get(card, -1) < step.shuffles
        ]

    def _retrace(self) -> None:
        """The game from the deal on."""
        m = self.machine
        m.listed = self
        m.work.limits(self.limits.decisions, self.limits.steps)
        upto = len(self.steps)
        self._pack(min(upto, len(self._blocks)))
        reached = m.code.retrace(
            m.base, self.address, m.same, self.state.address, m.work.address, *m.spare, upto
        )
        if reached != upto:
            self._fresh = False
            raise Inconsistent(f"decision {reached % 1_000_000} would have been impossible")
        self._fresh = True

    def _replay(self) -> NativeState:
        """The same game in the engine that tells what it does."""
        self._retrace()
        ids = [[self.card_id(card) for card in order] for order in self.orders]
        state = self.machine.game.native_deal(0, self.number, stacked=ids, limits=self.limits)
        for index in self.indices():
            state.play(index)
        return state

    def _reach(self) -> None:
        m = self.machine
        if not self._fresh:
            self._retrace()
        elif m.listed is not self:
            m.listed = self
            m.work.limits(self.limits.decisions, self.limits.steps)
            m.code.stack(m.base, m.work.address, self.address, m.same)
            m.compiled.relist(self.state.address, m.work.address)
        shuffles = self.state.words[m.layout.words["shuffles"]]
        if shuffles > len(self.orders):
            self._learn_shuffles(shuffles)
            self._retrace()

    def _learn_all_shuffles(self) -> None:
        """Those on the way as far as the history goes."""
        if not self.orders:
            self._learn_shuffles(self.state.words[self.machine.layout.words["shuffles"]])

    def _learn_shuffles(self, shuffles: int) -> None:
        """What chance made of new shuffles in this history, read from the record of the same game."""
        opening = not self.steps and not self.orders and self.before is None
        if opening and self._opened(shuffles):
            return
        records = self._replay().records
        if opening and shuffles == 1:
            # always of the same deal: a history must not depend on what was played before
            self.machine.opening = _opening(records, self.machine.numbers)
            if self._opened(shuffles):
                return
        made = [[self._card(card) for card in r["cards"]] for r in _shuffles(records)]
        for order in made[len(self.orders) : shuffles]:
            earlier = self.before.orders[len(self.orders) :] if self.before else []
            self._add_order(earlier[0] if earlier and sorted(earlier[0]) == sorted(order) else order)

    def _opened(self, shuffles: int) -> bool:
        """Games open alike: which position of the shuffled pack goes where is known from another deal, and
        so where in it the cards must have been that were seen."""
        opening = self.machine.opening
        if opening is None or shuffles != 1:
            return False
        cards, moves = opening
        seen = list(walk_records(self.records[: self._read_up_to()]))
        order: list[int | None] = [None] * len(cards)
        for line, key, part in moves:
            card = seen[line].get(key) if line < len(seen) else None
            if card is not None:
                order[part] = self._card(card)
        laid = set(order)
        left = [card for card in cards if card not in laid]
        if len(left) != order.count(None):
            return False
        self._add_order([left.pop() if card is None else card for card in order])
        return True

    def _add_order(self, order: list[int]) -> None:
        number = len(self.orders)
        self._learned += 1
        self.orders.append(order)
        seen = set(order) if self._was_shown(number) else self._seen_since(number)
        for i, card in enumerate(order):
            self.epoch[card], self.part[card] = number, i
            self.bans.pop(card, None)
            if card in seen:
                self.known.add(card)
            else:
                self.known.discard(card)
            self._surfaced.discard(card)

    def swaps(self) -> array[int]:
        """Every card has its own part."""
        if self._swaps_for != self._learned:
            self._swaps, self._swaps_for = array("q", self.machine.same_swaps), self._learned
            for card, epoch in self.epoch.items():
                self._swaps[2 * card + 1] = epoch
        return self._swaps[:]

    def _arrivals(self) -> array[int]:
        """Per card where it lies in the history, and after how many decisions it came there."""
        m = self.machine
        self._retrace()
        cards = len(m.layout.cards)
        came = array("q", bytes(16 * cards))
        m.code.note_arrivals(
            m.base,
            self.address,
            m.room.address,
            m.work.address,
            len(self.steps),
            cards,
            came.buffer_info()[0],
        )
        m.compiled.relist(self.state.address, m.work.address)
        return came

    def _agrees(self) -> bool:
        """Whether the history looks as the seat saw it."""
        m = self.machine
        seen, (located, cards) = self._blocks[-1].buffer_info()[0], self.located.buffer_info()
        return bool(m.code.agrees(m.base, self.state.address, seen, located, cards))


def _opening(records: Sequence[Record], numbers: Mapping[str, int]) -> Opening:
    """Of a deal up to its first decision: the cards of its only shuffle, and for every line that moves one of
    them the line's number, the key of the card, and the card's position in the outcome."""
    place: dict[str, int] = {}
    moves = []
    for n, line in enumerate(walk_records(records)):
        if line["do"] == "shuffle":
            place = {card: i for i, card in enumerate(line["cards"])}
        for key in ("card", "other"):
            if line.get(key) in place:
                moves.append((n, key, place[line[key]]))
    return sorted(numbers[card] for card in place), moves


def _shuffles(records: Sequence[Record]) -> Iterable[Record]:
    for record in records:
        for line in (record, *record.get("actions", ())):
            if line["do"] == "shuffle":
                yield line
