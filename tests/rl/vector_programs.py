"""Small programs for tests of vector environments."""

from __future__ import annotations

from pathlib import Path

import upcard
from upcard.engine.shared.game import LoadedGame

FAILS = """
(game
 (setup (create players 2) (create deck (game vloc PILE) (deck (RANK (A, B, C)))))
 (stage player
  (end (== (size (game vloc PILE)) 0))
  (choice (
   (any (game vloc PILE) 'C (move 'C (top ((current player) vloc WON))))))
  (do (
   ((== (cardatt RANK (top ((current player) vloc WON))) C)
    (inc ((current player) sto POINTS) (// 1 (game sto NOTHING)))))))
 (scoring max ((current player) sto POINTS)))
"""
"""A player who takes C divides by 0."""

UNDECIDED = """
(game
 (setup (create players 2) (create deck (game vloc PILE) (deck (RANK (A, B, C)))))
 (do ((inc ((0 player) sto POINTS))))
 (stage player
  (end (== (size (game vloc PILE)) 3))
  (choice ((set (game str WORD) A))))
 (scoring max ((current player) sto POINTS)))
"""
"""Nobody ever decides anything."""

GROWING = """
(game
 (setup (create players 2) (create deck (game vloc PILE) (deck (RANK (A, B)))))
 (stage player
  (end (== (size (game vloc PILE)) 0))
  (do (((== (game sto MADE) 0)
   (do (
    (create deck (game vloc PILE) (deck (RANK (A, B))))
    (inc (game sto MADE)))))))
  (choice (
   (any (game vloc PILE) 'C (move 'C (top ((current player) vloc WON)))))))
 (scoring max (pid (current player))))
"""
"""Play makes cards, so it has no encoding."""

DRAWING = """
(game
 (setup
  (create players 2)
  (create deck (game iloc PACK) (deck (RANK (A, B, C, D)) (SUIT (X, Y)))))
 (do (
  (shuffle (game iloc PACK))
  (all player 'P (repeat 4 (move (top (game iloc PACK)) (top ('P iloc HAND)))))))
 (stage player
  (end (== (size (game vloc TABLE)) 6))
  (choice (
   ((== (game sto DRAWN) 1)
    (any ((current player) iloc HAND) 'C
     (do ((move 'C (top (game vloc TABLE))) (set (game sto DRAWN) 0)))))
   ((== (game sto DRAWN) 0)
    (any ((next player) iloc HAND) 'C
     (do (
      (move 'C (top ((current player) iloc HAND)))
      (set (game sto DRAWN) 1)
      (cycle next (current player)))))))))
 (scoring max (size ((current player) iloc HAND))))
"""
"""A player draws a hidden card from the other's hand, and then lays one down."""


def load(folder: Path, text: str) -> LoadedGame:
    path = folder / "program.rcy"
    path.write_text(text, encoding="utf-8")
    return upcard.load(path, base=0)
