"""Selects a backend: LLVM, or the system's C compiler, or none.

`UPCARD_BACKEND` asks for one of them: llvm, c, or reference, which is to do without machine code.
"""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from upcard.engine.native.cache import code_digest, key_of
from upcard.recycle.diagnostics import Refused

if TYPE_CHECKING:
    from upcard.engine.native import ir


class NoMachineCode(Refused):
    """Why a program is not played in machine code, in one sentence."""


class UnknownBackend(Refused):
    """`UPCARD_BACKEND` says something else."""


class Loaded(Protocol):
    """Machine code in this process; it stays as long as this object does."""

    def address(self, name: str) -> int:
        """Of an exported function, for other machine code to call it by (`ir.CallAt`); KeyError for none."""

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """Callable from Python; the interpreter's lock is released meanwhile."""


class Backend(Protocol):
    def __hash__(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> tuple[str, ...]:
        """Everything about the machine and the compiler that its objects depend on."""

    @property
    def note(self) -> str:
        """What a user should be told about this choice, if anything."""

    def text(self, module: ir.Module) -> str:
        """What it compiles."""

    def compile(self, text: str) -> bytes: ...

    def load(self, data: bytes) -> Loaded: ...


def choose_backend() -> Backend:
    """Raises `NoMachineCode` when there is none."""
    wanted = os.environ.get("UPCARD_BACKEND", "")
    if wanted == "reference":
        raise NoMachineCode("UPCARD_BACKEND asks for no machine code")
    if wanted == "llvm":
        return _llvm()
    if wanted == "c":
        return _compiler("")
    if wanted:
        raise UnknownBackend(f"UPCARD_BACKEND is llvm, c or reference, not {wanted}")
    try:
        return _llvm()
    except NoMachineCode as error:
        missing = str(error)
    try:
        return _compiler(missing)
    except NoMachineCode as error:
        raise NoMachineCode(f"{missing}, and {error}") from None


@dataclass(frozen=True)
class _Llvm:
    identity: tuple[str, ...]
    name: str = "llvm"
    note: str = ""

    def text(self, module: ir.Module) -> str:
        from upcard.engine.native.backends import llvm

        return llvm.to_llvm(module)

    def compile(self, text: str) -> bytes:
        from upcard.engine.native.backends import llvm
        from upcard.engine.native.interrupt import run_interruptibly

        return run_interruptibly(lambda: llvm.compiled(text))

    def load(self, data: bytes) -> Loaded:
        from upcard.engine.native.backends import llvm_machine

        return llvm_machine.load(data)


def _llvm() -> Backend:
    try:
        from llvmlite import binding
    except ImportError:
        raise NoMachineCode("llvmlite is not installed") from None
    except (OSError, RuntimeError, AttributeError) as error:
        # a library of another system or version: which of these it raises depends on the system's loader
        raise NoMachineCode(f"llvmlite does not load ({error})") from None
    from upcard.engine.native.backends.llvm_machine import level

    cpu, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    version = ".".join(map(str, binding.llvm_version_info))
    return _Llvm(("llvm", version, str(level()), sys.platform, platform.machine(), cpu, features))


def object_key(backend: Backend, text: str) -> str:
    """Under which the object that a text is compiled to is kept."""
    return key_of("object", text, code_digest("engine/native/backends"), *backend.identity)


def _compiler(missing: str) -> Backend:
    from upcard.engine.native.backends.c_compiler import Compiler

    return Compiler.find(f"{missing}; the C compiler makes the machine code" if missing else "")
