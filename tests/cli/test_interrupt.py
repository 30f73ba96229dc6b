"""Ctrl-C while a command is in machine code, in a search or in the compiler: it ends, and says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="processor time is read from /proc"
)

PATIENCE = 120.0
"""Seconds for what takes a moment."""
BUSY = 0.8
"""Seconds of processor time after which a command is past its start, which takes half of that."""

DECK = "(create deck (game vloc D) (deck (N (A, B, C, E)) (S (X, Y))))"
INC = "(inc (game sto R))"


def text(*body: str) -> str:
    elements = "\n".join(body)
    return f"(game (setup (create players 2) {DECK})\n{elements}\n(scoring max (game sto R)))"


PROGRAMS = {
    "alternatives": text(
        "(choice ((any (range 1..1000) 'A (any (range 1..1000) 'B ((== (+ 'A 'B) 0) (turn pass))))"
        "(any (range 1..1000) 'A (any (range 1..1000) 'B (any (range 1..1000) 'C"
        " ((== (+ 'A 'B 'C) 0) (turn pass))))) (turn pass)))"
    ),
    "a block": text(f"(stage player (end (== 1 2)) (choice ((turn pass))) (do ((repeat 1000000 {INC}))))"),
    "filters": text(
        "(stage player (end (== 1 2)) (choice ((turn pass)))"
        " (do ((set (game sto R) (size (filter (range 1..3000) 'A"
        " (> (size (filter (range 1..3000) 'B (> 'A 'B))) 5)))))))"
    ),
    "an endless stage": text(
        f"(stage player (end (== 1 2)) (stage player (end (== 1 2)) (do ((repeat 900 {INC})))))"
    ),
    "groups": text(
        "(stage player (end (== 1 2)) (choice ((turn pass)))"
        " (do ((let (union (game vloc D) (game vloc D)) 'U"
        " (repeat 100 (set (game sto R) (size (subsets 'U))))))))"
    ),
}

MANY = "100000000"
COMMANDS = {
    "simulate": ["simulate", "euchre", "--games", MANY],
    "simulate by the book": [
        "simulate",
        "euchre",
        "--games",
        MANY,
        "--engine",
        "reference",
        "--workers",
        "1",
    ],
    "simulate alternatives": ["simulate", "alternatives", "--games", MANY],
    "simulate a block": ["simulate", "a block", "--games", MANY],
    "simulate filters": ["simulate", "filters", "--games", MANY],
    "simulate an endless stage": ["simulate", "an endless stage", "--games", MANY],
    "simulate groups": ["simulate", "groups", "--games", MANY],
    "watch": ["watch", "alternatives"],
    "verify": ["verify", "alternatives", "--games", "1000", "--workers", "1"],
    "study": ["study", "a block", "--games", MANY],
    "pimc": ["match", "euchre", "--players", f"pimc:{MANY},random"],
    "ismcts": ["match", "euchre", "--players", f"ismcts:{MANY},random"],
    "exact": ["match", "euchre", "--players", f"exact:{MANY},random"],
    "published": ["match", "euchre", "--players", f"published:{MANY},random"],
    "mcts": ["match", "euchre", "--players", f"mcts:{MANY},random"],
}


def processor_time(process: subprocess.Popen[str]) -> float:
    """Seconds of a process and of those it has waited for."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def start(
    arguments: list[str],
    folder: Path,
    before: Callable[[], object] | None = None,
    **environment: str,
) -> subprocess.Popen[str]:
    for name, program in PROGRAMS.items():
        (folder / name).write_text(program)
    return subprocess.Popen(
        [sys.executable, "-m", "upcard", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=os.environ | {"UPCARD_OPT": "0"} | environment,
        preexec_fn=before,
    )


def interrupt_when_busy(process: subprocess.Popen[str], busy: float = BUSY) -> str:
    """Ctrl-C once it has worked for a while; what it says until it has ended."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and processor_time(process) < busy and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    try:
        said, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return said


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_ends_a_command(command: str, tmp_path: Path) -> None:
    process = start(COMMANDS[command], tmp_path)
    said = interrupt_when_busy(process)
    assert process.returncode == 130, said
    assert "interrupted" in said
    assert "Traceback" not in said


def test_ctrl_c_ends_a_compilation(tmp_path: Path) -> None:
    """LLVM's passes take seconds, and cannot be stopped: they are left behind."""
    command = ["simulate", "cribbage", "--games", MANY]
    process = start(command, tmp_path, UPCARD_CACHE="off", UPCARD_OPT="2")
    said = interrupt_when_busy(process)
    assert process.returncode == 130, said
    assert "interrupted" in said
    assert "Traceback" not in said


def test_ctrl_c_while_a_module_is_imported_gives_the_same_exit_code(tmp_path: Path) -> None:
    """Inside `exec` of a text, which defines dataclasses, Python has an exit of its own for it."""
    (tmp_path / "interrupted.py").write_text(
        "from upcard.cli import main\n"
        "main.say('begins', error=True)  # imports what it needs, which uses `exec` too\n"
        "main.command_line = lambda: lambda **_: exec('raise KeyboardInterrupt')\n"
        "main.main()\n"
    )
    command = [sys.executable, "-m", "interrupted"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (130, "begins\nupcard: interrupted\n")


def test_a_command_that_was_started_to_ignore_ctrl_c_goes_on(tmp_path: Path) -> None:
    """As behind `nohup`, or in the background of a shell without job control."""
    process = start(
        ["simulate", "euchre", "--games", "300000", "--workers", "1"],
        tmp_path,
        before=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    said = interrupt_when_busy(process, busy=0.3)
    assert process.returncode == 0, said
    assert "300,000 games" in said


SCRIPT = """
import signal, sys, threading
import upcard
from upcard.engine.native.interrupt import handle_interrupts

def long_listing():
    upcard.load(sys.argv[1]).deal()

{body}
"""


def run_script(body: str, folder: Path) -> subprocess.Popen[str]:
    (folder / "long.rcy").write_text(PROGRAMS["alternatives"].replace("1..1000", "1..999"))
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(body=body), "long.rcy"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
    )


def test_code_that_handles_the_signal_itself_is_left_alone(tmp_path: Path) -> None:
    """Its handler does not raise, so machine code must not come back with half a result."""
    process = run_script(
        "signal.signal(signal.SIGINT, lambda *_: print('heard', flush=True))\n"
        "with handle_interrupts():\n    game = upcard.load('euchre')\n    print(game.simulate(400000).games)",
        tmp_path,
    )
    said = interrupt_when_busy(process, busy=1.0)
    assert process.returncode == 0, said
    assert "400000" in said


def test_a_signal_that_was_handled_does_not_stop_what_comes_later(tmp_path: Path) -> None:
    process = run_script(
        "import os\n"
        "with handle_interrupts():\n"
        "    game = upcard.load('euchre')\n"
        "    first = game.deal(1).moves\n"
        "    for _ in range(200):\n"
        "        try:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "            game.deal(1).moves\n"
        "        except KeyboardInterrupt:\n"
        "            pass\n"
        "        assert game.deal(1).moves == first\n"
        "        assert game.deal(1).outcome is None\n"
        "print('all the same')",
        tmp_path,
    )
    said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert "all the same" in said


def test_listening_ends_with_its_block() -> None:
    from upcard.engine.native.interrupt import handle_interrupts

    before, threads = signal.getsignal(signal.SIGINT), threading.active_count()
    with handle_interrupts():
        assert threading.active_count() == threads + (before is signal.default_int_handler)
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
    assert threading.active_count() == threads
