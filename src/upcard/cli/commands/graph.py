"""`upcard graph`: shows how cards move, as a drawing, as counts or in sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import text_layout as page
from upcard.cli.console import MISUSE, NO, Stop, in_file, load, sentences, tell_note
from upcard.cli.options import Base, EngineName, Given, Rules, at_least
from upcard.cli.progress import progress
from upcard.output import write_document
from upcard.terminal_text import visible

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.graph.movement import Movement
    from upcard.graph.svg import Caption

FORMATS = ("svg", "dot", "json")
WORTH_WORKERS = 60
"""Fewer games than this are played in this process: starting others would take longer."""


def graph(
    game: str = typer.Argument(
        ..., metavar="GAME_OR_FILE", help="A library game by name, a program, or a transcript (.jsonl)."
    ),
    games: int = typer.Option(
        None, "--games", callback=at_least(1), help="How many games of random players; one if left out."
    ),
    seed: int = typer.Option(None, "--seed", help="The same seed gives the same games; 0 if left out."),
    output: str = typer.Option(None, "--format", help="svg, dot or json; by the file's name if left out."),
    to: Path = typer.Option(None, "-o", "--output", metavar="FILE", help="Write there, not to the screen."),
    in_words: bool = typer.Option(False, "--explain", help="Say in words what becomes known to whom."),
    every_place: bool = typer.Option(
        False, "--every-place", help="Draw places one by one that are used alike, however many."
    ),
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    engine: EngineName = "native",
    workers: int = typer.Option(
        None, "--workers", callback=at_least(1), help="Processes; all cores for many games if left out."
    ),
) -> None:
    """Draw how cards move between places, and who comes to know them. In one random game, or in many."""
    chosen = _format(output, to)
    wanted = games or 1
    with sentences():
        if game.endswith(".jsonl"):
            if games is not None or seed is not None or given or rules or base is not None:
                raise Stop(MISUSE, "a transcript holds one game that was played; leave the options out")
            loaded, movement = _recorded(Path(game))
        else:
            loaded = load(game, given, rules, base, engine)
            movement = _played(loaded, wanted, seed or 0, workers)
        if movement.games:
            caption = _caption(game, loaded, movement, seed or 0)
            _show(loaded, movement, caption, chosen, to, in_words, every_place)
    if movement.games < wanted:
        raise Stop(130, f"interrupted after {movement.games} of {wanted} games; what is shown is of those")
    if movement.failed:
        raise Stop(NO, f"{movement.failed} of {movement.games} games failed; upcard simulate says where")


def _format(output: str | None, to: Path | None) -> str:
    if output is None:
        ending = to.suffix.lower().removeprefix(".") if to is not None else ""
        output = {"gv": "dot"}.get(ending, ending if ending in FORMATS else "svg")
    if output not in FORMATS:
        raise Stop(MISUSE, f"--format is svg, dot or json, not {output}")
    return output


def _played(game: LoadedGame, games: int, seed: int, workers: int | None) -> Movement:
    from upcard.graph.movement import Movement, movements
    from upcard.parallel.cores import cores

    game.deal(seed)  # compiled once here, found in the cache by every worker
    tell_note(game)
    workers = workers or (cores() if games >= WORTH_WORKERS else 1)
    made = Movement(game.seats)
    with progress("playing", games, least=20) as advance:
        try:
            for part in movements(game, games, seed, workers):
                made.merge(part)
                advance(part.games)
        except KeyboardInterrupt:
            pass  # what was played so far is shown
    return made


def _recorded(path: Path) -> tuple[LoadedGame, Movement]:
    from upcard.engine import transcript as transcripts
    from upcard.graph.movement import Movement

    with in_file(path):
        state = transcripts.replay(transcripts.read(path)).state
    made = Movement(state.game.seats)
    assert state.outcome is not None, "a transcript is replayed to its end"
    made.add(state.records, failed=state.outcome.failure is not None)
    return state.game, made


def _caption(asked: str, game: LoadedGame, movement: Movement, seed: int) -> Caption:
    from upcard.graph.svg import Caption

    title = game.narrator.sheet.title if game.narrator.sheet else game.name
    if asked.endswith(".jsonl"):
        below = f"The game recorded in {Path(asked).name}"
    else:
        number = "One game" if movement.games == 1 else f"{movement.games:,} games"
        below = f"{number} of random players, seed {seed}"
    rules = [f"{name} {value}" for name, value in game.program.overrides]
    return Caption(visible(f"{title}: how the cards move"), visible("; ".join([below, *rules])))


def _show(
    game: LoadedGame,
    movement: Movement,
    caption: Caption,
    chosen: str,
    to: Path | None,
    in_words: bool,
    every_place: bool,
) -> None:
    from upcard.graph.sentences import explain
    from upcard.graph.svg import dot, svg
    from upcard.storage.atomic_write import write_text

    if in_words and (chosen != "json" or to is not None):
        page.heading(caption.title)
        page.prose(caption.below)
        for sentence in explain(movement, game.narrator):
            page.prose(f"- {sentence}")
    if in_words and to is None and chosen != "json":
        return
    if chosen == "json":
        data = {"game": game.identity["game"], "overrides": game.identity["overrides"], **movement.to_json()}
        if in_words:
            data["explanation"] = explain(movement, game.narrator)
        text = json.dumps(data, indent=1) + "\n"
    elif chosen == "dot":
        text = dot(movement, game.narrator, caption)
    else:
        text = svg(movement, game.narrator, caption, every_place)
    if to is None:
        write_document(text)
    else:
        with in_file(to):
            write_text(to, text)
