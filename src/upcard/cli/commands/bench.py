"""`upcard bench`: measures the engines' speed on this machine, as ratios from one run."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import typer

from upcard.cli.console import Stop, sentences
from upcard.cli.options import AsJson
from upcard.output import say

if TYPE_CHECKING:
    from upcard.verify.speed import Measured


def bench(
    games: list[str] = typer.Argument(
        None, metavar="[GAME_OR_FILE]...", help="All library games if left out."
    ),
    as_json: AsJson = False,
) -> None:
    """Measure both engines, compiling, and OpenSpiel beside ours where it is installed; in CPU seconds."""
    from upcard.engine.native.backends.select import choose_backend
    from upcard.library import lookup as shelf
    from upcard.verify import speed as measuring

    with sentences():
        choose_backend()
        for name in games or []:
            shelf.find(name)
    found: dict[str, Measured] = {}
    beside: dict[str, float] | None = None
    interrupted = False
    names = games or shelf.names()
    try:
        for number, name in enumerate(names, 1):
            _tell(f"{number} of {len(names)}: {name}")
            with sentences():
                found[name] = measuring.measure(name)
        _tell("OpenSpiel")
        beside = measuring.open_spiel()
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        rows = {name: measured.to_json() for name, measured in found.items()}
        say(json.dumps({"games": rows, "open_spiel": beside}))
    else:
        _as_text(found, beside, interrupted)
    if interrupted:
        raise Stop(130, f"interrupted; what is shown was measured ({len(found)} of {len(names)} games)")


def _tell(what: str) -> None:
    """Progress, for whoever waits at a terminal."""
    if sys.stderr.isatty():
        say(f"measuring {what}", error=True)


def _as_text(found: dict[str, Measured], beside: dict[str, float] | None, interrupted: bool) -> None:
    width = max((len(name) for name in found), default=4)
    say(f"{'':<{width}}     native  reference  times  compile  cached  state")
    say(f"{'':<{width}}    games/s    games/s             s       s  bytes")
    for name, m in found.items():
        native = f"{m.native_per_second:>11,.0f}" if m.native_per_second else f"{'-':>11}"
        ratio = f"{m.ratio:>7,.0f}" if m.ratio else f"{'-':>7}"
        compiling = f"{m.compile_seconds:>9.2f}" if m.compile_seconds is not None else f"{'-':>9}"
        cached = f"{m.cached_start_seconds:>8.3f}" if m.cached_start_seconds is not None else f"{'-':>8}"
        state = f"{m.state_bytes:>7,}" if m.state_bytes else f"{'-':>7}"
        say(f"{name:<{width}}{native}{m.reference_per_second:>11,.0f}{ratio}{compiling}{cached}{state}")
    if beside is not None:
        say(
            f"OpenSpiel's Euchre: {beside['euchre_bots_per_second']:,.0f} hands/s by its random bots, ours "
            f"{beside['ratio_bots']:.1f} times that; {beside['euchre_rollouts_per_second']:,.0f} rollouts/s, "
            f"ours {beside['ratio_rollouts']:.1f} times that"
        )
    elif not interrupted:
        say("OpenSpiel is not installed (pip install 'upcard[bench]'), so nothing is compared with it")
