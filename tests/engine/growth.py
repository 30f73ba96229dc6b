"""Programs that nest one form in itself, and how much work it is to check and lower them.

Work is counted in calls of Python functions, so no clock is needed. Twice the depth may take four times the
work, if each level looks at every other; an analysis that looks twice at each level takes the square.
"""

from __future__ import annotations

import sys
from typing import Any

from upcard.engine.native.backends import llvm
from upcard.engine.native.lower import lower
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

D, R = "(game vloc D)", "(game sto R)"
DO, CHOICE, SET = "(do ({}))", "(choice ({}))", "(do ((set (game sto R) {})))"
COUNT = "(do ((inc (game sto R) (size {}))))"

NESTS: dict[str, tuple[str, str, str]] = {
    "let of cards": (DO, "(let (union {in} {in}) '{v} {rest})", "(set (game sto R) (size {in}))"),
    "let of numbers": (DO, "(let (+ {in} {in}) '{v} {rest})", "(set (game sto R) {in})"),
    "let of lists": (
        DO,
        "(let (filter {in} '{v}X (> (size '{v}X) 0)) '{v} {rest})",
        "(inc (game sto R) (size {in}))",
    ),
    "let of places": (DO, "(let {in} '{v} {rest})", "(inc (game sto R) (size {in}))"),
    "let of a card": (DO, "(let (actual {in}) '{v} {rest})", "(move {in} (top (game vloc P)))"),
    "let in a choice": (
        CHOICE,
        "(let (union {in} {in}) '{v} {rest})",
        "(any {in} 'C (move 'C (top (game vloc P))))",
    ),
    "let of numbers in a choice": (CHOICE, "(let (+ {in} {in}) '{v} {rest})", "(inc (game sto R) {in})"),
    "all": (DO, "(all {in} '{v}C (let (union {in} {in}) '{v} {rest}))", "(inc (game sto R) (size {in}))"),
    "any": (
        CHOICE,
        "(any (tuples 1 {in} using (game points V)) '{v} {rest})",
        "(any {in} 'C (move 'C (top (game vloc P))))",
    ),
    "any of places": (
        CHOICE,
        "(any (all player '{v}P ('{v}P vloc D)) '{v} {rest})",
        "(any {in} 'C (move 'C (top (game vloc P))))",
    ),
    "any of numbers": (CHOICE, "(any (range 0..1) '{v} {rest})", "(inc (game sto R) {in})"),
    "any of words": (CHOICE, "(any (A, B) '{v} {rest})", "(set (game str S) {in})"),
    "conditions": (DO, "((> (game sto R) 1) {rest})", "(inc (game sto R))"),
    "conditions in a choice": (CHOICE, "((> (game sto R) 1) {rest})", "(inc (game sto R))"),
    "do": (DO, "(do ({rest}))", "(inc (game sto R))"),
    "do in a choice": (CHOICE, "(do ({rest}))", "(inc (game sto R))"),
    "repeat": (DO, "(repeat 2 {rest})", "(inc (game sto R))"),
    "repeat in a choice": (CHOICE, "(repeat 2 {rest})", "(inc (game sto R))"),
    "or": (DO, "((or {test} {test}) {rest})", "(inc (game sto R))"),
    "arithmetic": (SET, "(+ 1 {rest})", "(game sto R)"),
    "size of filter": (SET, "(size (filter (game vloc D) '{v} (> {rest} 0)))", "(game sto R)"),
    "total": (SET, "(all (filter player '{v}P (> {rest} 0)) '{v} ('{v} sto R))", "(game sto R)"),
    "sum of counts": (
        SET,
        "(sum (filter (game vloc D) '{v} (> {rest} 0)) using (game points V))",
        "(game sto R)",
    ),
    "any within any": (
        SET,
        "(size (filter player '{v} (any (game vloc D) '{v}C (> {rest} 0))))",
        "(game sto R)",
    ),
    "random": (SET, "(random {rest})", "(game sto R)"),
    "owner": ("(do ((inc ({} sto R))))", "(owner (top ({rest} vloc D)))", "(current player)"),
    "place number": (SET, "(size (game vloc D {rest}))", "(game sto R)"),
    "logic": ("(do (({} (inc (game sto R)))))", "(or (and {rest} {test}) {test})", "(not {test})"),
    "let of a test": (DO, "(let (or {in} {in}) '{v} {rest})", "({in} (inc (game sto R)))"),
    "quantifiers": (
        "(do (({} (inc (game sto R)))))",
        "(any player '{v} (and (== '{v} '{v}) {rest}))",
        "{test}",
    ),
    "union": (COUNT, "(union (game vloc P) {rest})", "(game vloc D)"),
    "top of a filter": (
        COUNT,
        "(filter {rest} '{v} (== '{v} '{v}))",
        "(game vloc D)",
    ),
    "sort": (COUNT, "(sort {rest} using (game points V))", "(game vloc D)"),
    "tuples": (COUNT, "(union (tuples 1 {rest} using (game points V)))", "(game vloc D)"),
    "partition": (COUNT, "(union (partition N {rest}))", "(game vloc D)"),
    "intersect": (COUNT, "(intersect (game vloc P) {rest})", "(game vloc D)"),
    "each": (COUNT, "(union (all player '{v} {rest}))", "(game vloc D)"),
    "stages": ("{}", "(stage player (end (> (game sto R) 3)) {rest})", "(do ((inc (game sto R))))"),
    "let around a choice": (
        "{}",
        "(let (union {in} {in}) '{v} {rest})",
        "(choice ((any {in} 'C (move 'C (top (game vloc P))))))",
    ),
    "any and do": (CHOICE, "(any (range 0..1) '{v} (do ((inc (game sto R) '{v}) {rest})))", "(turn pass)"),
}
"""What stands around, one level, and the innermost form. `{in}` is the variable of the level outside."""


FIRST = {
    "let of numbers": R,
    "let of numbers in a choice": R,
    "let of lists": "(all player 'F ('F vloc D))",
    "let of a card": f"(top {D})",
    "let of a test": f"(> {R} 1)",
}
"""What the outermost level takes for `{in}`; the deck where nothing is said."""


def nested(name: str, depth: int) -> str:
    """A program with that nest; variables are named by letters."""
    around, level, last = NESTS[name]
    names = [f"V{chr(65 + i // 26)}{chr(65 + i % 26)}" for i in range(depth)]
    outside = [FIRST.get(name, D), *(f"'{n}" for n in names)]
    text = last.replace("{in}", outside[-1]).replace("{test}", f"(> {R} 0)")
    for i in reversed(range(depth)):
        parts = {"{in}": outside[i], "{v}": names[i], "{test}": f"(> {R} {i})", "{rest}": text}
        text = level
        for part, value in parts.items():
            text = text.replace(part, value)
    return (
        "(game (setup (create players 2) (create deck (game vloc D) (deck (N (A, B)))))\n"
        f"{around.format(text)}\n(scoring max (game sto R)))"
    )


def work_of(text: str, logging: bool) -> int:
    """Calls of functions while a program is checked, lints included, lowered and written for LLVM."""
    calls = 0

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        program, facts = check(Source("nested.rcy", text)).sound()
        llvm.to_llvm(lower(program, facts, logging).module)
    finally:
        sys.setprofile(before)
    return calls
