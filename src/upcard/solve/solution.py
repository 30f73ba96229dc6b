"""Strategies as files: what `upcard solve` writes, and goes on from."""

from __future__ import annotations

from upcard.engine.api import Record
from upcard.players.strategy_file import (
    ActionPart,
    BadStrategy,
    GamePart,
    ProgressPart,
    SeatProgress,
    SetPart,
    StrategyFile,
)
from upcard.solve.equilibrium import KEPT, Equilibrium, Measured
from upcard.solve.game_tree import InformationSet


def strategy_file(identity: Record, solver: Equilibrium, measured: Measured) -> StrategyFile:
    """The average strategy of a solver, and what it needs to go on."""
    progress = solver.progress()
    return StrategyFile(
        do="strategy",
        game=GamePart(identity["game"], identity["digest"], dict(identity["overrides"]), identity["base"]),
        algorithm=solver.algorithm,
        seed=solver.seed,
        iterations=solver.iterations,
        value=measured.value,
        exploitability=measured.exploitability,
        sets=tuple(
            _set_part(one, shares)
            for one, shares in zip(solver.tree.information_sets, solver.strategy(), strict=True)
        ),
        progress=ProgressPart(
            tuple(progress["stream"]),
            tuple(SeatProgress(*(tuple(seat[name]) for name in KEPT)) for seat in progress["seats"]),
        ),
    )


def _set_part(one: InformationSet, shares: list[float]) -> SetPart:
    return SetPart(
        one.key,
        one.seat,
        one.holding,
        one.table,
        one.history,
        tuple(
            ActionPart(action.text, action.keys, share)
            for action, share in zip(one.actions, shares, strict=True)
        ),
    )


def resume(solver: Equilibrium, strategy: StrategyFile) -> None:
    """Goes on from a strategy of the same tree and algorithm. Raises `BadStrategy`."""
    if strategy.algorithm != solver.algorithm:
        raise BadStrategy(
            f"the strategy was computed with {strategy.algorithm}; continue it with --algorithm "
            f"{strategy.algorithm}"
        )
    mine = [one.key for one in solver.tree.information_sets]
    sizes = [[len(getattr(seat, name)) for name in KEPT] for seat in strategy.progress.seats]
    wanted = [[form.sequences] * len(KEPT) for form in solver.form.seats]
    if mine != [one.key for one in strategy.sets] or sizes != wanted:
        raise BadStrategy(
            "the strategy has other information sets than the game has now; solve the game anew, without "
            "--from"
        )
    solver.resume(
        {
            "iterations": strategy.iterations,
            "stream": strategy.progress.stream,
            "seats": [{name: getattr(seat, name) for name in KEPT} for seat in strategy.progress.seats],
        }
    )
