"""A game whose every figure can be worked out by hand, and a player that says what it is told to think."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from upcard.engine.api import Observation
from upcard.engine.loader import load
from upcard.engine.shared.game import LoadedGame
from upcard.players.protocol import Budget, Decision
from upcard.players.spec import PlayerSpec
from upcard.study.plan import Plan
from upcard.study.study_run import Study

GAME = """(game
 (setup
  (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F)))))
 (do (
  (shuffle (game iloc STOCK))
  (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
  (set ((1 player) sto SCORE) 5)))
 ;; a choice outside of rounds: seat 0 says yes or no
 (choice ((inc (game sto SAID) 1) (inc (game sto SAID) 2)))
 ;; three rounds of two, led by seat 0; the last card of each is forced
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (stage player
   (end (all player 'P (== (size ('P vloc SHOWN)) 1)))
   (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN)))))))
  (do (
   (all player 'P (repeat all (move (top ('P vloc SHOWN)) (top ('P vloc GONE)))))
   (cycle next current))))
 (scoring max ((current player) sto SCORE)))
"""

CHOICES = (2, 3, 3, 2, 2, 1, 1)
SEATS = (0, 0, 1, 0, 1, 0, 1)
ROUNDS = (0, 1, 1, 2, 2, 3, 3)
LEADS = (0.5, 0.4, 0.1, 0.6, 0.9, 0.3, 0.0)
"""What seat 0's normalised rank is expected to be at each decision, for the first alternative; each further
alternative takes a tenth off for the mover."""


@dataclass(frozen=True)
class Thought(Decision):
    leads: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class Sayer:
    def choose(self, observation: Observation, budget: Budget) -> Decision:
        first = LEADS[observation.decision]
        rows = []
        for n in range(len(observation.moves)):
            less = -0.1 * n if observation.seat == 0 else 0.1 * n
            rows.append((first + less, 1 - first - less))
        return Thought(observation.moves[0], (), tuple(rows))


def sayer(seed: int, deal: int, seat: int) -> Sayer:
    return Sayer()


SAYER = PlayerSpec("sayer", sayer)


def small_game(folder: Path) -> LoadedGame:
    path = folder / "rounds.rcy"
    path.write_text(GAME, encoding="utf-8")
    return load(path, engine="reference")


def made(plan: Plan, folder: Path | None = None, workers: int = 1) -> Study:
    """A study, played to its end."""
    study = Study(plan, folder)
    for _ in study.play(workers):
        pass
    assert study.over
    return study
