"""The tutorial is carried out: every file is changed and every command run as its pages say."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from tests.docs import tutorial
from tests.docs.tutorial import PAGES, Fence, carry_out, change, commands, fences, fits

FOLDER = PAGES[0].parent


def test_the_pages_lead_to_a_finished_game(tmp_path: Path) -> None:
    run = 0
    for page in PAGES:
        steps = list(fences(page))
        assert steps, f"{page.name} has nothing to do in it"
        for number, fence in enumerate(steps):
            if fence.about.endswith(" with"):
                assert number, f"{fence}: nothing before it"
                assert "replace" in steps[number - 1].about, f"{fence}: nothing to be replaced"
            elif fence.about.startswith("console"):
                for command in commands(fence):
                    printed = carry_out(command, tmp_path)
                    assert fits(command.expected, printed), f"{fence}: {command.words} printed\n{printed}"
                    run += 1
            else:
                change(fence, steps[number + 1] if number + 1 < len(steps) else None, tmp_path)
    assert run > 20


def test_the_index_names_every_page_in_order() -> None:
    listed = re.findall(r"^\d+\. \[.*?\]\((.*?)\)", (FOLDER / "index.md").read_text(encoding="utf-8"), re.M)
    assert listed == [page.name for page in PAGES]


def test_every_page_leads_to_the_next() -> None:
    assert len(PAGES) > 2
    for page, following in itertools.pairwise(PAGES):
        assert f"]({following.name})" in page.read_text(encoding="utf-8").splitlines()[-1]


@pytest.mark.parametrize("page", [FOLDER / "index.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    ("expected", "printed", "fitting"),
    [
        ("one\ntwo\n", "one\ntwo\n", True),
        ("one\ntwo\n", "one\n", False),
        ("one\n", "one\ntwo\n", False),
        ("one\n...\nfour\n", "one\ntwo\nthree\nfour\n", True),
        ("one\n...\nfour\n", "one\ntwo\nthree\n", False),
        ("in ... s, ... a second\n", "in 0.1 s, 7,000 a second\n", True),
        ("South lays 4 away ...\n", "South lays 4 away again\n", False),
        ("", "", True),
        ("", "something\n", False),
    ],
)
def test_what_fits(expected: str, printed: str, fitting: bool) -> None:
    assert fits(expected, printed) is fitting


def test_a_wrong_step_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.rcy").write_text("(game (x 1))\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="0 times"):
        change(
            Fence("p", 1, "recycle a.rcy replace", "(y)\n"), Fence("p", 2, "recycle with", "(z)\n"), tmp_path
        )
    with pytest.raises(AssertionError, match="another program"):
        change(Fence("p", 1, "recycle a.rcy forms", "(game (x 2))\n"), None, tmp_path)
    assert tutorial.tokens("(game ;; a\n (x 1))") == tutorial.tokens("(game (x 1))")
