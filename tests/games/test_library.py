"""What holds of every game of the library: sound, tidy, told in words, and played to an end."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator

import pytest
from tests.games import perft
from tests.games.move_texts import look_at_texts

import upcard
from upcard.engine.api import Limits
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.shared.game import LoadedGame
from upcard.library import check_game, find, names, read_sheet
from upcard.library.sheet import Sheet
from upcard.players import RandomPlayer
from upcard.recycle.diagnostic_text import render
from upcard.recycle.formatter import format_source
from upcard.recycle.source import Source
from upcard.simulate.random_games import native_batch, play_out
from upcard.simulate.summary import Row
from upcard.simulate.sums_detail import Sums

NAMES = names()
FAMILIES = {
    *("trick taking", "shedding", "climbing", "collecting", "fishing", "adding", "exchange"),
    *("press your luck", "bluff"),
}
PARTS = ("title", "summary", "rules", "variants", "family", "tags", "related", "sources")


def sheet_of(name: str) -> Sheet:
    path = find(name).sheet
    assert path is not None, f"{name} has no game.toml"
    return read_sheet(path)


def played(game: LoadedGame, quick: int, slow: int) -> tuple[bool, Iterator[Row]]:
    """Random games: many in machine code, a few where there is none. And whether it was machine code."""
    try:
        return True, native_batch(game, Sums(), seed=4).games(0, quick, workers=1)
    except NoMachineCode:
        return False, (play_out(game, 4, deal, Limits()) for deal in range(slow))


def test_there_are_games() -> None:
    assert {"euchre", "whist"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_no_findings(name: str) -> None:
    checked = check_game(name)
    assert not checked.diagnostics, "\n".join(render(d, checked.source, False) for d in checked.diagnostics)


@pytest.mark.parametrize("name", NAMES)
def test_laid_out(name: str) -> None:
    text = find(name).rules.read_text(encoding="utf-8")
    assert format_source(Source(name, text)) == text, f"upcard fmt {find(name).rules} would change it"


@pytest.mark.parametrize("name", NAMES)
def test_the_sheet_is_complete(name: str) -> None:
    sheet, game = sheet_of(name), upcard.load(name)
    for part in PARTS:
        assert getattr(sheet, part), f"{part} is missing or empty"
    assert sheet.family in FAMILIES
    assert len(sheet.rules.split()) > 60, "the rules are for somebody who has never played"
    assert len(set(sheet.seat_names)) == len(sheet.seat_names) >= game.seats
    assert sheet.face, "cards need a print"
    path = find(name).sheet
    assert path is not None
    assert "match" in tomllib.loads(path.read_text(encoding="utf-8")), "how do deals make a match?"
    assert sheet.match.to is not None or sheet.match.deals >= 1


@pytest.mark.parametrize("name", NAMES)
def test_house_rules_are_declared_and_the_first_choice_is_the_programs(name: str) -> None:
    sheet, game = sheet_of(name), upcard.load(name)
    declared = {d.binding.name for d in game.program.declares}
    for rule in sheet.house_rules:
        assert rule.sets in declared, f"{rule.name} sets {rule.sets}, which the program does not declare"
        assert rule.default in rule.choices
        assert len(set(rule.choices.values())) == len(rule.choices) > 1
        assert rule.title
    assert len({rule.name for rule in sheet.house_rules}) == len(sheet.house_rules)
    # the program's own values and the sheet's defaults are the same game
    defaults = upcard.load(name, rules={rule.name: rule.default for rule in sheet.house_rules})
    for deal in range(3):
        assert _line(game, deal) == _line(defaults, deal)


def _line(game: LoadedGame, deal: int) -> list[object]:
    """A random game as who chose among how many, and its scores."""
    state = game.deal(6, deal, recording=False)
    players = [RandomPlayer(6, deal, seat) for seat in range(game.seats)]
    found: list[object] = []
    while (seat := state.to_move) is not None:
        found.append((seat, state.choices))
        state.play(players[seat].pick(state.choices))
    assert state.outcome is not None
    return [*found, state.outcome.scores]


CHOICES = [
    (name, rule.name, choice)
    for name in NAMES
    for rule in sheet_of(name).house_rules
    for choice in rule.choices
    if choice != rule.default
]


@pytest.mark.parametrize(("name", "rule", "choice"), CHOICES)
def test_every_house_rule_plays(name: str, rule: str, choice: str) -> None:
    game = upcard.load(name, rules={rule: choice})
    assert len(sheet_of(name).seat_names) >= game.seats
    _, games = played(game, 500, 20)
    ends = Counter(row.ending for row in games)
    assert not ends["failed"]
    assert not ends["stuck"]
    assert not ends["cut_off"] or sheet_of(name).cycles


@pytest.mark.parametrize("name", NAMES)
def test_random_games_come_to_an_end(name: str, as_shipped: None) -> None:
    _, games = played(upcard.load(name), 10_000, 60)
    ends: Counter[str] = Counter()
    for row in games:
        ends[row.ending] += 1
        assert row.failure is None, row.failure
    assert not ends["stuck"]
    assert not ends["cut_off"] or sheet_of(name).cycles, "cut off, and the sheet's cycles does not say why"


@pytest.mark.parametrize("name", NAMES)
def test_every_move_has_words_and_none_of_the_programs_names(name: str) -> None:
    looked_at = look_at_texts(upcard.load(name), 8, games=20, decisions=400)
    assert looked_at.texts > 0
    assert looked_at.wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_as_many_ways_to_begin_as_there_were(name: str) -> None:
    kept = perft.kept()
    assert name in kept, "python -m tests.games.perft --write keeps the counts of a new game"
    assert perft.counts(name, len(kept[name])) == kept[name]


def test_counts_are_kept_for_games_of_the_library_alone() -> None:
    assert set(perft.kept()) <= set(NAMES)
