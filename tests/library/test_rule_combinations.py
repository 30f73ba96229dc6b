"""House rules put together."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from upcard.library import find, names, read_sheet
from upcard.library.rule_combinations import all_combinations, pairs_of, pairwise_combinations
from upcard.library.sheet import HouseRule


def rule(name: str, choices: str, default: str) -> HouseRule:
    return HouseRule(name, name.upper(), name, {word: word.upper() for word in choices.split()}, default)


RULES = [rule("a", "x y", "y"), rule("b", "p q r", "p"), rule("c", "on off", "on")]


def test_every_combination_the_usual_one_first() -> None:
    found = all_combinations(RULES)
    assert found[0] == {"a": "y", "b": "p", "c": "on"}
    assert sorted(map(sorted, (one.items() for one in found))) == sorted(
        sorted({"a": a, "b": b, "c": c}.items()) for a, b, c in product("xy", "pqr", ("on", "off"))
    )


def test_what_is_given_is_not_varied() -> None:
    assert {one["b"] for one in all_combinations(RULES, {"b": "r"})} == {"r"}
    assert len(all_combinations(RULES, {"b": "r"})) == 4
    assert {one["b"] for one in pairwise_combinations(RULES, fixed={"b": "r"})} == {"r"}


def house(name: str) -> tuple[HouseRule, ...]:
    sheet = find(name).sheet
    return read_sheet(sheet).house_rules if sheet else ()


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", [0, 1])
def test_every_pair_of_choices_and_each_alone(name: str, seed: int) -> None:
    rules = house(name)
    found = pairwise_combinations(rules, seed)
    usual = {one.name: one.default for one in rules}
    assert found[0] == usual
    for one in rules:
        assert all({**usual, one.name: choice} in found for choice in one.choices)
    met = set().union(*map(pairs_of, found))
    for one, other in combinations(rules, 2):
        for a, b in product(one.choices, other.choices):
            assert frozenset({(one.name, a), (other.name, b)}) in met
    assert len(found) <= len(all_combinations(rules))
    assert found == pairwise_combinations(rules, seed)
