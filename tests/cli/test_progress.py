"""The line below a run: speed, workers and machines of a cluster, and the interval so far."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import upcard_in_terminal

from upcard.cli import progress as progress_module
from upcard.cli.progress import progress

needs_terminal = pytest.mark.skipif(os.name != "posix", reason="there are no pseudo-terminals here")


class Staff:
    crew = "3 workers on 2 machines"


def line(note: Callable[[], str], workers: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the bar says behind it after some games."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress_module, "NOTE_SECONDS", -1.0)
    shown = progress("playing", 1000, workers=workers, note=note)
    with shown as advance:
        for _ in range(20):
            advance(10)
        return str(shown._bar.tasks[0].fields["note"])


def test_the_line_shows_speed_workers_and_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    found = line(lambda: "ahead 0.80 ± 0.17", Staff(), monkeypatch)
    assert re.fullmatch(r"[\d.,]+(?: million)? a second, 3 workers on 2 machines, ahead 0\.80 ± 0\.17", found)


def test_the_line_of_one_process_shows_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch(r"[\d.,]+(?: million)? a second", line(str, 4, monkeypatch))


@needs_terminal
def test_intervals_narrow_in_a_terminal(tmp_path: Path) -> None:
    commands = {
        "ahead": ["arena", "euchre", "--players", "random,random", "--deals", "15"],
        "% won": ["match", "euchre", "--matches", "22", "--players", "simple,random", "--to", "3"],
        "decisions": ["simulate", "euchre", "--games", "20000"],
    }
    for word, words in commands.items():
        printed = upcard_in_terminal(*words, "--workers", "1", cwd=tmp_path)
        assert re.search(rf"playing[^\r\n]*(?:{word}|±)", printed), (words, printed[-500:])
