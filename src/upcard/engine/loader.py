"""Loads a game by name or path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from upcard.arguments import BadArgument, check_whole
from upcard.engine.shared.game import LoadedGame
from upcard.library import check_game, find, read_sheet
from upcard.library.sheet import HouseRule, Sheet
from upcard.narration.narrator import Narrator
from upcard.recycle.diagnostics import Refused, suggest
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

Engine: TypeAlias = Literal["native", "reference"]


class RuleError(Refused):
    """A house rule that the game does not offer."""


def load(
    what: str | Path,
    *,
    set: Mapping[str, str | int] | None = None,
    rules: Mapping[str, str] | None = None,
    base: Literal[0, 1] | None = None,
    engine: Engine = "native",
) -> LoadedGame:
    """A game of the library by name, or any program by path.

    `set` gives declared values by the program's own names, `rules` by the names of its sheet. A program with
    errors raises `RecycleError` with every diagnostic, a wrong argument `BadArgument`. Both engines play the
    same games; `engine="reference"` is the slow definition of the language.
    """
    _check_engine(engine)
    if base is not None:
        check_whole("base", base, 0, 1)
    found = find(what)
    sheet = read_sheet(found.sheet) if found.sheet else None
    overrides = {name: str(value) for name, value in (set or {}).items()}
    for word, choice in (rules or {}).items():
        rule, value = _house_rule(sheet, word, choice)
        overrides[rule.sets] = value
    program, facts = check_game(what, overrides, base, lint=False).sound()
    return make_game(found.name, program, facts, Narrator(sheet, program.base), engine)


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
