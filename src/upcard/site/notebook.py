"""What a notebook shows: the table of a state as a picture, the card of a game, the figures of a study."""

from __future__ import annotations

import base64
import re
from functools import cache

from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.library.match_text import describe_match
from upcard.narration.narrator import Narrator
from upcard.site import choice_charts, result_charts
from upcard.site.markup import Html, tag
from upcard.site.number_text import format_interval
from upcard.site.page_frame import HERE
from upcard.site.table_art import WIDTH, table_picture
from upcard.site.theme_css import css_variables
from upcard.study.figures.figure_style import LIGHT
from upcard.study.study_result import StudyResult
from upcard.study.study_summary import MEANINGS
from upcard.terminal.seat_view import look
from upcard.terminal.table_narrator import TableNarrator

GAMES = 100
"""Random games that are played to say how long a game is."""
GAMES_BY_REFERENCE = 10
"""The same where the reference engine plays."""


def state_picture(state: BaseState) -> Html:
    """The table as the seat to move sees it, or as seat 0 does when the game is over."""
    seat = state.to_move or 0
    observation = state.observe(seat)
    drawn = table_picture(look(observation, TableNarrator.at(state.game.narrator, observation)))
    picture = _image(drawn, _table_style(), f"The table as {state.game.narrator.seat(seat)} sees it")
    return tag("figure", picture, tag("figcaption", repr(state).strip("<>")), style="margin: 0")


def study_figures(result: StudyResult) -> Html:
    """The profile of a study as a table; of its random games the length, the scores, and the choices."""
    summed, plan = result.summary, result.summary.plan
    names = [plan.game.narrator.seat(seat) for seat in range(plan.game.seats)]
    rows = [
        tag(
            "tr",
            tag("th", name, style="text-align: left"),
            tag("td", format_interval(found, 3), style="text-align: left"),
            tag("td", MEANINGS[name], style="text-align: left"),
        )
        for name, found in result.profile.items()
    ]
    pictures: list[Html] = []
    if (stats := summed.random) is not None:
        low, high = stats.ends
        if low < high:
            drawn = result_charts.lengths(stats, (low, high), "length", 0, "Length", plan.unit)
            pictures.append(_image(drawn, _chart_style(), "How long games of random players are"))
        pictures.append(
            _image(
                result_charts.scores(stats, names, "Scores by seat"),
                _chart_style(),
                "The scores of each seat",
            )
        )
        if stats.sums.choices:
            drawn = choice_charts.branching(summed, names, "Choices at every decision")
            pictures.append(_image(drawn, _chart_style(), "How many choices each decision has"))
    return tag(
        "figure",
        tag("p", tag("strong", plan.title), f", {result.games:,} games"),
        tag("table", *rows),
        *pictures,
        style="margin: 0",
    )


def game_card(game: LoadedGame) -> Html:
    """Title, seats and length of a game, and what its sheet says."""
    sheet = game.narrator.sheet
    rules = [f"{name} {value}" for name, value in game.program.overrides]
    facts = [
        ("Seats", _seats(game.narrator, game.seats)),
        ("Length", _length(game)),
        ("Match", " ".join(_match(game)) if sheet else ""),
        ("House rules", ", ".join(rule.name for rule in sheet.house_rules) if sheet else ""),
        ("Rules changed", ", ".join(rules)),
        ("Engine", game.note or game.engine),
    ]
    rows = [
        tag("tr", tag("th", name, style="text-align: left"), tag("td", value, style="text-align: left"))
        for name, value in facts
        if value
    ]
    return tag(
        "div",
        tag("p", tag("strong", game.title), f" ({game.name})" if game.title != game.name else None),
        tag("p", sheet.summary) if sheet and sheet.summary else None,
        tag("table", *rows),
        style="max-width: 40em",
    )


def _image(drawn: str, style: str, alt: str) -> Html:
    """A drawing as an image of its own, so that its style changes nothing else in a notebook."""
    svg = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    svg = svg.replace(">", f"><style>{style}</style>", 1)
    data = base64.b64encode(svg.encode()).decode()
    return tag(
        "img",
        src=f"data:image/svg+xml;base64,{data}",
        alt=alt,
        style=f"width: 100%; max-width: {WIDTH:.0f}px",
    )


@cache
def _table_style() -> str:
    """The colours of the page and the rules for the table."""
    text = _style_sheet()
    return text[: text.index("*, ::before")] + _rules(".table ")


@cache
def _chart_style() -> str:
    """The light colours of charts, on paper of their own: a notebook may be light or dark, and the rules."""
    return f":root {{ {css_variables(LIGHT)} }}\nsvg {{ background: var(--surface); }}\n{_rules('.chart ')}"


def _rules(begin: str) -> str:
    """The rules of the pages' style sheet that begin like this."""
    return "\n".join(re.findall(rf"^{re.escape(begin)}[^{{]*{{[^}}]*}}.*$", _style_sheet(), re.MULTILINE))


def _style_sheet() -> str:
    return (HERE / "page.css").read_text(encoding="utf-8")


def _seats(narrator: Narrator, seats: int) -> str:
    return f"{seats}: {', '.join(narrator.seat(seat) for seat in range(seats))}"


def _length(game: LoadedGame) -> str:
    """How many decisions random games have."""
    games = GAMES if game.engine == "native" else GAMES_BY_REFERENCE
    found = game.simulate(games).decisions
    if found.least == found.most:
        return f"{found.least} decisions"
    return f"{found.least} to {found.most} decisions, {found.mean:.0f} on average (random players)"


def _match(game: LoadedGame) -> list[str]:
    sheet = game.narrator.sheet
    assert sheet is not None, "only sheets describe matches"
    partners = game.program.setup.teams is not None
    return describe_match(sheet, game.program.scoring.highest, partners)
