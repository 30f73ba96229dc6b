"""Kernels that enlarge a workspace on demand.

A workspace begins small. What has no small bound that is known from the text grows: two regions of chunks,
for lists (the arena) and for recorded alternatives, and two tables of words, for effects and for where
alternatives begin. Everything is found by its distance from the start of the workspace, so a chunk may lie
anywhere, and nothing moves but tables, which are found through a word. Memory comes from the function whose
address the workspace holds (`TAKE`); `Workspace` frees it.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, add, call_at, i64, offset, set_i64, sub, ult

HERE, TAKE, GIVE_BACK = 0, 1, 2
"""Words of the workspace: its own address, and those of `calloc` and `free`."""

START, SIZE, END, CHUNKS, BYTES, MOST_BYTES, FIRST = 0, 1, 2, 3, 4, 5, 6
"""A region: where the chunk in use begins, its bytes, and where it ends; how many chunks there are, the bytes
of all but the first, and how many of those there may be; then where each begins, and its bytes."""
MOST_CHUNKS = 32
REGION_WORDS = FIRST + 2 * MOST_CHUNKS
LARGE = 32 << 20
"""A chunk is twice as large as the one before it, up to this."""
APART = 64
"""Bytes behind a chunk that belong to none: where one ends no other begins."""

BASE, ROOM, MOST_ROOM, MOVED = 0, 1, 2, 3
"""A table: the word where it begins, its words, how many there may be, and whether it was moved."""
TABLE_WORDS = 4
LEAST_ROOM = 64


def use_chunk(work: Ptr, region: Int, chunk: Int) -> None:
    set_i64(work, region + START, i64(work, chunk))
    set_i64(work, region + SIZE, i64(work, chunk + 1))
    set_i64(work, region + END, i64(work, chunk) + i64(work, chunk + 1))


def find_room(work: Ptr, region: Int, top: Int, size: Int) -> Int:
    """Where so many bytes have room: at `top` if its chunk goes on so far, else where another chunk begins;
    0 if there is no more memory. What lies behind `top` is free, in this chunk and in later ones."""
    count = i64(work, region + CHUNKS)
    mine = region + FIRST
    for n in range(count):
        chunk = region + FIRST + 2 * n
        if ult(sub(top, i64(work, chunk)), i64(work, chunk + 1) + 1):
            mine = chunk
    if i64(work, mine) + i64(work, mine + 1) - top >= size:
        use_chunk(work, region, mine)
        return top
    end = region + FIRST + 2 * count
    while mine + 2 < end:
        mine = mine + 2
        if i64(work, mine + 1) >= size:
            use_chunk(work, region, mine)
            return i64(work, mine)
    left = i64(work, region + MOST_BYTES) - i64(work, region + BYTES)
    if count == MOST_CHUNKS or left < size:
        return 0
    room = 2 * i64(work, end - 1)
    if room > LARGE:
        room = LARGE
    if room > left:
        room = left
    if room < size:
        room = size
    made = call_at(i64(work, TAKE), 1, room + APART)
    if made == 0:
        return 0
    start = sub(made, i64(work, HERE))
    set_i64(work, end, start)
    set_i64(work, end + 1, room)
    set_i64(work, region + CHUNKS, count + 1)
    set_i64(work, region + BYTES, add(i64(work, region + BYTES), room))
    use_chunk(work, region, end)
    return start


def grow_table(work: Ptr, table: Int, wanted: Int) -> Int:
    """A table moved to where it has at least so many words: 1, or 0 if there is no more memory."""
    room = i64(work, table + ROOM)
    if room < LEAST_ROOM:
        room = LEAST_ROOM
    while room < wanted:
        room = 2 * room
    if room > i64(work, table + MOST_ROOM):
        room = i64(work, table + MOST_ROOM)
    if room < wanted:
        return 0
    made = call_at(i64(work, TAKE), room, 8)
    if made == 0:
        return 0
    distance = sub(made, i64(work, HERE))
    fresh = offset(work, distance)
    old = offset(work, 8 * i64(work, table + BASE))
    for n in range(i64(work, table + ROOM)):
        set_i64(fresh, n, i64(old, n))
    if i64(work, table + MOVED):
        call_at(i64(work, GIVE_BACK), add(i64(work, HERE), 8 * i64(work, table + BASE)))
    set_i64(work, table + BASE, distance >> 3)
    set_i64(work, table + ROOM, room)
    set_i64(work, table + MOVED, 1)
    return 1


KERNELS = (use_chunk, find_room, grow_table)
