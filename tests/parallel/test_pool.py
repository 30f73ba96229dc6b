"""Work in several processes: results in order, and nobody left behind, however it ends.

No test waits for a time to pass: what a worker does before it is ended, it says by a file.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tests.parallel.pool_tasks import busy, dying, failing, squares, unsendable

from upcard.parallel.pool import in_order
from upcard.parallel.workers import WorkerLost


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_order_for_any_number_of_workers(workers: int) -> None:
    found = list(in_order(squares, 2, 23, 3, workers))
    assert [number for part in found for number in part] == [number**2 for number in range(23)]
    assert multiprocessing.active_children() == []


def test_no_work_needs_no_worker() -> None:
    assert list(in_order(squares, 2, 0, 3, 2)) == []


def test_an_error_is_raised_in_its_turn() -> None:
    pieces = in_order(failing, None, 9, 1, 2)
    assert [next(pieces) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(LookupError, match="nothing at 3") as raised:
        next(pieces)
    assert "in failing" in raised.value.__notes__[0]
    assert multiprocessing.active_children() == []


def test_a_result_that_cannot_be_pickled_raises() -> None:
    pieces = in_order(unsendable, None, 3, 1, 2)
    assert next(pieces) == 0
    with pytest.raises(TypeError, match="lambda"):
        next(pieces)
    assert multiprocessing.active_children() == []


def test_a_worker_that_exits_raises() -> None:
    with pytest.raises(WorkerLost, match="ended unexpectedly"):
        list(in_order(dying, None, 9, 1, 2))
    assert multiprocessing.active_children() == []


needs_signals = pytest.mark.skipif(os.name != "posix", reason="workers wait for a signal here")


def gone(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


@needs_signals
def test_closing_early_ends_all_workers(tmp_path: Path) -> None:
    pieces, workers = busy(tmp_path)
    pids = [worker.pid for worker in workers]
    pieces.close()
    assert multiprocessing.active_children() == []
    assert all(pid is not None and gone(pid) for pid in pids)


@needs_signals
def test_an_interrupt_ends_all_workers(tmp_path: Path) -> None:
    pieces, _ = busy(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        pieces.throw(KeyboardInterrupt)
    assert multiprocessing.active_children() == []


SCRIPT = """
    import os, sys
    from pathlib import Path
    from tests.parallel.pool_tasks import busy

    if __name__ == "__main__":
        pieces, workers = busy(Path(sys.argv[1]))
        try:
            print(*(worker.pid for worker in workers), flush=True)
            if sys.argv[2] == "inside":
                next(pieces)  # never comes
            else:
                sys.stdin.read()  # in the hands of whoever reads the results
        except KeyboardInterrupt:
            print("stopped", flush=True)
"""


@needs_signals
@pytest.mark.parametrize("where", ["inside", "outside"])
def test_ctrl_c_for_the_whole_group_gives_no_traceback(tmp_path: Path, where: str) -> None:
    """As a terminal does it: everybody in the group gets the signal."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    root = Path(__file__).parents[2]
    running = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path), where],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "src")])},
    )
    assert running.stdout is not None
    pids = [int(word) for word in running.stdout.readline().split()]
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert (running.returncode, out, err) == (0, "stopped\n", "")
    assert len(pids) == 2
    assert all(map(gone, pids))


UNGUARDED = """\
import sys
sys.path.insert(0, {root!r})
from upcard.parallel.pool import in_order
from tests.parallel.pool_tasks import squares
print(sum(map(sum, in_order(squares, 1, 10, 1, 2))))
"""


@pytest.mark.parametrize("piped", [False, True], ids=["script", "pipe"])
def test_workers_do_not_run_the_main_program_again(tmp_path: Path, piped: bool) -> None:
    """A script without `if __name__ == "__main__"`, and a program from a pipe, which has no file."""
    text = UNGUARDED.format(root=str(Path(__file__).parents[2]))
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-" if piped else str(script)],
        input=text if piped else None,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("45\n", "", 0)
