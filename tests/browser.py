"""The browser that tests of pages run: Chromium, if it is installed.

Without it these tests skip. Where UPCARD_BROWSER is "required", as in `.ci/run`, they fail instead.
"""

from __future__ import annotations

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser() -> str | None:
    """The program, where there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def browser_or_skip() -> str:
    """The program; without one the test that asks for it skips, or fails where a browser is required."""
    found = find_browser()
    if found is not None:
        return found
    if os.environ.get("UPCARD_BROWSER") == "required":
        pytest.fail("Chromium is required here and not installed: apt-get install chromium")
    pytest.skip("Chromium is not installed here")
