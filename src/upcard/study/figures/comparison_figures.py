"""Figures that compare variants on common scales."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from upcard.study.choice_columns import columns
from upcard.study.figures import choice_figures as figures_choices
from upcard.study.figures import lead_figures as figures_leads
from upcard.study.figures import result_figures as figures_results
from upcard.study.figures.figure_set import names_of
from upcard.study.figures.figure_style import Draw, Theme, dash, headline, marker, need_matplotlib, save
from upcard.study.study_summary import Summed


def _across(variants: Mapping[str, Summed]) -> int:
    """Small figures in each row."""
    return 2 if len(variants) in (2, 4) else min(3, len(variants))


def draw(variants: Mapping[str, Summed], folder: Path) -> list[str]:
    """Draws the figures that have data; returns their names."""
    need_matplotlib()
    made: dict[str, tuple[Draw, tuple[float, float]]] = {}
    rows = len({name for summed in variants.values() for name in summed.profile})
    if rows:
        height = 1.7 + rows * max(0.36, 0.17 * len(variants)) + 0.25 * (len(variants) > 4)
        made["profile"] = partial(_profile, variants), (7.8, height)
    random = {name: summed for name, summed in variants.items() if summed.random is not None}
    if random:
        made["choices"] = partial(_choices, random), (8.0, 4.8)
        made["branching"] = partial(_branching, random), _size(random, 2.9)
        made["length"] = partial(_length, random), _size(random, 2.6)
        most = max(summed.plan.game.seats for summed in random.values())
        made["scores"] = partial(_scores, random), _size(random, 1.0 + 0.45 * most)
    led = {
        name: summed for name, summed in variants.items() if summed.searching and summed.searching.histories
    }
    led = {name: summed for name, summed in led.items() if summed.plan.game.seats > 1}
    if led:
        made["lead-history"] = partial(_history, led), _size(led, 3.0)
    for name, (one, size) in made.items():
        save(one, folder, name, size)
    return list(made)


def _size(variants: Mapping[str, Summed], each: float) -> tuple[float, float]:
    across = _across(variants)
    return 3.6 * max(2, across) + 0.4, 1.1 + math.ceil(len(variants) / across) * (each + 0.3)


def _grid(figure: Any, variants: Mapping[str, Summed]) -> list[Any]:
    """One small titled figure for each variant; unused places stay empty."""
    across = _across(variants)
    made = figure.subplots(math.ceil(len(variants) / across), across, squeeze=False)
    every: list[Any] = made.flatten().tolist()
    for axes in every[len(variants) :]:
        axes.set_axis_off()
    for axes, name in zip(every, variants, strict=False):
        axes.set_title(name, fontsize=10, fontweight="bold")
    return every[: len(variants)]


def _outer(every: list[Any], across: int) -> None:
    """Labels the axes only at the start of a row."""
    for number, axes in enumerate(every):
        if number % across:
            axes.set_ylabel("")


def _profile(variants: Mapping[str, Summed], figure: Any, theme: Theme) -> None:
    headline(figure, theme, "Profiles compared", "from 0 to 1, with 95 % intervals")
    profiles = {name: summed.profile for name, summed in variants.items()}
    figures_results.profile(figure.add_subplot(), theme, profiles)


def _choices(variants: Mapping[str, Summed], figure: Any, theme: Theme) -> None:
    headline(figure, theme, "Choices as the game goes on", "random players; the mean at every decision")
    axes = figure.add_subplot()
    for number, (name, summed) in enumerate(variants.items()):
        assert summed.random is not None
        found = columns(summed.random.sums)
        at, middle = [(one.first + one.last) / 2 for one in found], [one.mean for one in found]
        axes.plot(
            at,
            middle,
            color=theme.colour(number),
            linestyle=dash(number),
            marker=marker(number),
            markevery=(number * max(1, len(at) // 24), max(1, len(at) // 8)),
            markersize=6,
            linewidth=2,
            drawstyle="steps-mid",
            label=name,
        )
    axes.set_ylim(0, None)
    axes.set_xlim(0, None)
    axes.set_xlabel("decision of the game")
    axes.set_ylabel("choices")
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=min(4, len(variants)), handlelength=3.4)


def _branching(variants: Mapping[str, Summed], figure: Any, theme: Theme) -> None:
    below = "random players; line: mean; dots by seat, larger for several; band: 80 % of games"
    headline(figure, theme, "Choices, game by game", below)
    every = _grid(figure, variants)
    for axes, summed in zip(every, variants.values(), strict=True):
        assert summed.random is not None
        names = names_of(summed)
        figures_choices.branching(axes, theme, summed.sample, summed.random.sums, names, legend=False)
    right = max(axes.get_xlim()[1] for axes in every)
    top = max(axes.get_ylim()[1] for axes in every)
    for axes in every:
        axes.set_xlim(0, right)
        axes.set_ylim(0.2, top)
    _outer(every, _across(variants))


def _length(variants: Mapping[str, Summed], figure: Any, theme: Theme) -> None:
    headline(figure, theme, "Lengths compared", "random players; how many decisions a game has")
    every = _grid(figure, variants)
    seen = [summed.random for summed in variants.values() if summed.random is not None]
    ends = min(one.ends[0] for one in seen), max(one.ends[1] for one in seen)
    for number, (axes, one) in enumerate(zip(every, seen, strict=True)):
        figures_results.lengths(axes, theme, one, number, ends)
    _outer(every, _across(variants))


def _scores(variants: Mapping[str, Summed], figure: Any, theme: Theme) -> None:
    every = _grid(figure, variants)
    shown = []
    for axes, summed in zip(every, variants.values(), strict=True):
        assert summed.random is not None
        names = names_of(summed)
        shown.append(figures_results.scores(axes, theme, summed.random, names))
    headline(figure, theme, "Scores compared", "random players; " + "\n".join(dict.fromkeys(shown)))


def _history(variants: Mapping[str, Summed], figure: Any, theme: Theme) -> None:
    players = {summed.plan.players[0].name for summed in variants.values()}
    below = f"{', '.join(sorted(players))} in every seat; line: mean expectation; band: middle half of games"
    headline(figure, theme, "Lead histories", below)
    every = _grid(figure, variants)
    for axes, summed in zip(every, variants.values(), strict=True):
        assert summed.searching is not None
        figures_leads.history(axes, theme, summed.searching)
    _outer(every, _across(variants))
