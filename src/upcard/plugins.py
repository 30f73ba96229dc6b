"""Plug-ins: objects that packages register as entry points, including Upcard's own higher packages.

Lower packages look them up here by group and name, so that nothing below `euchre` treats Euchre specially.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PLAYERS = "upcard.players"
"""Player factories by name: functions from a game to a player factory (`players.registry`)."""
TABLE_VIEWS = "upcard.table_views"
"""Table views by the game's name: subclasses of `terminal.table_view.TableView`."""
HAND_POSITIONS = "upcard.hand_positions"
"""Positions described by options of `upcard hint`, by the game's name (`cli.commands.hint`)."""
NOTEBOOK = "upcard.notebook"
"""What a notebook shows: functions from a `game` or a `state` to HTML."""

ADVICE = "upcard.advice"
"""Proofs and words of a game for hints, by its name: subclasses of `advice.game_advice.GameAdvice`."""


@functools.cache
def entries(group: str) -> Mapping[str, EntryPoint]:
    """Entry points of a group by name. Cached: searching the installed packages takes milliseconds."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=group)}


@functools.cache
def load_entry(group: str, name: str) -> Any:
    """The object registered under a name, or None."""
    entry = entries(group).get(name)
    return entry.load() if entry is not None else None
