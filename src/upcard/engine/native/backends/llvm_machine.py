"""LLVM's target machine and object loader; `llvm.py` writes the text that they compile.

Loading an object that was kept needs this file alone. Data layout and triple are always set from the target:
a layout that differs from the machine's aborts the process.
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
"""Machines that have the instruction, but take long over it."""

_lock = ForkSafeLock()
_ready = False

hold_over_forks(ffi.lib._lock)
# every call of llvmlite takes that lock: a fork in the middle of one would leave LLVM's tables half written


def _start() -> None:
    """LLVM's own tables, once a process."""
    global _ready
    with _lock:
        if not _ready:
            binding.initialize_all_targets()
            binding.initialize_all_asmprinters()
            _ready = True


def level() -> int:
    """How hard LLVM tries: 2, or what `UPCARD_OPT` says. 0 compiles ten times as quickly, to slow code."""
    return 0 if os.environ.get("UPCARD_OPT") == "0" else 2


def machine(triple: str | None = None, cpu: str = "", features: str = "", far: bool = False) -> Any:
    """A target: this machine when no triple is given.

    Where it is known how to load code and tables side by side they find each other by short distances,
    unless `far` is asked for.
    """
    _start()
    if triple is None:
        triple = binding.get_process_triple()
        cpu = binding.get_host_cpu_name()
        features = binding.get_host_cpu_features().flatten()
    target = binding.Target.from_triple(triple)
    near = not far and triple.startswith("x86_64") and "linux" in triple
    made = target.create_target_machine(
        cpu=cpu, features=features, opt=level(), reloc="pic", codemodel="small" if near else "jitdefault"
    )
    made.near = near
    made.has_quick_pdep = "+bmi2" in features.split(",") and cpu not in SLOW_PDEP
    return made


def is_self_contained(data: bytes) -> bool:
    """Whether an object (64 bits, ELF) asks for nothing from outside: only then it is loaded side by side."""
    if data[:6] != b"\x7fELF\x02\x01":
        return False
    sections_at, size, count = *struct.unpack_from("<Q", data, 40), *struct.unpack_from("<HH", data, 58)
    for i in range(count):
        kind, at, length = _section(data, sections_at + i * size)
        if kind == _SYMBOLS:
            for symbol in range(at + _SYMBOL_SIZE, at + length, _SYMBOL_SIZE):
                if struct.unpack_from("<H", data, symbol + 6)[0] == 0:  # of no section: somebody else has it
                    return False
    return True


_SYMBOLS, _SYMBOL_SIZE = 2, 24


def _section(data: bytes, at: int) -> tuple[int, int, int]:
    """Its kind, where it lies, and its length."""
    (kind,) = struct.unpack_from("<I", data, at + 4)
    return kind, *struct.unpack_from("<QQ", data, at + 24)


@dataclass
class Loaded:
    """Machine code in this process; it stays as long as this object does."""

    engine: Any

    def address(self, name: str) -> int:
        found = int(self.engine.get_function_address(PREFIX + name))
        if not found:
            raise KeyError(name)
        return found

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """Callable from Python; the interpreter's lock is released meanwhile."""
        return ctypes.CFUNCTYPE(result, *parameters)(self.address(name))


def load(data: bytes) -> Loaded:
    target = machine()
    empty = binding.parse_assembly("")
    empty.triple = target.triple
    empty.data_layout = str(target.target_data)
    # side by side in one piece of memory where that can be, so that short distances always suffice
    engine = binding.create_mcjit_compiler(empty, target, use_lmm=True if is_self_contained(data) else None)
    engine.add_object_file(binding.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return Loaded(engine)
