"""Strategies as columns: a row for each action of each information set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from upcard.solve.solve_run import SolveRun
from upcard.storage.arrow_table import About, table_of

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = {
    "information_set": "int32",
    "seat": "int8",
    "key": "string",
    "holding": "string",
    "table": "string",
    "history": "list<string>",
    "reach": "double",
    "action": "string",
    "moves": "list<string>",
    "probability": "double",
}


def strategy_table(run: SolveRun) -> pa.Table:
    """The average strategy of a run that was measured."""
    return table_of(COLUMNS, _rows(run), _about(run))


def _rows(run: SolveRun) -> Iterator[list[Any]]:
    sets, solver = run.listing.tree.information_sets, run.solver
    for number, (one, reach, shares) in enumerate(zip(sets, solver.reach(), solver.strategy(), strict=True)):
        for action, share in zip(one.actions, shares, strict=True):
            yield [
                *(number, one.seat, one.key, one.holding, one.table, one.history, reach),
                *(action.text, action.keys, share),
            ]


def _about(run: SolveRun) -> About:
    measured = run.measured
    return {
        "table": "strategy",
        **run.game.identity,
        "algorithm": run.algorithm,
        "seed": run.solver.seed,
        "iterations": run.solver.iterations,
        "value": measured.value,
        "exploitability": measured.exploitability,
    }
