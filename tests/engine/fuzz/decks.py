"""The setting: players, teams, decks and what is declared before them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.engine.fuzz.pen import Pen, Setting, Variable

from upcard.engine.rng import Stream

FAMILIES = (
    ("game", "iloc", "STOCK"),
    ("game", "vloc", "POOL"),
    ("player", "iloc", "HAND"),
    ("player", "vloc", "ROW"),
    ("player", "hloc", "DOWN"),
    ("player", "oloc", "HAT"),
    ("game", "hloc", "DARK"),
    ("game", "oloc", "OPEN"),
    ("game", "vloc", "PILE"),
    ("player", "vloc", "PILE"),
    ("player", "iloc", "POOL"),
)
SUITS, RANKS, HUES = ("X", "Y"), ("A", "B", "C", "D"), ("RED", "BLUE")


@dataclass
class Opening:
    """The first lines of a program."""

    setting: Setting
    declares: list[str]
    setup: str
    overrides: dict[str, str]


def opening(chance: Stream) -> Opening:
    def odds(of_thousand: int) -> bool:
        return chance.below(1000) < of_thousand

    players = (2, 2, 3, 3, 3, 4, 1)[chance.below(7)]
    base = chance.below(2)
    numbered = frozenset({"PILE"}) if odds(350) else frozenset()
    families = list(FAMILIES)
    for _ in range(chance.below(6)):
        families.pop(4 + chance.below(len(families) - 4))
    setting = Setting(
        players=players,
        base=base,
        teams=players,
        newer=odds(850),
        keys=("N", "S"),
        values={"N": RANKS, "S": SUITS},
        families=tuple(families),
        numbered=numbered,
        computed=not numbered and odds(150),
        plain_maps=odds(500),
    )
    declares, overrides = _declares(chance, setting)
    lines = [f"(create players {'(+ 1 ' + str(players - 1) + ')' if odds(100) else players})"]
    if odds(550):
        lines.append(_teams(chance, setting))
    elif not odds(900) and players > 1:
        lines.append(f"(create teams ({base}))")
    lines += _decks(chance, setting)
    return Opening(setting, declares, "\n        ".join(lines), overrides)


def _declares(chance: Stream, setting: Setting) -> tuple[list[str], dict[str, str]]:
    """Values of every kind that can be declared; some are overridden from outside."""
    lines, overrides = [], {}

    def declare(name: str, kind: str, value: str, given: str | None) -> None:
        if chance.below(5) == 0:
            lines.append(f"(declare {value} '{name})")
            setting.declared.append(Variable(name, kind))
            if given is not None and chance.below(3) == 0:
                overrides[name] = given

    declare("NUM", "int", ("3", "(+ 1 2)", "(random 1 .. 3)", "(tri 2)")[chance.below(4)], "2")
    declare("HUE", "str", "RED", "BLUE")
    declare("YES", "bool", ("(== 1 1)", "(< (random 3) 2)")[chance.below(2)], "FALSE")
    declare("RANGE", "ints", "(range 1..3)", "2,-1,4")
    declare("HUES", "strs", "(RED, BLUE, GREEN)", "BLUE,X")
    declare("PLACE", "place", "(game vloc POOL)", None)
    return lines, overrides


def _teams(chance: Stream, setting: Setting) -> str:
    """Team lists that settle the base, with all players or all but some in them."""
    base, players = setting.base, setting.players
    anchor = base if base == 0 else players
    seats = list(range(base, base + players))
    chance.shuffle(seats)
    parts: list[list[int]] = [[] for _ in range(1 + chance.below(max(players - 1, 1)))]
    for i, seat in enumerate(seats):
        if seat == anchor or chance.below(8):
            parts[i % len(parts)].append(seat)
    parts = [part for part in parts if part]
    named = sum(map(len, parts))
    setting.teams = len(parts) + players - named
    return "(create teams " + " ".join(f"({', '.join(map(str, part))})" for part in parts) + ")"


def _decks(chance: Stream, setting: Setting) -> list[str]:
    """A stock, mostly a pool, sometimes cards of other backs, without a key, or very many."""
    ranks = ", ".join(RANKS[: max(2 + chance.below(3), min(setting.players + 1, 4))])
    lines = [f"(create deck (game iloc STOCK) (deck (N ({ranks})) (S (X, Y))))"]
    first = f"({setting.base} player)"
    if chance.below(5):
        lines.append("(create deck RED (game vloc POOL) (deck (N (A, J))))")
    shapes = (
        f"(create deck ({first} hloc DOWN) (deck (N (C (S (X)) (H (RED, BLUE))) (J))))",
        f"(repeat 2 (create deck BLUE ({first} iloc HAND) (deck (N (B)) (S (Y)))))",
        "(create deck (game vloc POOL) (deck (S (X, Y) (Z (N (A, B))))))",
        f"(create deck ({first} vloc PILE {1 + chance.below(3)}) (deck (N (A, C))))"
        if setting.numbered
        else f"(create deck RED ({first} vloc ROW) (deck (N (A, C))))",
        "(repeat 8 (create deck (game iloc STOCK) (deck (N (A, B, C, D)) (S (X, Y)))))",
    )
    for shape, share in zip(shapes, (4, 4, 5, 3, 25), strict=True):
        if chance.below(share) == 0:
            lines.append(shape)
    return lines


def new_teams(pen: Pen) -> str:
    """Teams made anew in play: one, two or as many as there are players."""
    first = pen.setting.base
    seats = list(range(first, first + pen.setting.players))
    pen.chance.shuffle(seats)
    cut = 1 + pen.up_to(len(seats) - 1)
    parts = [part for part in (seats[:cut], seats[cut:]) if part]
    return "(create teams " + " ".join(f"({', '.join(map(str, part))})" for part in parts) + ")"
