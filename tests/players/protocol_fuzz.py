"""Answers of an external player, mutated and generated: each is a move or forfeits with one sentence.

    python -m tests.players.protocol_fuzz --count 100000 --seed 1

Most answers go through the pipe of one real process, which the harness asks again and again. Those that
cannot be repeated (no newline, closed pipes, exits, answers that nobody asked for) have a process each, and
some of those play whole contests with a record, which must go on to the end and be read again.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_game import Forfeit
from upcard.arena.contest_run import Run
from upcard.engine.api import IllegalMove, Observation
from upcard.engine.shared.game import LoadedGame
from upcard.files.decode import decode
from upcard.files.json_text import parse_json
from upcard.players.external import child_process as processes
from upcard.players.external.external_player import answered_move, end_all, read_answer
from upcard.players.external.pipes import LONGEST_LINE
from upcard.players.guard import Misbehaved
from upcard.players.protocol import Budget, Player
from upcard.players.spec import resolve_player
from upcard.storage.jsonl import with_checksum
from upcard.terminal_text import visible

ANSWERING = Path(__file__).with_name("answering.py")
LONGEST_WHY = 1000
ALONE = 50
"""One answer in so many has a process to itself."""
CONTESTS = 20
"""One of those in so many plays contests."""
PATIENCE = 60.0

TOKENS = (
    *(b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u", b"\\ud800", b"\\udfff\\ud800", b"\\u0000"),
    *(b"null", b"true", b"false", b"NaN", b"Infinity", b"-Infinity", b"-", b"0", b"1", b"-0", b"1e999"),
    *(b"1" * 5000, b"-" + b"9" * 400, b"0.1", b"1E-400", b"01", b"0x1", b"\x00", b"\xff", b"\xed\xa0\x80"),
    *(b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\x1b]52;c;QQ==\x07", b"\xe2\x80\xae", b"\r"),
    *(b'"move"', b'"failed"', b'"ready"', b"[" * 3000, b'{"a":' * 1000, b"\xe2\x80\xa8", b"\t", b" "),
)
VALUES: tuple[object, ...] = (
    *(0, 1, 2, -1, True, None, 1.0, 0.5, "", "0", "[0,[],0]", "[1,[],0]", [], [0], {}, {"move": 0}),
    *(10**18, -(10**30), 10**4000, 1e308, "\ud800", "\x00", "\x1b[2J", "x" * 5000, "\u202e", "\n\n"),
    *([[[[[[[[]]]]]]]], {"item": 0, "picks": [], "copy": 0}, [0, [], 0], "null", float("inf"), float("nan")),
)
OURS = (
    *(
        "answered with a line that is not a JSON object",
        "answered without a move",
        "answered something that is not a move: ",
    ),
    *("chose", "closed its output", "was ended by", "ended with exit code", "failed without a message"),
    "failed, and its message is not text but",
)
"""How sentences begin that are not the player's."""
KEYS = ("move", "failed", "ready", "", "\ud800", "Move", "move ", "why", "crc", "do")


@dataclass(frozen=True)
class Case:
    pieces: tuple[bytes, ...]
    """Written one after the other."""
    when: str = "asked"
    then: str = ""
    """What the program does after it: close, exit, abort."""
    code: int = 0

    @property
    def alone(self) -> bool:
        data = b"".join(self.pieces)
        return (self.when, self.then) != ("asked", "") or not _is_line(data)

    def to_json(self) -> dict[str, object]:
        pieces = [base64.b64encode(piece).decode() for piece in self.pieces]
        return {"pieces": pieces, "when": self.when, "then": self.then, "code": self.code}


def _is_line(data: bytes) -> bool:
    return data.find(b"\n") == len(data) - 1 and 0 < len(data) <= LONGEST_LINE


def cases(count: int, seed: int, observation: Observation) -> Iterator[Case]:
    keys = [move.key for move in observation.moves]
    for number in range(count):
        draw = random.Random(f"{seed} {number}")
        data = _answer(draw, keys)
        if draw.randrange(ALONE) == 0:
            yield _alone(draw, data)
        else:
            yield Case(tuple(_pieces(draw, data.replace(b"\n", b" ")[: LONGEST_LINE - 1] + b"\n")))


def _answer(draw: random.Random, keys: list[str]) -> bytes:
    """Without its newline."""
    sort = draw.randrange(6)
    if sort == 0:
        return json.dumps({draw.choice(KEYS): _value(draw, keys) for _ in range(draw.randrange(4))}).encode()
    if sort == 1:
        return b"".join(draw.choice(TOKENS) for _ in range(draw.randrange(1, 12)))
    if sort == 2:
        return draw.randbytes(draw.choice((0, 1, 7, 80, 900, LONGEST_LINE - 1)))
    if sort == 3:
        text = json.dumps({"move": draw.choice([0, 1, *keys])})
        return text.encode(draw.choice(("utf-16", "utf-32", "utf-8-sig", "utf-16-le")))
    known = [{"move": 0}, {"move": 1}, {"move": keys[0]}, {"failed": "no idea"}, {"move": 0, "why": [1, "x"]}]
    return _mutated(draw, json.dumps(draw.choice(known)).encode())


def _value(draw: random.Random, keys: list[str]) -> object:
    found = draw.choice((*VALUES, *keys))
    return [found, found] if draw.randrange(8) == 0 else found


