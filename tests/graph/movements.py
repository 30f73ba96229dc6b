"""A game small enough to follow every card by hand, for the tests of the movement graph."""

from __future__ import annotations

from pathlib import Path

from upcard.engine.loader import load
from upcard.engine.shared.game import LoadedGame

GAME = """(game
 (setup
  (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F)))))
 (do (
  (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
  (move (top (game iloc STOCK)) (top (game vloc PILE)))
  ;; the hands hold 2 and 2; now 1 and 3
  (move (top ((0 player) iloc HAND)) (top ((1 player) iloc HAND)))
  (remember (top (game vloc PILE)) (top (game mem NOTED)))
  ;; 2 and 3
  (move (top (game vloc PILE)) (top ((0 player) iloc HAND)))
  ;; 3 and 2
  (swap ((0 player) iloc HAND) ((1 player) iloc HAND))
  ;; 3 and 1
  (move (top ((1 player) iloc HAND)) (top ((1 player) hloc AWAY)))))
 (stage player
  (end (== (game sto PLAYED) 2))
  (choice ((any ((current player) iloc HAND) 'C
   (do (
    (move 'C (top ((current player) vloc TRICK)))
    (inc (game sto PLAYED) 1)))))))
 (scoring max ((current player) sto SCORE)))
"""

NODES = {
    "table.iloc.STOCK": "hidden",
    "table.vloc.PILE": "public",
    "table.mem.NOTED": "memory",
    "seat0.iloc.HAND": "private",
    "seat0.vloc.TRICK": "public",
    "seat1.iloc.HAND": "private",
    "seat1.vloc.TRICK": "public",
    "seat1.hloc.AWAY": "hidden",
}

EDGES = {
    ("table.iloc.STOCK", "table.vloc.PILE", "public"): 1,
    ("table.iloc.STOCK", "seat0.iloc.HAND", "plain"): 2,
    ("table.iloc.STOCK", "seat1.iloc.HAND", "plain"): 2,
    ("table.vloc.PILE", "table.mem.NOTED", "remembered"): 1,
    ("table.vloc.PILE", "seat0.iloc.HAND", "taken"): 1,
    # one card is given away; then the swap carries two cards one way and three the other
    ("seat0.iloc.HAND", "seat1.iloc.HAND", "shared"): 3,
    ("seat1.iloc.HAND", "seat0.iloc.HAND", "shared"): 3,
    ("seat0.iloc.HAND", "seat0.vloc.TRICK", "public"): 1,
    ("seat1.iloc.HAND", "seat1.vloc.TRICK", "public"): 1,
    ("seat1.iloc.HAND", "seat1.hloc.AWAY", "plain"): 1,
}


def small_game(folder: Path) -> LoadedGame:
    path = folder / "small.rcy"
    path.write_text(GAME, encoding="utf-8")
    return load(path, engine="reference")
