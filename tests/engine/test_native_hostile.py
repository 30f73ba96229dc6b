"""Programs that ask for what there is not, or for too much: both engines end alike, at the same form, with
the same sentence, and the process lives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

ROOT = Path(__file__).resolve().parents[2]

DECK = "(create deck (game vloc D) (deck (N (A, B, C)) (S (X, Y))))"


def game(
    *body: str, players: int = 2, deck: str = DECK, declares: str = "", score: str = "(game sto R)"
) -> str:
    elements = "\n  ".join(body)
    return (
        f"(game {declares}\n (setup (create players {players}) {deck})\n  {elements}\n (scoring max {score}))"
    )


def do(*actions: str, **options: Any) -> str:
    return game(f"(do ({' '.join(actions)}))", **options)


def value(form: str, **options: Any) -> str:
    return do(f"(set (game sto R) {form})", **options)


def choose(*items: str, **options: Any) -> str:
    return game(f"(choice ({' '.join(items)}))", **options)


BIG = "9223372036854775807"
WIDE = "(deck (A (A, B, C, D, E, F, G, H)) (B (A, B, C, D, E, F, G, H)) (C (A, B, C, D, E, F, G, H)))"
UNION = "(union " + " ".join(["(game vloc D)"] * 30) + ")"
MANY = "(union (all (range 1..{}) 'I (game vloc D)))"

FAIL = {
    # nothing there
    "no card to move": do("(move (top (game vloc NO)) (top (game vloc D)))"),
    "no card to remember": do("(remember (top (game vloc NO)) (top (game mem M)))"),
    "no card to forget": do("(forget (top (game mem M)))"),
    "no card to score": value("(score (top (game vloc NO)) using (game points P))"),
    "no owner": value("(pid (owner (top (game vloc NO))))"),
    "owner of a card of the table": value("(pid (owner (top (game vloc D))))"),
    "best of nothing": value("(scoremax (game vloc NO) using (game points P))"),
    "greatest of nothing": do("(move (max (game vloc NO) using (game points P)) (top (game vloc D)))"),
    "no swap": do("(swap (top (game vloc NO)) (top (game vloc D)))"),
    "first of no groups": value("(size (top (partition N (game vloc NO))))"),
    "beside no card": do("(let (top (game vloc NO)) 'C (move (top (game vloc D)) 'C))"),
    "nothing to choose": choose("(any (game vloc NO) 'C (turn pass))"),
    # numbers out of range
    "card index": value("(size (filter (game vloc D) 'C (== 'C (6 (game vloc D)))))"),
    "negative card index": do("(move ((- 0 1) (game vloc D)) (top (game vloc E)))"),
    "giant card index": do(f"(move ({BIG} (game vloc D)) (top (game vloc E)))"),
    "place index": do("(move (top (game vloc D)) (7 (game vloc E)))"),
    "place index inside": do("(move (top (game vloc D)) (6 (game vloc D)))"),
    "memory index": do("(remember (top (game vloc D)) (1 (game mem M)))"),
    "group index": value("(size (9 (partition N (game vloc D))))"),
    "place number": value("(size (game vloc D 256))"),
    "negative place number": value("(size (game vloc D (- 0 1)))"),
    "giant place number": value(f"(size (game vloc D {BIG}))"),
    "player number": value("((9 player) sto X)"),
    "giant player number": value(f"(({BIG} player) sto X)"),
    "least player number": value(f"(((- (- 0 {BIG}) 1) player) sto X)"),
    "team number": value("((7 team) sto X)"),
    "too many cards wanted": value("(size (top 7 (game vloc D)))"),
    "tuples of none": value("(size (tuples 0 (game vloc D) using (game points P)))"),
    # giant numbers
    "sum": value(f"(+ {BIG} 1)"),
    "difference": value(f"(- (- 0 {BIG}) 2)"),
    "product": value(f"(* {BIG} 2)"),
    "power": value("(^ 10 30)"),
    "division": value("(// 1 (game sto Z))"),
    "remainder": value("(% 1 (game sto Z))"),
    "least number divided": value(f"(// (- (- 0 {BIG}) 1) (- 0 1))"),
    "triangle": value(f"(tri {BIG})"),
    "fibonacci": value("(fib 93)"),
    "backwards random": value("(random 3 .. 2)"),
    "wide random": value(f"(random (- (- 0 {BIG}) 1) .. {BIG})"),
    "counting over": do(f"(set (game sto R) {BIG})", "(inc (game sto R))"),
    "scores over": do(
        f"(set (game points P) (((N : A) {BIG}) ((S : X) 1)))",
        "(set (game sto R) (sum (game vloc D) using (game points P)))",
    ),
    # too much
    "repeat": do("(repeat 1000001 (turn pass))"),
    "giant repeat": do(f"(repeat {BIG} (turn pass))"),
    "range": value("(size (range 1..1000001))"),
    "giant range": value(f"(size (range 0..{BIG}))"),
    "range over everything": value(f"(size (range (- (- 0 {BIG}) 1)..{BIG}))"),
    "subsets": value(f"(size (subsets {UNION}))"),
    "union": value(f"(size {MANY.format(200_000)})"),
    "partition of a union": value("(size (partition N (all (range 1..200000) 'I (game vloc D))))"),
    "memory": do("(repeat 1025 (remember (top (game vloc D)) (top (game mem M))))"),
    "picks": choose("(repeat 1025 (any (range 1..1) 'N (inc (game sto R) 'N)))"),
    "empty picks": choose("(do ((repeat 1025 (any (game vloc NO) 'C (turn pass))) (turn pass)))"),
    "tuples": value(f"(size (tuples 8 {UNION} using (game points P)))"),
    "decks": game("(stage player (end (== 1 2)) " + f"(do ({DECK})))"),
    "decks by chance": game("(do ((turn pass)))", deck=f"(repeat (random 1000 .. 1001) {DECK})"),
    # wrong places
    "out of a memory": do(
        "(remember (top (game vloc D)) (top (game mem M)))", "(move (top (game mem M)) (top (game vloc D)))"
    ),
    "into a memory": do("(move (top (game vloc D)) (top (game mem M)))"),
    "into a snapshot": do("(move (top (game vloc D)) (top (filter (game vloc D) 'C (== 1 1))))"),
    "swap of memories": do("(swap (game mem M) (game vloc D))"),
    "player twice": do("(create teams ((+ (game sto Z) 1)) ((+ (game sto Z) 1)))"),
    "no such player in a team": do("(create teams ((+ (game sto Z) 3)))"),
    "a team that is gone": do("(all team 'T (do ((create teams (1, 2)) (inc ('T sto X)))))"),
    "while listing": choose("(turn pass)", "(move (top (game vloc NO)) (top (game vloc D)))"),
    "in scoring": game("(choice ((turn pass)))", score="(// 1 (game sto Z))"),
    "in an end": game("(stage player (end (== (// 1 (game sto Z)) 1)) (choice ((turn pass))))"),
    "in a declare": game("(choice ((turn pass)))", declares="(declare (// 1 (game sto Z)) 'V)"),
    "in a declare by chance": game(
        "(choice ((turn pass)))", declares="(declare (random 5) 'W) (declare (// 1 (- 'W 'W)) 'V)"
    ),
}

FINE = {
    "endless stage": game("(stage player (end (== 1 2)) (do ((inc (game sto R)))))"),
    "endless choices": game("(stage player (end (== 1 2)) (choice ((inc (game sto R)))))"),
    "endless stage of teams": game("(stage team (end (== 1 2)) (do ((inc (game sto R)))))"),
    "longest repeat": do("(repeat 1000000 (inc (game sto R)))"),
    "lists in a long loop": do(
        "(repeat 300000 (set (game sto R) (size (filter (top 3 (game vloc D)) 'C (== 1 1)))))"
    ),
    "lists in a long range": value(
        "(size (filter (range 1..100000) 'N"
        " (== (size (top 1 (sort (game vloc D) using (game points P)))) 'N)))"
    ),
    "negative repeat": do("(repeat (- 0 5) (inc (game sto R)))"),
    "full memory": do(
        "(repeat 1024 (remember (top (game vloc D)) (bottom (game mem M))))",
        "(set (game sto R) (size (game mem M)))",
    ),
    "many picks": choose("(repeat 1024 (any (range 1..1) 'N (inc (game sto R) 'N)))"),
    "big union": value(f"(size {MANY.format(100_000)})"),
    "sorted big union": value(
        f"(size (filter (sort {MANY.format(3000)} using (game points P)) 'C (== (cardatt N 'C) A)))"
    ),
    "big union around a choice": game(
        f"(let {MANY.format(2000)} 'S"
        " (choice ((do ((repeat 7 (move (top 'S) (top (game vloc D)))) (set (game sto R) (size 'S)))))))"
    ),
    "picked big union": choose(
        f"(any (all (range 1..2) 'I {MANY.format(2000)}) 'G"
        " (do ((move (top 'G) (top (game vloc E))) (set (game sto R) (size 'G)))))"
    ),
    "intersection of many": value("(size (intersect (all (range 1..70000) 'I (game vloc D))))"),
    "greatest power": value("(^ 2 62)"),
    "power of minus one": value(f"(^ (- 0 1) {BIG})"),
    "widest random": do(f"(set (game sto R) (random 0 .. {BIG}))"),
    "many draws while listing": choose(
        "(do ((repeat 4000 (shuffle (game vloc D))) (any (game vloc D) 'C"
        " (do ((repeat 500 (shuffle (game vloc D))) (move 'C (top (game vloc E))))))))",
        "(any (top 1 (game vloc D)) 'C (turn pass))",
    ),
    "512 cards": do(
        "(shuffle (game vloc D))",
        "(set (game sto R) (size (filter (game vloc D) 'C (== (cardatt B 'C) H))))",
        deck=f"(create deck (game vloc D) {WIDE})",
    ),
    "512 cards by chance": do(
        "(set (game sto R) (size (game vloc D)))",
        deck=f"(repeat (random 1 .. 1) (create deck (game vloc D) {WIDE}))",
    ),
    "256 players": game(
        "(do ((all player 'P (set ('P sto X) 1)) (set (game sto R) (all player 'P ('P sto X)))))",
        "(stage player (end (> (game sto T) 3)) (choice ((inc (game sto T)))))",
        players=256,
    ),
    "256 players with 256 places": do(
        "(move (top (game vloc D)) (top ((255 player) vloc ROW (+ (game sto Z) 255))))",
        "(set (game sto R) (size ((255 player) vloc ROW 255)))",
        players=256,
    ),
    "teams made anew": game(
        "(do ((all team 'T (set ('T sto X) 1)) (create teams ((+ (game sto Z) 1), (+ (game sto Z) 2)))"
        " (set (game sto R) (all team 'T ('T sto X)))))",
    ),
    "deep nesting": value("(+ 1 " * 60 + "1" + ")" * 60),
    "deep loops": do(
        "(all (range 1..1) 'I " * 40 + "(inc (game sto R))" + ")" * 40,
    ),
    "deep conditions": do("((== 1 1) " * 90 + "(inc (game sto R))" + ")" * 90),
    "deep filters": value(
        "(size " + "(filter " * 50 + "(game vloc D)" + " 'C (== (cardatt S 'C) X))" * 50 + ")"
    ),
    "deep choices": choose("(any (range 1..1) 'N " * 50 + "(inc (game sto R))" + ")" * 50),
    "deepest nesting": value("(+ 1 " * 190 + "1" + ")" * 190),
    "deepest loops": do("(all (range 1..1) 'I " * 190 + "(inc (game sto R))" + ")" * 190),
    "tests within tests": value(
        "(size "
        + "(filter (game vloc NO) 'C (and (> (size " * 24
        + "(game vloc D)"
        + ") 0) (!= (score 'C using (game points P)) 1)))" * 24
        + ")"
    ),
    "a full memory shuffled": do(
        "(repeat 1024 (remember (top (game vloc D)) (top (game mem M))))", "(shuffle (game mem M))"
    ),
}

REFUSED_BY_NATIVE = {
    "513 cards": (
        do(
            "(turn pass)",
            deck=f"(create deck (game vloc D) {WIDE}) (create deck (game vloc D) (deck (A (X))))",
        ),
        "line 2: the native engine supports games with up to 512 cards",
    ),
    "513 cards in play": (
        game(
            "(do (\n(create deck (game vloc D) (deck (A (X))))))", deck=f"(create deck (game vloc D) {WIDE})"
        ),
        "line 4: the native engine supports games with up to 512 cards",
    ),
    "too many places": (
        do(
            *(f"(set (game sto R) (size ((current player) vloc {name} (game sto Z))))" for name in "ABCDE"),
            players=256,
        ),
        "line 3: the native engine supports games with up to 262,144 places",
    ),
    "too many items": (
        choose(*["(turn pass)"] * 512),
        "line 3: the native engine supports choices with up to 511 items",
    ),
}


@cache
def answers() -> dict[str, dict[str, Any]]:
    """What a process of its own says; one that crashes says nothing about the rest."""
    texts = {**FAIL, **FINE, **{name: text for name, (text, _) in REFUSED_BY_NATIVE.items()}}
    asked = "".join(json.dumps({"name": name, "text": text}) + "\n" for name, text in texts.items())
    told = subprocess.run(
        [sys.executable, "-m", "tests.engine.hostile_driver"],
        input=asked,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        check=False,
    )
    found = [json.loads(line) for line in told.stdout.splitlines()]
    assert told.returncode == 0, f"after {len(found)} programs: {told.stderr[-2000:]}"
    return {entry["name"]: entry for entry in found}


@pytest.mark.parametrize("name", FAIL)
def test_both_engines_fail_alike(name: str) -> None:
    found = answers()[name]
    assert "reference" in found, found
    assert found["reference"][0] == "failed", found
    assert found["native"] == found["logging"] == found["reference"]


@pytest.mark.parametrize("name", FINE)
def test_both_engines_take_it(name: str) -> None:
    found = answers()[name]
    assert "reference" in found, found
    assert found["reference"][0] != "failed", found
    assert found["native"] == found["logging"] == found["reference"]


@pytest.mark.parametrize("name", REFUSED_BY_NATIVE)
def test_limits_of_machine_code_are_said_when_it_is_loaded(name: str) -> None:
    assert answers()[name].get("not_lowered") == REFUSED_BY_NATIVE[name][1]
