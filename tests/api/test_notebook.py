"""What a notebook shows of a game and a state."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import upcard
from upcard.engine.loader import Engine, load


def picture(html: str) -> str:
    """The SVG in an image."""
    found = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', html)
    assert found is not None
    return base64.b64decode(found[1]).decode()


@pytest.mark.parametrize("name", upcard.games())
def test_a_state_draws_its_table(name: str) -> None:
    state = load(name).deal(seed=7)
    html = state._repr_html_()
    assert html is not None
    svg = picture(html)
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in html + svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_the_picture_shows_what_the_seat_to_move_sees() -> None:
    state = load("euchre").deal(seed=7)
    svg = picture(str(state._repr_html_()))
    assert svg.count('class="pattern"') > 3
    assert "South" in svg
    while state.to_move is not None:
        state.play(0)
    html = state._repr_html_()
    assert html is not None
    assert "finished, scores" in html


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_game_shows_its_card(engine: Engine) -> None:
    html = load("euchre", rules={"stick": "no"}, engine=engine)._repr_html_()
    assert html is not None
    for words in ("Euchre", "4: South, West, North, East", "decisions", "stick", "STICK FALSE", engine):
        assert words in html


def test_a_game_without_a_sheet_has_a_card_too(tmp_path: Path) -> None:
    file = tmp_path / "own.rcy"
    file.write_text(upcard.check("kuhn-poker").source.text, encoding="utf-8")
    html = load(file)._repr_html_()
    assert html is not None
    assert "own" in html


def test_a_study_shows_its_figures() -> None:
    html = upcard.study.run("euchre", games=100, seed=1)._repr_html_()
    assert html is not None
    assert "fairness" in html
    pictures = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', html)
    assert len(pictures) == 3
    for data in pictures:
        svg = base64.b64decode(data).decode()
        assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        drawn, style = svg.partition("</style>")[2], svg.partition("</style>")[0]
        for name in re.findall(r"var\((--\w+)\)", style):
            assert f"{name}:" in style  # every colour is there, so nothing is drawn black
        for word in set(re.findall(r'class="(f\d|axis|grid)"', drawn)):
            assert f".chart .{word}" in style


def test_a_study_of_a_game_with_one_length_shows_the_rest() -> None:
    html = upcard.study.run("goofspiel", games=20, seed=1)._repr_html_()
    assert html is not None
    assert html.count("<img") == 2
