"""Help of the commands: summaries in groups, options under headings, examples at the end.

A command's docstring is its help: a sentence, which is also its summary in the list of commands, then perhaps
a paragraph, then "Examples:" with one command line on each line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from typer.core import TyperCommand, TyperGroup

from upcard.cli.console import INTERRUPTED, Stop
from upcard.cli.examples import examples_of, without_examples
from upcard.cli.usage_errors import one_sentence, unknown_command

USUAL_PANELS = ("Arguments", "Options")
"""They come first; the others follow in the order of the options."""
OPTIONAL_VALUES = ("--install-completion", "--show-completion")
"""Options whose value may be left out."""
_DESCRIBED_DEFAULT = re.compile(r"default: \((.*)\)\]")
"""Typer puts parentheses around a default in words."""


class CommandWithExamples(TyperCommand):
    """A command whose help ends with its examples."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with one_sentence(ctx):
            return super().parse_args(ctx, args)

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(without_examples(self.help))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_panels(self, ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Examples"):
            for line in examples_of(self.help):
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")

    def get_short_help_str(self, limit: int = 80) -> str:
        """The whole first sentence, whatever the limit."""
        first, _, _ = (self.help or "").partition("\n\n")
        return " ".join(first.split()).removesuffix(".")


class GroupedCommands(TyperGroup):
    """The commands of `upcard` in groups; what a user got wrong on the command line is one sentence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[-1] in OPTIONAL_VALUES:
            args = [*args, ""]
        with one_sentence(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            raise unknown_command(args[0], list(self.commands))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # in a command that does not handle it
            raise Stop(INTERRUPTED, "interrupted") from None

    def format_options(self, ctx: Any, formatter: Any) -> None:
        self.format_commands(ctx, formatter)
        _write_panels(self, ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
        column = max(map(len, self.commands))
        for name, command in self.commands.items():
            panel = getattr(command, "rich_help_panel", None)
            groups[str(panel)].append((name.ljust(column), command.get_short_help_str()))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def _write_panels(command: Any, ctx: Any, formatter: Any) -> None:
    """Arguments and options under the headings that they name."""
    panels: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is not None:
            names, text = record
            usual = USUAL_PANELS[param.param_type_name == "option"]
            title = getattr(param, "rich_help_panel", None) or usual
            panels[title].append((names, _DESCRIBED_DEFAULT.sub(r"default: \1]", text)))
    for title in sorted(panels, key=lambda title: title not in USUAL_PANELS):
        with formatter.section(title):
            formatter.write_dl(panels[title], col_max=26)
