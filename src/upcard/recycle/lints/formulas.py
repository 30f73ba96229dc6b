"""Propositional formulas, and a prover for tautologies.

A test compares a term, which is just a number here, with a constant. What a term can be follows from the
constants it is compared with: around 3 a whole number is at most 2, is 3, or is at least 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
FLIPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", ">=": "<=", "<=": ">="}
"""The operator when the two sides change places."""


@dataclass(frozen=True, slots=True)
class Test:
    term: int
    operator: str
    constant: int | str


@dataclass(frozen=True, slots=True)
class Every:
    parts: tuple[Formula, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Some:
    parts: tuple[Formula, ...]
    size: int


Formula: TypeAlias = bool | Test | Every | Some


def size(formula: Formula) -> int:
    """How many nodes a walk over the formula meets."""
    return formula.size if isinstance(formula, Every | Some) else 1


def every(*parts: Formula) -> Formula:
    return _joined(parts, True)


def some(*parts: Formula) -> Formula:
    return _joined(parts, False)


def _joined(parts: tuple[Formula, ...], is_every: bool) -> Formula:
    """One formula of many: what decides alone is all of it, what changes nothing is left out."""
    kind = Every if is_every else Some
    kept: dict[Formula, None] = {}
    for part in parts:
        if part is (not is_every):
            return part
        if isinstance(part, kind):
            kept.update(dict.fromkeys(part.parts))
        elif part is not is_every:
            kept[part] = None
    if not kept:
        return is_every
    if len(kept) == 1:
        return next(iter(kept))
    return kind(tuple(kept), 1 + sum(map(size, kept)))


def opposite(formula: Formula) -> Formula:
    if isinstance(formula, bool):
        return not formula
    if isinstance(formula, Test):
        return Test(formula.term, _OPPOSITE[formula.operator], formula.constant)
    parts = map(opposite, formula.parts)
    return some(*parts) if isinstance(formula, Every) else every(*parts)


def tests(formula: Formula) -> Iterator[Test]:
    stack = [formula]
    while stack:
        here = stack.pop()
        if isinstance(here, Test):
            yield here
        elif not isinstance(here, bool):
            stack.extend(here.parts)


# --- does it always hold? ------------------------------------------------------------------------


@dataclass(frozen=True)
class Domain:
    """What is known of a term: all its values, or at least a lower bound."""

    values: frozenset[int] | frozenset[str] | None = None
    least: int | None = None


MAX_CASES = 4096


class Prover:
    """Tries all cases. All trials come from one purse, so that no file can make this slow."""

    def __init__(self, domains: dict[int, Domain], steps: int = 1_500_000) -> None:
        self._domains = domains
        self.left = steps

    def always(self, formula: Formula) -> bool | None:
        """Whether the formula holds in every case; None when that is too much to find out."""
        if isinstance(formula, bool):
            return formula
        compared: dict[int, set[Test]] = {}
        for test in tests(formula):
            compared.setdefault(test.term, set()).add(test)
        cases = {term: _cases(found, self._domains[term]) for term, found in compared.items()}
        count = prod(map(len, cases.values()))
        if count > MAX_CASES or count * size(formula) > self.left:
            return None
        self.left -= count * size(formula)
        terms = list(cases)
        return all(
            _holds(formula, dict(zip(terms, values, strict=True))) for values in product(*cases.values())
        )


def _cases(found: set[Test], domain: Domain) -> list[int | str]:
    """One value of each sort that the tests can tell apart."""
    constants = {test.constant for test in found}
    if domain.values is not None:
        kinds = {tuple(_compare(test, value) for test in found): value for value in domain.values}
        return list(kinds.values())
    only_equal = all(test.operator in ("==", "!=") for test in found)
    if only_equal and sum(test.operator == "==" for test in found) > 1:
        # (== X 5) beside (== X 6): the writer has counted up what X can be
        return list(constants)
    if any(isinstance(constant, str) for constant in constants):
        return [*constants, ""]
    around = {c + step for c in constants if isinstance(c, int) for step in (-1, 0, 1)}
    if domain.least is None:
        return list(around)
    return [value for value in around if value >= domain.least] or [domain.least]


def _compare(test: Test, value: int | str) -> bool:
    constant = test.constant
    if test.operator == "==":
        return value == constant
    if test.operator == "!=":
        return value != constant
    assert isinstance(value, int)
    assert isinstance(constant, int)
    if test.operator == "<":
        return value < constant
    if test.operator == "<=":
        return value <= constant
    return value > constant if test.operator == ">" else value >= constant


def _holds(formula: Formula, values: dict[int, int | str]) -> bool:
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Test):
        return _compare(formula, values[formula.term])
    if isinstance(formula, Every):
        return all(_holds(part, values) for part in formula.parts)
    return any(_holds(part, values) for part in formula.parts)
