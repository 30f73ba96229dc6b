"""What becomes known to whom, in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.graph.movements import small_game

import upcard
from upcard.graph.movement import movement
from upcard.graph.sentences import explain, listed
from upcard.library import names


def test_the_small_game_in_words(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    assert explain(movement(game), game.narrator) == [
        "The game begins with 6 cards in the Stock, where nobody sees them.",
        "A card of the Stock becomes known to its new owner when it goes to a player's Hand (4 cards).",
        "A card of the Stock becomes known to everybody when it goes to the Pile (1 card).",
        "A card of one player's Hand becomes known to its new owner when it goes to another's Hand "
        "(6 cards); its old owner knows it too.",
        "A card of a player's Hand becomes known to the other player when it goes to the same player's Trick "
        "(2 cards).",
        "When a card goes from the Pile to p0's Hand (1 card), p1 loses sight of it but knows which it is; "
        "p0 still sees it.",
        "When a card goes from p1's Hand to p1's Away (1 card), p1 loses sight of it but knows which it is.",
        "Everybody can look up where a card of the Pile lies when it is noted in the Noted (1 card).",
        "By the end, of 6 cards, every player has seen 5.",
    ]


def test_euchre_says_what_the_table_knows() -> None:
    game = upcard.load("euchre")
    told = explain(movement(game, 1, 0), game.narrator)
    assert (
        "A card of a player's Hand becomes known to the others when it goes to the same player's Trick "
        "(20 cards)." in told
    )
    assert (
        "When a card goes from the Upcard to East's Hand (1 card), South, West and North lose sight of it "
        "but know which it is; East still sees it." in told
    )


def test_many_games_are_described_by_means(tmp_path: Path) -> None:
    game = small_game(tmp_path)
    told = explain(movement(game, 4), game.narrator)
    assert told[0] == "The game begins with 6 cards in the Stock, where nobody sees them."
    assert told[1].endswith("when it goes to a player's Hand (4 cards per game).")
    assert told[2].endswith("(1 card per game).")


@pytest.mark.parametrize("name", names())
def test_every_library_game_is_described(name: str) -> None:
    game = upcard.load(name)
    told = explain(movement(game, 1, 2), game.narrator)
    assert len(told) >= 3
    assert len(set(told)) == len(told)
    for sentence in told:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "  " not in sentence
        assert "nobody when" not in sentence


def test_lists() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
