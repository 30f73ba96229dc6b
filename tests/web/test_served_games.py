"""Every game of the library is played through the socket to the end of a deal, by a client without rules."""

from __future__ import annotations

import random

import pytest
from tests.web.browsers import Client, make_table

import upcard

SEATS = ["open", *["random"] * 8]


@pytest.mark.parametrize("game", upcard.games())
def test_a_deal_is_played_to_its_end(game: str, address: str) -> None:
    table = make_table(address, game, SEATS)
    with Client(address, table["code"], table["token"]) as player, Client(address, table["code"]) as watcher:
        player.send(type="start")
        player.until(lambda: "deal" in player.document)
        draw = random.Random(game)
        turns = 0
        while "result" not in player.document and not player.over:
            player.until(lambda: bool(player.options) or "result" in player.document or player.over)
            if not player.options:
                continue
            watcher.until(lambda: watcher.document.get("deal", {}).get("turn") == player.deal["turn"])
            assert faces(watcher) <= faces(player), "a spectator sees a card that a player does not see"
            assert watcher.options == []
            check_options(player)
            player.play(draw.randrange(len(player.options)) + 1)
            turns += 1
        assert not player.refused
        assert turns
        assert player.document["result"]["lines"]
        assert player.document["table"]["seed"] == "" or player.over


def faces(client: Client) -> set[str]:
    """The cards that lie open for a client."""
    deal = client.deal
    places = [*deal["middle"], *(place for chair in deal["chairs"] for place in chair["places"])]
    return {card for place in places for card in place["cards"] if card}


def check_options(client: Client) -> None:
    """Each choice has words; the log has sentences, without names of the program."""
    assert all(option["text"] for option in client.options)
    assert client.deal["question"].startswith("Your turn")
    assert client.deal["log"]
