"""Examples in the help of a command: the lines after "Examples:" at the end of its docstring."""

from __future__ import annotations

HEADING = "Examples:\n"


def examples_of(help_text: str | None) -> list[str]:
    """The command lines of the examples."""
    _, _, examples = (help_text or "").partition(HEADING)
    return [line.strip() for line in examples.splitlines() if line.strip()]


def without_examples(help_text: str | None) -> str:
    return (help_text or "").partition(HEADING)[0].strip()
