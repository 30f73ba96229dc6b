"""Runs WebAssembly modules with wasmtime: one memory for the process, one store for each thread.

The memory is shared by all stores. Wasmtime reserves 4 GiB of addresses for it, so it never moves, and an
address in it is an ordinary address as well: Python and other machine code read it like any memory. In a
module an address counts from the memory's first byte; the difference is a global that the module imports.

A store is used by one thread only, so each thread makes its own when it first calls a function, and
instantiates in it all modules that are loaded, with the same places in the table of functions. A store frees
its instances only as a whole: when enough modules have been dropped, a thread goes on with a new one.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any, cast

import wasmtime
from wasmtime import _ffi as ffi

from upcard.engine.native import machine_memory
from upcard.engine.native.backends.wasm.expression_writer import MAX_OFFSET
from upcard.engine.native.backends.wasm.linear_memory import LinearMemory
from upcard.engine.native.backends.wasm.module_writer import MAX_PAGES, PAGE_SIZE, room_of
from upcard.engine.native.fork import ForkSafeLock

TAKE, GIVE_BACK, FIRST_PLACE = 1, 2, 3
"""Places in the table of functions: none, `calloc`, `free`, and those of modules."""
MOST_DROPPED = 4
"""When more modules than this have been dropped, and more than are loaded, a store is replaced."""
GROWTH = 256
"""Pages that the memory grows by at least."""


class Trap(RuntimeError):
    """WebAssembly stopped, or would have: always a bug.

    Wasmtime ends the process instead if memory out of bounds is read in a store with several modules.
    """


class _Freed:
    """An object of wasmtime that is not freed when Python ends, where wasmtime's module is half gone."""

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if not is_over():
            self.close()  # type: ignore[attr-defined]


class Engine(_Freed, wasmtime.Engine):
    pass


class Module(_Freed, wasmtime.Module):
    pass


class _Store(_Freed, wasmtime.Store):
    pass


class _SharedMemory(_Freed, wasmtime.SharedMemory):
    """A shared memory that can be imported: wasmtime's own class passes a pointer too many (version 50)."""

    def _as_extern(self) -> Any:
        union = ffi.wasmtime_extern_union(sharedmemory=self.ptr())
        return ffi.wasmtime_extern_t(ffi.WASMTIME_EXTERN_SHAREDMEMORY, union)


