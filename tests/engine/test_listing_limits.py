"""The limits on what the alternatives of a decision hold: the same in every engine and mode."""

from __future__ import annotations

import pytest
from tests.engine.hostile_driver import by_machine_code, by_reference, by_stepping

from upcard.engine.reference import ReferenceGame
from upcard.recycle import failures, limits
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

ENFORCED = ("upcard.engine.reference.choices", "upcard.engine.native.lower.choices")
"""The modules that enforce them."""

MANY = "(any (range 1..3000) 'A (any (range 1..10) 'B ((and (== 'A 7) (< 'B 5)) (turn pass))))"
"""Four alternatives of two picks, in an item that counts its work."""
CARDS = "(any (game vloc D) 'C (move 'C (top (game vloc E))))"
"""Eight alternatives of one pick, which the native engine counts from a set where whole games are played."""
WORDS = "(any (RED, GREEN) 'X (any (BLUE, GRAY, PINK) 'Y (do ((set (game str G) 'X) (set (game str H) 'Y)))))"
"""Six alternatives of two picks, counted too."""
NONE = "(set (game sto R) 1)"
"""One alternative without a pick."""
GROUPS = "(any (partition N (game vloc D)) 'G (any (subsets 'G) 'S (turn pass)))"
"""Four groups, three subsets of each: 40 cards in all."""


def game(*items: str) -> ReferenceGame:
    text = (
        "(game (setup (create players 2)\n"
        " (create deck (game vloc D) (deck (N (A, B, C, E)) (S (X, Y)))))\n"
        "(choice (\n" + "\n".join(items) + "))\n(scoring max (game sto R)))"
    )
    return ReferenceGame("listed", *check(Source("listed.rcy", text), lint=False).sound())


PICKS = {
    "tried alone": ((MANY,), 8),
    "counted before": ((CARDS, MANY), 16),
    "counted behind": ((MANY, CARDS), 16),
    "words": ((WORDS, MANY), 20),
    "several": ((NONE, CARDS, MANY, WORDS), 28),
}


@pytest.mark.parametrize("name", PICKS)
def test_picks_of_a_decision(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    items, picks = PICKS[name]
    played = game(*items)
    for most in (picks - 13, picks - 9, picks - 5, picks - 1, picks):
        for module in ENFORCED:
            monkeypatch.setattr(f"{module}.MAX_PICKS_LISTED", most)
        expected = by_reference(played)
        assert (expected[3] is None) == (most == picks)
        if expected[3] is not None:
            assert expected[3][2] == failures.TOO_MANY_LISTED
        assert by_stepping(played) == expected, most
        assert by_machine_code(played) == expected, most


def test_cards_of_picked_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    played = game(GROUPS, CARDS)
    found = []
    for most in (0, 17, 39, 40):
        for module in ENFORCED:
            monkeypatch.setattr(f"{module}.MAX_CARDS_PICKED", most)
        expected = by_reference(played)
        found.append(expected[3] and expected[3][2])
        assert by_stepping(played) == expected, most
        assert by_machine_code(played) == expected, most
    assert found == [failures.TOO_MANY_PICKED] * 3 + [None]


def test_alternatives_of_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    for items, count in (((CARDS, MANY), 12), ((MANY, CARDS), 12), ((CARDS, WORDS), 14)):
        played = game(*items)
        for most in (3, 4, 7, 8, 9, 11, count - 1, count):
            for module in ENFORCED:
                monkeypatch.setattr(f"{module}.MAX_COUNT", most)
            monkeypatch.setattr("upcard.engine.native.lower.items.MAX_COUNT", limits.MAX_COUNT)
            expected = by_reference(played)
            assert (expected[3] is None) == (most == count)
            assert by_stepping(played) == expected, (items, most)
            assert by_machine_code(played) == expected, (items, most)
