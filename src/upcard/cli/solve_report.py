"""The report of `upcard solve`: value, exploitability and the strategy in words, or as JSON."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from upcard.output import say, say_lines

if TYPE_CHECKING:
    from upcard.solve.player_table import PlayerMeasured
    from upcard.solve.solve_run import SolveRun
    from upcard.solve.strategy_text import Situation

MOST = 40
"""Situations that are printed; a file has all."""


def report_json(
    run: SolveRun, player: PlayerMeasured | None, expected: dict[str, float] | None = None
) -> dict[str, object]:
    measured, tree = run.measured, run.listing.tree
    report: dict[str, object] = {
        "game": run.game.name,
        "algorithm": run.algorithm,
        "value": list(measured.value),
        "bounds": None if measured.bounds is None else list(measured.bounds),
        "exploitability": measured.exploitability,
        "gains": list(measured.gains),
        "iterations": run.solver.iterations,
        "seconds": run.seconds,
        "listing_seconds": run.listing_seconds,
        "nodes": tree.nodes,
        "information_sets": len(tree.information_sets),
    }
    if player is not None:
        report["player"] = asdict(player)
    if expected is not None:
        report["expected"] = list(expected.values())
    return report


def print_report(
    run: SolveRun, player: PlayerMeasured | None, expected: dict[str, float] | None, output: Path | None
) -> None:
    tree, measured = run.listing.tree, run.measured
    names = [run.game.narrator.seat(seat) for seat in range(tree.seats)]
    say(f"{run.game.title}: {tree.nodes:,} nodes, {len(tree.information_sets):,} information sets")
    count = f"{run.solver.iterations:,} iteration{'s' if run.solver.iterations != 1 else ''}"
    say(f"  {run.algorithm}, {count} in {run.seconds:.2f} s, after {run.listing_seconds:.1f} s of listing")
    sheet = run.game.narrator.sheet
    deal = sheet.deal_word if sheet is not None else "deal"
    values = ", ".join(f"{name} {value:+.6f}" for name, value in zip(names, measured.value, strict=True))
    say(f"  value           {values} points a {deal}")
    if measured.bounds is not None:
        low, high = measured.bounds
        say(f"  proven          {names[0]} gets from {low:+.6f} to {high:+.6f} if both play optimally")
    gains = ", ".join(f"{name} {gain:.1e}" for name, gain in zip(names, measured.gains, strict=True))
    say(f"  exploitability  {measured.exploitability:.1e}: the most that a seat can gain is {gains}")
    if tree.seats > 2:
        say("  With more than two seats this need not be an equilibrium: the gains say how near it is")
    if player is not None:
        _print_player(player, names)
    if expected is not None:
        say()
        for seated, value in expected.items():
            say(f"  {seated} gets {value:+.4f}")
    _print_strategy(run, names, output)


def _print_player(player: PlayerMeasured, names: list[str]) -> None:
    def per_seat(values: tuple[float, ...]) -> str:
        return ", ".join(f"as {name} {value:+.4f}" for name, value in zip(names, values, strict=True))

    say()
    say(f"  {player.name} gets against the solution: {per_seat(player.against_solution)}")
    say(f"  the best response to it gets: {per_seat(player.best_response)}")
    say(f"  its exploitability is {player.exploitability:.4f}")


def _print_strategy(run: SolveRun, names: list[str], output: Path | None) -> None:
    from upcard.solve.strategy_text import situations

    sets = run.listing.tree.information_sets
    found = situations(sets, run.solver.strategy(), run.solver.reach(), run.game.narrator)
    told = list(islice(found, MOST))
    left = sum(1 for _ in found)
    seat = None
    for situation in told:
        if situation.seat != seat:
            seat = situation.seat
            say()
            say_lines(names[seat])
        _print_situation(situation)
    if left:
        where = f"{output} has them all" if output is not None else "--output FILE writes them all"
        say()
        say(f"{left:,} more situations are left out; {where}")
    elif output is not None:
        say()
        say(f"{output} has the strategy; play it with solved:{output}")


def _print_situation(situation: Situation) -> None:
    say_lines(f"  {situation.heading}:")
    for line in situation.lines:
        say_lines(f"    {line}")
