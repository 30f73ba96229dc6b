"""Positions: what is expected is really compared, and what is written wrongly is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard.library.new_game import create_game
from upcard.verify.positions import FILE, PositionError, examine, positions_of

DEAL = 'deal = ["2♠ 8♠ K♠", "3♠ 9♠ A♠"]'


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    return create_game("duel", tmp_path)


def wrong(folder: Path, text: str) -> str:
    """What is wrong with a position; nothing when it holds."""
    (folder / FILE).write_text(f'[[position]]\nname = "it"\n{text}\n', encoding="utf-8")
    (finding,) = examine(folder, positions_of(folder))
    return finding.wrong


def test_what_a_new_game_says_holds(duel: Path) -> None:
    findings = list(examine(duel, positions_of(duel)))
    assert len(findings) == 3
    assert not any(finding.wrong for finding in findings)


def test_turns(duel: Path) -> None:
    assert wrong(duel, f'{DEAL}\nplay = ["K♠"]\nturn = "north"') == ""
    assert wrong(duel, f'{DEAL}\nplay = ["K♠"]\nturn = "South"') == "it is not South's turn but North's"
    played = 'play = ["2♠", "A♠", "3♠", "8♠", "K♠", "9♠"]'
    assert wrong(duel, f'{DEAL}\n{played}\nturn = "South"').startswith("it is nobody's turn: Score:")


def test_offers_are_the_whole_menu_in_any_order(duel: Path) -> None:
    assert wrong(duel, f'{DEAL}\noffers = ["play K♠", "play 2♠", "play 8♠"]') == ""
    fewer = wrong(duel, f'{DEAL}\noffers = ["play 2♠", "play 8♠"]')
    assert fewer == "South to move; offered besides: play K♠"
    more = wrong(duel, f'{DEAL}\noffers = ["play 2♠", "play 8♠", "play K♠", "play A♠"]')
    assert more == "South to move; not offered: play A♠"
    other = wrong(duel, f'{DEAL}\noffers = ["play 2♠", "play 8♠", "pass"]')
    assert other == "South to move; not offered: pass; offered instead: play K♠"


def test_scores(duel: Path) -> None:
    played = 'play = ["2♠", "A♠", "3♠", "8♠", "K♠", "9♠"]'
    assert wrong(duel, f"{DEAL}\n{played}\nscores = [2, 1]") == ""
    assert wrong(duel, f"{DEAL}\n{played}\nscores = [1, 2]").startswith(
        "the scores are not 1 2; Score: South 2"
    )
    assert (
        wrong(duel, f"{DEAL}\nscores = [0, 0]") == "the game is not over: South may play 2♠, play 8♠, play K♠"
    )


def test_cards_and_moves_may_be_written_plainly(duel: Path) -> None:
    plain = 'deal = ["2s 8s Ks 3s 9s As"]\nplay = ["Ks", "play As"]\noffers = ["play 3s", "play 9♠"]'
    assert wrong(duel, plain) == ""


def test_cards_that_are_not_there(duel: Path) -> None:
    assert wrong(duel, 'deal = ["2♠ 2♠"]\nturn = "South"').startswith(
        "the pack has no 2♠ left to deal, only 3s"
    )
    assert wrong(duel, 'deal = ["2♥"]\nturn = "South"').startswith("the pack has no 2♥ left to deal, only 2s")


def test_moves_that_are_not_there(duel: Path) -> None:
    assert wrong(duel, f'{DEAL}\nplay = ["A♠"]\nturn = "South"').startswith(
        '"A♠" is not one of the moves: South may'
    )
    assert wrong(duel, f'{DEAL}\nplay = ["play"]\nturn = "South"').startswith(
        '"play" could mean several moves'
    )
    assert "is not one of the moves" in wrong(duel, f'{DEAL}\nplay = [""]\nturn = "South"')
    over = '"2♠", "A♠", "3♠", "8♠", "K♠", "9♠", "4♠"'
    assert wrong(duel, f"{DEAL}\nplay = [{over}]\nscores = [2, 1]").startswith('the game is over before "4♠"')


def test_the_rest_of_the_pack_does_not_depend_on_chance(duel: Path) -> None:
    """Below the cards named lie the others, in the order they were made."""
    assert wrong(duel, 'deal = ["A♠"]\noffers = ["play A♠", "play 2♠", "play 3♠"]') == ""


def test_house_rules(duel: Path) -> None:
    rules = duel / "rules.rcy"
    text = rules.read_text(encoding="utf-8")
    text = text.replace("(game\n", "(game\n (declare 3 'CARDS)\n", 1).replace("(repeat 3", "(repeat 'CARDS")
    rules.write_text(text, encoding="utf-8")
    with (duel / "game.toml").open("a", encoding="utf-8") as sheet:
        sheet.write('[[rule]]\nname = "cards"\nset = "CARDS"\ntitle = "Cards"\n')
        sheet.write('choices = { three = "3", one = "1" }\ndefault = "three"\n')
    one = 'deal = ["A♠"]\nrules = { cards = "one" }\noffers = ["play A♠"]'
    assert wrong(duel, one) == ""
    assert wrong(duel, one.replace('"one"', '"three"')) != ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: position is missing"),
        ("[[position", "line 1: this is not TOML"),
        ('[[position]]\nturn = "South"', "line 1: position[0].name is missing"),
        ('[[position]]\nname = "it"', "line 1: position[0] expects nothing"),
        (
            '[[position]]\nname = "it"\nscore = [1, 2]',
            "line 3: position[0].score is not a known key; did you mean scores?",
        ),
        (
            '[[position]]\nname = "it"\nscores = ["1"]',
            'line 3: position[0].scores[0] must be a whole number, not "1"',
        ),
        (
            '[[position]]\nname = "it"\nturn = "South"\ndeal = "2♠"',
            "line 4: position[0].deal must be a list where every item is text",
        ),
        ('[[position]]\nname = "it"\nturn = 1', "line 3: position[0].turn must be text, not 1"),
        (
            '[[position]]\nname = "it"\nturn = "South"\nrules = { cards = 3 }',
            "line 4: position[0].rules.cards must be text, not 3",
        ),
    ],
)
def test_what_cannot_be_used_is_said(duel: Path, text: str, says: str) -> None:
    (duel / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(PositionError) as caught:
        positions_of(duel)
    assert says in str(caught.value)
    assert FILE in str(caught.value)
