"""Programs loaded, played a little and dropped, one after the other: what each leaves behind.

    python -m tests.engine.many_programs --count 500

prints resident memory, address space and mappings as they grow, and exits with 1 when more than
`MAX_LEFT` MB stay. Every program is another one, so that each has code of its own.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from upcard.engine.native.game import NativeGame
from upcard.players.protocol import Budget, Player
from upcard.players.spec import resolve_player
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

MAX_LEFT = 20
"""Megabytes that may stay resident, or reserved."""
MAX_MAPPINGS = 10
WARM = 10
"""Programs before the first look: what is made once for all programs is there then."""

TEXT = """(game (setup (create players 2)
  (create deck (game iloc DECK) (deck (RANK (A, B, C, D)) (SUIT (S, H)))))
 (do ((shuffle (game iloc DECK))
  (all player 'P (repeat 3 (move (top (game iloc DECK)) (top ('P iloc HAND)))))))
 (stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (choice ((any ((current player) iloc HAND) 'C
   (do ((move 'C (top (game vloc TABLE))) (inc ((current player) sto POINTS) {number})))))))
 (scoring max ((current player) sto POINTS)))"""


@dataclass(frozen=True)
class Held:
    """Of this process, in megabytes; and how many mappings it has."""

    resident: float
    reserved: float
    mappings: int


def held() -> Held:
    gc.collect()
    sizes = {}
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("VmRSS", "VmSize"):
            sizes[name] = int(value.split()[0]) / 1024
    mappings = Path("/proc/self/maps").read_text().count("\n")
    return Held(sizes["VmRSS"], sizes["VmSize"], mappings)


def play(number: int, search: bool) -> None:
    """Both codes of a program, whole games and decisions, with a player that searches if it is wanted."""
    program, facts = check(Source(f"program{number}.rcy", TEXT.format(number=number + 1))).sound()
    game = NativeGame(f"program{number}", program, facts)
    game.simulate(20, seed=number, workers=1)
    state = game.deal(number)
    make = resolve_player("pimc:10" if search else "random", game).make
    players = [make(number, 0, seat) for seat in range(2)]
    while (seat := state.to_move) is not None:
        one = players[seat]
        move = one.choose(state.observe(seat), Budget(10)).move if isinstance(one, Player) else 0
        state.play(move)


def grown(count: int, search: bool, warm: int = WARM, say: bool = False) -> tuple[Held, Held]:
    """What was held after the first few programs, and after so many more."""
    for number in range(warm):
        play(number, search)
    before = held()
    for number in range(warm, warm + count):
        play(number, search)
        if say and (number - warm) % 50 == 49:
            now = held()
            print(
                f"{number - warm + 1:5} programs: {now.resident - before.resident:+7.1f} MB resident,"
                f" {now.reserved - before.reserved:+8.1f} MB reserved,"
                f" {now.mappings - before.mappings:+4} mappings",
                flush=True,
            )
    return before, held()


def main() -> int:
    parser = argparse.ArgumentParser(description="What programs leave behind in memory.")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--warm", type=int, default=WARM, help="programs before the first look")
    parser.add_argument("--search", action="store_true", help="with players that search")
    given = parser.parse_args()
    if "MALLOC_ARENA_MAX" not in os.environ:
        # the C library reserves 64 MB for some threads, a few times in all: no program leaves that behind
        os.environ["MALLOC_ARENA_MAX"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "tests.engine.many_programs", *sys.argv[1:]])
    os.environ["UPCARD_CACHE"] = "off"
    os.environ.setdefault("UPCARD_OPT", "0")
    before, after = grown(given.count, given.search, given.warm, say=True)
    print(f"before {before}\nafter  {after}")
    fine = (
        after.resident - before.resident <= MAX_LEFT
        and after.reserved - before.reserved <= MAX_LEFT
        and after.mappings - before.mappings <= MAX_MAPPINGS
    )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
