"""`upcard bench`: measures the engines' speed on this machine, as ratios from one run."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import INTERRUPTED, Stop, report_errors
from upcard.output import say

if TYPE_CHECKING:
    from upcard.verify.speed import Measured


def bench(
    games: list[str] = typer.Argument(
        None,
        metavar="[GAME...]",
        help=options.GAMES_HELP,
        show_default="the whole library",
        autocompletion=complete.games,
    ),
    as_json: options.AsJson = False,
) -> None:
    """Measure the speed of both engines and of compilation.

    Speeds are in games per CPU second. OpenSpiel's Euchre is measured too if it is installed.

    Examples:
        upcard bench kuhn-poker
    """
    from upcard.engine.native.backends.select import choose_backend
    from upcard.library import lookup
    from upcard.verify import speed

    with report_errors():
        choose_backend()
        for name in games or []:
            lookup.find(name)
    measured: dict[str, Measured] = {}
    spiel: dict[str, float] | None = None
    interrupted = False
    names = games or lookup.names()
    try:
        for number, name in enumerate(names, 1):
            _print_progress(f"{number} of {len(names)}: {name}")
            with report_errors():
                measured[name] = speed.measure(name)
        _print_progress("OpenSpiel")
        spiel = speed.open_spiel()
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        rows = {name: speeds.to_json() for name, speeds in measured.items()}
        say(json.dumps({"games": rows, "open_spiel": spiel}))
    else:
        _print_table(measured, spiel, interrupted)
    if interrupted:
        raise Stop(INTERRUPTED, f"interrupted after {len(measured)} of {len(names)} games")


def _print_progress(what: str) -> None:
    """Say what is being measured, if a person is watching."""
    if sys.stderr.isatty():
        say(f"measuring {what}", error=True)


def _print_table(measured: dict[str, Measured], spiel: dict[str, float] | None, interrupted: bool) -> None:
    width = max((len(name) for name in measured), default=4)
    say(f"{'':<{width}}     native  reference  times  compile  cached  state")
    say(f"{'':<{width}}    games/s    games/s             s       s  bytes")
    for name, m in measured.items():
        native = f"{m.native_per_second:>11,.0f}" if m.native_per_second else f"{'-':>11}"
        ratio = f"{m.ratio:>7,.0f}" if m.ratio else f"{'-':>7}"
        compiling = f"{m.compile_seconds:>9.2f}" if m.compile_seconds is not None else f"{'-':>9}"
        cached = f"{m.cached_start_seconds:>8.3f}" if m.cached_start_seconds is not None else f"{'-':>8}"
        state = f"{m.state_bytes:>7,}" if m.state_bytes else f"{'-':>7}"
        say(f"{name:<{width}}{native}{m.reference_per_second:>11,.0f}{ratio}{compiling}{cached}{state}")
    if spiel is not None:
        say(
            f"OpenSpiel's Euchre: {spiel['euchre_bots_per_second']:,.0f} hands/s by its random bots, ours "
            f"{spiel['ratio_bots']:.1f} times that; {spiel['euchre_rollouts_per_second']:,.0f} rollouts/s, "
            f"ours {spiel['ratio_rollouts']:.1f} times that"
        )
    elif not interrupted:
        say("OpenSpiel is not installed (pip install 'upcard[bench]'), so its speed was not measured")
