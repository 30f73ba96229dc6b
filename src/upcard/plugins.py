"""Plug-ins: what installed packages register as entry points, Upcard's own higher packages among them.

Lower packages find them here by group and name, so that nothing below `euchre` knows that Euchre is special.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PLAYERS = "upcard.players"
"""Player factories by name: functions from a game to a maker of players (`players.registry`)."""
TABLE_VIEWS = "upcard.table_views"
"""How a game looks at the table, by the game's name: subclasses of `terminal.table_view.TableView`."""
HAND_POSITIONS = "upcard.hand_positions"
"""Decisions described by options of `upcard hint`, by the game's name (`cli.commands.hint`)."""


@functools.cache
def entries(group: str) -> Mapping[str, EntryPoint]:
    """What is registered in a group, by name. Searching the installed packages takes some milliseconds."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=group)}


@functools.cache
def loaded(group: str, name: str) -> Any:
    """The object registered under a name; None if there is none."""
    entry = entries(group).get(name)
    return entry.load() if entry is not None else None
