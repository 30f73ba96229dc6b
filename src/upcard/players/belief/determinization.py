"""Determinization: samples full states from a seat's information set.

A world is a whole history that shows the seat what it saw, ready as a native state at the present decision.
Each is weighted by chance alone, with choices that were not seen taken as uniform. The unknown cards are
dealt to the parts of a history (`history.py`), all ways alike that bans and memory allow, and the history
is played again: a world in which a watched move would have been impossible, or in which the seat would have
seen anything else, is thrown away. Where dealing finds none, worlds come from a walk among them.

Where cards come to a hidden place at different times, a card seen to leave it may have come at any of them: a
few exchanges after each deal see to that. Not dealt anew are cards that went unseen into a later shuffle: who
took part in it is as the history has it.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from upcard.engine.api import Limits, Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.state_memory import Memory
from upcard.engine.rng import Stream
from upcard.players.belief.card_swaps import of_one_place, of_one_shuffle, words_of
from upcard.players.belief.constrained_deal import DealPlan
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.history import History, Inconsistent
from upcard.players.belief.kernel_structs import Walk, Worlds
from upcard.players.belief.opponent_model import Belief
from upcard.players.belief.relaxed_history import Recalled
from upcard.players.belief.world_sample import ATTEMPTS
from upcard.players.search.search_code import SearchCode, machine_of

ATTEMPTS_WORD = DealPlan.fields["attempts"].word
MOST_TABLE = 400_000
"""Floats in the table of a plan; where more would be needed, cards are shuffled until they fit."""
TRIALS = 200
MOST_GROUPS = 60
TELLINGS = 4
LEAST_WALK = 20
MOST_WALK = 200
"""Exchanges from one world of a walk to the next."""
LEAST_EXCHANGES = 8
"""After a deal, of cards that came to a place at different times."""


@dataclass
class Determinizer:
    """The worlds of one observation."""

    machine: SearchCode
    history: History
    plans: array[int]
    count: int
    swaps: array[int]
    walk: array[int]

    def __post_init__(self) -> None:
        m = self.machine
        self.words = Worlds.pack(
            game=m.facts,
            history=self.history.address,
            plans=self.plans.buffer_info()[0],
            plan_count=self.count,
            swaps=self.swaps.buffer_info()[0],
            walk=self.walk.buffer_info()[0],
            work=m.work.address,
            stream=ctypes.addressof(m.stream),
            tally=m.tally,
        )
        """For kernels that sample worlds."""

    def begin(self, stream: Stream) -> None:
        """Sets everything for a fresh search."""
        m = self.machine
        m.listed = None
        m.work.limits(self.history.limits.decisions, self.history.limits.steps)
        m.stream[:] = [signed(word) for word in stream.state]
        m.tally.update(tried=0, missing=0, walked=0)
        self.words.update(history=self.history.address)

    @property
    def believes(self) -> bool:
        """Whether every world is weighed by playing out what was watched, which takes long."""
        return self.history.believes

    def sample(self, stream: Stream) -> Iterator[tuple[Memory, float]]:
        """One world after the other, each a state and its weight, without end; stops where none is found."""
        m = self.machine
        state = Memory(m.layout.size)
        self.begin(stream)
        while m.code.sample_world(self.words, state.address, m.room.address, ATTEMPTS):
            yield state, m.tally.weight

    def last_world(self) -> tuple[int, list[list[str]], list[int]]:
        """Of the last world: the number of the deal whose other draws it has, the outcome of every shuffle,
        and the index of every decision's alternative."""
        history = self.history
        cards = len(self.swaps) // 2
        walked = Walk.at(self.walk).replaces_dealing
        swaps = self.walk[len(self.walk) - 2 * cards :] if walked else self.swaps[:]
        orders = [
            [history.card_id(swaps[2 * c] if swaps[2 * c + 1] < n + 1 else c) for c in order]
            for n, order in enumerate(history.orders)
        ]
        return history.number, orders, history.indices()


class Imagination:
    """Makes worlds of observations of one seat, going on from one decision of a deal to the next."""

    def __init__(self, game: NativeGame) -> None:
        self.game = game
        self._history: History | None = None
        self._lost: History | None = None
        """One that could not be told: then it cannot be told on either."""
        self._recalled: Recalled | None = None

    def worlds(self, observation: Observation, belief: Belief | None = None) -> Determinizer:
        """Raises `Inconsistent` where no history can be made of the record. With a belief, a world's weight
        says how likely the moves that were watched were in it, too."""
        history = self.history(observation)
        if belief is not None:
            history.believe(belief.words(history.machine, history, observation))
        return _worlds(history.machine, history, observation)

    def history(self, observation: Observation) -> History:
        """One history, with the machine's state at the present decision. Raises `Inconsistent`."""
        machine = machine_of(self.game)
        if self._lost is not None and _goes_on(self._lost, machine, observation):
            raise Inconsistent("no history was found of what happened earlier")
        history = self._history
        if history is None or not _goes_on(history, machine, observation):
            history = History(machine, observation.seat, _limits(observation))
        self._history = None  # a history that fails half-way is not gone on with
        for _ in range(TELLINGS):
            try:
                history.follow(observation)
                break
            except Inconsistent as error:
                failed = error
                # what it found out at last helps to tell it better from the beginning
                history = History(machine, observation.seat, _limits(observation), before=history)
        else:
            self._lost = history
            self._lost.records = observation.records
            raise failed
        self._history = history
        return history

    def recalled(self, observation: Observation) -> Recalled:
        """The game without a history, with its state at the present decision. Raises `Inconsistent`."""
        found, self._recalled = self._recalled, None
        machine = machine_of(self.game)
        if found is None or not _goes_on(found, machine, observation):
            found = Recalled(machine, observation.seat, _limits(observation))
        found.follow(observation)
        self._recalled = found
        return found


