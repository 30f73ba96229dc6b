"""Whatever a player's class does, it forfeits and the contest goes on."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.players import hostile

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine.api import Observation
from upcard.engine.shared.game import LoadedGame
from upcard.players.external import child_process as processes
from upcard.players.external.external_player import end_all
from upcard.players.external.pipes import Pipes, PolledPipes, ThreadedPipes, TimedOut
from upcard.players.guard import Guarded, Misbehaved
from upcard.players.protocol import Budget, Decision, Player
from upcard.players.spec import resolve_player
from upcard.storage.jsonl import with_checksum

HOSTILE = Path(hostile.__file__)


@pytest.fixture(autouse=True)
def _nobody_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pids = tmp_path / "pids"
    monkeypatch.setenv("HOSTILE", str(pids))
    yield
    end_all()
    for pid in pids.read_text().split() if pids.exists() else ():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


@pytest.fixture(scope="module")
def kuhn() -> LoadedGame:
    return upcard.load("kuhn-poker", engine="reference")


FORFEITS = {
    "Exits": "raised SystemExit: 3",
    "Interrupts": "raised KeyboardInterrupt",
    "Closes": "raised GeneratorExit",
    "Surrogate": r"raised ValueError: \\ud800",
    "Wordless": r"raised Mute: \(a Mute that cannot be printed\)",
    "Stateless": "raised MemoryError",
    "Recursive": "raised RecursionError: maximum recursion depth exceeded",
    "Deep": "was ended by SIGSEGV|raised RecursionError|raised MemoryError",
    "Leaves": "ended with exit code 7",
    "Kills": "was ended by SIGKILL",
    "Deaf": "ended with exit code|closed its output",
    "Unprintable": r"answered something that is not a move: \(a Thing that cannot be printed\)",
    "Disguised": "chose every move, which is not among its 2 moves",
    "Half": r"chose \\ud800, which is not among its 2 moves",
    "Huge": r"chose move \(a int that cannot be printed\), which is not among its 2 moves",
    "Lazy": "answered something that is not a move: <generator object",
    "Trap": "answered with an object that raised SystemExit: 5",
    "Daemon": "ended with exit code 0|closed its output",
}


@pytest.mark.skipif(os.name != "posix", reason="signals and sessions")
@pytest.mark.parametrize("name", FORFEITS)
def test_it_forfeits_with_one_sentence(kuhn: LoadedGame, name: str) -> None:
    make = resolve_player(f"{HOSTILE}:{name}", kuhn, 60.0).make
    player = make(1, 2, 0)
    assert isinstance(player, Player)
    with pytest.raises(Misbehaved, match=FORFEITS[name]) as caught:
        player.choose(kuhn.deal(1, 2).observe(0), Budget())
    assert "\n" not in caught.value.why
    with_checksum({"why": caught.value.why}).decode()


@pytest.mark.skipif(os.name != "posix", reason="signals and sessions")
@pytest.mark.parametrize("name", ["Threads", "KillsParent"])
def test_what_it_does_beside_its_move_is_its_own_business(kuhn: LoadedGame, name: str) -> None:
    make = resolve_player(f"{HOSTILE}:{name}", kuhn, 60.0).make
    seen = kuhn.deal(1, 2).observe(0)
    for _ in range(2):
        player = make(1, 2, 0)
        assert isinstance(player, Player)
        assert player.choose(seen, Budget()).move == seen.moves[0]


@pytest.mark.skipif(os.name != "posix", reason="signals and sessions")
def test_the_contest_goes_on_and_its_record_is_read_again(kuhn: LoadedGame, tmp_path: Path) -> None:
    names = ("Surrogate", "Daemon", "KillsParent", "Half")
    players = [
        resolve_player("random", kuhn),
        *(resolve_player(f"{HOSTILE}:{name}", kuhn, 60.0) for name in names),
    ]
    made = Contest.of(kuhn, players, 1, 1)
    run = Run(made, tmp_path / "r.jsonl")
    for _ in run.play(1):
        pass
    assert run.over
    at_fault = {made.labels[game.forfeit.player] for game in run.results.games if game.forfeit is not None}
    assert at_fault >= {"hostile.py:Surrogate", "hostile.py:Daemon", "hostile.py:Half"}
    again = Run(made, tmp_path / "r.jsonl")
    assert again.over
    assert again.results.games == run.results.games


class _Own:
    def __init__(self, does: Any) -> None:
        self.does = does

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        found: Decision = self.does(observation)
        return found


@pytest.mark.parametrize(
    "name", ["Exits", "Closes", "Surrogate", "Wordless", "Unprintable", "Disguised", "Trap"]
)
def test_so_does_one_in_this_process(kuhn: LoadedGame, name: str) -> None:
    answer = getattr(hostile, name)().answer
    player = Guarded("own", lambda seed, deal, seat: _Own(answer))(0, 0, 0)
    assert isinstance(player, Player)
    with pytest.raises(Misbehaved, match=FORFEITS[name]):
        player.choose(kuhn.deal(1, 2).observe(0), Budget())


def test_ctrl_c_in_this_process_is_the_person_s(kuhn: LoadedGame) -> None:
    answer = hostile.Interrupts().answer
    player = Guarded("own", lambda seed, deal, seat: _Own(answer))(0, 0, 0)
    assert isinstance(player, Player)
    with pytest.raises(KeyboardInterrupt):
        player.choose(kuhn.deal(1, 2).observe(0), Budget())


@pytest.mark.skipif(not processes.CAN_FORK, reason="this system does not fork")
def test_a_host_can_be_ended_as_soon_as_it_is_started() -> None:
    """Before it has a session of its own, there is no session to kill."""
    for _ in range(30):
        host = processes.start_host()
        host.end()
        with pytest.raises(ProcessLookupError):
            os.kill(host.pid, 0)


# --- the pipes themselves ------------------------------------------------------------------------


@pytest.fixture(params=[PolledPipes, ThreadedPipes])
def ends(request: pytest.FixtureRequest) -> Iterator[tuple[Pipes, tuple[int, int, int]]]:
    """Our pipes, and the ends that a process would have."""
    (their_in, our_in), (our_out, their_out), (our_err, their_err) = os.pipe(), os.pipe(), os.pipe()
    pipes: Pipes = request.param(our_in, our_out, our_err)
    theirs = their_in, their_out, their_err
    yield pipes, theirs
    for descriptor in theirs:
        with suppress(OSError):
            os.close(descriptor)
    pipes.close()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are polled")
def test_a_pipe_that_never_ends_does_not_hold_up_a_question(ends: tuple[Pipes, tuple[int, int, int]]) -> None:
    pipes, (_, their_out, their_err) = ends
    os.write(their_err, b"some\nwords\n")
    with pytest.raises(TimedOut):
        pipes.ask(b"x" * (1 << 20) + b"\n", 0.2)  # nobody reads it, nobody answers
    os.write(their_out, b"late\n")
    os.close(their_err)
    assert pipes.last_error_line() == "words"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are polled")
def test_lines_come_one_for_each_question(ends: tuple[Pipes, tuple[int, int, int]]) -> None:
    pipes, (their_in, their_out, _) = ends
    os.write(their_out, b"one\ntwo\nx")
    assert pipes.ask(b"a\n", 60.0) == b"one\n"
    assert pipes.ask(b"b\n", 60.0) == b"two\n"
    os.close(their_out)
    assert pipes.ask(b"c\n", 60.0) == b"x"
    assert pipes.ask(b"d\n", 60.0) == b""
    got = b""
    while len(got) < 6:
        got += os.read(their_in, 100)
    assert got.startswith(b"a\nb\nc\n")
