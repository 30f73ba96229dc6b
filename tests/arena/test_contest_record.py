"""Records of contests: cut off anywhere, they are gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import records
from tests.arena.contests import contest, finished, timeless, told

from upcard.arena.contest import Contest
from upcard.arena.contest_record import OtherContest
from upcard.arena.contest_run import Run
from upcard.storage.jsonl import read


def recorded(made: Contest, path: Path) -> Run:
    run = Run(made, path)
    for _ in run.play(1):
        pass
    return run


MADE = {"game": "kuhn-poker", "players": "first,fainting,random", "deals": 3}


@pytest.mark.parametrize("sprt", [None, (-0.5, 0.5)])
def test_cut_off_anywhere_it_goes_on(tmp_path: Path, sprt: tuple[float, float] | None) -> None:
    made = contest("kuhn-poker", "first,last", 60, sprt=sprt) if sprt else contest(**MADE)  # type: ignore[arg-type]
    whole = tmp_path / "whole.jsonl"
    first = recorded(made, whole)
    assert told(first) == told(finished(made))
    text = whole.read_bytes()
    ends = [i for i, byte in enumerate(text) if byte == 10]
    cuts = {0, 40, ends[0], ends[0] + 1, ends[1] + 5, ends[7] + 1, ends[8] - 1, ends[-2] + 3, len(text)}
    for cut in sorted(cuts):
        path = tmp_path / f"cut{cut}.jsonl"
        path.write_bytes(text[:cut])
        again = recorded(made, path)
        assert records.timeless(path) == records.timeless(whole), cut
        assert told(again) == told(first)
        assert timeless(again.results.games) == timeless(first.results.games)
        assert again.resumed == max(0, text[:cut].count(b"\n") - 1)
        assert again.stopping == first.stopping


def test_every_game_is_on_disk_before_it_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    for number, _ in enumerate(Run(contest(**MADE), path).play(1), 1):  # type: ignore[arg-type]
        assert len(path.read_text().splitlines()) == number + 1
    assert len(path.read_text().splitlines()) > 2


@pytest.mark.parametrize(
    "change, said",
    [
        ({"seed": 2}, r"--seed was different \(1\)"),
        ({"deals": 4}, r"--deals was different \(3\)"),
        ({"players": "first,last,random"}, r"--players was different \(first,fainting,random\)"),
        ({"game": "leduc-holdem"}, r"the game was different \(kuhn-poker\)"),
        ({"matches": True}, "was different"),
        ({"patience": 3.0}, r"--patience was different \(10.0\)"),
        ({"ladder": True}, "who plays whom was different"),
    ],
)
def test_another_contest_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = tmp_path / "r.jsonl"
    recorded(contest(**MADE), path)  # type: ignore[arg-type]
    before = path.read_bytes()
    with pytest.raises(OtherContest, match=said):
        Run(contest(**{**MADE, **change}), path)
    assert path.read_bytes() == before


def test_a_player_s_file_that_has_changed_is_noticed(tmp_path: Path) -> None:
    from dataclasses import replace

    made, path = contest(**MADE), tmp_path / "r.jsonl"  # type: ignore[arg-type]
    recorded(made, path)
    first, *others = made.players
    with pytest.raises(OtherContest, match="a player's file was different"):
        Run(replace(made, players=(replace(first, digest="other"), *others)), path)


@pytest.mark.parametrize(
    "text, said",
    [
        ("not a record\n", "is not the record of a contest"),
        ("not a record", "is not the record of a contest"),
        ('{"do":"match"}\n', "is not the record of a contest"),
    ],
)
def test_something_else_is_left_alone(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(OtherContest, match=said):
        Run(contest(**MADE), path)  # type: ignore[arg-type]
    assert path.read_text() == text


@pytest.mark.parametrize("wrong", ['{"do":"game"}', "nonsense", "{}"])
def test_a_line_that_does_not_belong_is_named(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "r.jsonl"
    recorded(contest(**MADE), path)  # type: ignore[arg-type]
    records.strip_checksums(path)
    text = path.read_text().splitlines()
    for changed in ([*text[:3], wrong, *text[4:]], [*text[:3], *text[4:]], [*text, text[-1]]):
        path.write_text("\n".join(changed) + "\n")
        with pytest.raises(
            OtherContest,
            match=r"line \d+: (this is not|this line does not describe a game|index|this line is more than)",
        ):
            Run(contest(**MADE), path)  # type: ignore[arg-type]


FORFEIT = {"player": 0, "place": 0, "seat": 0, "dealt": 1, "decision": 0, "why": "failed"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ending": 5}, 'ending must be "finished", "stuck", .* or "forfeit", not 5'),
        ({"ending": "forfeit"}, "forfeit is missing, but the game ended with one"),
        ({"shares": "x"}, 'shares must be a list where .*, not "x"'),
        ({"shares": [1, 2]}, r"shares\[1\] must be a number, at least 0 and at most 1, not 2"),
        ({"shares": [1]}, "shares must be a list of 2, one for each place"),
        ({"points": None}, "points must be a list, since no player forfeited"),
        ({"points": [1e400, 0]}, "Infinity is not a valid JSON number"),
        ({"scores": []}, "scores must be a list of 2"),
        ({"seconds": [0, -1]}, r"seconds\[1\] must be a number, at least 0, not -1"),
        ({"dealt": 10**30}, "dealt must be a whole number, at least 1 and at most 4096"),
        ({"forfeit": 5}, "forfeit must be a table of player, place, .*, not 5"),
        ({"forfeit": {"player": 0}}, "forfeit.place is missing; it must be a whole number"),
        ({"forfeit": FORFEIT}, 'ending must be "forfeit"'),
        ({"forfeit": FORFEIT, "ending": "forfeit"}, "points must be null"),
        (
            {"forfeit": {**FORFEIT, "place": 2}, "ending": "forfeit", "points": None, "scores": []},
            "forfeit.place must be less than 2",
        ),
        (
            {"forfeit": {**FORFEIT, "player": 1}, "ending": "forfeit", "points": None, "scores": []},
            "forfeit.player must be the player who sat there, 0",
        ),
        ({"more": 1}, "more is not a known key"),
        ({"why": "\ud800"}, "a string contains half a character"),
    ],
)
def test_a_value_that_does_not_fit_is_named(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    path = tmp_path / "r.jsonl"
    recorded(contest(**MADE), path)  # type: ignore[arg-type]
    lines = read(path).lines
    changed = {**json.loads(lines[1]), **changes}
    path.write_text("\n".join([lines[0], json.dumps(changed)]) + "\n")
    with pytest.raises(OtherContest, match=f"r.jsonl, line 2: {said}.*; choose another file"):
        Run(contest(**MADE), path)  # type: ignore[arg-type]
