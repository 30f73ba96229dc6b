"""`upcard explain`: explains a diagnostic code."""

from __future__ import annotations

import typer

from upcard.cli import completion_values as complete
from upcard.cli.console import MISUSE, Stop, use_colour
from upcard.output import say_lines, write_styled


def explain(
    code: str = typer.Argument(
        ..., metavar="CODE", help="A code such as E301.", autocompletion=complete.diagnostic_codes
    ),
) -> None:
    """Explain a diagnostic code, with examples.

    Examples:
        upcard explain E301
    """
    from upcard.recycle.diagnostics import suggest
    from upcard.recycle.error_pages import codes
    from upcard.recycle.error_pages import explain as page_of

    text = page_of(code.upper())
    if text is None:
        meant = suggest(code.upper(), codes())
        hint = f"did you mean {meant}?" if meant else f"codes run from {codes()[0]} to {codes()[-1]}"
        raise Stop(MISUSE, f"there is no code {code}; {hint}")
    if use_colour():
        from upcard.cli.highlight import highlight_page

        write_styled(highlight_page(text) + "\n")
    else:
        say_lines(text)
