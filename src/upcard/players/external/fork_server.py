"""Server process that forks a host of Python players for every session.

Importing takes a third of a second, forking a few milliseconds. The server knows nothing of the contest and
never runs a player's code: each player's file is imported in its own fork. On systems without fork, hosts are
started from scratch.

A request is one byte. `F`, with the descriptors of three pipes beside it and followed by the environment and
the working directory as JSON, forks a host. `R` and a process id wait for a host that was killed, `P` polls
one; both answer with its exit status. Every answer is one number of eight bytes.
"""

from __future__ import annotations

import gc
import json
import os
import socket
import struct
import sys
from typing import Any

ANSWER = struct.Struct("<q")
LENGTH = struct.Struct("<I")
RUNNING = 1 << 32
"""Sent instead of an exit status."""
CAN_PEEK = hasattr(os, "waitid")
"""Whether a child's exit status can be read without releasing its process id."""


def peek(pid: int) -> int:
    """The exit status of a child, or `RUNNING`; with `CAN_PEEK` its process id stays taken."""
    if CAN_PEEK:
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return RUNNING
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else RUNNING


def serve(requests: socket.socket) -> bool:
    """Answers requests until the connection closes; returns whether this is a fork that becomes a host."""
    while True:
        request, pipes, _, _ = socket.recv_fds(requests, 1, 3)
        if not request:
            return False
        if request == b"F":
            context = json.loads(
                _receive_exactly(requests, *LENGTH.unpack(_receive_exactly(requests, LENGTH.size)))
            )
            try:
                pid = os.fork()
            except OSError as error:
                pid = -(error.errno or 1)
            if pid == 0:
                requests.close()
                _become_host(pipes, context)
                return True
            for descriptor in pipes:
                os.close(descriptor)
            answer = pid
        else:
            (pid,) = ANSWER.unpack(_receive_exactly(requests, ANSWER.size))
            answer = peek(pid) if request == b"P" else os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        requests.sendall(ANSWER.pack(answer))


def _become_host(pipes: list[int], context: dict[str, Any]) -> None:
    """Takes over pipes, environment and folder, as if started with them."""
    os.setsid()
    for descriptor, pipe in enumerate(pipes):
        os.dup2(pipe, descriptor)
    os.closerange(3, max(pipes) + 1)
    os.environ.clear()
    os.environ.update(context["environment"])
    if context["folder"] is not None:
        os.chdir(context["folder"])
    sys.argv[1:] = []


def _receive_exactly(requests: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = requests.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def main() -> None:
    from upcard.players.external import host

    requests = socket.socket(fileno=int(sys.argv[1]))
    gc.freeze()  # keeps memory that all forks share from being copied
    try:
        is_host = serve(requests)
    except (EOFError, ConnectionError):
        return
    if is_host:
        host.main()


if __name__ == "__main__":
    main()
