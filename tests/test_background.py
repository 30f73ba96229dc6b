"""Background of a shell without job control: SIGINT is ignored there, and everything must still end.

Such a shell starts `command &` with SIGINT and SIGQUIT ignored, and children inherit that.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells ignore signals on POSIX systems")

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 100.0
"""Seconds for what takes a few."""

INTERRUPTING_TESTS = (
    "tests/storage/test_jsonl.py::test_a_second_process_is_refused_and_the_lock_ends_with_the_first[SIGINT]",
    "tests/parallel/test_pool.py::test_ctrl_c_for_the_whole_group_gives_no_traceback[inside]",
    "tests/cli/test_interrupt.py::test_ctrl_c_ends_a_command[pimc]",
)
"""Tests that send SIGINT to a child and wait for it to end."""

STOPPING = """
import json, os, signal, subprocess, sys

def stop_a_child():
    child = subprocess.Popen(["sleep", "600"])
    child.send_signal(signal.SIGINT)
    return child.wait() == -signal.SIGINT

class Stopping:
    def choose(self, observation, budget):
        with open("players", "a") as players:
            print(os.getpid(), file=players)
        from upcard.players.protocol import Decision
        assert stop_a_child()
        return Decision(observation.moves[0])

if __name__ == "__main__":
    sys.stdin.readline()
    for line in sys.stdin:
        assert stop_a_child()
        print(json.dumps({"move": 0}), flush=True)
"""
"""A player, as a program and as a class, that stops a process of its own with SIGINT at every decision."""


def start_in_background(*words: str, folder: Path) -> subprocess.Popen[str]:
    """A command behind `&`, with the shell that waits for it."""
    return subprocess.Popen(
        ["sh", "-c", '"$@" & echo $!; wait $!', "sh", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        start_new_session=True,
    )


def finish(shell: subprocess.Popen[str]) -> tuple[str, str]:
    """Both outputs of the command; whatever goes on too long is killed with all that it started."""
    try:
        return shell.communicate(timeout=PATIENCE)
    finally:
        if shell.poll() is None:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.communicate()


def test_the_shell_ignores_the_signal(tmp_path: Path) -> None:
    """What the other tests here rely on."""
    ask = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    out, err = finish(start_in_background(sys.executable, "-c", ask, folder=tmp_path))
    assert out.split()[1:] == ["True"], err


@pytest.mark.parametrize("workers", ["0", "1"])
def test_tests_that_interrupt_their_children_end(workers: str) -> None:
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", workers)
    shell = start_in_background(*command, *INTERRUPTING_TESTS, folder=ROOT)
    out, err = finish(shell)
    assert shell.returncode == 0, out + err
    assert f"{len(INTERRUPTING_TESTS)} passed" in out


def arena(players: str, deals: int, workers: int, folder: Path) -> subprocess.Popen[str]:
    (folder / "stopping.py").write_text(STOPPING, encoding="utf-8")
    options = ("--deals", str(deals), "--workers", str(workers), "--patience", "20", "--json")
    command = (sys.executable, "-m", "upcard", "arena", "kuhn-poker", "--players", players, *options)
    return start_in_background(*command, folder=folder)


@pytest.mark.parametrize("workers", [1, 2])
def test_players_can_interrupt_their_own_children(workers: int, tmp_path: Path) -> None:
    shell = arena(f"stopping.py:Stopping,cmd:{sys.executable} stopping.py", 2, workers, tmp_path)
    out, err = finish(shell)
    assert shell.returncode == 0, err
    report = json.loads(out.partition("\n")[2])
    assert (report["games"], report["forfeits"]) == (4, [])


def test_a_terminated_command_leaves_no_process_behind(tmp_path: Path) -> None:
    """Workers, and the players that they have started."""
    shell = arena("stopping.py:Stopping,random", 1_000_000, 2, tmp_path)
    assert shell.stdout is not None
    command = int(shell.stdout.readline())
    players = tmp_path / "players"
    while not (players.exists() and len(set(players.read_text().split())) >= 2) and shell.poll() is None:
        time.sleep(0.05)
    os.kill(command, signal.SIGTERM)
    finish(shell)  # comes back when the workers, who share its pipes, have ended
    assert shell.returncode == 128 + signal.SIGTERM
    until = time.monotonic() + PATIENCE
    left = {int(word) for word in players.read_text().split()}
    assert len(left) >= 2
    while left := set(filter(is_running, left)):
        assert time.monotonic() < until, f"processes {left} were left behind"
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Zombies have ended: nobody has asked how."""
    state = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True).stdout
    return state.strip() not in ("", "Z")
