"""State S of the language reference's appendix A, made by a real program."""

from __future__ import annotations

from typing import Any

from tests.engine.play_through import face, faces, load

from upcard.engine.api import Place
from upcard.engine.reference import ReferenceState
from upcard.engine.shared.table import Snapshot, Table
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind

HEAD = """
(game
 (setup (create players 3) (create teams (0, 2) (1))
        (create deck (game vloc D) (deck (RANK (A, B, C)) (SUIT (X, Y)))))
 (do (
  ;; from AX AY BX BY CX CY
  (move (bottom (game vloc D)) (top ((0 player) iloc HAND)))
  (move (1 (game vloc D)) (top ((1 player) iloc HAND)))
  (move (top (game vloc D)) (top ((0 player) iloc HAND)))
  (set (game points V) (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((RANK : C) (SUIT : Y) 10)))
  (set ((0 player) sto GOLD) 5)
  (set ((1 player) sto GOLD) 2)
  (set (game sto POT) 7)
  (set (game str LEAD) X)
  (cycle next previous)
  ;; the appendix takes every location for ordered, so each is read somewhere; this never holds
  ((and (== (top (game vloc E)) (top (game vloc D)))
        (== (top ((2 player) iloc HAND)) (top (game vloc PILE))))
   (turn pass))))
"""
TAIL = "\n (scoring max 0))\n"


def with_elements(elements: str) -> ReferenceState:
    """S with more elements behind it, at its first decision."""
    return load(HEAD + elements + TAIL, name="S").deal(seed=1)


def evaluated(form: str) -> ReferenceState:
    """S at a choice that has the form's value bound to a variable."""
    return with_elements(f"(let {form} 'X (choice ((turn pass))))")


def after(action: str) -> ReferenceState:
    """S with one action run alone on it."""
    return with_elements(f"(do ({action}))\n(choice ((turn pass)))")


def value(state: ReferenceState) -> str:
    """The bound value in the words of the appendix."""
    let = state.game.program.body[-1]
    assert isinstance(let, p.LetChoice)
    return shown(state.machine.table, state.machine.table.env[let.binding.slot], let.binding.kind)


def shown(table: Table, it: Any, kind: Kind) -> str:
    if kind is Kind.CARD:
        return face(table, it)
    if isinstance(it, Place):
        return f"[{faces(table, table.at(it))}]"
    if isinstance(it, Snapshot):
        return f"[{faces(table, it.cards)}]"
    if isinstance(it, list):
        assert kind.element is not None
        return "; ".join(shown(table, part, kind.element) for part in it) or "nothing"
    words = {Kind.PLAYER: "seat {}", Kind.TEAM: "team {}", Kind.STR: "'{}'"}
    return words.get(kind, "{}").format(it)
