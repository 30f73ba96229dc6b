"""LLVM's target machine and object loader; `llvm.py` writes the text that they compile.

Loading a cached object needs this module alone. Data layout and triple are always set from the target: LLVM
aborts the process on a layout that differs from the machine's.
"""

from __future__ import annotations

import ctypes
import os
import struct
from dataclasses import dataclass
from typing import Any

from llvmlite import binding
from llvmlite.binding import ffi

from upcard.engine.native.fork import ForkSafeLock, hold_over_forks

PREFIX = "upcard_"

SLOW_PDEP = ("znver1", "znver2", "bdver4")
"""Processors whose PDEP instruction is slow."""

_lock = ForkSafeLock()
_ready = False

hold_over_forks(ffi.lib._lock)
# llvmlite holds this lock in every call: a fork during one would leave LLVM's tables half written


def _initialize() -> None:
    """Initializes LLVM once per process."""
    global _ready
    with _lock:
        if not _ready:
            binding.initialize_all_targets()
            binding.initialize_all_asmprinters()
            _ready = True


def level() -> int:
    """The optimization level: 2, or 0 if `UPCARD_OPT` is 0, which compiles ten times faster to slow code."""
    return 0 if os.environ.get("UPCARD_OPT") == "0" else 2


def machine(triple: str | None = None, cpu: str = "", features: str = "", far: bool = False) -> Any:
    """A target machine: the host if no triple is given.

    Where the loader puts code and data side by side, short relative addresses are used, unless `far`.
    """
    _initialize()
    if triple is None:
        triple = binding.get_process_triple()
        cpu = binding.get_host_cpu_name()
        features = binding.get_host_cpu_features().flatten()
    target = binding.Target.from_triple(triple)
    near = not far and triple.startswith("x86_64") and "linux" in triple
    created = target.create_target_machine(
        cpu=cpu, features=features, opt=level(), reloc="pic", codemodel="small" if near else "jitdefault"
    )
    created.near = near
    created.has_quick_pdep = "+bmi2" in features.split(",") and cpu not in SLOW_PDEP
    return created


def is_self_contained(data: bytes) -> bool:
    """Whether an object (64-bit ELF) has no undefined symbols; only then are code and data side by side."""
    if data[:6] != b"\x7fELF\x02\x01":
        return False
    sections_at, size, count = *struct.unpack_from("<Q", data, 40), *struct.unpack_from("<HH", data, 58)
    for i in range(count):
        kind, at, length = _section(data, sections_at + i * size)
        if kind == _SYMBOLS:
            for symbol in range(at + _SYMBOL_SIZE, at + length, _SYMBOL_SIZE):
                if struct.unpack_from("<H", data, symbol + 6)[0] == 0:  # no section: undefined
                    return False
    return True


_SYMBOLS, _SYMBOL_SIZE = 2, 24


def _section(data: bytes, at: int) -> tuple[int, int, int]:
    """A section's kind, offset and length."""
    (kind,) = struct.unpack_from("<I", data, at + 4)
    return kind, *struct.unpack_from("<QQ", data, at + 24)


@dataclass
class Loaded:
    """Machine code in this process, unloaded together with this object."""

    engine: Any

    def address(self, name: str) -> int:
        address = int(self.engine.get_function_address(PREFIX + name))
        if not address:
            raise KeyError(name)
        return address

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """A function callable from Python; it runs without the interpreter's lock."""
        return ctypes.CFUNCTYPE(result, *parameters)(self.address(name))


def load(data: bytes) -> Loaded:
    target = machine()
    empty = binding.parse_assembly("")
    empty.triple = target.triple
    empty.data_layout = str(target.target_data)
    # one contiguous block if possible, so that short relative addresses always suffice
    engine = binding.create_mcjit_compiler(empty, target, use_lmm=True if is_self_contained(data) else None)
    engine.add_object_file(binding.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return Loaded(engine)
