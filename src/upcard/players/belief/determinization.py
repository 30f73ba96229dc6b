"""Determinization: samples full states from a seat's information set.

A world is a full history that shows the seat what it saw, as a native state at the present decision. Its
weight is its probability by chance alone, with hidden choices taken as uniform. To sample one, the unknown
cards of a consistent history (`history`) are dealt anew, uniformly under what is excluded and remembered, and
the history is replayed: a world in which an observed move is impossible, or in which the seat would have seen
anything else, is rejected. Where dealing finds none, worlds come from a Markov-chain walk.

Where cards come to a hidden place at different times, a card seen to leave it may have come at any of them; a
few exchanges after each deal account for that. Cards that went unseen into a later shuffle are not dealt
anew: that shuffle has the cards of the history.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Mapping, Sequence
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
from upcard.players.belief.hypothesis import Hypothesis
from upcard.players.belief.kernel_structs import HistoryHead, Walk, WorldSampler
from upcard.players.belief.move_likelihood import BeliefHead
from upcard.players.belief.opponent_model import MAX_WEIGHED, Belief
from upcard.players.belief.relaxed_history import RelaxedHistory
from upcard.players.belief.world_sample import ATTEMPTS
from upcard.players.search.search_code import SearchCode, machine_of

MAX_TABLE = 400_000
"""Floats in the table of a plan; where more would be needed, cards are shuffled until they fit."""
TRIALS = 200
MAX_GROUPS = 60
MAX_HISTORIES = 4
"""Attempts to find a consistent history, each with the help of the one before."""
LEAST_WALK = 20
MAX_WALK = 200
"""Exchanges from one world of a walk to the next."""
LEAST_EXCHANGES = 8
"""After a deal, of cards that came to a place at different times."""

ATTEMPTS_WORD = DealPlan.fields["attempts"].word


@dataclass
class Worlds:
    """The worlds of one observation."""

    machine: SearchCode
    history: History
    plans: array[int]
    count: int
    swaps: array[int]
    walk: array[int]

    def __post_init__(self) -> None:
        m = self.machine
        self.words = WorldSampler.pack(
            game=m.facts,
            history=self.history.replay.address,
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
        """Prepare the machine for a new search."""
        m, replay = self.machine, self.history.replay
        m.listed = None
        replay.set_up_work()
        m.stream[:] = [signed(word) for word in stream.state]
        m.tally.update(tried=0, missing=0, walked=0)
        self.words.update(history=replay.address)

    def share_weighing(self, count: int) -> None:
        """Divide the decisions that weighing may take among this many worlds."""
        if self.believes:
            packed = self.history.replay.packed
            belief = BeliefHead.at(packed, 8 * HistoryHead.at(packed).belief)
            belief.allowance = MAX_WEIGHED // count

    @property
    def believes(self) -> bool:
        """Whether every world is weighted by an opponent model, which takes long."""
        return self.history.replay.believes

    def sample(self, stream: Stream) -> Iterator[tuple[Memory, float]]:
        """Sample worlds without end, each a state and its weight; stops where none is found."""
        m = self.machine
        state = Memory(m.layout.size)
        self.begin(stream)
        while m.code.sample_world(self.words, state.address, m.room.address, ATTEMPTS):
            yield state, m.tally.weight

    def last_world(self) -> tuple[int, list[list[str]], list[int]]:
        """The last world: the number of the deal that its other draws come from, the outcome of every
        shuffle, and the index of every decision's alternative."""
        hypothesis, ids = self.history.hypothesis, self.machine.ids
        cards = len(self.swaps) // 2
        swaps = (
            self.walk[len(self.walk) - 2 * cards :] if Walk.at(self.walk).replaces_dealing else self.swaps[:]
        )
        outcomes = [
            [ids[swaps[2 * c] if swaps[2 * c + 1] < n + 1 else c] for c in outcome]
            for n, outcome in enumerate(hypothesis.outcomes)
        ]
        return hypothesis.deal, outcomes, self.history.replay.indices()


