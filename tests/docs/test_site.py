"""What the documentation site adds to the pages: references, captions, links; without building it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from tests.docs.dead_links import text_of
from tests.docs.site.api_reference import canonical_names, exported, neutral
from tests.docs.site.command_reference import command_reference, commands, parameters, plain
from tests.docs.site.foreign_resources import foreign_resources
from tests.docs.site.site_pages import site_text
from tests.docs.steps import DOCS

import upcard


@cache
def reference() -> str:
    return command_reference()


@cache
def sections() -> dict[str, str]:
    parts = re.split(r"^#{2,3} upcard (\S+)$", reference(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_has_a_section() -> None:
    assert list(sections()) == list(commands())
    assert len(commands()) > 20


@pytest.mark.parametrize("name", list(commands()))
def test_a_section_has_every_argument_and_option(name: str) -> None:
    text = sections()[name]
    arguments, options = parameters(commands()[name])
    assert len(re.findall(r"^\| `", text, re.MULTILINE)) == len(arguments) + len(options)
    for option in options:
        for spelling in [*option.opts, *option.secondary_opts]:
            assert f"`{spelling}" in text
        words = (option.help or "").split()
        assert words, f"{name} {option.opts}: no help"
        assert plain(" ".join(words)).replace("|", "\\|") in text


def test_a_section_has_the_defaults_and_no_broken_table() -> None:
    text = sections()["simulate"]
    assert "Default: `1000`." in text
    for row in re.findall(r"^\|.*\|$", reference(), re.MULTILINE):
        assert len(re.findall(r"(?<!\\)\|", row)) == 3, row


def test_examples_in_a_help_text_become_code() -> None:
    from tests.docs.site.command_reference import _paragraphs

    shown = list(_paragraphs("Play games.\n\nFor *example*:\n\n  upcard play a\n  $ upcard play b"))
    assert shown == [
        "Play games.",
        r"For \*example\*:",
        "```console\n$ upcard play a\n$ upcard play b\n```",
    ]


def test_every_exported_name_is_in_the_reference() -> None:
    text = text_of(DOCS / "reference" / "api.md")
    for name in exported():
        assert re.search(rf"^(\.\. auto\w+:: upcard\.{name}|## upcard\.{name})$", text, re.MULTILINE), name
    assert canonical_names()["upcard.engine.api.Move"] == "upcard.Move"
    assert set(exported()) == {name for name in upcard.__all__ if name[0] != "_"}


def test_docstrings_are_taken_as_they_are_written() -> None:
    assert neutral(["*args | `a|b` this_ a_b", ">>> 2 * 3", "a | b", "", ":param x: *"]) == [
        r"\*args \| `a|b` this\_ a_b",
        ">>> 2 * 3",
        "a | b",
        "",
        ":param x: *",
    ]
    assert neutral(["A package.", "", "Modules:", "    a   Holds a."]) == ["A package.", ""]


def test_links_are_followed_from_the_top() -> None:
    shown = site_text(
        "how-to/simulate",
        "[a](../reference/api.md#x) [b](../../CONTRIBUTING.md) [c](../../src/upcard/) [d](../errors/) "
        "[e](https://example.org/) [f](#here)\n\n```text\n[g](../x.md)\n```\n",
    )
    assert shown == (
        "[a](/reference/api.md#x) [b](/development/contributing.md) c [d](/reference/diagnostics.md) "
        "[e](https://example.org/) [f](#here)\n\n```text\n[g](../x.md)\n```\n"
    )


def test_a_file_beside_the_documentation_becomes_a_page() -> None:
    shown = site_text("development/contributing", "# Contributing\n")
    assert shown.startswith("# Contributing\n\n## Set up")
    assert "(/architecture.md)" in shown


def test_fences_show_the_file_that_they_are_about() -> None:
    shown = site_text(
        "x", "```toml a/game.toml replace all\nx\n```\n\n```toml with\ny\n```\n\n```console exit=1\n```\n"
    )
    assert shown == (
        "```{code-block} toml\n:caption: In a/game.toml, replace\n\nx\n```\n\n"
        "```{code-block} toml\n:caption: with\n\ny\n```\n\n```console\n```\n"
    )


def test_what_comes_from_another_site_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="https://ok.example/">x</a><link rel="next" href="https://ok.example/b">'
        '<script src="https://bad.example/a.js"></script><img alt="" src="//bad.example/b.png">'
        '<link href="https://bad.example/c.css" rel="stylesheet"><img src="own.svg">',
        encoding="utf-8",
    )
    (tmp_path / "b.css").write_text("@font-face { src: url(https://bad.example/d) }", encoding="utf-8")
    found = list(foreign_resources(tmp_path))
    assert len(found) == 4
    assert all("bad.example" in each for each in found)
