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
"""Combinations that are drawn before the best of them is taken."""


def all_combinations(rules: Sequence[HouseRule], fixed: Mapping[str, str] | None = None) -> list[Combination]:
    """All of them, the usual one first. `fixed` are choices that are not varied."""
    names = [rule.name for rule in rules]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*_choices(rules, fixed or {}))]


def pairwise_combinations(
    rules: Sequence[HouseRule], seed: int = 0, fixed: Mapping[str, str] | None = None
) -> list[Combination]:
    """The usual one, each other choice alone, and as few more as it takes to have every pair of choices.

    As few as trying finds: the same seed gives the same ones.
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
        # each begins with a pair that is missing, so that every step gets somewhere
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
    """Of each rule, the usual choice first."""
    return [
        [fixed[rule.name]] if rule.name in fixed else sorted(rule.choices, key=lambda c: c != rule.default)
        for rule in rules
    ]
