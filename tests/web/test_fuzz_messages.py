"""Hostile messages end their own connection at most; another table plays on meanwhile."""

from __future__ import annotations

import random

from tests.web.browsers import Client, make_table
from tests.web.fuzz import attack, honest_player, hostile

from upcard.web import messages


def test_whatever_arrives_is_a_message_or_refused() -> None:
    draw = random.Random(1)
    nobody = Client.__new__(Client)
    nobody.document = {}
    refused = 0
    for _ in range(5000):
        data = hostile(draw, nobody)
        try:
            found = messages.parse(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
        except messages.BadMessage:
            refused += 1
        else:
            assert isinstance(found, messages.FromBrowser)
    assert 1000 < refused < 4900


def test_the_server_survives_and_others_play_on(address: str) -> None:
    honest, play = honest_player(address, 1)
    with honest:
        assert attack(address, 600, 1, play) >= 600
        assert honest.deal["turn"] > "0.0.0"
    table = make_table(address, "kuhn-poker")
    with Client(address, table["code"], table["token"]) as client:
        assert client.document["you"] == 0
