"""`upcard judge`: compares a student's program with the course game."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import FAILURE, MISUSE, Stop, report_errors
from upcard.cli.progress import progress
from upcard.output import say

if TYPE_CHECKING:
    from upcard.course.judge_program import Finding


def judge(
    program: str = typer.Argument(
        ...,
        metavar="PROGRAM",
        help="An executable that takes the course's arguments.",
        autocompletion=complete.files,
    ),
    packs: int = typer.Option(
        24,
        "--packs",
        metavar="N",
        callback=options.at_least(1),
        help="Number of packs to play; the first is the standard pack.",
    ),
    seconds: float = typer.Option(10.0, "--timeout", metavar="SECONDS", help="Time limit of a game."),
    ignore_blank: bool = typer.Option(
        False, "--ignore-blank-lines", help="Ignore blank lines, as the course's own tests do."
    ),
    keep: options.NewFolder = Path(),
    seed: options.Seed = 0,
) -> None:
    """Compare a student's program with the course's Euchre game.

    Both play the same packs and get the same answers. The first line that differs is shown, and the pack of
    that game is written to a folder.

    Examples:
        upcard judge ./euchre.exe --packs 5
    """
    import tempfile

    from upcard.course.judge_program import judge as judge_one
    from upcard.course.judge_program import trials

    if not 0 < seconds <= 3600:
        raise Stop(MISUSE, f"--timeout is more than 0 and at most 3600, not {seconds:g}")
    with report_errors():
        path = _find_program(program)
    refused = 0
    with (
        report_errors(),
        tempfile.TemporaryDirectory() as temporary,
        progress("judging", packs, minimum=20) as advance,
    ):
        folder = Path(temporary)
        for number, trial in enumerate(trials(packs, seed)):
            finding = judge_one(path, trial, folder, seconds, blank_lines=not ignore_blank)
            if finding is not None:
                break
            refused += not trial.succeeds
            if number < packs:
                advance(1)
    if finding is None:
        played = "1 pack" if packs == 1 else f"{packs} packs"
        say(f"{program} printed the expected output for {played} and {refused} wrong command lines.")
        return
    with report_errors():
        _report(finding, path, keep)
    raise Stop(FAILURE)


def _find_program(overrides: str) -> Path:
    """The path of a program: a file, or a command on the PATH."""
    path = Path(overrides)
    if not path.exists():
        which = shutil.which(overrides)
        if which is None:
            raise Stop(MISUSE, f"there is no program {overrides}; give the path of an executable")
        path = Path(which)
    if not path.is_file():
        raise Stop(MISUSE, f"{overrides} is not a program; give the path of an executable")
    return path.absolute()


def _report(finding: Finding, program: Path, keep: Path) -> None:
    from upcard.storage.atomic_write import write_text

    for line in finding.lines:
        say(line)
    trial = finding.trial
    for name, text in trial.files.items():
        write_text(keep / name, text)
    command = shlex.join([str(program), *trial.arguments])
    if trial.answers:
        command += f" < {shlex.quote(f'{trial.name}.answers')}"
    where = "" if keep == Path() else f"cd {shlex.quote(str(keep))} && "
    say(f"To reproduce it: {where}{command}")
    if trial.files:
        say(f"Written: {', '.join(str(keep / name) for name in trial.files)}")
