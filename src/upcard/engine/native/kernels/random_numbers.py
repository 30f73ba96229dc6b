"""Random-number kernels: splitmix64, xoshiro256++, bounded draws, shuffles (docs/language/chance.md).

A stream is four words of memory. The same text runs under CPython and as machine code.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    add,
    i64,
    lshr,
    mul,
    offset,
    set_i64,
    set_u8,
    shl,
    sub,
    u8,
    ult,
    umulh,
    urem,
)

GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
FACTOR_1 = 0xBF58476D1CE4E5B9 - (1 << 64)
FACTOR_2 = 0x94D049BB133111EB - (1 << 64)
SPARE = 4 * 256
"""Words from the first seat's stream to one that nobody draws from: there are at most 256 seats."""


def mix(x: Int) -> Int:
    """The output function of splitmix64."""
    y = mul(x ^ lshr(x, 30), FACTOR_1)
    y = mul(y ^ lshr(y, 27), FACTOR_2)
    return y ^ lshr(y, 31)


def name_word(h: Int, word: Int) -> Int:
    """One more word of a stream's name."""
    return mix(add(h ^ word, GOLDEN))


def seed_stream(stream: Ptr, h: Int) -> None:
    """Four words of state from a stream's name."""
    for i in range(4):
        h = add(h, GOLDEN)
        set_i64(stream, i, mix(h))


def next_word(stream: Ptr) -> Int:
    """64 fresh bits."""
    s0 = i64(stream, 0)
    s1 = i64(stream, 1)
    s2 = i64(stream, 2)
    s3 = i64(stream, 3)
    total = add(s0, s3)
    result = add(shl(total, 23) | lshr(total, 41), s0)
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    set_i64(stream, 2, s2 ^ shl(s1, 17))
    set_i64(stream, 1, s1 ^ s2)
    set_i64(stream, 0, s0 ^ s3)
    set_i64(stream, 3, shl(s3, 45) | lshr(s3, 19))
    return result


def drawn_again(stream: Ptr, x: Int, n: Int) -> Int:
    """A draw below n of which it is not yet known whether it counts: the exact bound is always below n."""
    floor = urem(sub(0, n), n)
    while ult(mul(x, n), floor):
        x = next_word(stream)
    return umulh(x, n)


def below(stream: Ptr, n: Int) -> Int:
    """Uniform on 0 to n - 1; nothing is drawn for n = 1."""
    if n == 1:
        return 0
    x = next_word(stream)
    low = mul(x, n)
    if ult(low, n):
        return drawn_again(stream, x, n)
    return umulh(x, n)


def choose_below(streams: Ptr, seat: Int, n: Int) -> Int:
    """What `below` gives from a seat's stream, without a jump for n = 1.

    Nobody can foresee whether a decision is forced. Where nothing is drawn, the stream's next state goes to a
    spare one behind those of all seats.
    """
    at = 4 * seat
    s0 = i64(streams, at)
    s1 = i64(streams, at + 1)
    s2 = i64(streams, at + 2)
    s3 = i64(streams, at + 3)
    total = add(s0, s3)
    x = add(shl(total, 23) | lshr(total, 41), s0)
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    to = at + ((SPARE - at) & sub(0, lshr(sub(n, 2), 63)))
    set_i64(streams, to, s0 ^ s3)
    set_i64(streams, to + 1, s1 ^ s2)
    set_i64(streams, to + 2, s2 ^ shl(s1, 17))
    set_i64(streams, to + 3, shl(s3, 45) | lshr(s3, 19))
    found = umulh(x, n)  # before the test, so that one multiplication gives both halves
    if ult(mul(x, n), n):
        found = drawn_again(offset(streams, 8 * at), x, n)
    return found


def shuffle_bytes(stream: Ptr, cards: Ptr, size: Int) -> None:
    """A shuffle of cards that are bytes, index 0 at the bottom.

    The draws are those of `below`, written out so that the stream stays in registers meanwhile.
    """
    s0 = i64(stream, 0)
    s1 = i64(stream, 1)
    s2 = i64(stream, 2)
    s3 = i64(stream, 3)
    i = size - 1
    while i >= 1:
        n = i + 1
        total = add(s0, s3)
        x = add(shl(total, 23) | lshr(total, 41), s0)
        t = shl(s1, 17)
        s2 = s2 ^ s0
        s3 = s3 ^ s1
        s1 = s1 ^ s2
        s0 = s0 ^ s3
        s2 = s2 ^ t
        s3 = shl(s3, 45) | lshr(s3, 19)
        j = umulh(x, n)
        if ult(mul(x, n), n):
            set_i64(stream, 0, s0)
            set_i64(stream, 1, s1)
            set_i64(stream, 2, s2)
            set_i64(stream, 3, s3)
            j = drawn_again(stream, x, n)
            s0 = i64(stream, 0)
            s1 = i64(stream, 1)
            s2 = i64(stream, 2)
            s3 = i64(stream, 3)
        a = u8(cards, i)
        b = u8(cards, j)
        set_u8(cards, i, b)
        set_u8(cards, j, a)
        i = i - 1
    set_i64(stream, 0, s0)
    set_i64(stream, 1, s1)
    set_i64(stream, 2, s2)
    set_i64(stream, 3, s3)


KERNELS = (mix, name_word, seed_stream, next_word, drawn_again, below, choose_below, shuffle_bytes)
RARE = (drawn_again,)
"""Wanted once in a lifetime."""
