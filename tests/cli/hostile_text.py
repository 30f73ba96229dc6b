"""Text that attacks a terminal, in every kind of file and program that a command reads.

`commands` lists for each command how it is run on them. A new command without an entry fails the tests that
use it, so nothing is printed that was never looked at.
"""

from __future__ import annotations

import json
import shlex
import shutil
import stat
import sys
from pathlib import Path

import typer
from tests.cli.runner import upcard
from tests.site.small_game import SOUND

from upcard.cli.main import app
from upcard.storage.jsonl import read, with_checksum

CLIPBOARD = "\x1b]52;c;RVZJTA==\x07"
ATTACK = (
    CLIPBOARD
    + "\x1b[2J\x1b[5m\x1bc\x9b5m\x90q\x9c"  # clears the screen, blinks, resets; C1 as well
    + "\r\b\x7f\x0e"
    + "\u202eoverride\u2066isolate\u200b\u2028\ufeff\U000e0041"
    + "[red]"
)
"""For texts of several lines, in which a newline is fine."""
NAME = ATTACK + "\nFORGED"
"""For names: the newline must not begin a line of the output."""
SHOWN = ("\\x1b]52;c;RVZJTA==\\x07", "\\u001b]52;c;RVZJTA==\\u0007")
"""What is to be seen of the attack, as text and as JSON."""

SHEET = """title = NAME
summary = TEXT
family = NAME
tags = [NAME]
related = [NAME]
sources = [NAME]
variants = TEXT
cycles = TEXT
rules = TEXT
[names]
seats = [NAME, "North"]
deal = NAME
[cards]
face = "{RANK}"
RANK = { A = NAME, B = "♠" }
[table]
HAND = NAME
SHOWN = NAME
SCORE = NAME
[match]
to = 3
[[rule]]
name = NAME
set = "NUMBER"
title = NAME
choices = { one = "1", two = "2" }
default = "one"
[[say]]
do = "move"
to = "SHOWN"
tell = TELL
pick = PICK
"""
POSITIONS = """[[position]]
name = NAME
turn = NAME
[[position]]
name = "wrong"
turn = "North"
"""
BROKEN = f"(game\n (setup (create players 2)) ; {ATTACK}\n (do ((shufle {CLIPBOARD} (game iloc STOCK)))))\n"
FAILS = "import sys\nfor line in sys.stdin:\n    print(sys.argv[1], flush=True)\n"
DIES = "import sys\nsys.stderr.write({text!r})\nsys.exit(3)\n"
RAISES = "class Player:\n    def choose(self, observation, budget):\n        raise ValueError({text!r})\n"
PRINTS = "#!{python}\nimport sys\nsys.stdout.buffer.write({text!r}.encode())\n"

PLAIN = ["--plain", "--level", "random"]
CONTEST = ["arena", "kuhn-poker", "--deals", "1", "--workers", "1", "--engine", "reference"]
CONTEST += ["--players", "random,random"]


