"""`upcard serve` in a process of its own, which can be stopped, killed and started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest


class Process:
    """A server. `address` is where it listens; it is killed at the end if it still runs."""

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        environment = {**os.environ, "UPCARD_DATA": str(folder / "data")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "upcard", "serve", *words],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.first_line = self.process.stdout.readline()
        found = re.search(r"https?://\S+[^/\s]", self.first_line)
        self.address = found[0] if found else ""
        if not found:
            self.first_line += self.process.stderr.read()

    @property
    def port(self) -> int:
        """Of an address with a port."""
        return int(self.address.rpartition(":")[2])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Stops it as Ctrl-C does; its exit code."""
        if sys.platform == "win32":  # a process there gets no interrupt of its own
            self.kill()
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.communicate(timeout=100)
        return self.process.returncode

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self.stop()
        self.kill()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


def serve_briefly(words: Sequence[str], folder: Path) -> str:
    """What a server prints before Ctrl-C stops it. It gets a free port, which is shown as the usual one."""
    pytest.importorskip("uvicorn", reason="the packages of upcard[web] are not installed here")
    with Process([*words, "--no-browser", "--port", "0"], folder) as process:
        assert process.address, process.first_line
        printed = process.first_line.replace(f"127.0.0.1:{process.port}", "127.0.0.1:8000")
        assert process.process.stdout is not None
        printed += process.process.stdout.readline()
        assert process.stop() == 0
    return printed
