"""`upcard stats`: lists your matches, and statistics over them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.console import report_errors
from upcard.output import say

if TYPE_CHECKING:
    from upcard.terminal.match_history import GameStatistics, PlayedMatch


def stats(
    game: str = typer.Argument(None, metavar="[GAME]", help=options.GAME_HELP, autocompletion=complete.games),
    as_json: options.AsJson = False,
) -> None:
    """List your matches, and statistics over those that are over.

    Examples:
        upcard stats
        upcard stats euchre
    """
    from upcard.terminal.match_history import played_matches, statistics
    from upcard.terminal.saves import matches_folder

    with report_errors():
        matches, unreadable = played_matches(game)
        summed = statistics(matches)
    if as_json:
        layout.print_json(
            {
                "matches": [match.to_json() for match in matches],
                "statistics": [entry.to_json() for entry in summed],
                "unreadable": unreadable,
            },
            indent=1,
        )
        return
    if not matches:
        say(f"There is no match{f' of {game}' if game else ''} in {matches_folder()}.")
    else:
        _print_statistics(summed)
        _print_matches(matches)
    for path in unreadable:
        say(f"{path} is left out: upcard replay {shlex.quote(path)} says why.")


def _print_statistics(summed: list[GameStatistics]) -> None:
    if not summed:
        return
    width = max(len("game"), *(len(entry.game) for entry in summed))
    level = max(len("against"), *(len(entry.level) for entry in summed))
    say(f"{'game':<{width}}  {'against':<{level}}  matches   won  shared  deals  points a deal")
    for entry in summed:
        say(
            f"{entry.game:<{width}}  {entry.level:<{level}}  {entry.matches:>7}  {entry.won:>4}"
            f"  {entry.shared:>6}  {entry.deals:>5}  {entry.points:>13.2f}"
        )
    say("")


def _print_matches(matches: list[PlayedMatch]) -> None:
    width = max(len(match.game) for match in matches)
    for match in matches:
        taken = ", with a decision taken back" if match.undone else ""
        score = f"{match.yours} to {', '.join(map(str, match.others))}"
        say(f"{match.when}  {match.game:<{width}}  {match.result}, {score} after {match.deals} deals{taken}")
        say(f"  {match.file}")
    say("")
    say("upcard replay FILE shows a match; upcard play --resume --record FILE goes on with one.")
