"""A game's page, section by section."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping

from upcard import __version__
from upcard.graph.sentences import explain
from upcard.graph.svg import svg as graph_svg
from upcard.library.catalogue import format_span, players_offered
from upcard.library.match_text import describe_match
from upcard.site.lexer import as_markup
from upcard.site.markup import Html, joined, tag
from upcard.site.number_text import capital, counted, linked, prose, sentence, share, told
from upcard.site.page_data import Made
from upcard.site.page_frame import Section, contents, document, figure, typed, written
from upcard.site.study_sections import number_sections
from upcard.site.table_art import stand_out, table_picture
from upcard.stats.interval_text import percent

INDEX = "index.html"
TOLD = 4
"""Sentences of what happened last, under the picture of the table."""
OFFERED = 12
"""Alternatives that are named there."""


def game_page(made: Made, links: Mapping[str, str] | None = None) -> str:
    """The whole page. `links`: titles of other games with their pages, where it is part of a site."""
    sections = list(_sections(made, links or {}))
    body = joined(
        tag("a", "All games", href=INDEX, class_="home") if links is not None else None,
        tag(
            "div",
            _top(made),
            contents(sections),
            tag("main", written(sections), _foot(made)),
            class_="sheet",
        ),
    )
    summary = made.sheet.summary if made.sheet else ""
    return document(f"{made.title} · Upcard", summary, body)


def _sections(made: Made, links: Mapping[str, str]) -> Iterator[Section]:
    yield Section("table", "The table in play", _table(made))
    yield Section("rules", "Rules", _rules(made))
    yield Section("variants", "Variants used", _variants(made))
    yield Section("related", "Related games", _related(made, links))
    yield Section("house-rules", "House rules", _house_rules(made))
    yield Section("flow", "Information flow", _flow(made))
    yield from number_sections(made)
    yield Section("program", "The program", _program(made))


# --- the top -------------------------------------------------------------------------------------


def _top(made: Made) -> Html:
    sheet, game = made.sheet, made.game
    offered = players_offered(sheet, game.seats) if sheet else (game.seats,)
    number = f"{format_span(offered)} players" if offered != (1,) else "1 player"
    if len(offered) > 1:
        number += f", here {game.seats}"
    tags = sheet.tags if sheet else ()
    sides = game.program.setup.teams is not None and "partnership" not in tags
    words = [sheet.family if sheet else "", number, "partnership" if sides else ""]
    words += [word for word in tags if not word.endswith(" players")]
    chips = [tag("li", capital(word)) for word in dict.fromkeys(filter(None, words))]
    return tag(
        "header",
        tag("h1", made.title),
        tag("p", sheet.summary, class_="summary") if sheet and sheet.summary else None,
        tag("ul", *chips, class_="chips"),
        _trouble(made),
        _glance(made),
    )


def _trouble(made: Made) -> Html | None:
    """What somebody should know before they read any further: a game that fails, or that does not end."""
    games = made.study.played("random")
    failed = made.endings.get("failed", 0)
    going_on = made.endings.get("stuck", 0) + made.endings.get("cut_off", 0)
    said = []
    if made.failure is not None:
        deal, failure = made.failure
        every = "Every one of" if failed == games else f"{failed:,} of"
        said.append(
            joined(
                tag("p", tag("b", f"{every} {counted(games, 'random game')} failed.")),
                tag("p", f"Deal {deal} broke off at line {failure.line}: {failure.message}."),
                tag("pre", tag("code", failure.form)),
            )
        )
    if 2 * going_on > games:
        every = "None" if going_on == games else f"Only {games - going_on:,}"
        those = "They" if going_on == games else "The others"
        said.append(
            joined(
                tag("p", tag("b", f"{every} of {counted(games, 'random game')} came to an end.")),
                tag(
                    "p",
                    f"{those} were stopped where they had gone on too long, and scored as they stood; "
                    "what this page says of length, scores and choices is of games cut short.",
                ),
            )
        )
    elif going_on:
        said.append(tag("p", f"{going_on:,} of {counted(games, 'random game')} were cut off."))
    if going_on and made.sheet and made.sheet.cycles:
        said.append(tag("p", "Why: " + sentence(made.sheet.cycles)))
    if not said:
        return None
    bad = failed or 2 * going_on > games
    return tag("div", *said, class_="trouble" if bad else "trouble mild", role="note")


def _glance(made: Made) -> Html | None:
    """The game in four numbers."""
    seen, profile = made.summed.random, made.summed.profile
    if seen is None:
        return None
    shown = [("decisions a game", told(seen.length, 1)), ("choices a decision", told(seen.choices, 2))]
    shown += [("of decisions forced", percent(seen.forced))]
    if "skill" in profile:
        shown.append(("of the result is who plays", share(profile["skill"])))
    elif "fairness" in profile:
        shown.append(("fairness", told(profile["fairness"], 2)))
    tiles = []
    for words, value in shown:
        mean, plus, half = value.partition(" ± ")
        unit = " %" if half.endswith(" %") else ""
        if not plus:
            mean, _, half = value.partition(" (")
        about = tag("small", f" {plus.strip()} {half.removesuffix(')').removesuffix(' %')}") if half else None
        tiles.append(tag("div", tag("dt", words), tag("dd", mean + unit, about)))
    return tag("dl", *tiles, class_="glance")


# --- what people say -----------------------------------------------------------------------------


def _table(made: Made) -> Html:
    moment = made.moment
    if moment is None:
        return tag("p", "Nobody ever decides anything in the first game, so there is no moment to show.")
    view = moment.view
    options = [option.text for option in view.options]
    may = "; ".join(options[:OFFERED]) + (
        f"; and {len(options) - OFFERED} more" if len(options) > OFFERED else ""
    )
    recent = view.recent()[-TOLD:]
    about = joined(
        tag(
            "p",
            f"What {view.you.name} sees at decision {moment.decision} of {moment.decisions}, in a game of "
            "random players: drawn from that seat's observation alone, so nothing hidden is shown. ",
            "Cards that may be played stand out." if stand_out(view) else None,
        ),
        tag("p", tag("b", "Just before: "), " ".join(map(sentence, recent))) if recent else None,
        tag("p", tag("b", f"{view.you.name} may: "), may + ".") if may else None,
    )
    return figure(table_picture(view), about, made.page_command(), "board")


def _rules(made: Made) -> Html:
    sheet = made.sheet
    if sheet is None:
        return tag(
            "p",
            "There is no game.toml beside this program, so its rules are not written down in words. "
            "The program below says them precisely.",
        )
    program = made.game.program
    partners = program.setup.teams is not None
    match = " ".join(describe_match(sheet, program.scoring.highest, partners))
    sources = [tag("li", linked(source)) for source in sheet.sources]
    return joined(
        prose(sheet.rules) if sheet.rules else tag("p", "The sheet has no rules in words."),
        tag("p", tag("b", "The match. "), match),
        tag("h3", "Source") if sources else None,
        tag("ul", *sources) if sources else tag("p", "No source is named."),
    )


def _variants(made: Made) -> Html:
    text = made.sheet.variants if made.sheet else ""
    overrides = [f"{name} is {value}" for name, value in made.game.program.overrides]
    return joined(
        tag("p", text) if text else None,
        tag("p", tag("b", "On this page: "), ", ".join(overrides) + ".") if overrides else None,
        None if text or overrides else tag("p", "None are named."),
    )


def _related(made: Made, links: Mapping[str, str]) -> Html:
    related = made.sheet.related if made.sheet else ()
    if not related:
        return tag("p", "None are named.")
    named = [tag("a", title, href=links[title]) if title in links else title for title in related]
    return tag("ul", *(tag("li", name) for name in named), class_="inline")


def _house_rules(made: Made) -> Html:
    rules = made.sheet.house_rules if made.sheet else ()
    if not rules:
        declared = [(name, value) for name, value in made.game.program.overrides]
        return tag("p", "None are written down." if not declared else "None are written down in words.")
    used = dict(made.game.program.overrides)
    rows = []
    for rule in rules:
        here = used.get(rule.sets, rule.choices.get(rule.default, ""))
        choices = []
        for word, value in rule.choices.items():
            usual = word == rule.default
            choices.append(
                joined(
                    tag("b", word) if value == here else word,
                    tag("small", " usual") if usual else None,
                )
            )
        rows.append(
            tag(
                "tr",
                tag("th", tag("code", rule.name), scope="row"),
                tag("td", rule.title),
                tag("td", joined(*choices, between=", ")),
            )
        )
    head = tag("tr", *(tag("th", word, scope="col") for word in ("rule", "what it says", "choices")))
    first = rules[0]
    other = next((word for word in first.choices if word != first.default), first.default)
    return joined(
        tag("div", tag("table", tag("thead", head), tag("tbody", *rows), class_="rules"), class_="scroll"),
        tag(
            "p",
            "Bold is what this page was made with. Ask for another choice with ",
            tag("code", f"--rule {first.name}={other}"),
            ".",
            class_="hint",
        ),
    )


# --- how cards move ------------------------------------------------------------------------------


def _flow(made: Made) -> Html:
    movement = made.movement
    if not movement.places:
        return tag("p", "No card ever lay anywhere.")
    drawn = Html(graph_svg(movement, made.game.narrator, None))
    about = tag(
        "p", f"One game of random players: {counted(movement.moves, 'move')} of cards between places."
    )
    command = made.asked.command("graph", to=f"{made.found.name}.svg")
    sentences = [tag("li", said) for said in explain(movement, made.game.narrator)]
    return joined(
        figure(drawn, about, command, "wide"),
        tag("h3", "What becomes known to whom"),
        tag("ul", *sentences, class_="known"),
    )


# --- the program ---------------------------------------------------------------------------------


def _program(made: Made) -> Html:
    name = made.found.name
    return joined(
        tag(
            "p",
            tag(
                "a", f"Download {name}.rcy", href=_data(made.program), download=f"{name}.rcy", class_="button"
            ),
            " ",
            tag("span", f"{counted(len(made.program.splitlines()), 'line')} of RECYCLE", class_="hint"),
        ),
        tag("pre", tag("code", as_markup(made.program)), class_="program", tabindex="0"),
    )


def _data(text: str) -> str:
    packed = base64.b64encode(text.encode("utf-8", "replace")).decode()
    return f"data:text/plain;charset=utf-8;base64,{packed}"


def _foot(made: Made) -> Html:
    return tag(
        "footer",
        tag("p", "This page was made by Upcard ", __version__, ", and is the same wherever it is made, with"),
        typed(made.page_command()),
    )
