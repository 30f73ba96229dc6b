"""Tables: seats and tokens, guests and spectators, leaving and coming back, bots, results, rematches."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from tests.cli.runner import upcard as command
from tests.web.browsers import QUICK, WAIT, Client, get, make_table, serving
from websockets.exceptions import ConnectionClosed

from upcard.web import tokens
from upcard.web.room_state import Tempo

KUHN = ("open", "open")


def test_a_friend_takes_an_open_seat(address: str) -> None:
    table = make_table(address, "kuhn-poker", KUHN)
    with Client(address, table["code"], table["token"]) as ann, Client(address, table["code"]) as bob:
        assert (ann.document["you"], bob.document["you"]) == (0, -1)
        bob.send(type="sit", person=1, name=" Bob\u202e ")
        bob.until(lambda: bob.document["you"] == 1)
        assert bob.document["people"]["1"]["name"] == "Bob\\u202e", "a name cannot turn the text around"
        ann.until(lambda: ann.document["people"]["1"]["here"])
        assert "token" not in json.dumps(ann.document)
        ann.send(type="start")
        for player in (ann, bob):
            player.until(lambda player=player: "deal" in player.document)  # type: ignore[misc]
        first = ann if ann.options else bob
        other = bob if first is ann else ann
        assert not other.options
        first.play(1)
        other.until(lambda: bool(other.options) or "result" in other.document)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"type": "sit", "person": 0, "name": "Bob"}, "Ann sits there; choose another seat"),
        ({"type": "sit", "person": 7, "name": "Bob"}, "this seat is not open; choose another one"),
        ({"type": "sit", "person": 1, "name": " "}, "enter a name, so that the others know who you are"),
        ({"type": "sit", "person": 1, "name": "ann"}, "somebody called ann sits at this table"),
        ({"type": "sit", "person": 1, "name": "x" * 21}, "a name has at most 20 characters"),
        ({"type": "start"}, "you are watching; take a seat first"),
        ({"type": "play", "turn": "0.0.0", "option": 1}, "you are watching; take a seat first"),
        ({"type": "hint", "turn": "0.0.0"}, "you are watching; take a seat first"),
        ({"type": "leave"}, "you are watching; take a seat first"),
        ({"type": "rematch"}, "you are watching; take a seat first"),
        ({"type": "join", "token": ""}, "you have joined this table already"),
    ],
)
def test_what_a_guest_cannot_do(address: str, message: dict[str, object], why: str) -> None:
    table = make_table(address, "kuhn-poker", KUHN)
    with Client(address, table["code"]) as guest:
        guest.send(**message)
        guest.until(lambda: bool(guest.refused))
        assert guest.refused[0].startswith(why)


def test_a_seat_belongs_to_its_token(address: str) -> None:
    table = make_table(address, "kuhn-poker", KUHN)
    for wrong in ("", "x", table["token"][:-1], table["token"] + "x", table["token"].swapcase()):
        with Client(address, table["code"], wrong) as guest:
            assert guest.document["you"] == -1
    for _ in range(2):  # two devices at once, too
        with (
            Client(address, table["code"], table["token"]) as one,
            Client(address, table["code"], table["token"]) as two,
        ):
            assert one.document["you"] == two.document["you"] == 0


def test_tokens_have_128_bits_and_only_their_digests_are_kept(tmp_path: Path) -> None:
    assert len(tokens.new_token()) == 22
    with serving(tmp_path / "tables.db") as address:
        token = make_table(address, "kuhn-poker", KUHN)["token"]
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert tokens.digest(token) in kept
    assert token.encode() not in kept


def test_a_move_counts_once(address: str) -> None:
    table = make_table(address, "kuhn-poker", ("open", "random"))
    with Client(address, table["code"], table["token"]) as ann:
        ann.send(type="start")
        ann.until(lambda: bool(ann.options))
        turn = ann.deal["turn"]
        for _ in range(3):
            ann.send(type="play", turn=turn, option=1)
        ann.until(lambda: len(ann.refused) == 2)
        assert set(ann.refused) <= {"it is not your turn any more", "no match is being played at this table"}


def test_a_choice_that_is_not_offered_is_refused(address: str) -> None:
    table = make_table(address, "kuhn-poker", ("open", "random"))
    with Client(address, table["code"], table["token"]) as ann:
        ann.send(type="start")
        ann.until(lambda: bool(ann.options))
        before = ann.number
        ann.send(type="play", turn=ann.deal["turn"], option=len(ann.options) + 1)
        ann.until(lambda: bool(ann.refused))
        assert ann.refused == ["this is not one of your choices; choose again"]
        assert ann.number == before


def test_a_bot_plays_for_a_person_who_is_away_and_gives_the_seat_back(address: str) -> None:
    table = make_table(address, "whist", ("open", "open", "random", "random"))
    with Client(address, table["code"], table["token"]) as ann:
        with Client(address, table["code"]) as bob:
            bob.send(type="sit", person=1, name="Bob")
            bob.until(lambda: bool(bob.seated))
            token = bob.seated[0]["token"]
            ann.send(type="start")
            play_until_asked(ann, bob)
        draw = random.Random(1)
        while not ann.document["people"]["1"]["bot_plays"]:
            ann.until(lambda: bool(ann.options))
            ann.play(draw.randrange(len(ann.options)) + 1)
        with Client(address, table["code"], token) as bob:
            assert bob.document["you"] == 1
            play_until_asked(ann, bob)


def play_until_asked(ann: Client, bob: Client) -> None:
    """Let Ann play until it is Bob's turn."""
    end = time.monotonic() + WAIT
    while not bob.options:
        assert time.monotonic() < end, "Bob is never asked"
        ann.catch_up()
        if ann.options:
            ann.play(1)
        bob.catch_up()


