"""Views that games register for the table."""

from __future__ import annotations

from pathlib import Path

import pytest

import upcard
from upcard import plugins
from upcard.engine.api import Observation
from upcard.terminal.seat_view import View
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import GENERAL, TableView, make_view, view_of

SOURCE = Path(upcard.__file__).parent


class Backwards(TableView):
    def fits(self, observation: Observation) -> bool:
        return observation.seats == 4

    def arrange(self, view: View) -> View:
        return view.__class__(**{**vars(view), "options": view.options[::-1]})


def observed(name: str) -> Observation:
    state = upcard.load(name).deal(seed=1)
    assert state.to_move is not None
    return state.observe(state.to_move)


def test_a_registered_view_is_used_for_its_game_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    views = {"hearts": Backwards, "kuhn-poker": Backwards}
    monkeypatch.setattr(plugins, "load_entry", lambda group, name: views.get(name))
    seen = observed("hearts")
    narrator = TableNarrator.at(upcard.load("hearts").narrator, seen)
    assert isinstance(view_of(seen), Backwards)
    usual = [option.text for option in GENERAL.arrange(make_view(seen, narrator)).options]
    monkeypatch.setattr(plugins, "load_entry", lambda group, name: None)
    assert usual == [option.text for option in make_view(seen, narrator).options][::-1]


def test_a_view_that_does_not_fit_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "load_entry", lambda group, name: Backwards)
    assert view_of(observed("kuhn-poker")) is GENERAL  # two seats


def test_counts_are_called_by_their_owner() -> None:
    state = upcard.load("whist").deal(seed=1)
    for _ in range(8):
        state.play(0)
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    view = make_view(seen, TableNarrator.at(upcard.load("whist").narrator, seen))
    assert "Your tricks: 1; West's tricks: 1." in GENERAL.turn_lines(view)


def test_euchre_registers_its_view() -> None:
    assert type(view_of(observed("euchre"))).__module__ == "upcard.euchre.euchre_view"


def test_only_euchre_and_the_course_know_euchre() -> None:
    outside = (path for path in SOURCE.rglob("*.py") if path.parent.name not in ("euchre", "course"))
    knowing = [path.name for path in outside if "upcard.euchre" in path.read_text(encoding="utf-8")]
    assert knowing == []
