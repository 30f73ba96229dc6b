"""`upcard watch`: narrates one game of random players."""

from __future__ import annotations

from pathlib import Path

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import (
    FAILURE,
    can_print_unicode,
    errors_in_file,
    load_game,
    print_engine_note,
    report_errors,
)
from upcard.output import say, say_lines


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
) -> None:
    """Play one game with random players and describe every move.

    Examples:
        upcard watch euchre
        upcard watch euchre --seed 7 --transcript hand.jsonl
    """
    from upcard.engine import transcript as transcripts
    from upcard.players import RandomPlayer

    with report_errors():
        loaded = load_game(game, overrides, rules, base, engine)
        state = loaded.deal(seed, deal)
        print_engine_note(loaded)
        players = [RandomPlayer(seed, deal, seat) for seat in range(loaded.seats)]
        narrator = loaded.narrator.in_ascii() if ascii_only or not can_print_unicode() else loaded.narrator
        while (seat := state.to_move) is not None:
            state.play(players[seat].pick(state.choices))
        for sentence in narrator.tell(state.records, state.faces):
            say_lines(sentence)
        assert state.outcome is not None
        say(narrator.result(state.outcome, state.teams))
        if transcript is not None:
            with errors_in_file(transcript):
                transcripts.write(state, transcript)
    raise typer.Exit(FAILURE if state.outcome.failure else 0)
