"""Style of figures: light and dark, distinguishable without colour.

Every series has a colour, a marker and a dash of its own. The colours are Okabe's and Ito's, which people
with any sort of colour vision tell apart, in an order in which neighbours also differ in grey. Only this
file and those named `figures_...` need matplotlib; it is imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.recycle.diagnostics import Refused
from upcard.storage.atomic_write import atomic_writer

INSTALL = "figures need matplotlib: pip install 'upcard[figures]'"


class NoFigures(Refused):
    """Matplotlib is not installed."""


@dataclass(frozen=True)
class Theme:
    name: str
    paper: str
    ink: str
    faint: str
    """The colour of grid lines."""
    quiet: str
    """The colour of secondary text."""
    colours: tuple[str, ...]

    def colour(self, number: int) -> str:
        return self.colours[number % len(self.colours)]


LIGHT = Theme(
    "light",
    "#ffffff",
    "#1b1d21",
    "#e3e5e8",
    "#5b616b",
    ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#33373d", "#d55e00", "#56b4e9", "#8a7a00"),
)
DARK = Theme(
    "dark",
    "#15171b",
    "#eceef1",
    "#2c3036",
    "#a3abb6",
    ("#56b4e9", "#f0b429", "#22c395", "#e79cc6", "#e4e6ea", "#ff7f3f", "#3d8fd1", "#d8cc4a"),
)
THEMES = (LIGHT, DARK)
MARKERS = "os^Dvp*X"
DASHES = ("-", (0, (5, 1.6)), (0, (1.4, 1.4)), (0, (6, 1.4, 1.4, 1.4)), (0, (3, 1)), (0, (1, 2.4)))


def marker(number: int) -> str:
    return MARKERS[number % len(MARKERS)]


def dash(number: int) -> Any:
    return DASHES[number % len(DASHES)]


Draw = Callable[[Any, Theme], None]
"""A function that draws into a given figure."""


def need_matplotlib() -> None:
    """Raises an error before anything is drawn if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise NoFigures(INSTALL) from None


@contextmanager
def _styled(theme: Theme) -> Iterator[None]:
    import matplotlib

    chosen: Any = {
        "figure.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
        "text.color": theme.ink,
        "axes.labelcolor": theme.ink,
        "axes.edgecolor": theme.quiet,
        "xtick.color": theme.quiet,
        "ytick.color": theme.quiet,
        "xtick.labelcolor": theme.ink,
        "ytick.labelcolor": theme.ink,
        "axes.grid": True,
        "grid.color": theme.faint,
        "grid.linewidth": 0.8,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "axes.titlesize": 11,
        "axes.titlelocation": "left",
        "axes.labelsize": 10,
        "xtick.labelsize": 9,
        "ytick.labelsize": 9,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "font.family": "DejaVu Sans",
        "svg.fonttype": "path",
        "svg.hashsalt": "upcard",  # the same figure gives the same file
        "text.parse_math": False,  # show a seat's name such as $x$ literally
    }
    with matplotlib.rc_context(chosen):
        yield


def save(draw: Draw, folder: Path, name: str, size: tuple[float, float] = (8.0, 4.8)) -> None:
    """Writes a figure as NAME.png, NAME.svg, NAME-dark.png and NAME-dark.svg. The files are the same every
    time, byte for byte."""
    need_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        with _styled(theme):
            figure = Figure(figsize=size, layout="constrained")
            FigureCanvasAgg(figure)
            draw(figure, theme)
            stem = name if theme is LIGHT else f"{name}-{theme.name}"
            for ending, about in (("png", {"Software": None}), ("svg", {"Date": None})):
                with atomic_writer(folder / f"{stem}.{ending}") as file:
                    figure.savefig(file, format=ending, dpi=150, metadata=about)


def headline(figure: Any, theme: Theme, title: str, below: str) -> None:
    """Puts the title and the subject of a figure above its contents."""
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - _room(figure, below)), h_pad=0.06, w_pad=0.08)
    height = figure.get_size_inches()[1]
    figure.text(0.012, 1 - 0.10 / height, title, fontsize=13, fontweight="bold", va="top")
    figure.text(0.012, 1 - 0.38 / height, below, fontsize=9, color=theme.quiet, va="top", linespacing=1.35)


def _room(figure: Any, below: str) -> float:
    lines = below.count("\n") + 1
    return float((0.46 + 0.175 * lines) / figure.get_size_inches()[1])


def clean(axes: Any, grid: str = "y") -> None:
    """Draws grid lines in one direction only."""
    axes.grid(False)
    axes.grid(True, axis=grid)
    axes.tick_params(length=3)


def label_lines(
    axes: Any, ends: list[tuple[float, str, str]], x: float, least: float, fontsize: float = 9
) -> None:
    """Puts labels beside the ends of lines, moved apart to keep a minimum distance."""
    placed: list[float] = []
    for y, _, _ in sorted(ends):
        placed.append(max(y, placed[-1] + least) if placed else y)
    over = (placed[-1] - max(y for y, _, _ in ends)) / 2 if placed else 0.0
    for (_, text, colour), at in zip(sorted(ends), placed, strict=True):
        axes.annotate(
            text,
            (x, at - over),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=fontsize,
            color=colour,
            annotation_clip=False,
        )
