"""Every form of the language that a run must execute, by the names that `coverage` gives them."""

from __future__ import annotations

from upcard.recycle import program as p

NEVER_EXECUTED = {
    p.Bad: "stands where the checker reported something, so no program that is played holds one",
    p.BadItem: "the same, of items",
    p.Program: "a whole game; its parts are executed",
    p.Setup: "the same; players, teams and decks are executed one by one",
    p.Table: "an owner, looked at but not evaluated; counted with what it owns",
    p.Binding: "where a variable is bound, no form of its own",
}
"""Nodes that cannot be executed by construction, with the reason."""

OWNERS = ("table", "player", "team")
CLASSES = ("vloc", "iloc", "hloc", "oloc", "mem")
COLLECTIONS = ("CARDS", "LISTS", "INTS", "STRS", "PLAYERS", "TEAMS")
SCALARS = ("INT", "BOOL", "STR", "CARD", "PLAYER", "TEAM")
ENDS = ("top", "bottom")
NAMES = ("written name", "computed name")
SPOTS = ("top", "bottom", "index", "collection", "variable")

WAYS: dict[type[p.Node], tuple[str, ...]] = {
    p.Arithmetic: ("+", "-", "*", "//", "%", "^", "two", "more"),
    p.Compare: ("<", ">", "<=", ">="),
    p.Logic: ("and", "or"),
    p.Same: ("==", "!=", "INT", "STR", "CARD", "PLAYER", "TEAM"),
    p.IntStore: (*OWNERS, *NAMES),
    p.StrStore: (*OWNERS, *NAMES),
    p.MapStore: (*OWNERS, *NAMES),
    p.Location: (
        *(f"{owner} {cls}" for owner in OWNERS[:2] for cls in CLASSES),
        *NAMES,
        "fixed number",
        "computed number",
    ),
    p.Indexed: OWNERS[:2],
    p.Size: COLLECTIONS,
    p.BestScore: ("greatest", "least"),
    p.BestCard: ("greatest", "least"),
    p.Random: ("from 0", "from low"),
    p.SeatAt: ("current", "next", "previous"),
    p.TeamAt: ("current", "next", "previous"),
    p.EndCard: ENDS,
    p.EndCards: ENDS,
    p.EndRun: ENDS,
    p.ListEnd: ENDS,
    p.Combination: tuple(
        way
        for how in ("union", "intersect", "disjunction")
        for way in (how, f"{how} of cards", f"{how} of lists")
    ),
    p.Filter: COLLECTIONS,
    p.Quantified: tuple(f"{how} {kind}" for how in ("all", "any") for kind in COLLECTIONS),
    p.SumOver: COLLECTIONS,
    p.Each: COLLECTIONS,
    p.Partition: ("key first", "key last"),
    p.Runs: ("all", "largest"),
    p.Players: ("every", "others"),
    p.Teams: ("every", "others"),
    p.Var: (
        *(f"declare {kind}" for kind in ("INT", "BOOL", "STR", "INTS", "STRS", "CARDS")),
        *(f"let {kind}" for kind in (*SCALARS, *COLLECTIONS)),
        *(f"each {kind}" for kind in ("INT", "STR", "CARD", "PLAYER", "TEAM", "CARDS")),
    ),
    p.Move: (
        *(f"card by {by}" for by in (*SPOTS, "score")),
        *(f"place by {by}" for by in SPOTS),
    ),
    p.Remember: (
        *(f"card by {by}" for by in (*SPOTS, "score")),
        *(f"place by {by}" for by in ("top", "bottom", "index")),
    ),
    p.Forget: tuple(f"card by {by}" for by in ("top", "bottom", "index", "score")),
    p.Swap: ("places", "cards"),
    p.AddInt: ("inc", "dec", "one", "amount"),
    p.Shuffle: ("memory", "place", "snapshot"),
    p.Cycle: tuple(
        f"{which} {who}" for which in ("next", "current") for who in ("SeatAt", "SeatNumber", "Var")
    ),
    p.ForAll: tuple(f"{how} {kind}" for how in ("all", "any") for kind in COLLECTIONS),
    p.ForAny: COLLECTIONS,
    p.Let: (*SCALARS, *COLLECTIONS, "live place"),
    p.LetChoice: (*SCALARS, *COLLECTIONS, "live place"),
    p.RepeatAll: ("move", "forget"),
    p.Stage: ("player", "team"),
    p.Award: ("one pair", "more pairs", "fixed", "captured"),
    p.CreateDeck: ("plain back", "named back"),
    p.Declare: ("INT", "BOOL", "STR", "INTS", "STRS", "CARDS", "overridden"),
    p.Scoring: ("max", "min"),
    p.Child: ("leaf", "branch"),
}

ENDINGS = tuple(f"ending {name}" for name in ("finished", "stuck", "cut_off", "failed"))

FAILURES = (
    "there is no card to move",
    "this choice has no alternatives",
    "there is no player n",
    "the result does not fit in n bits",
    "a number is divided by zero",
    "there are no cards, so none is the greatest",
    "a card can be put only into a location, not into a computed collection",
)
"""Run-time errors that a run must meet; the wording is the reference engine's."""


def node_types() -> list[type[p.Node]]:
    """Every type of node that a program can hold; the others are bases."""
    return [node for node in p.NODES if not node.__subclasses__() and node not in NEVER_EXECUTED]


def forms() -> list[str]:
    """Every type of node, and each way in which it is written."""
    names = []
    for node in node_types():
        names.append(node.__name__)
        names += [f"{node.__name__} {way}" for way in WAYS.get(node, ())]
    return names


FORMS = tuple(forms())
EXPECTED = (*FORMS, *ENDINGS, *(f"failure: {message}" for message in FAILURES))
