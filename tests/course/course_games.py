"""Trace games for tests: played here in full, with Humans answering from a list."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from tests.course import student

from upcard.course.course_game import Settings, play
from upcard.course.human_player import Question
from upcard.course.pack import BATCHES, pack_text
from upcard.engine.api import Move
from upcard.euchre.euchre_cards import RANKS, STANDARD, SUITS, Card

NAMES = ("Adi", "Barbara", "Chi-Chih", "Dabbala")

STANDARD_GAME = """\
./euchre.exe pack.in noshuffle 1 Adi Simple Barbara Simple Chi-Chih Simple Dabbala Simple \n\
Hand 0
Adi deals
Jack of Diamonds turned up
Barbara passes
Chi-Chih passes
Dabbala passes
Adi passes
Barbara orders up Hearts

Jack of Spades led by Barbara
King of Spades played by Chi-Chih
Ace of Spades played by Dabbala
Nine of Diamonds played by Adi
Dabbala takes the trick

King of Clubs led by Dabbala
Ace of Clubs played by Adi
Nine of Spades played by Barbara
Jack of Clubs played by Chi-Chih
Adi takes the trick

Ten of Diamonds led by Adi
Ten of Spades played by Barbara
Nine of Clubs played by Chi-Chih
Queen of Clubs played by Dabbala
Adi takes the trick

Jack of Hearts led by Adi
Ace of Hearts played by Barbara
Ten of Clubs played by Chi-Chih
Ten of Hearts played by Dabbala
Adi takes the trick

Queen of Hearts led by Adi
King of Hearts played by Barbara
Queen of Spades played by Chi-Chih
Nine of Hearts played by Dabbala
Barbara takes the trick

Adi and Chi-Chih win the hand
euchred!
Adi and Chi-Chih have 2 points
Barbara and Dabbala have 0 points

Adi and Chi-Chih win!
"""
"""Worked out by hand from the rules."""


def card(face: str) -> Card:
    """`9s`, `10h`, `Jc`, `Ad`."""
    rank = next(rank for rank in RANKS if {"NINE": "9", "TEN": "10"}.get(rank, rank[0]) == face[:-1])
    return Card(rank, next(suit for suit in SUITS if suit[0] == face[-1].upper()))


def pack_of(up: str, *hands: str) -> tuple[Card, ...]:
    """A pack that deals these hands, the eldest's first, and turns this card up."""
    left = [[card(face) for face in hand.split()] for hand in hands]
    pack: list[Card] = []
    for number, size in enumerate(BATCHES):
        hand = left[number % 4]
        pack += hand[:size]
        del hand[:size]
    pack.append(card(up))
    rest = [other for other in STANDARD if other not in pack]
    assert len(pack) == 21, "five cards a hand"
    assert len(rest) == 3, "a card is named twice"
    return (*pack, *rest)


def arguments(
    types: str = "SSSS", points: int = 1, order: str = "noshuffle", names: Sequence[str] = NAMES
) -> list[str]:
    words = {"S": "Simple", "H": "Human"}
    players = [part for name, kind in zip(names, types, strict=True) for part in (name, words[kind])]
    return ["pack.in", order, str(points), *players]


def lines(given: Sequence[str], pack: Sequence[Card] = STANDARD, answers: str = "") -> list[str]:
    """The transcript of a game; every answer must be asked for."""
    told: list[str] = []
    words = iter(answers.split())

    def ask(question: Question) -> Move:
        return question.move(next(words))

    play(Settings.of(given), pack, told.append, ask)
    assert next(words, None) is None, "an answer was left over"
    return told


def legal(given: Sequence[str], pack: Sequence[Card], answers: str) -> str:
    """The answers, with the first that is legal where the one wished for is not."""
    words = iter(answers.split())
    said: list[str] = []

    def ask(question: Question) -> Move:
        word = next(words)
        said.append(word if word in question.answers else next(iter(question.answers)))
        return question.move(said[-1])

    play(Settings.of(given), pack, lambda line: None, ask)
    return " ".join(said)


def second_opinion(
    given: Sequence[str], pack: Sequence[Card], answers: str, folder: Path, patch: pytest.MonkeyPatch
) -> list[str]:
    """What the student's program prints for the same game."""
    (folder / "pack.in").write_text(pack_text(pack), encoding="utf-8")
    patch.setattr(student, "WORDS", iter(answers.split()))
    out = io.StringIO()
    with redirect_stdout(out):
        assert student.main(["./euchre.exe", str(folder / "pack.in"), *given[1:]]) == 0
    printed = out.getvalue()
    assert printed.endswith("\n")
    found = printed.removesuffix("\n").split("\n")
    return [found[0].replace(str(folder / "pack.in"), given[0]), *found[1:]]
