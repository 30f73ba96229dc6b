"""Entry point of `upcard`. Commands import what they need when they run, so each of them starts quickly."""

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
from upcard.cli.console import FAILURE, INTERRUPTED, Stop, exit_code
from upcard.output import guarded_output, say
from upcard.terminal_text import visible

_UsageError: Any = typer.BadParameter.__base__
"""Typer does not export it, and the package that defines it depends on Typer's version."""


class _Commands(TyperGroup):
    """Escapes control characters of arguments that error messages quote."""

    def make_context(self, *given: Any, **options: Any) -> Any:
        with _escaped_usage_errors():
            return super().make_context(*given, **options)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _escaped_usage_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:  # in a command that does not handle it
            raise Stop(INTERRUPTED, "interrupted") from None


@contextlib.contextmanager
def _escaped_usage_errors() -> Iterator[None]:
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
app.command("course", context_settings=course.RAW_ARGUMENTS)(course.course)
app.command("judge")(judge.judge)


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    if version:
        from upcard import __version__

        say(f"upcard {__version__}")
        raise typer.Exit(0)


def main() -> None:
    """Run the command line. Every mistake of a user ends in one sentence and an exit code."""
    for name in ("stdin", "stdout", "stderr"):  # a stream that the shell closed is None
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
    from upcard.engine.native.interrupt import handle_interrupts, has_abandoned_work

    with guarded_output(), handle_interrupts():
        try:
            _run()
        finally:
            # Python notes a Ctrl-C that came inside `exec` of a text (so are dataclasses defined) and would
            # end by the signal, not with our exit code, though it was handled; an `exec` clears the note
            exec("")
            if has_abandoned_work():
                _exit_at_once()


def _run() -> None:
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here, so that a failure to print can be reported
    except Stop as stop:
        if stop.message:
            say(f"upcard: {stop.message}", error=True)
        sys.exit(stop.code)
    except KeyboardInterrupt:
        say("upcard: interrupted", error=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _discard_output()
        sys.exit(FAILURE)
    except OSError as error:
        _discard_output()
        say(f"upcard: nothing can be printed: {(error.strerror or str(error)).lower()}", error=True)
        sys.exit(exit_code(error))
    except Exception:  # a bug; printed while output is guarded, because a traceback may quote a file
        traceback.print_exc()
        sys.exit(FAILURE)


def _exit_at_once() -> None:
    """Exit without cleanup: LLVM still compiles in another thread and would crash while Python shuts down."""
    error = sys.exc_info()[1]
    code = error.code if isinstance(error, SystemExit) else FAILURE
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


def _discard_output() -> None:
    """Discard pending output, or Python would report the same error again on exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
