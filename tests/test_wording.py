"""The program's sentences are listed, and none of them uses a stock phrase that native speakers avoid."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wording import (
    PACKAGE,
    Sentence,
    is_sentence,
    python_sentences,
    sentences,
    sheet_sentences,
    stilted,
)


@pytest.fixture(scope="module")
def listing() -> list[Sentence]:
    return sentences()


def test_no_sentence_is_stilted(listing: list[Sentence]) -> None:
    assert not [f"{one.name}:{one.line}: “{what}”: write {better}" for one, what, better in stilted(listing)]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("recycle/checker/values.py", "these parentheses are empty"),
        ("recycle/failures.py", "there is no card to move"),
        ("engine/loader.py", "engine must be native or reference, not {engine}"),
        ("terminal/session.py", "No trick has been taken yet in this deal."),
        ("site/game_page.py", "The table in play"),
        ("study/study_summary.py", "decisions with a single choice"),
        ("games/euchre/game.toml", "{seat} orders it up."),
        ("games/euchre/game.toml", "pass"),
        ("games/euchre/game.toml", "lone hands"),
        ("games/whist/game.toml", "Whist is the simple partnership trick game"),
    ],
)
def test_every_kind_of_sentence_is_listed(listing: list[Sentence], file: str, text: str) -> None:
    assert [s for s in listing if s.name == file and text in s.text]


def test_every_game_and_most_modules_with_errors_are_listed(listing: list[Sentence]) -> None:
    files = {sentence.name for sentence in listing}
    games = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.glob("games/*/game.toml")}
    assert games
    assert games <= files


PROGRAM = '''
"""A docstring is not a sentence of the program."""
def check(name, most):
    """Neither is this one."""
    assert most, "nor is an assertion"
    if not name:
        raise Refused(
            f"{name} has at most {most} "
            "letters and digits"
        )
    return "word", "(top (game vloc PILE))", "a sentence here"
'''


def test_strings_of_a_module() -> None:
    found = list(python_sentences(Path("checks.py"), PROGRAM))
    assert [(one.line, one.text) for one in found] == [
        (8, "{name} has at most {most} letters and digits"),
        (11, "a sentence here"),
    ]


def test_the_docstring_of_a_command_is_a_help_text() -> None:
    program = (
        'def play() -> None:\n    """Play a match."""\n\n\ndef _find() -> None:\n    """Not a help text."""\n'
    )
    assert [one.text for one in python_sentences(Path("commands/play.py"), program)] == ["Play a match."]


def test_texts_of_a_sheet() -> None:
    sheet = 'title = "Snap"\nrules = """\nDeal.\n\nPlay.\n"""\n[match]\nto = 3\n'
    sheet += '[table]\nHAND = "hand"\nPILE = ""\n'
    sheet += '[[say]]\ndo = "move"\nfrom = "HAND"\ntell = "{seat} plays {card}.\\n"\n'
    assert [(one.line, one.text) for one in sheet_sentences(Path("game.toml"), sheet)] == [
        (1, "Snap"),
        (2, "Deal.\n\nPlay.\n"),
        (10, "hand"),
        (15, "{seat} plays {card}.\n"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Whoever wins the trick leads.",
        "a card may be picked up by who could beat it",
        "Follow suit; who cannot may play any card.",
        "{name} is no player",
        "there is nothing to choose",
        "lay {card} away",
        "each award stands in parentheses",
        "66.4%, 6.8 more in a hundred than the next best",
        "a line of so many\nletters",
    ],
)
def test_stock_phrases_are_noticed(text: str) -> None:
    assert is_sentence(text)
    assert list(stilted([Sentence(PACKAGE / "game.py", 1, text)]))


@pytest.mark.parametrize(
    "text",
    [
        "there is no player called {name}",
        "Players who cannot follow suit play any card.",
        "the team no longer exists, and it is no more",
        "discard {card}",
    ],
)
def test_plain_phrases_are_not(text: str) -> None:
    assert not list(stilted([Sentence(PACKAGE / "game.py", 1, text)]))
