"""Entry point of `upcard`: options without a command, errors and exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from functools import cache
from typing import Any

import typer

from upcard.cli.command_list import AllCommands
from upcard.cli.completion_values import words
from upcard.cli.console import FAILURE, INTERRUPTED, Stop, exit_code
from upcard.output import guarded_output, say

app = typer.Typer(
    name="upcard",
    cls=AllCommands,
    help="Play, measure and study card games written in the language RECYCLE.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    # otherwise `typer.echo` deletes escape sequences in a pipe, where `guarded_output` shows them
    context_settings={"color": True, "help_option_names": ["-h", "--help"]},
)

_SHELLS = words("bash", "zsh", "fish")


@app.callback(invoke_without_command=True)
def _start(
    ctx: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version."),
    install_completion: str = typer.Option(
        None,
        "--install-completion",
        metavar="[SHELL]",
        help="Install completion for bash, zsh or fish.",
        show_default="your shell",
        autocompletion=_SHELLS,
    ),
    show_completion: str = typer.Option(
        None,
        "--show-completion",
        metavar="[SHELL]",
        help="Print the completion script of a shell.",
        show_default="your shell",
        autocompletion=_SHELLS,
    ),
) -> None:
    if version:
        from upcard import __version__

        say(f"upcard {__version__}")
    elif install_completion is not None:
        from upcard.cli.completion import install
        from upcard.cli.console import report_errors

        with report_errors():
            install(install_completion)
    elif show_completion is not None:
        from upcard.cli.completion import show as show_script

        show_script(show_completion)
    elif ctx.invoked_subcommand is None:
        from upcard.cli.welcome import welcome

        welcome()
    else:
        return
    raise typer.Exit(0)


@cache
def command_line() -> Any:
    """What parses a command line; made once."""
    return typer.main.get_command(app)


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
            if "_UPCARD_COMPLETE" in os.environ:
                from upcard.cli.completion import answer

                answer(command_line(), os.environ)
            else:
                command_line()(prog_name="upcard")
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
        say(f"upcard: cannot write the output: {(error.strerror or str(error)).lower()}", error=True)
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
