"""A child for `fuzz.children` that does what the text says: answers, loops, aborts or raises SIGSEGV."""

from __future__ import annotations

import os
import signal

from tests.engine.fuzz.children import Answer, serve
from tests.engine.fuzz.compare import Say
from tests.engine.fuzz.shape import Written


def work(written: Written, say: Say) -> Answer:
    say(f"about to {written.text}")
    if written.text == "loop":
        while True:
            pass
    if written.text == "abort":
        os.abort()
    if written.text == "fault":
        os.kill(os.getpid(), signal.SIGSEGV)
    return {"did": written.text}


if __name__ == "__main__":
    serve(work)
