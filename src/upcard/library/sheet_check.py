"""Checks a sheet with its program and reports everything that is wrong as diagnostics.

The file is read by the reader of `sheet_format`, so what it refuses is refused here in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from upcard.files.bounded import Unreadable, read_text
from upcard.files.toml_file import TomlProblem, WrongToml
from upcard.files.toml_lines import TomlSpans
from upcard.library.check_game import check_game
from upcard.library.lookup import GameFiles, find
from upcard.library.possible_actions import PossibleActions
from upcard.library.sheet_format import parse_sheet
from upcard.library.sheet_names import SheetNames
from upcard.library.sheet_phrases import check_alternatives, check_phrases
from upcard.recycle.diagnostics import Diagnostic, Findings
from upcard.recycle.frontend import Checked
from upcard.recycle.source import NOWHERE, Source

CODES: dict[Literal["syntax", "unknown", "missing", "value"], str] = {
    "syntax": "E601",
    "unknown": "E602",
    "missing": "E603",
    "value": "E604",
}


@dataclass(frozen=True)
class SheetCheck(Findings):
    """What was found in a sheet."""

    source: Source
    diagnostics: tuple[Diagnostic, ...]


MAX_FINDINGS = 100
"""Nobody reads more."""


def check_with_sheet(
    what: str | Path, overrides: Mapping[str, str] | None = None, base: Literal[0, 1] | None = None
) -> tuple[Checked, SheetCheck | None]:
    """Checks the program of a game and the sheet beside it, if there is one."""
    return check_sheet(find(what), check_game(what, overrides, base))


def check_sheet(files: GameFiles, checked: Checked) -> tuple[Checked, SheetCheck | None]:
    """Checks the sheet beside a program. What the program has and the sheet lacks is added to the
    program's diagnostics."""
    if files.sheet is None:
        return checked, None
    name = f"{files.name}/{files.sheet.name}" if files.in_library else str(files.sheet)
    try:
        text = read_text(files.sheet)
    except Unreadable as error:
        return checked, SheetCheck(Source(name, ""), (Diagnostic("E601", NOWHERE, str(error)),))
    return check_sheet_text(text, name, checked, files.sheet)


def check_sheet_text(text: str, name: str, checked: Checked, path: Path) -> tuple[Checked, SheetCheck]:
    """`check_sheet` for the text of a sheet."""
    source = Source(name, text)
    try:
        sheet = parse_sheet(text, path)
    except WrongToml as wrong:
        return checked, SheetCheck(source, _ordered(map(_diagnostic, wrong.problems)))
    if checked.program is None or checked.facts is None:
        return checked, SheetCheck(source, ())  # names cannot be compared
    spans = TomlSpans(text)
    actions = PossibleActions(checked.program, checked.facts, sheet.house_rules)
    found = [
        *SheetNames(sheet, spans, checked.program, checked.facts).check(actions),
        *check_phrases(sheet, actions, spans, source),
    ]
    silent = check_alternatives(sheet, actions)
    both = replace(checked, diagnostics=_ordered((*checked.diagnostics, *silent)))
    return both, SheetCheck(source, _ordered(found))


def _diagnostic(problem: TomlProblem) -> Diagnostic:
    return Diagnostic(CODES[problem.kind], problem.span, problem.message, problem.hint)


def _ordered(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(
        sorted(found, key=lambda diagnostic: (diagnostic.span.start, diagnostic.code))[:MAX_FINDINGS]
    )
