"""Players in processes of their own: what they are told, what is taken from them, how they are stopped."""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard.engine.api import Observation
from upcard.engine.rng import Stream
from upcard.engine.shared.game import LoadedGame
from upcard.library import names
from upcard.players.external.external_player import end_all, player_sessions, shared_session
from upcard.players.guard import Guarded, Misbehaved
from upcard.players.protocol import Budget, Decision, Player
from upcard.players.spec import resolve_player

OWN = Path(__file__).with_name("own.py")


@pytest.fixture(autouse=True)
def _nobody_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("KEEPING", str(tmp_path))
    yield
    end_all()


@pytest.fixture(scope="module")
def kuhn() -> LoadedGame:
    return upcard.load("kuhn-poker", engine="reference")


def program(tmp_path: Path, text: str) -> str:
    path = tmp_path / "program.py"
    path.write_text(text)
    return f"cmd:{sys.executable} {path}"


def player(name: str, game: LoadedGame, patience: float = 60.0, trusted: bool = False) -> Player:
    made = resolve_player(name, game, patience, trusted).make(5, 3, 0)
    assert isinstance(made, Player)
    return made


def ended(pid: int) -> bool:
    """Within a while: a killed process may take some time to go."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if " Z " in Path(f"/proc/{pid}/stat").read_text():
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("name", names())
def test_an_observation_goes_to_json_and_back(name: str) -> None:
    state = upcard.load(name, engine="reference").deal(4, 1)
    stream = Stream((4, 1))
    for _ in range(30):
        if state.to_move is None:
            break
        for seat in range(state.game.seats):
            seen = state.observe(seat, {"deal": 2, "scores": [0] * state.game.seats, "to": None})
            again = Observation.from_json(json.loads(json.dumps(seen.to_json())))
            assert again == seen
            assert [(m.effects, m.text) for m in again.moves] == [(m.effects, m.text) for m in seen.moves]
        state.play(stream.below(state.choices))


@pytest.mark.parametrize("name", ["euchre", "go-fish", "cribbage"])
def test_another_process_reads_the_same_observation(name: str, tmp_path: Path) -> None:
    game = upcard.load(name, engine="reference")
    make = resolve_player(f"{OWN}:Keeping", game, 60.0, trusted=True).make
    state = game.deal(5, 3)
    players = [make(5, 3, seat) for seat in range(game.seats)]
    while (seat := state.to_move) is not None and state.decisions < 12:
        seen, one = state.observe(seat), players[seat]
        assert isinstance(one, Player)
        decision = one.choose(seen, Budget(playouts=7))
        about, read, budget = pickle.loads((tmp_path / f"3-{seat}-{seen.decision}.pickle").read_bytes())
        assert read == seen
        assert budget == Budget(playouts=7)
        assert (about["game"], about["deal"], about["seat"]) == (game.identity, 3, seat)
        assert about["pid"] != os.getpid()
        assert decision.move == seen.moves[0]
        state.play(decision.move)
    assert state.decisions >= 8


def test_a_player_s_seed_is_its_own_and_always_the_same(kuhn: LoadedGame, tmp_path: Path) -> None:
    seen = kuhn.deal(5, 3).observe(0)

    def seeds() -> list[int]:
        found = []
        for seed, deal, seat in ((5, 3, 0), (5, 4, 0), (5, 3, 1), (6, 3, 0)):
            made = resolve_player(f"{OWN}:Keeping", kuhn, 60.0, trusted=True).make(seed, deal, seat)
            assert isinstance(made, Player)
            made.choose(seen, Budget())
            # the seat it is made for is the one that it observes
            found.append(pickle.loads((tmp_path / f"{deal}-0-0.pickle").read_bytes())[0]["seed"])
        return found

    first = seeds()
    assert len(set(first)) == 4
    assert not set(first) & {5, 6}
    assert seeds() == first


HELLO = "import json, sys\nhello = json.loads(input())\n"


@pytest.mark.parametrize("trusted", [False, True])
def test_a_program_is_told_what_the_page_says(kuhn: LoadedGame, tmp_path: Path, trusted: bool) -> None:
    keep = tmp_path / "told.json"
    text = HELLO + (
        f"for line in sys.stdin:\n  json.dump([hello, json.loads(line)], open({str(keep)!r}, 'w'))\n"
        "  print(json.dumps({'move': 1}), flush=True)\n"
    )
    one = player(program(tmp_path, text), kuhn, trusted=trusted)
    seen = kuhn.deal(5, 3).observe(0)
    for budget in (Budget(playouts=9), Budget(seconds=0.25)):
        assert one.choose(seen, budget) == Decision(seen.moves[1])
        hello, asked = json.loads(keep.read_text())
        assert hello == {"upcard": 2, "game": kuhn.identity, "seats": 2, "trusted": trusted}
        assert Observation.from_json(asked["observation"]) == seen
        assert asked["budget"] == {"playouts": budget.playouts, "seconds": budget.seconds}
        assert asked.pop("deal", None) == (3 if trusted else None)
        assert set(asked) == {"observation", "budget", "player", "seed"}
        assert asked["player"] == 0


ANSWERS: list[tuple[str, str]] = [
    ("print('bet', flush=True)", "answered with a line that is not a JSON object: this is not JSON .*: bet"),
    ("print('[1]', flush=True)", r"answered with a line that is not a JSON object: \[1\]"),
    (
        "sys.stdout.buffer.write(b'{\\xff}\\n'); sys.stdout.flush()",
        r"answered with a line that is not a JSON object: this is not UTF-8 text: \{\\xff\}",
    ),
    (
        "print('x' * 70000, flush=True)",
        "answered with a line that is not a JSON object: the line is incomplete: x+...",
    ),
    ("print('{}', flush=True)", "answered without a move: {}"),
    ("print('{\"move\": 2}', flush=True)", "chose move 2, which is not among its 2 moves"),
    ("print('{\"move\": -1}', flush=True)", "chose move -1, which is not among its 2 moves"),
    ("print('{\"move\": true}', flush=True)", "answered something that is not a move: True"),
    ("print('{\"move\": null}', flush=True)", "answered something that is not a move: None"),
    ('print(\'{"move": "bet"}\', flush=True)', "chose bet, which is not among its 2 moves"),
    ('print(\'{"failed": "no idea"}\', flush=True)', "no idea"),
    ('print(\'{"failed": ""}\', flush=True)', "failed without a message"),
    ('print(\'{"failed": "\\\\ud800"}\', flush=True)', "not a JSON object"),
    ("sys.exit(5)", "ended with exit code 5$"),
    (
        "print('a\\nlast line', file=sys.stderr); sys.exit(1)",
        "ended with exit code 1; its last message: last line",
    ),
    ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "was ended by SIGSEGV"),
    ("import os, time; os.close(1); time.sleep(1000)", "closed its output"),
]


@pytest.mark.parametrize("does, why", ANSWERS)
def test_a_program_that_misbehaves(kuhn: LoadedGame, tmp_path: Path, does: str, why: str) -> None:
    name = program(tmp_path, HELLO + f"for line in sys.stdin:\n  {does}\n")
    seen = kuhn.deal(5, 3).observe(0)
    for _ in range(2):  # the second time in a new process
        with pytest.raises(Misbehaved, match=why) as caught:
            player(name, kuhn).choose(seen, Budget())
        assert "\n" not in str(caught.value)
        assert str(caught.value).startswith(name)


def test_a_program_that_hangs_is_ended_with_what_it_started(kuhn: LoadedGame, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = (
        "import json, os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "print(json.dumps({'move': 0}), flush=True)\n"
        "time.sleep(1000)\n"
    )
    name, seen = program(tmp_path, text), kuhn.deal(5, 3).observe(0)
    with player_sessions([resolve_player(name, kuhn, 0.5).make]) as (make,):
        one = make(5, 3, 0)
        assert isinstance(one, Player)
        one.choose(seen, Budget(seconds=60))
        with pytest.raises(Misbehaved, match=r"took more than 0\.75 seconds"):
            one.choose(seen, Budget(seconds=0.25))
    assert [ended(int(pid)) for pid in pids.read_text().split()] == [True, True]


def test_a_program_that_does_not_read_cannot_block_the_arena(tmp_path: Path) -> None:
    game = upcard.load("hearts", engine="reference")
    seen = game.deal(1, 1).observe(0)
    seen = replace(seen, records=seen.records * 20)  # more than a pipe holds
    assert len(json.dumps(seen.to_json())) > 1 << 16
    one = player(program(tmp_path, "import time\ntime.sleep(1000)\n"), game, patience=0.5)
    with pytest.raises(Misbehaved, match=r"took more than 0\.5 seconds"):
        one.choose(seen, Budget())


def test_a_class_that_hangs_is_ended(kuhn: LoadedGame, tmp_path: Path) -> None:
    seen = kuhn.deal(5, 3).observe(0)
    one = player(f"{OWN}:Hanging", kuhn, patience=0.5)
    one.choose(seen, Budget(seconds=60))
    with pytest.raises(Misbehaved, match=r"took more than 0\.5 seconds"):
        one.choose(seen, Budget())
    assert ended(int((tmp_path / "hanging").read_text()))


@pytest.mark.parametrize(
    "name, why",
    [
        ("Raising", r"raised ValueError: I give up \(own.py line \d+\)"),
        ("Dying", "ended with exit code 3; its last message: so long"),
        ("Cheating", "chose all the tricks, which is not among its 2 moves"),
        ("Silent", "answered something that is not a move: None"),
        ("Unmade", r"could not be created: RuntimeError: not today \(own.py line \d+\)"),
    ],
)
def test_a_class_that_misbehaves(kuhn: LoadedGame, name: str, why: str) -> None:
    with pytest.raises(Misbehaved, match=why) as caught:
        player(f"{OWN}:{name}", kuhn, trusted=True).choose(kuhn.deal(5, 3).observe(0), Budget())
    assert str(caught.value).startswith(f"{OWN}:{name} ")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.why) == (str(caught.value), caught.value.why)


def test_what_it_prints_is_no_answer(kuhn: LoadedGame) -> None:
    seen = kuhn.deal(5, 3).observe(0)
    assert player(f"{OWN}:First", kuhn).choose(seen, Budget()).move == seen.moves[0]
    assert player(f"{OWN}:Last", kuhn).choose(seen, Budget()).move == seen.moves[-1]


def test_nobody_is_left_running(kuhn: LoadedGame) -> None:
    make: Any = resolve_player(f"{OWN}:First", kuhn, trusted=True).make
    assert isinstance(make, Guarded)
    pid = shared_session(make.make.program).process().pid  # type: ignore[attr-defined]
    end_all()
    assert ended(pid)


class _Odd:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, observation: Observation, budget: Budget) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class _OddPick:
    def pick(self, alternatives: int) -> int:
        return alternatives


def test_players_in_this_process_are_minded_too(kuhn: LoadedGame) -> None:
    seen = kuhn.deal(5, 3).observe(0)
    for answer, why in (
        (KeyError("x"), "odd raised KeyError"),
        (9, "odd chose move 9"),
        ([], "something that is not a move"),
    ):
        odd = _Odd(answer)
        minded = Guarded("odd", lambda seed, deal, seat, odd=odd: odd)(0, 0, 0)  # type: ignore[misc]
        assert isinstance(minded, Player)
        with pytest.raises(Misbehaved, match=why):
            minded.choose(seen, Budget())
    picking: Any = Guarded("odd", lambda seed, deal, seat: _OddPick())(0, 0, 0)
    with pytest.raises(Misbehaved, match="odd picked move 2, but there are only 2"):
        picking.pick(2)
