"""Narration: moves, cards and results in words.

Modules:
    card_text    Card notation: J♠, 9♥, or Js, 9h in ASCII.
    card_totals  What the cards of a place count, in the words of a sheet.
    narrator     Narrator: names moves in menus and describes what happened.
"""
