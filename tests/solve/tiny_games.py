"""Tiny games to solve: hidden cards, chance at every stage, seats that know unequally much."""

from __future__ import annotations

from functools import cache

import upcard
from upcard.engine.loader import make_game
from upcard.engine.native.game import NativeGame
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.solve.enumeration import Listing, enumerate_game

PENNIES = """
(game
 (setup (create players 2)
  (create deck (game vloc BOX) (deck (SIDE (HEADS, TAILS)) (OWNER (ONE, TWO)))))
 (do ((all (filter (game vloc BOX) 'C (== (cardatt OWNER 'C) ONE)) 'C
       (move 'C (top ((1 player) iloc HAND))))
      (all (filter (game vloc BOX) 'C (== (cardatt OWNER 'C) TWO)) 'C
       (move 'C (top ((2 player) iloc HAND))))))
 (stage player
  (end (all player 'P (== (size ('P iloc CHOSEN)) 1)))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc CHOSEN)))))))
 (do ((all player 'P (move (top ('P iloc CHOSEN)) (top ('P vloc SHOWN))))
      ((== (cardatt SIDE (top ((1 player) vloc SHOWN))) (cardatt SIDE (top ((2 player) vloc SHOWN))))
       (do ((set ((1 player) sto NET) {both})
            ((== (cardatt SIDE (top ((1 player) vloc SHOWN))) HEADS) (set ((1 player) sto NET) {heads})))))
      ((!= (cardatt SIDE (top ((1 player) vloc SHOWN))) (cardatt SIDE (top ((2 player) vloc SHOWN))))
       (set ((1 player) sto NET) (- 0 1)))
      (set ((2 player) sto NET) (- 0 ((1 player) sto NET)))))
 (scoring max ((current player) sto NET)))
"""
"""Each seat lays a coin face down; equal sides pay the first seat."""

PACK = """
(game
 (setup (create players {seats})
  (create deck (game iloc PACK) (deck (RANK (ONE, TWO, THREE, FOUR)))))
 (do ((set (game points HEIGHT) (((RANK : ONE) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4)))
      (shuffle (game iloc PACK))
"""

CLAIM = (
    PACK.format(seats=2)
    + """
      (move (top (game iloc PACK)) (top ((1 player) iloc HAND)))))
 (choice ((set (game str SAID) HIGH) (set (game str SAID) LOW)))
 (do ((cycle current (2 player))))
 (choice ((set (game str ANSWER) BELIEVE) (set (game str ANSWER) DOUBT)))
 (do ((move (top ((1 player) iloc HAND)) (top (game vloc SHOWN)))
      (set (game sto HIGH) 0)
      ((> (sum (game vloc SHOWN) using (game points HEIGHT)) 2) (set (game sto HIGH) 1))
      (set ((1 player) sto NET) (- 0 1))
      ((and (== (game str SAID) HIGH) (== (game str ANSWER) BELIEVE)) (set ((1 player) sto NET) 2))
      ((and (== (game str SAID) HIGH) (and (== (game str ANSWER) DOUBT) (== (game sto HIGH) 1)))
       (set ((1 player) sto NET) 3))
      ((and (== (game str SAID) HIGH) (and (== (game str ANSWER) DOUBT) (== (game sto HIGH) 0)))
       (set ((1 player) sto NET) (- 0 3)))
      (set ((2 player) sto NET) (- 0 ((1 player) sto NET)))))
 (scoring max ((current player) sto NET)))
"""
)
"""One seat sees a card and says that it is high; the other has none and believes it or not."""

TURN = (
    PACK.format(seats=2)
    + """
      (all player 'P (move (top (game iloc PACK)) (top ('P iloc HAND))))))
 (stage player
  (end (== (game sto SPOKEN) 2))
  (choice ((set ((current player) str ACT) STAY)
           (do ((set ((current player) str ACT) RAISE) (inc (game sto POT))))))
  (do ((inc (game sto SPOKEN))
       ((== (game sto SPOKEN) 1) (do ((move (top (game iloc PACK)) (top (game vloc BOARD)))
                                      (set (game sto DIE) (random 1..2))))))))
 (do ((all player 'P (do ((move (top ('P iloc HAND)) (top ('P vloc SHOWN)))
        (set ('P sto NET) (* (+ 1 (game sto POT))
                             (* (game sto DIE) (sum ('P vloc SHOWN) using (game points HEIGHT)))))
        ((and (== ('P str ACT) STAY) (> (game sto POT) 0))
         (set ('P sto NET) (sum (game vloc BOARD) using (game points HEIGHT)))))))))
 (scoring max ((current player) sto NET)))
"""
)
"""A card and a die are turned between two decisions; the sum of the points is not constant."""

