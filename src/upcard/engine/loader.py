"""Loads a game by name or path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from upcard.arguments import BadArgument, check_path, check_whole
from upcard.engine.game import Game
from upcard.engine.shared.game import LoadedGame
from upcard.library import check_game, find, read_sheet
from upcard.library.sheet import HouseRule, Sheet
from upcard.narration.narrator import Narrator
from upcard.recycle.diagnostics import Refused, suggest
from upcard.recycle.facts import Facts
from upcard.recycle.frontend import check
from upcard.recycle.program import Program

Engine: TypeAlias = Literal["native", "reference"]


class RuleError(Refused):
    """A house rule that the game does not offer.

    >>> upcard.load("euchre", rules={"stack": "no"})
    Traceback (most recent call last):
    upcard.engine.loader.RuleError: this game has no house rule stack; did you mean stick?
    """


def load(
    what: str | os.PathLike[str],
    *,
    set: Mapping[str, str | int] | None = None,
    rules: Mapping[str, str] | None = None,
    base: Literal[0, 1] | None = None,
    engine: Engine = "native",
) -> LoadedGame:
    """Loads a game of the library by name, or any program by path: a file, or a folder with `rules.rcy`.

    `rules` chooses house rules by the names that `upcard rules GAME` lists, `set` gives declared values by
    the program's own names, `base` says whether the program counts players from 0 or 1. Both engines play the
    same games; `engine="reference"` is the slow definition of the language.

    An unknown game raises `NoSuchGame`, an unknown rule `RuleError`, a program with errors `RecycleError`
    with every diagnostic, any other wrong argument `BadArgument`.

    >>> upcard.load("euchre")
    <Game euchre: 4 seats, native engine>
    >>> upcard.load("euchre", rules={"stick": "no"}, engine="reference")
    <Game euchre (STICK FALSE): 4 seats, reference engine>
    >>> upcard.load("eucher")
    Traceback (most recent call last):
    upcard.library.lookup.NoSuchGame: there is no game or file called eucher; did you mean euchre?
    """
    _check_engine(engine)
    check_path("a game", what)
    _check_pairs("set", set)
    _check_pairs("rules", rules)
    if base is not None:
        check_whole("base", base, 0, 1)
    what = what if isinstance(what, str) else Path(what)
    found = find(what)
    sheet = read_sheet(found.sheet) if found.sheet else None
    overrides = {name: str(value) for name, value in (set or {}).items()}
    for word, choice in (rules or {}).items():
        rule, value = _house_rule(sheet, word, choice)
        overrides[rule.sets] = value
    program, facts = check_game(what, overrides, base, lint=False).sound()
    return make_game(found.name, program, facts, Narrator(sheet, program.base), engine)


def with_house_rules(game: LoadedGame, rules: Mapping[str, str]) -> LoadedGame:
    """The game with other house rules, for the same engine. Its files are not read again."""
    program, sheet = game.program, game.narrator.sheet
    overrides = dict(program.overrides)
    for word, choice in rules.items():
        rule, value = _house_rule(sheet, word, choice)
        overrides[rule.sets] = value
    changed, facts = check(program.source, overrides, program.base, lint=False).sound()
    engine: Engine = "native" if game.engine == "native" else "reference"
    return make_game(game.name, changed, facts, game.narrator, engine)


def make_game(
    name: str, program: Program, facts: Facts, narrator: Narrator | None = None, engine: Engine = "native"
) -> LoadedGame:
    """A game of a checked program, played by one of the engines."""
    _check_engine(engine)
    if engine == "native":
        from upcard.engine.native.game import NativeGame

        return NativeGame(name, program, facts, narrator)
    from upcard.engine.reference import ReferenceGame  # imported late: native games start without it

    return ReferenceGame(name, program, facts, narrator)


def as_game(game: Game | str | os.PathLike[str]) -> LoadedGame:
    """A game as it is, or the game of this name or path."""
    if isinstance(game, LoadedGame):
        return game
    if isinstance(game, str | os.PathLike):
        return load(game)
    raise BadArgument(f"a game is a name, a path or a loaded game, not {game!r:.60}")


def _check_pairs(name: str, given: object) -> None:
    """Checks for a mapping from names to values that have a text."""
    if given is None:
        return
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise BadArgument(f"{name} is a dictionary from names to values, not {given!r:.60}")


def _check_engine(engine: str) -> None:
    if engine not in get_args(Engine):
        raise BadArgument(f"engine must be native or reference, not {engine!r:.60}")


def _house_rule(sheet: Sheet | None, word: str, choice: str) -> tuple[HouseRule, str]:
    offered = {rule.name: rule for rule in sheet.house_rules} if sheet else {}
    if word not in offered:
        meant = suggest(word, sorted(offered))
        hint = f"did you mean {meant}?" if meant else f"it has {', '.join(offered) or 'no house rules'}"
        raise RuleError(f"this game has no house rule {word}; {hint}")
    rule = offered[word]
    if choice not in rule.choices:
        raise RuleError(f"{word} must be {' or '.join(rule.choices)}, not {choice}")
    return rule, rule.choices[choice]
