"""Every example of docs/language is run, and what the page says about it is checked."""

from __future__ import annotations

import re
from functools import cache
from typing import get_args

import pytest
from tests.docs.claims import verify
from tests.docs.examples import ALL, PAGES, REFUSED_WORDS, Example, play, understood

from upcard.engine.api import Limits, Move
from upcard.engine.rng import GAME, GOLDEN, Stream
from upcard.recycle import arithmetic, limits, reader
from upcard.recycle import program as p
from upcard.recycle import reserved_words as words
from upcard.recycle.checker import counting_base as base
from upcard.recycle.kinds import Kind
from upcard.recycle.source import Source
from upcard.recycle.walk import below


@pytest.mark.parametrize("example", ALL, ids=str)
def test_example(example: Example) -> None:
    verify(example)


# --- is everything shown? ------------------------------------------------------------------------


@cache
def accepted() -> tuple[p.Program, ...]:
    found = []
    for example in ALL:
        if not example.refused:
            program, _ = understood(example).sound()
            found.append(program)
    return tuple(found)


def words_in(text: str) -> set[str]:
    bare = re.sub(r";;[^\n]*", "", text)
    return set(re.findall(r"(?<![A-Za-z'])[a-z]+(?![A-Za-z])", bare))


def test_every_word_is_in_an_example_that_runs() -> None:
    shown_words = {word for e in ALL if not e.refused for word in words_in(e.text)}
    assert words.RESERVED - shown_words == REFUSED_WORDS
    assert {word for e in ALL if e.refused for word in words_in(e.text)} >= REFUSED_WORDS


def test_every_kind_of_form_is_run() -> None:
    """The checker's own list of meanings, so that both meanings of all, any, top and the like are shown."""
    nodes = [node for program in accepted() for node in (program, *below(program))]
    known = {cls for cls in p.NODES if not cls.__subclasses__()}
    assert known - {p.Bad, p.BadItem} == {type(node) for node in nodes}
    assert {n.cls for n in nodes if isinstance(n, p.Location)} == set(get_args(p.LocationClass))
    assert {n.operator for n in nodes if isinstance(n, p.Arithmetic)} == words.ARITHMETIC
    assert {n.operator for n in nodes if isinstance(n, p.Compare)} == words.COMPARISONS
    assert {n.operator for n in nodes if isinstance(n, p.Logic)} == {"and", "or"}
    assert {n.negated for n in nodes if isinstance(n, p.Same)} == {True, False}
    assert {n.of for n in nodes if isinstance(n, p.Same)} == {
        Kind.INT,
        Kind.STR,
        Kind.CARD,
        Kind.PLAYER,
        Kind.TEAM,
    }
    assert {n.every for n in nodes if isinstance(n, p.Quantified)} == {True, False}
    assert {n.every for n in nodes if isinstance(n, p.Runs)} == {True, False}
    assert {n.greatest for n in nodes if isinstance(n, p.BestCard)} == {True, False}
    assert {n.was_any for n in nodes if isinstance(n, p.ForAll)} == {True, False}
    assert {n.how for n in nodes if isinstance(n, p.Combination)} == {"union", "intersect", "disjunction"}
    assert {n.of for n in nodes if isinstance(n, p.Stage)} == {"player", "team"}
    assert {n.whole for n in nodes if isinstance(n, p.Swap)} == {True, False}
    assert {n.which for n in nodes if isinstance(n, p.Cycle)} == {"next", "current"}
    assert {n.sign for n in nodes if isinstance(n, p.AddInt) if n.amount is None} == {1, -1}
    for ends in (p.EndCard, p.EndCards, p.EndRun, p.ListEnd):
        assert {n.end for n in nodes if isinstance(n, ends)} == {"top", "bottom"}, ends.__name__
    for three in (p.SeatAt, p.TeamAt):
        assert {n.which for n in nodes if isinstance(n, three)} == {"current", "next", "previous"}
    kinds = {n.source.kind for n in nodes if isinstance(n, p.Filter)}
    assert kinds >= {Kind.CARDS, Kind.LISTS, Kind.PLAYERS, Kind.TEAMS, Kind.INTS, Kind.STRS}
    assert {n.base for n in nodes if isinstance(n, p.Program)} == {0, 1}


