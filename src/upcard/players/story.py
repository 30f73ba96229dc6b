"""One way in which all that a seat has seen can have come about.

An observation tells what its seat saw, not what happened: shuffles and hidden picks are blank. A story fills
the blanks: an outcome for every shuffle and a pick for every hidden choice, such that the game's own code,
played again from the deal, shows the seat just what it saw. Nothing but the record and the program's own
legality is used; suits and tricks are unknown here.

A card that the seat has seen since it was last shuffled keeps its part (its position in the outcome of that
shuffle). Every other card is unknown, and so is who takes its part; what the seat may infer about it is kept
as bans: a card cannot have a part that was in a place where, at some watched move, it would have made that
move impossible (whoever does not follow suit has none). How bans are found: the move is tried on the very
state at that decision, with each unknown card in turn as the only unknown one in the chooser's place.

The story itself is not more likely than others: `worlds.py` deals the unknown cards anew, all ways alike, and
plays the story again with them.
"""

from __future__ import annotations

import ctypes
import functools
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from upcard.engine.chance import Stream
from upcard.engine.contract import Limits, Observation, Place, Record, happenings
from upcard.engine.native.lower.runtime import ITEMS_AT, MASK_WORDS, MASKS_AT
from upcard.engine.native.memory import MASK, Memory, signed
from upcard.engine.native.state import EMPTY, NativeState
from upcard.engine.shared.code import Bind
from upcard.players import retracing_kernels as k
from upcard.players.machine import NEVER, Machine, Opening
from upcard.players.watching import Watch
from upcard.recycle.kinds import Kind

MOST_REPAIRS = 100
MOST_CLIMBS = 5000


class Inconsistent(Exception):
    """No story was found that shows the seat what it saw."""


@dataclass
class Step:
    """A decision of the story."""

    pc: int
    item: int
    how: int
    value: int
    shuffles: int
    copy: int
    seen: int
    before: list[int]
    picks: list[tuple[int, int | list[int]]]
    index: int = 0
    """Among the alternatives of the story."""

    def words(self, eligible: Sequence[int] = ()) -> list[int]:
        """`eligible`: a set of cards of which one may have been picked instead, unseen."""
        picks: list[int] = []
        for kind, value in self.picks:
            picks += [kind, len(value), *value] if isinstance(value, list) else [kind, value]
        seen = k.DRAWN if eligible else k.TOKEN if self.seen == k.DRAWN else self.seen
        head = [self.pc, self.item, self.how, self.value, self.shuffles, self.copy, seen]
        last = 13 + len(self.before) + len(picks)
        body = [*head, len(self.before), len(self.picks), 0, last, 0, *self.before, *picks, *eligible]
        return [1 + len(body), *body]

    @property
    def cards(self) -> list[int]:
        """Those that were picked."""
        return [self.value] if self.how == k.CARD else [c for pick in self.picks for c in _cards(pick)]

    def rename(self, new: Mapping[int, int]) -> None:
        """Other cards take the hidden picks."""
        if self.how == k.CARD:
            self.value = new.get(self.value, self.value)
        self.picks = [
            (kind, [new.get(card, card) for card in value])
            if isinstance(value, list) and kind & k.HIDDEN
            else (kind, new.get(value, value) if kind == k.ONE_CARD | k.HIDDEN else value)  # type: ignore[arg-type]
            for kind, value in self.picks
        ]

    @property
    def hidden_cards(self) -> list[int]:
        """Those that were picked unseen."""
        if self.seen == k.SEEN:
            return []
        if self.how == k.CARD:
            return [self.value]
        return [c for pick in self.picks if pick[0] & k.HIDDEN for c in _cards(pick)]


