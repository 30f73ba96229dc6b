"""Secrets and trust on the command line: contests with players from files can be repeated and resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import Done, upcard

from upcard.players.seeds import is_secret
from upcard.storage.jsonl import read

OWN = Path(__file__).resolve().parents[1] / "players" / "own.py"
PLAYERS = ("--players", f"{OWN}:Drawing,random")
ARENA = ("arena", "kuhn-poker", "--engine", "reference", "--workers", "1", "--deals", "3", "--seed", "2")
MATCH = ("match", "kuhn-poker", "--engine", "reference", "--to", "3", "--seed", "2")


def found(done: Done[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    for timed in ("seconds", "decisions_per_second", "resumed"):
        data.pop(timed, None)
    return data


def first_line(path: Path) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(read(path).lines[0])
    return line


@pytest.mark.parametrize("command", [ARENA, MATCH])
def test_a_record_keeps_the_secret_and_repeats_the_contest(command: tuple[str, ...], tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    begun = found(upcard(*command, *PLAYERS, "--record", str(record), "--json"))
    secret = first_line(record)["secret"]
    assert is_secret(secret)
    assert begun["secret"] == secret
    assert found(upcard(*command, *PLAYERS, "--secret", str(record), "--json")) == begun
    (tmp_path / "secret").write_text(f"{secret}\n")
    assert found(upcard(*command, *PLAYERS, "--secret", str(tmp_path / "secret"), "--json")) == begun
    assert found(upcard(*command, *PLAYERS, "--json"))["secret"] != secret


@pytest.mark.parametrize("command", [ARENA, MATCH])
def test_a_record_is_resumed(command: tuple[str, ...], tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    whole = found(upcard(*command, *PLAYERS, "--record", str(record), "--json"))
    text = record.read_bytes()
    record.write_bytes(b"".join(text.splitlines(keepends=True)[:3]))
    assert found(upcard(*command, *PLAYERS, "--record", str(record), "--json")) == whole
    (tmp_path / "secret").write_text("5e" * 32)
    other = upcard(*command, *PLAYERS, "--record", str(record), "--secret", str(tmp_path / "secret"))
    assert other.returncode == 2
    assert "secret" in other.stderr


def test_a_study_keeps_its_secret(tmp_path: Path) -> None:
    study = (
        "study",
        "kuhn-poker",
        "--games",
        "3",
        "--search-games",
        "2",
        *PLAYERS,
        "--no-rows",
        "--no-figures",
    )
    begun = found(upcard(*study, "-o", str(tmp_path / "one"), "--json"))
    records = tmp_path / "one" / "record"
    secrets = {first_line(path)["secret"] for path in records.glob("*.jsonl")}
    assert secrets == {begun["secret"]}
    again = found(
        upcard(*study, "-o", str(tmp_path / "two"), "--secret", str(records / "order.jsonl"), "--json")
    )
    assert again == begun
    assert found(upcard(*study, "-o", str(tmp_path / "one"), "--json")) == begun
    said = upcard(*study, "-o", str(tmp_path / "one"))
    assert "Deals come from the secret in the record; pass the record to --secret" in said.stdout


def test_trust_is_recorded_and_printed(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    said = upcard(*ARENA, *PLAYERS, "--trusted", "--record", str(record))
    assert "players from files and programs are trusted: they could know the cards" in said.stdout
    header = first_line(record)
    assert header["trusted"] is True
    assert "secret" not in header
    one, two = (found(upcard(*ARENA, *PLAYERS, "--trusted", "--json")) for _ in range(2))
    assert one == two
    other = upcard(*ARENA, *PLAYERS, "--record", str(record))
    assert other.returncode == 2
    assert "it has no secret, so only trusted players can continue it (--trusted)" in other.stderr


@pytest.mark.parametrize("command", [ARENA, MATCH])
def test_a_record_of_the_time_before_secrets_goes_on_with_trust(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    record = tmp_path / "r.jsonl"
    whole = found(upcard(*command, *PLAYERS, "--trusted", "--record", str(record), "--json"))
    lines = [json.loads(text) for text in read(record).lines]
    del lines[0]["trusted"]
    record.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines[:3]))
    assert found(upcard(*command, *PLAYERS, "--trusted", "--record", str(record), "--json")) == whole


@pytest.mark.parametrize(
    "words, said",
    [
        (("--players", "random,random", "--trusted"), "--trusted is for players from files and programs"),
        (("--players", "random,random", "--secret", "x"), "--secret has no effect here: the seed alone"),
        ((*PLAYERS, "--trusted", "--secret", "x"), "--secret has no effect here: trusted players need none"),
        ((*PLAYERS, "--secret", "no-such-file"), "no-such-file: no such file or directory"),
        ((*PLAYERS, "--secret", str(OWN)), "own.py holds no secret; --secret takes the record of a contest"),
    ],
)
@pytest.mark.parametrize("command", [ARENA, MATCH])
def test_misuse_is_one_sentence(command: tuple[str, ...], words: tuple[str, ...], said: str) -> None:
    done = upcard(*command, *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_a_match_at_the_table_deals_from_the_salt_that_was_promised(tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    play = ("play", "kuhn-poker", "--engine", "reference", "--plain", "--to", "2", "--seed", "3")
    said = upcard(*play, "--level", f"{OWN}:Drawing", "--record", str(record), given="1\n" * 200)
    assert said.returncode == 0, said.stderr
    header = first_line(record)
    assert header["secret"] == header["table"]["salt"]
    assert upcard("replay", str(record)).returncode == 0
    lines = [json.loads(text) for text in read(record).lines]
    lines[0]["secret"] = "5e" * 32
    record.write_text("".join(json.dumps(line) + "\n" for line in lines))
    rigged = upcard("replay", str(record))
    assert rigged.returncode == 1
    assert "secret must be the salt of the table, which the fingerprint promised" in rigged.stderr
