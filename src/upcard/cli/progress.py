"""Progress bar for long work; prints nothing when the output is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from upcard.terminal_text import visible


class progress:
    """`with progress("playing", 1000) as advance: advance(10)`."""

    def __init__(self, doing: str, total: int, least: int = 200) -> None:
        self._doing, self._total = doing, total
        self._shown = sys.stderr.isatty() and total > least

    def __enter__(self) -> Callable[[int], None]:
        if not self._shown:
            return lambda _: None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        from upcard.output import styled

        self._bar = Progress(
            TextColumn(visible(self._doing), markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(file=styled(sys.stderr)),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._bar.start()
        task = self._bar.add_task("", total=self._total)
        return lambda done: self._bar.advance(task, done)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._bar.stop()
