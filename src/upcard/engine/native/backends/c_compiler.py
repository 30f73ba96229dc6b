"""Compiles C text with the system's compiler: `$CC`, or the first of cc, gcc and clang.

Objects are cached as bytes, like LLVM's. The system loads libraries only from files, so the bytes are written
to a private temporary folder while loading.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from upcard.engine.native import cache, ir
from upcard.engine.native.backends.c import PREFIX, to_c
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.machine_memory import SYSTEM, Allocator

FLAGS = ("-O2", "-w", "-shared", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=off")
"""No fused floating-point operations, as with LLVM. No -march=native: several machines may share a home
folder, and with it the cache."""

MAX_SECONDS = 300
SUFFIX = ".dll" if sys.platform == "win32" else ".so"


@dataclass(frozen=True)
class Compiler:
    command: tuple[str, ...]
    identity: tuple[str, ...]
    note: str
    name: str = "c"
    allocator: Allocator = field(default=SYSTEM, compare=False)

    @classmethod
    def find(cls, note: str) -> Compiler:
        given = os.environ.get("CC", "")
        try:
            candidates = [shlex.split(given)] if given.strip() else [["cc"], ["gcc"], ["clang"]]
        except ValueError:
            raise NoMachineCode(f"CC is not a command: {given}") from None
        for program, *arguments in candidates:
            path = shutil.which(program)
            if path is None:
                continue
            command = (path, *arguments)
            status = os.stat(path)
            version = f"{os.path.realpath(path)} {status.st_size} {status.st_mtime_ns}"
            return cls(command, ("c", *FLAGS, *command, version, sys.platform, platform.machine()), note)
        raise NoMachineCode(f"there is no C compiler {given}".rstrip())

    def text(self, module: ir.Module) -> str:
        return to_c(module)

    def compile(self, text: str) -> bytes:
        with _private_folder() as folder:
            source, target = folder / "game.c", folder / f"game{SUFFIX}"
            source.write_text(text, encoding="ascii")
            try:
                done = subprocess.run(
                    [*self.command, *FLAGS, "-o", str(target), str(source)],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=MAX_SECONDS,
                    stdin=subprocess.DEVNULL,
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise NoMachineCode(f"the C compiler {self.command[0]} did not run ({error})") from None
            if done.returncode:
                message = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
                raise NoMachineCode(f"the C compiler {self.command[0]} failed: {message}")
            return target.read_bytes()

    def load(self, data: bytes) -> Library:
        with _private_folder() as folder:
            path = folder / f"game{SUFFIX}"
            path.write_bytes(data)
            try:
                return Library(_UnloadingLibrary(str(path)))
            except OSError as error:
                raise NoMachineCode(f"the library built by the C compiler does not load ({error})") from None


@dataclass(frozen=True)
class Library:
    """Machine code in this process, unloaded together with this object and its functions."""

    library: ctypes.CDLL

    def address(self, name: str) -> int:
        try:
            function = self.library[PREFIX + name]
        except AttributeError:
            raise KeyError(name) from None
        return int(ctypes.cast(function, ctypes.c_void_p).value or 0)

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """A function callable from Python; it runs without the interpreter's lock."""
        function = self.library[PREFIX + name]
        function.restype, function.argtypes = result, parameters
        return function


class _UnloadingLibrary(ctypes.CDLL):
    """A library that is unloaded when it and its functions are unreachable. Functions are looked up by index:
    as attributes they would be cached in it and keep it alive."""

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        # at exit a thread may still be running its code
        if getattr(self, "_handle", None) and not is_over():
            _close(self._handle)


if sys.platform == "win32":
    from _ctypes import FreeLibrary as _close
else:
    from _ctypes import dlclose as _close


@contextmanager
def _private_folder() -> Iterator[Path]:
    """A private temporary folder in the cache: the system's temporary folder may forbid executing code."""
    place = cache.prepared_folder()
    with tempfile.TemporaryDirectory(prefix=".new-", dir=place, ignore_cleanup_errors=True) as name:
        yield Path(name)
