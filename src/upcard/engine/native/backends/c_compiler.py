"""Compiles C text with the system's compiler: `$CC`, or the first of cc, gcc and clang.

Objects are kept as bytes like LLVM's. The system loads libraries from files alone, so the bytes are put into
a new folder of our own for as long as loading takes.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.engine.native import cache, ir
from upcard.engine.native.backends.c import PREFIX, to_c
from upcard.engine.native.backends.select import NoMachineCode

FLAGS = ("-O2", "-w", "-shared", "-fPIC", "-fno-strict-aliasing", "-ffp-contract=off")
"""Floats as LLVM makes them: no fused operations. No flag for this very processor: a home folder, and with
it the cache, may be shared by several."""

MOST_SECONDS = 300
SUFFIX = ".dll" if sys.platform == "win32" else ".so"


@dataclass(frozen=True)
class Compiler:
    command: tuple[str, ...]
    identity: tuple[str, ...]
    note: str
    name: str = "c"

    @classmethod
    def find(cls, note: str) -> Compiler:
        given = os.environ.get("CC", "")
        try:
            candidates = [shlex.split(given)] if given.strip() else [["cc"], ["gcc"], ["clang"]]
        except ValueError:
            raise NoMachineCode(f"CC is not a command: {given}") from None
        for program, *arguments in candidates:
            found = shutil.which(program)
            if found is None:
                continue
            command = (found, *arguments)
            status = os.stat(found)
            version = f"{os.path.realpath(found)} {status.st_size} {status.st_mtime_ns}"
            return cls(command, ("c", *FLAGS, *command, version, sys.platform, platform.machine()), note)
        raise NoMachineCode(f"there is no C compiler {given}".rstrip())

    def text(self, module: ir.Module) -> str:
        return to_c(module)

    def compile(self, text: str) -> bytes:
        with _own_folder() as folder:
            source, target = folder / "game.c", folder / f"game{SUFFIX}"
            source.write_text(text, encoding="ascii")
            try:
                done = subprocess.run(
                    [*self.command, *FLAGS, "-o", str(target), str(source)],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=MOST_SECONDS,
                    stdin=subprocess.DEVNULL,
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise NoMachineCode(f"the C compiler {self.command[0]} did not run ({error})") from None
            if done.returncode:
                said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
                raise NoMachineCode(f"the C compiler {self.command[0]} failed: {said}")
            return target.read_bytes()

    def load(self, data: bytes) -> Library:
        with _own_folder() as folder:
            path = folder / f"game{SUFFIX}"
            path.write_bytes(data)
            try:
                return Library(_Closing(str(path)))
            except OSError as error:
                raise NoMachineCode(f"what the C compiler made does not load ({error})") from None


@dataclass(frozen=True)
class Library:
    """Machine code in this process."""

    library: ctypes.CDLL

    def address(self, name: str) -> int:
        try:
            found = self.library[PREFIX + name]
        except AttributeError:
            raise KeyError(name) from None
        return int(ctypes.cast(found, ctypes.c_void_p).value or 0)

    def function(self, name: str, result: Any, *parameters: Any) -> Any:
        """Callable from Python; the interpreter's lock is released meanwhile."""
        found = self.library[PREFIX + name]
        found.restype, found.argtypes = result, parameters
        return found


class _Closing(ctypes.CDLL):
    """A library that is unloaded once nobody has it or a function of it. Functions are looked up by index:
    as attributes they would be kept in it, and keep it."""

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        # at the end of the process a thread may still be playing in it
        if getattr(self, "_handle", None) and not is_over():
            _close(self._handle)


if sys.platform == "win32":
    from _ctypes import FreeLibrary as _close
else:
    from _ctypes import dlclose as _close


@contextmanager
def _own_folder() -> Iterator[Path]:
    """A new folder closed to others, beside the cache: a system's folder for such things may forbid code."""
    place = cache.prepared_folder()
    with tempfile.TemporaryDirectory(prefix=".new-", dir=place, ignore_cleanup_errors=True) as name:
        yield Path(name)
