"""`upcard`: one command a file. What a command needs is imported when it runs, so that all start at once."""

from __future__ import annotations

import sys

import typer

from upcard.cli import (
    arena,
    benching,
    browsing,
    checking,
    comparing,
    compiling,
    course,
    graphing,
    hinting,
    judging,
    matching,
    paging,
    playing,
    simulating,
    starting,
    studying,
    table,
    testing,
    verifying,
)
from upcard.cli.speaking import Stop

app = typer.Typer(
    name="upcard",
    help="Card games written in RECYCLE: check them, watch them, simulate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("games")(browsing.games)
app.command("rules")(browsing.rules)
app.command("show")(browsing.show)
app.command("new")(starting.new)
app.command("check")(checking.check)
app.command("fmt")(checking.fmt)
app.command("explain")(checking.explain)
app.command("simulate")(simulating.simulate)
app.command("watch")(playing.watch)
app.command("replay")(playing.replay)
app.command("play")(table.play)
app.command("hint")(hinting.hint)
app.command("match")(matching.match)
app.command("arena")(arena.arena)
app.command("test")(testing.positions)
app.command("verify")(verifying.verify)
app.command("compile")(compiling.compile_)
app.command("bench")(benching.bench)
app.command("graph")(graphing.graph)
app.command("study")(studying.study)
app.command("compare")(comparing.compare)
app.command("page")(paging.page)
app.command("site")(paging.site)
app.command("course", context_settings=course.AS_GIVEN)(course.course)
app.command("judge")(judging.judge)


@app.callback(invoke_without_command=True)
def _top(
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    if version:
        from upcard import __version__

        typer.echo(f"upcard {__version__}")
        raise typer.Exit(0)


def main() -> None:
    """Runs the command line; whatever a user can do wrong ends in a sentence and an exit code."""
    try:
        app()
    except Stop as stop:
        if stop.message:
            print(f"upcard: {stop.message}", file=sys.stderr)
        sys.exit(stop.code)


if __name__ == "__main__":
    main()
