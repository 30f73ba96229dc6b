"""What tests of the Euchre expert share."""

from __future__ import annotations

import pytest

import upcard
from upcard.engine.native.game import NativeGame


@pytest.fixture(scope="session")
def game() -> NativeGame:
    """Euchre in machine code, without which the expert does not play."""
    loaded = upcard.load("euchre")
    if not isinstance(loaded, NativeGame):
        pytest.skip("the expert searches in machine code, and there is none here")
    return loaded
