"""`upcard watch`: narrates one game of any players."""

from __future__ import annotations

import time
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
    check_pace,
    errors_in_file,
    load_game,
    print_engine_note,
    report_errors,
)
from upcard.cli.trust import NO_EXTERNAL_PLAYERS
from upcard.output import say, say_lines

if TYPE_CHECKING:
    from upcard.engine.shared.state import BaseState
    from upcard.narration.narrator import Narrator


def watch(
    game: options.Game,
    deal: int = typer.Option(0, "--deal", metavar="N", help="Number of the deal, from 0."),
    transcript: Path = typer.Option(
        None,
        "--transcript",
        metavar="FILE",
        help="Also save the game to a file.",
        autocompletion=complete.files,
    ),
    seed: options.Seed = 0,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    engine: options.EngineName = "native",
    ascii_only: options.Ascii = False,
    players: options.Players = "random",
    pace: float = typer.Option(0.0, "--pace", metavar="SECONDS", help="Pause after each move."),
    patience: options.Patience = 10.0,
    trusted: options.Trusted = False,
) -> None:
    """Play one game and describe every move.

    Give --players one player for all seats, one for each side or one for each seat.

    Examples:
        upcard watch euchre
        upcard watch euchre --players casual,random --pace 1
        upcard watch euchre --seed 7 --transcript hand.jsonl
    """
    from upcard.cli.seat_options import players_of_seats
    from upcard.engine import transcript as transcripts
    from upcard.players.external.external_player import player_sessions
    from upcard.players.protocol import Indifferent

    check_pace(pace)
    with report_errors():
        loaded = load_game(game, overrides, rules, base, engine)
        specs = players_of_seats(loaded, players, patience, trusted)
        if trusted and not any(spec.trusted for spec in specs):
            raise Stop(MISUSE, NO_EXTERNAL_PLAYERS)
        state = loaded.deal(seed, deal)
        print_engine_note(loaded)
        narrator = loaded.narrator.in_ascii() if ascii_only or not can_print_unicode() else loaded.narrator
        told = 0
        with player_sessions([spec.make for spec in specs]) as makers:
            seated = [make(seed, deal, seat) for seat, make in enumerate(makers) if make is not None]
            while (seat := state.to_move) is not None:
                if pace > 0:
                    told = _tell(state, narrator, told)
                    time.sleep(pace)
                player = seated[seat]
                if isinstance(player, Indifferent):
                    state.play(player.pick(state.choices))
                else:
                    state.play(player.choose(state.observe(seat), specs[seat].budget).move)
        _tell(state, narrator, told)
        assert state.outcome is not None
        say(narrator.result(state.outcome, state.teams))
        if transcript is not None:
            with errors_in_file(transcript):
                transcripts.write(state, transcript)
    raise typer.Exit(FAILURE if state.outcome.failure else 0)


def _tell(state: BaseState, narrator: Narrator, told: int) -> int:
    """Print what happened since the first `told` records; returns how many there are now."""
    records = state.records[told:]
    for sentence in narrator.tell(records, state.faces):
        say_lines(sentence)
    return told + len(records)
