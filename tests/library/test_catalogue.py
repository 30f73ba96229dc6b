"""The list of games: what is read quickly is what the checker would say."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard.library import check_game, find, names, read_sheet
from upcard.library.catalogue import (
    FAMILIES,
    catalogue,
    entry_of,
    first_sentence,
    format_span,
    players_of,
    players_offered,
)
from upcard.library.sheet import HouseRule, Sheet

GAME = """(game
 {declare}
 (setup
  {players}
  (create deck (game iloc STOCK) (deck (RANK (A, B, C)))))
 (choice ((turn pass)))
 (scoring max (size ((current player) iloc HAND))))
"""


def written(folder: Path, players: str, declare: str = "") -> Path:
    path = folder / "rules.rcy"
    path.write_text(GAME.format(players=players, declare=declare), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", names())
def test_players_are_those_of_the_program(name: str) -> None:
    found = find(name)
    program, _ = check_game(name, lint=False).sound()
    assert entry_of(found).players == program.players


@pytest.mark.parametrize("name", names())
def test_offered_numbers_of_players_can_be_played(name: str) -> None:
    sheet = read_sheet(find(name).sheet or Path())
    offered = set()
    for rule in sheet.house_rules:
        if rule.name == "players":
            for value in rule.choices.values():
                program, _ = check_game(name, {rule.sets: value}, lint=False).sound()
                offered.add(program.players)
    assert offered <= set(entry_of(find(name)).offered)
    assert len(entry_of(find(name)).offered) == max(1, len(offered))


@pytest.mark.parametrize("name", names())
def test_every_game_has_a_family_and_a_line(name: str) -> None:
    entry = entry_of(find(name))
    assert entry.family in FAMILIES
    assert entry.line


@pytest.mark.parametrize("name", names())
def test_house_rules_start_from_what_the_program_declares(name: str) -> None:
    """The usual choice must be the game as it is played without any --rule."""
    sheet = read_sheet(find(name).sheet or Path())
    program, _ = check_game(name, lint=False).sound()
    declared = {d.binding.name: d.span for d in program.declares}
    assert {rule.sets for rule in sheet.house_rules} <= set(declared)
    for rule in sheet.house_rules:
        assert rule.default in rule.choices, rule.name
        span = declared[rule.sets]
        value = program.source.text[span.start : span.end].split()[1]
        assert rule.choices[rule.default] == value, rule.name


@pytest.mark.parametrize("name", names())
def test_every_seat_has_a_name(name: str) -> None:
    sheet = read_sheet(find(name).sheet or Path())
    assert len(sheet.seat_names) >= max(entry_of(find(name)).offered)


def test_the_list_goes_by_family_and_name() -> None:
    listed = [(FAMILIES.index(entry.family), entry.name) for entry in catalogue()]
    assert listed == sorted(listed)
    assert [name for _, name in sorted(listed, key=lambda item: item[1])] == names()


@pytest.mark.parametrize(
    ("players", "declare", "number"),
    [
        ("(create players 3)", "", 3),
        ("( create\n players\t12 )", "", 12),
        (";; (create players 5)\n (create players 2)", "", 2),
        ("(create players 'MANY)", "(declare 4 'MANY)", 4),
        ("(create players 'MANY)", ";; (declare 7 'MANY)\n (declare 4 'MANY)", 4),
        ("(create players 'MANY)", "(declare 3 'SOME) (declare 'SOME 'MANY)", 3),
        ("(create players (+ 1 1))", "", 2),
        ("(create players 0)", "", 0),
        ("(create playrs 2)", "", None),
    ],
)
def test_players_are_read_off_the_text(
    tmp_path: Path, players: str, declare: str, number: int | None
) -> None:
    path = written(tmp_path, players, declare)
    assert players_of(path) == number
    program = check_game(path, lint=False).program
    assert program is None or program.players == number


def test_the_house_rule_players_offers_more() -> None:
    rule = HouseRule("players", "MANY", "How many play", {"two": "2", "four": "4", "three": "3"}, "four")
    other = HouseRule("cards", "CARDS", "How many cards", {"seven": "7"}, "seven")
    assert players_offered(Sheet("x", house_rules=(other, rule)), 4) == (2, 3, 4)
    assert players_offered(Sheet("x", house_rules=(other,)), 4) == (4,)
    assert players_offered(Sheet("x"), None) == ()


def test_spans() -> None:
    assert format_span((4,)) == "4"
    assert format_span((2, 3, 4)) == "2-4"
    assert format_span((2, 4)) == "2, 4"
    assert format_span(()) == ""


def test_first_sentences() -> None:
    assert first_sentence("Whist is old. It is good.") == "Whist is old."
    assert first_sentence('You ask: "Any sevens?" Whoever has some gives.') == 'You ask: "Any sevens?"'
    assert first_sentence("To 3.5 points. Then stop") == "To 3.5 points."
    assert first_sentence("No end") == "No end"
    assert first_sentence("") == ""


def test_a_line_of_its_own_goes_before_the_summary(tmp_path: Path) -> None:
    written(tmp_path, "(create players 2)")
    sheet = tmp_path / "game.toml"
    sheet.write_text('title = "X"\nsummary = "First. Second."\n', encoding="utf-8")
    assert entry_of(find(tmp_path)).line == "First."
    sheet.write_text('title = "X"\nline = "In  a\\nline"\nsummary = "First. Second."\n', encoding="utf-8")
    assert entry_of(find(tmp_path)).line == "In a line"
