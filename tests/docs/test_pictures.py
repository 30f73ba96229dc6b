"""The pictures are what their commands make."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from tests.docs.pictures import GRAPH, IMAGES, PAGE, pictures

PLOTS = {"learning-curve.svg"}
"""Drawn by matplotlib on a background of its own, by `examples/learn_policy.py --curve` in minutes."""


def test_pictures_are_up_to_date() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed here")
    made = pictures()
    assert {path.name for path in IMAGES.glob("*.svg")} == set(made) | PLOTS
    for name, text in made.items():
        shown = (IMAGES / name).read_text(encoding="utf-8")
        assert shown == text, f"{name} is out of date: python -m tests.docs.pictures --write"


def test_pictures_load_nothing_and_follow_the_theme() -> None:
    for path in IMAGES.glob("*.svg"):
        if path.name in PLOTS:
            continue
        text = path.read_text(encoding="utf-8")
        ET.fromstring(text)
        assert "prefers-color-scheme: dark" in text
        assert text.count("http") == text.count('xmlns="http') == 1


def test_the_documents_name_the_commands() -> None:
    readme = (IMAGES.parents[1] / "README.md").read_text(encoding="utf-8")
    assert PAGE.removesuffix(" --seed 1 --players none --games 20") in readme
    guide = (IMAGES.parent / "how-to" / "draw-the-graph.md").read_text(encoding="utf-8")
    assert GRAPH in guide
