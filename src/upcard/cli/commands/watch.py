"""`upcard watch`: narrates one game of random players."""

from __future__ import annotations

from pathlib import Path

import typer

from upcard.cli.console import NO, in_file, load, sentences, speaks_unicode, tell_note
from upcard.cli.options import Ascii, Base, EngineName, Game, Given, Rules, Seed
from upcard.output import say, say_lines


def watch(
    game: Game,
    seed: Seed = 0,
    deal: int = typer.Option(0, "--deal", help="Which deal of that seed."),
    transcript: Path = typer.Option(
        None, "--transcript", metavar="FILE", help="Also write the game to a file."
    ),
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    engine: EngineName = "native",
    plain: Ascii = False,
) -> None:
    """Watch one game of random players, told move by move."""
    from upcard.engine import transcript as transcripts
    from upcard.players import RandomPlayer

    with sentences():
        loaded = load(game, given, rules, base, engine)
        state = loaded.deal(seed, deal)
        tell_note(loaded)
        players = [RandomPlayer(seed, deal, seat) for seat in range(loaded.seats)]
        narrator = loaded.narrator.in_ascii() if plain or not speaks_unicode() else loaded.narrator
        while (seat := state.to_move) is not None:
            state.play(players[seat].pick(state.choices))
        for sentence in narrator.tell(state.records, state.faces):
            say_lines(sentence)
        assert state.outcome is not None
        say(narrator.result(state.outcome, state.teams))
        if transcript is not None:
            with in_file(transcript):
                transcripts.write(state, transcript)
    raise typer.Exit(NO if state.outcome.failure else 0)
