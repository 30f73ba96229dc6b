"""Makes the n-th call of one kind to the operating system fail in this process.

How: the functions through which Python code reaches the system are replaced by wrappers that count their
calls and raise `OSError` at the n-th, and if asked at every one behind it, as a full disk does. Everything
else is real. Files that Python code opens for writing get a raw file of our own under their buffers, so that
what fails is the system call, at the moment when a buffer is written out, flushed or closed.

`short` lets the system take half of the data before it refuses the rest, as a disk that fills up does.

What C code does itself (LLVM's mappings, pyarrow with a file name) is out of reach, and processes that are
started have no faults of their own.
"""

from __future__ import annotations

import builtins
import errno
import io
import mmap
import multiprocessing.util
import os
import stat
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

KINDS = ("open", "write", "fsync", "rename", "mmap", "spawn")


@dataclass(frozen=True)
class Fault:
    kind: str
    at: int
    """Which call fails, counted from 1; 0 for none."""
    error: int
    lasting: bool = False
    """Whether all calls behind it fail as well."""
    short: bool = False

    def __str__(self) -> str:
        how = f"{'from' if self.lasting else 'at'} call {self.at}{', half written' if self.short else ''}"
        return f"{self.kind}: {errno.errorcode[self.error]} {how}"


FAULTS = {
    "open": [(errno.EMFILE, True, False), (errno.EIO, False, False)],
    "write": [(errno.ENOSPC, True, False), (errno.ENOSPC, True, True), (errno.EIO, False, False)],
    "fsync": [(errno.EIO, False, False), (errno.ENOSPC, True, False)],
    "rename": [(errno.EIO, False, False), (errno.ENOSPC, True, False)],
    "mmap": [(errno.ENOMEM, True, False), (errno.EAGAIN, False, False)],
    "spawn": [(errno.EAGAIN, True, False), (errno.ENOMEM, False, False)],
}
"""For each kind, the errors that are tried, whether they last, and whether half is written."""


class Injector:
    """Counts calls and fails those that are to fail; `install` puts it into this process for good."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.calls = 0
        """Calls of the fault's kind."""
        self.all_calls = Counter[str]()
        """Calls by kind."""
        self.hit = False
        self.appended = 0
        """Calls of `os.write` that wrote everything: lines that records must keep."""

    def check(self, kind: str, path: Any = None) -> None:
        self.all_calls[kind] += 1
        if kind == self.fault.kind:
            self.calls += 1
            if self.calls == self.fault.at or (self.fault.lasting and self.calls > self.fault.at > 0):
                self._fail(path)

    def _fail(self, path: Any = None) -> None:
        """An error as the system gives it: one of opening or renaming names the file."""
        self.hit = True
        raise OSError(self.fault.error, os.strerror(self.fault.error), *([] if path is None else [path]))

    def written(self, data: Any, write: Callable[[Any], int]) -> int:
        """One system call that writes; how many bytes it took."""
        view = memoryview(data).cast("B")
        if self.fault.short and self.fault.kind == "write" and self.calls + 1 == self.fault.at:
            self.calls += 1
            half = len(view) // 2
            return write(view[:half]) if half else self._refused()
        self.check("write")
        return write(view)

    def _refused(self) -> int:
        self._fail()
        return 0

    def install(self) -> None:
        self._wrap_files()
        self._wrap(os, "fsync", "fsync")
        for name in ("rename", "replace"):
            self._wrap(os, name, "rename")
        self._wrap(subprocess, "_fork_exec", "spawn")
        self._wrap(multiprocessing.util, "spawnv_passfds", "spawn")
        injector = self

        class Map(mmap.mmap):
            def __new__(cls, *given: Any, **named: Any) -> Map:
                injector.check("mmap")
                return super().__new__(cls, *given, **named)

        mmap.mmap = Map  # type: ignore[misc]

    def _wrap(self, module: Any, name: str, kind: str) -> None:
        real = getattr(module, name)

        def call(*given: Any, **named: Any) -> Any:
            self.check(kind, given[0] if kind == "rename" else None)
            return real(*given, **named)

        setattr(module, name, call)

    def _wrap_files(self) -> None:
        real_os_open, real_os_write, real_open = os.open, os.write, io.open

        def os_open(path: Any, flags: int, *given: Any, **named: Any) -> int:
            if flags & (os.O_WRONLY | os.O_RDWR) and path != os.devnull:
                self.check("open", path)
            return real_os_open(path, flags, *given, **named)

        def os_write(handle: int, data: Any) -> int:
            taken = self.written(data, lambda view: real_os_write(handle, view))
            self.appended += taken == len(data) and stat.S_ISREG(os.fstat(handle).st_mode)
            return taken

        def opened(file: Any, mode: str = "r", *given: Any, **named: Any) -> Any:
            if not set(mode) & set("wax+") or file == os.devnull:
                return real_open(file, mode, *given, **named)
            if not isinstance(file, int):
                self.check("open", file)
            return self.file(file, mode, *given, **named)

        os.open, os.write = os_open, os_write
        io.open = builtins.open = opened

    def file(
        self,
        file: Any,
        mode: str,
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        """As `open` gives it, for writing only, over a raw file that can fail."""
        injector = self

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                return injector.written(data, super().write)

        raw = Raw(file, mode.replace("b", "").replace("t", ""), closefd=closefd, opener=opener)
        if buffering == 0:
            return raw
        buffer = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        if "b" in mode:
            return buffer
        return io.TextIOWrapper(buffer, encoding, errors, newline)
