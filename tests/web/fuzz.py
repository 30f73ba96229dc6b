"""Hostile messages: mutated, replayed, with wrong types and sizes. The server stays up, and others play on.

    python -m tests.web.fuzz --count 1000000 --seed 3

Every fourth connection has a seat, the others watch. Meanwhile somebody plays at another table, who must not
notice.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.web.browsers import Client, make_table, serving
from websockets.exceptions import ConnectionClosed

WORDS = [
    "join",
    "sit",
    "start",
    "play",
    "continue",
    "hint",
    "rematch",
    "leave",
    "shout",
    "",
    "\x00",
    "__proto__",
]
A_CONNECTION = 25
"""Messages on a connection, which is less than the limit on messages allows at once."""


def hostile(draw: random.Random, client: Client) -> str | bytes:
    """One message: nearly right, or nothing like it."""
    deal = client.document.get("deal", {})
    good: dict[str, Any] = draw.choice(
        [
            {
                "type": "sit",
                "person": draw.randrange(-2, 6),
                "name": draw.choice(["", "x" * 90, "<b>", "\u202e", "Bob"]),
            },
            {
                "type": "play",
                "turn": draw.choice([deal.get("turn", ""), "0.0.0", ""]),
                "option": draw.choice([0, 1, 2, 99, 2**63]),
            },
            {"type": "continue", "deal": draw.choice([0, 1, -1, 10**9])},
            {"type": "join", "token": draw.choice(["", "x" * 64, "\ud800"])},
            {"type": draw.choice(["start", "rematch", "leave"])},
        ]
    )
    kind = draw.randrange(6)
    if kind == 0:
        key = draw.choice(list(good))
        good[key] = draw.choice([None, [], {}, 1.5, True, "x" * 3000, -1, draw.choice(WORDS)])
    elif kind == 1:
        good[draw.choice(WORDS)] = draw.choice([1, "x", None])
    text = json.dumps(good)
    if kind == 2:
        at = draw.randrange(len(text))
        text = text[:at] + chr(draw.randrange(1, 0x3000)) + text[at + draw.randrange(3) :]
    elif kind == 3:
        return bytes(draw.randrange(256) for _ in range(draw.randrange(60)))
    elif kind == 4:
        return draw.choice(["", "[" * 1500, "{" * 1500, "null", "0", '"', text[: draw.randrange(len(text))]])
    return text


def attack(address: str, count: int, seed: int, while_playing: Callable[[], object]) -> int:
    """How many messages were sent. `while_playing` is called between connections."""
    draw = random.Random(seed)
    sent = 0
    table = make_table(address, "kuhn-poker", ("open", "open"))
    while sent < count:
        if draw.random() < 0.02:
            table = make_table(address, "kuhn-poker", ("open", "open"))
        token = table["token"] if draw.random() < 0.25 else draw.choice(["", table["token"][:-1], "x"])
        with suppress(ConnectionClosed), Client(address, table["code"], token) as client:
            for _ in range(A_CONNECTION):
                client.socket.send(hostile(draw, client))
                sent += 1
                with suppress(TimeoutError):
                    client.receive(0)
            client.socket.close()
        while_playing()
    return sent


def honest_player(address: str, seed: int) -> tuple[Client, Callable[[], None]]:
    """Somebody who plays on meanwhile."""
    table = make_table(address, "whist", ("open", *["random"] * 3))
    client = Client(address, table["code"], table["token"])
    draw = random.Random(seed)
    client.send(type="start")

    def play() -> None:
        client.until(lambda: bool(client.options) or client.over)
        if client.over:
            client.send(type="rematch")
            client.until(lambda: not client.over)
        else:
            client.play(draw.randrange(len(client.options)) + 1)
        assert not client.refused

    return client, play


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.fuzz", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "tables.db") as address:
        honest, play = honest_player(address, asked.seed)
        with honest:
            sent = attack(address, asked.count, asked.seed, play)
            print(f"seed {asked.seed}: {sent} messages sent, the other table stands at {honest.deal['turn']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
