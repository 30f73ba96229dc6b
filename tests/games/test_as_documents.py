"""Our Euchre and Whist against the documents' programs: the same scores, the same unforced choices.

Forced passes may be left out, so decisions with one alternative are not compared. Machine code plays, since
there are too many hands for Python; `test_native_rows` holds it to the reference engine's games.
"""

from __future__ import annotations

import math
from collections import Counter

import pytest
from tests import documents

import upcard
from upcard.engine.loader import make_game
from upcard.engine.shared.game import LoadedGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.study.convergence import lines

HANDS = 5_000


def document(number: int) -> LoadedGame:
    program, facts = check(Source(f"document {number}", documents.program(number))).sound()
    return make_game(f"document {number}", program, facts)


def figures(game: LoadedGame, seed: int) -> tuple[Counter[tuple[int, ...]], dict[int, list[int]]]:
    """How often each score came up, and per number of alternatives how often a hand offered it."""
    scores: Counter[tuple[int, ...]] = Counter()
    offered: dict[int, list[int]] = {k: [] for k in range(2, 14)}
    for line in lines(game, HANDS, seed):
        assert line.ending == "finished"
        assert line.scores is not None
        scores[line.scores] += 1
        sizes = Counter(line.choices)
        for k, counts in offered.items():
            counts.append(sizes[k])
    return scores, offered


def mean_and_variance(counts: list[int]) -> tuple[float, float]:
    mean = sum(counts) / len(counts)
    return mean, sum((c - mean) ** 2 for c in counts) / (len(counts) - 1)


@pytest.mark.parametrize(("name", "number"), [("euchre", documents.EUCHRE), ("whist", documents.WHIST)])
def test_same_distributions(name: str, number: int) -> None:
    theirs, their_offers = figures(document(number), seed=11)
    ours, our_offers = figures(upcard.load(name, engine="native"), seed=12)
    assert len(theirs.keys() | ours.keys()) > 1
    assert their_offers
    for score in theirs.keys() | ours.keys():
        p = (theirs[score] + ours[score]) / (2 * HANDS)
        error = math.sqrt(p * (1 - p) * 2 / HANDS)
        assert abs(theirs[score] - ours[score]) / HANDS <= 3 * error, (
            f"{score}: {theirs[score]} and {ours[score]}"
        )
    for k in their_offers:
        (a, va), (b, vb) = mean_and_variance(their_offers[k]), mean_and_variance(our_offers[k])
        assert abs(a - b) <= 3 * math.sqrt((va + vb) / HANDS), f"{k} alternatives: {a} and {b} a hand"
