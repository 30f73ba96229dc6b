"""Structs of the kernel language: the same fields for Python, for kernels under CPython and compiled."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.engine.test_native_ir import BACKENDS, FLOAT, INT, PTR, built

from upcard.engine.native import ir, machine_memory
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.kernels.language import Float, Int, Memory, Ptr, f64, i64, offset, set_i64
from upcard.engine.native.kernels.struct_access import NotInSubset
from upcard.engine.native.kernels.structs import Array, BadStruct, Inline, Struct, length


class Chunk(Struct):
    start: Int
    count: Int


class Region(Struct):
    owner: Ptr
    first: Inline[Chunk]
    chunks: Array[Chunk] = length(3)
    counts: Array[Int] = length(2)
    used: Int = 7


class Search(Struct):
    region: Region
    weight: Float
    last: Inline[Region]
    sums: Array[Float]


def numbers(region: Region, n: Int) -> Int:
    """Reads every kind of field."""
    total = region.used + region.first.start + region.first.count
    total += region.chunks[1].count + region.chunks[n].start + region.counts[n] + region.counts[0]
    return total + i64(region.owner, 1) + Region.size


def change(search: Search, n: Int) -> Float:
    """Writes through a pointer, into a struct inside, and into the array at the end."""
    region = search.region
    region.used = 2 * region.used
    region.counts[n] += 5
    chunk = region.chunks[n]
    chunk.start = region.counts[n] + 1
    search.last.first.count = 9
    search.last.owner = offset(region.owner, 8)
    search.last.used += i64(search.last.owner, 0)
    search.sums[n] = search.weight * 2.0
    search.sums[2] = f64(search.sums, n)
    set_i64(search.last.counts, 1, Region(search.last.first).used if n > 100 else 3)
    return search.sums[n] + search.sums[2]


def by_hand(region: Ptr) -> Int:
    return i64(region, 1) + i64(region, 11)


def by_name(region: Region) -> Int:
    return region.first.start + region.used


def element_by_hand(region: Ptr, n: Int) -> Int:
    set_i64(region, n + 9, i64(region, n + 9) + 1)
    return i64(region, n + 9)


def element_by_name(region: Region, n: Int) -> Int:
    region.counts[n] += 1
    return region.counts[n]


def pack_search() -> tuple[Search, list[Any]]:
    """A search, and what it points to."""
    words = machine_memory.words_of([40, 41, 42])
    region = Region.pack(
        owner=ctypes.addressof(words),
        first=Chunk.pack(start=1, count=2),
        chunks=[Chunk.pack(start=10, count=11), Chunk.pack(start=12, count=13)],
        counts=(20, -21),
    )
    search = Search.pack(region=region, weight=1.5, sums=[0.0] * 4)
    return search, [words, region]


@pytest.fixture(params=["python", *BACKENDS])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    """A way to run the kernels above."""
    if request.param == "python":
        return lambda kernel, _result, given, *rest: kernel(given, *rest)
    module = compile_kernels("structs", [numbers, change])
    find = built(request.param, module, tmp_path)
    return lambda kernel, result, given, *rest: find(kernel.__name__, result, PTR, INT)(given.address, *rest)


def test_kernels_and_python_share_fields(run: Callable[..., Any]) -> None:
    search, (_words, region) = pack_search()
    assert run(numbers, INT, region, 1) == 7 + 1 + 2 + 13 + 12 - 21 + 20 + 41 + 96
    assert run(change, FLOAT, search, 1) == 6.0
    assert (region.used, region.counts[1], region.chunks[1].start) == (14, -16, -15)
    assert (search.last.first.count, search.last.used, search.last.counts[1]) == (9, 41, 3)
    assert i64(search.last.owner, 0) == 41
    assert [search.sums[n] for n in range(4)] == [0.0, 3.0, 3.0, 0.0]
    assert search.region.used == 14


def test_a_field_is_the_load_of_a_word() -> None:
    module = compile_kernels("structs", [by_hand, by_name, element_by_hand, element_by_name])
    of = module.functions
    assert of["by_hand"].body == of["by_name"].body
    assert of["element_by_hand"].body == of["element_by_name"].body
    assert ir.value_type("ptr") == "ptr"


def test_layout() -> None:
    assert Chunk.size == 16
    assert Region.size == 96
    assert Search.size == 8 + 8 + 96
    assert {name: field.word for name, field in Region.fields.items()} == {
        "owner": 0,
        "first": 1,
        "chunks": 3,
        "counts": 9,
        "used": 11,
    }


def test_structs_in_buffers_and_at_addresses() -> None:
    for buffer in (bytearray(40), (ctypes.c_int64 * 5)(), array("q", [0] * 5)):
        chunk = Chunk.at(buffer, 8)
        chunk.count = -3
        again = Chunk.at(chunk.address)
        assert again.count == -3
        again.start = 1 << 63
        assert chunk.start == -(1 << 63)
        assert chunk.to_bytes() == again.to_bytes()
        assert Chunk(Memory(buffer, 8)).count == -3
    with pytest.raises(BadStruct, match="Chunk takes 16 bytes, and 8 are there"):
        Chunk.at(bytearray(24), 16)
    with pytest.raises(IndexError, match="element 2 of an array of 2"):
        pack_search()[0].region.counts[2] = 1
    with pytest.raises(AttributeError, match="has no attribute 'end'"):
        chunk.end = 1  # type: ignore[attr-defined]
    assert list(pack_search()[0].region.counts) == [20, -21]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"start": 1}, "Chunk needs count"),
        ({"start": 1, "count": 2, "end": 3}, "Chunk has no field end"),
        ({"start": 1, "count": "two"}, "Chunk.count: "),
    ],
)
def test_what_does_not_fit_is_not_packed(values: dict[str, Any], why: str) -> None:
    with pytest.raises(BadStruct, match=why):
        Chunk.pack(**values)


def test_arrays_have_room_for_so_many() -> None:
    with pytest.raises(BadStruct, match=r"Region.counts: element 2 of an array of 2"):
        Region.pack(owner=0, counts=[1, 2, 3])
    with pytest.raises(BadStruct, match=r"Region.first: .* is no Chunk"):
        Region.pack(owner=0, first=3)


def test_definitions_are_checked() -> None:
    def refuses(annotations: dict[str, Any], why: str, **defaults: Any) -> None:
        with pytest.raises(BadStruct, match=why):
            type("Bad", (Struct,), {"__annotations__": annotations, **defaults})

    refuses({}, "Bad has no fields")
    refuses({"text": str}, "Bad.text: fields are Int, Float, Ptr")
    refuses({"both": Array[Array[int]]}, "Bad.both: fields are")
    refuses({"inside": Inline[int]}, "Bad.inside: fields are")
    refuses({"later": "Later"}, "Bad: name 'Later' is not defined")
    refuses({"size": int}, "Bad.size: this name is taken")
    refuses({"_own": int}, "Bad._own: this name is taken")
    refuses({"rest": Array[int], "more": int}, "Bad.rest has no length, so it must be the last field")
    refuses({"few": Array[int]}, "Bad.few: an array's default is its length", few=length(0))
    refuses({"at_once": int}, "Bad.at_once: only numbers have defaults", at_once="1")
    with pytest.raises(BadStruct, match="a struct is derived from Struct only"):
        type("Bad", (Chunk,), {"__annotations__": {"more": int}})


def unknown_field(chunk: Chunk) -> Int:
    return chunk.end  # type: ignore


def no_struct(chunk: Ptr) -> Int:
    return chunk.start  # type: ignore


def another_struct(chunk: Chunk) -> Int:
    return by_name(chunk)  # type: ignore[arg-type]


def another_type(chunk: Chunk) -> None:
    chunk.start = 1.0  # type: ignore[assignment]


def another_pointer(search: Search) -> None:
    search.region = search.last.first  # type: ignore[assignment]


def as_a_whole(search: Search, region: Region) -> None:
    search.last = region


def beyond(region: Region) -> Int:
    return region.counts[2]


def no_array(region: Region) -> Int:
    return region.used[0]  # type: ignore


def twice(region: Region, n: Int) -> None:
    here = region.first
    here = region.chunks[n]
    here = Region(here)  # type: ignore[assignment]
    here.start = 1


def returned(region: Region) -> Chunk:
    return region  # type: ignore[return-value]


def typed_number(n: Int) -> Int:
    return Chunk(n).start  # type: ignore[arg-type]


def no_address(chunk: Chunk) -> Int:
    return Chunk.fields  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (unknown_field, "Chunk has no field end"),
        (no_struct, "chunk is no struct, so it has no fields"),
        (another_struct, "chunk is Chunk, not Region"),
        (another_type, "chunk.start is int, not float"),
        (another_pointer, "search.last.first is Chunk, not Region"),
        (as_a_whole, "search.last is no single value"),
        (beyond, "region.counts has 2 elements"),
        (no_array, "region.used is no array"),
        (twice, "here was Chunk before, and this is Region"),
        (returned, "region is Region, not Chunk"),
        (typed_number, r"Chunk\(...\) gives a pointer its type, and int is no pointer"),
        (no_address, "of a struct itself, Chunk.size is known"),
    ],
)
def test_kernels_are_checked(kernel: Callable[..., Any], why: str) -> None:
    with pytest.raises(NotInSubset, match=why) as raised:
        compile_kernels("structs", [kernel], given=[by_name])
    line = int(str(raised.value).split(":")[1])
    first = kernel.__code__.co_firstlineno
    assert first < line <= first + 4
