"""What a notebook shows: the table of a state as a picture, and the card of a game."""

from __future__ import annotations

import base64
from functools import cache

from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.library.match_text import describe_match
from upcard.narration.narrator import Narrator
from upcard.site.markup import Html, tag
from upcard.site.page_frame import HERE
from upcard.site.table_art import WIDTH, table_picture
from upcard.terminal.seat_view import look
from upcard.terminal.table_narrator import TableNarrator

GAMES = 100
"""Random games that are played to say how long a game is."""
GAMES_BY_REFERENCE = 10
"""The same where the reference engine plays."""


def state_picture(state: BaseState) -> Html:
    """The table as the seat to move sees it, or as seat 0 does when the game is over.

    The picture is an image with a style of its own, so that it changes nothing else in a notebook.
    """
    seat = state.to_move or 0
    observation = state.observe(seat)
    drawn = table_picture(look(observation, TableNarrator.at(state.game.narrator, observation)))
    svg = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    svg = svg.replace(">", f"><style>{_table_style()}</style>", 1)
    data = base64.b64encode(svg.encode()).decode()
    name = state.game.narrator.seat(seat)
    picture = tag(
        "img",
        src=f"data:image/svg+xml;base64,{data}",
        alt=f"The table as {name} sees it",
        style=f"width: 100%; max-width: {WIDTH:.0f}px",
    )
    return tag("figure", picture, tag("figcaption", repr(state).strip("<>")), style="margin: 0")


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


@cache
def _table_style() -> str:
    """The colours of the page and the rules for the table, out of the pages' style sheet."""
    text = (HERE / "page.css").read_text(encoding="utf-8")
    colours = text[: text.index("*, ::before")]
    return colours + "\n".join(line for line in text.splitlines() if line.startswith(".table "))


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
