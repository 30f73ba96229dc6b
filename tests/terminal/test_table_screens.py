"""The table in windows of several sizes: what fits, which keys are offered, the log, the rules."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path

import pytest
from tests.terminal.sessions import loaded, table_of

from upcard.match.match_play import Match
from upcard.terminal.render import Prompt, score_line
from upcard.terminal.seat_view import View
from upcard.terminal.session import paragraph
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import drawn_view, keys_line, make_view, table_keys


def view_of_match(name: str, decisions: int) -> View:
    match = Match(table_of(name), 3)
    played = 0
    while played < decisions or match.to_move != 0:
        if match.to_move == 0:
            match.decide(0)
        else:
            match.step()
        played += 1
    assert match.state is not None
    observation = match.state.observe(match.seating.seat(0), match.around())
    return make_view(observation, TableNarrator.at(match.table.game.narrator, observation))


@pytest.mark.parametrize("name", ["euchre", "hearts", "cribbage"])
@pytest.mark.parametrize(("width", "height"), [(60, 20), (80, 24), (120, 40)])
def test_hand_menu_and_question_are_on_every_screen(name: str, width: int, height: int) -> None:
    view = view_of_match(name, 9)
    prompt = Prompt("Your turn.", keys=keys_line(view))
    lines = drawn_view(view, width, height).draw(view, prompt, width, height).lines()
    assert len(lines) == height
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    for card in view.hand:
        assert view.card(card) in text
    assert re.search("▶ *1( |$)", text, re.MULTILINE)
    assert "Your turn." in text
    assert "q save and quit" in text
    assert "? keys" in text


def test_a_wide_window_shows_the_log_of_euchre_beside_the_table() -> None:
    view = view_of_match("euchre", 9)
    lines = drawn_view(view, 120, 40).draw(view, Prompt("?"), 120, 40).lines()
    assert "East shuffles and deals." in "\n".join(line[80:] for line in lines)


def drawn(view: View, width: int, height: int, prompt: Prompt | None = None) -> list[str]:
    return drawn_view(view, width, height).draw(view, prompt or Prompt("?"), width, height).lines()


def test_while_others_play_no_key_is_offered_that_does_nothing() -> None:
    for name in ("euchre", "blackjack"):
        waiting = Prompt("West is thinking ...", open=False)
        last = drawn(view_of_match(name, 3), 80, 24, waiting)[-1]
        assert last.strip() == "Ctrl-C saves and quits"


def test_a_total_stays_with_its_cards() -> None:
    view = view_of_match("blackjack", 0)
    for width in range(60, 121):
        text = "\n".join(drawn(view, width, 24))
        assert re.search(r"[♠♥♣♦] \((soft )?[0-9]+\)$", text, re.MULTILINE), width
        assert not re.search(r"^ *\(", text, re.MULTILINE), width
        assert "\N{NO-BREAK SPACE}" not in text


def test_a_small_window_names_the_maker_of_trump_and_both_sides() -> None:
    view = view_of_match("euchre", 9)
    small, usual = drawn(view, 60, 20), "\n".join(drawn(view, 80, 24))
    maker = re.search(r"made by (\w+)", usual)
    assert maker is not None
    assert f"made by {maker[1]}" in small[1]
    assert score_line(view, 40) == "You and North 0 · West and East 0"
    assert score_line(view, 20) == "You 0 · They 0"
    hearts = view_of_match("hearts", 9)
    assert score_line(hearts, 33) == "You 0 · West 0 · North 0 · East 0"
    assert score_line(hearts, 30) == "You 0  West 0  North 0  East 0"


def test_only_keys_that_mean_something_are_offered() -> None:
    without_tricks = table_keys(view_of_match("cribbage", 3))
    assert without_tricks == ["?", "h", "l", "z", "r", "t", "q"]
    assert "c" not in table_keys(view_of_match("hearts", 9))
    first = table_keys(view_of_match("euchre", 2))
    assert "c" in first
    assert "u" not in first, "no trick was taken"
    assert "v" not in first, "no hand is finished"
    later = table_keys(view_of_match("euchre", 40))
    assert "v" in later


def test_lists_in_the_rules_keep_their_lines() -> None:
    sheet = loaded("cribbage").narrator.sheet
    assert sheet is not None
    lines = [line for part in sheet.rules.split("\n\n") for line in paragraph(part.strip("\n"))]
    assert "    2   if the count is 15" in lines
    assert "    2   if the count is 31" in lines
    assert any(line.startswith("Two people play with 52 cards.") and len(line) > 150 for line in lines)


def test_a_move_without_a_phrase_has_a_generic_sentence() -> None:
    game = loaded("hearts")
    sheet = game.narrator.sheet
    assert sheet is not None
    few = dataclasses.replace(sheet, phrases=tuple(p for p in sheet.phrases if p.target != "PASSED"))
    state = game.deal(3)
    narrator = TableNarrator(few, 1, ["South", "West", "North", "East"])
    texts = [option.text for option in make_view(state.observe(0), narrator).options]
    assert len(set(texts)) == 13
    assert all("passed on" in text for text in texts), texts


if sys.platform != "win32":
    from tests.terminal.terminals import Terminal

    QUICK = ["--level", "random", "--engine", "reference", "--pace", "0", "--seed", "3"]

    def test_the_log_scrolls_and_the_match_ends_with_its_score(tmp_path: Path) -> None:
        with Terminal(["play", "euchre", "--to", "2", *QUICK], tmp_path) as table:
            assert "It fixes every deal before the first card" in table.wait_for("Press Enter to begin")
            table.play_on("takes the trick.")
            log = table.pressed("l", "The hand so far")
            assert "East shuffles and deals." in log
            table.pressed("\r", "Your turn")
            table.play_on("no such words")
            assert table.ended() == 0
            assert "Final score: " in table.after
