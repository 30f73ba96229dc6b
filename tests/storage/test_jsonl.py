"""Append-only JSON lines: every flipped bit is found, one process writes, what was cut off goes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import records
from tests.arena.contests import contest, finished, told
from tests.cli.runner import upcard
from tests.study.studies import small_game

from upcard.arena.contest_run import Run
from upcard.recycle.diagnostics import Refused
from upcard.storage.jsonl import Contents, Damaged, Log, read, to_line, with_checksum
from upcard.storage.lock import Changed, Locked
from upcard.study.plan import Plan
from upcard.study.study_run import Study

needs_posix = pytest.mark.skipif(os.name != "posix", reason="named pipes, signals and limits are POSIX's")

LINES: list[dict[str, Any]] = [
    {"do": "arena", "names": ["Jo", "Zoë J*"]},
    {"do": "game", "n": 10},
    {"do": "end"},
]


def write(path: Path, lines: list[dict[str, Any]] = LINES) -> bytes:
    with Log(path, 0) as log:
        log.write(lines)
    return path.read_bytes()


def test_a_line_is_json_with_a_checksum_of_what_comes_before_it(tmp_path: Path) -> None:
    data = write(tmp_path / "r.jsonl")
    for record, line in zip(LINES, data.splitlines(), strict=True):
        crc = json.loads(line)["crc"]
        assert json.loads(line) == {**record, "crc": crc}
        assert int(crc, 16) == zlib.crc32(line.partition(b',"crc"')[0])
    assert read(tmp_path / "r.jsonl") == Contents([to_line(line) for line in LINES])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_flipped_bit_is_named_with_file_and_line(tmp_path: Path, count: int) -> None:
    path = tmp_path / "r.jsonl"
    data = write(path, LINES[:count])
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        line = data.count(b"\n", 0, bit // 8) + 1
        with pytest.raises(Damaged, match=r"r\.jsonl, line \d: ") as raised:
            read(path)
        split = damaged[bit // 8] == ord("\n")  # then the second half of the line may be named
        assert raised.value.number in (line, line + split), (bit, bytes(damaged))


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def arena(folder: Path) -> tuple[Path, Callable[[], object]]:
    made, path = contest("kuhn-poker", "first,random", 2), folder / "r.jsonl"
    assert len(list(Run(made, path).play(1))) == 4
    return path, lambda: Run(made, path)


def study(folder: Path, part: str) -> tuple[Path, Callable[[], object]]:
    plan = Plan.of(small_game(folder), 120, 7)
    list(Study(plan, folder / "study").play(1))
    return folder / "study" / "record" / f"{part}.jsonl", lambda: Study(plan, folder / "study")


def match(folder: Path) -> tuple[Path, Callable[[], object]]:
    arguments = ("match", "kuhn-poker", "--seed", "5", "--record", "m.jsonl")
    assert upcard(*arguments, cwd=folder).returncode == 0

    def again() -> None:
        done = upcard(*arguments, cwd=folder)
        assert done.returncode == 1, done.stderr
        raise Refused(done.stderr)

    return folder / "m.jsonl", again


@pytest.mark.parametrize(
    "made",
    [arena, lambda folder: study(folder, "random"), lambda folder: study(folder, "sums"), match],
    ids=["arena", "study", "sums", "match"],
)
def test_a_damaged_record_is_named_and_left_as_it_is(
    tmp_path: Path, made: Callable[[Path], tuple[Path, Callable[[], object]]]
) -> None:
    """In the middle of each line, numbers and names alike: a flipped digit is as valid JSON as any."""
    path, again = made(tmp_path)
    data = path.read_bytes()
    at = 0
    for number, line in enumerate(data.splitlines(keepends=True)[:3], 1):
        digit = next(i for i, byte in enumerate(line) if 48 <= byte <= 57)
        for place in (digit, len(line) // 2, len(line) - 3):
            damaged = flipped(data, at + place)
            path.write_bytes(damaged)
            with pytest.raises(Refused, match=rf"{path.name}, line {number}: the checksum does not match"):
                again()
            assert path.read_bytes() == damaged
        at += len(line)


def test_records_without_checksums_are_gone_on_with(tmp_path: Path) -> None:
    """As the version before wrote them: old lines stay as they are, new ones have checksums."""
    made = contest("kuhn-poker", "first,random", 3)
    path = tmp_path / "r.jsonl"
    list(Run(made, path).play(1))
    records.strip_checksums(path)
    old = path.read_bytes()
    assert b"crc" not in old
    assert told(Run(made, path)) == told(finished(made))
    three = b"".join(old.splitlines(keepends=True)[:3])
    for torn in (b"", b'{"do":"ga'):
        path.write_bytes(three + torn)
        run = Run(made, path)
        assert run.resumed == 2
        list(run.play(1))
        assert told(run) == told(finished(made))
        assert path.read_bytes().startswith(three)
        assert path.read_bytes().count(b'"crc"') == len(old.splitlines()) - 3
        assert told(Run(made, path)) == told(run)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = old.splitlines(keepends=True)[4]
    path.write_bytes(b"".join(lines))
    with pytest.raises(Damaged, match="line 5: the checksum is missing"):
        Run(made, path)


def test_a_line_without_its_line_feed_is_whole_and_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    data = write(path)
    for whole in (data, to_line(LINES[0]).encode() + b"\n"):
        path.write_bytes(whole[:-1])
        there = read(path)
        assert not there.ended
        Log(path, len(there.lines)).close()
        assert path.read_bytes() == whole


def test_cut_off_anywhere_only_the_torn_line_goes(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    data = write(path)
    for end in range(len(data)):
        path.write_bytes(data[:end])
        there = read(path)
        assert there.fits("arena")
        lines = (data[:end] + b"\n").count(b"}\n")
        assert there.lines == [to_line(line) for line in LINES[:lines]]
        with Log(path, lines) as log:
            log.write(LINES[lines:])
        assert path.read_bytes() == data


@pytest.mark.parametrize("text", ["my notes", '{"do":"match"', "{'do'"])
def test_something_else_is_no_beginning_of_a_record(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    assert not read(path).fits("arena")


def test_what_utf_8_cannot_write_is_written_as_json_can(tmp_path: Path) -> None:
    record = {"do": "x", "why": "\ud800", "more": "\u2028\x85"}
    (line,) = write(tmp_path / "r.jsonl", [record]).splitlines()
    assert line == with_checksum(record)
    (text,) = read(tmp_path / "r.jsonl").lines
    assert json.loads(text) == record


# --- one writer ---------------------------------------------------------------------------------

HOLD = """
import sys, time
from pathlib import Path
from upcard.storage.jsonl import Log
log = Log(Path(sys.argv[1]), 0)
log.write([{"do": "arena", "pid": 1}])
print("held", flush=True)
time.sleep(600)
"""


@needs_posix
@pytest.mark.parametrize("ended_by", ["SIGKILL", "SIGINT"])
def test_a_second_process_is_refused_and_the_lock_ends_with_the_first(tmp_path: Path, ended_by: str) -> None:
    path = tmp_path / "r.jsonl"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert holder.stdout is not None
    with holder:
        try:
            assert holder.stdout.readline() == b"held\n"
            with pytest.raises(
                Locked, match=r"r\.jsonl is being written by another process; wait for it to finish"
            ):
                Log(path, 1)
            assert len(read(path).lines) == 1  # reading goes on meanwhile
        finally:
            holder.send_signal(signal.Signals[ended_by])
    with Log(path, 1) as log:
        log.write([{"do": "end"}])
    assert len(read(path).lines) == 2


def test_lines_that_came_between_reading_and_writing_are_noticed(tmp_path: Path) -> None:
    made, path = contest("kuhn-poker", "first,random", 3), tmp_path / "r.jsonl"
    late = Run(made, path)
    list(Run(made, path).play(1))
    whole = path.read_bytes()
    with pytest.raises(Changed, match=r"r\.jsonl was changed by another process; run the same command again"):
        list(late.play(1))
    assert path.read_bytes() == whole


def test_a_second_contest_match_study_or_table_says_which_file_is_locked(tmp_path: Path) -> None:
    (tmp_path / "s" / "record").mkdir(parents=True)
    commands = {
        "a.jsonl": "arena kuhn-poker --players random,random --deals 2 --record a.jsonl",
        "m.jsonl": "match kuhn-poker --record m.jsonl",
        "s/record/lock": "study kuhn-poker --games 20 --no-figures -o s",
        "t.jsonl": "play kuhn-poker --plain --record t.jsonl",
    }
    for name, command in commands.items():
        with Log(tmp_path / name, 0):
            done = upcard(*command.split(), cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        what = "s" if name.startswith("s/") else name
        assert done.stderr.splitlines()[-1].startswith(
            f"upcard: {what} is being written by another process; "
        )
        assert not (tmp_path / name).stat().st_size
        assert upcard(*command.split(), cwd=tmp_path, given="q\n").returncode == 0


@needs_posix
def test_a_failed_write_leaves_whole_lines(tmp_path: Path) -> None:
    """The system takes a part of a line and then no more: what it took is taken back."""
    import resource

    path = tmp_path / "r.jsonl"
    data = write(path)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with Log(path, 3) as log:
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(data) + 20, before[1]))
            with pytest.raises(OSError, match="too large") as raised:
                log.write([{"do": "more", "text": "x" * 100}])
            assert raised.value.filename == str(path)
            assert path.read_bytes() == data
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            log.write([{"do": "end"}])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert len(read(path).lines) == 4


@needs_posix
def test_a_record_can_be_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with Log(path, 0) as log:
            log.write(LINES)
        assert os.read(reader, 10_000).count(b"\n") == 3
    finally:
        os.close(reader)
