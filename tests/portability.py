"""Takes away what Windows lacks, imports every module of the package, and plays.

    python -m tests.portability

It shows that modules and machine code do without POSIX. It is no substitute for Windows: files, terminals and
processes still behave as on this system.
"""

from __future__ import annotations

import importlib
import mmap
import os
import select
import signal
import socket
import sys
import types
from contextlib import suppress
from importlib.abc import MetaPathFinder
from pathlib import Path

POSIX_MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
POSIX_NAMES: dict[types.ModuleType, str] = {
    os: "O_NOFOLLOW O_NONBLOCK chown fork forkpty getegid geteuid getgid getuid killpg mkfifo openpty "
    "posix_spawn register_at_fork sched_getaffinity setsid ttyname wait4 waitid WNOHANG",
    signal: "SIGALRM SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGWINCH alarm "
    "pthread_sigmask setitimer",
    socket: "AF_UNIX recv_fds send_fds",
    mmap: "MAP_ANONYMOUS MAP_PRIVATE MAP_SHARED PROT_READ PROT_WRITE",
    select: "epoll poll",
}
OTHERS = (
    "gymnasium",
    "llvmlite.binding",
    "multiprocessing.connection",
    "pettingzoo",
    "platform",
    "pyspiel",
    "shutil",
    "subprocess",
    "tempfile",
    "typer",
    "uvicorn",
    "wasmtime",
)
"""Modules that are not ours and look for Windows itself when they are imported."""
PACKAGE = Path(__file__).resolve().parents[1] / "src" / "upcard"


class _NotHere(MetaPathFinder):
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in POSIX_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def modules() -> list[str]:
    """Every module of the package but `__main__`, which runs."""
    files = [path.relative_to(PACKAGE.parent).with_suffix("") for path in PACKAGE.rglob("*.py")]
    names = {".".join(path.parts).removesuffix(".__init__") for path in files if path.stem != "__main__"}
    return sorted(names)


def pretend_to_be_windows() -> None:
    for name in OTHERS:
        with suppress(ImportError):  # an extra that is not installed
            importlib.import_module(name)
    sys.meta_path.insert(0, _NotHere())
    for name in POSIX_MODULES:
        if name != "posix":  # os needs it
            sys.modules.pop(name, None)
    for module, names in POSIX_NAMES.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    locks = types.ModuleType("msvcrt")
    locks.__dict__.update(LK_NBLCK=2, locking=lambda *_: None)
    sys.modules["msvcrt"] = locks
    libraries = importlib.import_module("_ctypes")
    libraries.__dict__.setdefault("FreeLibrary", lambda _: None)
    sys.platform = "win32"


def main() -> None:
    pretend_to_be_windows()
    for name in modules():
        importlib.import_module(name)
    import upcard
    from upcard.storage import atomic_write

    # `os.name` must stay: pathlib chooses its class by it
    atomic_write.WINDOWS = True
    for engine in ("native", "reference"):
        game = upcard.load("kuhn-poker", engine=engine)
        print(engine, game.simulate(100, seed=1, workers=1).games)


if __name__ == "__main__":
    main()
