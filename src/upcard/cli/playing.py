"""`upcard watch` and `upcard replay`: one game, told."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from upcard.cli.speaking import (
    BASE_HELP,
    ENGINE_HELP,
    MISUSE,
    NO,
    RULE_HELP,
    SET_HELP,
    Stop,
    load,
    sentences,
    tell_note,
)


def watch(
    game: str = typer.Argument(..., metavar="GAME_OR_FILE", help="A library game by name, or a program."),
    seed: int = typer.Option(0, "--seed", help="The same seed gives the same game."),
    deal: int = typer.Option(0, "--deal", help="Which deal of that seed."),
    transcript: Path = typer.Option(
        None, "--transcript", metavar="FILE", help="Also write the game to a file."
    ),
    given: list[str] = typer.Option([], "--set", metavar="NAME=VALUE", help=SET_HELP),
    rules: list[str] = typer.Option([], "--rule", metavar="NAME=VALUE", help=RULE_HELP),
    base: int = typer.Option(None, "--base", help=BASE_HELP),
    engine: str = typer.Option("native", "--engine", help=ENGINE_HELP),
    plain: bool = typer.Option(False, "--ascii", help="Plain letters for suits."),
) -> None:
    """Watch one game of random players, told move by move."""
    from upcard.engine import transcript as transcripts
    from upcard.players import UniformPlayer

    with sentences():
        loaded = load(game, given, rules, base, engine)
        state = loaded.deal(seed, deal)
        tell_note(loaded)
        players = [UniformPlayer(seed, deal, seat) for seat in range(loaded.seats)]
        teller = loaded.teller.in_ascii() if plain or not _speaks_unicode() else loaded.teller
        while (seat := state.to_move) is not None:
            state.play(players[seat].pick(state.choices))
        for sentence in teller.tell(state.records, state.faces):
            typer.echo(sentence)
        assert state.outcome is not None
        typer.echo(teller.result(state.outcome, state.teams))
        if transcript is not None:
            transcripts.write(state, transcript)
    raise typer.Exit(NO if state.outcome.failure else 0)


def _speaks_unicode() -> bool:
    try:
        "♠".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def replay(
    file: Path = typer.Argument(..., help="A transcript."),
    seat: int = typer.Option(
        None, "--seat", help="Print what this seat saw, as JSON lines; seats count from 0."
    ),
) -> None:
    """Replay a transcript, and name the first line that does not hold."""
    from upcard.engine import transcript as transcripts
    from upcard.engine.contract import view

    with sentences():
        records = transcripts.read(file)
        result = transcripts.replay(records)
    seats = result.state.game.seats
    if seat is not None:
        if not 0 <= seat < seats:
            raise Stop(MISUSE, f"there is no seat {seat}; seats are 0 to {seats - 1}")
        for line in transcripts.lines(view(records, seat)):
            typer.echo(line)
        return
    state = result.state
    assert state.outcome is not None
    typer.echo(f"{result.lines} lines hold, {state.decisions} decisions")
    typer.echo(state.game.teller.result(state.outcome, state.teams))
