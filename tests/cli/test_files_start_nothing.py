"""A file never starts a program or imports a module, whichever player it names and whoever reads it."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.runner import Done, upcard

from upcard import plugins
from upcard.players import registry
from upcard.storage.jsonl import read, with_checksum

PLAYER = """\
import json, os, pathlib, sys
pathlib.Path({canary!r}).touch()
class Evil:
    def choose(self, observation, budget):
        return 0
def make(game):
    return lambda seed, deal, seat: Evil()
if __name__ == "__main__":
    input()
    for line in sys.stdin:
        print('{{"move": 0}}', flush=True)
"""
SORTS = ("program", "file", "package")


def _forget_plugins() -> None:
    plugins.entries.cache_clear()
    plugins.load_entry.cache_clear()


class Place:
    """A folder with a player that leaves a trace when its code runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.canary = folder / "canary"
        code = folder / "code"
        (code / "evil-1.0.dist-info").mkdir(parents=True)
        (code / "evil-1.0.dist-info" / "METADATA").write_text("Name: evil\nVersion: 1.0\n")
        (code / "evil-1.0.dist-info" / "entry_points.txt").write_text("[upcard.players]\nevil = evil:make\n")
        (code / "evil.py").write_text(PLAYER.format(canary=str(self.canary)))
        self.code = code
        self.names = {
            "program": f"cmd:{sys.executable} {code / 'evil.py'}",
            "file": f"{code / 'evil.py'}:Evil",
            "package": "evil",
        }

    @property
    def ran(self) -> bool:
        found = self.canary.exists()
        self.canary.unlink(missing_ok=True)
        return found

    def upcard(self, *words: str, given: str = "") -> Done[str]:
        """A command where the package can be found and has not been imported."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("UPCARD_DATA", str(self.folder / "data"))
            patch.syspath_prepend(self.code)
            patch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
            patch.setattr(registry, "_loaded", set(registry._loaded))
            _forget_plugins()
            try:
                return upcard(*words, cwd=self.folder, given=given)
            finally:
                _forget_plugins()
                sys.modules.pop("evil", None)

    def rewritten(self, path: Path, change: Callable[[dict[str, object]], None]) -> None:
        """The first line of a record changed, its checksum too."""
        lines = [json.loads(text) for text in read(path).lines]
        change(lines[0])
        path.write_bytes(b"".join(with_checksum(line) + b"\n" for line in lines))

    def saved(self, kind: str) -> Path:
        """A saved match of Kuhn poker against this player, which has not been started yet."""
        path = self.folder / "saved.jsonl"
        path.unlink(missing_ok=True)
        begun = self.upcard(*PLAY, "--level", "random", "--seed", "4", "--record", str(path), given="1\nq\n")
        assert begun.returncode == 0, begun.stderr

        def change(header: dict[str, object]) -> None:
            header["players"] = ["person", kind]

        self.rewritten(path, change)
        return path


PLAY = ("play", "kuhn-poker", "--engine", "reference", "--plain")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("place"))


@pytest.mark.parametrize("sort", SORTS)
def test_the_player_leaves_a_trace_when_a_person_names_it(place: Place, sort: str) -> None:
    """Else the other tests would show nothing."""
    done = place.upcard("match", "kuhn-poker", "--engine", "reference", "--players", place.names[sort])
    assert (done.returncode, place.ran) == (0, True), done.stderr


@pytest.mark.parametrize("sort", SORTS)
def test_a_saved_match_starts_nothing(place: Place, sort: str) -> None:
    kind = place.names[sort]
    path = place.saved(kind)
    own = place.folder / "data" / "matches"
    own.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, own / "kuhn-poker-20990101-000000.jsonl")
    resume = ("play", "--resume", "--engine", "reference", "--plain")
    for words in ((*resume, "--record", str(path)), resume):
        done = place.upcard(*words, given="yes\n" * 9)
        assert done.returncode == 2, done.stdout
        assert done.stderr.count("\n") == 1
        assert (
            f"would run {kind}; if you trust that, name it in the command: upcard play --resume"
            in done.stderr
        )
        assert not place.ran
    shutil.rmtree(own)
    for looking in (("replay", str(path)), ("hint", str(path), "--player", "random")):
        done = place.upcard(*looking)
        assert done.returncode == 0, done.stderr
        assert not place.ran
    done = place.upcard("match", "kuhn-poker", "--engine", "reference", "--seed", "4", "--record", str(path))
    assert done.returncode == 2
    assert not place.ran


@pytest.mark.parametrize("sort", SORTS)
def test_a_player_named_again_continues_the_match(place: Place, sort: str) -> None:
    kind = place.names[sort]
    path = place.saved(kind)
    words = ("play", "--resume", "--engine", "reference", "--plain", "--record", str(path))
    other = place.upcard(*words, "--level", "random", given="q\n")
    assert other.returncode == 2
    assert "was not started with random; leave out --level" in other.stderr
    assert not place.ran
    done = place.upcard(*words, "--level", kind, given="1\n" * 9 + "q\n")
    assert done.returncode == 0, done.stderr
    assert place.ran


@pytest.mark.parametrize("sort", SORTS)
def test_a_record_of_the_arena_starts_nothing(place: Place, sort: str) -> None:
    path = place.folder / "arena.jsonl"
    path.unlink(missing_ok=True)
    arena = ("arena", "kuhn-poker", "--engine", "reference", "--deals", "2", "--record", str(path))
    assert place.upcard(*arena, "--players", "random,random").returncode == 0

    def change(header: dict[str, object]) -> None:
        header["players"] = [place.names[sort], "random"]

    place.rewritten(path, change)
    done = place.upcard(*arena, "--players", "random,random")
    assert done.returncode == 2
    assert "--players was different" in done.stderr
    secret = place.upcard(*arena[:-2], "--players", "random,random", "--secret", str(path))
    assert secret.returncode == 2
    assert not place.ran


@pytest.mark.parametrize("sort", SORTS)
def test_a_record_of_a_study_starts_nothing(place: Place, sort: str) -> None:
    folder = place.folder / "study"
    shutil.rmtree(folder, ignore_errors=True)
    study = ("study", "kuhn-poker", "--games", "3", "--no-rows", "--no-figures", "-o", str(folder))
    assert place.upcard(*study).returncode == 0

    def change(header: dict[str, object]) -> None:
        header |= {"players": [place.names[sort], "random"], "files": ["", ""], "search-games": 1}

    place.rewritten(folder / "record" / "random.jsonl", change)
    done = place.upcard(*study)
    assert done.returncode == 2
    assert "contains another study" in done.stderr
    assert not place.ran


@pytest.mark.parametrize("sort", SORTS)
def test_a_sheet_starts_nothing(place: Place, sort: str) -> None:
    folder = place.folder / "game"
    shutil.rmtree(folder, ignore_errors=True)
    assert place.upcard("new", "game").returncode == 0
    (program,) = folder.glob("*.rcy")
    sheet = folder / "game.toml"
    sheet.write_text(sheet.read_text() + f"\n[players]\nexpert = {json.dumps(place.names[sort])}\n")
    for words in (
        ("arena", str(program), "--ladder", "--deals", "1"),
        ("match", str(program), "--players", "expert"),
        ("play", str(program), "--plain", "--level", "expert"),
    ):
        done = place.upcard(*words, given="q\n")
        assert done.returncode == 2, done.stdout
        assert "expert" in done.stderr
        assert done.stderr.count("\n") == 1
        assert not place.ran


# --- at a terminal -------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("plain", [(), ("--plain",)])
@pytest.mark.parametrize("answer, ran", [("yes", True), ("no", False), ("", False), ("y\x7f\x7f", False)])
def test_a_person_at_a_terminal_is_asked_once(
    place: Place, answer: str, ran: bool, plain: tuple[str, ...]
) -> None:
    from tests.terminal.terminals import Terminal

    kind = f"{place.names['program']} 'a \x1b[2J\u202e b' {'long ' * 40}end"
    path = place.saved(kind)
    before = path.read_bytes()
    words = ["play", "--resume", "--engine", "reference", "--record", str(path), *plain]
    with Terminal(words, place.folder / "data") as terminal:
        while "Type yes to go on: " not in terminal.output:
            assert terminal._read(60.0), terminal.output
        assert not place.ran
        asked = terminal.output.replace("\r", "")
        assert f"  {place.names['program']} 'a \\x1b[2J\\u202e b' {'long ' * 40}end\n" in asked
        terminal.press(f"{answer}\n")
        if not ran:
            assert terminal.ended() == 1
            assert "no player was started; the match is unchanged" in terminal.output
            assert "Traceback" not in terminal.output
        elif plain:
            while not place.canary.exists():  # its first move
                terminal.press("1\n")
                assert terminal._read(1.0), terminal.output
            assert terminal.keep_pressing("q\n") == 0
        else:
            terminal.wait_for("Press Enter to begin")
            terminal.press("\r")
            terminal.wait_for("save and quit")
            while not place.canary.exists():  # its first move
                terminal.press("\r")
                assert terminal._read(1.0), terminal.output
            assert terminal.keep_pressing("q") == 0
        assert terminal.output.count("Type yes to go on") == 1
    assert place.ran is ran
    if not ran:
        assert path.read_bytes() == before