class Determinizer:
    """Makes worlds from the observations of one seat, from one decision of a deal to the next."""

    def __init__(self, game: NativeGame) -> None:
        self.game = game
        self._history: History | None = None
        self._relaxed: RelaxedHistory | None = None
        self._lost: Evidence | None = None
        """Evidence without a consistent history: what extends it has none either."""

    def worlds(self, observation: Observation, belief: Belief | None = None) -> Worlds:
        """The worlds of an observation. With a belief, the weight of a world includes how likely the observed
        moves are in it. Raises `Inconsistent` where no history is found."""
        history = self.history(observation)
        if belief is not None:
            history.replay.believe(belief.words(history, observation))
        return _worlds(history, observation)

    def history(self, observation: Observation) -> History:
        """A consistent history, with the machine at the present decision. Raises `Inconsistent`."""
        machine = machine_of(self.game)
        if self._lost is not None and self._lost.continues_to(machine, observation):
            raise Inconsistent("no possible history of the earlier moves was found")
        history = self._history
        if history is None or not history.evidence.continues_to(machine, observation):
            history = History(machine, observation.seat, _limits(observation))
        self._history = None  # a history that fails half-way is not continued
        for _ in range(MAX_HISTORIES):
            try:
                history.follow(observation)
                break
            except Inconsistent as error:
                failed = error
                history = History(machine, observation.seat, _limits(observation), earlier=history)
        else:
            self._lost = history.evidence
            self._lost.extend(observation.records)
            raise failed
        self._history = history
        return history

    def relaxed(self, observation: Observation) -> RelaxedHistory:
        """A relaxed history, with its state at the present decision. Raises `Inconsistent`."""
        history, self._relaxed = self._relaxed, None
        machine = machine_of(self.game)
        if history is None or not history.evidence.continues_to(machine, observation):
            history = RelaxedHistory(machine, observation.seat, _limits(observation))
        history.follow(observation)
        self._relaxed = history
        return history


def _limits(observation: Observation) -> Limits:
    header = observation.records[0] if observation.records else {}
    if header.get("do") != "game":
        raise Inconsistent("the observation has no record of the game")
    return Limits(**header["limits"])


def _worlds(history: History, observation: Observation) -> Worlds:
    machine, hypothesis = history.evidence.machine, history.hypothesis
    swaps = hypothesis.swaps()
    movable = hypothesis.movable()
    mates = of_one_place(hypothesis, movable)
    count = sum(map(len, mates))
    after_deal = max(LEAST_EXCHANGES, count // 2) if mates else 0
    head = Walk.pack(
        replaces_dealing=0,
        steps=max(LEAST_WALK, min(MAX_WALK, 2 * len(movable))),
        steps_after_deal=after_deal,
        movable=len(movable),
        mates=count,
    )
    walk = array("q", head.to_bytes())
    walk.extend(words_of(of_one_shuffle(hypothesis, movable)))
    walk.extend(words_of(mates))
    walk.extend(swaps)
    plans = array("q")
    count = 0
    by_shuffle: dict[int, list[int]] = {}
    for card in sorted(hypothesis.unknown()):
        by_shuffle.setdefault(hypothesis.shuffle_of[card], []).append(card)
    begins = []
    for _, cards in sorted(by_shuffle.items()):
        if len(cards) > 1:
            count += 1
            places = {card: machine.texts[history.replay.where[card]] for card in cards}
            plan = _plan(hypothesis, places, observation)
            if not plan[ATTEMPTS_WORD]:
                begins.append(len(plans))
            plans.extend(plan)
    first = plans.buffer_info()[0]
    for begin in begins:
        machine.code.count_ways(first + 8 * begin)
    return Worlds(machine, history, plans, count, swaps, walk)


def _plan(hypothesis: Hypothesis, places: Mapping[int, str], observation: Observation) -> array[int]:
    """A plan for dealing the unknown cards of one shuffle, by what is excluded and remembered. `places`:
    where each of them lies in the history."""
    ids, cards = hypothesis.evidence.machine.ids, [*places]
    # in an order of their own, so that worlds depend on what was seen, not on how the history was found
    takers = sorted(cards, key=hypothesis.position.__getitem__)
    there = dict.fromkeys((places[card] for card in takers), 0)
    """Per place the set of cards that may be in it."""
    excluded = []
    for n, card in enumerate(cards):
        if card in hypothesis.excluded:
            excluded.append((1 << n, hypothesis.excluded[card]))
        known = observation.memory.get(ids[card])
        for place in there if known is None else known["where"]:
            if place in there:
                there[place] |= 1 << n
    columns = []
    for card in takers:
        column, position = there[places[card]], hypothesis.position[card]
        for bit, positions in excluded:
            if positions >> position & 1:
                column &= ~bit
        columns.append(column)
    return lay_plan(cards, takers, columns)


def lay_plan(cards: Sequence[int], takers: Sequence[int], columns: Sequence[int]) -> array[int]:
    """The words of a plan (`constrained_deal`). A column is the set of cards that may take a card's
    position."""
    alike: dict[int, list[int]] = {}
    for column, part in zip(columns, takers, strict=True):
        alike.setdefault(column, []).append(part)
    if len(alike) > MAX_GROUPS:
        alike = {(1 << len(cards)) - 1: list(takers)}
    everywhere = (1 << len(alike)) - 1
    masks = [0] * len(cards)
    row = 1
    groups: list[int] = []
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
    trials = TRIALS if (bound + 1) * row > MAX_TABLE else 0
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
