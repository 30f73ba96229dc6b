"""Sorting kernel: stable, ascending, in place."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, i64, set_i64

SHORT = 24


def sort_pairs(pairs: Ptr, spare: Ptr, n: Int) -> None:
    """Pairs of words by their first: inserted one by one where they are few, merged where they are many."""
    if n <= SHORT:
        for i in range(1, n):
            key = i64(pairs, 2 * i)
            value = i64(pairs, 2 * i + 1)
            j = i - 1
            going = 1
            while going == 1:
                going = 0
                if j >= 0 and i64(pairs, 2 * j) > key:
                    set_i64(pairs, 2 * j + 2, i64(pairs, 2 * j))
                    set_i64(pairs, 2 * j + 3, i64(pairs, 2 * j + 1))
                    j = j - 1
                    going = 1
            set_i64(pairs, 2 * j + 2, key)
            set_i64(pairs, 2 * j + 3, value)
    else:
        width = 1
        while width < n:
            at = 0
            while at < n:
                at = merge_pairs(pairs, spare, at, width, n)
            for k in range(2 * n):
                set_i64(pairs, k, i64(spare, k))
            width = 2 * width


def merge_pairs(pairs: Ptr, spare: Ptr, at: Int, width: Int, n: Int) -> Int:
    """Two sorted stretches from `at` into one; gives where they end."""
    middle = at + width
    if middle > n:
        middle = n
    end = middle + width
    if end > n:
        end = n
    i = at
    j = middle
    for k in range(at, end):
        first = 0
        if i < middle:
            first = 1
            if j < end and i64(pairs, 2 * j) < i64(pairs, 2 * i):
                first = 0
        source = j
        if first == 1:
            source = i
            i = i + 1
        else:
            j = j + 1
        set_i64(spare, 2 * k, i64(pairs, 2 * source))
        set_i64(spare, 2 * k + 1, i64(pairs, 2 * source + 1))
    return end


KERNELS = (merge_pairs, sort_pairs)
