"""Colours of the figures' themes as CSS variables: charts follow the reader's light or dark setting."""

from __future__ import annotations

from upcard.study.figures.figure_style import DARK, LIGHT, Theme


def variables(theme: Theme) -> dict[str, str]:
    """The page's CSS variables for the colours of a theme."""
    named = {"surface": theme.paper, "ink": theme.ink, "line": theme.faint, "soft": theme.quiet}
    return named | {f"c{number}": colour for number, colour in enumerate(theme.colours)}


def css_variables(theme: Theme) -> str:
    """The same as CSS."""
    return " ".join(f"--{name}: {colour};" for name, colour in variables(theme).items())


assert len(variables(LIGHT)) == len(variables(DARK)), "both themes have the same parts"
