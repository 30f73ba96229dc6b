"""`upcard encoding`: prints what the bytes of an encoded observation and the numbers of actions mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from upcard.cli import options
from upcard.cli import text_layout as layout
from upcard.cli.console import load_game, report_errors
from upcard.output import say

if TYPE_CHECKING:
    from upcard.encoding import Field


def encoding(
    game: options.Game,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    as_json: options.AsJson = False,
) -> None:
    """Print how a game is encoded for programs that learn.

    The table describes the bytes of an observation, the numbers of actions, and the bytes of an
    information state. In Python, game.encoding makes them.

    Examples:
        upcard encoding euchre
        upcard encoding oh-hell --json
    """
    with report_errors():
        loaded = load_game(game, overrides, rules, base)
        found = loaded.encoding
    if as_json:
        layout.print_json(found.to_json(), indent=1)
        return
    layout.heading(f"{loaded.title}: observation of {found.size} bytes")
    _print_rows([(_span(field.offset, field.size), _named(field)) for field in found.fields])
    say()
    layout.heading(f"{found.actions} actions")
    _print_rows([(_span(first, count), text) for first, count, text in found.action_ranges()])
    say()
    layout.heading(f"Information state of {found.information_state_size} bytes")
    _print_rows([(_span(field.offset, field.size), _named(field)) for field in found.information_fields])


def _span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}-{first + count - 1}"


def _named(field: Field) -> str:
    words = ", ".join(f"{number} {text}" for number, text in enumerate(field.values) if text)
    return f"{field.name}: {field.meaning}" + (f" ({words})" if words else "")


def _print_rows(rows: Sequence[tuple[str, str]]) -> None:
    column = max((len(label) for label, _ in rows), default=0) + 2
    for label, text in rows:
        layout.entry(label, text, column)
