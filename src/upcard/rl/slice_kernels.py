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
    prefetch,
    set_f64,
    set_i64,
    set_u8,
    set_u32,
    shl,
    u8,
)
from upcard.engine.native.kernels.playout import FAILED, deal_name
from upcard.engine.native.kernels.random_numbers import below, name_word, seed_stream
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead

BEGIN = -1
"""The entry of a game that was just dealt."""
LISTED = -2
"""Instead of an entry: the decision is listed again to find it."""
AHEAD = 2
"""Memory is fetched this number of environments ahead."""
LINE = 64
"""Bytes of a line of the cache."""
PICK_BITS = 16
"""An entry is an item and a pick (`turn_code`)."""

POINTS = 0
MARGIN = 1
RANK = 2
"""What a reward is."""

MAX_SKIPPED = 10_000
"""Deals one after the other without a decision of the caller."""
ALL_SKIPPED = 1
STOPPED = 0
"""What went wrong in an environment: there were that many; nothing, since the caller knows of it."""
MASK_OVERWRITTEN = 1 << 32
"""The mask allowed an action that the decision does not have: it was written into from outside."""


class VectorFacts(Struct):
    """Where an environment's memory holds what, in words; its slot begins where the state ends."""

    seats: Int
    highest: Int
    ending: Int
    pc: Int
    decisions: Int
    scores: Int
    offered: Int
    """How many alternatives the decision has."""
    mover: Int
    """The seat to move, by the number of stages around the decision."""
    slot: Int
    kept: Int
    """The sets of a fast decision, per item `set_words` words."""
    set_words: Int
    entries: Int
    """Of `rest`: per step the element where the entries of its actions begin, 0 where there are none."""
    names: Int
    """Of `rest`: per step the element where it says, item by item, where the numbers of its picks are."""
    rest: Array[Int]
    """Per step the number of items of a fast decision or 0, and what the fields above say."""


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
    actions_are_numbers: Int
    """0: an action is an index among the alternatives."""
    masked: Int
    """Bytes of a row of masks, 0 without masks."""
    observed: Int
    """Bytes of a row of observations, 0 without them."""
    sides: Ptr
    """Per seat a word: the seats that win together with it have the same."""
    opponents: Int
    """A bit for each seat that plays at random."""
    reward: Int
    actions: Ptr
    entries: Ptr
    """What the actions were found to be."""
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
    masks: Ptr
    """Per environment a byte for each action."""
    observations: Ptr
    finals: Int
    """1: final observations are wanted."""
    final_observations: Ptr
    """What the seat that decided last saw when its deal was over."""
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


def encode(state: Ptr, seat: Int, row: Ptr) -> Int:
    """Writes what a seat sees."""
    raise NotImplementedError("a game gives this")


def mask_row(state: Ptr, work: Ptr, row: Ptr) -> Int:
    """Writes which actions the decision has. One that is not fast is listed in the workspace."""
    raise NotImplementedError("a game gives this")


def index_of_action(state: Ptr, work: Ptr, action: Int, chance: Int) -> Int:
    """The index of an action among what is listed in the workspace, or -1."""
    raise NotImplementedError("a game gives this")


def action_of_index(state: Ptr, work: Ptr, index: Int) -> Int:
    """The action of an alternative that is listed in the workspace; -1 where it has no number."""
    raise NotImplementedError("a game gives this")


# --- entries, indices and actions ----------------------------------------------------------------


def items_at(facts: VectorFacts, pc: Int) -> Int:
    """How many items the decision of a step has if it is fast, otherwise 0."""
    return facts.rest[pc]


def kept_entry(state: Ptr, facts: VectorFacts, items: Int, index: Int) -> Int:
    """The entry of an alternative of a fast decision."""
    kept = offset(state, 8 * facts.kept)
    set_words = facts.set_words
    left = index
    for i in range(items):
        for w in range(set_words):
            word = i64(kept, i * set_words + w)
            count = popcount(word)
            if left < count:
                return shl(i, PICK_BITS) + 64 * w + nth_bit(word, left)
            left = left - count
    return 0


def is_kept(state: Ptr, facts: VectorFacts, entry: Int) -> Int:
    """Whether a fast decision has this entry."""
    pick = entry & (shl(1, PICK_BITS) - 1)
    word = facts.kept + lshr(entry, PICK_BITS) * facts.set_words + lshr(pick, 6)
    return lshr(i64(state, word), pick & 63) & 1


def numbered_entry(facts: VectorFacts, pc: Int, action: Int) -> Int:
    """The entry of an action of a fast decision, or -1."""
    return facts.rest[facts.rest[facts.entries + pc] + action]


