"""A game's page, section by section."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping

from upcard import __version__
from upcard.graph.sentences import explain
from upcard.graph.svg import Caption
from upcard.graph.svg import svg as graph_svg
from upcard.library.catalogue import format_span, players_offered
from upcard.library.match_text import describe_match
from upcard.site.lexer import as_markup
from upcard.site.markup import Html, join, tag
from upcard.site.number_text import (
    count_noun,
    format_interval,
    format_share,
    link_source,
    prose,
    sentence,
)
from upcard.site.page_data import PageData
from upcard.site.page_frame import Section, command_line, contents, document, figure, render_sections
from upcard.site.study_sections import number_sections
from upcard.site.table_art import playable_cards, table_picture
from upcard.stats.interval_text import percent
from upcard.study.skill import FEWEST_DEALS
from upcard.study.statistics import Counted
from upcard.terminal_text import capitalize_first

INDEX = "index.html"
RECENT_SENTENCES = 4
"""Sentences of narration under the drawing of the table."""
OPTIONS_NAMED = 12
"""Options named under the drawing of the table."""


def game_page(data: PageData, links: Mapping[str, str] | None = None) -> str:
    """The whole page. `links`: pages of other games by title, if it is part of a site."""
    sections = list(_sections(data, links or {}))
    body = join(
        tag("a", "All games", href=INDEX, class_="home") if links is not None else None,
        tag(
            "div",
            _top(data),
            contents(sections),
            tag("main", render_sections(sections), _foot(data)),
            class_="sheet",
        ),
    )
    summary = data.sheet.summary if data.sheet else ""
    return document(f"{data.title} · Upcard", summary, body)


def _sections(data: PageData, links: Mapping[str, str]) -> Iterator[Section]:
    bodies = (
        ("table", "The table in play", _table(data)),
        ("rules", "Rules", _rules(data)),
        ("variants", "Variants used", _variants(data)),
        ("related", "Related games", _related(data, links)),
        ("house-rules", "House rules", _house_rules(data)),
        ("flow", "Information flow", _flow(data)),
    )
    for name, title, body in bodies:
        if body is not None:
            yield Section(name, title, body)
    yield from number_sections(data)
    yield Section("program", "The program", _program(data))


# --- the top -------------------------------------------------------------------------------------


def _top(data: PageData) -> Html:
    sheet, game = data.sheet, data.game
    offered = players_offered(sheet, game.seats) if sheet else (game.seats,)
    number = f"{format_span(offered)} players" if offered != (1,) else "1 player"
    if len(offered) > 1:
        number += f", here {game.seats}"
    tags = sheet.tags if sheet else ()
    sides = game.program.setup.teams is not None and "partnership" not in tags
    words = [sheet.family if sheet else "", number, "partnership" if sides else ""]
    words += [word for word in tags if not word.endswith(" players")]
    chips = [tag("li", capitalize_first(word)) for word in dict.fromkeys(filter(None, words))]
    return tag(
        "header",
        tag("h1", data.title),
        tag("p", sheet.summary, class_="summary") if sheet and sheet.summary else None,
        tag("ul", *chips, class_="chips"),
        _warnings(data),
        _key_figures(data),
    )


def _warnings(data: PageData) -> Html | None:
    """Warnings at the top: games that fail or do not end."""
    games = data.study.played("random")
    failed = data.endings.get("failed", 0)
    unfinished = data.endings.get("stuck", 0) + data.endings.get("cut_off", 0)
    sentences = []
    if data.failure is not None:
        deal, failure = data.failure
        every = "Every one of" if failed == games else f"{failed:,} of"
        sentences.append(
            join(
                tag("p", tag("b", f"{every} {count_noun(games, 'random game')} failed.")),
                tag("p", f"Deal {deal} failed at line {failure.line}: {failure.message}."),
                tag("pre", tag("code", failure.form)),
            )
        )
    if 2 * unfinished > games:
        every = "None" if unfinished == games else f"Only {games - unfinished:,}"
        those = "They" if unfinished == games else "The others"
        sentences.append(
            join(
                tag("p", tag("b", f"{every} of {count_noun(games, 'random game')} reached an end.")),
                tag(
                    "p",
                    f"{those} were stopped because they had gone on too long, and scored as they stood; "
                    "the lengths, scores and choices on this page are those of games cut short.",
                ),
            )
        )
    elif unfinished:
        sentences.append(tag("p", f"{unfinished:,} of {count_noun(games, 'random game')} were cut off."))
    if unfinished and data.sheet and data.sheet.cycles:
        sentences.append(tag("p", "Why: " + sentence(data.sheet.cycles)))
    if not sentences:
        return None
    bad = failed or 2 * unfinished > games
    return tag("div", *sentences, class_="trouble" if bad else "trouble mild", role="note")


def _mean_length(stats: Counted) -> str:
    least, most = stats.ends
    return f"always {least}" if least == most else format_interval(stats.length, 1)


def _key_figures(data: PageData) -> Html | None:
    """The game in four numbers."""
    stats, profile = data.summary.random, data.summary.profile
    if stats is None:
        return None
    unit = data.study.plan.unit
    shown = [
        (f"decisions per {unit}", _mean_length(stats)),
        ("choices per decision", format_interval(stats.choices, 2)),
    ]
    shown += [("of decisions are forced", percent(stats.forced))]
    skill, edge = data.summary.skill, data.summary.dealer_edge
    if skill is not None and skill.enough:
        shown.append(("of the result is due to the players", format_share(profile["skill"])))
    elif skill is not None:
        deals = count_noun(skill.deals, "deal")
        shown.append((f"to tell skill from luck: {deals} of at least {FEWEST_DEALS}", "Too few deals"))
    elif edge is not None:
        shown.append((f"of {unit}s are won by {edge.winner}", percent(edge.share)))
    elif "fairness" in profile:
        shown.append(("fairness, at most 1", format_interval(profile["fairness"], 2)))
    tiles = []
    for words, value in shown:
        mean, plus, half = value.partition(" ± ")
        unit = " %" if half.endswith(" %") else ""
        if not plus:
            mean, _, half = value.partition(" (")
        about = tag("small", f" {plus.strip()} {half.removesuffix(')').removesuffix(' %')}") if half else None
        tiles.append(tag("div", tag("dt", words), tag("dd", mean + unit, about)))
    return tag("dl", *tiles, class_="glance")


# --- rules and table -----------------------------------------------------------------------------


def _table(data: PageData) -> Html | None:
    moment = data.moment
    if moment is None:
        return None
    view = moment.view
    options = [option.text for option in view.options]
    may = "; ".join(options[:OPTIONS_NAMED]) + (
        f"; and {len(options) - OPTIONS_NAMED} more" if len(options) > OPTIONS_NAMED else ""
    )
    recent = view.recent()[-RECENT_SENTENCES:]
    about = join(
        tag(
            "p",
            f"What {view.you.name} sees at decision {moment.decision} of {moment.decisions}, in a "
            f"{data.study.plan.unit} of random players. The picture shows only what this seat can see. ",
            "Cards that may be played are highlighted." if playable_cards(view) else None,
        ),
        tag("p", tag("b", "Just before: "), " ".join(map(sentence, recent))) if recent else None,
        tag("p", tag("b", f"{view.you.name} may: "), may + ".") if may else None,
    )
    return figure(table_picture(view), about, data.page_command(), "board")


def _rules(data: PageData) -> Html:
    sheet = data.sheet
    if sheet is None:
        return tag(
            "p",
            "This program has no game.toml beside it, so there is no description of its rules. "
            "The program below defines them precisely.",
        )
    program = data.game.program
    partners = program.setup.teams is not None
    match = " ".join(describe_match(sheet, program.scoring.highest, partners))
    sources = [tag("li", link_source(source)) for source in sheet.sources]
    return join(
        prose(sheet.rules) if sheet.rules else tag("p", "The game.toml has no description of the rules."),
        tag("p", tag("b", "The match. "), match),
        tag("h3", "Sources" if len(sources) > 1 else "Source") if sources else None,
        tag("ul", *sources) if sources else None,
    )


def _variants(data: PageData) -> Html | None:
    text = data.sheet.variants if data.sheet else ""
    overrides = [f"{name} is {value}" for name, value in data.game.program.overrides]
    if not text and not overrides:
        return None
    return join(
        tag("p", text) if text else None,
        tag("p", tag("b", "On this page: "), ", ".join(overrides) + ".") if overrides else None,
    )


def _related(data: PageData, links: Mapping[str, str]) -> Html | None:
    related = data.sheet.related if data.sheet else ()
    if not related:
        return None
    named = [tag("a", title, href=links[title]) if title in links else title for title in related]
    return tag("ul", *(tag("li", name) for name in named), class_="inline")


def _house_rules(data: PageData) -> Html | None:
    rules = data.sheet.house_rules if data.sheet else ()
    if not rules:
        return None
    used = dict(data.game.program.overrides)
    rows = []
    for rule in rules:
        here = used.get(rule.sets, rule.choices.get(rule.default, ""))
        choices = []
        for word, value in rule.choices.items():
            usual = word == rule.default
            choices.append(
                join(
                    tag("b", word) if value == here else word,
                    tag("small", " usual") if usual else None,
                )
            )
        rows.append(
            tag(
                "tr",
                tag("th", tag("code", rule.name), scope="row"),
                tag("td", rule.title),
                tag("td", join(*choices, between=", ")),
            )
        )
    head = tag("tr", *(tag("th", word, scope="col") for word in ("rule", "description", "choices")))
    first = rules[0]
    other = next((word for word in first.choices if word != first.default), first.default)
    return join(
        tag("div", tag("table", tag("thead", head), tag("tbody", *rows), class_="rules"), class_="scroll"),
        tag(
            "p",
            "The choices in bold were used for this page. Choose another one with ",
            tag("code", f"--rule {first.name}={other}"),
            ".",
            class_="hint",
        ),
    )


# --- how cards move ------------------------------------------------------------------------------


def _flow(data: PageData) -> Html | None:
    movement = data.movement
    if not movement.places:
        return None
    unit = data.study.plan.unit
    names = Caption(f"{data.title}: how the cards move", f"One {unit} of random players")
    drawn = Html(graph_svg(movement, data.game.narrator, None, names=names))
    about = tag(
        "p", f"One {unit} of random players: {count_noun(movement.moves, 'move')} of cards between places."
    )
    command = data.options.command("graph", to=f"{data.files.name}.svg")
    sentences = [tag("li", sentence_text) for sentence_text in explain(movement, data.game.narrator)]
    return join(
        figure(drawn, about, command, "wide"),
        tag("h3", "What becomes known to whom"),
        tag("ul", *sentences, class_="known"),
    )


# --- the program ---------------------------------------------------------------------------------


def _program(data: PageData) -> Html:
    name = data.files.name
    return join(
        tag(
            "p",
            tag(
                "a", f"Download {name}.rcy", href=_data(data.program), download=f"{name}.rcy", class_="button"
            ),
            " ",
            tag("span", f"{count_noun(len(data.program.splitlines()), 'line')} of RECYCLE", class_="hint"),
        ),
        tag("pre", tag("code", as_markup(data.program)), class_="program", tabindex="0"),
    )


def _data(text: str) -> str:
    packed = base64.b64encode(text.encode("utf-8", "replace")).decode()
    return f"data:text/plain;charset=utf-8;base64,{packed}"


def _foot(data: PageData) -> Html:
    return tag(
        "footer",
        tag("p", "This page was made by Upcard ", __version__, ". To make exactly the same page, run"),
        command_line(data.page_command()),
    )