def test_the_index_names_every_word_that_opens_a_form() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`\(?([a-z]+)", text)) | set(re.findall(r"\((?:OWNER|WHO) ([a-z]+)", text))
    assert words.HEADS | words.CLASSES | {"sto", "str", "points", "player", "team"} <= listed


def test_the_grammar_has_every_word() -> None:
    text = (PAGES / "grammar.md").read_text(encoding="utf-8")
    blocks = "".join(re.findall(r"```text\n(.*?)```", text, re.DOTALL))
    shown = set(re.findall(r"(?<![A-Za-z'])[a-z]+(?![A-Za-z])", blocks))
    assert shown >= words.RESERVED - REFUSED_WORDS
    assert set(blocks.replace("(", " ").split()) >= words.OPERATORS


def test_the_page_on_reading_lists_the_reserved_words() -> None:
    text = (PAGES / "reading.md").read_text(encoding="utf-8").split("## Reserved words")[1].split("\n## ")[0]
    assert sorted(re.findall(r"`(\w+)`", text)) == sorted(words.RESERVED)
    refused = text.split("Reserved and refused:")[1]
    assert set(re.findall(r"`(\w+)`", refused)) == REFUSED_WORDS


def test_the_page_on_chance_describes_the_generator() -> None:
    text = (PAGES / "chance.md").read_text(encoding="utf-8").split("## To the bit")[1].split("\n## ")[0]
    stream = Stream((7, 3, GAME))
    first = [f"0x{stream.next():016x}" for _ in range(2)]
    assert re.findall(r"deal 3 begins (0x\w+), (0x\w+)\.", text) == [tuple(first)]
    factors = [int(number, 16) for number in re.findall(r"0x[0-9A-F]{16}\b", text)]
    assert factors == [0xBF58476D1CE4E5B9, 0x94D049BB133111EB, GOLDEN]


# --- links ---------------------------------------------------------------------------------------


def test_pages_are_all_reached_from_the_index() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\((\w[\w-]*\.md)", text))
    assert {path.name for path in PAGES.glob("*.md")} - {"index.md"} <= linked


def test_pages_are_short() -> None:
    pages = list(PAGES.glob("*.md"))
    assert len(pages) > 5
    for path in pages:
        assert 50 <= len(path.read_text(encoding="utf-8").splitlines()) <= 260, path.name


def test_sizes_are_the_ones_in_force() -> None:
    text = (PAGES / "limits-and-errors.md").read_text(encoding="utf-8")
    sizes = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", text.split("## Sizes")[1], flags=re.MULTILINE))
    assert sizes["players"] == f"{base.MAX_PLAYERS}"
    assert sizes["cards"] == f"{limits.MAX_CARDS:,}"
    (made,) = [size for what, size in sizes.items() if what.startswith("cards, where a stage")]
    assert made == f"{limits.MAX_MADE}"
    assert sizes["numbers of places"] == f"0 to {limits.MAX_NUMBER}"
    assert sizes["numbers"] == f"{arithmetic.LEAST} to {arithmetic.GREATEST}"
    assert sizes["cards whose subsets are asked for"] == f"{limits.MAX_SUBSETS}"
    assert sizes["forms inside one another"] == f"{reader.MAX_DEPTH}"
    (most,) = [size for what, size in sizes.items() if what.startswith("times a repeat runs")]
    assert most == f"{limits.MAX_COUNT:,}"
    assert sizes["cards of a computed collection"] == f"{limits.MAX_COUNT:,}"
    (grouped,) = [size for what, size in sizes.items() if what.startswith("cards in all groups of a list")]
    assert grouped == f"{limits.MAX_GROUPED:,}" == f"{limits.MAX_CARDS_PICKED:,}"
    assert sizes["notes in one memory"] == f"{limits.MAX_REFERENCES:,}"
    assert sizes["picks of one alternative"] == f"{limits.MAX_PICKS:,}"
    assert sizes["picks of all alternatives of a decision"] == f"{limits.MAX_PICKS_LISTED:,}"
    assert f"{Limits().steps:,} steps" in text
    assert f"which is {Limits().decisions} " in text


def test_every_form_reads_as_one() -> None:
    """A small form is one form or one atom, so that nobody wonders which part an outcome belongs to."""
    small = [example for example in ALL if not example.whole and not example.refused]
    assert len(small) > 100
    for example in small:
        bare = reader.read(Source("x", f"({example.text}\n)")).form
        assert bare is not None
        assert len(bare.items) == 1, str(example)


def test_moves_of_the_contract_are_what_is_shown() -> None:
    """Alternatives are shown by what they do; two with the same text are still two moves."""
    decisions = 0
    for example in ALL:
        if not example.refused and not any("fails" in s or "one of" in s for s in example.statements):
            for state in play(example, understood(example)).decisions:
                keys = [move.key for move in state.moves if isinstance(move, Move)]
                assert len(set(keys)) == len(keys) == state.choices
                decisions += 1
    assert decisions > 50
