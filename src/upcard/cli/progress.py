"""Progress bar for long work; prints nothing when the output is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from upcard.cli.console import FAILURE, INTERRUPTED
from upcard.terminal_text import visible

if TYPE_CHECKING:
    from upcard.parallel.workers import Workers

NOTE_SECONDS = 0.5
"""The text behind the bar changes no more often, so that it can be read and costs nothing."""


class progress:
    """`with progress("playing", 1000) as advance: advance(10)`. Short work, up to `minimum`, shows no bar.

    Behind the bar are the speed, the machines of a cluster, and what `note` says.
    """

    def __init__(
        self,
        label: str,
        total: int,
        minimum: int = 200,
        workers: Workers = None,
        note: Callable[[], str] = str,
    ) -> None:
        self._label, self._total = label, total
        self._workers, self._note, self._noted = workers, note, 0.0
        self._shown = sys.stderr.isatty() and total > minimum

    def __enter__(self) -> Callable[[int], None]:
        if not self._shown:
            return lambda _: None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
        from rich.table import Column

        from upcard.output import styled

        width = 2 * len(str(self._total)) + 1
        self._bar = Progress(
            TextColumn(visible(self._label), markup=False),
            BarColumn(15),
            MofNCompleteColumn(table_column=Column(min_width=width, no_wrap=True)),
            TimeRemainingColumn(table_column=Column(min_width=7, no_wrap=True)),
            TextColumn("{task.fields[note]}", markup=False),
            console=Console(file=styled(sys.stderr)),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=self._total, note=self._crew())
        return self._advance

    def _advance(self, done: int) -> None:
        self._bar.advance(self._task, done)
        if time.monotonic() - self._noted > NOTE_SECONDS:
            self._noted = time.monotonic()
            parts = [_rate(self._bar.tasks[0].speed or 0.0), self._crew()]
            note = ", ".join(part for part in [*parts, visible(self._note())] if part)
            self._bar.update(self._task, note=note)

    def _crew(self) -> str:
        """The workers of a cluster, which come and go."""
        return str(getattr(self._workers, "crew", ""))

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._bar.stop()


def _rate(speed: float) -> str:
    if speed >= 100_000:
        return f"{speed / 1e6:.1f} million a second"
    return f"{speed:,.{0 if speed >= 10 else 1}f} a second" if speed else ""


def play_with_progress(
    counts: Iterable[int],
    total: int,
    resumed: int,
    label: str = "playing",
    workers: Workers = None,
    note: Callable[[], str] = str,
) -> tuple[int, str] | None:
    """Play games to the end; `counts` yields how many were just finished.

    Returns the exit code and the reason if it stops early.
    """
    from upcard.match.match_play import MatchOver

    with progress(label, total, 20, workers, note) as advance:
        advance(resumed)
        try:
            for count in counts:
                advance(count)
        except KeyboardInterrupt:
            return INTERRUPTED, "interrupted"
        except MatchOver as error:
            return FAILURE, f"{error}; stopped"
    return None
