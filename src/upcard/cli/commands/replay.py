"""`upcard replay`: replays a transcript or a match and checks every line."""

from __future__ import annotations

from pathlib import Path

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import FAILURE, MISUSE, Stop, errors_in_file, report_errors
from upcard.cli.text_layout import print_json
from upcard.output import say


def replay(
    file: Path = typer.Argument(
        ...,
        metavar="FILE",
        help="A transcript, or the record of a match.",
        autocompletion=complete.files,
    ),
    seat: options.SeatName = None,
) -> None:
    """Replay a recorded game or match and check every line.

    With --seat, print only what that seat saw of a single game, as JSON lines.

    Examples:
        upcard replay hand.jsonl
        upcard replay hand.jsonl --seat 2
    """
    from upcard.engine import transcript as transcripts
    from upcard.engine.record_view import view

    with report_errors(), errors_in_file(file):
        records = transcripts.read(file)
        if records[0]["do"] == "match":
            _replay_match(file, seat)
            return
        result = transcripts.replay(records)
    if seat is not None:
        from upcard.terminal.table_setup import parse_seat

        with report_errors():
            number = parse_seat(result.state.game, seat)
        for record in view(records, number):
            print_json(record, separators=(",", ":"))
        return
    state = result.state
    assert state.outcome is not None
    say(f"{result.lines} lines are correct, {state.decisions} decisions")
    say(state.game.narrator.result(state.outcome, state.teams))


def _replay_match(file: Path, seat: str | None) -> None:
    """Replay a match from its seed and check the fingerprint published before the first deal."""
    from upcard.match.seats import names_of_sides
    from upcard.terminal.fingerprint import fingerprint, hashed_text
    from upcard.terminal.saves import open_saved
    from upcard.terminal.table_setup import replay_saved

    if seat is not None:
        raise Stop(MISUSE, "--seat shows a transcript of one game; a match is replayed as a whole")
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