def number_of(facts: VectorFacts, pc: Int, entry: Int) -> Int:
    """The action of an entry of a fast decision."""
    item = lshr(entry, PICK_BITS)
    return facts.rest[facts.rest[facts.rest[facts.names + pc] + item] + entry - shl(item, PICK_BITS)]


def entry_of_index(state: Ptr, facts: VectorFacts, index: Int) -> Int:
    """The entry of an alternative."""
    items = items_at(facts, i64(state, facts.pc))
    if items == 0:
        return index
    return kept_entry(state, facts, items, index)


def entry_of_action(batch: Batch, state: Ptr, facts: VectorFacts, e: Int) -> Int:
    """The entry of what the caller chose, LISTED, or -1 if it is not legal."""
    action = i64(batch.actions, e)
    pc = i64(state, facts.pc)
    items = items_at(facts, pc)
    if batch.actions_are_numbers == 0:
        if action < 0 or action >= i64(state, facts.offered):
            return -1
        return kept_entry(state, facts, items, action) if items != 0 else LISTED
    if action < 0 or action >= batch.masked:
        return -1
    if items == 0:
        return LISTED if u8(batch.masks, e * batch.masked + action) != 0 else -1
    entry = numbered_entry(facts, pc, action)
    if entry < 0 or is_kept(state, facts, entry) == 0:
        return -1
    return entry


def listed_entry(batch: Batch, state: Ptr, work: Ptr, slot: Slot, facts: VectorFacts, action: Int) -> Int:
    """The entry of an action of a decision that is listed for it; -1 if it has no such action."""
    relist(state, work)
    if batch.actions_are_numbers == 0:
        return action
    name = name_word(deal_name(batch.seed, slot.deal), facts.seats)
    return index_of_action(state, work, action, name_word(name, i64(state, facts.decisions)))


def random_index(batch: Batch, state: Ptr, slot: Slot, facts: VectorFacts, seat: Int) -> Int:
    """What a random player of this deal and seat takes, as in random games of the same seed."""
    streams = offset(state, 8 * batch.streams)
    if slot.seeded == 0:
        slot.seeded = 1
        name = deal_name(batch.seed, slot.deal)
        for s in range(facts.seats):
            seed_stream(offset(streams, 32 * s), name_word(name, s))
    return below(offset(streams, 32 * seat), i64(state, facts.offered))


# --- results -------------------------------------------------------------------------------------


def reward_of(batch: Batch, state: Ptr, facts: VectorFacts, seat: Int) -> Float:
    """What a deal's end is worth to a seat; more is better."""
    sign = 1 if facts.highest != 0 else -1
    seats = facts.seats
    mine = i64(state, facts.scores + seat)
    if batch.reward == POINTS:
        return itof(sign) * itof(mine)
    if batch.reward == MARGIN:
        total = 0.0
        for other in range(seats):
            total = total + itof(i64(state, facts.scores + other))
        return itof(sign) * (itof(mine) - total / itof(seats))
    side = i64(batch.sides, seat)
    beaten = 0
    others = 0
    for other in range(seats):
        if i64(batch.sides, other) != side:
            others = others + 1
            score = i64(state, facts.scores + other)
            if score < mine:
                beaten = beaten + sign
            elif score > mine:
                beaten = beaten - sign
    return itof(beaten) / itof(others) if others > 0 else 0.0


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
                total = f64(batch.skipped_rewards, at) + reward_of(batch, state, facts, seat)
                set_f64(batch.skipped_rewards, at, total)
        return
    set_u8(batch.endings, e, ending)
    set_u8(batch.terminated, e, 1 if ending == 1 else 0)
    set_u8(batch.truncated, e, 0 if ending == 1 else 1)
    slot.settled = 1
    if ending != FAILED:
        for seat in range(seats):
            set_f64(batch.rewards, e * seats + seat, reward_of(batch, state, facts, seat))
    if batch.finals != 0:
        encode(state, u8(batch.movers, e), offset(batch.final_observations, e * batch.observed))


def unsettle(batch: Batch, slot: Slot, facts: VectorFacts, e: Int) -> None:
    """The step before ended a deal: takes its results back."""
    slot.settled = 0
    set_u8(batch.endings, e, 0)
    set_u8(batch.terminated, e, 0)
    set_u8(batch.truncated, e, 0)
    for seat in range(facts.seats):
        set_f64(batch.rewards, e * facts.seats + seat, 0.0)


def show(batch: Batch, work: Ptr, facts: VectorFacts, state: Ptr, seat: Int, e: Int) -> None:
    """What the caller is to know of its decision."""
    set_u8(batch.movers, e, seat)
    set_u32(batch.offered, e, i64(state, facts.offered))
    if batch.masked != 0:
        mask_row(state, work, offset(batch.masks, e * batch.masked))
    if batch.observed != 0:
        encode(state, seat, offset(batch.observations, e * batch.observed))


