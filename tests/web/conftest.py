"""One server for the tests that do not stop it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn", reason="the packages of upcard[web] are not installed here")

from tests.web.browsers import serving


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("web") / "tables.db") as found:
        yield found
