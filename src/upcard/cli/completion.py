"""Shell completion: answers a shell's question about a command line, prints and installs the scripts.

A shell's script starts `upcard` with the shell's name in `_UPCARD_COMPLETE` and the line up to the cursor in
`_UPCARD_LINE`. The answer is one candidate on each line; zsh and fish also get a description after a tab.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from upcard.cli.completion_scripts import SCRIPTS
from upcard.cli.console import MISUSE, Stop
from upcard.output import say, say_lines, write_styled
from upcard.terminal_text import visible

ASKED, LINE, BREAKS = "_UPCARD_COMPLETE", "_UPCARD_LINE", "_UPCARD_BREAKS"
SHELLS = tuple(SCRIPTS)


def answer(command: Any, environment: Mapping[str, str]) -> None:
    """Print the candidates for the word at the cursor; nothing if the line has an error."""
    words = split_line(environment.get(LINE, ""))
    breaks = environment.get(BREAKS, "")
    for value, description in candidates(command, words[1:-1], words[-1]):
        if environment[ASKED] == "bash":
            say(value[_kept_by_bash(words[-1], breaks) :])
        else:
            write_styled(f"{visible(value)}\t{visible(description)}\n")


def candidates(command: Any, before: list[str], word: str) -> list[tuple[str, str]]:
    """Completions of a word after the words before it, each with a description."""
    named = next((word for word in before if not word.startswith("-")), None)
    if named is not None and named not in command.commands:
        return []  # an unknown command; the engine would offer the commands again
    # the classes of the click that Typer uses, which is a part of Typer since version 0.26
    module = importlib.import_module(typer.BadParameter.__module__.replace("exceptions", "shell_completion"))
    engine: Any = type("Engine", (module.ShellComplete,), {})
    engine.__abstractmethods__ = frozenset()  # those that know a shell; only `get_completions` is used
    option, equals, _ = word.partition("=") if word.startswith("--") else ("", "", "")
    try:
        items = engine(command, {"obj": before}, "upcard", ASKED).get_completions(before, word)
    except Exception:
        return []  # a line in the middle of typing; running the command names its mistake
    found = {
        f"{option}{equals}{item.value}" if equals else item.value: " ".join((item.help or "").split())
        for item in items
        if item.type == "plain"
    }
    return [(value, text) for value, text in found.items() if value.startswith(word)]


def split_line(line: str) -> list[str]:
    """The words of a line, the last of them the one at the cursor, which may be empty or in open quotes."""
    words: list[str] = []
    word, quote, started = "", "", False
    position = 0
    while position < len(line):
        letter = line[position]
        position += 1
        if letter == "\\" and quote != "'" and position < len(line):
            word, started = word + line[position], True
            position += 1
        elif letter == quote:
            quote = ""
        elif not quote and letter in "'\"":
            quote, started = letter, True
        elif not quote and letter.isspace():
            if started:
                words.append(word)
            word, started = "", False
        else:
            word, started = word + letter, True
    return [*words, word] if words or started else ["upcard", word]


def _kept_by_bash(word: str, breaks: str) -> int:
    """How much of a word bash does not replace: it ends words at = and : too."""
    return max(word.rfind(mark) for mark in "=:" if mark in breaks or mark == "=") + 1 if breaks else 0


def show(shell: str) -> None:
    """Print the script of a shell."""
    say_lines(SCRIPTS[_shell(shell)].rstrip("\n"))


def install(shell: str) -> None:
    """Write the script of a shell, and have the shell read it at its start."""
    from upcard.storage.atomic_write import write_text

    name = _shell(shell)
    home = Path.home()
    if name == "fish":
        config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        script, start_file = config / "fish" / "completions" / "upcard.fish", None
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
        script = data / "upcard" / f"completion.{name}"
        start_file = (Path(os.environ.get("ZDOTDIR") or home) if name == "zsh" else home) / f".{name}rc"
    script.parent.mkdir(parents=True, exist_ok=True)
    write_text(script, SCRIPTS[name])
    say(f"Completion for {name} is installed: {script}")
    if start_file is not None:
        import shlex

        line = f"source {shlex.quote(str(script))}  # completion of upcard"
        present = start_file.read_text(encoding="utf-8") if start_file.exists() else ""
        if line not in present.splitlines():
            gap = "" if not present or present.endswith("\n") else "\n"
            with start_file.open("a", encoding="utf-8") as file:
                file.write(f"{gap}{line}\n")
            say(f"A line in {start_file} reads it.")
    say("It works in every new shell.")


def _shell(name: str) -> str:
    chosen = name or Path(os.environ.get("SHELL", "")).name
    if chosen in SCRIPTS:
        return chosen
    known = ", ".join(SHELLS)
    if not name:
        raise Stop(MISUSE, f"the name of your shell is missing; give one of {known}")
    raise Stop(MISUSE, f"there is no completion for {name}; there is one for {known}")