# --- steps ---------------------------------------------------------------------------------------


def deal_next(batch: Batch, work: Ptr, facts: VectorFacts, state: Ptr, slot: Slot, e: Int, deal: Int) -> None:
    slot.asked = 0
    slot.seeded = 0
    slot.deal = deal
    set_i64(batch.deals, e, deal)
    begin(state, work, batch.seed, deal)


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
                show(batch, work, facts, state, seat, e)
                return 0
            entry = entry_of_index(state, facts, random_index(batch, state, slot, facts, seat))
        else:
            settle(batch, state, slot, facts, e)
            if slot.asked == 0:
                skipped = skipped + 1
                if skipped == MAX_SKIPPED:
                    return ALL_SKIPPED
            deal_next(batch, work, facts, state, slot, e, add(slot.deal, batch.count))
            entry = BEGIN
    return STOPPED


def slot_of(state: Ptr, facts: VectorFacts) -> Slot:
    return Slot(offset(state, 8 * facts.slot))


def fetch(batch: Batch, e: Int) -> None:
    """An environment's memory is wanted soon."""
    state = offset(batch.slots, e * batch.slot_bytes)
    size = batch.slot_bytes
    at = 0
    while at < size:
        prefetch(state, at)
        at = at + LINE


def step_slice(batch: Batch, work: Ptr, first: Int, last: Int) -> Int:
    """Steps the environments from `first` to before `last`; gives what went wrong, summed up."""
    facts = vector_facts()
    wrong = 0
    for e in range(first, last):
        state = offset(batch.slots, e * batch.slot_bytes)
        slot = slot_of(state, facts)
        if e + AHEAD < last:
            fetch(batch, e + AHEAD)
        if slot.settled != 0:
            unsettle(batch, slot, facts, e)
        entry = i64(batch.entries, e)
        if entry == LISTED:
            entry = listed_entry(batch, state, work, slot, facts, i64(batch.actions, e))
        if entry < 0:
            wrong = wrong + MASK_OVERWRITTEN
        else:
            wrong = wrong + go_on(batch, work, facts, state, slot, e, entry)
    return wrong


def deal_slice(batch: Batch, work: Ptr, first: Int, last: Int) -> Int:
    """The same for environments that begin anew."""
    facts = vector_facts()
    wrong = 0
    for e in range(first, last):
        state = offset(batch.slots, e * batch.slot_bytes)
        slot = slot_of(state, facts)
        unsettle(batch, slot, facts, e)
        deal_next(batch, work, facts, state, slot, e, add(batch.first, e))
        wrong = wrong + go_on(batch, work, facts, state, slot, e, BEGIN)
    return wrong


def find_entries(batch: Batch, work: Ptr, first: Int, last: Int) -> Int:
    """Finds what all actions are; gives the first environment whose action is not legal, or -1."""
    facts = vector_facts()
    for e in range(first, last):
        entry = entry_of_action(batch, offset(batch.slots, e * batch.slot_bytes), facts, e)
        if entry == -1:
            return e
        set_i64(batch.entries, e, entry)
    return -1


def sample_slice(batch: Batch, work: Ptr, first: Int, last: Int) -> Int:
    """A random action for each environment: what a random player of its deal and seat would take. Where an
    alternative has no number, another one is drawn."""
    facts = vector_facts()
    for e in range(first, last):
        state = offset(batch.slots, e * batch.slot_bytes)
        slot = slot_of(state, facts)
        pc = i64(state, facts.pc)
        items = items_at(facts, pc)
        if items == 0 and batch.actions_are_numbers != 0:
            relist(state, work)
        seat = i64(state, facts.mover + slot.depth)
        action = -1
        while action < 0:
            action = random_index(batch, state, slot, facts, seat)
            if batch.actions_are_numbers != 0:
                if items == 0:
                    action = action_of_index(state, work, action)
                else:
                    action = number_of(facts, pc, kept_entry(state, facts, items, action))
        set_i64(batch.actions, e, action)
    return 0


KERNELS = (
    items_at,
    kept_entry,
    is_kept,
    numbered_entry,
    number_of,
    entry_of_index,
    entry_of_action,
    listed_entry,
    random_index,
    reward_of,
    settle,
    unsettle,
    show,
    deal_next,
    go_on,
    slot_of,
    fetch,
    step_slice,
    deal_slice,
    find_entries,
    sample_slice,
)
EXPORTED = (step_slice, deal_slice, find_entries, sample_slice)
GIVEN = (
    begin,
    turn,
    relist,
    vector_facts,
    encode,
    mask_row,
    index_of_action,
    action_of_index,
    deal_name,
    below,
    name_word,
    seed_stream,
)
