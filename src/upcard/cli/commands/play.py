"""`upcard play`: seats a person at a table in the terminal."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.confirmation import confirm_players, replace_undecodable_input
from upcard.cli.console import (
    FAILURE,
    INTERRUPTED,
    MISUSE,
    Stop,
    can_print_unicode,
    check_engine,
    check_pace,
    errors_in_file,
    load_game,
    path_or_name,
    print_engine_note,
    report_errors,
    use_colour,
)
from upcard.cli.trust import NO_EXTERNAL_PLAYERS

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.match.match_play import Table
    from upcard.terminal.saves import MatchLog
    from upcard.terminal.ui import Ui


def play(
    game: str = typer.Argument(None, metavar="[GAME]", help=options.GAME_HELP, autocompletion=complete.games),
    seat: options.SeatName = None,
    level: str = typer.Option(
        None,
        "--level",
        metavar="PLAYER",
        help="Your opponents: casual, steady, strong, expert, or any other player.",
        show_default="strong",
        autocompletion=complete.players,
    ),
    to: options.Target = None,
    resume: bool = typer.Option(False, "--resume", help="Resume the match that was saved last, or --record."),
    record: options.Record = None,
    pace: float = typer.Option(
        0.6, "--pace", metavar="SECONDS", help="Pause after the move of another player."
    ),
    autolast: bool = typer.Option(False, "--autolast", help="Play your last card automatically."),
    plain: bool = typer.Option(False, "--plain", help="Print lines only, for screen readers and pipes."),
    ascii_only: options.Ascii = False,
    seed: options.DrawnSeed = None,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    engine: options.EngineName = "native",
    trusted: options.Trusted = False,
) -> None:
    """Play a game in the terminal.

    You have seat 0 unless you choose another. Every decision is saved: leave with q or Ctrl-C, and go on with
    --resume.

    Examples:
        upcard play euchre
        upcard play euchre --level casual --rule stick=no
        upcard play --resume
    """
    check_pace(pace)
    if game is None and not resume:
        raise Stop(
            MISUSE, "name a game, as in upcard play euchre, or add --resume; upcard games lists the games"
        )
    if resume:
        begun = {
            "--seat": seat,
            "--to": to,
            "--seed": seed,
            "--set": overrides,
            "--rule": rules,
            "--trusted": trusted or None,
        }
        changed = [option for option, value in begun.items() if value not in (None, [])]
        if changed:
            raise Stop(MISUSE, f"a saved match keeps its settings; leave out {' and '.join(changed)}")
    with report_errors():
        if resume:
            start = _resume_match(game, record, engine, level)
        else:
            loaded = load_game(game, overrides, rules, base, engine)
            print_engine_note(loaded)
            start = _new_match(loaded, game, seat or "0", level or "strong", to, seed, record, trusted)
        _run_session(start, pace, autolast, plain, ascii_only)


@dataclass(frozen=True)
class Start:
    """A table ready to play: what to say first, and the seed of a match that has not begun."""

    table: Table
    log: MatchLog
    opening: list[str]
    seed: int | None = None


def _new_match(
    game: LoadedGame,
    game_argument: str,
    seat: str,
    level: str,
    to: int | None,
    seed: int | None,
    record: Path | None,
    trusted: bool,
) -> Start:
    from upcard.library import names
    from upcard.match.match_record import is_begun
    from upcard.terminal import fingerprint
    from upcard.terminal.saves import MatchLog, new_file
    from upcard.terminal.table_setup import new_table, parse_seat

    stored_name = (
        game_argument if path_or_name(game_argument) in names() else str(Path(game_argument).resolve())
    )
    chosen_seed = fingerprint.new_seed() if seed is None else seed
    salt = fingerprint.new_salt()
    table, notes = new_table(game, parse_seat(game, seat), level, to, chosen_seed, salt, stored_name, trusted)
    if trusted and not table.trusted:
        raise Stop(MISUSE, NO_EXTERNAL_PLAYERS)
    if record is not None and is_begun(record):
        raise Stop(MISUSE, f"{record} exists already; resume it with --resume --record {record}")
    log = MatchLog(record if record is not None else new_file(game.name))
    promise = fingerprint.fingerprint(chosen_seed, salt)
    promised = [fingerprint.opening_line(promise), fingerprint.EXPLANATION]
    return Start(table, log, [*_welcome_lines(table), *notes, *promised], chosen_seed)


def _resume_match(game: str | None, record: Path | None, engine: str, level: str | None) -> Start:
    from upcard.terminal.saves import MatchLog, latest, open_saved
    from upcard.terminal.table_setup import players_running_code, saved_table

    if record is None:
        saved = latest(game)
    else:
        with errors_in_file(record):
            saved = open_saved(record)
    if saved.over:
        raise Stop(FAILURE, f"the match in {saved.path} is over; upcard replay {saved.path} shows it")
    with errors_in_file(saved.path):
        confirmed = confirm_players(saved.path, players_running_code(saved), level)
        table = saved_table(saved, check_engine(engine), confirmed=confirmed)
    opening = [*_welcome_lines(table), "Resuming the saved match."]
    return Start(table, MatchLog(saved.path, saved.lines, saved.written), opening)


def _welcome_lines(table: Table) -> list[str]:
    from upcard.terminal.table_setup import describe_players, person_at

    sheet = table.game.narrator.sheet
    title = sheet.title if sheet else table.game.name
    you = person_at(table)
    return [f"{title}. You are {table.names[you]}.", *describe_players(table, you)]


def _run_session(start: Start, pace: float, autolast: bool, plain: bool, ascii_only: bool) -> None:
    """Play the match on the whole screen or in lines, and print how it ended."""
    from upcard.match.match_play import MatchOver
    from upcard.terminal.keys import Keys
    from upcard.terminal.opponent_levels import adviser
    from upcard.terminal.plain_ui import PlainUi
    from upcard.terminal.screen_ui import ScreenUi
    from upcard.terminal.session import LeftTable, Preferences, Session
    from upcard.terminal.table_setup import person_at

    ascii_only = ascii_only or not can_print_unicode()
    window = not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    log = start.log
    person = person_at(start.table)
    preferences = Preferences(ascii_only, autolast)
    lines = PlainUi(ascii_only)

    def run(ui: Ui) -> list[str]:
        with start.table.sitting() as table:
            session = Session(table, person, ui, log, adviser(table.game), preferences)
            if start.seed is None:
                with errors_in_file(log.path):
                    session.resume_match()
            else:
                session.begin(start.seed)
            return session.play(start.opening)

    quoted = shlex.quote(str(log.path))
    resume_command = (
        "upcard play --resume" if _is_latest(log.path) else f"upcard play --resume --record {quoted}"
    )
    try:
        if window:
            keys = Keys()
            with keys.open():
                closing = run(ScreenUi(keys, pace, ascii_only, use_colour()))
            for line in start.opening:
                lines.say(line)
        else:
            replace_undecodable_input()
            closing = run(lines)
    except LeftTable:
        lines.closing([f"Saved. {resume_command} resumes the match."])
        return
    except KeyboardInterrupt:
        raise Stop(
            INTERRUPTED, f"interrupted; everything is saved, and {resume_command} resumes the match"
        ) from None
    except MatchOver as error:
        raise Stop(FAILURE, f"the match cannot go on: {error}") from None
    finally:
        log.close()
    lines.closing(closing)


def _is_latest(path: Path) -> bool:
    """Whether --resume without --record may find this match."""
    from upcard.terminal.saves import matches_folder

    return path.parent == matches_folder()
