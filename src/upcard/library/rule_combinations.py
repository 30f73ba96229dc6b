"""Combinations of house rules: all of them, or a few that cover every pair of choices."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias

from upcard.library.sheet import HouseRule

Combination: TypeAlias = dict[str, str]
"""The choice of every house rule, by name."""
Pair: TypeAlias = frozenset[tuple[str, str]]

CANDIDATES = 40
"""Random combinations to choose the best of."""


def all_combinations(rules: Sequence[HouseRule], fixed: Mapping[str, str] | None = None) -> list[Combination]:
    """All combinations, the default first. `fixed` are choices that are not varied."""
    names = [rule.name for rule in rules]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*_choices(rules, fixed or {}))]


def pairwise_combinations(
    rules: Sequence[HouseRule], seed: int = 0, fixed: Mapping[str, str] | None = None
) -> list[Combination]:
    """The default, each other choice alone, and a few more that cover every pair of choices.

    The cover is greedy, not minimal; the same seed gives the same combinations.
    """
    names, choices = [rule.name for rule in rules], _choices(rules, fixed or {})
    usual = {name: offered[0] for name, offered in zip(names, choices, strict=True)}
    found = [usual]
    for name, offered in zip(names, choices, strict=True):
        found += [{**usual, name: choice} for choice in offered[1:]]
    wanted = {
        frozenset({(names[a], one), (names[b], other)})
        for a, b in combinations(range(len(names)), 2)
        for one, other in product(choices[a], choices[b])
    }
    for combination in found:
        wanted -= pairs_of(combination)
    chance = random.Random(seed)
    while wanted:
        # each candidate has a missing pair, so that every step makes progress
        missing = sorted(wanted, key=sorted)
        drawn = [
            {
                **{name: chance.choice(offered) for name, offered in zip(names, choices, strict=True)},
                **dict(chance.choice(missing)),
            }
            for _ in range(CANDIDATES)
        ]
        found.append(max(drawn, key=lambda one: len(wanted & pairs_of(one))))
        wanted -= pairs_of(found[-1])
    return found


def pairs_of(combination: Combination) -> set[Pair]:
    return {frozenset(pair) for pair in combinations(combination.items(), 2)}


def _choices(rules: Sequence[HouseRule], fixed: Mapping[str, str]) -> list[list[str]]:
    """The choices of each rule, the default first."""
    return [
        [fixed[rule.name]] if rule.name in fixed else sorted(rule.choices, key=lambda c: c != rule.default)
        for rule in rules
    ]
