"""Positions are about rules, so the reference engine plays them: nothing has to be compiled for each house
rule. That the native engine plays the same games is tested elsewhere."""

from __future__ import annotations

import pytest

from upcard.engine import loader as loading

MEASURED = ("test_figures", "test_trick_figures")
"""Files that play thousands of games."""


@pytest.fixture(autouse=True)
def _by_the_book(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.module.__name__.endswith(MEASURED):
        defaults = loading.load.__kwdefaults__
        assert defaults is not None
        monkeypatch.setitem(defaults, "engine", "reference")