class Host:
    """What all threads share."""

    def __init__(self) -> None:
        config = wasmtime.Config()
        config.wasm_threads = True
        config.shared_memory = True
        config.parallel_compilation = False  # a forked child would wait for threads that it does not have
        self.engine = Engine(config)
        kind = wasmtime.MemoryType(wasmtime.Limits(GROWTH, MAX_PAGES), shared=True)
        self.shared = _SharedMemory(self.engine, kind)
        self.base = ctypes.addressof(self.shared.data_ptr().contents)
        self.size = GROWTH * PAGE_SIZE
        self.memory = LinearMemory(self.base + MAX_OFFSET, self._grow)
        self.loaded: weakref.WeakValueDictionary[int, Loaded] = weakref.WeakValueDictionary()
        """Modules by number, from 1, in the order in which they were loaded."""
        self.loads, self.drops = 0, 0
        """How many modules have been loaded and dropped so far."""
        self._lock = ForkSafeLock()
        self._next_place = FIRST_PLACE
        self._free_places: dict[int, list[int]] = {}
        self._own = threading.local()
        self.allocator = machine_memory.Allocator(TAKE, GIVE_BACK, self.memory.give_back)
        machine_memory.serve_from(self.memory.block)

    def compile(self, wasm: bytes) -> bytes:
        """Machine code of a module for this machine."""
        return bytes(Module(self.engine, wasm).serialize())

    @property
    def store(self) -> Store:
        """The calling thread's store, with all modules."""
        store: Store | None = getattr(self._own, "store", None)
        if store is None or self.drops - store.drops > max(MOST_DROPPED, len(self.loaded)):
            store = self._own.store = Store(self)
        if store.loads != self.loads:
            store.instantiate()
        return store

    def add(self, loaded: Loaded, count: int) -> tuple[int, int]:
        """The number of a new module, and the first of its places in the table."""
        with self._lock:
            places = self._free_places.get(count)
            if places:
                place = places.pop()
            else:
                place, self._next_place = self._next_place, self._next_place + count
            self.loads += 1
            self.loaded[self.loads] = loaded
            weakref.finalize(loaded, self._drop, place, count).atexit = False
            return self.loads, place

    def _drop(self, place: int, count: int) -> None:
        with self._lock:
            self._free_places.setdefault(count, []).append(place)
            self.drops += 1

    @property
    def places(self) -> int:
        return self._next_place

    def _grow(self, end: int) -> bool:
        """Makes the memory before an address usable."""
        missing = end - self.base - self.size
        if missing > 0:
            pages = max(-(-missing // PAGE_SIZE), GROWTH)
            if self.size + pages * PAGE_SIZE > MAX_PAGES * PAGE_SIZE:
                return False
            try:
                self.shared.grow(pages)
            except wasmtime.WasmtimeError:
                return False
            self.size += pages * PAGE_SIZE
        return True


class Loaded:
    """A module in this process, dropped together with this object and its functions."""

    def __init__(self, host: Host, module: wasmtime.Module, wasm: bytes) -> None:
        self.host, self.module = host, module
        size, count = room_of(wasm)
        self.data = host.memory.block(size) if size else None
        """Where its constant data go; every store writes the same there."""
        self.exports = [export.name for export in module.exports]
        assert len(self.exports) == count
        self.number, self.place = host.add(self, count)

    def address(self, name: str) -> int:
        """A place in the table of functions, which `CallAt` of other modules calls."""
        try:
            return self.place + self.exports.index(name)
        except ValueError:
            raise KeyError(name) from None

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """A function callable from Python; it runs without the interpreter's lock."""
        return _Function(self, name, result, parameters)


class Store:
    """What one thread runs modules in."""

    def __init__(self, host: Host) -> None:
        self.host = weakref.proxy(host)
        self.drops, self.loads = host.drops, 0
        self.raised: list[BaseException] = []
        """What a signal handler raised while WebAssembly took memory."""
        store = self.store = _Store(host.engine)
        self.context = store._context()
        kind = wasmtime.TableType(wasmtime.ValType.funcref(), wasmtime.Limits(FIRST_PLACE, None))
        self.table = wasmtime.Table(store, kind, None)
        i64 = wasmtime.ValType.i64()
        take, give_back = _allocation(host.memory, self.raised)
        for place, count, function in ((TAKE, 2, take), (GIVE_BACK, 1, give_back)):
            of_type = wasmtime.FuncType([i64] * count, [i64])
            self.table.set(store, place, wasmtime.Func(store, of_type, function))
        self._base = wasmtime.Global(store, wasmtime.GlobalType(i64, False), host.base)
        self._calls: dict[tuple[int, str], tuple[Any, Any]] = {}
        self._functions: dict[tuple[int, str], Any] = {}

    def instantiate(self) -> None:
        """Adds the modules that were loaded since."""
        host, store = self.host, self.store
        before, self.loads = self.loads, host.loads
        missing = host.places - self.table.size(store)
        if missing > 0:
            self.table.grow(store, missing, None)
        place = wasmtime.GlobalType(wasmtime.ValType.i32(), False)
        for number in range(before + 1, self.loads + 1):
            loaded = host.loaded.get(number)
            if loaded is None:
                continue
            data_at = ctypes.addressof(loaded.data) - host.base if loaded.data is not None else 0
            imports = [
                host.shared,
                self.table,
                wasmtime.Global(store, place, _as_i32(data_at)),
                wasmtime.Global(store, place, loaded.place),
                self._base,
            ]
            exports = wasmtime.Instance(store, loaded.module, imports).exports(store)
            for name in loaded.exports:
                self._functions[number, name] = cast(wasmtime.Func, exports[name])._func

    def call(self, number: int, name: str, size: int) -> tuple[Any, Any]:
        """Words for the arguments and the result of a function, and the arguments of the call itself."""
        key = number, name
        found = self._calls.get(key)
        if found is None:
            words = (ctypes.c_int64 * (2 * size))()
            raw = ctypes.cast(words, ctypes.POINTER(ffi.wasmtime_val_raw_t))
            trap = ctypes.POINTER(ffi.wasm_trap_t)()
            function = ctypes.byref(self._functions[key])
            found = self._calls[key] = words, (self.context, function, raw, size, trap)
        return found


def _allocation(memory: LinearMemory, raised: list[BaseException]) -> tuple[Any, Any]:
    """`calloc` and `free` for a table of functions; they must not hold the store, which holds them.

    A signal handler may raise anything in them, which is raised after the call.
    """

    def take(count: int, size: int) -> int:
        try:
            return memory.take(count * size)
        except BaseException as error:
            raised.append(error)
            return 0

    def give_back(address: int) -> int:
        try:
            memory.give_back(address)
        except BaseException as error:
            raised.append(error)
        return 0

    return take, give_back


class _Function:
    """An exported function."""

    def __init__(self, loaded: Loaded, name: str, result: Any, parameters: tuple[Any, ...]) -> None:
        self._loaded, self._name = loaded, name
        self._host, self._number = loaded.host, loaded.number
        self._size = max(len(parameters), 1)
        self.address = loaded.address(name)
        self._parameters = parameters
        self._is_float = result is ctypes.c_double

    def __call__(self, *arguments: Any) -> Any:
        host = self._host
        store = host.store
        words, (context, function, raw, size, trap) = store.call(self._number, self._name, self._size)
        at, kept = 0, list[Any]()
        for argument, kind in zip(arguments, self._parameters, strict=True):
            if kind is ctypes.c_void_p:
                words[at] = self._place_of(argument, kept)
            elif kind is ctypes.c_double:
                ctypes.c_double.from_buffer(words, 8 * at).value = argument
            else:
                words[at] = argument if type(argument) is int else argument.value
            at += 2
        trap = ctypes.POINTER(ffi.wasm_trap_t)()
        error = ffi.wasmtime_func_call_unchecked(context, function, raw, size, ctypes.byref(trap))
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise Trap(f"{self._name}: {wasmtime.Trap._from_ptr(trap).message}")
        if store.raised:
            raise store.raised.pop()
        return ctypes.c_double.from_buffer(words).value if self._is_float else words[0]

    def _place_of(self, argument: Any, kept: list[Any]) -> int:
        """An address, counted from the memory's first byte. Bytes are only read: they are copied there."""
        if type(argument) is bytes:
            block = self._host.memory.block(len(argument))
            ctypes.memmove(block, argument, len(argument))
            kept.append(block)
            argument = block
        if type(argument) is not int:
            argument = _address_of(argument)
        if argument == 0:
            return 0
        at = argument - self._host.base
        if not 0 < at < self._host.size:
            raise Trap(f"{self._name}: this memory is not WebAssembly's; it comes from machine_memory")
        return cast(int, at)


def _address_of(argument: Any) -> int:
    if argument is None:
        return 0
    if hasattr(argument, "_as_parameter_"):
        return int(argument._as_parameter_)
    if isinstance(argument, ctypes.c_void_p):
        return argument.value or 0
    return ctypes.addressof(argument)


def _as_i32(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value
