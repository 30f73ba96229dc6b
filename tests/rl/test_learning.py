"""The example that learns finds the best play against random players, where it is known."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="numpy is not installed here")

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_it_learns_kuhn_poker(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A best response to random play wins half a chip in the first seat."""
    monkeypatch.syspath_prepend(EXAMPLES)
    curve = import_module("learn_policy").learn("kuhn-poker", 20_000, every=5_000)
    assert [hands for hands, _ in curve] == [5_000, 10_000, 15_000, 20_000]
    assert curve[-1][1] == pytest.approx(0.5, abs=0.06)
    assert curve[0][1] < curve[-1][1] - 0.1
    assert len(capsys.readouterr().out.splitlines()) == 4
