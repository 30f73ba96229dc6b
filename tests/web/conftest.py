"""One server for the tests that do not stop it. They need the packages of `upcard[web]`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

PACKAGES = ("msgspec", "starlette", "uvicorn", "websockets")
if not all(map(find_spec, PACKAGES)):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from tests.web.browsers import serving

    with serving(tmp_path_factory.mktemp("web") / "tables.db") as found:
        yield found