class HostileFiles:
    """A folder with a hostile example of everything that commands read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.game = folder / f"game{NAME}"
        self.game.mkdir()
        program = SOUND.format(comment=ATTACK).replace("(game\n", "(game\n (declare 1 'NUMBER)\n", 1)
        self.program = self.game / "rules.rcy"
        self.program.write_text(program, encoding="utf-8", newline="")
        (self.game / "game.toml").write_text(_toml(SHEET), encoding="utf-8")
        (self.game / "positions.toml").write_text(_toml(POSITIONS), encoding="utf-8")
        self.broken = self._file(".rcy", BROKEN)
        self.fails = self._command(FAILS, json.dumps({"failed": ATTACK + "\0" + NAME}))
        self.nonsense = self._command(FAILS, ATTACK)
        self.dies = self._command(DIES.format(text=NAME))
        self.raises = f"{self._file('.py', RAISES.format(text=NAME))}:Player"
        self.prints = self._file(".prints", PRINTS.format(python=sys.executable, text=NAME))
        self.prints.chmod(self.prints.stat().st_mode | stat.S_IXUSR)
        self.pack = self._file(".pack", NAME)
        self.occupied = self._file("", "this is no folder")
        self.transcript = folder / f"transcript{NAME}.jsonl"
        self.match = folder / f"match{NAME}.jsonl"
        self.save = folder / f"save{NAME}.jsonl"
        self.unplayed = folder / f"unplayed{NAME}.jsonl"
        self.contest = folder / f"contest{NAME}.jsonl"
        self.rows = folder / f"rows{NAME}"
        self.strategy = folder / f"strategy{NAME}.json"
        self._records()
        self._write_strategy()

    def _file(self, ending: str, text: str) -> Path:
        path = self.folder / f"file{NAME}{ending}"
        path.write_text(text, encoding="utf-8", newline="")
        return path

    def _command(self, program: str, *arguments: str) -> str:
        path = self.folder / f"player{len(list(self.folder.iterdir()))}.py"
        path.write_text(program, encoding="utf-8", newline="")
        # the players' option splits at commas
        return "cmd:" + shlex.join([sys.executable, str(path), *arguments]).replace(",", ";")

    def _records(self) -> None:
        """Real records, some with attacks written into them afterwards."""
        game = str(self.game)
        reference = ("--engine", "reference")
        for words, given in (
            (["watch", game, "--transcript", str(self.transcript), *reference], ""),
            (["match", game, "--names", f"{NAME},B", "--record", str(self.match), *reference], ""),
            (["play", game, *PLAIN, "--record", str(self.save), *reference], "1\nq\n"),
            ([*CONTEST, "--record", str(self.contest)], ""),
            (["simulate", game, "--games", "2", "--workers", "1", "--rows", str(self.rows), *reference], ""),
        ):
            done = upcard(*words, given=given)
            assert done.returncode == 0, done.stderr
        changed = {"transcript": ("game", NAME), "save": ("names", [NAME, ATTACK]), "contest": ("game", NAME)}
        for name, (field, value) in changed.items():
            path: Path = getattr(self, name)
            first, *others = (json.loads(line) for line in read(path).lines)
            lines = [with_checksum(line) + b"\n" for line in ({**first, field: value}, *others)]
            Path(self.changed(path)).write_bytes(b"".join(lines))
        # for the table alone: another test plays the saved match to its end
        shutil.copy(self.changed(self.save), self.unplayed)

    def _write_strategy(self) -> None:
        """A strategy that was computed with an attack."""
        done = upcard("solve", "kuhn-poker", "--iterations", "1", "-o", str(self.strategy))
        assert done.returncode == 0, done.stderr
        data = json.loads(self.strategy.read_text(encoding="utf-8"))
        self.strategy.write_text(json.dumps({**data, "algorithm": NAME}), encoding="utf-8")

    def changed(self, path: Path) -> str:
        return str(path.with_stem(f"changed {path.stem}"))


def commands(files: HostileFiles) -> dict[str, list[list[str]]]:
    """How each command is run on hostile files; whatever it prints shows the attack."""
    game, broken, reference = str(files.game), str(files.broken), ["--engine", "reference"]
    few = ["--games", "2", "--workers", "1", *reference]
    players = f"{files.fails},{files.nonsense},{files.dies},{files.raises}"
    people = ["Adi", "Simple", NAME, "Simple", "Chi-Chih", "Simple", "Dabbala", "Simple"]
    return {
        "games": [["games", NAME]],
        "rules": [["rules", game], ["rules", game, "--json"]],
        "encoding": [["encoding", game], ["encoding", game, "--json"], ["encoding", broken]],
        "show": [["show", game]],
        "new": [["new", NAME], ["new", "mine", "-o", game]],
        "check": [["check", game], ["check", broken], ["check", broken, "--json"]],
        "fmt": [["fmt", "--check", str(files.program)], ["fmt", "-"], ["fmt", broken]],
        "explain": [["explain", NAME]],
        "simulate": [["simulate", game, *few], ["simulate", game, "--json", *few], ["simulate", broken]],
        "rows": [["rows", str(files.rows)], ["rows", NAME]],
        "watch": [["watch", game, *reference]],
        "stats": [["stats"], ["stats", game], ["stats", "--json"]],
        "replay": [
            ["replay", str(files.transcript)],
            ["replay", files.changed(files.transcript)],
            ["replay", str(files.match)],
            ["replay", files.changed(files.save)],
        ],
        "play": [
            ["play", game, *PLAIN, *reference],
            ["play", "--resume", "--plain", "--record", files.changed(files.save), *reference],
        ],
        "serve": [["serve", NAME], ["serve", broken], ["serve", "--host", NAME], ["serve", "--public", NAME]],
        "hint": [
            ["hint", str(files.transcript), "--player", "random"],
            ["hint", str(files.match), "--player", "random", "--json"],
            ["hint", str(files.transcript), "--player", files.fails],
            ["hint", files.changed(files.transcript)],
        ],
        "match": [
            ["match", game, "--names", f"{NAME},B", *reference],
            ["match", game, "--players", files.raises, *reference],
            ["match", "kuhn-poker", "--record", str(files.match), *reference],
        ],
        "arena": [
            [*CONTEST, "--players", players],
            [*CONTEST, "--record", files.changed(files.contest)],
        ],
        "test": [["test", game], ["test", game, "--json"]],
        "verify": [["verify", game, "--games", "1", "--workers", "1"], ["verify", broken]],
        "compile": [["compile", broken]],
        "bench": [["bench", broken]],
        "graph": [
            ["graph", game, "--format", "dot", *reference],
            ["graph", game, "--explain", *reference],
            ["graph", str(files.transcript)],
        ],
        "study": [["study", game, "--no-figures", "--no-rows", *few]],
        "compare": [["compare", game, "kuhn-poker", "--no-figures", *few]],
        "solve": [
            ["solve", game, "--max-nodes", "100"],
            ["solve", "kuhn-poker", "--from", str(files.strategy)],
        ],
        "page": [["page", game, "--players", "none", "-o", str(files.folder / f"{NAME}.html"), *few]],
        "site": [["site", "-o", str(files.occupied)]],
        "course": [
            ["course", str(files.pack), "noshuffle", "1", *people],
            ["course", NAME, "noshuffle", "1", *people],
            ["course", "pack.in", "noshuffle", "1", *people],
        ],
        "judge": [["judge", str(files.prints), "--packs", "1", "-o", game], ["judge", NAME]],
    }  # fmt: skip


def names_of_commands() -> list[str]:
    """Every command there is, from the command line itself."""
    return sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def options_of(command: str) -> list[str]:
    """The options of a command that take a value."""
    found = typer.main.get_command(app).commands[command]  # type: ignore[attr-defined]
    return [part.opts[0] for part in found.params if part.opts[0].startswith("--") and not part.is_flag]


def _toml(text: str) -> str:
    """With attacks in place of words. A TOML text is a JSON text but for halves of characters."""
    words = {
        "NAME": NAME,
        "TEXT": ATTACK,
        "TELL": "{seat} shows {card} " + ATTACK,
        "PICK": ATTACK + " {card}",
    }
    for word, attack in words.items():
        quoted = json.dumps(attack, ensure_ascii=False)
        text = text.replace(word, "".join(c if " " <= c <= "~" else f"\\U{ord(c):08x}" for c in quoted))
    return text
