"""`upcard replay`: replays a transcript or a match on the table, or checks every line of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import (
    FAILURE,
    MISUSE,
    Stop,
    can_print_unicode,
    errors_in_file,
    report_errors,
    use_colour,
)
from upcard.cli.text_layout import print_json
from upcard.output import say, say_lines

if TYPE_CHECKING:
    from upcard.terminal.recorded_match import Recording


def replay(
    file: Path = typer.Argument(
        ...,
        metavar="FILE",
        help="A transcript, or the record of a match.",
        autocompletion=complete.files,
    ),
    seat: options.SeatName = None,
    check: bool = typer.Option(
        False, "--check", help="Only check every line, and the fingerprint of a match."
    ),
    as_json: options.AsJson = False,
    plain: bool = typer.Option(False, "--plain", help="Print lines only, for screen readers and pipes."),
    ascii_only: options.Ascii = False,
) -> None:
    """Step through a recorded game or match at the table.

    All hands are shown, or with --seat only what that seat saw. In a pipe the deals are printed as text. A
    line that was changed is named.

    Examples:
        upcard replay hand.jsonl
        upcard replay hand.jsonl --seat 2
        upcard replay hand.jsonl --check
    """
    if check and (as_json or seat is not None):
        raise Stop(MISUSE, "--check checks the whole file; leave --json and --seat out")
    with report_errors(), errors_in_file(file):
        if check:
            _check(file)
            return
        from upcard.terminal.recorded_match import Recording

        recording = Recording(file)
    with report_errors():
        person = None if seat is None else recording.person(seat)
    ascii_only = ascii_only or not can_print_unicode()
    if as_json:
        _print_records(recording, person)
    elif not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from upcard.terminal.keys import Keys
        from upcard.terminal.replay_screen import ReplayScreen

        keys = Keys()
        with keys.open():
            ReplayScreen(recording, person, keys, ascii_only, use_colour()).run()
    else:
        _print_text(recording, person, ascii_only)


def _print_records(recording: Recording, person: int | None) -> None:
    from upcard.engine.record_view import view

    if recording.is_match and person is not None:
        raise Stop(MISUSE, "--json with --seat needs the transcript of one game, not the record of a match")
    for record in recording.records if person is None else view(recording.records, person):
        print_json(record, separators=(",", ":"))


def _print_text(recording: Recording, person: int | None, ascii_only: bool) -> None:
    from upcard.terminal.recorded_match import Step
    from upcard.terminal.render import deal_title, side_scores

    for number, deal in enumerate(recording.deals):
        if recording.is_match:
            view = recording.view(Step(number, 0), person, ascii_only)
            score = ", ".join(f"{name} {points}" for name, points in side_scores(view, person is not None))
            if number:
                say("")
            say(f"{deal_title(view)}. Score so far: {score}.")
        for sentence in recording.sentences(deal, person, ascii_only):
            say_lines(sentence)
    if recording.final:
        say("")
        say(f"The match is over. Final score: {', '.join(recording.final)}.")


def _check(file: Path) -> None:
    """Replay every line; of a match also check the fingerprint published before the first deal."""
    from upcard.engine import transcript as transcripts

    records = transcripts.read(file)
    if records[0]["do"] == "match":
        _check_match(file)
        return
    result = transcripts.replay(records)
    state = result.state
    assert state.outcome is not None
    say(f"{result.lines} lines are correct, {state.decisions} decisions")
    say(state.game.narrator.result(state.outcome, state.teams))


def _check_match(file: Path) -> None:
    from upcard.match.seats import names_of_sides
    from upcard.terminal.fingerprint import fingerprint, hashed_text
    from upcard.terminal.saves import open_saved
    from upcard.terminal.table_setup import replay_saved

    saved = open_saved(file)
    match = replay_saved(saved, "native")
    decisions = sum(line["do"] == "decision" for line in saved.lines)
    say(f"{len(saved.lines)} lines are correct, {match.board.deals} deals finished, {decisions} decisions")
    named = names_of_sides(match.table.names, match.table.sides)
    scores = "; ".join(f"{name} {total}" for name, total in zip(named, match.board.totals, strict=True))
    say(f"Score: {scores}." if match.over else f"Score so far: {scores}. The match is not over.")
    note = saved.header.get("table") or {}
    if "fingerprint" not in note:
        return
    if not match.over:
        say(f"Fingerprint of the seed: {note['fingerprint']}. The seed is published when the match is over.")
        return
    actual = fingerprint(match.seed, str(note.get("salt")))
    if actual != note["fingerprint"]:
        raise Stop(
            FAILURE,
            f"the seed and the salt give the fingerprint {actual}, but {note['fingerprint']} was published",
        )
    say(f"The fingerprint {actual}")
    say(f"is the SHA-256 of {hashed_text(match.seed, str(note['salt']))}: every deal comes from that seed.")