def _mutated(draw: random.Random, data: bytes) -> bytes:
    for _ in range(draw.randrange(4)):
        at = draw.randrange(len(data) + 1)
        change = draw.randrange(5)
        if change == 0:
            data = data[:at] + draw.choice(TOKENS) + data[at:]
        elif change == 1:
            data = data[:at] + data[at + draw.randrange(1, 5) :]
        elif change == 2 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
        elif change == 3:
            data = data[:at] + data[at // 2 :]
        else:
            data = data * draw.randrange(1, 4)
    return data


def _pieces(draw: random.Random, data: bytes) -> Iterator[bytes]:
    while data:
        size = draw.randrange(1, len(data) + 1) if draw.randrange(4) == 0 else len(data)
        yield data[:size]
        data = data[size:]


def _alone(draw: random.Random, data: bytes) -> Case:
    """What ends a process, or leaves something in the pipe behind the answer."""
    sort = draw.randrange(6)
    if sort == 0:
        return Case((data,), then=draw.choice(("close", "exit", "abort")), code=draw.randrange(256))
    if sort == 1:
        return Case((data, b"\n" + data, b"\n"), then=draw.choice(("", "close", "exit")))
    if sort == 2:
        return Case((data + b"\n",), when="before", then=draw.choice(("", "exit")))
    if sort == 3:
        return Case((data, b"x" * (2 * LONGEST_LINE)), then="exit")
    if sort == 4:
        return Case((b'{"move": 0}\n' * 30_000,), then="exit")
    return Case((), then=draw.choice(("close", "exit", "abort")), code=draw.randrange(256))


# --- what must hold ------------------------------------------------------------------------------


class Wrong(Exception):
    """An answer that was not taken as it should be."""


def judged(said: bytes, observation: Observation) -> str:
    """What an answer came to: a move, or why it forfeits."""
    try:
        move = answered_move(read_answer(said), observation)
    except Misbehaved as error:
        return check_why(error.why)
    except IllegalMove as error:
        return check_why(str(error))
    if move not in observation.moves:
        raise Wrong(f"{move} was taken for a move")
    return "a move"


def check_why(why: str) -> str:
    """It can be told on one line, written to a record, and read again."""
    if not why or "\n" in why or len(why) > LONGEST_WHY:
        raise Wrong(f"no sentence: {why!r}")
    why.encode()
    visible(why).encode()
    forfeit = Forfeit(0, 0, 0, 1, 0, why)
    line = with_checksum({"do": "game", "forfeit": vars(forfeit)})
    again = decode(Forfeit, parse_json(line)["forfeit"])
    if again != forfeit:
        raise Wrong(f"the record holds {again}, not {forfeit}")
    return "forfeits: " + next((how for how in OURS if why.startswith(how)), "in its own words")


class Repeating:
    """One process that gives the answer that is in the question."""

    def __init__(self, observation: Observation) -> None:
        self._observation = observation
        self._process = processes.start((sys.executable, "-S", str(ANSWERING)))

    def judged(self, case: Case) -> str:
        question = json.dumps(case.to_json()).encode() + b"\n"
        said = self._process.pipes.ask(question, PATIENCE)
        if said != b"".join(case.pieces):
            raise Wrong(f"the pipe gave {said!r}")
        return judged(said, self._observation)

    def end(self) -> None:
        self._process.end()


def judged_alone(case: Case, game: LoadedGame, observation: Observation, folder: Path) -> str:
    """Through a player with a process of its own, asked twice."""
    path = folder / "case.json"
    path.write_text(json.dumps(case.to_json()), encoding="utf-8")
    make = resolve_player(f"cmd:{sys.executable} -S {ANSWERING} {path}", game, PATIENCE).make
    player = make(1, 2, observation.seat)
    assert isinstance(player, Player)
    found = ""
    for _ in range(2 if case.then != "" else 1):
        try:
            decision = player.choose(observation, Budget())
            if decision.move not in observation.moves:
                raise Wrong(f"{decision.move} was taken for a move")
            found = "a move"
        except Misbehaved as error:
            found = check_why(error.why)
    end_all()
    return found


def contest(case: Case, game: LoadedGame, folder: Path) -> None:
    """A contest with a record goes on to its end, and the record is read again."""
    path, record = folder / "case.json", folder / "record.jsonl"
    path.write_text(json.dumps(case.to_json()), encoding="utf-8")
    record.unlink(missing_ok=True)
    hostile = resolve_player(f"cmd:{sys.executable} -S {ANSWERING} {path}", game, PATIENCE)
    made = Contest.of(game, [hostile, resolve_player("random", game)], 2, 1)
    run = Run(made, record)
    for _ in run.play(1):
        pass
    again = Run(made, record)
    if not again.over or again.results.games != run.results.games:
        raise Wrong("the record is not that of the contest")
    end_all()


def fuzz(count: int, seed: int, progress: bool = False) -> Counter[str]:
    """What so many answers came to. Raises `Wrong` with the number of the case."""
    game = upcard.load("kuhn-poker", engine="reference")
    observation = game.deal(5, 3).observe(0)
    found: Counter[str] = Counter()
    repeating = Repeating(observation)
    alone = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number, case in enumerate(cases(count, seed, observation)):
                try:
                    if not case.alone:
                        found[repeating.judged(case)] += 1
                        continue
                    alone += 1
                    found[judged_alone(case, game, observation, Path(folder))] += 1
                    if alone % CONTESTS == 0:
                        contest(case, game, Path(folder))
                        found["contests that went on"] += 1
                except Exception as error:
                    raise Wrong(f"seed {seed}, case {number}, {case}: {error!r}") from error
                if progress and alone % 100 == 0:
                    print(f"{number} answers, {alone} of them in a process of their own", flush=True)
    finally:
        repeating.end()
        end_all()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    given = parser.parse_args()
    try:
        found = fuzz(given.count, given.seed, progress=True)
    except Wrong as error:
        print(error)
        return 1
    for what, times in found.most_common():
        print(f"{times:>8}  {what}")
    print(f"seed {given.seed}: {given.count} answers, 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
