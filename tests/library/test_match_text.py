"""How a match is scored, in words."""

from __future__ import annotations

from upcard.library.match_text import describe_match
from upcard.library.sheet import MatchRules, Sheet, Tally


def words(match: MatchRules, highest: bool = True, partners: bool = False) -> str:
    sheet = Sheet("X", match=match, deal_word="hand", words={"SANDBAGS": "bags"})
    return " ".join(describe_match(sheet, highest, partners))


def test_to_a_target() -> None:
    said = words(MatchRules(to=10), partners=True)
    assert said.startswith("Play hand after hand until a side has 10 points or more;")
    assert "the side with the most points then wins" in said


def test_low_scores_win() -> None:
    said = words(MatchRules(to=100), highest=False)
    assert "until a player has 100 points or more; the player with the fewest points then wins" in said


def test_a_match_of_a_fixed_number_of_deals() -> None:
    assert words(MatchRules(deals=16)).startswith(
        "A match is 16 hands; the player with the most points in all"
    )
    assert words(MatchRules(deals=1)).startswith("A match is a single hand; the player with the most")


def test_ties() -> None:
    assert "A tie for the win is shared." in words(MatchRules(to=5))
    assert "played off with another hand" in words(MatchRules(to=5, ties="play on"))


def test_a_tie_that_nobody_can_break_is_said_to_be_shared() -> None:
    for over in ("caps", "exact"):
        said = words(MatchRules(to=31, over=over, ties="play on"))
        assert "played off with another hand; at 31, the highest score possible, it is shared." in said


def test_past_the_target() -> None:
    assert "stop" not in words(MatchRules(to=31))
    assert "A score stops at 31" in words(MatchRules(to=31, over="caps"))
    assert "hit exactly: a hand that would take a player past it" in words(MatchRules(to=31, over="exact"))
    assert "exactly" not in words(MatchRules(deals=4, over="exact"))


def test_the_floor() -> None:
    assert "also ends when a player falls to -500 or below" in words(MatchRules(to=500, down=-500))
    assert "falls" not in words(MatchRules(to=500))


def test_tallies_use_the_game_s_words() -> None:
    said = words(MatchRules(to=500, tallies=(Tally("SANDBAGS", 10, -100), Tally("STARS", 3, 1))))
    assert "Bags are counted through the match: every 10 of them cost 100 points." in said
    assert "Stars are counted through the match: every 3 of them add 1 point." in said


def test_other_targets_are_named_with_the_option() -> None:
    said = words(MatchRules(to=10, targets=(5, 7, 11)))
    assert "Also played to 5, 7 or 11 (--to 5)." in said
    assert "Also played to 5 (--to 5)." in words(MatchRules(to=10, targets=(5,)))
    assert "Also" not in words(MatchRules(to=10))
