"""The index of the library: a table that sorts and filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from upcard.library import find, read_sheet
from upcard.library.catalogue import Entry
from upcard.site.markup import Html, tag
from upcard.site.number_text import count_noun
from upcard.site.page_data import PageData, PageOptions
from upcard.site.page_frame import HERE, document
from upcard.terminal_text import capitalize_first

COLUMNS = (
    ("decisions", 1, "", "mean number of decisions in a deal of random players"),
    ("choices", 2, "less", "mean number of choices at a decision"),
    ("fairness", 2, "less", "1: the first side wins its fair share; 0: all or nothing"),
    ("convergence", 2, "extra", "above one half, choices become fewer during the deal"),
    ("order", 2, "extra", "what a search player in the first seat gains over random ones; 1: it always wins"),
    ("spread", 2, "less", "how much a decision matters: best choice minus worst choice"),
    ("drama", 2, "extra", "how far behind winners have been"),
    ("security", 2, "extra", "share of the time that winners were ahead"),
    ("skill", 2, "extra", "share of the results that the players explain"),
)
"""Columns of the table: name, digits, the class that hides it on narrow screens, and what it means."""


def row_of(data: PageData) -> dict[str, float | None]:
    """A game's row of the table."""
    stats, profile = data.summary.random, data.summary.profile
    interval: dict[str, float | None] = {name: None for name, *_ in COLUMNS}
    if stats is not None:
        interval |= {"decisions": stats.length.mean, "choices": stats.choices.mean}
    interval |= {name: profile[name].mean for name, *_ in COLUMNS if name in profile}
    if data.summary.skill is not None and not data.summary.skill.enough:
        interval["skill"] = None
    return interval


def index_page(entries: Sequence[tuple[Entry, Mapping[str, Any]]], options: PageOptions) -> str:
    script = (HERE / "index.js").read_text(encoding="utf-8")
    # without searching players some columns are empty
    columns = [column for column in COLUMNS if any(row.get(column[0]) is not None for _, row in entries)]
    searched = any(row.get("skill") is not None or row.get("order") is not None for _, row in entries)
    searchers = " and from games of searching players" if searched else ""
    families = list(dict.fromkeys(entry.family for entry, _ in entries if entry.family))
    numbers = sorted({number for entry, _ in entries for number in entry.offered})
    controls = tag(
        "div",
        tag(
            "input",
            type="search",
            id="words",
            placeholder="Filter by name, family, tag or description",
            aria_label="Filter",
        ),
        _select("family", "any family", [(family, capitalize_first(family)) for family in sorted(families)]),
        _select("number", "any number of players", [(str(n), count_noun(n, "player")) for n in numbers]),
        tag("span", id="count", class_="hint", aria_live="polite"),
        class_="controls",
        hidden=True,
    )
    heads = [("Game", "", "", "title and one line"), ("Family", "less family", "", "sort of game")]
    heads += [("Players", "", "number", "numbers of players that the rules allow")]
    heads += [(capitalize_first(name), css, "number", meaning) for name, _, css, meaning in columns]
    head = tag(
        "tr",
        *(
            tag("th", title, scope="col", title=meaning, class_=f"{css} {sort}".strip() or None)
            for title, css, sort, meaning in heads
        ),
    )
    meanings = [
        part
        for title, css, _, meaning in heads[3:]
        for part in (tag("dt", title, class_=css or None), tag("dd", meaning, class_=css or None))
    ]
    body = tag(
        "main",
        tag("h1", "Card games"),
        tag(
            "p",
            f"{count_noun(len(entries), 'game')} written in RECYCLE, each with its rules, its program, "
            "a picture of how its cards move, and figures about what it is like to play.",
            class_="summary",
        ),
        controls,
        tag(
            "div",
            tag(
                "table",
                tag("thead", head),
                tag("tbody", *(_row(entry, row, columns) for entry, row in entries)),
                class_="games",
            ),
            class_="scroll",
        ),
        tag("h2", "What the columns mean") if meanings else None,
        tag("dl", *meanings, class_="meanings") if meanings else None,
        tag(
            "p",
            f"The figures come from {options.games:,} games of random players{searchers} (seed "
            f"{options.seed}); each page shows them with confidence intervals and the commands that compute "
            "them.",
            class_="hint",
        ),
        class_="index",
    )
    return document(
        "Card games · Upcard", "Card games written in RECYCLE: rules, programs and figures.", body, script
    )


def _select(name: str, every: str, options: Sequence[tuple[str, str]]) -> Html:
    listed = [tag("option", every, value="")]
    listed += [tag("option", words, value=value) for value, words in options]
    return tag("select", *listed, id=name, aria_label=capitalize_first(name))


def _row(entry: Entry, row: Mapping[str, Any], columns: Sequence[tuple[str, int, str, str]]) -> Html:
    cells = [
        tag(
            "th",
            tag("a", entry.title, href=f"{entry.name}.html"),
            tag("span", entry.line),
            scope="row",
            data_value=entry.title.casefold(),
        ),
        tag("td", entry.family, class_="less family"),
        tag("td", entry.seats.replace("-", "–"), class_="number", data_value=_players_order(entry)),
    ]
    for name, digits, css, _ in columns:
        value = row.get(name)
        shown = "–" if value is None else f"{value:z.{digits}f}"
        # sorted by what can be read: games with the same number stay in the order of their names
        exact = None if value is None else shown
        cells.append(tag("td", shown.replace("-", "−"), class_=f"number {css}".strip(), data_value=exact))
    offered = " ".join(map(str, entry.offered))
    return tag(
        "tr",
        *cells,
        data_family=entry.family,
        data_players=offered,
        data_tags=" ".join(tags_of(entry)) or None,
    )


def _players_order(entry: Entry) -> str:
    """Sorts as the cell reads: 2, then 2-4, then 3."""
    least, most = min(entry.offered, default=0), max(entry.offered, default=0)
    return f"{least + most / 1000:.3f}"


def tags_of(entry: Entry) -> tuple[str, ...]:
    found = find(entry.name)
    return read_sheet(found.sheet).tags if found.sheet else ()
