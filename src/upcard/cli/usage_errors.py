"""Words errors of the command line: an unknown command or option, a missing or a wrong value."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from upcard.cli.console import MISUSE, Stop
from upcard.cli.examples import examples_of

_UsageError: Any = typer.BadParameter.__base__
"""Typer does not export it, and the package that defines it depends on Typer's version."""

_WRONG_NUMBER = re.compile(r"(?s)(.*) is not a valid (integer|float)(?: range)?\.")
_SUPERFLUOUS = re.compile(r"(?s)Got unexpected extra argument(?:s|\(s\))? \((.*)\)")


@contextlib.contextmanager
def one_sentence(ctx: Any) -> Iterator[None]:
    """End the command with one sentence for an error of its command line."""
    try:
        yield
    except _UsageError as error:
        raise Stop(MISUSE, _sentence(error, ctx)) from None


def unknown_command(name: str, commands: Sequence[str]) -> Stop:
    from upcard.library.lookup import names

    if name in names():
        hint = f"to play the game: upcard play {name}"
    elif meant := _meant(name.lower(), commands):
        hint = f"did you mean {meant}?"
    else:
        hint = "upcard -h lists the commands"
    return Stop(MISUSE, f"there is no command {name}; {hint}")


def _meant(name: str, words: Sequence[str]) -> str | None:
    """The word itself, the only word that begins so, or else a similar one."""
    from upcard.recycle.diagnostics import suggest

    if name in words:
        return name
    longer = [word for word in words if len(name.lstrip("-")) > 1 and word.startswith(name)]
    return longer[0] if len(longer) == 1 else suggest(name, words)


def _sentence(error: Any, ctx: Any) -> str:
    see = f"see {ctx.command_path} -h"
    name = _name(error)
    match type(error).__name__:
        case "NoSuchOption":
            return _unknown_option(error.option_name, ctx)
        case "MissingParameter":
            examples = examples_of(ctx.command.help)
            return f"{name} is missing; " + (f"try {examples[0]}, or {see}" if examples else see)
        case "BadOptionUsage":
            flag = "does not take a value" in error.message
            return f"{error.option_name} {'takes no' if flag else 'needs a'} value; {see}"
    if wrong := _WRONG_NUMBER.fullmatch(error.message):
        kind = "a whole number" if wrong[2] == "integer" else "a number"
        return f"{name} is {kind}, not {wrong[1].strip(chr(39))}; {see}"
    if extra := _SUPERFLUOUS.fullmatch(error.message):
        return f"there are too many arguments: {extra[1]}; {see}"
    return f"{name}: {error.message.removesuffix('.')}; {see}".removeprefix(": ")


def _unknown_option(name: str, ctx: Any) -> str:
    options = [option for param in ctx.command.params for option in param.opts if option[:1] == "-"]
    meant = _meant(name, options)
    hint = f"did you mean {meant}? See" if meant else "see"
    return f"there is no option {name}; {hint} {ctx.command_path} -h"


def _name(error: Any) -> str:
    """The option or argument that an error is about."""
    param = getattr(error, "param", None)
    if param is None:
        return ""
    return str(param.opts[-1] if param.param_type_name == "option" else param.metavar)