STEAL = (
    PACK.format(seats=2)
    + """
      (repeat 3 (move (top (game iloc PACK)) (top ((1 player) iloc HAND))))))
 (choice ((set (game str SAID) TAKE) (set (game str SAID) LEAVE)))
 (do ((cycle current (2 player))))
 (choice (
  ((== (game str SAID) TAKE)
   (any ((1 player) iloc HAND) 'C (move 'C (top ((2 player) iloc HAND)))))
  (set (game str DONE) NOTHING)))
 (choice ((set (game str CALL) HIGH) (set (game str CALL) LOW)))
 (do ((set ((1 player) sto NET) (sum ((1 player) iloc HAND) using (game points HEIGHT)))
      (set ((2 player) sto NET) (* 2 (sum ((2 player) iloc HAND) using (game points HEIGHT))))
      ((== (game str CALL) HIGH) (set ((2 player) sto NET) (- 8 ((2 player) sto NET))))))
 (scoring max ((current player) sto NET)))
"""
)
"""The second seat draws from the other's hand: three cards that it cannot tell apart."""

AGAIN = (
    PACK.format(seats=2)
    + """
      (move (top (game iloc PACK)) (top ((1 player) iloc HAND)))
      (move (top (game iloc PACK)) (top (game vloc BOARD)))))
 (choice ((set (game str SAID) KEEP)
          (do ((set (game str SAID) SWAP)
               (move (top ((1 player) iloc HAND)) (top (game iloc PACK)))))))
 (do (((== (game str SAID) SWAP)
       (do ((shuffle (game iloc PACK)) (move (top (game iloc PACK)) (top ((1 player) iloc HAND))))))
      (move (top (game iloc PACK)) (top ((2 player) iloc HAND)))
      (cycle current (2 player))))
 (choice ((set (game sto BET) 1) (set (game sto BET) 3)))
 (do ((cycle current (1 player))))
 (choice ((set (game str ACT) FOLD) (set (game str ACT) CALL)))
 (do ((set ((1 player) sto NET) (- 0 1))
      ((== (game str ACT) CALL)
       (do ((set ((1 player) sto NET) (game sto BET))
            ((< (sum ((1 player) iloc HAND) using (game points HEIGHT))
                (sum ((2 player) iloc HAND) using (game points HEIGHT)))
             (set ((1 player) sto NET) (- 0 (game sto BET)))))))
      (set ((2 player) sto NET) (- 0 ((1 player) sto NET)))))
 (scoring max ((current player) sto NET)))
"""
)
"""A card may be shuffled back into the pack, where it can be drawn again by either seat."""

PEEK = (
    PACK.format(seats=2)
    + """
      ((> (score (top (game iloc PACK)) using (game points HEIGHT)) 2) (set (game str HINT) HIGH))
      (all player 'P (move (top (game iloc PACK)) (top ('P iloc HAND))))))
 (stage player
  (end (== (game sto SPOKEN) 2))
  (choice ((set ((current player) str ACT) STAY) (set ((current player) str ACT) GO)))
  (do ((inc (game sto SPOKEN)))))
 (do ((set ((1 player) sto NET) 1)
      ((and (== ((1 player) str ACT) GO) (== ((2 player) str ACT) GO))
       (set ((1 player) sto NET) (- (sum ((1 player) iloc HAND) using (game points HEIGHT))
                                    (* 2 (score (top (game iloc PACK)) using (game points HEIGHT))))))
      ((and (== ((1 player) str ACT) STAY) (== ((2 player) str ACT) GO)) (set ((1 player) sto NET) (- 0 1)))
      (set ((2 player) sto NET) (- 0 ((1 player) sto NET)))))
 (scoring min ((current player) sto NET)))
"""
)
"""The program reads a face that nobody sees and tells all seats something of it; an unseen card is scored,
and fewer points are better."""

