"""Programs in colour: for Pygments, on a terminal, and plain everywhere else."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.token import Error

from upcard.cli.highlight import highlight_page, highlight_program
from upcard.library import find, names
from upcard.recycle.error_pages import codes
from upcard.recycle.error_pages import explain as page_of
from upcard.recycle.highlight_roles import Role
from upcard.site.lexer import TOKENS, RecycleLexer

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "tests" / "lang").rglob("*.rcy"))
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def recycle_fences(path: Path) -> list[str]:
    return re.findall(
        r"^```recycle[^\n]*\n(.*?)^```$", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def errors(text: str) -> list[str]:
    return [value for token, value in RecycleLexer().get_tokens(text) if token in Error]


def given_back(text: str) -> str:
    return "".join(value for _, value in RecycleLexer().get_tokens(text))


@pytest.mark.parametrize("name", names())
def test_library_games(name: str) -> None:
    text = find(name).rules.read_text(encoding="utf-8")
    assert given_back(text) == text
    assert errors(text) == []


def test_programs_of_the_language_tests() -> None:
    assert len(PROGRAMS) > 50
    for path in PROGRAMS:
        text = path.read_text(encoding="utf-8")
        assert given_back(text) == text, path
        lines = text.splitlines()
        refused = {line for line in lines if re.search(r";; error here: E10\d$", line)}
        assert all(any(wrong in line for line in refused) for wrong in errors(text)), path


@pytest.mark.parametrize("folder", ["language", "tutorial"])
def test_code_on_pages(folder: str) -> None:
    fences = [text for path in (ROOT / "docs" / folder).glob("*.md") for text in recycle_fences(path)]
    assert fences
    for text in fences:
        assert given_back(text) == text
        if "refused" not in text:
            assert errors(text) == [], text


def test_right_programs_on_error_pages() -> None:
    for code in codes():
        page = page_of(code)
        assert page is not None
        for part in page.split("\n## ")[1:]:
            for text in re.findall(r"^```recycle\n(.*?)^```$", part, re.DOTALL | re.MULTILINE):
                assert given_back(text) == text
                if part.startswith("Right"):
                    assert errors(text) == [], code


@pytest.mark.parametrize(
    "text", ["", "\n\n", "(", ")))", '(game (move \'c "A")', ";; only a comment", "é = ; '", "\n (game\n\n"]
)
def test_programs_with_errors_are_lexed_too(text: str) -> None:
    assert given_back(text) == text
    assert ANSI.sub("", highlight_program(text)) == text


def test_every_role_has_a_token_of_its_own() -> None:
    assert set(TOKENS) == set(Role)
    apart = [TOKENS[role] for role in Role if role is not Role.MARK]
    assert len(set(apart)) == len(apart)


def test_the_plug_in_is_registered_and_pygments_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["entry-points"]["pygments.lexers"]["recycle"].partition(":")
    assert getattr(importlib.import_module(module), name) is RecycleLexer
    assert any(wanted.startswith("pygments") for wanted in project["dependencies"])


def test_pygments_can_use_it() -> None:
    page = highlight("(game (setup (create players 2)))", RecycleLexer(), HtmlFormatter(nowrap=True))
    assert '<span class="k">setup</span>' in page
    assert RecycleLexer.analyse_text(";; a game\n(game\n (setup (create players 2)))") > 0.5
    assert RecycleLexer.analyse_text("(defun game () (setup))") == 0


def test_only_programs_on_a_page_are_coloured() -> None:
    page = page_of("E301")
    assert page is not None
    coloured = highlight_page(page)
    assert ANSI.sub("", coloured) == page
    inside = "".join(re.findall(r"```recycle\n(.*?)```", coloured, re.DOTALL))
    assert len(ANSI.findall(inside)) == len(ANSI.findall(coloured)) > 100


def test_show_is_plain_in_a_pipe(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "utf8", "-m", "upcard.cli.main", "show"]
    done = subprocess.run([*command, "euchre"], capture_output=True, timeout=120)
    assert done.returncode == 0
    assert done.stdout == find("euchre").rules.read_bytes()
    wrong = tmp_path / "wrong.rcy"
    wrong.write_text("(game (oops", encoding="utf-8")
    done = subprocess.run([*command, str(wrong)], capture_output=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, b"(game (oops\n")
    done = subprocess.run([*command, "eucher"], capture_output=True, timeout=120)
    assert done.returncode == 2
    assert b"euchre" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are made the POSIX way here")
@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_show_is_in_colour_on_a_terminal(tmp_path: Path, more: dict[str, str], coloured: bool) -> None:
    path = tmp_path / "tiny.rcy"
    path.write_text("(game ;; \x1b]0;no\n (setup))\n", encoding="utf-8")
    ours, theirs = os.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm", **more}
    subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "upcard.cli.main", "show", str(path)],
        stdout=theirs,
        env=env,
        timeout=120,
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 10_000).decode("utf-8")
    os.close(ours)
    assert bool(ANSI.search(shown)) is coloured
    assert "(setup))" in ANSI.sub("", shown)
    assert not coloured or "\x1b]" not in shown
