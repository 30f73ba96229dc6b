"""Machine code step by step: listing and carrying out come to the same games as playing on."""

from __future__ import annotations

from pathlib import Path

import pytest

import upcard
from upcard.engine.api import Limits
from upcard.engine.native import machine_memory
from upcard.engine.native.kernels.playout import row_bytes
from upcard.engine.reference import ReferenceGame
from upcard.engine.rng import Stream, mix
from upcard.engine.shared.game import LoadedGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from upcard.engine.native.stepping_code import Compiled
from upcard.engine.native.workspace import Workspace

LANG = Path(__file__).resolve().parents[1] / "lang"
LIMITS = Limits(decisions=80, steps=2000)

WORDS = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C)) (SUIT (H, S)))))
 (do ((shuffle (game iloc STOCK)) (set (game str UP) H)))
 (stage player
  (end (== (game sto N) 6))
  (choice (
   (any (H, S, T) 'SUIT
    ((!= 'SUIT (game str UP))
     (any (LOW, HIGH) 'HOW
      ((or (== 'HOW LOW) (== 'SUIT T))
       (do (
        (set (game str UP) 'SUIT)
        (inc (game sto N))
        ((== 'HOW HIGH) (inc ((current player) sto SCORE) 3))))))))
   ((> (size (game iloc STOCK)) 2)
    (any (game iloc STOCK) 'C (do ((move 'C (top (game vloc PILE))) (inc (game sto N)))))))))
 (scoring max (+ ((current player) sto SCORE) (size (game vloc PILE)))))
"""


class Table:
    """One program in machine code, with room for a state."""

    def __init__(self, game: LoadedGame) -> None:
        self.compiled = Compiled(game.program, game.facts, logging=False)
        self.seats = game.seats
        self.state = machine_memory.words(self.compiled.size // 8)
        self.work = Workspace(self.compiled.lowered.work)
        self.work.limits(LIMITS.decisions, LIMITS.steps)

    def word(self, name: str, more: int = 0) -> int:
        at = 8 * (self.compiled.layout.words[name] + more)
        return int.from_bytes(bytes(self.state)[at : at + 8], "little", signed=True)

    def to_the_end(self, depth: int, streams: list[Stream]) -> tuple[int, int]:
        """Step by step; gives all choices and the forced decisions."""
        choices = forced = 0
        while self.word("ending") == 0:
            have = self.word("choices")
            choices, forced = choices + have, forced + (have == 1)
            seat = self.word("seat_index", depth)
            self.compiled.apply(self.state, self.work.address, streams[seat].below(have))
            if self.word("ending") == 0:
                depth = self.compiled.advance(self.state, self.work.address)
        return choices, forced

    def row(self, seed: int, deal: int) -> list[int]:
        depth = self.compiled.deal(self.state, self.work.address, seed, deal)
        streams = [Stream((seed, deal, 1, seat)) for seat in range(self.seats)]
        choices, forced = self.to_the_end(depth, streams)
        scores = [self.word("scores", seat) for seat in range(self.seats)]
        head = [self.word("ending"), self.word("decisions"), choices, forced, self.word("fault")]
        return [*head, *scores]


def text(name: str) -> str:
    return WORDS if name == "words" else (LANG / name).read_text(encoding="utf-8")


def game_of(name: str) -> LoadedGame:
    if "." not in name and name != "words":
        return upcard.load(name, engine="reference")
    return ReferenceGame(name, *check(Source(name, text(name)), lint=False).sound())


@pytest.mark.parametrize(
    "name",
    [
        "euchre",
        "whist",
        "words",
        "choices/product.rcy",
        "choices/snapshot_is_whole_for_each_alternative.rcy",
        "control/team_stage_in_a_player_stage.rcy",
        "control/fails_while_listing.rcy",
    ],
)
def test_steps_come_to_the_same_games(name: str) -> None:
    table = Table(game_of(name))
    width = row_bytes(table.seats) // 8
    games = 40
    out = machine_memory.words(games * width)
    table.compiled.playouts.random_games(table.state, table.work.address, 5, 0, games, out)
    for deal in range(games):
        assert table.row(5, deal) == out[deal * width : (deal + 1) * width], f"deal {deal}"


def test_words_picked_from_written_lists_are_as_the_reference_plays_them() -> None:
    from upcard.simulate.random_games import native_batch, play_out
    from upcard.simulate.sums_detail import Sums

    game = game_of("words")
    rows = list(native_batch(game, Sums(), 2, LIMITS).games(0, 60, workers=1))
    assert len(rows) == 60
    for deal, row in enumerate(rows):
        assert row == play_out(game, 2, deal, LIMITS)


def named(h: int, word: int) -> int:
    return mix(((h ^ word) + 0x9E3779B97F4A7C15) % 2**64)


class Seeded(Stream):
    """A stream by the hash of its name."""

    def __init__(self, h: int) -> None:
        super().__init__(())
        words = []
        for _ in range(4):
            h = (h + 0x9E3779B97F4A7C15) % 2**64
            words.append(mix(h))
        self._s = (words[0], words[1], words[2], words[3])


@pytest.mark.parametrize("name", ["euchre", "words"])
def test_rollouts_are_sums_of_games(name: str) -> None:
    table = Table(game_of(name))
    start = machine_memory.words(table.compiled.size // 8)
    depth = table.compiled.deal(start, table.work.address, 3, 1)
    before, count = start[:], 25
    sums = machine_memory.words(table.seats)
    failed = table.compiled.rollouts(table.state, table.work.address, start, 77, count, sums)
    assert failed == 0
    assert start[:] == before, "the state that rollouts start from stays as it is"
    streams: list[Stream] = [Seeded(named(77, seat)) for seat in range(table.seats)]
    expected = [0] * table.seats
    for _ in range(count):
        table.state[:] = [*before]
        table.compiled.advance(table.state, table.work.address)
        table.to_the_end(depth, streams)
        for seat in range(table.seats):
            expected[seat] += table.word("scores", seat)
    assert list(sums) == expected
