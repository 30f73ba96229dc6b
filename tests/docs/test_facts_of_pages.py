"""Reference pages hold what they must: every player, every figure of a study, the defaults of pages."""

from __future__ import annotations

import re

from tests.docs.steps import DOCS

from upcard.library.sheet import LEVELS
from upcard.players.levels import USUAL
from upcard.players.registry import player_names
from upcard.site import page_data
from upcard.study.study_summary import MEANINGS


def test_every_player_is_described() -> None:
    page = (DOCS / "reference" / "players.md").read_text(encoding="utf-8")
    assert [name for name in [*player_names(), *LEVELS] if f"`{name}`" not in page] == []


def test_the_usual_levels_are_described() -> None:
    page = (DOCS / "reference" / "players.md").read_text(encoding="utf-8")
    first, second, third, last = USUAL.values()
    assert f"`{first}`, `{second}`, `{third}` and `{last}`" in page


def test_every_figure_of_a_profile_is_defined() -> None:
    page = (DOCS / "reference" / "study.md").read_text(encoding="utf-8")
    defined = {name for row in re.findall(r"^\| ([a-z, ]+) \|", page, re.M) for name in row.split(", ")}
    assert set(MEANINGS) <= defined


def test_defaults_of_pages_are_those_of_the_program() -> None:
    page = (DOCS / "how-to" / "make-pages.md").read_text(encoding="utf-8")
    assert f"default {page_data.GAMES})" in page
    assert f"default `{page_data.SEARCHER}`, or `{page_data.NOBODY}`" in page
    bounds = f"from {page_data.MIN_GAMES} to {page_data.MAX_GAMES}"
    assert f"{page_data.CHOICES:,}\nalternatives between them, {bounds}" in page
