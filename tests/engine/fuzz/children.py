"""Runs programs in child processes, so that a crash or a hang of machine code is one more finding.

The parent sends a program as a line of JSON; the child names each stage before it begins and answers with a
line. A child may spend a bounded amount of processor time on a program, so a busy machine finds no more hangs
than a quiet one; a child that waits without working is ended by the clock.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from tests.engine.fuzz.compare import Say
from tests.engine.fuzz.shape import Written

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 10.0
"""Processor time that a child may spend on one program."""
PATIENCE = 30
"""Times as many seconds by the clock."""
PROGRAMS_OF_A_CHILD = 250
"""Then another takes its place, so that memory does not grow without bound."""
HANGS, CRASHES = "hangs", "crashes"

Answer = dict[str, Any]
Case = TypeVar("Case")


# --- the child -----------------------------------------------------------------------------------


def serve(work: Callable[[Written, Say], Answer]) -> None:
    """Answers programs until there are no more; run by the child."""
    sys.setrecursionlimit(20_000)  # now, since the checker would raise it while a program is compared

    def send(line: Answer) -> None:
        print(json.dumps(line), flush=True)

    for line in sys.stdin:
        asked = json.loads(line)
        # the default action ends the process, in the middle of machine code as well
        signal.setitimer(signal.ITIMER_PROF, asked["seconds"])
        answer = work(Written(asked["text"], asked["overrides"]), lambda stage: send({"stage": stage}))
        signal.setitimer(signal.ITIMER_PROF, 0)
        send({"answer": answer})


class _Child:
    def __init__(self, module: str, seconds: float) -> None:
        environment = os.environ | {"UPCARD_OPT": "0", "UPCARD_CACHE": "off"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "--child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the parent, which sums up
        )
        self.left = PROGRAMS_OF_A_CHILD
        self._seconds = seconds

    def ask(self, written: Written) -> Answer:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.left -= 1
        stage = "start"
        asked = {"text": written.text, "overrides": written.overrides, "seconds": self._seconds}
        clock = threading.Timer(self._seconds * PATIENCE, self.process.kill)
        clock.start()
        try:
            self.process.stdin.write(json.dumps(asked) + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                got = json.loads(line)
                if "answer" in got:
                    answer: Answer = got["answer"]
                    return answer
                stage = got["stage"]
        except BrokenPipeError:
            pass
        finally:
            clock.cancel()
        code = self.process.wait()
        self.left = 0
        how = HANGS if code in (-signal.SIGPROF, -signal.SIGKILL) else CRASHES
        return {"died": how, "stage": stage, "code": code}

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


# --- the parent ----------------------------------------------------------------------------------


class Children:
    """Child processes of `module`, whose `--child` must call `serve`. Answers come in the order of cases."""

    def __init__(self, module: str, workers: int = 1, seconds: float = SECONDS) -> None:
        self._module, self._workers, self._seconds = module, workers, seconds
        self._own = threading.local()
        self._all: set[_Child] = set()
        self._closed = False

    def __enter__(self) -> Children:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        for child in list(self._all):
            child.close()

    def answers(
        self, cases: Iterable[Case], written: Callable[[Case], Written]
    ) -> Iterator[tuple[Case, Answer]]:
        """Each case with its answer; only a few more are begun than were taken."""
        waiting: deque[tuple[Case, Future[Answer]]] = deque()
        pool = ThreadPoolExecutor(self._workers)
        try:
            for case in cases:
                waiting.append((case, pool.submit(self.ask, written(case))))
                if len(waiting) > 2 * self._workers:
                    first, answer = waiting.popleft()
                    yield first, answer.result()
            while waiting:
                first, answer = waiting.popleft()
                yield first, answer.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def ask(self, written: Written) -> Answer:
        """One program, by the child of this thread."""
        child: _Child | None = getattr(self._own, "child", None)
        if child is None or child.left <= 0:
            if child is not None:
                child.close()
                self._all.discard(child)
            if self._closed:
                return {"died": CRASHES, "stage": "closed", "code": 0}
            child = self._own.child = _Child(self._module, self._seconds)
            self._all.add(child)
        return child.ask(written)