def _goes_on(told: Evidence, machine: SearchCode, observation: Observation) -> bool:
    """Whether what is seen now is what was told so far, and more."""
    return (
        told.seat == observation.seat
        and told.machine is machine
        and observation.records[: len(told.records)] == told.records
    )


def _limits(observation: Observation) -> Limits:
    header = observation.records[0] if observation.records else {}
    if header.get("do") != "game":
        raise Inconsistent("the observation has no record of the game")
    return Limits(**header["limits"])


def _worlds(machine: SearchCode, history: History, observation: Observation) -> Determinizer:
    swaps = history.swaps()
    movable = history.movable()
    mates = of_one_place(history, movable)
    count = sum(map(len, mates))
    after_deal = max(LEAST_EXCHANGES, count // 2) if mates else 0
    head = Walk.pack(
        replaces_dealing=0,
        steps=max(LEAST_WALK, min(MOST_WALK, 2 * len(movable))),
        steps_after_deal=after_deal,
        movable=len(movable),
        mates=count,
    )
    walk = array("q", head.to_bytes())
    walk.extend(words_of(of_one_shuffle(history, movable)))
    walk.extend(words_of(mates))
    walk.extend(swaps)
    plans = array("q")
    count = 0
    by_epoch: dict[int, list[int]] = {}
    for card in sorted(history.unknown()):
        by_epoch.setdefault(history.epoch[card], []).append(card)
    begins = []
    for _, cards in sorted(by_epoch.items()):
        if len(cards) > 1:
            count += 1
            plan = _plan(machine, history, observation, cards)
            if not plan[ATTEMPTS_WORD]:
                begins.append(len(plans))
            plans.extend(plan)
    first = plans.buffer_info()[0]
    for begin in begins:
        machine.code.count_ways(first + 8 * begin)
    return Determinizer(machine, history, plans, count, swaps, walk)


def _plan(machine: SearchCode, history: History, observation: Observation, cards: list[int]) -> array[int]:
    """Of the unknown cards of one shuffle, as bans and memory allow."""
    # in an order of their own, so that worlds depend on what was seen, not on how the history was found
    takers = sorted(cards, key=history.part.__getitem__)
    there: dict[str, int] = {}
    """Per place the cards that may be in it."""
    for card in takers:
        there.setdefault(machine.texts[history.where[card]], 0)
    banned = []
    for n, card in enumerate(cards):
        if card in history.bans:
            banned.append((1 << n, history.bans[card]))
        known = observation.memory.get(machine.ids[card])
        for place in there if known is None else known["where"]:
            if place in there:
                there[place] |= 1 << n
    columns = []
    for card in takers:
        column, part = there[machine.texts[history.where[card]]], history.part[card]
        for bit, bans in banned:
            if bans >> part & 1:
                column &= ~bit
        columns.append(column)
    return lay_plan(cards, takers, columns)


def lay_plan(cards: Sequence[int], takers: Sequence[int], columns: Sequence[int]) -> array[int]:
    """The words of a plan (`constrained_deal`): a column is the set of cards that may have a taker's part."""
    alike: dict[int, list[int]] = {}
    for column, part in zip(columns, takers, strict=True):
        alike.setdefault(column, []).append(part)
    if len(alike) > MOST_GROUPS:
        alike = {(1 << len(cards)) - 1: list(takers)}
    everywhere = (1 << len(alike)) - 1
    masks = [0] * len(cards)
    row = 1
    groups = []
    for g, (column, parts) in enumerate(alike.items()):
        groups += [len(parts), row, 0]  # a `DealGroup`
        row *= len(parts) + 1
        for n in range(len(cards)):
            if column >> n & 1:
                masks[n] |= 1 << g
    # bound cards come first
    order = [n for n, mask in enumerate(masks) if mask != everywhere]
    bound = len(order)
    order += [n for n, mask in enumerate(masks) if mask == everywhere]
    trials = TRIALS if (bound + 1) * row > MOST_TABLE else 0
    plan = DealPlan.pack(count=len(cards), groups=len(alike), bound=bound, row=row, attempts=trials)
    made = array("q", bytes(plan.bytes))
    made.extend(groups)
    for n in order:
        made.extend((cards[n], masks[n]))
    made.extend([0] * len(cards))
    for parts in alike.values():
        made.extend(parts)
    if not trials:
        made.frombytes(bytes(8 * (bound + 1) * row))
    return made
