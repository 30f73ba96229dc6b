"""Writes the reference of all commands, in Markdown, from the command line itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from upcard.cli.main import app


def command_reference() -> str:
    """A section for every command, in the order of `upcard -h`, grouped as they are grouped there."""
    groups: dict[str, list[str]] = {}
    for name, command in commands().items():
        panel = getattr(command, "rich_help_panel", None)
        groups.setdefault(panel if isinstance(panel, str) else "", []).append(name)
    parts = []
    for panel, names in groups.items():
        if panel:
            parts.append(f"## {panel}")
        parts += [_section(name, commands()[name], "###" if panel else "##") for name in names]
    return "\n\n".join(parts) + "\n"


def commands() -> dict[str, Any]:
    """Every command by its name; hidden ones are left out."""
    root: Any = typer.main.get_command(app)
    context = root.make_context("upcard", [], resilient_parsing=True)
    found = {name: root.get_command(context, name) for name in root.list_commands(context)}
    return {name: command for name, command in found.items() if not command.hidden}


def parameters(command: Any) -> tuple[list[Any], list[Any]]:
    """The arguments and the options of a command, without hidden ones and `--help`."""
    shown = [each for each in command.params if not getattr(each, "hidden", False)]
    arguments = [each for each in shown if each.param_type_name == "argument"]
    options = [each for each in shown if each.param_type_name == "option" and "--help" not in each.opts]
    return arguments, options


def _section(name: str, command: Any, marks: str) -> str:
    context = command.make_context(f"upcard {name}", [], resilient_parsing=True)
    usage = " ".join(["upcard", name, *command.collect_usage_pieces(context)])
    parts = [f"{marks} upcard {name}", *_paragraphs(command.help or ""), f"```text\n{usage}\n```"]
    arguments, options = parameters(command)
    if arguments:
        parts.append(_table("Argument", [(_argument(each, context), each) for each in arguments]))
    if options:
        parts.append(_table("Option", [(_option(each, context), each) for each in options]))
    parts += _paragraphs(command.epilog or "")
    return "\n\n".join(parts)


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs of a help text; lines that are commands become a block of code."""
    for paragraph in re.split(r"\n\s*\n", text.replace("\b\n", "").replace("\b", "").strip()):
        lines = [line.strip() for line in paragraph.splitlines()]
        prose = [line for line in lines if not _is_command(line)]
        typed = [line.removeprefix("$ ") for line in lines if _is_command(line)]
        if prose:
            yield plain(" ".join(prose))
        if typed:
            yield "\n".join(["```console", *(f"$ {line}" for line in typed), "```"])


def _is_command(line: str) -> bool:
    return line.removeprefix("$ ").startswith("upcard ")


def _table(title: str, rows: list[tuple[str, Any]]) -> str:
    lines = [f"| {title} | Meaning |", "| --- | --- |"]
    for name, parameter in rows:
        meaning = plain(" ".join((getattr(parameter, "help", None) or "").split()))
        default = _default(parameter)
        lines.append(f"| {_cell(name)} | {_cell(meaning + default)} |")
    return "\n".join(lines)


def _argument(argument: Any, context: Any) -> str:
    return f"`{argument.make_metavar(context)}`"


def _option(option: Any, context: Any) -> str:
    names = [*option.opts, *option.secondary_opts]
    if not option.is_flag:
        names[-1] += f" {option.make_metavar(context)}"
    return ", ".join(f"`{name}`" for name in names)


def _default(parameter: Any) -> str:
    value = parameter.default
    if parameter.required:
        return " Required." if parameter.param_type_name == "option" else ""
    shown = getattr(parameter, "show_default", False)
    if not shown or parameter.multiple or value is None or callable(value) or isinstance(value, bool):
        return ""
    if isinstance(shown, str):
        return f" Default: {plain(shown)}."
    return f" Default: `{value}`." if str(value) else ""


def plain(text: str) -> str:
    """A sentence as Markdown: quoted commands stay code, everything else means itself."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([\\*_<>\[\]#])", r"\\\1", p) for p in parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
