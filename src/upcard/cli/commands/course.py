"""`upcard course`: plays the EECS 280 Euchre project with its own arguments and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import typer

from upcard.cli import completion_values as complete
from upcard.cli.console import MISUSE, Stop, report_errors
from upcard.output import say, write_document

if TYPE_CHECKING:
    from upcard.course.human_player import Question
    from upcard.engine.api import Move


def course(
    arguments: list[str] = typer.Argument(
        None,
        metavar="PACK shuffle|noshuffle POINTS NAME TYPE NAME TYPE NAME TYPE NAME TYPE",
        help="The arguments of the course's program; a TYPE is Simple or Human.",
        autocompletion=complete.files,
    ),
) -> None:
    """Play the Euchre project of EECS 280, byte for byte.

    Human players answer on standard input.

    Examples:
        upcard course pack.in noshuffle 1 Ada Simple Ben Simple Cleo Simple Dan Simple
    """
    from upcard.course.course_game import USAGE, Settings, Usage, no_pack, play
    from upcard.course.pack import read_pack
    from upcard.files.bounded import Unreadable, read_stream

    def print_line(line: str) -> None:
        if sys.stdout.isatty():
            say(line)
        else:  # names byte for byte, and the course's line ends on every system
            write_document(os.fsencode(line) + b"\n")

    words = _words(sys.stdin.buffer)

    def ask(question: Question) -> Move:
        from upcard.course.human_player import BadAnswer

        sys.stdout.flush()
        word = next(words, None)
        if word is None:
            raise BadAnswer(
                f"standard input ended where {question.name} was to answer; nothing more is played"
            )
        return question.move(word)

    try:
        settings = Settings.of(arguments or [])
    except Usage:
        print_line(USAGE)
        sys.stdout.flush()
        raise Stop(MISUSE) from None
    try:
        text = read_stream(Path(settings.pack)).decode("utf-8", "replace")
    except (OSError, ValueError, Unreadable):  # a name with a null in it is a ValueError
        print_line(no_pack(settings.pack))
        sys.stdout.flush()
        raise Stop(MISUSE) from None
    with report_errors():
        try:
            play(settings, read_pack(text, settings.pack), print_line, ask)
        finally:
            sys.stdout.flush()  # print everything, even if an error ends the game


def _words(stream: BinaryIO) -> Iterator[str]:
    """Words of the input, read line by line only as they are needed."""
    for line in stream:
        for word in line.split():
            yield word.decode("utf-8", errors="backslashreplace")
