"""Starts and ends the processes of external players, each in a session of its own.

A program is started from scratch. The host of a Python player is forked by the fork server where that is
possible (`fork_server`). Both inherit the environment and the working directory and nothing else: no memory,
no open files, no command line.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import upcard
from upcard.parallel.child_signals import default_in_children
from upcard.players.external.fork_server import ANSWER, CAN_PEEK, LENGTH, RUNNING, peek
from upcard.players.external.pipes import Pipes, pipes_to

CAN_FORK = os.name == "posix" and hasattr(socket, "send_fds")


class Running(Protocol):
    """A running process."""

    pid: int
    pipes: Pipes

    def status(self, seconds: float) -> int | None:
        """Its exit status as in `subprocess`; None if it does not end within this time."""

    def end(self) -> None:
        """Kills it with its whole session, and closes its pipes."""


def start(command: tuple[str, ...]) -> Running:
    """Starts a program. Raises `OSError` or `ValueError` if that fails."""
    return _Started(command, dict(os.environ))


def start_host() -> Running:
    """Starts a host for a Python player."""
    if CAN_FORK:
        with suppress(_ServerLost):
            return _fork_host()
    return _Started((sys.executable, *MODULE, "upcard.players.external.host"), _environment())


MODULE = ("-P", "-m")
"""With -P, modules in the working directory do not shadow the standard library."""


def _environment() -> dict[str, str]:
    """The environment with this package on the path, wherever it is installed."""
    ours = str(Path(upcard.__file__).resolve().parent.parent)
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([ours, before]) if before else ours}


class _Started:
    """A child of this process."""

    def __init__(self, command: tuple[str, ...], environment: dict[str, str]) -> None:
        with default_in_children():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                start_new_session=True,  # Ctrl-C is ours to handle
            )
        self.pid = self._process.pid
        descriptors = []
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            descriptors.append(os.dup(pipe.fileno()))
            pipe.close()
        self.pipes = pipes_to(*descriptors)

    def status(self, seconds: float) -> int | None:
        if CAN_PEEK and self._process.returncode is None:
            return _poll_status(lambda: peek(self.pid), seconds)
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        if os.name == "posix":
            _kill_session(self.pid)
        else:
            self._process.kill()
        self._process.wait()
        self.pipes.close()


def _poll_status(poll: Callable[[], int], seconds: float) -> int | None:
    """The exit status that `poll` returns once the process has ended."""
    until = time.monotonic() + seconds
    while (status := poll()) == RUNNING:
        if time.monotonic() >= until:
            return None
        time.sleep(0.005)
    return status


def _kill_session(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


# --- forked by the server ------------------------------------------------------------------------


class _ServerLost(Exception):
    """The fork server does not answer; a player may have killed it."""


class _Server:
    """The connection to the fork server."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs, default_in_children():
            try:
                self._process = subprocess.Popen(
                    (sys.executable, *MODULE, "upcard.players.external.fork_server", str(theirs.fileno())),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    env=_environment(),
                    start_new_session=True,
                )
            except BaseException:
                ours.close()
                raise
        self._socket = ours
        self._lock = threading.Lock()

    def fork(self, pipes: list[int]) -> int:
        folder = None
        with suppress(OSError):  # the folder was removed
            folder = os.getcwd()
        context = json.dumps({"environment": dict(os.environ), "folder": folder}).encode()
        with self._lock, _connection_errors():
            socket.send_fds(self._socket, [b"F"], pipes)
            self._socket.sendall(LENGTH.pack(len(context)) + context)
            return self._answer()

    def status(self, pid: int, wait: bool) -> int:
        with self._lock, _connection_errors():
            self._socket.sendall((b"R" if wait else b"P") + ANSWER.pack(pid))
            return self._answer()

    def _answer(self) -> int:
        data = b""
        while len(data) < ANSWER.size:
            more = self._socket.recv(ANSWER.size - len(data))
            if not more:
                raise _ServerLost
            data += more
        (answer,) = ANSWER.unpack(data)
        return int(answer)

    def end(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """After a fork, in the child: the server belongs to the parent."""
        self._socket.close()
        self._process.returncode = 0  # not ours to wait for


class _connection_errors:
    """Turns connection errors into `_ServerLost`."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, OSError):
            raise _ServerLost from None


_server: _Server | None = None


def _fork_host() -> Running:
    global _server
    for _ in range(2):  # a lost server is started again, once
        if _server is None:
            _server = _Server()
        try:
            return _Forked(_server)
        except _ServerLost:
            end_server()
    raise _ServerLost


class _Forked:
    """A child of the fork server."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        theirs, ours = [], []
        try:
            for number in range(3):
                read, write = os.pipe()
                theirs.append(read if number == 0 else write)
                ours.append(write if number == 0 else read)
            pid = server.fork(theirs)
            if pid < 0:
                raise OSError(-pid, os.strerror(-pid))
        except BaseException:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self.pid = pid
        self.pipes = pipes_to(*ours)
        self._is_reaped = False

    def status(self, seconds: float) -> int | None:
        try:
            status = _poll_status(lambda: self._server.status(self.pid, wait=False), seconds)
        except _ServerLost:
            return None
        self._is_reaped = status is not None and not CAN_PEEK
        return status

    def end(self) -> None:
        _kill_session(self.pid)
        if not self._is_reaped:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)  # it may not have reached its own session yet
            with suppress(_ServerLost):
                self._server.status(self.pid, wait=True)
        self.pipes.close()


def end_server() -> None:
    global _server
    if _server is not None:
        _server.end()
        _server = None


def _forget_server() -> None:
    global _server
    if _server is not None:
        _server.forget()
        _server = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_server)
