"""Files replaced as a whole: whatever fails, the old contents or the new are there, and nothing else."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from upcard.storage.atomic_write import atomic_writer, write_text

needs_posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and limits are POSIX's")

LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv[0:2] = ["upcard"]
from upcard.cli.main import main
main()
"""
UNTIDY = "(game (setup (players 2)\n(teams (0) (1)) )\n    (stage player (end (== 1 1)) (do ())))\n"


def limited(most: int, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command whose files can take so many bytes and no more, as on a disk that is full."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(most), *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "UPCARD_CACHE": "off"},
    )


@needs_posix
@pytest.mark.parametrize("most", [0, 10])
def test_fmt_on_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, most: int) -> None:
    path = tmp_path / "game.rcy"
    path.write_text(UNTIDY)
    done = limited(most, "fmt", "game.rcy", cwd=tmp_path)
    told = "upcard: game.rcy: file too large; free some space and try again\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)
    assert path.read_text() == UNTIDY
    assert os.listdir(tmp_path) == ["game.rcy"]


@needs_posix
@pytest.mark.parametrize(
    "words",
    [("watch", "kuhn-poker", "--transcript", "old"), ("graph", "kuhn-poker", "--games", "5", "-o", "old")],
)
def test_other_files_are_left_as_they_were(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "old").write_text("what was there")
    done = limited(10, *words, "--engine", "reference", cwd=tmp_path)
    told = "upcard: old: file too large; free some space and try again\n"
    assert (done.returncode, done.stderr) == (1, told)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"old": "what was there"}


@needs_posix
def test_the_mode_stays_and_a_link_is_followed(tmp_path: Path) -> None:
    path, link = tmp_path / "text", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to("text")
    write_text(link, "new\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link", "text"]


@needs_posix
def test_a_private_file_is_new_whatever_was_there(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("of somebody else")
    link = tmp_path / "object"
    link.symlink_to("other")
    for _ in range(2):
        with atomic_writer(link, private=True) as file:
            file.write(b"code")
        assert not link.is_symlink()
        assert stat.S_IMODE(link.stat().st_mode) == 0o600
        link.chmod(0o666)
    assert (tmp_path / "other").read_text() == "of somebody else"


def test_an_error_or_ctrl_c_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("old")
    for error in (ValueError, KeyboardInterrupt):
        with suppress(error), atomic_writer(path) as file:
            file.write(b"half of the n")
            raise error
        assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"text": "old"}


@needs_posix
def test_what_a_killed_process_left_is_used_again(tmp_path: Path) -> None:
    code = """
import os, signal, sys
from pathlib import Path
from upcard.storage.atomic_write import atomic_writer
with atomic_writer(Path("text")) as file:
    file.write(b"x" * 100_000)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    (tmp_path / "text").write_text("old")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, timeout=100)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "text").read_text() == "old"
    write_text(tmp_path / "text", "new")
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"text": "new"}


@needs_posix
def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "text"
    with atomic_writer(path) as first, atomic_writer(path) as second:
        first.write(b"first")
        second.write(b"second")
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"text": "first"}
