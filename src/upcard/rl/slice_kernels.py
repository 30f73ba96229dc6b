"""Kernels that step a slice of a vector environment: carry out, go on, deal again, write what is seen.

They call a game's own functions by name: `begin` deals, `turn` goes from one decision to the next
(`turn_code`). An environment's memory is a state, a `Slot` and the sets of its decision.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Float,
    Int,
    Ptr,
    add,
    f64,
    i64,
    itof,
    lshr,
    nth_bit,
    offset,
    popcount,
    set_f64,
    set_i64,
    set_u8,
    set_u32,
    shl,
)
from upcard.engine.native.kernels.playout import FAILED, deal_name
from upcard.engine.native.kernels.random_numbers import below, name_word, seed_stream
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead

BEGIN = -1
"""The entry of a game that was just dealt."""
PICK_BITS = 16
"""An entry is an item and a pick (`turn_code`)."""

SCORES = 0
POINTS = 1
RANKS = 2
"""What a reward is."""

MAX_SKIPPED = 10_000
"""Deals one after the other without a decision of the caller."""
ALL_SKIPPED = 1
STOPPED = 0
"""What went wrong in an environment: there were that many; nothing, since the caller knows of it."""


class VectorFacts(Struct):
    """Where an environment's memory holds what, in words; its slot begins where the state ends."""

    seats: Int
    highest: Int
    ending: Int
    pc: Int
    scores: Int
    offered: Int
    """How many alternatives the decision has."""
    mover: Int
    """The seat to move, by the number of stages around the decision."""
    slot: Int
    kept: Int
    """The sets of a fast decision, per item `set_words` words."""
    set_words: Int
    steps: Int
    """Of the program. Per step: the number of items of a fast decision or 0, then the stages around it."""
    rest: Array[Int]


class Slot(Struct):
    """What an environment keeps beside its state and the sets of its decision."""

    deal: Int
    asked: Int
    """1: the caller has decided something in this deal."""
    settled: Int
    """1: the rewards of the last step are not 0."""
    seeded: Int
    """1: the streams of this deal's random players are seeded."""
    depth: Int
    """How many stages are around the decision."""


class Batch(Struct):
    """A vector environment: its memory, and where the results of a step go."""

    slots: Ptr
    slot_bytes: Int
    streams: Int
    """The word of an environment's memory where the streams of its seats begin."""
    count: Int
    """How many environments there are: one plays every deal of that distance."""
    seed: Int
    first: Int
    """The deal that the first environment begins with."""
    opponents: Int
    """A bit for each seat that plays at random."""
    reward: Int
    actions: Ptr
    rewards: Ptr
    """Per environment and seat."""
    endings: Ptr
    """How the deal ended that this step ended, 0 otherwise; bytes, as the next three are."""
    terminated: Ptr
    truncated: Ptr
    movers: Ptr
    offered: Ptr
    """How many alternatives there are; 32 bits."""
    deals: Ptr
    skipped: Ptr
    """Deals that ended without a decision of the caller."""
    skipped_rewards: Ptr
    """Per environment and seat the sum of their rewards."""


def begin(state: Ptr, work: Ptr, seed: Int, number: Int) -> Int:
    """A fresh deal, set up, with its stream."""
    raise NotImplementedError("a game gives this")


def turn(state: Ptr, work: Ptr, entry: Int) -> Int:
    """Carries out what was chosen and goes on to the next decision; gives how many stages are around it."""
    raise NotImplementedError("a game gives this")


def relist(state: Ptr, work: Ptr) -> Int:
    """Lists the decision again."""
    raise NotImplementedError("a game gives this")


def vector_facts() -> VectorFacts:
    raise NotImplementedError("a game gives this")


def items_at(facts: VectorFacts, pc: Int) -> Int:
    """How many items the decision of a step has if it is fast, otherwise 0."""
    return facts.rest[pc]


def kept_entry(kept: Ptr, set_words: Int, items: Int, index: Int) -> Int:
    """The entry of an alternative of a fast decision."""
    left = index
    for i in range(items):
        for w in range(set_words):
            word = i64(kept, i * set_words + w)
            count = popcount(word)
            if left < count:
                return shl(i, PICK_BITS) + 64 * w + nth_bit(word, left)
            left = left - count
    return 0


def entry_of(state: Ptr, work: Ptr, facts: VectorFacts, index: Int) -> Int:
    """The entry of an alternative. A decision that is not fast is listed in the workspace."""
    items = items_at(facts, i64(state, facts.pc))
    if items == 0:
        return index
    return kept_entry(offset(state, 8 * facts.kept), facts.set_words, items, index)


def random_index(batch: Batch, state: Ptr, slot: Slot, facts: VectorFacts, seat: Int) -> Int:
    """What a random player of this deal and seat takes, as in random games of the same seed."""
    streams = offset(state, 8 * batch.streams)
    if slot.seeded == 0:
        slot.seeded = 1
        name = deal_name(batch.seed, slot.deal)
        for s in range(facts.seats):
            seed_stream(offset(streams, 32 * s), name_word(name, s))
    return below(offset(streams, 32 * seat), i64(state, facts.offered))


def reward_of(state: Ptr, facts: VectorFacts, kind: Int, seat: Int) -> Float:
    """What a deal's end is worth to a seat; more is better, but for the plain scores."""
    mine = i64(state, facts.scores + seat)
    if kind == SCORES:
        return itof(mine)
    seats = facts.seats
    sign = 1 if facts.highest != 0 else -1
    if kind == POINTS:
        total = 0.0
        for other in range(seats):
            total = total + itof(i64(state, facts.scores + other))
        return itof(sign) * (itof(mine) - total / itof(seats))
    balance = 0
    for other in range(seats):
        score = i64(state, facts.scores + other)
        if score < mine:
            balance = balance + sign
        elif score > mine:
            balance = balance - sign
    return itof(balance) / itof(seats - 1 if seats > 1 else 1)


