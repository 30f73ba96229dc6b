"""Writes the files of a study into its folder: summary, tables, figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.cli.console import FAILURE, INTERRUPTED, MISUSE, Stop
from upcard.cli.progress import progress

if TYPE_CHECKING:
    from upcard.study.study_run import Study
    from upcard.study.study_summary import Summed

QUICK_TABLES = 20_000
"""After an interrupt tables are written only of up to this many games."""


def make_folder(folder: Path | None) -> Path | None:
    """Create the folder before anything is played, so that a wrong path fails at once."""
    if folder is not None:
        if folder.exists() and not folder.is_dir():
            raise Stop(MISUSE, f"{folder} is a file; give -o a folder")
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_files(
    summed: Summed, folder: Path | None, tables: tuple[str, ...], stopped: bool = False
) -> list[str]:
    """Write summary and tables; returns lines that say what was written."""
    from upcard.storage.atomic_write import write_text

    study = summed.study
    if folder is None or not study.done:
        return []
    path = folder / "summary.json"
    write_text(path, json.dumps(summed.to_json(), indent=1) + "\n")
    skipped = stopped and study.done > QUICK_TABLES
    names = [] if skipped else _write_tables(study, folder, tables)
    lines = [f"written to {folder}: {', '.join([*names, path.name])}"]
    if skipped and tables:
        lines.append("tables are written only after all games are played, because this study is large")
    return lines


def _write_tables(study: Study, folder: Path, tables: tuple[str, ...]) -> list[str]:
    from upcard.study import study_rows

    try:
        with progress("writing", study_rows.expected(study, tables), minimum=QUICK_TABLES) as advance:
            return [path.name for path in study_rows.write(study, folder, tables, advance)]
    except KeyboardInterrupt:
        raise Stop(
            INTERRUPTED,
            f"interrupted while tables were written; {folder} keeps the games, and the same command resumes",
        ) from None


def write_figures(draw: Callable[[Path], list[str]], folder: Path) -> str:
    """Draw into the folder's `figures`; returns a line that says what was drawn, or why nothing was."""
    from upcard.study.figures.figure_style import NoFigures

    place = folder / "figures"
    try:
        return f"figures in {place}: {', '.join(draw(place))} (PNG and SVG, light and dark)"
    except NoFigures as error:
        return str(error)


def stopped_early(stopped: tuple[int, str], done: int, total: int, folder: Path | None) -> Stop:
    """The error of a study that ended before all games were played."""
    code, why = stopped
    resumable = folder is not None and code != FAILURE
    kept = f"; {folder} keeps them, and the same command resumes" if resumable else ""
    return Stop(code, f"{why} after {done:,} of {total:,} games; the figures cover what was played{kept}")
