"""A server that is killed loses no move that was shown, and everybody comes back to their seat."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.runner import upcard
from tests.web.browsers import make_table
from tests.web.kill import rounds
from tests.web.processes import Process


def test_nothing_that_was_shown_is_lost(tmp_path: Path) -> None:
    people = rounds(2, 1, tmp_path)
    assert all(person.turn for person in people)


def test_ctrl_c_stops_the_server(tmp_path: Path) -> None:
    with Process(["--no-browser", "--port", "0"], tmp_path) as process:
        make_table(process.address, "kuhn-poker")
        assert process.stop() == 0
    assert (tmp_path / "data" / "tables.db").is_file()


def test_a_port_and_a_database_that_are_used(tmp_path: Path) -> None:
    with Process(["--no-browser", "--port", "0"], tmp_path) as process:
        port = str(process.port)
        same_port = upcard("serve", "--no-browser", "--port", port, "--database", str(tmp_path / "b.db"))
        assert same_port.returncode == 2
        assert same_port.stderr.startswith(f"upcard: port {port} of 127.0.0.1 cannot be used: ")
        same_file = upcard(
            "serve", "--no-browser", "--port", "0", "--database", str(tmp_path / "data" / "tables.db")
        )
        assert same_file.returncode == 2
        assert "is used by another program; stop that server" in same_file.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "65536"], "--port is a number from 0 to 65535, not 65536"),
        (["--host", "0.0.0.0"], "with --host 0.0.0.0 others can reach the server; say how with --public"),
        (["--host", "0.0.0.0", "--public", "here"], "here is not the address of a server; write it like"),
        (["no-such-game"], "there is no game or file called no-such-game"),
    ],
)
def test_what_cannot_be_served(words: list[str], sentence: str, tmp_path: Path) -> None:
    done = upcard("serve", "--no-browser", "--database", str(tmp_path / "tables.db"), *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"upcard: {sentence}")


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "websockets", "msgspec"])
def test_a_missing_package(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    done = upcard("serve")
    assert done.returncode == 2
    assert done.stderr == f"upcard: tables in the browser need {package}: pip install 'upcard[web]'\n"
