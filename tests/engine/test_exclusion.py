"""Items of a choice of which only one can have alternatives."""

from __future__ import annotations

import pytest

from upcard.engine.native.lower.fast.exclusion import exclude
from upcard.recycle import program as p
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.recycle.walk import below

HAND = "((current player) iloc HAND)"
RED = f"(filter {HAND} 'C (== (cardatt S 'C) X))"
ALSO_RED = f"(filter {HAND} 'D (== (cardatt S 'D) X))"
PLAY = f"(any {HAND} 'P (move 'P (top (game vloc OUT))))"


def items(one: str, other: str) -> tuple[p.Item, p.Item]:
    text = f"""(game
 (setup (create players 2) (create deck (game iloc D) (deck (N (A, B)) (S (X, Y)))))
 (choice ({one} {other}))
 (scoring max (game sto N)))"""
    program, _ = check(Source("items", text), lint=False).sound()
    (choice,) = (node for node in below(program) if isinstance(node, p.Choice))
    first, second = choice.items
    return first, second


EXCLUDED = {
    "the same, and not": ("((== (game str T) X) (turn pass))", "((!= X (game str T)) (turn pass))"),
    "two written words": ("((== (game str T) X) (turn pass))", "((== Y (game str T)) (turn pass))"),
    "two numbers": (f"((== (size {HAND}) 6) {PLAY})", f"((== (size {HAND}) 5) (turn pass))"),
    "none, and some": (f"((== (size {RED}) 0) {PLAY})", f"((> (size {ALSO_RED}) 0) {PLAY})"),
    "none, and a pick": (
        f"((== (size {RED}) 0) {PLAY})",
        f"(any {ALSO_RED} 'P (move 'P (top (game vloc OUT))))",
    ),
    "none of all, and a pick of some": (
        f"((== (size {HAND}) 0) (turn pass))",
        f"(any {RED} 'P (move 'P (top (game vloc OUT))))",
    ),
    "inside an and": (
        f"((and (== (game sto N) 1) (== (game str T) X)) {PLAY})",
        f"((!= (game sto N) 1) {PLAY})",
    ),
    "inside a condition inside": (
        f"((== (game str T) X) ((== (game sto N) 1) {PLAY}))",
        f"((== (game sto N) 2) {PLAY})",
    ),
}
NOT_EXCLUDED = {
    "two storages": ("((== (game str T) X) (turn pass))", "((!= (game str U) X) (turn pass))"),
    "not the same as two words": ("((!= (game str T) X) (turn pass))", "((!= (game str T) Y) (turn pass))"),
    "words that may be the same": (
        "((== (game str T) (game str U)) (turn pass))",
        "((== (game str T) (game str V)) (turn pass))",
    ),
    "other filters": (f"((== (size {RED}) 0) {PLAY})", f"((> (size {HAND}) 0) {PLAY})"),
    "no reds, and blacks": (
        f"((== (size {RED}) 0) {PLAY})",
        f"(any (filter {HAND} 'C (== (cardatt S 'C) Y)) 'P (move 'P (top (game vloc OUT))))",
    ),
    "other hands": (
        f"((== (size {HAND}) 0) (turn pass))",
        "((> (size ((next player) iloc HAND)) 0) (turn pass))",
    ),
    "inside an or": (
        f"((or (== (game sto N) 1) (== (game sto N) 2)) {PLAY})",
        f"((== (game sto N) 2) {PLAY})",
    ),
    "of the pick": (
        f"(any {HAND} 'P ((== (cardatt S 'P) X) (move 'P (top (game vloc OUT)))))",
        f"(any {HAND} 'P ((!= (cardatt S 'P) X) (move 'P (top (game vloc OUT)))))",
    ),
    "less than so many": (f"((< (size {HAND}) 3) {PLAY})", f"((> (size {HAND}) 0) {PLAY})"),
    "at least none": (f"((>= (size {HAND}) 0) (turn pass))", f"((== (size {HAND}) 0) (turn pass))"),
}


@pytest.mark.parametrize("name", EXCLUDED)
def test_only_one_has_alternatives(name: str) -> None:
    one, other = items(*EXCLUDED[name])
    assert exclude(one, other)
    assert exclude(other, one)


@pytest.mark.parametrize("name", NOT_EXCLUDED)
def test_both_may_have_alternatives(name: str) -> None:
    one, other = items(*NOT_EXCLUDED[name])
    assert not exclude(one, other)
    assert not exclude(other, one)
