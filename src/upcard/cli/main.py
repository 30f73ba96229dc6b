"""Entry point of `upcard`. A command's imports happen when it runs, so that every command starts quickly."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup

from upcard.cli.commands import (
    arena,
    bench,
    check,
    compare,
    compile,
    course,
    explain,
    fmt,
    games,
    graph,
    hint,
    judge,
    match,
    new,
    page,
    play,
    replay,
    rules,
    show,
    simulate,
    site,
    study,
    test,
    verify,
    watch,
)
from upcard.cli.console import INTERRUPTED, NO, Stop, code_of
from upcard.output import guarded_output, say
from upcard.terminal_text import visible

_UsageError: Any = typer.BadParameter.__base__
"""Typer has no name of its own for it, and the package that defines it depends on Typer's version."""


class _Commands(TyperGroup):
    """Shows arguments in error messages on one line, whatever characters they hold."""

    def make_context(self, *given: Any, **options: Any) -> Any:
        with _on_one_line():
            return super().make_context(*given, **options)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _on_one_line():
                return super().invoke(ctx)
        except KeyboardInterrupt:  # of a command that has nothing more to say about it
            raise Stop(INTERRUPTED, "interrupted") from None


@contextlib.contextmanager
def _on_one_line() -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        error.message = visible(error.message)
        raise


app = typer.Typer(
    name="upcard",
    cls=_Commands,
    help="Card games written in RECYCLE: check them, watch them, simulate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    # otherwise `typer.echo` deletes escape sequences in a pipe, where `guarded_output` shows them
    context_settings={"color": True},
)
app.command("games")(games.games)
app.command("rules")(rules.rules)
app.command("show")(show.show)
app.command("new")(new.new)
app.command("check")(check.check)
app.command("fmt")(fmt.fmt)
app.command("explain")(explain.explain)
app.command("simulate")(simulate.simulate)
app.command("watch")(watch.watch)
app.command("replay")(replay.replay)
app.command("play")(play.play)
app.command("hint")(hint.hint)
app.command("match")(match.match)
app.command("arena")(arena.arena)
app.command("test")(test.positions)
app.command("verify")(verify.verify)
app.command("compile")(compile.compile_)
app.command("bench")(bench.bench)
app.command("graph")(graph.graph)
app.command("study")(study.study)
app.command("compare")(compare.compare)
app.command("page")(page.page)
app.command("site")(site.site)
app.command("course", context_settings=course.AS_GIVEN)(course.course)
app.command("judge")(judge.judge)


@app.callback(invoke_without_command=True)
def _top(
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    if version:
        from upcard import __version__

        say(f"upcard {__version__}")
        raise typer.Exit(0)


def main() -> None:
    """Runs the command line; whatever a user can do wrong ends in a sentence and an exit code."""
    for name in ("stdin", "stdout", "stderr"):  # one that the shell closed is none at all
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
    from upcard.engine.native.interrupt import handle_interrupts, has_abandoned_work

    with guarded_output(), handle_interrupts():
        try:
            _run()
        finally:
            if has_abandoned_work():
                _leave_at_once()


def _run() -> None:
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # while it can still be told that nothing can be printed
    except Stop as stop:
        if stop.message:
            say(f"upcard: {stop.message}", error=True)
        sys.exit(stop.code)
    except KeyboardInterrupt:
        say("upcard: interrupted", error=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _be_silent()
        sys.exit(NO)
    except OSError as error:
        _be_silent()
        say(f"upcard: nothing can be printed: {(error.strerror or str(error)).lower()}", error=True)
        sys.exit(code_of(error))
    except Exception:  # a defect of ours, shown while output is guarded: a traceback may quote a file
        traceback.print_exc()
        sys.exit(NO)


def _leave_at_once() -> None:
    """LLVM is still at work in another thread, and would crash if its libraries were torn down around it."""
    error = sys.exc_info()[1]
    code = error.code if isinstance(error, SystemExit) else NO
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


def _be_silent() -> None:
    """What is left to print goes nowhere, or Python would complain of it on its way out."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
