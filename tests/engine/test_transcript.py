"""Transcripts: they replay, name the line that was changed, and can be cut to what one seat saw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard.engine import transcript
from upcard.engine.api import Limits, walk_records
from upcard.engine.loader import make_game
from upcard.engine.record_view import view
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.engine.transcript import TranscriptError
from upcard.engine.transcript_format import TranscriptHeader
from upcard.players import RandomPlayer
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

CHANCY = """(game
 (declare 2 'MOST)
 (setup
  (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C, D)) (SUIT (X, Y)))))
 (stage player
  (end (== (game sto N) 3))
  (choice (
   (do (
    (shuffle (game iloc STOCK))
    (move (top (game iloc STOCK)) (top ((current player) iloc HAND)))
    (inc (game sto N) (random 1 .. 'MOST))))
   (inc (game sto N)))))
 (scoring max (size ((current player) iloc HAND))))
"""

FAILS = CHANCY.replace(
    "(inc (game sto N)))))", "(move (top (game vloc NOWHERE)) (top (game vloc HERE))))))"
).replace("(choice (\n   (do (", "(choice (\n   (turn pass)\n   (do (")


def own(text: str) -> LoadedGame:
    program, facts = check(Source("own", text), {"MOST": "3"}).sound()
    return make_game("own", program, facts)


def played(game: LoadedGame, seed: int, **options: Any) -> BaseState:
    state = game.deal(seed, 4, **options)
    players = [RandomPlayer(seed, 4, seat) for seat in range(game.seats)]
    while (seat := state.to_move) is not None:
        state.play(players[seat].pick(state.choices))
    return state


def through_a_file(state: BaseState, tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "game.jsonl"
    transcript.write(state, path)
    return transcript.read(path)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["euchre", "whist", "own"])
def test_replays(name: str, seed: int, tmp_path: Path) -> None:
    game = own(CHANCY) if name == "own" else upcard.load(name)
    state = played(game, seed)
    again = transcript.replay(through_a_file(state, tmp_path)).state
    assert again == state
    assert again.records == state.records


def test_a_failed_game_replays_to_its_failure(tmp_path: Path) -> None:
    state = played(own(FAILS), 1)
    assert state.outcome is not None
    assert state.outcome.ending == "failed"
    assert state.outcome.failure is not None
    assert "'MOST" in state.outcome.failure.variables
    assert transcript.replay(through_a_file(state, tmp_path)).state.outcome == state.outcome


def test_a_cut_off_game_replays(tmp_path: Path) -> None:
    state = played(upcard.load("euchre"), 3, limits=Limits(decisions=7))
    assert state.outcome is not None
    assert state.outcome.ending == "cut_off"
    assert transcript.replay(through_a_file(state, tmp_path)).state == state


def test_a_stacked_deck_is_part_of_the_record(tmp_path: Path) -> None:
    game = upcard.load("euchre")
    order = sorted(game.deal(0).faces)
    state = played(game, 3, stacked=[order])
    records = through_a_file(state, tmp_path)
    (shuffle,) = [r for r in walk_records(records) if r["do"] == "shuffle"]
    assert shuffle["given"]
    assert shuffle["cards"] == order
    assert transcript.replay(records).state == state


def test_every_changed_line_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, games = transcript._game, dict[str, LoadedGame]()

    def loaded_once(header: TranscriptHeader) -> LoadedGame:
        key = repr(header)
        if key not in games:
            games[key] = right(header)
        return games[key]

    monkeypatch.setattr(transcript, "_game", loaded_once)
    records = through_a_file(played(upcard.load("euchre"), 6), tmp_path)
    assert len(records) > 20
    for at, record in enumerate(records):
        spoilt = json.loads(json.dumps(record))
        key = next(k for k in reversed(list(spoilt)) if k != "do")
        spoilt[key] = "spoilt"
        with pytest.raises(TranscriptError) as raised:
            transcript.replay([*records[:at], spoilt, *records[at + 1 :]])
        assert raised.value.line == at + 1


def test_missing_and_added_lines_are_named(tmp_path: Path) -> None:
    records = through_a_file(played(upcard.load("euchre"), 6), tmp_path)
    with pytest.raises(TranscriptError, match="missing at the end"):
        transcript.replay(records[:-1])
    with pytest.raises(TranscriptError, match="the game is over"):
        transcript.replay([*records, {"do": "pass"}])
    decisions = [i for i, r in enumerate(records) if r["do"] == "decision"]
    with pytest.raises(TranscriptError, match="before the game does"):
        transcript.replay(records[: decisions[3]])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("(game)", "this is not JSON"),
        ("[1]", "this is not a record"),
        ('{"do": "move"}', "must name the game"),
        ('{"do": "game"}', "line 1: game is missing"),
        (
            '{"do": "game", "game": "nosuch", "digest": "", "overrides": {}, "base": 0, "seed": 0, "deal": 0,'
            '"limits": {}}',
            "there is no game",
        ),
    ],
)
def test_what_is_no_transcript(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TranscriptError, match=says):
        transcript.replay(transcript.read(path))


def test_a_changed_program_is_noticed(tmp_path: Path) -> None:
    records = through_a_file(played(own(CHANCY), 2), tmp_path)
    records[0]["program"] = CHANCY.replace("(== (game sto N) 3)", "(== (game sto N) 4)")
    with pytest.raises(TranscriptError, match="digest"):
        transcript.replay(records)


def test_a_view_holds_only_what_the_seat_was_shown() -> None:
    state = played(upcard.load("euchre"), 8)
    for seat in range(4):
        cut = view(state.records, seat)
        assert len(cut) == len(state.records)
        text = json.dumps(cut)
        assert '"seed"' not in text
        for full, kept in zip(walk_records(state.records), walk_records(cut), strict=True):
            if "card" in full and full["do"] == "move":
                assert (kept["card"] == full["card"]) == (seat in full["seen"])


def test_the_index_of_a_hidden_pick_is_not_told() -> None:
    """The dealer lays a card away: in a sorted hand its index would give it away."""
    state = played(upcard.load("euchre"), 8)
    hidden = 0
    for seat in range(4):
        for full, kept in zip(state.records, view(state.records, seat), strict=True):
            if full["do"] == "decision" and full["actions"] and "BURIED" in full["actions"][0].get("to", ""):
                mine = full["seat"] == seat
                assert kept["index"] is None
                assert (kept["picks"] == full["picks"]) == mine
                hidden += 1
    assert hidden == 4, "one card is laid away, and each seat has its own view of that"


def test_a_game_that_failed_on_its_stacked_deck_replays(tmp_path: Path) -> None:
    state = upcard.load("euchre").deal(0, 0, stacked=[["DEFAULT:0", "DEFAULT:1"]])
    assert state.outcome is not None
    assert state.outcome.ending == "failed"
    assert transcript.replay(through_a_file(state, tmp_path)).state.outcome == state.outcome
    assert "stacked" not in view(state.records, 0)[0]


def test_odd_line_ends_in_a_program_s_comments(tmp_path: Path) -> None:
    game = own(";; one \u2028 two \x85 three\n" + CHANCY)
    assert transcript.replay(through_a_file(played(game, 1), tmp_path))


def test_a_header_that_is_no_good(tmp_path: Path) -> None:
    records = through_a_file(played(own(CHANCY), 2), tmp_path)
    for key, value in (("program", "(game"), ("overrides", []), ("stacked", 7), ("limits", {"x": 1})):
        with pytest.raises(TranscriptError):
            transcript.replay([{**records[0], key: value}, *records[1:]])
