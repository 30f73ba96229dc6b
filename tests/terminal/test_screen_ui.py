"""The table through a real pseudo-terminal: whole matches by keys, resized, interrupted, gone on with."""

from __future__ import annotations

import io
import json
import random
import re
import signal
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are POSIX", allow_module_level=True)

from tests.cli import runner
from tests.records import strip_checksums
from tests.terminal.terminals import ENTER_SCREEN, LEAVE_SCREEN, Terminal

import upcard
from upcard.terminal.table_setup import new_table

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1bOD"
MATCH = [
    "play",
    "euchre",
    "--seed",
    "3",
    "--level",
    "simple",
    "--to",
    "3",
    "--engine",
    "reference",
    "--pace",
    "0",
]


def in_lines(arguments: list[str], answers: str, data: Path) -> runner.Done[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UPCARD_DATA", str(data))
        return runner.upcard(*arguments, given=answers)


def record(data: Path) -> list[dict[str, object]]:
    (file,) = (data / "matches").glob("*.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def hand(screen: str) -> list[str]:
    return [line[:45].rstrip() for line in screen.split("\n")[15:19]]


def test_a_match_is_played_by_keys_interrupted_and_resumed(tmp_path: Path) -> None:
    with Terminal(MATCH, tmp_path) as table:
        assert "Fingerprint of the seed" in table.wait_for("Press Enter to begin")
        assert ENTER_SCREEN in table.output
        first = table.pressed("\r", "or pass?")
        for wanted in (
            "Euchre to 3 · hand 1",
            "Q♦ is turned up",
            "East (dealer)",
            "North (partner)",
            "│  K♥  │",
        ):
            assert wanted in first
        assert len(table.lines) == 24
        assert max(map(len, table.lines)) <= 80

        # larger, too small, and back: the same table
        table.resize(100, 30)
        table.wait_for(lambda text: len(text.split("\n")) == 30)
        table.resize(60, 20)
        assert "This table needs 80 columns" in table.wait_for("Make it")
        table.resize(80, 24)
        assert table.wait_for("or pass?") == first

        # a pass, then a card in the middle of the first hand
        table.pressed("\r", "Your turn: play a card.")
        table.press("\r")
        before = table.wait_for(lambda text: "they 1" in text and "Your turn: play a card." in text)
        table.press("\x03")
        assert table.ended() == 130
        assert "everything is saved, and upcard play --resume resumes the match" in table.after
        assert table.output.count(ENTER_SCREEN) == table.output.count(LEAVE_SCREEN)

    with Terminal(["play", "--resume", "--engine", "reference", "--pace", "0"], tmp_path) as again:
        again.wait_for("Resuming the saved match.")
        assert hand(again.pressed("\r", "Your turn: play a card.")) == hand(before)
        assert again.lines[:2] == before.split("\n")[:2]
        again.press("\r" * 80)
        assert again.ended() == 0
        assert "win the match." in again.after
        assert "The seed was 3" in again.after

    # by other ways the same choices lead to the same record, but for the salt
    lines = tmp_path / "lines"
    said = in_lines([*MATCH, "--plain"], "1\n" * 200, lines)
    assert said.returncode == 0, said.stderr
    assert record(tmp_path)[1:] == record(lines)[1:]


def test_arrows_numbers_cards_and_words(tmp_path: Path) -> None:
    with Terminal([*MATCH, "--ascii"], tmp_path, NO_COLOR="1") as table:
        table.wait_for("Press Enter to begin")
        assert "> 1 pass" in table.pressed("\r", "or pass?")
        assert "\x1b[0;" not in table.output, "no colour was asked for"
        table.pressed(DOWN, "> 2 order it up")
        table.pressed(RIGHT, "> 3 order it up and")
        table.pressed(DOWN, "> 1 pass")
        table.pressed(UP, "> 3 order it up and")
        table.pressed(LEFT, "> 2 order it up")
        table.pressed("3", "> 3 order it up and")
        table.pressed("\x7f7\r", "There is no 7 here; enter a number from 1 to 3")
        table.pressed("xyz\r", "Xyz is not a choice here")
        table.pressed("\x1b[200~pass\r", "Your turn: play a card.")
        table.pressed("js", "You do not hold Js")
        table.press("9d")  # played as soon as it is named
        table.wait_for(lambda text: "they 1" in text and "Your turn: play a card." in text)
        table.pressed("u", "The last trick:")
        assert "South played 9d" in table.text
        table.pressed("c", "Not granted")
        table.pressed("-", "shown for 0.2 seconds")
        table.pressed("+", "shown for 0.1 seconds")
        table.pressed("+", "shown for 0.0 seconds")
        table.pressed("?", "explain the keys")
        table.pressed("\r", "Your turn")
        table.pressed("r", "Euchre: the rules")
        table.pressed(DOWN + "\x1b[6~", "euchred, and the defenders score 2")
        table.pressed("\x1b", "Your turn")
        assert table.text.isascii()
        table.press("q")
        assert table.ended() == 0
        assert "Saved. upcard play --resume resumes the match." in table.after


def test_q_may_be_a_queen(tmp_path: Path) -> None:
    """With a queen to choose q waits for its suit; without one to come it quits."""
    arguments = ["play", "whist", "--seed", "1", "--level", "random", "--engine", "reference", "--pace", "0"]
    with Terminal(arguments, tmp_path) as table:
        table.wait_for("Press Enter to begin")
        queen = re.search("play Q(.)", table.pressed("\r", "Your turn: play a card."))
        assert queen is not None
        suit = {"♠": "s", "♥": "h", "♣": "c", "♦": "d"}[queen[1]]
        table.pressed("q" + suit, f"South plays Q{queen[1]}.")
        table.wait_for("Your turn")
        table.press("q")
        assert table.ended() == 0
        assert "Saved." in table.after


@pytest.mark.parametrize("game", ["euchre", "rummy"])
def test_random_keys_do_no_harm(game: str, tmp_path: Path) -> None:
    """Whatever is pressed, and however the window changes meanwhile: no traceback, and it can be left."""
    chance = random.Random(game)
    arguments = ["play", game, "--seed", "4", "--level", "random", "--engine", "reference", "--pace", "0"]
    pieces = [
        UP,
        DOWN,
        LEFT,
        RIGHT,
        "\r",
        "\x1b",
        "\x7f",
        "\t",
        " ",
        "?",
        "h",
        "u",
        "c",
        "r",
        "v",
        "1",
        "2",
        "10",
    ]
    pieces += ["js", "ä", "\x1b[99;99~", "\x1b[", "\x1bOx", "\x00", "zz\r", "99\r", "♠", "9h", "7"]
    with Terminal(arguments, tmp_path) as table:
        table.wait_for("Press Enter to begin")
        for turn in range(60):
            table.press("".join(chance.choices(pieces, k=8)))
            if turn % 10 == 0:
                table.resize(chance.choice([20, 79, 80, 140]), chance.choice([5, 24, 50]))
        table.resize(80, 24)
        table.press("\x03")
        assert table.ended() == 130, table.output[-2000:]
        assert "Traceback" not in table.output


def test_a_closed_window_loses_nothing(tmp_path: Path) -> None:
    with Terminal(MATCH, tmp_path) as table:
        table.wait_for("Press Enter to begin")
        table.pressed("\r", "or pass?")
        table.pressed("\r", "Your turn: play a card.")
        table.send_signal(signal.SIGHUP)
        assert table.ended() == 130
    assert [line["do"] for line in record(tmp_path)][:3] == ["match", "deal", "decision"]


def test_a_pipe_gets_the_plain_interface(tmp_path: Path) -> None:
    said = in_lines([*MATCH], "?\nzzz\n\nq\n", tmp_path)
    assert said.returncode == 0
    assert "\x1b" not in said.stdout
    assert "Zzz is not a choice here; enter a number from 1 to 3, or ? for the keys." in said.stdout
    assert said.stdout.count("or pass?") == 2, "once, and once more for Enter alone"
    assert said.stdout.endswith("Saved. upcard play --resume resumes the match.\n")
    again = in_lines(["play", "--resume", "--engine", "reference"], "", tmp_path)
    assert "South is dealt 10♦ 10♣ 9♦ A♦ K♥." in again.stdout, "the hand in progress is told again"


@pytest.mark.parametrize("level", ["pimc:7", "casual:3"])
def test_a_level_may_have_a_budget_and_keeps_it(level: str, tmp_path: Path) -> None:
    """Every name that the arena takes; a match that goes on has the same player at the table."""
    arguments = ["play", "kuhn-poker", "--seed", "3", "--level", level, "--plain"]
    first = in_lines(arguments, "q\n", tmp_path)
    assert first.returncode == 0, first.stderr
    assert f": {level}." in first.stdout
    again = in_lines(["play", "--resume", "--plain"], "1\n" * 50, tmp_path)
    assert again.returncode == 0, again.stderr
    assert f": {level}." in again.stdout
    (file,) = (tmp_path / "matches").glob("*.jsonl")
    assert in_lines(["replay", str(file)], "", tmp_path).returncode == 0


def test_every_player_at_the_table_gets_the_budget() -> None:
    game = upcard.load("euchre", engine="reference")
    table, _ = new_table(game, 0, "simple:7", None, 1, "salt", "euchre")
    assert [participant.budget.playouts for participant in table.participants] == [None, 7, None, 7]


def test_the_record_is_checked_against_its_fingerprint(tmp_path: Path) -> None:
    said = in_lines([*MATCH, "--plain"], "1\n" * 200, tmp_path)
    mark = next(line for line in said.stdout.splitlines() if line.startswith("Fingerprint of the seed"))[25:]
    assert f"Fingerprint: {mark}" in said.stdout
    (file,) = (tmp_path / "matches").glob("*.jsonl")
    held = in_lines(["replay", str(file)], "", tmp_path)
    assert held.returncode == 0, held.stderr
    assert f"The fingerprint {mark}" in held.stdout
    strip_checksums(file)  # a forger can make his own
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"seed":3', '"seed":4', 1), encoding="utf-8")
    other = in_lines(["replay", str(file)], "", tmp_path)
    assert other.returncode == 1
    assert other.stderr.startswith(f"upcard: {file}, line ")
    file.write_text(text.replace(mark, "0" * 64), encoding="utf-8")
    forged = in_lines(["replay", str(file)], "", tmp_path)
    assert forged.returncode == 1
    assert "was published" in forged.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["play"], 2, "name a game, as in upcard play euchre"),
        (["play", "--resume"], 1, "there is no unfinished match in"),
        (
            ["play", "--resume", "--seed", "3", "--rule", "stick=no"],
            2,
            "keeps its settings; leave out --seed and --rule",
        ),
        (["play", "euchre", "--resume"], 1, "there is no unfinished match of euchre"),
        (
            ["play", "euchre", "--seat", "9"],
            2,
            "there is no seat 9; euchre has 0 to 3: South, West, North, East",
        ),
        (["play", "euchre", "--seat", "weft"], 2, "there is no seat weft"),
        (["play", "euchre", "--level", "strog"], 2, "did you mean strong?"),
        (
            ["play", "euchre", "--level", "nobody"],
            2,
            "there is no player called nobody; the players are bidder, blend",
        ),
        (["play", "euchre", "--level", "pimc:0"], 2, "pimc:0 has an invalid budget; write 1000"),
        (["play", "euchre", "--level", "cmd:./nothing"], 2, "there is no program ./nothing that can be run"),
        (["play", "euchre", "--pace", "-1"], 2, "--pace is a number of seconds from 0 to 60"),
        (["play", "euchre", "--to", "0"], 2, "--to must be at least 1, not 0"),
        (["play", "eucre"], 2, "did you mean euchre?"),
        (["play", "euchre", "--rule", "stick=maybe"], 2, "stick must be yes or no, not maybe"),
    ],
)
def test_misuse_is_a_sentence(
    arguments: list[str], code: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from upcard.cli import main
    from upcard.cli.console import Stop

    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with pytest.raises(Stop) as stop:
        main.app(arguments, standalone_mode=False)
    assert stop.value.code == code
    assert sentence in stop.value.message
