"""Worlds: what the game may really be, for a seat that sees an observation.

A world is a whole history that shows the seat what it saw, ready as a native state at the present decision.
Each is weighted by chance alone, with choices that were not seen taken as uniform. The unknown cards are
dealt to the parts of a story (`story.py`), all ways alike that bans and memory allow, and the story is played
again: a world in which a watched move would have been impossible, or in which the seat would have seen
anything else, is thrown away. Where dealing finds none, worlds come from a walk among them.

Where cards come to a hidden place at different times, a card seen to leave it may have come at any of them: a
few exchanges after each deal see to that. Not dealt anew are cards that went unseen into a later shuffle: who
took part in it is as the story has it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from upcard.engine.chance import Stream
from upcard.engine.contract import Limits, Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.memory import Memory
from upcard.engine.native.subset import signed
from upcard.players import searching_kernels as k
from upcard.players.machine import Machine, machine_of
from upcard.players.story import Inconsistent, Story

MOST_TABLE = 400_000
"""Floats in the table of a plan; where more would be needed, cards are shuffled until they fit."""
TRIALS = 200
MOST_GROUPS = 60
TELLINGS = 4
LEAST_WALK = 20
MOST_WALK = 200
"""Exchanges from one world of a walk to the next."""


@dataclass
class Worlds:
    """The worlds of one observation."""

    machine: Machine
    story: Story
    plans: ctypes.Array[ctypes.c_int64]
    count: int
    swaps: ctypes.Array[ctypes.c_int64]
    walk: ctypes.Array[ctypes.c_int64]

    def arguments(self, stream: Stream) -> tuple[int, ...]:
        """What kernels take that imagine worlds (`machine.WORLD`), with everything set for a fresh search."""
        m = self.machine
        m.listed = None
        m.work.limits(self.story.limits.decisions, self.story.limits.steps)
        m.stream[:] = [signed(word) for word in stream.state]
        m.scratch[2:5] = [0, 0, 0]
        address = ctypes.addressof
        return (
            m.base,
            self.story.address,
            address(self.plans),
            self.count,
            address(self.swaps),
            address(self.walk),
            m.work.address,
            address(m.stream),
            address(m.scratch),
        )

    @property
    def told(self) -> list[int]:
        """Since then: worlds tried, not found, walked to."""
        return self.machine.scratch[2:5]

    def sample(self, stream: Stream) -> Iterator[tuple[Memory, float]]:
        """One world after the other, each a state and its weight, without end; stops where none is found."""
        m = self.machine
        state = Memory(m.layout.size)
        given = self.arguments(stream)
        while m.code.imagine_world(*given, state.address, m.room.address, k.ATTEMPTS):
            yield state, ctypes.c_double.from_buffer(m.scratch, 8).value

    def history(self) -> tuple[int, list[list[str]], list[int]]:
        """Of the last world: the number of the deal whose other draws it has, the outcome of every shuffle,
        and the index of every decision's alternative."""
        story = self.story
        cards = len(self.swaps) // 2
        swaps = self.walk[len(self.walk) - 2 * cards :] if self.walk[0] else self.swaps[:]
        orders = [
            [story.card_id(swaps[2 * c] if swaps[2 * c + 1] < n + 1 else c) for c in order]
            for n, order in enumerate(story.orders)
        ]
        return story.number, orders, story.indices()


class Imagination:
    """Makes worlds of observations of one seat, going on from one decision of a deal to the next."""

    def __init__(self, game: NativeGame) -> None:
        self.game = game
        self._story: Story | None = None

    def worlds(self, observation: Observation) -> Worlds:
        """Raises `Inconsistent` where no story can be made of the record."""
        story = self.story(observation)
        return _worlds(story.machine, story, observation)

    def story(self, observation: Observation) -> Story:
        """One story, with the machine's state at the present decision. Raises `Inconsistent`."""
        machine = machine_of(self.game)
        story = self._story
        records = observation.records
        if (
            story is None
            or story.seat != observation.seat
            or story.machine is not machine
            or len(records) < len(story.records)
            or records[: len(story.records)] != story.records
        ):
            story = Story(machine, observation.seat, _limits(observation))
        self._story = None  # a story that fails half-way is not gone on with
        for _ in range(TELLINGS):
            try:
                story.follow(observation)
                break
            except Inconsistent as error:
                failed = error
                # what it found out at last helps to tell it better from the beginning
                story = Story(machine, observation.seat, _limits(observation), before=story)
        else:
            raise failed
        self._story = story
        return story


