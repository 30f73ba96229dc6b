"""The commands of `upcard` in groups; each is imported when it is used, so that all of them start quickly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer

from upcard.cli.command_help import CommandWithExamples, GroupedCommands

GROUPS: dict[str, tuple[str, ...]] = {
    "Play": ("games", "rules", "play", "serve", "watch", "hint", "match", "replay", "stats"),
    "Design": ("new", "check", "fmt", "explain", "show", "test"),
    "Measure": ("simulate", "rows", "arena"),
    "Study": ("study", "compare", "solve", "encoding", "graph", "page", "site"),
    "Develop": ("verify", "compile", "bench", "course", "judge"),
}
"""In the order of `upcard -h`. The module of a command in `cli/commands` has its name."""

FUNCTIONS = {"compile": "compile_", "test": "positions"}
"""Of commands whose function has another name than their module."""

SETTINGS: dict[str, dict[str, Any]] = {
    # everything after the first argument is an argument, because a player may be called --help
    "course": {"ignore_unknown_options": True, "allow_interspersed_args": False}
}


class Commands(Mapping[str, Any]):
    """All commands by name, each made when it is first asked for."""

    def __init__(self) -> None:
        self._groups = {name: group for group, names in GROUPS.items() for name in names}
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(name, self._groups[name])
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._groups

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)


def _made(name: str, group: str) -> Any:
    function = getattr(import_module(f"upcard.cli.commands.{name}"), FUNCTIONS.get(name, name))
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    alone.command(
        name, cls=CommandWithExamples, rich_help_panel=group, context_settings=SETTINGS.get(name, {})
    )(function)
    return typer.main.get_command(alone)


class AllCommands(GroupedCommands):
    """The group of all commands."""

    def __init__(self, *words: Any, **settings: Any) -> None:
        super().__init__(*words, **settings)
        self.commands: Any = Commands()
