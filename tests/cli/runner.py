"""The command line, run as a person would: `upcard` in this process, `process` in one of its own.

Starting a process takes ten times as long as most commands do, so it is for what only a process shows: bytes
of arguments, encodings, signals, and that the module starts at all. Both give the same sort of answer.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from upcard.cli.main import main

Done = subprocess.CompletedProcess


def upcard(
    *words: str, cwd: Path | None = None, given: str | bytes = b"", columns: int = 80, encoding: str = "utf-8"
) -> Done[str]:
    """One command with what it printed, as text."""
    return _text(upcard_bytes(*words, cwd=cwd, given=given, columns=columns, encoding=encoding), encoding)


def upcard_bytes(
    *words: str,
    cwd: Path | None = None,
    given: str | bytes = b"",
    columns: int = 80,
    encoding: str = "utf-8",
    errors: str = "strict",
) -> Done[bytes]:
    out, err = io.BytesIO(), io.BytesIO()
    answers = io.BytesIO(given.encode(encoding) if isinstance(given, str) else given)
    with _as_if_started(words, cwd, columns):
        sys.stdin = io.TextIOWrapper(answers, encoding=encoding)
        sys.stdout = io.TextIOWrapper(out, encoding=encoding, errors=errors)
        sys.stderr = io.TextIOWrapper(err, encoding=encoding, errors="backslashreplace", write_through=True)
        try:
            main()
            code: object = 0
        except SystemExit as leaving:
            code = leaving.code
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
                stream.detach()  # or closing it would close what was printed
    assert code is None or isinstance(code, int), code
    return Done(["upcard", *words], code or 0, out.getvalue(), err.getvalue())


def upcard_in_terminal(*words: str, cwd: Path | None = None, given: str = "") -> str:
    """What a command prints to a pseudo-terminal, on both streams; its input is a pipe."""
    import pty

    screen, terminal = pty.openpty()
    shown = bytearray()

    def read() -> None:
        with contextlib.suppress(OSError):  # the other side is gone
            while data := os.read(screen, 65536):
                shown.extend(data)

    reader = threading.Thread(target=read)
    with _as_if_started(words, cwd, 80):
        sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
        sys.stdout = open(terminal, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(terminal, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        reader.start()
        try:
            with contextlib.suppress(SystemExit):
                main()
        finally:
            sys.stdout.close()
            sys.stderr.close()
            os.close(terminal)
            reader.join()
            os.close(screen)
    return shown.decode("utf-8").replace("\r\n", "\n")


@contextlib.contextmanager
def _as_if_started(words: tuple[str, ...], cwd: Path | None, columns: int) -> Iterator[None]:
    """Arguments, folder, streams and width as a new process has them; afterwards all is as it was."""
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.excepthook
    width = os.environ.get("COLUMNS")
    with contextlib.chdir(cwd or Path.cwd()):
        sys.argv = ["upcard", *words]
        os.environ["COLUMNS"] = str(columns)
        try:
            yield
        finally:
            sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.excepthook = kept
            if width is None:
                del os.environ["COLUMNS"]
            else:
                os.environ["COLUMNS"] = width


def process(
    *words: str, cwd: Path | None = None, given: str | bytes = b"", columns: int = 80, encoding: str = "utf-8"
) -> Done[str]:
    """The same command in a process of its own."""
    return _text(process_bytes(*words, cwd=cwd, given=given, columns=columns, encoding=encoding), encoding)


def process_bytes(
    *words: str, cwd: Path | None = None, given: str | bytes = b"", columns: int = 80, encoding: str = "utf-8"
) -> Done[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "upcard.cli.main", *words],
        cwd=cwd,
        input=given.encode(encoding) if isinstance(given, str) else given,
        capture_output=True,
        timeout=100,
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": str(columns)},
    )


def _text(done: Done[bytes], encoding: str) -> Done[str]:
    out, err = (part.decode(encoding).replace(os.linesep, "\n") for part in (done.stdout, done.stderr))
    return Done(done.args, done.returncode, out, err)
