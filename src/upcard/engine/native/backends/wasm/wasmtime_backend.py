"""The WebAssembly backend: modules compiled and run by wasmtime."""

from __future__ import annotations

import functools
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from upcard.engine.native.backends.select import Backend, Loaded, NoMachineCode
from upcard.engine.native.fork import ForkSafeLock
from upcard.engine.native.machine_memory import Allocator

if TYPE_CHECKING:
    from upcard.engine.native import ir
    from upcard.engine.native.backends.wasm.wasmtime_host import Host


_lock = ForkSafeLock()


@dataclass(frozen=True)
class Wasmtime:
    identity: tuple[str, ...]
    note: str
    name: str = "wasm"

    @property
    def allocator(self) -> Allocator:
        return host().allocator

    def text(self, module: ir.Module) -> str:
        """The module's bytes, one character each."""
        from upcard.engine.native.backends.wasm.module_writer import to_wasm

        return to_wasm(module, shared=True).decode("latin-1")

    def compile(self, text: str) -> bytes:
        """The module, and behind it wasmtime's machine code for this machine."""
        import wasmtime

        from upcard.engine.native.interrupt import run_interruptibly

        wasm = text.encode("latin-1")
        try:
            code = run_interruptibly(lambda: host().compile(wasm))
        except wasmtime.WasmtimeError as error:
            raise NoMachineCode(f"wasmtime does not compile this program ({_first_line(error)})") from None
        return len(wasm).to_bytes(8, "little") + wasm + code

    def load(self, data: bytes) -> Loaded:
        import wasmtime

        from upcard.engine.native.backends.wasm import wasmtime_host

        end = 8 + int.from_bytes(data[:8], "little")
        wasm, code = data[8:end], data[end:]
        try:
            module = wasmtime_host.Module.deserialize(host().engine, code)
        except wasmtime.WasmtimeError:
            # compiled for another processor: machines may share the folder of the cache
            module = wasmtime_host.Module(host().engine, wasm)
        return wasmtime_host.Loaded(host(), module, wasm)


def find_wasmtime(missing: str) -> Backend:
    try:
        import wasmtime
    except ImportError:
        raise NoMachineCode("wasmtime is not installed; pip install 'upcard[wasm]'") from None
    except (OSError, RuntimeError, AttributeError) as error:
        raise NoMachineCode(f"wasmtime does not load ({error})") from None
    try:
        host()
    except (wasmtime.WasmtimeError, AttributeError, OSError, TypeError) as error:
        raise NoMachineCode(f"wasmtime does not start ({_first_line(error)})") from None
    note = f"{missing}; using WebAssembly with wasmtime instead" if missing else ""
    return Wasmtime(("wasm", version("wasmtime"), sys.platform, platform.machine()), note)


def host() -> Host:
    """One for the process: all memory comes from it."""
    with _lock:
        return _host()


@functools.cache
def _host() -> Host:
    from upcard.engine.native.backends.wasm.wasmtime_host import Host

    return Host()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
