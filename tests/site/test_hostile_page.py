"""What a designer writes is text: markup in it stays inert, and a game that is wrong is not hidden."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.cli.runner import upcard
from tests.site.page_reader import Element, asked_for, handlers, ids, read
from tests.site.small_game import ENDLESS, FAILING, SHEET, SOUND, folder_of

from upcard.site.markup import Html, join, tag, text

QUICK = ("--engine", "reference", "--players", "none", "--games", "12", "--workers", "1")
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>' --> ]]> &lt;"


def page_of(folder: Path, game: Path, *more: str, code: int = 0) -> tuple[str, Element]:
    done = upcard("page", str(game), "-o", "made.html", *QUICK, *more, cwd=folder)
    assert done.returncode == code, done.stderr
    made = (folder / "made.html").read_text(encoding="utf-8")
    return made, read(made)


def test_markup_stays_text(tmp_path: Path) -> None:
    sheet = SHEET.format(title="</title>" + EVIL, words=EVIL, seat="<i>South</i>")
    sheet += f"""
[[rule]]
name = "<u>rule"
set = "NUMBER"
title = "{EVIL}"
choices = {{ "<s>one" = "1", two = "2" }}
default = "<s>one"
"""
    program = SOUND.format(comment=EVIL).replace("(game\n", "(game\n (declare 1 'NUMBER)\n", 1)
    game = folder_of(tmp_path, "<i>evil&amp;", program, sheet)
    _, root = page_of(tmp_path, game)
    assert handlers(root) == []
    assert asked_for(root) == []
    assert not root.all("img")
    assert not root.all("s")
    (title,) = root.all("title")[:1]
    assert title.text.startswith("</title>" + EVIL)
    assert EVIL in root.one("program").text
    for name in ("rules", "variants", "related", "house-rules", "table"):
        assert EVIL in root.one(name).text, name
    assert "<i>South</i>" in root.one("flow").text
    assert "<s>one" in root.one("house-rules").text
    (link,) = root.one("rules").all("a")
    assert link.attributes["href"] == "https://example.org/a?b=c&d"
    assert len(ids(root)) == len(set(ids(root)))


def test_characters_of_a_program_that_html_does_not_allow(tmp_path: Path) -> None:
    game = folder_of(tmp_path, "odd", SOUND.format(comment="\x01 \x0c \u2028 \ufffe ü 🂡"))
    made, root = page_of(tmp_path, game)
    assert "\ufffd \ufffd \u2028 \ufffd ü 🂡" in root.one("program").text
    assert "\x01" not in made


def test_a_wrong_program_gets_its_diagnostics_and_no_page(tmp_path: Path) -> None:
    path = tmp_path / "wrong.rcy"
    path.write_text(SOUND.format(comment="").replace("shuffle", "shufle"), encoding="utf-8")
    done = upcard("page", str(path), "-o", "made.html", cwd=tmp_path)
    assert done.returncode == 1
    assert "did you mean shuffle?" in done.stderr
    assert done.stderr.splitlines()[-1] == f"upcard: {path} has errors, so nothing was done"
    assert [found.name for found in tmp_path.iterdir()] == ["wrong.rcy"]


def test_a_game_that_never_ends_gets_a_page_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "endless.rcy"
    path.write_text(ENDLESS, encoding="utf-8")
    _, root = page_of(tmp_path, path, "--games", "3")
    (trouble,) = [one for one in root.all("div") if one.attributes.get("class") == "trouble"]
    assert "None of 3 random games reached an end." in trouble.text
    assert root.one("branching").all("svg"), "what there is of it is shown"


def test_a_game_that_never_ends_is_not_searched(tmp_path: Path) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    path = tmp_path / "endless.rcy"
    path.write_text(ENDLESS, encoding="utf-8")
    _, root = page_of(tmp_path, path, "--games", "3", "--players", "published", "--engine", "native")
    assert not {"spread", "lead-history", "skill"} & set(ids(root)), "sections without results are left out"
    assert "do not end by themselves" in root.one("heuristics").text


def test_without_machine_code_a_page_is_of_random_players(tmp_path: Path) -> None:
    path = tmp_path / "small.rcy"
    path.write_text(SOUND.format(comment=""), encoding="utf-8")
    _, root = page_of(tmp_path, path, "--players", "published")
    assert "lead-history" not in ids(root)
    assert "searches with machine code" in root.one("heuristics").text
    assert root.one("branching").all("figure")


def test_a_game_that_fails_gets_a_page_that_says_where(tmp_path: Path) -> None:
    path = tmp_path / "failing.rcy"
    path.write_text(FAILING, encoding="utf-8")
    _, root = page_of(tmp_path, path, code=1)
    (trouble,) = [one for one in root.all("div") if one.attributes.get("class") == "trouble"]
    assert "Every one of 12 random games failed." in trouble.text
    assert "line 7: a number is divided by zero" in trouble.text
    assert not {"branching", "length", "scores", "heuristics"} & set(ids(root))
    links = [link.attributes["href"] for nav in root.all("nav") for link in nav.all("a")]
    assert links == [f"#{section.attributes['id']}" for section in root.all("section")]
    assert root.one("flow").all("svg")


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["-o", "."], "cannot be written; give -o a file"),
        (["-o", "nowhere/page.html"], "cannot be written; give -o a file"),
        (["--games", "0"], "--games must be at least 1, not 0"),
        (["--players", "none", "--search-games", "3"], "name one with --players"),
        (["--players", "nobody"], "nobody"),
        (["--rule", "x=y"], "this game has no house rule x"),
    ],
)
def test_misuse_is_one_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    done = upcard("page", "kuhn-poker", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words, made", [(("page", "kuhn-poker"), "kuhn-poker.html"), (("site", "-o", "all", "kuhn-poker"), "all")]
)
def test_pages_do_not_need_matplotlib(
    words: tuple[str, ...], made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = upcard(*words, *"--games 6 --players none --workers 1".split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [made]


def test_a_wrong_program_is_diagnosed_without_matplotlib_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    (tmp_path / "cut.rcy").write_text("(game (setup", encoding="utf-8")
    done = upcard("page", "cut.rcy", cwd=tmp_path)
    assert done.returncode == 1
    assert "E110" in done.stderr + done.stdout
    assert "matplotlib" not in done.stderr


def test_only_markup_is_not_escaped() -> None:
    assert (
        tag("p", "<b>", tag("b", "&"), None, 3, class_='"') == '<p class="&quot;">&lt;b&gt;<b>&amp;</b>3</p>'
    )
    assert text(Html("<i>")) == "<i>"
    assert join("<", Html(">")) == "&lt;>"
    assert tag("input", hidden=True, disabled=False, name=None) == "<input hidden/>"
