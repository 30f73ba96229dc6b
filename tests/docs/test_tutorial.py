"""The tutorial is carried out: every file is changed and every command run as its pages say."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from tests.docs import steps
from tests.docs.steps import DOCS, Fence, change, fits, run_page, run_python

FOLDER = DOCS / "tutorial"
PAGES = sorted(FOLDER.glob("[0-9]-*.md"))


def test_the_pages_lead_to_a_finished_game(tmp_path: Path) -> None:
    assert sum(len(run_page(page, tmp_path)) for page in PAGES) > 20


def test_the_index_names_every_page_in_order() -> None:
    listed = re.findall(r"^\d+\. \[.*?\]\((.*?)\)", (FOLDER / "index.md").read_text(encoding="utf-8"), re.M)
    assert listed == [page.name for page in PAGES]


def test_every_page_leads_to_the_next() -> None:
    assert len(PAGES) > 2
    for page, following in itertools.pairwise(PAGES):
        assert f"]({following.name})" in page.read_text(encoding="utf-8").splitlines()[-1]


@pytest.mark.parametrize(
    ("expected", "printed", "fitting"),
    [
        ("one\ntwo\n", "one\ntwo\n", True),
        ("one\ntwo\n", "one\n", False),
        ("one\n", "one\ntwo\n", False),
        ("one\n...\nfour\n", "one\ntwo\nthree\nfour\n", True),
        ("one\n...\nfour\n", "one\ntwo\nthree\n", False),
        ("in ... s, ... a second\n", "in 0.1 s, 7,000 a second\n", True),
        ("South lays 4 away...\n", "South lays 4 away again\n", False),
        ("seed: ...\n", "seed: 5d8f\n", True),
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
    with pytest.raises(AssertionError, match="p:2: recycle"):
        change(Fence("p", 1, "recycle a.rcy replace", "(x 1)\n"), Fence("p", 2, "recycle", ""), tmp_path)
    with pytest.raises(AssertionError, match="Expected"):
        run_python(Fence("p", 1, "python", ">>> 1 + 1\n3\n"), {}, tmp_path)
    assert steps.tokens("(game ;; a\n (x 1))") == steps.tokens("(game (x 1))")
