"""The newer published player on games small enough to know what it must do."""

from __future__ import annotations

import pytest

from upcard.engine.api import Observation
from upcard.engine.loader import make_game
from upcard.engine.native.game import NativeGame
from upcard.players.protocol import Budget, Decision
from upcard.players.search.memoryless import MemorylessPlayer, Published, PublishedNewer
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.study.leads import thought

LUCK = """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (RANK (ONE, TWO, THREE, FOUR, FIVE, SIX)))))
 (do (
  (shuffle (game iloc PACK))
  (set (game points PIPS)
   (((RANK : ONE) 1) ((RANK : TWO) 2) ((RANK : THREE) 3)
    ((RANK : FOUR) 4) ((RANK : FIVE) 5) ((RANK : SIX) 6)))
  (all player 'P (set ('P sto POINTS) 3))))
 (stage player
  (end (== (size (game vloc DRAWN)) 1))
  (choice ((any (RED, GREEN, BLUE) 'WISH (set (game str WISH) 'WISH))))
  (do (
   (move (top (game iloc PACK)) (top (game vloc DRAWN)))
   (set ((current player) sto POINTS) (sum (game vloc DRAWN) using (game points PIPS))))))
 (scoring max ((current player) sto POINTS)))
"""
"""Whatever is wished for, the card on top decides: more than three points win."""

GAMBLE = """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (KIND (GOOD, BAD)) (RANK (ONE, TWO)))))
 (do ((shuffle (game iloc PACK))))
 (stage player
  (end (== (game sto DONE) 1))
  (choice (
   (set (game str WISH) SAFE)
   (set (game str WISH) DARE)))
  (do (
   (set (game sto DONE) 1)
   ((== (game str WISH) DARE) (move (top (game iloc PACK)) (top (game vloc DRAWN))))
   ((== (game str WISH) SAFE) (GAIN ((current player) sto POINTS) 1))
   ((any (game vloc DRAWN) 'C (== (cardatt KIND 'C) GOOD)) (GAIN ((current player) sto POINTS) 10))
   ((any (game vloc DRAWN) 'C (== (cardatt KIND 'C) BAD)) (LOSE ((current player) sto POINTS) 4)))))
 (scoring BEST ((current player) sto POINTS)))
"""
"""Being safe wins by one point. Daring wins by ten or loses by four: more points, and less often first."""

LATE = """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (RANK (ONE)))))
 (do ((shuffle (game iloc PACK))))
 (stage player
  (end (== (game str ASKED) YES))
  (choice ((set ((current player) str PAID) NOW) (set ((current player) str PAID) LATER)))
  (do (
   (set (game str ASKED) YES)
   ((== ((current player) str PAID) NOW) (set ((current player) sto POINTS) 1)))))
 (stage player
  (end (== (game sto TURNS) LENGTH))
  (choice ((inc (game sto TURNS) 1))))
 (do ((all player 'P ((== ('P str PAID) LATER) (set ('P sto POINTS) 100)))))
 (scoring max ((current player) sto POINTS)))
"""
"""A point now, or a hundred after so many turns of no choice."""


def made(text: str) -> NativeGame:
    game = make_game("tiny", *check(Source("tiny.rcy", text)).sound())
    assert isinstance(game, NativeGame)
    return game


def first_choice(
    game: NativeGame, kind: type[MemorylessPlayer], budget: Budget | None = None
) -> tuple[Observation, Decision]:
    observation = game.deal(3, 1).observe(0)
    return observation, kind(game, 1, 0, 0).choose(observation, budget or Budget())


def gamble(best: str) -> NativeGame:
    gain, lose = ("inc", "dec") if best == "max" else ("dec", "inc")
    return made(GAMBLE.replace("GAIN", gain).replace("LOSE", lose).replace("BEST", best))


def test_all_alternatives_are_tried_in_the_same_guesses() -> None:
    """So where all depends on a hidden card, all come to the same, and the first of equals is taken."""
    game = made(LUCK)
    observation, decision = first_choice(game, PublishedNewer)
    assert len(set(decision.leads)) == 1
    assert decision.move == observation.moves[0]
    # one card in six ends on three points each, two lose and three win: two playouts in a guess go alike
    own = decision.leads[0][0]
    assert own == pytest.approx(round(10 * own) / 10)
    assert 0 < own < 1
    _, older = first_choice(game, Published)
    assert len(set(older.leads)) > 1, "each in guesses of its own"


@pytest.mark.parametrize("best", ["max", "min"])
def test_it_goes_by_scores_and_records_ranks(best: str) -> None:
    observation, decision = first_choice(gamble(best), PublishedNewer)
    safe, dare = range(2)
    assert decision.move == observation.moves[dare]
    assert decision.leads[safe] == (1, 0)
    assert 0 < decision.leads[dare][0] < 1
    told = thought(decision, observation)
    assert told.lead == (1, 0), "of the best rank, which is not what was chosen"
    assert told.spread == 1 - decision.leads[dare][0]
    _, older = first_choice(gamble(best), Published)
    assert older.move == observation.moves[safe]


@pytest.mark.parametrize(("length", "chosen"), [(199, 1), (200, 1), (201, 0), (300, 0)])
def test_a_playout_is_cut_after_200_decisions_and_scored_as_it_stands(length: int, chosen: int) -> None:
    """What is paid after the alternative and 200 more decisions is not seen."""
    game = made(LATE.replace("LENGTH", str(length)))
    observation, decision = first_choice(game, PublishedNewer)
    assert decision.move == observation.moves[chosen]
    _, older = first_choice(game, Published)
    assert older.leads == ((1, 0), (1, 0)), "not cut; and first is first, by a point or by a hundred"


def test_playouts_of_a_budget_go_in_pairs() -> None:
    game = made(LUCK)
    for playouts, guesses in ((6, 1), (3, 1), (24, 4)):
        _, decision = first_choice(game, PublishedNewer, Budget(playouts))
        own = guesses * decision.leads[0][0]
        assert own == pytest.approx(round(own))
