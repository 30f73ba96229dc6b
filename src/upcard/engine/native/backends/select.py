"""Selects a backend: LLVM, or the system's C compiler, or none.

`UPCARD_BACKEND` selects one: llvm, c, or reference, which means no machine code.
"""

from __future__ import annotations

import functools
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from upcard.engine.native.cache import code_digest, get_or_compile, key_of
from upcard.engine.native.machine_memory import SYSTEM, Allocator
from upcard.recycle.diagnostics import Refused

if TYPE_CHECKING:
    from upcard.engine.native import ir


Made = TypeVar("Made", covariant=True)


class NoMachineCode(Refused):
    """Why a program cannot be played in machine code, in one sentence."""


class UnknownBackend(Refused):
    """`UPCARD_BACKEND` names no backend."""


class Loaded(Protocol):
    """Machine code in this process, unloaded together with this object."""

    def address(self, name: str) -> int:
        """Address of an exported function, for calls from other machine code (`ir.CallAt`). Raises
        `KeyError`."""

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """An exported function, callable from Python with these ctypes; it runs without the interpreter's
        lock."""


class Backend(Protocol):
    """Compiles IR modules. CONTRIBUTING.md lists the steps to add one."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> tuple[str, ...]:
        """Everything about the machine and the compiler that objects depend on: part of their cache keys."""

    @property
    def note(self) -> str:
        """A message for the user about this choice, or empty."""

    @property
    def allocator(self) -> Allocator:
        """How its code takes memory: `SYSTEM` if it reaches all memory of the process."""

    def text(self, module: ir.Module) -> str:
        """The module as text of the backend's own language: the other part of the cache key."""

    def compile(self, text: str) -> bytes:
        """Text to an object that can be kept in a file."""

    def load(self, data: bytes) -> Loaded:
        """Loads an object into this process."""


def choose_backend() -> Backend:
    """The backend that `UPCARD_BACKEND` names, or the first that works. Raises `NoMachineCode`."""
    wanted = os.environ.get("UPCARD_BACKEND", "")
    if wanted == "reference":
        raise NoMachineCode("UPCARD_BACKEND is set to reference, which turns machine code off")
    if wanted and wanted not in BACKENDS:
        raise UnknownBackend(f"UPCARD_BACKEND must be {', '.join(BACKENDS)} or reference, not {wanted}")
    if wanted:
        return BACKENDS[wanted]("")
    missing: list[str] = []
    for find in BACKENDS.values():
        try:
            return find(", and ".join(missing))
        except NoMachineCode as error:
            missing.append(str(error))
    raise NoMachineCode(", and ".join(missing))


@dataclass(frozen=True)
class _Llvm:
    identity: tuple[str, ...]
    name: str = "llvm"
    note: str = ""
    allocator: Allocator = field(default=SYSTEM, compare=False)

    def text(self, module: ir.Module) -> str:
        from upcard.engine.native.backends import llvm

        return llvm.to_llvm(module)

    def compile(self, text: str) -> bytes:
        from upcard.engine.native.backends import llvm
        from upcard.engine.native.interrupt import run_interruptibly

        return run_interruptibly(lambda: llvm.compile_text(text))

    def load(self, data: bytes) -> Loaded:
        from upcard.engine.native.backends import llvm_machine

        return llvm_machine.load(data)


def _llvm(missing: str) -> Backend:
    try:
        from llvmlite import binding
    except ImportError:
        raise NoMachineCode("llvmlite is not installed") from None
    except (OSError, RuntimeError, AttributeError) as error:
        # a library for another system or version; the exception depends on the system's loader
        raise NoMachineCode(f"llvmlite does not load ({error})") from None
    from upcard.engine.native.backends.llvm_machine import level

    cpu, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    version = ".".join(map(str, binding.llvm_version_info))
    return _Llvm(("llvm", version, str(level()), sys.platform, platform.machine(), cpu, features))


def _c_compiler(missing: str) -> Backend:
    from upcard.engine.native.backends.c_compiler import Compiler

    return Compiler.find(f"{missing}; using the C compiler instead" if missing else "")


def _wasmtime(missing: str) -> Backend:
    from upcard.engine.native.backends.wasm.wasmtime_backend import find_wasmtime

    return find_wasmtime(missing)


BACKENDS: dict[str, Callable[[str], Backend]] = {"llvm": _llvm, "c": _c_compiler, "wasm": _wasmtime}
"""Backends in order of preference. Each function takes why those before it are missing, for the note, and
raises `NoMachineCode` if its backend cannot be used here."""


def load_module(module: ir.Module, backend: Backend | None = None) -> Loaded:
    """Compiles a module, or takes its object from the cache, and loads it."""
    backend = backend or choose_backend()
    text = backend.text(module)
    return backend.load(get_or_compile(object_key(backend, text), lambda: backend.compile(text)))


class PerBackend(Protocol[Made]):
    def __call__(self, backend: Backend | None = None) -> Made:
        """The code for a backend; None is the one that is chosen now."""


def once_per_backend(make: Callable[[Backend], Made]) -> PerBackend[Made]:
    """Caches code that is made once for all games. Code of one backend does not always run with another's, so
    it is made once for each."""
    made = functools.cache(make)

    def code(backend: Backend | None = None) -> Made:
        return made(backend or choose_backend())

    return code


def check_reach(backend: Backend) -> None:
    """For code that works in memory of Python's own arrays. Raises `NoMachineCode` where it cannot."""
    if backend.allocator is not SYSTEM:
        raise NoMachineCode(
            f"the {backend.name} backend plays, steps and simulates; everything else needs llvm or c"
        )


def object_key(backend: Backend, text: str) -> str:
    """The cache key of the object that a text is compiled to."""
    return key_of("object", text, code_digest("engine/native/backends"), *backend.identity)
