"""All figures of a study, each where there is something to show."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from upcard.analysis import figures_choices, figures_leads, figures_results
from upcard.analysis.figures_style import Draw, Theme, headline, need_matplotlib, save
from upcard.analysis.study_summary import Summed


def draw(summed: Summed, folder: Path) -> list[str]:
    """Draws what there is to draw, and gives the names."""
    need_matplotlib()
    made = []
    for name, (one, size) in drawings(summed).items():
        save(one, folder, name, size)
        made.append(name)
    return made


def drawings(summed: Summed) -> dict[str, tuple[Draw, tuple[float, float]]]:
    found: dict[str, tuple[Draw, tuple[float, float]]] = {}
    if summed.random is not None:
        found["branching"] = partial(_branching, summed), (8.6, 5.0)
        if summed.rounds is not None and summed.rounds.differ:
            found["leading"] = partial(_leading, summed), (7.4, 4.6)
        found["length"] = partial(_length, summed), (7.4, 4.2)
        found["scores"] = partial(_scores, summed), (8.6, 1.9 + 0.56 * summed.plan.game.seats)
    if summed.searching is not None and summed.searching.histories and summed.plan.game.seats > 1:
        found["lead-history"] = partial(_history, summed), (8.0, 5.0)
    if summed.searching is not None and any(one for g in summed.searching.games for one in g.spreads):
        found["spread"] = partial(_spread, summed), (8.0, 4.8)
    if summed.profile:
        found["profile"] = partial(_profile, summed), (7.4, 1.5 + 0.36 * len(summed.profile))
    return found


def names_of(summed: Summed) -> list[str]:
    game = summed.plan.game
    return [game.teller.seat(seat) for seat in range(game.seats)]


def rules_of(summed: Summed) -> str:
    rules = [f"{name} {value}" for name, value in summed.plan.game.program.overrides]
    return f" ({', '.join(rules)})" if rules else ""


def _of_random(summed: Summed) -> str:
    assert summed.random is not None
    return f"{len(summed.random.games):,} games of random players{rules_of(summed)}"


def _of_searching(summed: Summed) -> str:
    assert summed.searching is not None
    name = summed.plan.players[0].name
    return f"{len(summed.searching.games):,} games, {name} in every seat{rules_of(summed)}"


def _branching(summed: Summed, figure: Any, theme: Theme) -> None:
    assert summed.random is not None
    games = summed.random.scored
    dots = min(len(games), figures_choices.SHOWN)
    below = f"{_of_random(summed)}; dots: the first {dots}, larger where many games agree\n"
    below += "line: mean of all games; band: 80 % of the decisions thereabouts"
    headline(figure, theme, f"{summed.plan.title}: choices as the game goes on", below)
    figures_choices.branching(figure.add_subplot(), theme, games, names_of(summed))


def _leading(summed: Summed, figure: Any, theme: Theme) -> None:
    assert summed.rounds is not None
    below = f"{summed.rounds.games} games of random players{rules_of(summed)}; "
    below += "a round is one run of a stage inside another,\nthe leader whoever decides first in it"
    headline(figure, theme, f"{summed.plan.title}: leading and following", below)
    figures_choices.leading(figure.add_subplot(), theme, summed.rounds)


def _length(summed: Summed, figure: Any, theme: Theme) -> None:
    both = [(summed.random, _of_random(summed))] if summed.random else []
    if summed.searching is not None:
        both.append((summed.searching, _of_searching(summed)))
    headline(figure, theme, f"{summed.plan.title}: length", "how many decisions a game has")
    every = figure.subplots(1, len(both), squeeze=False)[0]
    ends = min(seen.lengths[0] for seen, _ in both), max(seen.lengths[-1] for seen, _ in both)
    for number, (axes, (seen, title)) in enumerate(zip(every, both, strict=True)):
        figures_results.lengths(axes, theme, seen, number, ends)
        axes.set_title(title, fontsize=9)


def _scores(summed: Summed, figure: Any, theme: Theme) -> None:
    assert summed.random is not None
    most = "highest" if summed.plan.highest else "lowest"
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    shown = figures_results.scores(left, theme, summed.random, names_of(summed))
    figures_results.wins(right, theme, summed.random, names_of(summed))
    below = f"{_of_random(summed)}; the {most} score wins\n"
    below += f"{shown}; right: 95 % intervals, dashed: what is due"
    headline(figure, theme, f"{summed.plan.title}: scores by seat", below)


def _history(summed: Summed, figure: Any, theme: Theme) -> None:
    assert summed.searching is not None
    below = f"{_of_searching(summed)}; seats by how they ended, the first one first\n"
    below += "line: mean of what whoever moved expected; band: the middle half of games"
    headline(figure, theme, f"{summed.plan.title}: lead history", below)
    figures_leads.history(figure.add_subplot(), theme, summed.searching)


def _spread(summed: Summed, figure: Any, theme: Theme) -> None:
    assert summed.searching is not None
    below = f"{_of_searching(summed)}; in expected rank, from 0 to 1\nband: the middle half of decisions"
    headline(figure, theme, f"{summed.plan.title}: how much decisions matter", below)
    figures_leads.spreads(figure.add_subplot(), theme, summed.searching.scored)


def _profile(summed: Summed, figure: Any, theme: Theme) -> None:
    below = f"from 0 to 1, with 95 % intervals{rules_of(summed)}"
    headline(figure, theme, f"{summed.plan.title}: profile", below)
    figures_results.profile(figure.add_subplot(), theme, {summed.plan.title: summed.profile})
