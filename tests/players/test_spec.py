"""Players by name: budgets, files, programs, and what is said to a wrong one."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import upcard
from upcard.engine.shared.game import LoadedGame
from upcard.library.sheet import SheetError
from upcard.players import spec as naming
from upcard.players.external.external_player import end_all
from upcard.players.protocol import Budget
from upcard.players.random_player import RandomPlayer
from upcard.players.registry import NoSuchPlayer
from upcard.players.spec import levels, resolve_player, split
from upcard.recycle.diagnostics import Refused

OWN = Path(__file__).with_name("own.py")


@pytest.fixture(autouse=True)
def _nobody_left() -> Iterator[None]:
    yield
    end_all()


@pytest.fixture(scope="module")
def kuhn() -> LoadedGame:
    return upcard.load("kuhn-poker", engine="reference")


def test_a_list_of_players_is_split_at_commas_outside_quotes() -> None:
    assert split("random, simple:5") == ["random", "simple:5"]
    assert split("cmd:mine 'a,b' \"c,'d\",random") == ["cmd:mine 'a,b' \"c,'d\"", "random"]
    for wrong in ("random,", "", "cmd:'mine,random"):
        with pytest.raises(Refused):
            split(wrong)


@pytest.mark.parametrize(
    "name, budget",
    [
        ("random", Budget()),
        ("random:1000", Budget(playouts=1000)),
        ("random:0.5s", Budget(seconds=0.5)),
        ("random:2s", Budget(seconds=2.0)),
        (f"{OWN}:First", Budget()),
        (f"{OWN}:First:20", Budget(playouts=20)),
    ],
)
def test_budgets(kuhn: LoadedGame, name: str, budget: Budget) -> None:
    found = resolve_player(name, kuhn)
    assert found.name == name
    assert found.budget == budget
    assert (found.make is RandomPlayer) == name.startswith("random")
    assert bool(found.digest) == name.startswith(str(OWN))


@pytest.mark.parametrize(
    "name, said",
    [
        ("randon", "there is no player called randon; did you mean random?"),
        ("nobody:5", "there is no player called nobody; the players are .*random"),
        ("./random", "is not a player; write path/file.py:Class for your own"),
        ("random:", "random: has an invalid budget"),
        ("random:0", "random:0 has an invalid budget"),
        ("random:0s", "random:0s has an invalid budget"),
        ("random:-5", "random:-5 has an invalid budget"),
        ("random:1e9s", "random:1e9s has an invalid budget"),
        ("random:soon", "random:soon has an invalid budget"),
        ("nowhere.py:Mine", "nowhere.py cannot be read: no such file or directory"),
        (str(OWN), "does not name a class"),
        (f"{OWN}:First:0", "First:0 has an invalid budget"),
        (f"{OWN}:Absent", "has no class Absent; its classes with a method choose: .*First"),
        (f"{OWN}:Mute", "has a class Mute without a method choose"),
        (f"{OWN}:nobody", "has a nobody, but it is not a class"),
        (f"{OWN}:Demanding", "needs an argument teacher, but a player can only get game, seed, seat"),
        ("cmd:", "cmd: must be followed by a program"),
        ("cmd:no-such-program-here 5", "no-such-program-here is not a program"),
        ("cmd:mine 'open", "cannot be read: no closing quotation"),
    ],
)
def test_a_wrong_name_is_one_sentence(kuhn: LoadedGame, name: str, said: str) -> None:
    with pytest.raises(Refused, match=said) as caught:
        resolve_player(name, kuhn)
    assert "\n" not in str(caught.value)
    assert not caught.value.is_answer


def test_an_unknown_name_is_no_such_player(kuhn: LoadedGame) -> None:
    with pytest.raises(NoSuchPlayer):
        resolve_player("steddy:50", kuhn)


@pytest.mark.parametrize(
    "text, said",
    [
        ("import nothing_of_that_name\n", "cannot be imported: ModuleNotFoundError: .*mine.py line 1"),
        ("class Mine\n", "cannot be imported: SyntaxError"),
        ("import sys\nsys.exit(4)\n", "cannot be imported: SystemExit: 4"),
    ],
)
def test_a_file_that_cannot_be_imported(kuhn: LoadedGame, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(Refused, match=said):
        resolve_player(f"{path}:Mine", kuhn)


def test_a_program_is_found_and_given_its_arguments(kuhn: LoadedGame) -> None:
    found = resolve_player(f"cmd:{sys.executable} -c 'a, b'", kuhn)
    assert found.name.endswith("-c 'a, b'")


def test_levels_are_those_that_exist_from_the_weakest_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naming, "player_names", lambda: ["casual", "expert", "random", "simple", "steady"])
    assert levels() == ["casual", "steady", "expert"]


@pytest.mark.parametrize(
    "player, problem",
    [
        ("simple:5", "names a player of another game: the simple player plays only Euchre, not"),
        ("pimx:5", "does not name a player: there is no player called pimx; did you mean pimc?"),
    ],
)
def test_a_level_that_cannot_be_played_names_file_and_line(tmp_path: Path, player: str, problem: str) -> None:
    folder = shutil.copytree(Path(upcard.__file__).parent / "games" / "kuhn-poker", tmp_path / "mine")
    sheet = folder / "game.toml"
    text = sheet.read_text(encoding="utf-8").replace("[players]", f'[players]\ncasual = "{player}"')
    sheet.write_text(text, encoding="utf-8")
    line = text[: text.index("casual")].count("\n") + 1
    with pytest.raises(SheetError, match=re.escape(f"line {line}: players.casual {problem}")):
        resolve_player("casual", upcard.load(folder / "rules.rcy"))