THREE = (
    PACK.format(seats=3)
    + """
      (all player 'P (do ((inc ('P sto PAID)) (move (top (game iloc PACK)) (top ('P iloc HAND))))))))
 (stage player
  (end (== (game sto SPOKEN) 3))
  (choice ((set ((current player) str ACT) FOLD)
           (do ((set ((current player) str ACT) IN) (inc ((current player) sto PAID))))))
  (do ((inc (game sto SPOKEN)))))
 (do ((all player 'P ((== ('P str ACT) IN)
        (do ((move (top ('P iloc HAND)) (top ('P vloc SHOWN)))
             (set ('P sto HEIGHT) (sum ('P vloc SHOWN) using (game points HEIGHT)))))))
      (all player 'P (set ('P sto NET) (- 0 ('P sto PAID))))
      (all player 'P
       ((and (== ('P str ACT) IN) (all player 'Q (<= ('Q sto HEIGHT) ('P sto HEIGHT))))
        (all player 'Q (inc ('P sto NET) ('Q sto PAID)))))))
 (scoring max ((current player) sto NET)))
"""
)
"""Three seats, one card each, one chip to stay in."""

ALONE = (
    PACK.format(seats=1)
    + """
      (move (top (game iloc PACK)) (top (game vloc ROW)))
      (set (game str RIGHT) NO)))
 (stage player
  (end (or (== (size (game iloc PACK)) 0) (== (game str SAID) STOP)))
  (choice ((set (game str SAID) STOP) (set (game str SAID) HIGHER) (set (game str SAID) LOWER)))
  (do (((!= (game str SAID) STOP)
        (do ((set (game sto BEFORE) (score (top (game vloc ROW)) using (game points HEIGHT)))
             (move (top (game iloc PACK)) (top (game vloc ROW)))
             (set (game sto NOW) (score (top (game vloc ROW)) using (game points HEIGHT)))
             ((or (and (> (game sto NOW) (game sto BEFORE)) (== (game str SAID) HIGHER))
                  (and (< (game sto NOW) (game sto BEFORE)) (== (game str SAID) LOWER)))
              (do ((inc (game sto WON)) (set (game str RIGHT) YES))))
             ((== (game str RIGHT) NO) (do ((set (game sto WON) (- 0 2)) (set (game str SAID) STOP))))
             (set (game str RIGHT) NO)))))))
 (scoring max (game sto WON)))
"""
)
"""One seat alone guesses whether the next card is higher."""

TIES = (
    PACK.format(seats=2)
    + """
      (set (game points HALF) (((RANK : ONE) 1) ((RANK : TWO) 1) ((RANK : THREE) 2) ((RANK : FOUR) 2)))
      (all player 'P (move (top (game iloc PACK)) (top ('P iloc HAND))))
      (move (max (game iloc PACK) using (game points HALF)) (top (game iloc PRIZE)))))
 (stage player
  (end (== (game sto SPOKEN) 2))
  (choice ((set ((current player) sto BID) 1) (set ((current player) sto BID) 2)))
  (do ((inc (game sto SPOKEN)))))
 (do ((move (top (game iloc PRIZE)) (top (game vloc SHOWN)))
      (all player 'P (set ('P sto NET) (* ('P sto BID) (sum ('P iloc HAND) using (game points HEIGHT)))))
      ((> ((1 player) sto BID) ((2 player) sto BID))
       (inc ((1 player) sto NET) (sum (game vloc SHOWN) using (game points HEIGHT))))
      ((< ((1 player) sto BID) ((2 player) sto BID))
       (dec ((2 player) sto NET) (sum (game vloc SHOWN) using (game points HEIGHT))))))
 (scoring max ((current player) sto NET)))
"""
)
"""One of equally good cards is drawn unseen, and paid at the end."""

TEXTS = {
    "pennies": PENNIES.format(both=1, heads=1),
    "odd-pennies": PENNIES.format(both=1, heads=2),
    "claim": CLAIM,
    "turn": TURN,
    "steal": STEAL,
    "again": AGAIN,
    "peek": PEEK,
    "three": THREE,
    "ties": TIES,
    "alone": ALONE,
}
ZERO_SUM = ("pennies", "odd-pennies", "claim", "turn", "steal", "again", "peek", "ties", "kuhn-poker")
"""The games of two seats."""


@cache
def tiny(name: str) -> NativeGame:
    if name not in TEXTS:
        made = upcard.load(name)
    else:
        made = make_game(name, *check(Source(f"{name}.rcy", TEXTS[name])).sound())
    assert isinstance(made, NativeGame)
    return made


@cache
def listed(name: str) -> Listing:
    return enumerate_game(tiny(name))
