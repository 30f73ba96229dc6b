"""`upcard course` as the course's own program would behave."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.runner import process_bytes
from tests.cli.runner import upcard_bytes as upcard
from tests.course.course_games import STANDARD_GAME, arguments, legal, second_opinion

from upcard.course.course_game import USAGE
from upcard.course.pack import pack_text
from upcard.euchre.euchre_cards import STANDARD


def test_a_game_of_simple_players_byte_for_byte(table: Path) -> None:
    done = process_bytes("course", *arguments(), cwd=table)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == STANDARD_GAME


def test_a_human_answers_on_standard_input_in_words_between_any_spaces(table: Path) -> None:
    done = process_bytes("course", *arguments("SHSS"), cwd=table, given=b"pass\tHearts\r\n 2\n\n0 0 1 0")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    prompts = [line for line in text.splitlines() if line.startswith("Human player Barbara")]
    assert len(prompts) == 6 + 6 + 6 + 5 + 4 + 3 + 2
    # Barbara played as Simple would have, so without the prompts it is that game
    kept = [line for line in text.splitlines(keepends=True) if not line.startswith("Human player")]
    assert "".join(kept[1:]) == STANDARD_GAME.split("\n", 1)[1]


def test_four_humans_answer_in_turn_on_one_standard_input(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = arguments("HHHH")
    answers = legal(given, STANDARD, "pass pass pass pass pass pass pass Clubs " + "0 0 0 0 " * 5)
    done = upcard("course", *given, cwd=table, given=answers.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    printed = done.stdout.decode()
    expected = second_opinion(given, STANDARD, answers, table, monkeypatch)
    assert printed == "".join(f"{line}\n" for line in expected)
    assert "Adi orders up Clubs\n\n" in printed


def test_the_bytes_of_a_name_are_kept(table: Path) -> None:
    done = process_bytes("course", *arguments(names=("--help", "-x", "Zoë", "--")), cwd=table)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == (
        "./euchre.exe pack.in noshuffle 1 --help Simple -x Simple Zoë Simple -- Simple ".encode()
    )
    assert b"-- takes the trick\n" in done.stdout


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["pack.in"],
        arguments()[:-1],
        [*arguments(), "more"],
        arguments(points=0),
        arguments(points=101),
        arguments(order="riffle"),
        [*arguments()[:-1], "simple"],
        ["missing.in", *arguments(points=0)[1:]],
    ],
)
def test_the_usage_line_is_all_that_is_printed(table: Path, given: list[str]) -> None:
    done = upcard("course", *given, cwd=table)
    assert done.returncode == 2
    assert done.stdout.decode() == USAGE + "\n"
    assert done.stderr == b""


def test_the_usage_line_is_the_courses(table: Path) -> None:
    page = Path(__file__).resolve().parents[3] / "shared" / "euchre.md"
    if not page.is_file():
        pytest.skip("the description of the course game lies outside the project, in ../shared, not here")
    assert f"    {USAGE}\n" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["missing.in", ".", ""])
def test_a_pack_that_cannot_be_opened(table: Path, name: str) -> None:
    done = upcard("course", name, *arguments()[1:], cwd=table)
    assert done.returncode == 2
    assert done.stdout.decode() == f"Error opening {name}\n"
    assert done.stderr == b""


def test_a_pack_with_23_cards_is_one_sentence(table: Path) -> None:
    (table / "pack.in").write_text(pack_text(STANDARD[:-1]), encoding="utf-8")
    done = upcard("course", *arguments(), cwd=table)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.decode() == (
        "upcard: pack.in, line 23: a pack has 24 cards, but this one has 23; the Ace of Diamonds is missing\n"
    )


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        (b"pass", "standard input ended where Chi-Chih was to answer"),
        (b"", "standard input ended where Chi-Chih was to answer"),
        (b"pass 0", "Chi-Chih cannot answer '0' here; possible: 3 or 4"),
        (b"\xff", "Chi-Chih cannot answer "),
    ],
)
def test_output_before_a_wrong_answer_is_kept(table: Path, answers: bytes, sentence: str) -> None:
    done = upcard("course", *arguments("SSHS"), cwd=table, given=answers)
    assert done.returncode == 2
    assert done.stdout.decode().splitlines()[-1].startswith("Human player Chi-Chih, please ")
    assert done.stderr.decode().startswith(f"upcard: {sentence}")
    assert done.stderr.count(b"\n") == 1


def test_a_closed_pipe_shows_no_traceback(table: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "upcard.cli.main", "course", *arguments(points=30)],
        cwd=table,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=100)
    assert b"Traceback" not in said


def test_simple_players_play_matches(tmp_path: Path) -> None:
    done = upcard("match", "euchre", "--players", "simple,random", "--engine", "reference", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = upcard("match", "whist", "--players", "simple", "--engine", "reference", cwd=tmp_path)
    assert done.returncode == 2
    assert b"plays only Euchre" in done.stderr