@dataclass
class Story:
    machine: Machine
    seat: int
    limits: Limits
    records: tuple[Record, ...] = ()
    orders: list[list[int]] = field(default_factory=list)
    """The outcome of every shuffle, as card numbers."""
    shown: list[bool] = field(default_factory=list)
    """Whether the seat saw that outcome."""
    steps: list[Step] = field(default_factory=list)
    located: dict[int, int] = field(default_factory=dict)
    """Cards that the seat knows to be in a certain place."""
    named: dict[int, int] = field(default_factory=dict)
    """Per card after how many decisions the record last named it."""
    mobile: set[int] = field(default_factory=set)
    """Known cards that may have come to where they were seen at another time than the story has it."""
    known: set[int] = field(default_factory=set)
    """Cards that it has seen since they were shuffled last."""
    bans: dict[int, int] = field(default_factory=dict)
    """Per unknown card the parts of its shuffle that it cannot have had, as a set of positions."""
    epoch: dict[int, int] = field(default_factory=dict)
    part: dict[int, int] = field(default_factory=dict)
    before: Story | None = None
    """An earlier attempt: its shuffles are tried first, and the cards it had come to know are not hidden."""
    number: int = 0
    """Of the deal whose chance the story has, beside its shuffles."""
    state: Memory = field(init=False)
    """The story's game at the decision that is being reached."""
    _fresh: bool = False
    """Whether the state is of the story as it is now."""
    _packed: Any = None
    _stacks: Any = None

    def __post_init__(self) -> None:
        self.state = Memory(self.machine.layout.size)
        self.watch = Watch(self.machine, self.seat)
        self._blocks: list[array[int]] = []
        self._wanted: list[array[int]] = []
        self._came: dict[tuple[int, int], tuple[int, int]] = {}
        self._surfaced: set[int] = set()

    # --- following the record -------------------------------------------------------------------

    def follow(self, observation: Observation) -> None:
        """Go on to what is seen now. Raises `Inconsistent`."""
        new = observation.records[len(self.records) :]
        self.records = observation.records
        for record in new:
            if record["do"] == "decision":
                self._arrive(record["seat"])
                self._decide(record)
                for action in record["actions"]:
                    self._see(action)
            else:
                self._see(record)
        self._arrive(observation.to_move)
        self._meet(observation)

    def _see(self, record: Record) -> None:
        do = record["do"]
        self.watch.see(record)
        for key, place in (("card", "from"), ("other", "to")):
            if record.get(key) is not None:
                self._name(self._card(record[key]), record[place])
        if do == "move":
            self._moved(record["card"], record["from"], record["to"])
        elif do == "create":
            place = self._place(record["place"])
            for card in record["cards"]:
                self.located[self._card(card)] = place
        elif do == "shuffle":
            self._shuffled(record)
        elif do == "swap" and "card" in record:
            self._moved(record["card"], record["from"], record["to"])
            self._moved(record["other"], record["to"], record["from"])
        elif do == "swap":
            a, b = self._place(record["from"]), self._place(record["to"])
            other = {a: b, b: a}
            self.located = {card: other.get(place, place) for card, place in self.located.items()}
        elif do == "remember" and record["card"] is not None:
            self.known.add(self._card(record["card"]))

    def _name(self, card: int, place: str) -> None:
        """The record names a card as it leaves a place (or is remembered there)."""
        number = len(self.steps)
        if self._wanted and not self.machine.layout.places[self._place(place)].seen_by(self.seat):
            if not (self.named.get(card, -1) == number and number == len(self._blocks)):
                self._wanted[-1].extend((card, self._place(place)))
        self.named[card] = number

    def _moved(self, card: str | None, source: str, target: str) -> None:
        if card is not None:
            number = self._card(card)
            self.known.add(number)
            self.located[number] = self._place(target)
            return
        # some card has left: none that was there is certain to be there still
        place = self._place(source)
        self.located = {c: p for c, p in self.located.items() if p != place}

    def _shuffled(self, record: Record) -> None:
        cards = record["cards"]
        shown = all(card is not None for card in cards)
        self.shown.append(shown)
        if not shown and record["place"] is not None:
            place = self._place(record["place"])
            self.located = {c: p for c, p in self.located.items() if p != place}

    def _card(self, card: str) -> int:
        try:
            return self.machine.numbers[card]
        except KeyError:
            raise Inconsistent(f"{card} is no card of this game") from None

    def _place(self, text: str) -> int:
        try:
            return self.machine.places[text]
        except KeyError:
            raise Inconsistent(f"{text} is no place of this game") from None

    # --- playing it again -----------------------------------------------------------------------

    @property
    def address(self) -> int:
        assert self._packed is not None, "packed when the present was reached"
        return ctypes.addressof(self._packed)

    def _pack(self, checked: int, drawing: bool = False) -> None:
        """It must look as it was seen at so many decisions. `drawing`: for worlds; the story itself has its
        own picks everywhere."""
        orders = [word for order in self.orders for word in (len(order), *order)]
        steps: list[int] = []
        for n, step in enumerate(self.steps):
            steps += step.words(self._eligible(n, step) if drawing and step.seen != k.SEEN else ())
        unknown: list[int] = []
        if drawing:
            unknown = self.set_of(card for card in self.epoch if self.is_unknown(card))
            unknown += self.set_of(self.movable())
        first = k.STORY_HEAD + len(orders)
        after = first + len(steps)
        head = [
            len(self.steps),
            len(self.orders),
            checked,
            first,
            after + len(unknown),
            self.number,
            after,
        ]
        words = array("q", [*head, *orders, *steps, *unknown])
        for block, wanted in zip(self._blocks, self._wanted, strict=True):
            block[2] = len(wanted) // 2
            words.extend(block)
            words.extend(wanted)
        self._packed = (ctypes.c_int64 * len(words)).from_buffer(words)

    def indices(self) -> list[int]:
        """Of the alternatives, where the story or a world of it was last played."""
        found = []
        at = self._packed[k.STORY_FIRST]
        for _ in self.steps:
            found.append(self._packed[at + 10])
            at += self._packed[at]
        return found

    def set_of(self, cards: Iterable[int]) -> list[int]:
        """A set of cards in words."""
        bits = sum(1 << card for card in set(cards))
        return [signed(bits >> (64 * w)) for w in range(self.machine.layout.set_words)]

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
        return [
            card
            for card in range(len(self.machine.layout.cards))
            if self.named.get(card, 0) <= number
            and not self.is_unknown(card)
            and self.epoch.get(card, -1) < step.shuffles
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
        for step, index in zip(self.steps, self.indices(), strict=True):
            step.index = index
        self._stacks = self._packed
        self._fresh = True

    def _arrive(self, seat: int | None) -> None:
        """The state at the decision after all steps so far, as the seat saw it come about."""
        if len(self._blocks) == len(self.steps):
            self._check(seat)
        try:
            self._mended()
        except Inconsistent:
            self._climb()
        self._note_arrivals()

    def _mended(self) -> None:
        self._reach()
        for _ in range(MOST_REPAIRS):
            if self._agrees():
                return
            self._repair()
            self._reach()
        raise Inconsistent("the cards cannot all lie where they were seen")

    def _check(self, seat: int | None) -> None:
        """From here on the story, and every world, must look as it was seen at this decision."""
        self._blocks.append(self.watch.words())
        self._wanted.append(array("q"))
        self._fresh = False

    def _climb(self) -> None:
        """Exchange cards at random as long as that brings the story further; then also think again about what
        was picked unseen."""
        try:
            self._exchange_at_random(MOST_CLIMBS)
        except Inconsistent as failed:
            for number, step in reversed(list(enumerate(self.steps))):
                picked = step.hidden_cards
                if len(picked) != 1:
                    continue
                for card in self._eligible_cards(number, step):
                    if card not in picked and self._repicked(number, card):
                        return
            raise failed

    def _repicked(self, number: int, card: int) -> bool:
        """Try the story with another card picked unseen at a decision; gives whether it can be told so."""
        step = self.steps[number]
        change = {picked: card for picked in step.hidden_cards}
        self.steps[number] = replace(step, seen=k.DRAWN)
        self.steps[number].rename(change)
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
        pairs = array("q", [word for card in cards for word in (card, self.epoch[card])])
        swaps = self.swaps()
        stream = (ctypes.c_int64 * 4)(*(signed(w) for w in Stream((len(self.steps), self.seat)).state))
        upto = len(self.steps)
        self._pack(len(self._blocks))
        got = m.code.wander(
            m.base,
            self.address,
            pairs.buffer_info()[0],
            len(cards),
            ctypes.addressof(swaps),
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

    def _learn_all_shuffles(self) -> None:
        """Those on the way as far as the story goes."""
        if not self.orders:
            self._learn_shuffles(self.state.words[self.machine.layout.words["shuffles"]])

    def movable(self) -> list[int]:
        """Cards of which the seat did not see what part they have in their shuffle."""
        return [c for c in self.epoch if self.is_unknown(c) or c in self._surfaced]

    def swaps(self) -> ctypes.Array[ctypes.c_int64]:
        """Every card has its own part."""
        room = self.machine.layout.room
        swaps = (ctypes.c_int64 * (2 * room))()
        for card in range(room):
            swaps[2 * card : 2 * card + 2] = [card, self.epoch.get(card, NEVER)]
        return swaps

    def _note_arrivals(self) -> None:
        """When each card came to where it lies in the story, in decisions."""
        where = self.state.where(self.machine.layout)
        number = len(self.steps)
        for card, epoch in self.epoch.items():
            role = (epoch, self.part[card])
            if self._came.get(role, (-1, -1))[0] != where[card]:
                self._came[role] = (where[card], number)

    def _agrees(self) -> bool:
        """Whether the story looks as the seat saw it."""
        m = self.machine
        seen = self._blocks[-1]
        words = self.state.words
        pairs, counted = seen[0], seen[1]
        if any(words[seen[3 + 2 * n]] != seen[4 + 2 * n] for n in range(pairs)):
            return False
        where = self.state.where(m.layout)
        if any(where[card] != place for card, place in self.located.items()):
            return False
        at = 3 + 2 * pairs
        counts = Counter(where[: len(m.layout.cards)])
        return all(counts.get(seen[at + 2 * n], 0) == seen[at + 2 * n + 1] for n in range(counted))

    def _repair(self) -> None:
        """Tell the story as this seat would have seen it, and mend it where another card was seen."""
        state = self._replay()
        told = state.viewed(self.seat)
        seen = self.records[: self._read_up_to()]
        other: dict[str, str] = {}
        changed = False
        for at, (mine, theirs) in enumerate(zip(happenings(told), happenings(seen), strict=False)):
            if any(mine.get(key) != theirs.get(key) for key in ("do", "from", "value")):
                changed = changed or self._mend(state, at, theirs)
                break
            for key in ("card", "other"):
                wanted, found = theirs.get(key), mine.get(key)
                if wanted is None or found is None:
                    continue
                found = other.get(found, found)
                if found != wanted:
                    changed = True
                    if not self._transpose(self._card(found), self._card(wanted)):
                        return
                    turned = {found: wanted, wanted: found}
                    other = {c: turned.get(o, o) for c, o in {**dict(zip(turned, turned)), **other}.items()}
        if not changed:
            self._lay()

    def _lay(self) -> None:
        """No line tells what is wrong: lay a card where it was seen, or else try other draws and other cards."""
        where = self.state.where(self.machine.layout)
        for card, place in self.located.items():
            if where[card] != place and card in self.epoch:
                self._put(card, place, where)
                return
        self.number += 1
        self._fresh = False
        unknown = [card for card in self.epoch if self.is_unknown(card)]
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
        for n, line in enumerate(happenings(state.records)):
            mine = line
            if n == at:
                break
            if line["do"] == "move":
                lying[line["card"]] = line["to"]
        return self._bring(theirs, lying) or self._send(mine, lying)

    def _bring(self, line: Record, lying: Mapping[str, str]) -> bool:
        """A card was seen to leave a place where the story does not have it."""
        card = line.get("card") if line["do"] == "move" else None
        if card is None or lying.get(card) == line["from"] or self._card(card) not in self.epoch:
            return False
        parts = self._parts_in(line["from"], self._card(card), lying)
        if parts:
            self._exchange(self._card(card), parts, (self._card(card),))
        return bool(parts)

    def _send(self, line: Record, lying: Mapping[str, str]) -> bool:
        """A card leaves a place in the story, and nobody saw one leave: it cannot have been there."""
        card = self._card(line["card"]) if line["do"] == "move" else None
        if card is None or not self.is_unknown(card):
            return False
        parts = self._parts_in(line["from"], card, lying)
        self.bans[card] = self.bans.get(card, 0) | sum(1 << part for part in parts)
        free = {p for c, p in self.part.items() if self.epoch[c] == self.epoch[card] and self.is_unknown(c)}
        self._exchange(card, {part for part in free if not self.bans[card] >> part & 1})
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
        for step in reversed(self.steps):
            if step.seen == k.DRAWN and found in step.cards:
                step.rename({found: wanted, wanted: found})
                step.seen = k.SEEN
                self._fresh = False
                return True
        return False

    def _replay(self) -> NativeState:
        """The same game in the engine that tells what it does."""
        if not self._fresh:
            self._retrace()
        ids = [[self.card_id(card) for card in order] for order in self.orders]
        state = self.machine.game.native_deal(0, self.number, stacked=ids, limits=self.limits)
        for step in self.steps:
            state.play(step.index)
        return state

    def _reach(self) -> None:
        m = self.machine
        if not self._fresh:
            self._retrace()
        elif m.listed is not self:
            m.listed = self
            m.compiled.relist(self.state.address, m.work.address)
        shuffles = self.state.words[m.layout.words["shuffles"]]
        if shuffles > len(self.orders):
            self._learn_shuffles(shuffles)
            self._retrace()

    def _take(self, step: Step) -> None:
        """Go on by a step."""
        m = self.machine
        self.steps.append(step)
        m.work.limits(self.limits.decisions, self.limits.steps)
        m.code.stack(m.base, m.work.address, ctypes.addressof(self._stacks), m.same)
        m.compiled.apply(self.state.address, m.work.address, step.index)
        ending = m.layout.words["ending"]
        if not self.state.words[ending]:
            m.compiled.advance(self.state.address, m.work.address)
        if self.state.words[ending]:
            self._climb()

    def _learn_shuffles(self, shuffles: int) -> None:
        """What chance made of new shuffles in this story, read from the record of the same game."""
        opening = not self.steps and not self.orders and self.before is None
        if opening and self._opened(shuffles):
            return
        records = self._replay().records
        made = [[self._card(card) for card in r["cards"]] for r in _shuffles(records)]
        for order in made[len(self.orders) : shuffles]:
            earlier = self.before.orders[len(self.orders) :] if self.before else []
            self._add_order(earlier[0] if earlier and sorted(earlier[0]) == sorted(order) else order)
        if opening and shuffles == 1:
            self.machine.opening = _opening(records, self.machine.numbers)

    def _opened(self, shuffles: int) -> bool:
        """Games open alike: which position of the shuffled pack goes where is known from another deal, and
        so where in it the cards must have been that were seen."""
        opening = self.machine.opening
        if opening is None or shuffles != 1:
            return False
        cards, moves = opening
        seen = list(happenings(self.records[: self._read_up_to()]))
        order: list[int | None] = [None] * len(cards)
        for line, key, part in moves:
            card = seen[line].get(key) if line < len(seen) else None
            if card is not None:
                order[part] = self._card(card)
        left = [card for card in cards if card not in order]
        if len(left) != order.count(None):
            return False
        self._add_order([left.pop() if card is None else card for card in order])
        return True

    def _add_order(self, order: list[int]) -> None:
        number = len(self.orders)
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
            self.mobile.discard(card)

    def _was_shown(self, number: int) -> bool:
        return number < len(self.shown) and self.shown[number]

    def _seen_since(self, number: int) -> set[int]:
        """Cards that the record names after a shuffle."""
        found: set[int] = set()
        shuffles = 0
        for record in self.records[: self._read_up_to()]:
            for line in (record, *record.get("actions", ())):
                if line["do"] == "shuffle":
                    shuffles += 1
                elif shuffles > number:
                    for key in ("card", "other"):
                        if line.get(key) is not None:
                            found.add(self._card(line[key]))
        return found

    def _read_up_to(self) -> int:
        """How much of the record lies before the decision that is being reached."""
        decisions = 0
        for n, record in enumerate(self.records):
            if record["do"] == "decision":
                if decisions == len(self.steps):
                    return n
                decisions += 1
        return len(self.records)

    def card_id(self, card: int) -> str:
        face = self.machine.layout.cards[card]
        return f"{face.back}:{face.number}"

    # --- laying cards where they were seen ------------------------------------------------------

    def is_unknown(self, card: int) -> bool:
        return card in self.epoch and card not in self.known and not self._was_shown(self.epoch[card])

    def _put(self, card: int, place: int, where: Sequence[int]) -> None:
        """Exchange cards so that this one lies in the place where it was seen."""
        astray = {c for c, p in self.located.items() if where[c] != p} | {card}
        epoch = self.epoch.get(card)
        there = [
            c
            for c, e in self.epoch.items()
            if e == epoch and where[c] == place and (c in astray or self.is_unknown(c))
        ]
        if epoch is None or not there:
            name = self.machine.layout.places[place].text
            raise Inconsistent(f"{self.card_id(card)} cannot have come to {name}")
        self._exchange(card, {self.part[c] for c in there}, astray)

    def _exchange(self, card: int, parts: set[int], astray: Collection[int] = ()) -> None:
        """Let a card have one of these parts, and whoever had it another one, as bans allow. Cards that went
        astray have been seen, but do not lie there yet."""
        epoch = self.epoch[card]
        free = {c for c, e in self.epoch.items() if e == epoch and (self.is_unknown(c) or c in astray)}
        owner = {self.part[c]: c for c in free}
        taken: dict[int, int] = {}
        tried: set[int] = set()

        def settle(moving: int, wanted: Iterable[int]) -> bool:
            for part in wanted:
                if part in tried or self.bans.get(moving, 0) >> part & 1:
                    continue
                tried.add(part)
                other = owner[part]
                if part == self.part[card] or settle(other, owner):
                    taken[part] = moving
                    return True
            return False

        if not settle(card, sorted(parts)):
            raise Inconsistent(f"nothing else can take the part of {self.card_id(card)}")
        self._rename({owner[part]: taker for part, taker in taken.items()}, epoch)

    def _rename(self, new: Mapping[int, int], epoch: int) -> None:
        """From a card to the one that takes its part."""
        parts = {taker: self.part[card] for card, taker in new.items()}
        self.part.update(parts)
        self.orders[epoch] = [new.get(card, card) for card in self.orders[epoch]]
        for step in self.steps:
            if step.shuffles > epoch and step.seen == k.TOKEN:
                step.rename(new)
        self._fresh = False

    # --- decisions ------------------------------------------------------------------------------

    def _decide(self, record: Record) -> None:
        state, layout = self.state, self.machine.layout
        for card, place, by_position in self._named(record):
            where = state.where(layout)
            if where[card] != place:
                self._try(functools.partial(self._put, card, place, where))
            if not by_position:
                self._surface(card, place)
            self.known.add(card)
        step = self._step(record)
        found = self._find(step)
        if record["seat"] != self.seat:
            found = self._exclude(record["seat"], step, found)
        if found:
            self._take(step)
        else:
            self.steps.append(step)
            self._climb()

    def _try(self, change: Callable[[], bool | None]) -> bool:
        """A change of the story that may turn out to be none that can be told; gives whether it was made."""
        orders, part = [list(order) for order in self.orders], dict(self.part)
        steps = [step if step.seen == k.SEEN else replace(step) for step in self.steps]
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

    def _surface(self, card: int, place: int) -> None:
        """An unknown card is seen to leave a place. Where cards have come there at different times, it may be
        any of them."""
        if self.is_unknown(card) and not self.machine.layout.places[place].seen_by(self.seat):
            self._surfaced.add(card)
            where = self.state.where(self.machine.layout)
            there = [c for c in self.epoch if where[c] == place and (self.is_unknown(c) or c in self._surfaced)]
            times = {self._came.get((self.epoch[c], self.part[c]), (0, -1))[1] for c in there}
            if len(times) > 1:
                self.mobile.add(card)

    def _named(self, record: Record) -> list[tuple[int, int, bool]]:
        """Cards that the decision shows, where they were before it, and whether taken by position."""
        first: dict[str, tuple[str, bool]] = {}
        for action in record["actions"]:
            for key, place in (("card", "from"), ("other", "to")):
                if action["do"] in ("move", "swap") and action.get(key) is not None:
                    first.setdefault(action[key], (action[place], "by_position" in action))
        return [(self._card(card), self._place(place), flag) for card, (place, flag) in first.items()]

    def _find(self, step: Step) -> bool:
        m = self.machine
        words = step.words()
        entry = (ctypes.c_int64 * len(words))(*words)
        step.index = m.code.find(
            m.base,
            m.work.address,
            ctypes.addressof(entry),
            m.same,
            *m.spare,
            self.state.address,
            ctypes.addressof(entry),
        )
        return step.index >= 0

    def _exclude(self, chooser: int, step: Step, found: bool) -> bool:
        """Learn which unknown cards the chooser cannot have held; gives whether the move is possible now."""
        for number in self._secret_places(chooser):
            state, layout = self.state, self.machine.layout
            where = state.where(layout)
            unknown = [card for card in self.epoch if self.is_unknown(card)]
            held = [card for card in unknown if where[card] == number]
            if not held:
                continue
            certain, marked = self._probe(step, number, unknown)
            if not marked:
                continue
            if certain:
                changed = self._try(functools.partial(self._ban, marked, held, unknown))
            else:
                changed = not found and self._try(functools.partial(self._hold_one, marked, held))
            if changed:
                found = self._find(step)
        return found

    def _ban(self, cards: set[int], held: list[int], unknown: list[int]) -> bool:
        """These cards cannot have been among those held: gives whether the story had to be changed."""
        for card in cards:
            parts = (1 << self.part[c] for c in held if self.epoch[c] == self.epoch[card])
            self.bans[card] = self.bans.get(card, 0) | sum(parts)
        wrong = [card for card in held if card in cards]
        for card in wrong:
            if self.bans[card] >> self.part[card] & 1:
                everywhere = {self.part[c] for c in unknown if self.epoch[c] == self.epoch[card]}
                self._exchange(card, {part for part in everywhere if not self.bans[card] >> part & 1})
        return bool(wrong)

    def _hold_one(self, cards: set[int], held: list[int]) -> bool:
        """One of these cards must have been among those held."""
        for card in sorted(cards):
            parts = {self.part[c] for c in held if self.epoch[c] == self.epoch[card]}
            free = {part for part in parts if not self.bans.get(card, 0) >> part & 1}
            if free:
                self._exchange(card, free)
                return True
        return False

    def _secret_places(self, chooser: int) -> list[int]:
        """Where the chooser looks and this seat does not."""
        places: list[Place] = self.machine.layout.places
        return [n for n, p in enumerate(places) if p.seen_by(chooser) and not p.seen_by(self.seat)]

    def _probe(self, step: Step, place: int, unknown: list[int]) -> tuple[bool, set[int]]:
        """Whether the move was possible without unknown cards in a place, and which of them change that."""
        m = self.machine
        words = step.words()
        entry = (ctypes.c_int64 * len(words))(*words)
        cards = (ctypes.c_int64 * (3 * len(unknown)))()
        cards[::3] = unknown
        told = m.code.probe(
            m.base,
            ctypes.addressof(entry),
            m.same,
            self.state.address,
            m.room.address,
            m.work.address,
            *m.spare,
            self._begin(step.pc),
            place,
            ctypes.addressof(cards),
            len(unknown),
        )
        # the workspace holds the listing of a trial now
        m.compiled.relist(self.state.address, m.work.address)
        return bool(told), {card for card, mark in zip(unknown, cards[2::3], strict=True) if mark}

    def _begin(self, pc: int) -> int:
        """The first let around a choice: what it holds depends on the cards too."""
        code = self.machine.game.code
        while pc > 0 and isinstance(code[pc - 1], Bind):
            pc -= 1
        return pc

    # --- from a record's decision to a step -----------------------------------------------------

    def _step(self, record: Record) -> Step:
        m = self.machine
        pc = self.state.words[m.layout.words["pc"]]
        item, picks = record["item"], record["picks"]
        simple = m.lowered.simple_items.get(pc)
        if simple is None or item >= len(simple):
            raise Inconsistent("a decision was watched where the program asks for none")
        copy = record["copy"] or 0
        hidden = any(None in pick.values() for pick in picks)
        step = Step(pc, item, k.BIT, 0, len(self.orders), copy, k.SEEN, [], [])
        if simple[item]:
            rows = m.lowered.leaves.get((pc, item))
            if rows:
                values = tuple(self._plain(pick) for pick in picks)
                step.value = rows.index(values) if values in rows else -1
            elif picks:
                step.how = k.CARD
                step.value = self._hidden_card(step) if hidden else self._card(picks[0]["card"])
        else:
            step.how = k.RECORDED
            step.before = [i for i in range(item) if not simple[i]]
            if hidden:
                self._hidden_picks(step, picks)
            else:
                step.picks = [self._pick(pick) for pick in picks]
        if step.how == k.BIT and step.value < 0:
            raise Inconsistent("words were picked that the program does not offer")
        return step

    def _pick(self, pick: Mapping[str, Any]) -> tuple[int, int | list[int]]:
        if "card" in pick:
            return k.ONE_CARD, self._card(pick["card"])
        if "cards" in pick:
            return k.CARDS, [self._card(card) for card in pick["cards"]]
        return k.PLAIN, self._plain(pick)

    def _plain(self, pick: Mapping[str, Any]) -> int:
        ((word, value),) = pick.items()
        if word == "string":
            return self.machine.layout.strings.get(value, -1)
        return self._place(value) if word == "place" else int(value)

    def _is_secret(self, card: int) -> bool:
        """It can have been picked unseen, as far as is known."""
        return self.is_unknown(card) and not (self.before and card in self.before.known)

    def _hidden_card(self, step: Step) -> int:
        """A card for a pick that was not seen, out of the item's set."""
        work = self.machine.work
        at = MASKS_AT + step.item * MASK_WORDS
        words = work.words(at, self.machine.layout.set_words)
        bits = sum((word & MASK) << (64 * w) for w, word in enumerate(words))
        cards = [card for card in range(bits.bit_length()) if bits >> card & 1]
        if not cards:
            raise Inconsistent("a pick was watched where there is nothing to pick from")
        unknown = [card for card in cards if self._is_secret(card)]
        step.seen = k.TOKEN if unknown else k.DRAWN
        return (unknown or cards)[0]

    def _hidden_picks(self, step: Step, picks: Sequence[Mapping[str, Any]]) -> None:
        """The picks of some alternative that looks to this seat like the one that was taken."""
        seen: list[tuple[int, int | list[int]] | None] = [
            None if None in pick.values() else self._pick(pick) for pick in picks
        ]
        best: list[tuple[int, int | list[int]]] | None = None
        for made in self._recorded(step):
            if len(made) != len(seen):
                continue
            if any(s is not None and not _same(s, m) for s, m in zip(seen, made, strict=True)):
                continue
            cards = [c for s, m in zip(seen, made, strict=True) if s is None for c in _cards(m)]
            filled = [(m[0] | (k.HIDDEN if s is None else 0), m[1]) for s, m in zip(seen, made, strict=True)]
            if cards and all(self._is_secret(card) for card in cards):
                step.picks, step.seen = filled, k.TOKEN
                return
            best = best or filled
        if best is None:
            raise Inconsistent("a pick was watched where there is nothing to pick from")
        step.picks, step.seen = best, k.DRAWN

    def _recorded(self, step: Step) -> Iterable[list[tuple[int, int | list[int]]]]:
        """The alternatives of an item that were recorded, each as its picks."""
        work, lowered = self.machine.work, self.machine.lowered
        starts = [0, *work.words(ITEMS_AT + 1, step.item + 1)]
        before = sum(starts[i + 1] - starts[i] for i in step.before)
        count = starts[step.item + 1] - starts[step.item]
        for offset in work.words(lowered.recorded_at + before, count):
            made = work.word(offset // 8)
            pairs = work.words(offset // 8 + 1, 2 * made)
            yield [
                self._read_pick(pairs[2 * i], pairs[2 * i + 1])
                for i in range(made)
                if pairs[2 * i + 1] != EMPTY
            ]

    def _read_pick(self, site: int, value: int) -> tuple[int, int | list[int]]:
        kind, as_place = self.machine.lowered.sites[site]
        if kind is Kind.CARD:
            return k.ONE_CARD, value
        if kind is Kind.CARDS and not as_place:
            work, width = self.machine.work, self.machine.layout.card_bytes
            raw = work.bytes_at(value + 8, work.word(value // 8) * width)
            return k.CARDS, [int.from_bytes(raw[i : i + width], "little") for i in range(0, len(raw), width)]
        return k.PLAIN, value

    # --- the present ----------------------------------------------------------------------------

    def _meet(self, observation: Observation) -> None:
        """All that is seen now must be as the story has it; from here on worlds are checked against it."""
        for text, cards in observation.places.items():
            if ".mem." not in text and cards and None not in cards:
                for card in cards:
                    self.located[self._card(str(card))] = self._place(text)
                    self.known.add(self._card(str(card)))
        self._arrive(observation.to_move)
        self._pack(len(self._blocks), drawing=True)


def _opening(records: Sequence[Record], numbers: Mapping[str, int]) -> Opening:
    """Of a deal up to its first decision: the cards of its only shuffle, and for every line that moves one of
    them the line's number, the key of the card, and the card's position in the outcome."""
    place: dict[str, int] = {}
    moves = []
    for n, line in enumerate(happenings(records)):
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


def _same(seen: tuple[int, int | list[int]], made: tuple[int, int | list[int]]) -> bool:
    if isinstance(seen[1], list) and isinstance(made[1], list):
        return sorted(seen[1]) == sorted(made[1])
    return seen[1] == made[1]


def _cards(pick: tuple[int, int | list[int]]) -> list[int]:
    kind, value = pick
    if isinstance(value, list):
        return value
    return [value] if kind & 3 == k.ONE_CARD else []
