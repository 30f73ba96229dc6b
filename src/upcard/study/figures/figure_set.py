"""All figures of a study that have data."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from upcard.study.choice_columns import columns, drawn_as_steps
from upcard.study.figures import choice_figures as figures_choices
from upcard.study.figures import lead_figures as figures_leads
from upcard.study.figures import result_figures as figures_results
from upcard.study.figures.figure_style import Draw, Theme, headline, need_matplotlib, save
from upcard.study.statistics import Counted
from upcard.study.study_summary import Summed


def draw(summed: Summed, folder: Path) -> list[str]:
    """Draws the figures that have data; returns their names."""
    need_matplotlib()
    made = []
    for name, (one, size) in drawings(summed).items():
        save(one, folder, name, size)
        made.append(name)
    return made


@dataclass(frozen=True)
class Drawing:
    """A figure. `into` draws it and returns the line below its title, which is known only then."""

    title: str
    into: Callable[[Any, Theme], str]
    size: tuple[float, float]

    def with_headline(self, figure: Any, theme: Theme) -> None:
        headline(figure, theme, self.title, self.into(figure, theme))


def drawings(summed: Summed) -> dict[str, tuple[Draw, tuple[float, float]]]:
    """Figures with their headlines."""
    return {name: (one.with_headline, one.size) for name, one in parts(summed).items()}


def parts(summed: Summed) -> dict[str, Drawing]:
    """The same figures without headlines."""
    found: dict[str, Drawing] = {}
    seats, title = summed.plan.game.seats, summed.plan.title
    if summed.random is not None:
        found["branching"] = Drawing(
            f"{title}: choices as the game goes on", partial(_branching, summed), (8.6, 5.0)
        )
        if summed.rounds is not None and summed.rounds.differ:
            found["leading"] = Drawing(
                f"{title}: leading and following", partial(_leading, summed), (7.4, 4.6)
            )
        found["length"] = Drawing(f"{title}: length", partial(_length, summed), (7.4, 4.2))
        found["scores"] = Drawing(
            f"{title}: scores by seat", partial(_scores, summed), (8.6, 1.9 + 0.56 * seats)
        )
    if summed.searching is not None and summed.searching.histories and seats > 1:
        found["lead-history"] = Drawing(f"{title}: lead history", partial(_history, summed), (8.0, 5.0))
    if summed.searching is not None and any(one for g in summed.searching.games for one in g.spreads):
        found["spread"] = Drawing(f"{title}: how much decisions matter", partial(_spread, summed), (8.0, 4.8))
    if summed.profile:
        size = (7.4, 1.5 + 0.36 * len(summed.profile))
        found["profile"] = Drawing(f"{title}: profile", partial(_profile, summed), size)
    return found


def names_of(summed: Summed) -> list[str]:
    game = summed.plan.game
    return [game.narrator.seat(seat) for seat in range(game.seats)]


def rules_of(summed: Summed) -> str:
    rules = [f"{name} {value}" for name, value in summed.plan.game.program.overrides]
    return f" ({', '.join(rules)})" if rules else ""


def _of_random(summed: Summed) -> str:
    assert summed.random is not None
    return f"{summed.random.played:,} {summed.plan.unit}s of random players{rules_of(summed)}"


def _of_searching(summed: Summed) -> str:
    assert summed.searching is not None
    name = summed.plan.players[0].name
    return f"{summed.searching.played:,} {summed.plan.unit}s, {name} in every seat{rules_of(summed)}"


def _branching(summed: Summed, figure: Any, theme: Theme) -> str:
    assert summed.random is not None
    sample = summed.sample
    dots = min(len(sample), figures_choices.SHOWN)
    figures_choices.branching(figure.add_subplot(), theme, sample, summed.random.sums, names_of(summed))
    if not drawn_as_steps(columns(summed.random.sums)):
        return f"{_of_random(summed)}\ndarker: more of them have that number of choices; line: mean"
    below = f"{_of_random(summed)}; dots: the first {dots}, larger dots for several equal ones\n"
    return below + "line: mean at each decision; band: from the 10 % to the 90 % quantile"


def _leading(summed: Summed, figure: Any, theme: Theme) -> str:
    assert summed.rounds is not None
    figures_choices.leading(figure.add_subplot(), theme, summed.rounds)
    below = f"{summed.rounds.games} {summed.plan.unit}s of random players{rules_of(summed)}; "
    return (
        below
        + "a round is one run of a stage inside another,\nthe leader is the player who decides first in it"
    )


def _length(summed: Summed, figure: Any, theme: Theme) -> str:
    both: list[tuple[Counted, str]] = [(summed.random, _of_random(summed))] if summed.random else []
    if summed.searching is not None:
        both.append((summed.searching, _of_searching(summed)))
    every = figure.subplots(1, len(both), squeeze=False)[0]
    ends = min(seen.ends[0] for seen, _ in both), max(seen.ends[1] for seen, _ in both)
    for number, (axes, (seen, title)) in enumerate(zip(every, both, strict=True)):
        figures_results.lengths(axes, theme, seen, number, ends)
        letters = int(
            13 * figure.get_size_inches()[0] / len(both)
        )  # about as many characters fit above one figure
        axes.set_title(textwrap.fill(title, max(20, letters)), fontsize=9)
    return f"number of decisions in a {summed.plan.unit}"


def _scores(summed: Summed, figure: Any, theme: Theme) -> str:
    assert summed.random is not None
    most = "highest" if summed.plan.highest else "lowest"
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    shown = figures_results.scores(left, theme, summed.random, names_of(summed))
    figures_results.wins(right, theme, summed.random, names_of(summed))
    below = f"{_of_random(summed)}; the {most} score wins\n"
    return below + f"{shown}; right: 95 % intervals, dashed: an equal share"


def _history(summed: Summed, figure: Any, theme: Theme) -> str:
    assert summed.searching is not None
    figures_leads.history(figure.add_subplot(), theme, summed.searching)
    below = f"{_of_searching(summed)}; sides ordered by final rank\n"
    return below + "line: mean estimate of the player to move; band: the middle half of games"


def _spread(summed: Summed, figure: Any, theme: Theme) -> str:
    assert summed.searching is not None
    figures_leads.spreads(figure.add_subplot(), theme, summed.searching.scored)
    return f"{_of_searching(summed)}; in expected rank, from 0 to 1\nband: the middle half of decisions"


def _profile(summed: Summed, figure: Any, theme: Theme) -> str:
    figures_results.profile(figure.add_subplot(), theme, {summed.plan.title: summed.profile})
    return f"from 0 to 1, with 95 % intervals{rules_of(summed)}"
