"""`upcard play`: seats a person at a table in the terminal."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli.confirmation import accept_any_bytes, confirmed_players
from upcard.cli.console import (
    MISUSE,
    NO,
    Stop,
    colourful,
    engine_of,
    in_file,
    load,
    path_or_name,
    sentences,
    speaks_unicode,
    tell_note,
)
from upcard.cli.options import PLAYERS_HELP, Base, EngineName, Given, Rules, Target, Trusted
from upcard.cli.trust import NOBODY_TO_TRUST

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.match.match_play import Table
    from upcard.terminal.saves import MatchLog
    from upcard.terminal.ui import Ui

INTERRUPTED = 130


def play(
    game: str = typer.Argument(None, metavar="[GAME_OR_FILE]", help="A library game by name, or a program."),
    seat: str = typer.Option(None, "--seat", help="Your seat: its number from 0 (usual), or its name."),
    level: str = typer.Option(
        None,
        "--level",
        help=f"The opponents: casual, steady, strong (usual), expert, or any player: {PLAYERS_HELP}",
    ),
    to: Target = None,
    seed: int = typer.Option(None, "--seed", help="The same seed gives the same deals; drawn when left out."),
    given: Given = None,
    rules: Rules = None,
    trusted: Trusted = False,
    resume: bool = typer.Option(False, "--resume", help="Go on with the match that was saved last."),
    record: Path = typer.Option(
        None, "--record", metavar="FILE", help="The file of the match, to save or resume."
    ),
    pace: float = typer.Option(0.6, "--pace", help="Seconds to look at what another player does."),
    autolast: bool = typer.Option(False, "--autolast", help="Play your last card by itself."),
    plain: bool = typer.Option(False, "--plain", help="Lines only: for screen readers and pipes."),
    ascii_only: bool = typer.Option(False, "--ascii", help="Plain letters for suits and frames."),
    base: Base = None,
    engine: EngineName = "native",
) -> None:
    """Sit down and play. Every decision is saved; --resume goes on after q or Ctrl-C."""
    if not 0 <= pace <= 60:
        raise Stop(MISUSE, f"--pace is a number of seconds from 0 to 60, not {pace:g}")
    if game is None and not resume:
        raise Stop(
            MISUSE, "name a game, as in upcard play euchre, or go on with --resume; upcard games lists them"
        )
    if resume:
        begun = {
            "--seat": seat,
            "--to": to,
            "--seed": seed,
            "--set": given,
            "--rule": rules,
            "--trusted": trusted or None,
        }
        changed = [option for option, value in begun.items() if value not in (None, [])]
        if changed:
            raise Stop(MISUSE, f"a saved match goes on as it was begun; leave out {' and '.join(changed)}")
    with sentences():
        if resume:
            start = _resumed(game, record, engine, level)
        else:
            loaded = load(game, given, rules, base, engine)
            tell_note(loaded)
            start = _new(loaded, game, seat or "0", level or "strong", to, seed, record, trusted)
        _sit(start, pace, autolast, plain, ascii_only)


@dataclass(frozen=True)
class Start:
    """A table that is set: what to say first, and the seed of a match that is still to begin."""

    table: Table
    notebook: MatchLog
    words: list[str]
    seed: int | None = None


def _new(
    game: LoadedGame,
    asked: str,
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
    from upcard.terminal.table_setup import new_table, seat_of

    kept = asked if path_or_name(asked) in names() else str(Path(asked).resolve())
    chosen = fingerprint.new_seed() if seed is None else seed
    salt = fingerprint.new_salt()
    table, notes = new_table(game, seat_of(game, seat), level, to, chosen, salt, kept, trusted)
    if trusted and not table.trusted:
        raise Stop(MISUSE, NOBODY_TO_TRUST)
    if record is not None and is_begun(record):
        raise Stop(MISUSE, f"{record} is there already; go on with it by --resume --record {record}")
    notebook = MatchLog(record if record is not None else new_file(game.name))
    mark = fingerprint.fingerprint(chosen, salt)
    return Start(table, notebook, [*_welcome(table), *notes, fingerprint.before(mark)], chosen)


def _resumed(game: str | None, record: Path | None, engine: str, level: str | None) -> Start:
    from upcard.terminal.saves import MatchLog, latest, open_saved
    from upcard.terminal.table_setup import code_in, saved_table

    if record is None:
        saved = latest(game)
    else:
        with in_file(record):
            saved = open_saved(record)
    if saved.over:
        raise Stop(NO, f"the match in {saved.path} is over; upcard replay {saved.path} checks it")
    with in_file(saved.path):
        confirmed = confirmed_players(saved.path, code_in(saved), level)
        table = saved_table(saved, engine_of(engine), confirmed=confirmed)
    words = [*_welcome(table), "Going on where it was left."]
    return Start(table, MatchLog(saved.path, saved.lines), words)


def _welcome(table: Table) -> list[str]:
    from upcard.terminal.table_setup import PERSON, in_words

    sheet = table.game.narrator.sheet
    title = sheet.title if sheet else table.game.name
    you = next(i for i, p in enumerate(table.participants) if p.kind == PERSON)
    return [f"{title}. You are {table.names[you]}.", *in_words(table, you)]


def _sit(start: Start, pace: float, autolast: bool, plain: bool, ascii_only: bool) -> None:
    """The match in a window or in lines, and how it ended."""
    from upcard.match.match_play import MatchOver
    from upcard.terminal.keys import Keys
    from upcard.terminal.opponent_levels import adviser
    from upcard.terminal.plain_ui import PlainUi
    from upcard.terminal.screen_ui import ScreenUi
    from upcard.terminal.session import Left, Manners, Session
    from upcard.terminal.table_setup import PERSON

    ascii_only = ascii_only or not speaks_unicode()
    window = not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    notebook = start.notebook
    person = next(i for i, p in enumerate(start.table.participants) if p.kind == PERSON)
    manners = Manners(ascii_only, autolast)
    lines = PlainUi(ascii_only)

    def sit(face: Ui) -> list[str]:
        with start.table.sitting() as table:
            sitting = Session(table, person, face, notebook, adviser(table.game), manners)
            if start.seed is None:
                with in_file(notebook.path):
                    sitting.go_on()
            else:
                sitting.begin(start.seed)
            return sitting.play(start.words)

    shown = shlex.quote(str(notebook.path))
    go_on = "upcard play --resume" if _is_latest(notebook.path) else f"upcard play --resume --record {shown}"
    try:
        if window:
            keys = Keys()
            with keys.open():
                last = sit(ScreenUi(keys, pace, ascii_only, colourful()))
            for line in start.words:
                lines.say(line)
        else:
            accept_any_bytes()
            last = sit(lines)
    except Left:
        lines.closing([f"Saved. {go_on} goes on."])
        return
    except KeyboardInterrupt:
        raise Stop(INTERRUPTED, f"interrupted; everything is saved, and {go_on} goes on") from None
    except MatchOver as error:
        raise Stop(NO, f"the match cannot go on: {error}") from None
    finally:
        notebook.close()
    lines.closing(last)


def _is_latest(path: Path) -> bool:
    """Whether --resume alone finds this match again."""
    from upcard.terminal.saves import folder

    return path.parent == folder() / "matches"
