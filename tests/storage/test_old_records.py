"""Records of every kind: those of the version before checksums still read, and every flipped bit is named.

`old/` holds small records that the version before wrote; nobody writes them anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.runner import upcard
from tests.faults.scenarios import saltless

from upcard.match import match_record
from upcard.storage import jsonl

OLD = Path(__file__).parent / "old"
ARENA = "arena kuhn-poker --players random,random --deals 2 --seed 3 --workers 1 --record arena.jsonl"
MATCH = "match kuhn-poker --seed 5 --record match.jsonl"
STUDY = (
    "study kuhn-poker --games 102 --seed 5 --players random,random --search-games 2 --no-figures --no-rows "
    "--workers 1 -o study"
)
PLAY = "play --plain --resume --record table.jsonl"
COMMANDS = {"arena.jsonl": ARENA, "match.jsonl": MATCH, "table.jsonl": PLAY}
PARTS = [f"study/record/{part}.jsonl" for part in ("random", "searching", "order", "skill", "sums")]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("lines", [1, 3, 4])
def test_an_old_record_is_gone_on_with(tmp_path: Path, name: str, lines: int) -> None:
    """To the same end, its old lines as they were, the new ones with checksums."""
    begun = b"".join((OLD / name).read_bytes().splitlines(keepends=True)[:lines])
    (tmp_path / name).write_bytes(begun)
    done = upcard(*COMMANDS[name].split(), cwd=tmp_path, given="1\n" * 200)
    assert (done.returncode, done.stderr) == (0, "")
    data = (tmp_path / name).read_bytes()
    assert data.startswith(begun)
    assert saltless(tmp_path / name) == saltless(OLD / name)
    assert data.count(b',"crc":"') == data.count(b"\n") - lines


@pytest.mark.parametrize("part", PARTS)
def test_an_old_study_is_gone_on_with(tmp_path: Path, part: str) -> None:
    shutil.copytree(OLD / "study", tmp_path / "study")
    begun = b"".join((OLD / part).read_bytes().splitlines(keepends=True)[:2])
    (tmp_path / part).write_bytes(begun)
    done = upcard(*STUDY.split(), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / part).read_bytes().startswith(begun)
    for name in PARTS:
        assert saltless(tmp_path / name) == saltless(OLD / name)


@pytest.mark.parametrize("name", ["match.jsonl", "table.jsonl", "transcript.jsonl"])
def test_an_old_record_is_played_again(name: str) -> None:
    done = upcard("replay", str(OLD / name))
    assert (done.returncode, done.stderr) == (0, "")


def of_today(folder: Path) -> dict[str, Path]:
    """A record of each kind, written now."""
    for command in (ARENA, MATCH, STUDY, "play kuhn-poker --plain --level random --record table.jsonl"):
        done = upcard(*command.split(), cwd=folder, given="1\n" * 200)
        assert done.returncode == 0, done.stderr
    return {name: folder / name for name in (*COMMANDS, *PARTS)}


def test_every_flipped_bit_of_every_kind_is_named(tmp_path: Path) -> None:
    """By file and line, whichever of the first lines it is in: none is read as something else."""
    readers: dict[str, Callable[[Path], object]] = {
        "match.jsonl": match_record.read,
        "table.jsonl": match_record.read,
    }
    today = of_today(tmp_path)
    assert set(readers) < set(today)
    for name, path in today.items():
        reader = readers.get(name, jsonl.read)
        data = b"".join(path.read_bytes().splitlines(keepends=True)[:3])
        path.write_bytes(data)
        reader(path)
        with path.open("r+b", buffering=0) as file:
            for bit in range(8 * len(data)):
                file.seek(bit // 8)
                file.write(bytes([data[bit // 8] ^ 1 << bit % 8]))
                with pytest.raises(jsonl.Damaged) as raised:
                    reader(path)
                assert str(raised.value).startswith(f"{path}, line ")
                file.seek(bit // 8)
                file.write(data[bit // 8 : bit // 8 + 1])
