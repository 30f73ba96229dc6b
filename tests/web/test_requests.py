"""What the server answers to requests: pages, headers, other origins, limits, damaged requests."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.web.browsers import Client, get, make_table, serving
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from upcard.web.app import STATIC, VisitorLimits
from upcard.web.messages import LONGEST_MESSAGE
from upcard.web.origin import BadAddress, own_hosts, public_host
from upcard.web.rate_limit import Rate
from upcard.web.table_socket import MAX_WAITING, TOO_SLOW, TableSocket

SCRIPTS = sorted(path.name for path in STATIC.glob("*.js"))


@pytest.mark.parametrize("page", ["/", "/table/AAAA-AAAA"])
def test_pages_run_only_scripts_of_the_server(page: str, address: str) -> None:
    status, body, headers = get(f"{address}{page}")
    assert status == 200
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    text = body.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)", text)
    for file in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert get(f"{address}{file}")[0] == 200, file


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_import_what_is_there_and_never_parse_markup(script: str) -> None:
    text = (STATIC / script).read_text(encoding="utf-8")
    for other in re.findall(r'from "(.+?)"|^import "(.+?)"', text, re.MULTILINE):
        name = next(filter(None, other))
        assert name.startswith("./"), name
        assert (STATIC / name).is_file(), name
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?://(?!www\.w3\.org)", text
    )


def test_words_of_the_client_are_in_one_file() -> None:
    """Strings with spaces that people read: elsewhere there are only class names and the like."""
    text = (STATIC / "strings.js").read_text(encoding="utf-8")
    for script in SCRIPTS:
        if script != "strings.js":
            lines = (STATIC / script).read_text(encoding="utf-8").splitlines()
            code = "\n".join(line for line in lines if not line.strip().startswith(("//", "*", "/*")))
            sentences = re.findall(r'"([A-Z][a-z]+ [a-z][^"]*)"', code)
            assert not sentences, f"{script}: {sentences} belongs to strings.js"
    assert "English" not in text


def test_another_host_and_another_origin_are_refused(address: str) -> None:
    port = address.rpartition(":")[2]
    assert get(f"{address}/", {"Host": "rebound.example"})[0] == 403
    assert get(f"{address}/api/lobby", {"Host": f"localhost:{port}"})[0] == 200
    settings = json.dumps({"game": "whist", "name": "Ann", "seats": ["open"]}).encode()
    for origin, expected in (("https://evil.example", 403), ("null", 403), (address, 201)):
        assert get(f"{address}/api/tables", {"Origin": origin}, settings)[0] == expected
    table = make_table(address, "kuhn-poker")
    place = f"{address.replace('http', 'ws')}/api/tables/{table['code']}/socket"
    with pytest.raises(InvalidStatus), connect(place, additional_headers={"Origin": "https://evil.example"}):
        pass


def test_the_hosts_of_a_public_server() -> None:
    assert "cards.example.org" in own_hosts(8000, "https://cards.example.org/")
    assert "192.168.1.20:8000" in own_hosts(8000, "http://192.168.1.20:8000")
    for wrong in (
        "cards.example.org",
        "ftp://a.example",
        "http://",
        "http://a/b",
        "http://u@a",
        "http://a:x",
    ):
        with pytest.raises(BadAddress, match=r"write it like https://cards\.example\.org"):
            public_host(wrong)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"game": "no-such"}, "this server has no such game; choose one of the list"),
        ({"game": "../euchre"}, "this server has no such game"),
        ({"seats": ["strong"]}, "the first seat is yours"),
        (
            {"seats": ["open", "cmd:ls"]},
            "the first seat is yours; every other one is open or has a bot's level",
        ),
        ({"seats": ["open", "/tmp/mine.py:Mine"]}, "the first seat is yours"),
        ({"rules": {"stack": "no"}}, "this game has no house rule stack"),
        ({"name": ""}, "enter a name"),
        ({"name": "north"}, "somebody called north sits at this table; choose another name"),
        ({"more": 1}, "these are not the settings of a table"),
        ({"to": -1}, "these are not the settings of a table"),
        ({"seats": "open"}, "these are not the settings of a table"),
    ],
)
def test_settings_that_are_refused(address: str, settings: dict[str, object], why: str) -> None:
    given = {"game": "euchre", "name": "Ann", "seats": ["open", "random"], **settings}
    status, body, _ = get(f"{address}/api/tables", body=json.dumps(given).encode())
    assert status == 400
    assert json.loads(body)["why"].startswith(why)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 10_000, b" " * 20_000])
def test_damaged_settings(address: str, body: bytes) -> None:
    status, answer, _ = get(f"{address}/api/tables", body=body)
    assert status == 400
    assert "Traceback" not in answer.decode()


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/", "/api/none", "/table"]
)
def test_nothing_else_is_served(address: str, path: str) -> None:
    status, body, headers = get(f"{address}{path}")
    assert status in (404, 405)
    assert b"import" not in body
    assert "Content-Security-Policy" in headers


@pytest.mark.parametrize("code", ["AAAA-AAAA", "x", "%00", "A" * 500, "..%2f.."])
def test_a_code_without_a_table(address: str, code: str) -> None:
    for more in ("", "/cards.svg", "/record"):
        assert get(f"{address}/api/tables/{code}{more}")[0] == 404
    with connect(f"{address.replace('http', 'ws')}/api/tables/AAAA-AAAA/socket") as socket:
        assert "there is no table with this code" in str(socket.recv(timeout=60))
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=60)
        assert socket.protocol.close_code == 4404


def test_a_code_may_be_typed_in_any_way(address: str) -> None:
    code = make_table(address, "kuhn-poker")["code"]
    for typed in (code.lower(), code.replace("-", ""), code.replace("-", "%20")):
        assert json.loads(get(f"{address}/api/tables/{typed}")[1]) == {"code": code, "title": "Kuhn Poker"}


def test_cards_are_drawn_by_the_server(address: str) -> None:
    code = make_table(address, "euchre")["code"]
    status, body, headers = get(f"{address}/api/tables/{code}/cards.svg")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    drawn = re.findall(r'<symbol id="card-([^"]+)"', body.decode())
    assert len(drawn) == 25
    assert drawn[-1] == "back"


def test_one_address_cannot_make_tables_without_end(tmp_path: Path) -> None:
    few = VisitorLimits(Rate(2, 0.0001), Rate(6, 0.0001))
    with serving(tmp_path / "tables.db", limits=few) as address:
        settings = json.dumps({"game": "kuhn-poker", "name": "Ann", "seats": ["open"]}).encode()
        assert [get(f"{address}/api/tables", body=settings)[0] for _ in range(3)] == [201, 201, 429]
        statuses = [get(f"{address}/api/tables/AAAA-AAAA")[0] for _ in range(7)]
        assert statuses == [404] * 6 + [429]


def test_a_message_may_not_be_long(address: str) -> None:
    code = make_table(address, "kuhn-poker")["code"]
    with Client(address, code) as guest:
        guest.send(type="join", token="x" * LONGEST_MESSAGE)
        with pytest.raises(ConnectionClosed):
            guest.until(lambda: False)
        assert guest.refused == ["this message is too long"]


def test_a_connection_may_not_send_too_many_messages(tmp_path: Path) -> None:
    few = VisitorLimits(messages=Rate(burst=5, per_second=0.0001))
    with serving(tmp_path / "tables.db", limits=few) as address:
        with Client(address, make_table(address, "kuhn-poker")["code"]) as guest:
            with pytest.raises(ConnectionClosed):
                flood(guest)
            assert guest.refused[-1] == "too many messages; wait a moment"


def flood(guest: Client) -> None:
    for _ in range(6):
        guest.send(type="start")
    guest.until(lambda: False)


def test_a_browser_that_does_not_read_is_sent_away() -> None:
    """Nobody else waits for it, and what waits for it takes no more memory."""
    socket: Any = TableSocket(None, None, None, Rate(1, 1))  # type: ignore[arg-type]
    for _ in range(MAX_WAITING):
        socket.send(b"more")
    assert socket._outgoing.qsize() == MAX_WAITING
    socket.send(b"too much")
    assert (socket._outgoing.qsize(), socket._close_code) == (1, TOO_SLOW)
