"""Errors of the command line itself: one sentence, what to do, exit code 2."""

from __future__ import annotations

import pytest
from tests.cli.runner import process, upcard


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["nonsense"], "there is no command nonsense; upcard -h lists the commands"),
        (["simulat"], "there is no command simulat; did you mean simulate?"),
        (["sim"], "there is no command sim; did you mean simulate?"),
        (["Study"], "there is no command Study; did you mean study?"),
        (["euchre"], "there is no command euchre; to play the game: upcard play euchre"),
        (["--nope"], "there is no option --nope; see upcard -h"),
        (["watch", "euchre", "-x"], "there is no option -x; see upcard watch -h"),
        (
            ["simulate", "euchre", "--gmaes", "3"],
            "there is no option --gmaes; did you mean --games? See upcard simulate -h",
        ),
        (
            ["arena", "euchre", "--player", "x"],
            "there is no option --player; did you mean --players? See upcard arena -h",
        ),
        (["watch"], "GAME is missing; try upcard watch euchre, or see upcard watch -h"),
        (["explain"], "CODE is missing; try upcard explain E301, or see upcard explain -h"),
        (
            ["site"],
            "--output is missing; try upcard site -o public kuhn-poker leduc-holdem, or see upcard site -h",
        ),
        (["simulate", "euchre", "--games"], "--games needs a value; see upcard simulate -h"),
        (["watch", "euchre", "--ascii=3"], "--ascii takes no value; see upcard watch -h"),
        (
            ["simulate", "euchre", "--games", "ten"],
            "--games is a whole number, not ten; see upcard simulate -h",
        ),
        (["play", "euchre", "--pace", "slow"], "--pace is a number, not slow; see upcard play -h"),
        (["watch", "euchre", "whist"], "there are too many arguments: whist; see upcard watch -h"),
    ],
)
def test_a_usage_error_is_one_sentence(words: list[str], sentence: str) -> None:
    done = upcard(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"upcard: {sentence}\n")


def test_in_a_process_of_its_own() -> None:
    done = process("simulate", "euchre", "--game", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "upcard: there is no option --game; did you mean --games? See upcard simulate -h\n"
