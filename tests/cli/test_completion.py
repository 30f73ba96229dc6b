"""Shell completion: the candidates, and bash, zsh and fish themselves where they are installed."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.runner import upcard
from typer.main import get_command

from upcard.cli.completion import candidates, split_line
from upcard.cli.main import app

SILENCE = 40.0
"""Seconds without output after which a shell is given up."""
COMMAND: Any = get_command(app)


def values(line: str) -> list[str]:
    words = split_line(line)
    return [value for value, _ in candidates(COMMAND, words[1:-1], words[-1])]


@pytest.mark.parametrize(
    "line, expected",
    [
        ("upcard wa", ["watch"]),
        ("upcard --show", ["--show-completion"]),
        ("upcard --show-completion ", ["bash", "zsh", "fish"]),
        ("upcard play euc", ["euchre"]),
        ("upcard play 'euc", ["euchre"]),
        ("upcard compare euchre kuhn", ["kuhn-poker"]),
        ("upcard bench kuhn", ["kuhn-poker"]),
        ("upcard study euchre --search", ["--search-games"]),
        ("upcard study euchre --games 0 --search", ["--search-games"]),
        ("upcard simulate euchre --engine ", ["native", "reference"]),
        ("upcard play euchre --rule stic", ["stick=yes", "stick=no"]),
        ("upcard play euchre --rule stick=n", ["stick=no"]),
        ("upcard play euchre --rule=stick=n", ["--rule=stick=no"]),
        ("upcard play --rule stick=n", []),
        ("upcard simulate euchre --set STI", ["STICK="]),
        ("upcard play euchre --seat No", ["North"]),
        ("upcard play euchre --level cas", ["casual"]),
        ("upcard arena euchre --players random,cas", ["random,casual"]),
        ("upcard explain E30", [f"E30{number}" for number in range(1, 7)]),
        ("upcard replay ha", []),
        ("upcard nonsense ", []),
        ("upcard play nonsense --rule x", []),
    ],
)
def test_candidates(line: str, expected: list[str]) -> None:
    assert values(line) == expected


def test_commands_and_options_have_descriptions() -> None:
    assert dict(candidates(COMMAND, [], "watc")) == {"watch": "Play one game and describe every move"}
    assert dict(candidates(COMMAND, ["watch", "euchre"], "--asc"))["--ascii"]


@pytest.mark.parametrize(
    "line, words",
    [
        ("upcard ", ["upcard", ""]),
        ("upcard play", ["upcard", "play"]),
        ("upcard  play  eu", ["upcard", "play", "eu"]),
        ("upcard play my\\ ga", ["upcard", "play", "my ga"]),
        ("upcard play 'my ga", ["upcard", "play", "my ga"]),
        ('upcard play "a\\"b" ', ["upcard", "play", 'a"b', ""]),
        ("upcard play '' ", ["upcard", "play", "", ""]),
        ("", ["upcard", ""]),
    ],
)
def test_lines_are_split_as_a_shell_does(line: str, words: list[str]) -> None:
    assert split_line(line) == words


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home of its own, with an `upcard` on the path that is this one."""
    program = tmp_path / "bin" / "upcard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m upcard "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith("XDG_") and key != "ZDOTDIR"
    }
    return {**kept, "HOME": str(tmp_path), "PATH": f"{program.parent}:{os.environ['PATH']}", "TERM": "dumb"}


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed here")


