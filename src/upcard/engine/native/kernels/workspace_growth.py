"""The head of a workspace, and kernels that enlarge a workspace on demand.

A workspace begins small. What has no small bound that is known from the text grows: two regions of chunks,
for lists (the arena) and for recorded alternatives, and two tables of words, for effects and for where
alternatives begin. Everything is found by its distance from the start of the workspace, so a chunk may lie
anywhere, and nothing moves but tables, which are found through a word. Memory comes from the function whose
address the workspace holds (`take`); `Workspace` frees it.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, add, call_at, i64, offset, set_i64, sub, ult
from upcard.engine.native.kernels.structs import Array, Inline, Struct, length

MAX_CHUNKS = 32
LARGE = 32 << 20
"""A chunk is twice as large as the one before it, up to this."""
APART = 64
"""Bytes behind a chunk that belong to none: where one ends no other begins."""
LEAST_ROOM = 64
"""Words of a table that has moved."""


class WorkspaceHead(Struct):
    """Named words at the start of every workspace. All begin as 0 but those that `Workspace` sets."""

    here: Int
    """The workspace's own address."""
    take: Int
    give_back: Int
    """The addresses of `calloc` and `free`."""
    listing: Int
    """1 while alternatives are listed."""
    top: Int
    """First free byte of the arena."""
    seeded: Int
    """The listing's stream was made, since something in the choice may draw."""
    l0: Int
    l1: Int
    l2: Int
    l3: Int
    replayed: Int
    """Any forms of this run that take the element they had before: draws before them repeat."""
    r0: Int
    r1: Int
    r2: Int
    r3: Int
    depth: Int
    """Any forms met in this run."""
    script: Int
    """How many of them have their element prescribed."""
    picks: Int
    """Picks recorded in this run, or given for carrying out."""
    taken: Int
    """Picks used up while carrying out."""
    done: Int
    """Simple actions done in this run."""
    alternatives: Int
    """Found so far."""
    used: Int
    """Bytes used by recorded alternatives."""
    listed: Int
    """Picks in all of them."""
    grouped: Int
    """Cards in all groups picked."""
    noted: Int
    """Words of effects kept with them."""
    fault: Int
    stacked: Int
    """How many shuffles have given outcomes."""
    effects: Int
    """Words of effects noted so far."""
    watching: Int
    """1 while looks at hidden faces are noted."""
    peeked: Int
    """Words of effects before the first such look, or -1."""
    most_decisions: Int
    most_steps: Int
    limit: Int
    """A walk stops at the decision of this number."""
    imaged: Int
    """The state after the setup is known."""
    choices: Int
    """Alternatives of all decisions of a playout."""
    forced: Int
    """Its decisions with one alternative."""
    runs: Int
    """Items run to list alternatives, each on a copy of the state."""
    work: Int
    """Units of work since the last decision, or since a listing began."""
    stop: Int
    """Not 0: machine code returns as soon as it can (`interrupt`)."""
    given: Int
    """How many storages begin with a value of the match."""


class Chunk(Struct):
    start: Int
    """In bytes from the workspace."""
    room: Int
    """In bytes."""


class Region(Struct):
    """Memory in chunks; the first belongs to the workspace itself."""

    current: Inline[Chunk]
    """The chunk in use."""
    end: Int
    """The byte where it ends."""
    count: Int
    """How many chunks there are."""
    taken: Int
    """Bytes of all but the first."""
    most_taken: Int
    chunks: Array[Chunk] = length(MAX_CHUNKS)


class WordTable(Struct):
    """Words that move as a whole when more of them are needed."""

    base: Int
    """The word of the workspace where it begins."""
    room: Int
    """In words."""
    most_room: Int
    moved: Int
    """Whether it lies in memory of its own."""


END = Region.fields["end"].word
SIZE = Region.fields["current"].word + Chunk.fields["room"].word
BASE = WordTable.fields["base"].word
ROOM = WordTable.fields["room"].word
"""Words that games' own code reads and writes."""


def use_chunk(region: Region, chunk: Chunk) -> None:
    region.current.start = chunk.start
    region.current.room = chunk.room
    region.end = chunk.start + chunk.room


def find_room(work: WorkspaceHead, region_at: Int, top: Int, size: Int) -> Int:
    """Where that many bytes have room: at `top` if its chunk goes on so far, else where another chunk begins;
    0 if there is no more memory. What lies behind `top` is free, in this chunk and in later ones."""
    region = Region(offset(work, 8 * region_at))
    count = region.count
    mine = 0
    for n in range(count):
        if ult(sub(top, region.chunks[n].start), region.chunks[n].room + 1):
            mine = n
    chunk = region.chunks[mine]
    if chunk.start + chunk.room - top >= size:
        use_chunk(region, chunk)
        return top
    while mine + 1 < count:
        mine = mine + 1
        if region.chunks[mine].room >= size:
            use_chunk(region, region.chunks[mine])
            return region.chunks[mine].start
    left = region.most_taken - region.taken
    if count == MAX_CHUNKS or left < size:
        return 0
    room = 2 * region.chunks[count - 1].room
    if room > LARGE:
        room = LARGE
    if room > left:
        room = left
    if room < size:
        room = size
    address = call_at(work.take, 1, room + APART)
    if address == 0:
        return 0
    fresh = region.chunks[count]
    fresh.start = sub(address, work.here)
    fresh.room = room
    region.count = count + 1
    region.taken = add(region.taken, room)
    use_chunk(region, fresh)
    return fresh.start


def grow_table(work: WorkspaceHead, table_at: Int, wanted: Int) -> Int:
    """Moves a table to where it has at least that many words: 1, or 0 if there is no more memory."""
    table = WordTable(offset(work, 8 * table_at))
    room = table.room
    if room < LEAST_ROOM:
        room = LEAST_ROOM
    while room < wanted:
        room = 2 * room
    if room > table.most_room:
        room = table.most_room
    if room < wanted:
        return 0
    address = call_at(work.take, room, 8)
    if address == 0:
        return 0
    distance = sub(address, work.here)
    fresh = offset(work, distance)
    old = offset(work, 8 * table.base)
    for n in range(table.room):
        set_i64(fresh, n, i64(old, n))
    if table.moved:
        call_at(work.give_back, add(work.here, 8 * table.base))
    table.base = distance >> 3
    table.room = room
    table.moved = 1
    return 1


KERNELS = (use_chunk, find_room, grow_table)