def settle(batch: Batch, state: Ptr, slot: Slot, facts: VectorFacts, e: Int) -> None:
    """The results of a deal that has ended. Those of a deal without a decision of the caller are added up
    apart: no step led to them."""
    ending = i64(state, facts.ending)
    seats = facts.seats
    if slot.asked == 0:
        set_i64(batch.skipped, e, add(i64(batch.skipped, e), 1))
        if ending != FAILED:
            for seat in range(seats):
                at = e * seats + seat
                sum = f64(batch.skipped_rewards, at) + reward_of(state, facts, batch.reward, seat)
                set_f64(batch.skipped_rewards, at, sum)
        return
    set_u8(batch.endings, e, ending)
    set_u8(batch.terminated, e, 1 if ending == 1 else 0)
    set_u8(batch.truncated, e, 0 if ending == 1 else 1)
    slot.settled = 1
    if ending != FAILED:
        for seat in range(seats):
            set_f64(batch.rewards, e * seats + seat, reward_of(state, facts, batch.reward, seat))


def unsettle(batch: Batch, slot: Slot, facts: VectorFacts, e: Int) -> None:
    """The step before ended a deal: takes its results back."""
    slot.settled = 0
    set_u8(batch.endings, e, 0)
    set_u8(batch.terminated, e, 0)
    set_u8(batch.truncated, e, 0)
    for seat in range(facts.seats):
        set_f64(batch.rewards, e * facts.seats + seat, 0.0)


def go_on(batch: Batch, work: Ptr, facts: VectorFacts, state: Ptr, slot: Slot, e: Int, chosen: Int) -> Int:
    """From what was chosen to the next decision of the caller; gives what went wrong, or 0."""
    entry = chosen
    skipped = 0
    head = WorkspaceHead(work)
    while head.stop == 0:
        if entry != BEGIN or i64(state, facts.ending) == 0:
            slot.depth = turn(state, work, entry)
        if i64(state, facts.ending) == 0:
            seat = i64(state, facts.mover + slot.depth)
            if lshr(batch.opponents, seat) & 1 == 0:
                slot.asked = 1
                set_u8(batch.movers, e, seat)
                set_u32(batch.offered, e, i64(state, facts.offered))
                return 0
            entry = entry_of(state, work, facts, random_index(batch, state, slot, facts, seat))
        else:
            settle(batch, state, slot, facts, e)
            if slot.asked == 0:
                skipped = skipped + 1
                if skipped == MAX_SKIPPED:
                    return ALL_SKIPPED
            slot.asked = 0
            slot.seeded = 0
            slot.deal = add(slot.deal, batch.count)
            set_i64(batch.deals, e, slot.deal)
            begin(state, work, batch.seed, slot.deal)
            entry = BEGIN
    return STOPPED


def slot_of(state: Ptr, facts: VectorFacts) -> Slot:
    return Slot(offset(state, 8 * facts.slot))


def step_slice(batch: Batch, work: Ptr, first: Int, last: Int) -> Int:
    """Steps the environments from `first` to before `last`; gives how many could not go on."""
    facts = vector_facts()
    wrong = 0
    for e in range(first, last):
        state = offset(batch.slots, e * batch.slot_bytes)
        slot = slot_of(state, facts)
        if slot.settled != 0:
            unsettle(batch, slot, facts, e)
        index = i64(batch.actions, e)
        if items_at(facts, i64(state, facts.pc)) == 0:
            relist(state, work)
        wrong = wrong + go_on(batch, work, facts, state, slot, e, entry_of(state, work, facts, index))
    return wrong


def deal_slice(batch: Batch, work: Ptr, first: Int, last: Int) -> Int:
    """The same for environments that begin anew."""
    facts = vector_facts()
    wrong = 0
    for e in range(first, last):
        state = offset(batch.slots, e * batch.slot_bytes)
        slot = slot_of(state, facts)
        unsettle(batch, slot, facts, e)
        slot.asked = 0
        slot.seeded = 0
        slot.deal = add(batch.first, e)
        set_i64(batch.deals, e, slot.deal)
        begin(state, work, batch.seed, slot.deal)
        wrong = wrong + go_on(batch, work, facts, state, slot, e, BEGIN)
    return wrong


def first_illegal(batch: Batch, first: Int, last: Int) -> Int:
    """The first environment whose action is not one of its alternatives, or -1."""
    facts = vector_facts()
    for e in range(first, last):
        state = offset(batch.slots, e * batch.slot_bytes)
        action = i64(batch.actions, e)
        if action < 0 or action >= i64(state, facts.offered):
            return e
    return -1


def sample_slice(batch: Batch, first: Int, last: Int) -> None:
    """A random action for each environment: what a random player of its deal and seat would take."""
    facts = vector_facts()
    for e in range(first, last):
        state = offset(batch.slots, e * batch.slot_bytes)
        slot = slot_of(state, facts)
        seat = i64(state, facts.mover + slot.depth)
        set_i64(batch.actions, e, random_index(batch, state, slot, facts, seat))


KERNELS = (
    items_at,
    kept_entry,
    entry_of,
    random_index,
    reward_of,
    settle,
    unsettle,
    go_on,
    slot_of,
    step_slice,
    deal_slice,
    first_illegal,
    sample_slice,
)
EXPORTED = (step_slice, deal_slice, first_illegal, sample_slice)
GIVEN = (begin, turn, relist, vector_facts, deal_name, below, name_word, seed_stream)
