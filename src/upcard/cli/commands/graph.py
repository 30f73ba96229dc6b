"""`upcard graph`: shows how cards move, as a drawing, as counts or in sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import (
    FAILURE,
    INTERRUPTED,
    MISUSE,
    Stop,
    errors_in_file,
    load_game,
    print_engine_note,
    report_errors,
)
from upcard.cli.progress import progress
from upcard.output import write_document
from upcard.terminal_text import visible

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.graph.movement import Movement
    from upcard.graph.svg import Caption
    from upcard.parallel.workers import Workers

DRAWINGS = ("svg", "dot")
PICTURES = ("png", "jpg", "jpeg", "gif", "webp", "bmp", "pdf", "eps", "ps")
"""Endings of files that a drawing could be taken for, and that no program could open then."""
WORTH_WORKERS = 60
"""Fewer games are played in this process: starting workers would take longer."""


def graph(
    game: str = typer.Argument(
        ...,
        metavar="GAME",
        help="A game of the library, a program file, or a transcript (.jsonl).",
        autocompletion=complete.games,
    ),
    games: options.OneGame = None,
    drawing: str = typer.Option(
        None,
        "--format",
        metavar="svg|dot",
        help="Format of the drawing.",
        show_default="by the name of the file, else svg",
        autocompletion=complete.words(*DRAWINGS),
    ),
    explained: bool = typer.Option(False, "--explain", help="Describe in sentences who sees which cards."),
    every_place: bool = typer.Option(
        False, "--every-place", help="Draw every place, also those that are used alike."
    ),
    to: options.DrawingFile = None,
    seed: options.ZeroSeed = None,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    engine: options.EngineName = "native",
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    as_json: options.AsJson = False,
) -> None:
    """Draw how cards move between places, and who sees them.

    The cards of one random game are followed, of several games, or of a recorded game.

    Examples:
        upcard graph euchre -o euchre.svg
        upcard graph euchre --games 20 --explain
        upcard graph hand.jsonl --format dot
    """
    output_format = _choose_format(drawing, as_json, to)
    count = games or 1
    with report_errors():
        if game.endswith(".jsonl"):
            if games is not None or seed is not None or overrides or rules or base is not None:
                raise Stop(
                    MISUSE,
                    "a transcript is one recorded game; leave out --games, --seed, --set, --rule and --base",
                )
            loaded, movement = _read_transcript(Path(game))
        else:
            loaded = load_game(game, overrides, rules, base, engine)
            with open_workers(workers, cluster) as opened:
                movement = _play_games(loaded, count, seed or 0, opened)
        if movement.games:
            caption = _caption(game, loaded, movement, seed or 0)
            _write(loaded, movement, caption, output_format, to, explained, every_place)
    if movement.games < count:
        raise Stop(
            INTERRUPTED, f"interrupted after {movement.games} of {count} games; the result covers those"
        )
    if movement.failed:
        raise Stop(FAILURE, f"{movement.failed} of {movement.games} games failed; upcard simulate says where")


def _choose_format(drawing: str | None, as_json: bool, to: Path | None) -> str:
    if as_json and drawing is not None:
        raise Stop(MISUSE, "give either --format or --json")
    ending = to.suffix.lower().removeprefix(".") if to is not None else ""
    if to is not None and ending in PICTURES:
        raise Stop(
            MISUSE,
            f"{to} would be a .{ending} picture, but drawings are svg or dot; write {to.with_suffix('.svg')}",
        )
    if as_json:
        return "json"
    if drawing is None:
        return {"gv": "dot"}.get(ending, ending if ending in (*DRAWINGS, "json") else "svg")
    if drawing not in DRAWINGS:
        raise Stop(MISUSE, f"--format is svg or dot, not {drawing}")
    return drawing


def _play_games(game: LoadedGame, games: int, seed: int, workers: Workers) -> Movement:
    from upcard.graph.movement import Movement, movements
    from upcard.parallel.cores import cores

    game.deal(seed)  # compile once here; the workers find it in the cache
    print_engine_note(game)
    workers = workers or (cores() if games >= WORTH_WORKERS else 1)
    movement = Movement(game.seats)
    with progress("playing", games, 20, workers) as advance:
        try:
            for part in movements(game, games, seed, workers):
                movement.merge(part)
                advance(part.games)
        except KeyboardInterrupt:
            pass  # show the games played so far
    return movement


def _read_transcript(path: Path) -> tuple[LoadedGame, Movement]:
    from upcard.engine import transcript as transcripts
    from upcard.graph.movement import Movement

    with errors_in_file(path):
        state = transcripts.replay(transcripts.read(path)).state
    movement = Movement(state.game.seats)
    assert state.outcome is not None, "a transcript is replayed to its end"
    movement.add(state.records, failed=state.outcome.failure is not None)
    return state.game, movement


def _caption(argument: str, game: LoadedGame, movement: Movement, seed: int) -> Caption:
    from upcard.graph.svg import Caption

    title = game.narrator.sheet.title if game.narrator.sheet else game.name
    if argument.endswith(".jsonl"):
        below = f"The game recorded in {Path(argument).name}"
    else:
        unit = game.narrator.sheet.deal_word if game.narrator.sheet else "game"
        number = f"One {unit}" if movement.games == 1 else f"{movement.games:,} {unit}s"
        below = f"{number} of random players, seed {seed}"
    rules = [f"{name} {value}" for name, value in game.program.overrides]
    return Caption(visible(f"{title}: how the cards move"), visible("; ".join([below, *rules])))


def _write(
    game: LoadedGame,
    movement: Movement,
    caption: Caption,
    output_format: str,
    to: Path | None,
    explained: bool,
    every_place: bool,
) -> None:
    from upcard.graph.sentences import explain
    from upcard.graph.svg import dot, svg
    from upcard.storage.atomic_write import write_text

    if explained and (output_format != "json" or to is not None):
        layout.heading(caption.title)
        layout.prose(caption.below)
        for sentence in explain(movement, game.narrator):
            layout.prose(f"- {sentence}")
    if explained and to is None and output_format != "json":
        return
    if output_format == "json":
        data = {"game": game.identity["game"], "overrides": game.identity["overrides"], **movement.to_json()}
        if explained:
            data["explanation"] = explain(movement, game.narrator)
        text = json.dumps(data, indent=1) + "\n"
    elif output_format == "dot":
        text = dot(movement, game.narrator, caption)
    else:
        text = svg(movement, game.narrator, caption, every_place)
    if to is None:
        write_document(text)
    else:
        with errors_in_file(to):
            write_text(to, text)
