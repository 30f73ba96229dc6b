"""A contest with players from files and programs does not let them know the cards."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine.shared.game import LoadedGame
from upcard.match.match_play import Participant, Table
from upcard.match.match_series import play_many
from upcard.players.external.external_player import end_all
from upcard.players.seeds import NoSecret, Seeds, is_secret, new_secret, read_secret
from upcard.players.spec import resolve_player
from upcard.spec_grammar import BadPlayer
from upcard.storage.jsonl import with_checksum

CURIOUS = Path(__file__).with_name("curious.py")
SECRET = "5e" * 32


@pytest.fixture(autouse=True)
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("CURIOUS", str(tmp_path / "notes"))
    yield tmp_path / "notes"
    end_all()


def noted(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def played(game: LoadedGame, name: str, deals: int, trusted: bool = False, **options: Any) -> Run:
    players = [resolve_player(f"{CURIOUS}:{name}", game, 60.0, trusted), resolve_player("random", game)]
    run = Run(Contest.of(game, players, deals, 3, **options))
    for _ in run.play(1):
        pass
    assert not run.results.forfeits
    return run


@pytest.fixture(scope="module")
def euchre() -> LoadedGame:
    return upcard.load("euchre", engine="reference")


# --- seeds ---------------------------------------------------------------------------------------


def test_without_a_secret_everything_is_a_function_of_the_seed() -> None:
    seeds = Seeds(7)
    assert seeds.deal(3) == (7, 3)
    assert seeds.player(3, 1) == (7, 3, 1)


def test_with_a_secret_every_deal_and_player_has_a_seed_of_its_own() -> None:
    seeds = Seeds(7, SECRET)
    found = [seeds.deal(n)[0] for n in range(50)]
    found += [seeds.player(n, seat)[0] for n in range(50) for seat in range(4)]
    assert len(set(found)) == 250
    assert all(seed.bit_length() > 40 for seed in found)
    assert found == [Seeds(7, SECRET).deal(n)[0] for n in range(50)] + found[50:]
    for other in (Seeds(8, SECRET), Seeds(7, "5f" * 32)):
        assert not {other.deal(n)[0] for n in range(50)} & set(found)


def test_a_secret_is_long_and_new() -> None:
    assert is_secret(new_secret())
    assert new_secret() != new_secret()
    wrong = ("", "5e" * 15, "5e" * 65, "xy" * 32, SECRET.upper(), None, 5, SECRET + "\n")
    assert not any(map(is_secret, wrong))


def test_a_file_gives_its_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    for text in (f"{SECRET}\n", SECRET, with_checksum({"do": "arena", "secret": SECRET}).decode() + "\n"):
        path.write_text(text)
        assert read_secret(path) == SECRET
    for text in ("", "x", "{}\n", '{"secret": 5}\n', f'["{SECRET}"]\n', f"x{SECRET}\n"):
        path.write_text(text)
        with pytest.raises(NoSecret, match="holds no secret; --secret takes the record"):
            read_secret(path)


# --- what players can learn ----------------------------------------------------------------------


def test_a_player_that_searches_for_the_seed_finds_it_only_where_it_is_trusted(
    euchre: LoadedGame, notes: Path
) -> None:
    played(euchre, "Searching", 2, secret=SECRET)
    found = noted(notes)
    assert len(found) == 8
    assert not any(one["by_seed"] or one["by_hand"] for one in found)
    notes.unlink()
    played(euchre, "Searching", 2, trusted=True)
    deals = [one["by_seed"] for one in noted(notes)]
    assert sorted(deals) == [[[3, 0]]] * 4 + [[[3, 1]]] * 4
    first = [one for one in noted(notes) if one["decision"] == 0]  # later hands may have been changed
    assert first
    assert all(one["by_hand"] == one["by_seed"] for one in first)


@pytest.mark.parametrize("matches", [False, True])
def test_memory_reaches_no_other_seat_and_no_other_sitting(
    euchre: LoadedGame, notes: Path, matches: bool
) -> None:
    played(euchre, "Remembering", 2, matches=matches, to=1 if matches else None)
    found = noted(notes)
    assert not any(one["others"] for one in found if not matches)
    # two seats in two sittings of two deals; in a match everybody moves round the table
    assert len({one["pid"] for one in found}) == 8
    if not matches:
        assert len({(one["pid"], one["seat"]) for one in found}) == 8
    notes.unlink()
    played(euchre, "Remembering", 1, trusted=True)
    found = noted(notes)
    assert len({one["pid"] for one in found}) == 1
    assert any(one["others"] for one in found)


def test_in_a_match_partners_do_not_share_a_memory(euchre: LoadedGame, notes: Path) -> None:
    own = resolve_player(f"{CURIOUS}:Remembering", euchre, 60.0)
    people = [Participant(str(seat), own.name, own.make) for seat in range(4)]
    table = Table.of(euchre, people).to(1).of_players([own])
    assert is_secret(table.secret)
    for _ in play_many(table, 1, 0, 1):
        pass
    found = noted(notes)
    assert len({one["pid"] for one in found}) == 4


def test_a_process_is_given_nothing_but_what_its_seat_may_know(euchre: LoadedGame, notes: Path) -> None:
    run = played(euchre, "Looking", 1)
    secret = run.contest.table.secret
    derived = [str(Seeds(3, secret).deal(0)[0]), *(str(Seeds(3, secret).player(0, s)[0]) for s in range(4))]
    assert noted(notes)
    for one in noted(notes):
        assert one["given"] == ["game", "seat", "seed"]
        assert not any(word in json.dumps(one) for word in (secret, *derived))
        assert all(file.startswith(("pipe:", "/dev/null", "/dev/urandom")) for file in one["files"])
        assert "deal" not in (one["match"] or {})


def test_one_that_wants_the_number_of_the_deal_must_be_trusted(euchre: LoadedGame, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n  def __init__(self, deal): pass\n  def choose(self, o, b): return 0\n")
    with pytest.raises(BadPlayer, match="needs deal, which only trusted players get; add --trusted"):
        resolve_player(f"{path}:Mine", euchre)
    assert resolve_player(f"{path}:Mine", euchre, trusted=True).trusted


# --- the contest can be repeated -----------------------------------------------------------------


def timeless(run: Run) -> list[object]:
    return [replace(game, seconds=()) for game in run.results.games]


def test_the_same_secret_gives_the_same_contest(euchre: LoadedGame) -> None:
    first = played(euchre, "Remembering", 2)
    again = played(euchre, "Remembering", 2, secret=first.contest.table.secret)
    other = played(euchre, "Remembering", 2)
    assert timeless(first) == timeless(again)
    assert first.contest.header() == again.contest.header()
    assert other.contest.table.secret != first.contest.table.secret
    assert timeless(first) != timeless(other)


def test_players_that_come_with_upcard_need_no_secret(tmp_path: Path) -> None:
    """The digest is that of the version before there were secrets."""
    game = upcard.load("kuhn-poker")
    for names, matches, expected in DIGESTS:
        made = Contest.of(
            game, [resolve_player(name, game) for name in names.split(",")], 6, 5, matches=matches
        )
        assert not {"secret", "trusted"} & set(made.header())
        run = Run(made)
        for _ in run.play(1):
            pass
        text = json.dumps([game.to_json() | {"seconds": 0} for game in run.results.games], sort_keys=True)
        assert hashlib.sha256(text.encode()).hexdigest()[:16] == expected


DIGESTS = (
    ("pimc:20,random", False, "07ea54312bdef433"),
    ("published,ismcts:20,random", True, "9317982bcc9f294e"),
)


def test_a_fork_leaves_the_players_of_its_parent_alone(tmp_path: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("this system does not fork")
    script = (
        "import os, sys, upcard\n"
        "from upcard.players.spec import resolve_player\n"
        "from upcard.players.external.external_player import end_all\n"
        "from upcard.players.protocol import Budget\n"
        "game = upcard.load('kuhn-poker', engine='reference')\n"
        f"player = resolve_player({str(CURIOUS)!r} + ':Remembering', game).make(1, 2, 0)\n"
        "seen = game.deal(1, 2).observe(0)\n"
        "player.choose(seen, Budget())\n"
        "if os.fork() == 0:\n"
        "    end_all()\n"
        "    player.choose(seen, Budget())\n"
        "    sys.exit(0)\n"
        "assert os.wait()[1] == 0\n"
        "player.choose(seen, Budget())\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=110)
    pids = [one["pid"] for one in noted(tmp_path / "notes")]
    assert pids[0] == pids[2] != pids[1]
