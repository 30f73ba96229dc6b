"""Every misuse of the public API raises a documented exception with one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import upcard
from upcard.arguments import BadArgument

KUHN: Any = upcard.load("kuhn-poker")
EUCHRE: Any = upcard.load("euchre")
UPCARD: Any = upcard
"""Without types, since what is tested here is what types forbid."""


class NoPlayer:
    pass


class WantsMore:
    def __init__(self, colour: str) -> None: ...

    def choose(self, observation: upcard.Observation, budget: upcard.Budget) -> upcard.Decision: ...  # type: ignore[empty-body]


def over() -> Any:
    state = KUHN.deal(seed=1)
    while state.to_move is not None:
        state.play(0)
    return state


def pair() -> list[str]:
    return ["random", "random"]


WRONG: dict[str, tuple[type[Exception], Callable[[], object]]] = {
    "load a number": (BadArgument, lambda: UPCARD.load(3)),
    "load nothing": (BadArgument, lambda: UPCARD.load(None)),
    "load bytes": (BadArgument, lambda: UPCARD.load(b"euchre")),
    "load a list": (BadArgument, lambda: UPCARD.load(["euchre"])),
    "load an unknown name": (upcard.NoSuchGame, lambda: UPCARD.load("nonsense")),
    "load an empty name": (upcard.NoSuchGame, lambda: UPCARD.load("")),
    "set a number": (BadArgument, lambda: UPCARD.load("euchre", set=3)),
    "set without names": (BadArgument, lambda: UPCARD.load("euchre", set={3: 1})),
    "set an unknown name": (upcard.RecycleError, lambda: UPCARD.load("euchre", set={"X": 1})),
    "rules as text": (BadArgument, lambda: UPCARD.load("euchre", rules="stick=no")),
    "rules as a list": (BadArgument, lambda: UPCARD.load("euchre", rules=["stick"])),
    "an unknown rule": (upcard.RuleError, lambda: UPCARD.load("euchre", rules={"stack": "no"})),
    "an unknown choice": (upcard.RuleError, lambda: UPCARD.load("euchre", rules={"stick": 3})),
    "check a number": (BadArgument, lambda: UPCARD.check(3)),
    "check an unknown name": (upcard.NoSuchGame, lambda: UPCARD.check("nonsense")),
    "a program with errors": (upcard.RecycleError, lambda: UPCARD.check("(game)").sound()),
    "stacked as text": (BadArgument, lambda: EUCHRE.deal(stacked="abc")),
    "stacked as a number": (BadArgument, lambda: EUCHRE.deal(stacked=3)),
    "stacked with a number": (BadArgument, lambda: EUCHRE.deal(stacked=[3])),
    "stacked with numbers": (BadArgument, lambda: EUCHRE.deal(stacked=[[1, 2]])),
    "stacked None": (BadArgument, lambda: EUCHRE.deal(stacked=None)),
    "limits 0": (BadArgument, lambda: EUCHRE.deal(limits=0)),
    "play text": (upcard.IllegalMove, lambda: EUCHRE.deal().play("nonsense")),
    "play an index out of range": (upcard.IllegalMove, lambda: EUCHRE.deal().play(99)),
    "play a move of another position": (
        upcard.IllegalMove,
        lambda: EUCHRE.deal(seed=7).after(2).play(EUCHRE.deal(seed=7).moves[1]),
    ),
    "play when the game is over": (upcard.IllegalMove, lambda: over().play(0)),
    "after text": (upcard.IllegalMove, lambda: EUCHRE.deal().after("nonsense")),
    "observe an unknown seat": (BadArgument, lambda: EUCHRE.deal().observe(4)),
    "observe a match": (BadArgument, lambda: EUCHRE.deal().observe(0, 3)),
    "key of an unknown seat": (BadArgument, lambda: EUCHRE.deal().infoset_key("South")),
    "records without recording": (BadArgument, lambda: EUCHRE.deal(recording=False).records),
    "a sample without recording": (BadArgument, lambda: EUCHRE.deal(recording=False).sample(0)),
    "simulate -1 games": (BadArgument, lambda: EUCHRE.simulate(-1)),
    "a move of no data": (BadArgument, lambda: UPCARD.Move.from_json(3)),
    "a move of other data": (BadArgument, lambda: UPCARD.Move.from_json({"item": 0})),
    "an observation of no data": (BadArgument, lambda: UPCARD.Observation.from_json([])),
    "an observation of other data": (BadArgument, lambda: UPCARD.Observation.from_json({})),
    "a match of nothing": (BadArgument, lambda: UPCARD.Match(3, pair())),
    "a match of text": (BadArgument, lambda: UPCARD.Match("kuhn-poker", "random,random")),
    "a match of too many": (BadArgument, lambda: UPCARD.Match("kuhn-poker", [*pair(), "random"])),
    "a match of numbers": (BadArgument, lambda: UPCARD.Match("kuhn-poker", [1, 2])),
    "a match of an unknown player": (
        upcard.NoSuchPlayer,
        lambda: UPCARD.Match("kuhn-poker", ["expret", "random"]),
    ),
    "a match without a budget": (
        upcard.BadPlayer,
        lambda: UPCARD.Match("kuhn-poker", ["pimc:many", "random"]),
    ),
    "a match of no player's class": (BadArgument, lambda: UPCARD.Match("kuhn-poker", [NoPlayer, "random"])),
    "a match of a demanding class": (BadArgument, lambda: UPCARD.Match("kuhn-poker", [WantsMore, "random"])),
    "a match of seed text": (BadArgument, lambda: UPCARD.Match("kuhn-poker", pair(), seed="1")),
    "a match to 0": (BadArgument, lambda: UPCARD.Match("kuhn-poker", pair(), to=0)),
    "a match with limits 5": (BadArgument, lambda: UPCARD.Match("kuhn-poker", pair(), limits=5)),
    "a match with one name": (BadArgument, lambda: UPCARD.Match("kuhn-poker", pair(), names=["Ann"])),
    "a match with names as text": (BadArgument, lambda: UPCARD.Match("kuhn-poker", pair(), names="AB")),
    "step for somebody outside": (BadArgument, lambda: UPCARD.Match("euchre", [None, "random"]).step()),
    "step when the match is over": (
        BadArgument,
        lambda: UPCARD.Match("kuhn-poker", pair()).play().step(),
    ),
    "decide when the match is over": (
        upcard.IllegalMove,
        lambda: UPCARD.Match("kuhn-poker", pair()).play().decide(0),
    ),
    "decide nonsense": (upcard.IllegalMove, lambda: UPCARD.Match("euchre", [None, "random"]).decide("x")),
    "solving a large game": (upcard.solve.TooManyNodes, lambda: UPCARD.solve.run("euchre")),
    "solving with -1 nodes": (BadArgument, lambda: UPCARD.solve.run("kuhn-poker", max_nodes=-1)),
    "solving by magic": (BadArgument, lambda: UPCARD.solve.run("kuhn-poker", algorithm="magic")),
    "solving to text": (BadArgument, lambda: UPCARD.solve.run("kuhn-poker", target="0.1")),
    "solving 0 times": (BadArgument, lambda: UPCARD.solve.run("kuhn-poker", iterations=0)),
    "arena of text": (BadArgument, lambda: UPCARD.arena.run("kuhn-poker", "random,random")),
    "arena of one": (upcard.arena.BadContest, lambda: UPCARD.arena.run("kuhn-poker", ["random"])),
    "arena to without matches": (BadArgument, lambda: UPCARD.arena.run("kuhn-poker", pair(), to=3)),
    "arena of -1 deals": (BadArgument, lambda: UPCARD.arena.run("kuhn-poker", pair(), deals=-1)),
    "arena with sprt text": (BadArgument, lambda: UPCARD.arena.run("kuhn-poker", pair(), sprt="0,1")),
    "arena with sprt reversed": (BadArgument, lambda: UPCARD.arena.run("kuhn-poker", pair(), sprt=(1, 0))),
    "arena with record 3": (BadArgument, lambda: UPCARD.arena.run("kuhn-poker", pair(), record=3)),
    "study of nothing": (BadArgument, lambda: UPCARD.study.run(None)),
    "study of text games": (BadArgument, lambda: UPCARD.study.run("kuhn-poker", "10")),
    "study in folder 3": (BadArgument, lambda: UPCARD.study.run("kuhn-poker", 10, folder=3)),
    "verify 1.5 games": (BadArgument, lambda: UPCARD.verify.compare_engines("kuhn-poker", 1.5)),
    "verify the reference engine": (
        BadArgument,
        lambda: UPCARD.verify.compare_engines(upcard.load("kuhn-poker", engine="reference")),
    ),
    "positions of a number": (BadArgument, lambda: UPCARD.verify.check_positions(3)),
    "positions that are not there": (
        upcard.verify.PositionError,
        lambda: UPCARD.verify.check_positions("kuhn-poker"),
    ),
    "draw 0 games": (BadArgument, lambda: UPCARD.graph.draw("kuhn-poker", 0)),
    "save a picture as text": (BadArgument, lambda: UPCARD.graph.draw("kuhn-poker").save("kuhn.txt")),
}


@pytest.mark.parametrize("name", WRONG)
def test_misuse_raises_a_sentence(name: str) -> None:
    expected, call = WRONG[name]
    with pytest.raises(expected) as caught:
        call()
    said = str(caught.value)
    assert said
    assert "\n" not in said
    assert len(said) < 500
    assert type(caught.value).__name__ in {
        *dir(upcard),
        *dir(upcard.arena),
        *dir(upcard.solve),
        *dir(upcard.verify),
    }


def test_a_refused_move_changes_nothing() -> None:
    state = EUCHRE.deal(seed=7)
    before = state.copy()
    for wrong in ("nonsense", 99, -1, None, 1.0, EUCHRE.deal(seed=7).after(0).moves):
        with pytest.raises(upcard.IllegalMove):
            state.play(wrong)
    assert state == before
    assert state.records == before.records
