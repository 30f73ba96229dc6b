"""Commands of `upcard`, each in a process of its own, which is forked: starting Python takes far longer.

The process that forks has imported the package and done nothing with it, so its children are as good as new.
It must have no thread but this one and jemalloc's, which bears forks. Pytest has more, so tests run
`python -m tests.faults`.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.injection import Fault, Injector

from upcard.simulate import row_part

NO_FAULT = Fault("none", 0, 0)


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str
    hit: bool
    """Whether the fault was reached."""
    appended: int
    """Lines that were written to records, all of them in full."""
    calls: Mapping[str, int]
    """Calls of each kind that can fail."""


class Child:
    """A command that runs. What it prints goes to files beside its folder."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        given: bytes = b"",
        fault: Fault = NO_FAULT,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._streams = [folder.with_name(f"{folder.name}.{name}") for name in ("in", "out", "err", "note")]
        self._streams[0].write_bytes(given)
        for stream in self._streams[1:]:
            stream.write_bytes(b"")
        self.pid = os.fork()
        if self.pid == 0:
            code = 70
            try:
                code = _run(words, folder, self._streams, fault, environment or {})
            finally:
                os._exit(code)

    def kill(self) -> bool:
        """Kills it as `kill -9` does; whether it was still at work."""
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return False
        os.kill(self.pid, signal.SIGKILL)
        return True

    def wait(self) -> Ended:
        _, status = os.waitpid(self.pid, 0)
        _, out, err, note = (stream.read_text(encoding="utf-8") for stream in self._streams)
        hit, appended, calls = json.loads(note) if note else (False, 0, {})
        return Ended(os.waitstatus_to_exitcode(status), out, err, hit, appended, calls)


PRELOADED = (
    "upcard.arena.contest_rows",
    "upcard.arena.contest_run",
    "upcard.arena.ratings",
    "upcard.cli.main",
    *(
        f"upcard.cli.commands.{name}"
        for name in ("arena", "fmt", "match", "play", "simulate", "solve", "study", "watch")
    ),
    "upcard.cli.arena_report",
    "upcard.cli.progress",
    "upcard.cli.simulation_report",
    "upcard.cli.solve_report",
    "upcard.cli.study_files",
    "upcard.cli.study_report",
    "upcard.engine.native.backends.llvm",
    "upcard.match.match_series",
    "upcard.players.search.search_players",
    "upcard.players.solver.exact",
    "upcard.recycle.formatter",
    "upcard.simulate.row_run",
    "upcard.site.site_build",
    "upcard.solve.solve_run",
    "upcard.study.study_rows",
    "upcard.study.study_run",
    "upcard.terminal.plain_ui",
    "upcard.terminal.screen_ui",
    "upcard.terminal.session",
)


PART = 1 << 14
"""Deals in a file of rows: a sixteenth of what users get, so that a few games make several files."""


def preload() -> None:
    """Imports once what commands import when they run, and makes files of rows small."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy must not start threads here
    for name in PRELOADED:
        importlib.import_module(name)
    with contextlib.suppress(ImportError):  # then no rows are written
        import pyarrow.parquet  # noqa: F401
    row_part.PART = PART


def _run(
    words: Sequence[str], folder: Path, streams: Sequence[Path], fault: Fault, environment: Mapping[str, str]
) -> int:
    """In the child: as a process that the shell has just started."""
    from upcard.cli.main import main

    for number, path in enumerate(streams[:3]):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_APPEND
        handle = os.open(path, flags)
        os.dup2(handle, number)
        os.close(handle)
    os.chdir(folder)
    os.environ.update(environment)
    injector = Injector(fault)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
    note = os.open(streams[3], os.O_WRONLY)
    real_write = os.write
    injector.install()
    sys.argv = ["upcard", *words]
    sys.stdout = injector.file(1, "w", encoding="utf-8", closefd=False)
    code = 0
    try:
        main()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    real_write(note, json.dumps([injector.hit, injector.appended, injector.all_calls]).encode())
    return code