def _limits(observation: Observation) -> Limits:
    header = observation.records[0] if observation.records else {}
    if header.get("do") != "game":
        raise Inconsistent("the observation has no record of the game")
    return Limits(**header["limits"])


def _worlds(machine: Machine, story: Story, observation: Observation) -> Worlds:
    swaps = story.swaps()
    cards = story.movable()
    exchanges = max(LEAST_WALK, min(MOST_WALK, 2 * len(cards)))
    head = [0, exchanges, exchanges if story.mobile else 0, len(cards)]
    walk = [*head, *(word for card in cards for word in (card, story.epoch[card])), *swaps]
    words: list[int] = []
    count = 0
    where = story.state.where(machine.layout)
    for epoch in range(len(story.orders)):
        cards = [c for c, e in story.epoch.items() if e == epoch and story.is_unknown(c)]
        if len(cards) > 1:
            count += 1
            words += _plan(machine, story, observation, sorted(cards), where)
    plans = (ctypes.c_int64 * max(len(words), 1))(*words)
    at = 0
    for _ in range(count):
        if not plans[at + 4]:
            machine.code.count_ways(ctypes.addressof(plans) + 8 * at)
        at += _length(plans, at)
    return Worlds(machine, story, plans, count, swaps, (ctypes.c_int64 * len(walk))(*walk))


def _length(plans: ctypes.Array[ctypes.c_int64], at: int) -> int:
    count, groups, bound, row, attempts = plans[at : at + 5]
    return 5 + 3 * groups + 4 * count + (0 if attempts else (bound + 1) * row)


def _plan(
    machine: Machine,
    story: Story,
    observation: Observation,
    cards: list[int],
    where: ctypes.Array[ctypes.c_uint16],
) -> list[int]:
    """Of the unknown cards of one shuffle, as bans and memory allow."""
    places = machine.layout.places
    # in an order of their own, so that worlds depend on what was seen, not on how the story was found
    takers = sorted(cards, key=story.part.__getitem__)
    lying = [places[where[card]].text for card in takers]
    allowed = []
    for card in cards:
        known = observation.memory.get(story.card_id(card))
        may = None if known is None else set(known["where"])
        bans = story.bans.get(card, 0)
        allowed.append(
            [
                not bans >> story.part[other] & 1 and (may is None or lying[i] in may)
                for i, other in enumerate(takers)
            ]
        )
    return lay_plan(cards, takers, allowed)


def lay_plan(cards: Sequence[int], takers: Sequence[int], allowed: Sequence[Sequence[bool]]) -> list[int]:
    """The words of a plan (`dealing_kernels`): `allowed[n][i]` if card n may have the part of taker i."""
    columns: dict[int, list[int]] = {}
    for i, part in enumerate(takers):
        column = sum(1 << n for n in range(len(cards)) if allowed[n][i])
        columns.setdefault(column, []).append(part)
    if len(columns) > MOST_GROUPS:
        columns = {(1 << len(cards)) - 1: list(takers)}
    groups = list(columns.items())
    everywhere = (1 << len(groups)) - 1
    masks = [
        sum(1 << g for g, (column, _) in enumerate(groups) if column >> n & 1) for n in range(len(cards))
    ]
    order = sorted(range(len(cards)), key=lambda n: masks[n] == everywhere)
    bound = sum(mask != everywhere for mask in masks)
    row = 1
    table = []
    for _, parts in groups:
        table += [len(parts), row, 0]
        row *= len(parts) + 1
    trials = TRIALS if (bound + 1) * row > MOST_TABLE else 0
    made = [len(cards), len(groups), bound, row, trials, *table]
    made += [word for n in order for word in (cards[n], masks[n])]
    made += [0] * len(cards)
    made += [part for _, parts in groups for part in parts]
    return made if trials else made + [0] * ((bound + 1) * row)