def test_leaving_a_seat_makes_it_free(address: str) -> None:
    table = make_table(address, "kuhn-poker", KUHN)
    with Client(address, table["code"]) as bob:
        bob.send(type="sit", person=1, name="Bob")
        bob.until(lambda: bob.document["you"] == 1)
        bob.send(type="leave")
        bob.until(lambda: bob.document["you"] == -1)
        assert bob.document["people"]["1"]["kind"] == "open"
    with Client(address, table["code"], bob.seated[0]["token"]) as old:
        assert old.document["you"] == -1, "the token is void"


def test_a_match_its_seed_its_record_and_a_rematch(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db") as address:
        table = make_table(address, "kuhn-poker", ("open", "random"))
        record = f"{address}/api/tables/{table['code']}/record"
        with Client(address, table["code"], table["token"]) as ann:
            ann.send(type="start")
            ann.until(lambda: "deal" in ann.document)
            assert get(record)[0] == 409
            before = ann.document["table"]
            assert (before["seed"], before["salt"]) == ("", "")
            while not ann.over:
                ann.until(lambda: bool(ann.options) or ann.over)
                if ann.options:
                    ann.play(1)
            after = ann.document["table"]
            assert after["fingerprint"] == before["fingerprint"]
            assert ann.document["result"]["lines"][-1].endswith(("the match.", "share the win."))
            status, body, headers = get(record)
            assert status == 200
            assert "attachment" in headers["Content-Disposition"]
            (tmp_path / "match.jsonl").write_bytes(body)
            ann.send(type="rematch")
            ann.until(lambda: ann.document["table"]["state"] == "playing")
            assert ann.document["table"]["fingerprint"] not in ("", after["fingerprint"])
    checked = command("replay", str(tmp_path / "match.jsonl"), "--check")
    assert checked.returncode == 0, checked.stderr
    assert after["fingerprint"] in checked.stdout
    assert f"{after['salt']}:{after['seed']}" in checked.stdout


def test_bots_wait_for_people_who_read_the_result(tmp_path: Path) -> None:
    patient = Tempo(slow=0.01, normal=0.005, fast=0.002, absent=0.05, result=1000)
    with serving(tmp_path / "tables.db", patient) as address:
        # in the second deal the bot begins
        table = make_table(address, "kuhn-poker", ("open", "random"))
        with Client(address, table["code"], table["token"]) as ann:
            ann.send(type="start")
            ann.until(lambda: "deal" in ann.document)
            while "result" not in ann.document:
                ann.until(lambda: bool(ann.options) or "result" in ann.document)
                if ann.options:
                    ann.play(1)
            turn = ann.deal["turn"]
            assert not ann.options
            assert turn.startswith("0.1.")
            ann.send(type="continue", deal=0)
            ann.until(lambda: ann.deal["turn"] != turn)


def test_the_table_waits_when_nobody_is_there(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db", QUICK) as address:
        table = make_table(address, "whist", ("open", *["random"] * 3))
        with Client(address, table["code"], table["token"]) as ann:
            ann.send(type="start")
            ann.until(lambda: bool(ann.options))
            turn = ann.deal["turn"]
        with Client(address, table["code"], table["token"]) as ann:
            assert ann.deal["turn"] == turn


def test_a_game_of_your_own_and_house_rules(tmp_path: Path) -> None:
    assert command("new", "mine", cwd=tmp_path).returncode == 0
    with serving(tmp_path / "tables.db", files=[tmp_path / "mine"]) as address:
        games = json.loads(get(f"{address}/api/lobby")[1])["games"]
        assert games[0]["name"] == "mine"
        assert {"agram", "whist", "euchre"} <= {game["name"] for game in games}
        table = make_table(address, "mine", ("open", *["random"] * 5))
        with Client(address, table["code"], table["token"]) as ann:
            ann.send(type="start")
            ann.until(lambda: "deal" in ann.document)
        agram = make_table(address, "agram", ("open", "random"), rules={"players": "5"})
        with Client(address, agram["code"], agram["token"]) as ann:
            assert len(ann.document["people"]) == 5
            assert any("5" in line for line in ann.document["table"]["rules"])


def test_a_review_of_a_finished_deal(address: str) -> None:
    table = make_table(address, "kuhn-poker", ("open", "random"))
    with Client(address, table["code"], table["token"]) as ann, Client(address, table["code"]) as guest:
        ann.send(type="start")
        ann.until(lambda: "deal" in ann.document)
        ann.send(type="review", deal=0)
        ann.until(lambda: ann.refused == ["this deal is not over yet"])
        ann.refused.clear()
        while "result" not in ann.document:
            ann.until(lambda: bool(ann.options) or "result" in ann.document)
            if ann.options:
                ann.play(1)
        ann.send(type="review", deal=0)
        ann.until(lambda: bool(ann.reviews))
        assert ann.reviews[0]["deal"] == 0
        assert any("decision" in line for line in ann.reviews[0]["lines"])
        guest.send(type="review", deal=0)
        guest.until(lambda: guest.refused == ["you are watching; take a seat first"])


def test_people_say_fixed_phrases(address: str) -> None:
    table = make_table(address, "kuhn-poker", KUHN)
    with Client(address, table["code"], table["token"]) as ann, Client(address, table["code"]) as guest:
        ann.send(type="say", phrase="hello")
        guest.until(lambda: guest.document["people"]["0"]["said"] == [1, "hello"])
        guest.send(type="say", phrase="hello")
        guest.until(lambda: bool(guest.refused))
        for _ in range(9):
            ann.send(type="say", phrase="thanks")
        ann.until(lambda: bool(ann.refused))
        assert ann.refused[0] == "you said a lot already; wait a moment"
        ann.send(type="say", phrase="whatever I want")
        with pytest.raises(ConnectionClosed):
            ann.until(lambda: False)


def test_a_hint_is_for_your_own_turn(address: str) -> None:
    table = make_table(address, "kuhn-poker", ("open", "random"))
    with Client(address, table["code"], table["token"]) as ann:
        ann.send(type="start")
        ann.until(lambda: bool(ann.options))
        ann.send(type="hint", turn=ann.deal["turn"])
        ann.until(lambda: bool(ann.advice))
        assert ann.advice[0]["turn"] == ann.deal["turn"]
        assert 1 <= ann.advice[0]["best"] <= len(ann.options)
        assert ann.advice[0]["lines"]
        ann.refused.clear()
        ann.send(type="hint", turn="0.0.99")
        ann.until(lambda: bool(ann.refused))