def in_shell(words: list[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        words, capture_output=True, text=True, env=dict(environment), cwd=environment["HOME"], timeout=110
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs("bash")
@pytest.mark.parametrize(
    "line, expected",
    [
        ("upcard watc", ["watch"]),
        ("upcard play euchre --rule stick=", ["yes", "no"]),  # bash replaces what follows the equals sign
        ("upcard play euchre --rule stick=n", ["no"]),
        ("upcard replay ha", []),
    ],
)
def test_the_function_that_bash_calls(line: str, expected: list[str], environment: dict[str, str]) -> None:
    (Path(environment["HOME"]) / "hand.jsonl").touch()
    script = f"""source <(upcard --show-completion bash)
        COMP_LINE={shlex.quote(line)}
        COMP_POINT=${{#COMP_LINE}}
        COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
        _upcard_completion upcard
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    assert in_shell(["bash", "--norc", "-c", script], environment).split() == expected


@needs("fish")
def test_fish_completes(environment: dict[str, str]) -> None:
    (Path(environment["HOME"]) / "hand.jsonl").touch()
    script = """upcard --show-completion fish | source
        complete -C 'upcard watc'
        complete -C 'upcard play euchre --rule stick=n'
        complete -C 'upcard replay ha'
    """
    shown = in_shell(["fish", "--no-config", "-c", script], environment).splitlines()
    assert [line.split("\t")[0] for line in shown] == ["watch", "stick=no", "hand.jsonl"]
    assert shown[0].split("\t")[1].startswith("Play one game")


@pytest.mark.parametrize(
    "shell, words",
    [
        pytest.param("bash", ["bash", "-i"], marks=needs("bash")),
        pytest.param("zsh", ["zsh", "-i"], marks=needs("zsh")),
    ],
)
def test_tab_in_an_interactive_shell(shell: str, words: list[str], environment: dict[str, str]) -> None:
    """After `--install-completion`, Tab finishes the name of a command and of a house rule's choice."""
    start_file = Path(environment["HOME"]) / f".{shell}rc"
    start_file.write_text("PS1='ready> '\n", encoding="utf-8")
    installed = in_shell(["upcard", "--install-completion", shell], environment)
    assert f"A line in {start_file} reads it." in installed
    with Typist(words, environment) as typist:
        typist.wait_for("ready> ")
        typist.type("upcard explai\t")
        typist.wait_for("explain ")
        typist.type("E301 > page; echo done-$?\r")
        typist.wait_for("done-0")
        typist.type("upcard watch euchre --rule stick=n\t")
        typist.wait_for("stick=no ")
        typist.type("--seed 3 > hand; echo done-$?\r")
        typist.wait_for("done-0")
    assert (Path(environment["HOME"]) / "page").read_text(encoding="utf-8").startswith("# E301")


class Typist:
    """Types in an interactive shell and reads its screen."""

    def __init__(self, words: list[str], environment: Mapping[str, str]) -> None:
        import pty

        self._screen, terminal = pty.openpty()
        self._seen = ""
        self._shell = subprocess.Popen(
            words,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=dict(environment),
            cwd=environment["HOME"],
            start_new_session=True,
        )
        os.close(terminal)

    def __enter__(self) -> Typist:
        return self

    def __exit__(self, *_: object) -> None:
        self._shell.kill()
        self._shell.wait()
        os.close(self._screen)

    def type(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def wait_for(self, text: str) -> None:
        """Read until a text appears after what was waited for before."""
        while text not in self._seen:
            readable, _, _ = select.select([self._screen], [], [], SILENCE)
            assert readable, f"{text!r} did not appear in {self._seen!r}"
            self._seen += os.read(self._screen, 4096).decode("utf-8", "replace")
        self._seen = self._seen.partition(text)[2]


def test_installing_twice_adds_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/usr/bin/bash")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".bashrc").write_text("alias ll='ls -l'", encoding="utf-8")
    first, second = upcard("--install-completion"), upcard("--install-completion", "bash")
    assert (first.returncode, second.returncode) == (0, 0)
    script = tmp_path / ".local" / "share" / "upcard" / "completion.bash"
    assert script.read_text(encoding="utf-8") == upcard("--show-completion", "bash").stdout
    own, line = (tmp_path / ".bashrc").read_text(encoding="utf-8").splitlines()
    assert own == "alias ll='ls -l'"
    assert line == f"source {script}  # completion of upcard"
    fish = upcard("--install-completion", "fish")
    assert str(tmp_path / ".config" / "fish" / "completions" / "upcard.fish") in fish.stdout


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
def test_other_shells_are_refused(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = upcard(option, "tcsh")
    assert done.returncode == 2
    assert done.stderr == "upcard: there is no completion for tcsh; there is one for bash, zsh, fish\n"
    monkeypatch.delenv("SHELL", raising=False)
    done = upcard(option)
    assert done.returncode == 2
    assert done.stderr == "upcard: the name of your shell is missing; give one of bash, zsh, fish\n"
