"""Point maps as tables of scores computed when a game is loaded.

What the awards of a map depend on besides the card are a few strings, the trump suit or the suit led. A
string matters only if some card has it, so there are few cases: a table has a row of scores for each, and
setting the map is finding the row. Where there are too many cases, `point_maps` keeps the cards of each award
as a set.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product

from upcard.engine.native.lower.analysis import alike
from upcard.recycle import program as p

MAX_SCORES = 1 << 12
"""Of all rows of a table together."""
MAX_SCORE = (1 << 16) - 1
"""Scores lie in two bytes, as numbers from 0 up."""
SHARED = 64
"""In a rank: another card has the same score. Below it is the card, so only cards of one word have ranks."""


@dataclass(frozen=True)
class ScoreTable:
    texts: tuple[dict[str, int], ...]
    """Per value that the awards name: its strings that matter, and where in the table each leads. The places
    of all of them are added up; any other string stays at 0."""
    which: tuple[int, ...]
    """Of each value that the form captures: which of those it is."""
    scores: tuple[int, ...]
    """Row after row, by card."""

    def ranks(self, cards: int, greatest: bool) -> list[int]:
        """A number for each score, of which the greatest in a row tells the best card, and whether it may
        have to share: from the top, which score it is, `SHARED`, and the card."""
        ranks: list[int] = []
        for at in range(0, len(self.scores), cards):
            row = self.scores[at : at + cards]
            order = sorted(set(row), reverse=not greatest)
            place, times = {score: i for i, score in enumerate(order)}, Counter(row)
            for card, score in enumerate(row):
                ranks.append(2 * SHARED * place[score] + SHARED * (times[score] > 1) + card)
        return ranks


def score_table(node: p.SetPoints, faces: list[dict[str, str]]) -> ScoreTable | None:
    """Only for a form whose keys and amounts are all written out."""
    operands: list[p.Expr] = []
    wanted: list[dict[str, None]] = []
    which: list[int] = []
    awards: list[tuple[int, list[tuple[str, str | int]]]] = []
    """An amount, and pairs: a key, and a string or the number of an operand."""
    for award in node.awards:
        if not isinstance(award.amount, p.Int):
            return None
        pairs: list[tuple[str, str | int]] = []
        for key, value in award.pairs:
            if not isinstance(key, p.Str):
                return None
            if isinstance(value, p.Str):
                pairs.append((key.text, value.text))
                continue
            same = [i for i, known in enumerate(operands) if _same_value(value, known)]
            if not same:
                operands.append(value)
                wanted.append({})
            number = same[0] if same else len(operands) - 1
            # a card without the attribute has the empty string there
            wanted[number].update((face.get(key.text, ""), None) for face in faces)
            which.append(number)
            pairs.append((key.text, number))
        awards.append((award.amount.value, pairs))
    size = len(faces)
    for texts in wanted:
        size *= 1 + len(texts)
    if not operands or size > MAX_SCORES:
        return None
    # the last operand's strings are rows side by side; no attribute is None
    cases = list(product(*([None, *texts] for texts in wanted)))
    columns = [_column(awards, face, cases) for face in faces]
    scores = tuple(column[i] for i in range(len(cases)) for column in columns)
    if min(scores) < 0 or max(scores) > MAX_SCORE:
        return None
    places, step = [], len(faces)
    for texts in reversed(wanted):
        places.append({text: step * (i + 1) for i, text in enumerate(texts)})
        step *= 1 + len(texts)
    return ScoreTable(tuple(reversed(places)), tuple(which), scores)


def _same_value(one: p.Expr, other: p.Expr) -> bool:
    """Storages of the table under a written name: all values are taken at the same moment."""
    plain = all(
        isinstance(value, p.StrStore) and isinstance(value.owner, p.Table) and isinstance(value.name, p.Str)
        for value in (one, other)
    )
    return plain and alike(one, other, {})


def _column(
    awards: list[tuple[int, list[tuple[str, str | int]]]],
    face: dict[str, str],
    cases: list[tuple[str | None, ...]],
) -> list[int]:
    """The scores of one card, case by case."""
    fixed, loose = 0, []
    for amount, pairs in awards:
        if any(isinstance(value, str) and face.get(key, "") != value for key, value in pairs):
            continue
        wants = [(value, face.get(key, "")) for key, value in pairs if isinstance(value, int)]
        if wants:
            loose.append((amount, wants))
        else:
            fixed += amount
    return [
        fixed + sum(amount for amount, wants in loose if all(case[number] == text for number, text in wants))
        for case in cases
    ]
