"""The limit on work at one decision: the same in both engines, whether whole games are played or steps."""

from __future__ import annotations

import pytest
from tests.engine.fuzz.compare import compare_game
from tests.engine.fuzz.shape import program
from tests.engine.hostile_driver import by_machine_code, by_reference, by_stepping
from tests.engine.strict import limited, strict

import upcard
from upcard.engine.api import Limits
from upcard.engine.native.game import NativeGame
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.library.catalogue import catalogue
from upcard.recycle.failures import TOO_MUCH_WORK
from upcard.recycle.frontend import check
from upcard.recycle.limits import MAX_WORK
from upcard.recycle.source import Source
from upcard.recycle.work import WorkLimits

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

DECK = "(create deck (game vloc D) (deck (N (A, B, C, E)) (S (X, Y))))"
SCORING = "(scoring max (game sto R))"


def text(*body: str, declares: str = "") -> str:
    elements = "\n".join(body)
    return f"(game {declares}\n (setup (create players 2) {DECK})\n{elements}\n{SCORING})"


def game(program: str) -> ReferenceGame:
    checked = check(Source("work.rcy", program), lint=False)
    return ReferenceGame("work", *checked.sound())


THOUSAND = "(range 1..1000)"
ANY_3 = "(any (range 1..1000) 'A (any (range 1..1000) 'B (any (range 1..1000) 'C ({} (turn pass)))))"
INC = "(inc (game sto R))"

TOO_MUCH = {
    "nested any": text(f"(choice ({ANY_3.format('(== (+ (+ (* 1 1) 0) 0) 0)')}\n(turn pass)))"),
    "three any forms in a row": text(
        "(choice ((do ((any (range 1..1000) 'A (inc (game sto R) 'A)) (any (range 1..1000) 'B (turn pass))"
        " (any (range 1..1000) 'C (turn pass))))))"
    ),
    "repeat in an alternative": text(f"(choice ((any {THOUSAND} 'N (repeat 3000 {INC}))))"),
    "a long way before any": text(f"(choice ((do ((repeat 100000 {INC}) (any {THOUSAND} 'N (turn pass))))))"),
    "nested repeat": text(f"(do ((repeat 1000000 (repeat 1000000 {INC}))))"),
    "nested all": text(f"(do ((all (range 1..1000000) 'A (all (range 1..1000000) 'B {INC}))))"),
    "nested filters": text(
        "(do ((set (game sto R) (size (filter (range 1..100000) 'A"
        " (> (size (filter (range 1..100000) 'B (> 'A 'B))) 5))))))"
    ),
    "a condition in a loop": text(
        "(do ((repeat 1000000 ((all (range 1..1000000) 'A (> 'A 0)) (inc (game sto R))))))"
    ),
    "a sum in a loop": text(
        "(do ((repeat 1000000 (set (game sto R) (all (range 1..1000) 'A ((1 player) sto X))))))"
    ),
    "subsets in a loop": text(
        "(let (union (game vloc D) (game vloc D)) 'U\n(choice ((turn pass))))",
        "(do ((repeat 1000 (let (union (game vloc D) (game vloc D)) 'U"
        " (set (game sto R) (size (subsets 'U)))))))",
    ),
    "tuples in a loop": text(
        "(do ((repeat 100000 (set (game sto R) (size (tuples 3 (game vloc D) using (game points P)))))))"
    ),
    "runs in a loop": text(
        "(do ((repeat 1000000 (set (game sto R) (size (runs all 1 (game vloc D) using (game points P)))))))"
    ),
    "a partition of many cards in a loop": text(
        "(do ((let (union (all (range 1..20000) 'I (game vloc D))) 'U"
        " (repeat 1000 (set (game sto R) (size (partition N 'U)))))))"
    ),
    "a sort of many cards in a loop": text(
        "(do ((let (union (all (range 1..20000) 'I (game vloc D))) 'U"
        " (repeat 1000 (set (game sto R) (size (sort 'U using (game points P))))))))"
    ),
    "a range that is held": text(
        "(do ((repeat 1000000 (let (range 1..1000000) 'L (set (game sto R) (size 'L))))))"
    ),
    "many ranges that are held": text(
        "(do ("
        + "".join(f"(let (range 1..10000) 'L{name} " for name in "ABCDEFGH")
        + "(set (game sto R) (size 'LA))"
        + ")" * 8
        + "))"
    ),
    "picked from many cards": text(
        "(choice ((let (union (all (range 1..100000) 'I (game vloc D))) 'U (any 'U 'C (turn pass)))))"
    ),
    "a run at the end of many cards": text(
        "(do ((let (union (all (range 1..10000) 'I (game vloc D))) 'U"
        " (set (game sto R) (size (run top 2 'U using (game points P)))))))"
    ),
    "an endless stage": text(f"(stage player (end (== 1 2)) (do ((repeat 9000 {INC}))))"),
    "an end condition": text(
        "(stage player (end (any (range 1..1000000) 'A (any (range 1..1000000) 'B (== (+ 'A 'B) 0))))",
        "(choice ((turn pass))))",
    ),
    "carried out after listing": text(
        "(choice ((turn pass)))", f"(do ((repeat 1000000 {INC}) (repeat 1000000 {INC})))"
    ),
    "a declared value": text(
        "(choice ((turn pass)))",
        declares="(declare (size (filter (range 1..10000) 'A (any (range 1..10000) 'B (== 'B 0)))) 'V)",
    ),
    "a declared value that is drawn": text(
        "(choice ((turn pass)))",
        declares="(declare (random 5) 'W)"
        " (declare (size (filter (range 1..10000) 'A (any (range 'W..10000) 'B (== 'B 'W)))) 'V)"
        " (declare (size (filter (range 'W..10000) 'A (all (range 'W..10000) 'B (> 'B (- 0 1))))) 'X)",
    ),
}

