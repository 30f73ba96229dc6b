"""What the judge plays, and how it compares."""

from __future__ import annotations

from collections import Counter

import pytest

from upcard.course.judge_program import Trial, _compare, trials
from upcard.euchre.euchre_cards import STANDARD


@pytest.fixture(scope="module")
def tried() -> list[Trial]:
    return list(trials(16, 3))


@pytest.fixture(scope="module")
def games(tried: list[Trial]) -> list[Trial]:
    return [trial for trial in tried if trial.succeeds]


def test_the_same_seed_makes_the_same_games(tried: list[Trial]) -> None:
    assert list(trials(3, 3)) == [*tried[:3], *(trial for trial in tried if not trial.succeeds)]
    other = list(trials(2, 4))
    assert other[0].pack == STANDARD
    assert other[1].pack != tried[1].pack


def test_games_cover_every_kind(games: list[Trial]) -> None:
    humans = Counter((trial.arguments[1], trial.arguments.count("Human")) for trial in games)
    assert set(humans) == {(order, count) for order in ("shuffle", "noshuffle") for count in (0, 1, 2, 4)}
    assert len({trial.arguments[2] for trial in games}) > 2
    assert len({trial.pack for trial in games}) == len(games)
    assert any(len(set(trial.arguments[3::2])) < 4 for trial in games), "two players share a name"
    assert all(bool(trial.answers) == ("Human" in trial.arguments) for trial in games)
    assert any("-1" in trial.answers for trial in games)


def test_games_see_both_rounds_and_every_ending(games: list[Trial]) -> None:
    text = "".join(trial.expected[0] for trial in games)
    for line in ("march!", "euchred!", "passes", "select a card to discard:"):
        assert line in text


def test_wrong_command_lines_are_tried_too(tried: list[Trial]) -> None:
    refused = [trial for trial in tried if not trial.succeeds]
    assert len(refused) == 8
    assert sum(trial.expected[0].startswith("Usage: euchre.exe PACK_FILENAME") for trial in refused) == 7
    assert refused[-1].expected[0] == "Error opening judge-3-missing.pack\n"
    assert refused[-1].files == {}


@pytest.mark.parametrize(
    ("theirs", "found"),
    [
        (b"Hand 0\nA deals\n\n", None),
        (
            b"Hand 0\nB deals\n\n",
            ("Line 2, in Hand 0, differs:", '  expected  "A deals"', '  printed   "B deals"'),
        ),
        (
            b"Hand 0\nA deals \n\n",
            ("Line 2, in Hand 0, differs:", '  expected  "A deals"', '  printed   "A deals "'),
        ),
        (
            b"Hand 0\nA deals\n",
            ("Line 3, in Hand 0, differs:", '  expected  ""', "  printed   the end of the output"),
        ),
        (b"", ("Line 1 differs:", '  expected  "Hand 0"', "  printed   the end of the output")),
        (
            b"Hand 0\nA deals\n\nmore\n",
            ("Line 4, in Hand 0, differs:", "  expected  the end of the output", '  printed   "more"'),
        ),
        (
            b"Hand 0\nA deals",
            (
                "Line 2, in Hand 0, differs:",
                '  expected  "A deals"',
                '  printed   "A deals" without the end of a line',
            ),
        ),
        (b"Hand 0\r\n\xff", ("Line 1 differs:", '  expected  "Hand 0"', '  printed   "Hand 0\\r"')),
    ],
)
def test_the_first_line_that_differs(theirs: bytes, found: tuple[str, ...] | None) -> None:
    assert _compare("Hand 0\nA deals\n\n", theirs, blank_lines=True) == found


def test_blank_lines_may_be_ignored() -> None:
    assert _compare("Hand 0\n\nA deals\n\n", b"\nHand 0\nA deals\n", blank_lines=False) is None
    found = _compare("Hand 0\n\nA deals\n", b"Hand 0\nB deals\n", blank_lines=False)
    assert found is not None
    assert found[0] == "Line 2, in Hand 0, differs:", "the number is that of the program's own line"
