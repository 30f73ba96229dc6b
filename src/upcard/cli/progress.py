"""Progress bar for long work; prints nothing when the output is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from upcard.cli.console import FAILURE, INTERRUPTED
from upcard.terminal_text import visible


class progress:
    """`with progress("playing", 1000) as advance: advance(10)`. Short work, up to `minimum`, shows no bar."""

    def __init__(self, label: str, total: int, minimum: int = 200) -> None:
        self._label, self._total = label, total
        self._shown = sys.stderr.isatty() and total > minimum

    def __enter__(self) -> Callable[[int], None]:
        if not self._shown:
            return lambda _: None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        from upcard.output import styled

        self._bar = Progress(
            TextColumn(visible(self._label), markup=False),
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


def play_with_progress(
    counts: Iterable[int], total: int, resumed: int, label: str = "playing"
) -> tuple[int, str] | None:
    """Play games to the end; `counts` yields how many were just finished.

    Returns the exit code and the reason if it stops early.
    """
    from upcard.match.match_play import MatchOver

    with progress(label, total, minimum=20) as advance:
        advance(resumed)
        try:
            for count in counts:
                advance(count)
        except KeyboardInterrupt:
            return INTERRUPTED, "interrupted"
        except MatchOver as error:
            return FAILURE, f"{error}; stopped"
    return None