ENOUGH = {
    "many alternatives": text(f"(choice ((any (range 1..100000) 'N {INC})))"),
    "two decisions, each with much work": text(
        f"(do ((repeat 300000 {INC})))", "(choice ((turn pass)))", f"(do ((repeat 300000 {INC})))"
    ),
    "an endless stage of little work": text(f"(stage player (end (== 1 2)) (do ((repeat 20 {INC}))))"),
}


LESS = WorkLimits(most=60_000)
"""The same forms count, and the reference engine is done sooner."""


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_work_fails_at_the_same_form(name: str) -> None:
    played = limited(game(TOO_MUCH[name]), LESS)
    expected = by_reference(played)
    assert expected[0] == "failed"
    assert expected[3][2] == TOO_MUCH_WORK.format(LESS.most)
    assert by_machine_code(played) == expected
    assert by_stepping(played) == expected


@pytest.mark.parametrize("name", ["nested any", "nested repeat"])
def test_the_limit_ends_machine_code(name: str) -> None:
    """Without it these would run for hours."""
    found = by_machine_code(game(TOO_MUCH[name]))
    assert found[0] == "failed"
    assert found[3][2] == TOO_MUCH_WORK.format(MAX_WORK)


@pytest.mark.parametrize("name", ENOUGH)
def test_work_within_the_limit_is_done(name: str) -> None:
    played = game(ENOUGH[name])
    expected = by_reference(played)
    assert expected[0] in ("finished", "stuck")
    assert by_machine_code(played) == by_stepping(played) == expected


def test_units_are_counted_alike() -> None:
    """The limit is moved through the work of a program: the engines agree wherever it is met."""
    played = game(
        text(
            "(do ((all (range 1..3) 'I (repeat 'I (shuffle (game vloc D))))))",
            "(choice ((any (filter (game vloc D) 'C (== (cardatt S 'C) X)) 'C"
            " (any (range 1..2) 'N (repeat 'N (move 'C (top (game vloc E))))))",
            " ((any (game vloc D) 'C (== (cardatt N 'C) A)) (turn pass))))",
            "(do ((repeat all (move (top (game vloc E)) (top (game vloc D))))))",
        )
    )
    endings = set()
    for most in range(5, 420, 23):
        expected = by_reference(strict(played, most))
        assert by_machine_code(strict(played, most)) == expected
        assert by_stepping(strict(played, most)) == expected
        endings.add(str(expected[3] and expected[3][:2]))
    assert len(endings) >= 4, "the limit was met at several forms, and not at all in the end"
    assert "None" in endings


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("most", [30, 300])
def test_random_programs_count_alike(number: int, most: int) -> None:
    written = program(31, number)
    checked = check(Source("fuzz.rcy", written.text), written.overrides, lint=False)
    compared = compare_game(strict(ReferenceGame("fuzz", *checked.sound()), most))
    assert compared.difference is None, str(compared.difference)


def test_most_games_of_the_library_count_nothing() -> None:
    """What they do is bounded by their text, so the limit costs them nothing."""
    counting = {entry.name for entry in catalogue() if upcard.load(entry.name).facts.work}
    assert counting == {"cribbage", "klaverjassen", "oh-hell", "president", "rummy", "scopa"}


@pytest.mark.parametrize("name", ["cribbage", "rummy", "scopa", "president"])
def test_games_that_count_stay_far_below_the_limit(name: str) -> None:
    """A hundredth of the limit is enough for them."""
    loaded = upcard.load(name)
    facts = loaded.facts
    played = limited(ReferenceGame(name, loaded.program, facts), WorkLimits(most=MAX_WORK // 100))
    state = played.deal(1, 1, recording=False)
    while state.outcome is None:
        state.play(state.choices - 1)
    assert state.outcome.ending != "failed", state.outcome.failure


def test_a_sample_and_a_copy_are_listed_within_the_same_limit() -> None:
    """Listing has an allowance of its own, so whoever lists a decision again finds the same."""
    work = text(f"(do ((repeat 10000 {INC})))", f"(choice ((any (range 1..8000) 'N {INC})))")
    played = limited(game(work), WorkLimits(most=61_000))
    native: LoadedGame = NativeGame(played.name, played.program, played.facts)
    for one in (played, native):
        state = one.deal(1, 1, limits=Limits())
        assert state.outcome is None
        assert len(state.copy().moves) == len(state.moves) == 8_000
        assert state.sample(0).choices == 8_000
