"""Small games of one's own for pages: one that is sound, and what a designer may get wrong."""

from __future__ import annotations

from pathlib import Path

SOUND = """;; {comment}
(game
 (setup
  (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F)))))
 (do (
  (shuffle (game iloc STOCK))
  (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN)))))))
 (do ((set ((0 player) sto SCORE) (size ((0 player) vloc SHOWN)))))
 (scoring max ((current player) sto SCORE)))
"""

ENDLESS = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C, D)))))
 (do ((all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
 (stage player
  (end (== (size ((0 player) iloc HAND)) 9))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc HAND)))) (turn pass))))
 (scoring max ((current player) sto SCORE)))
"""

FAILING = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C, D)))))
 (do ((all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
 (stage player
  (end (== (size ((0 player) iloc HAND)) 0))
  (choice ((move (top ((current player) iloc HAND)) (top (game vloc PILE)))))
  (do ((set (game sto SHARE) (// 4 (size ((current player) iloc HAND)))))))
 (scoring max ((current player) sto SCORE)))
"""

SHEET = '''title = "{title}"
summary = "{words}"
family = "{words}"
tags = ["{words}"]
related = ["{words}"]
sources = ["{words}", "https://example.org/a?b=c&d"]
variants = "{words}"
cycles = "{words}"
rules = """
Play. {words}

  - {words}
  - more
"""
[names]
seats = ["{seat}", "$x$ & <b>"]
[cards]
face = "{{RANK}}"
RANK = {{ A = "{words}", B = "<b>" }}
[table]
HAND = "{words}"
SHOWN = "{words}"
SCORE = "{words}"
[[say]]
do = "move"
to = "SHOWN"
tell = "{{seat}} shows {{card}} {words}."
pick = "{words} {{card}}"
'''


def folder_of(place: Path, name: str, program: str, sheet: str = "") -> Path:
    """A game's folder."""
    folder = place / name
    folder.mkdir(parents=True)
    (folder / "rules.rcy").write_text(program, encoding="utf-8")
    if sheet:
        (folder / "game.toml").write_text(sheet, encoding="utf-8")
    return folder
