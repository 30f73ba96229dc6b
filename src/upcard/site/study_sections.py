"""Sections of a page with the results of a study."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.site.inline_figures import inline
from upcard.site.markup import Html, join, tag
from upcard.site.number_text import count_noun, ends, format_interval, format_share
from upcard.site.page_data import PageData
from upcard.site.page_frame import Section, command_line, figure
from upcard.stats.interval_text import percent
from upcard.stats.intervals import Interval
from upcard.study.figures.figure_set import Drawing, parts
from upcard.study.figures.figure_style import LIGHT, as_svg
from upcard.study.statistics import Counted
from upcard.study.study_summary import MEANINGS
from upcard.terminal_text import capitalize_first

ACROSS = 5.4
"""Inches: narrower than in files, so that words can be read on a telephone."""
SHAPES = {"branching": 3.5, "leading": 3.2, "length": 2.6, "lead-history": 3.4, "spread": 3.3}
"""Heights in inches, where they do not depend on the game."""
NOT_COUNTED = "No game could be counted, so this section is empty."
OF_RANDOM = ("fairness", "convergence", "forced", "ties")
OF_ORDER = ("order",)
OF_SKILL = ("skill", "luck")


def number_sections(data: PageData) -> Iterator[Section]:
    drawn = parts(data.summary)
    yield Section("branching", "Branching factor", _branching(data, drawn))
    yield Section("leading", "Leader against followers", _leading(data, drawn))
    yield Section("length", "Length", _length(data, drawn))
    yield Section("scores", "Scores by seat", _scores(data, drawn))
    yield Section("spread", "Decision spread", _spread(data, drawn))
    yield Section("lead-history", "Lead history", _history(data, drawn))
    yield Section("heuristics", "Heuristics", _heuristics(data))
    yield Section("skill", "Skill against luck", _skill(data))


def plot(data: PageData, drawn: dict[str, Drawing], name: str, searching: bool) -> Html:
    """A figure of the study with its caption and the command that draws it."""
    one = drawn[name]
    high = SHAPES.get(name, one.size[1] * 0.75)
    sentences: list[str] = []
    picture = as_svg(lambda figure, theme: sentences.append(one.into(figure, theme)), LIGHT, (ACROSS, high))
    about = sentences[0].replace("\n", "; " if "; " in sentences[0] else ", ").replace(",;", ";")
    shown = inline(picture, name, f"{one.title}. {about}")
    drawn_into = f"{data.files.name}/figures/{name}.svg"
    return figure(
        shown, tag("p", capitalize_first(about) + "."), data.study_command(searching), into=drawn_into
    )


# --- random players ------------------------------------------------------------------------------


def _branching(data: PageData, drawn: dict[str, Drawing]) -> Html:
    stats = data.summary.random
    if stats is None:
        return tag("p", NOT_COUNTED)
    narrowing = stats.convergence.mean or 0.0
    flat = (
        "choices narrow"
        if narrowing > 0.505
        else "choices widen"
        if narrowing < 0.495
        else "choices stay level"
    )
    return join(
        tag(
            "p",
            f"Random players had {format_interval(stats.choices, 2)} choices per decision, "
            f"and {percent(stats.forced)} of decisions were forced. As the game goes on, {flat}: "
            f"convergence is {format_interval(stats.convergence, 3)}, where one half is flat.",
        ),
        plot(data, drawn, "branching", False),
    )


def _leading(data: PageData, drawn: dict[str, Drawing]) -> Html:
    if data.summary.random is None:
        return tag("p", NOT_COUNTED)
    if "leading" in drawn:
        return plot(data, drawn, "leading", False)
    if data.summary.rounds is None:
        return tag(
            "p",
            "This game has no rounds that can be recognised: no stage in which several seats decide is "
            "repeated inside another stage.",
        )
    return tag("p", "In every round all players have as many choices as the player who decides first.")


def _length(data: PageData, drawn: dict[str, Drawing]) -> Html:
    stats = data.summary.random
    if stats is None:
        return tag("p", NOT_COUNTED)
    least, most = stats.ends
    sentences = f"A random game has {format_interval(stats.length, 1)} decisions, from {least} to {most}."
    if least == most:
        sentences = f"Every random game has {count_noun(least, 'decision')}."
    searching = data.summary.searching
    if searching is not None:
        sentences += f" Between searching players it has {format_interval(searching.length, 1)}."
    return join(tag("p", sentences), plot(data, drawn, "length", searching is not None))


def _scores(data: PageData, drawn: dict[str, Drawing]) -> Html:
    stats = data.summary.random
    if stats is None:
        return tag("p", NOT_COUNTED)
    return join(_seats(data, stats), plot(data, drawn, "scores", False))


def _seats(data: PageData, stats: Counted) -> Html:
    partners = any(len(side) > 1 for side in stats.sides)
    rows = []
    for seat in range(stats.seats):
        side = next(number for number, members in enumerate(stats.sides) if seat in members)
        rows.append(
            tag(
                "tr",
                tag("th", data.game.narrator.seat(seat), scope="row"),
                tag("td", format_interval(stats.score(seat), 2), class_="number"),
                tag("td", percent(stats.first_place(side)), class_="number"),
            )
        )
    heads = ("seat", "mean score", "its side wins" if partners else "wins")
    head = tag(
        "tr", *(tag("th", word, scope="col", class_="number" if n else None) for n, word in enumerate(heads))
    )
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="scroll")


# --- searching players ---------------------------------------------------------------------------


def _missing(data: PageData) -> Html | None:
    """Why a section has no results of searching players; None if it has."""
    if data.summary.searching is not None:
        return None
    if data.why_unsearched:
        return tag("p", f"No results: {data.why_unsearched}.")
    if not data.study.plan.players:
        return tag("p", "No results: this page was made with random players only.")
    return tag("p", NOT_COUNTED)


def _spread(data: PageData, drawn: dict[str, Drawing]) -> Html:
    missing = _missing(data)
    if missing is not None:
        return missing
    if "spread" not in drawn:
        return tag(
            "p", _silent(data, "no decision mattered: all alternatives were estimated to be equally good")
        )
    assert data.summary.searching is not None
    return join(
        tag(
            "p",
            "How much a decision matters: the estimated value of the best alternative minus that of the "
            "worst. The mean over all decisions, with forced ones counted as 0, is "
            f"{format_interval(data.summary.searching.spread, 3)}.",
        ),
        plot(data, drawn, "spread", True),
    )


def _history(data: PageData, drawn: dict[str, Drawing]) -> Html:
    missing = _missing(data)
    if missing is not None:
        return missing
    if "lead-history" not in drawn:
        alone = "the game has only one player" if data.game.seats == 1 else "every decision was forced"
        return tag("p", _silent(data, alone))
    stats = data.summary.searching
    assert stats is not None
    return join(
        tag(
            "p",
            "During the game: the expected ranks of the players who finished first, second and so on. "
            f"Winners were ahead for {percent(stats.security)} of the time (security); drama is "
            f"{format_interval(stats.drama, 3)}.",
        ),
        plot(data, drawn, "lead-history", True),
    )


def _silent(data: PageData, otherwise: str) -> str:
    stats = data.summary.searching
    name = data.study.plan.players[0].name
    silent = stats is not None and stats.spread.mean is None
    return f"No results: {f'{name} gives no estimates' if silent else otherwise}."


# --- heuristics ----------------------------------------------------------------------------------


def _heuristics(data: PageData) -> Html:
    profile = data.summary.profile
    if not profile:
        return tag("p", NOT_COUNTED)
    rows = [
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", f"{interval.mean:.3f}".replace("-", "−"), class_="number"),
            tag("td", ends(interval), class_="number soft"),
            tag("td", bar(interval), class_="bar"),
            tag("td", MEANINGS[name]),
            tag("td", count_noun(interval.count, *_games(name)), class_="soft"),
        )
        for name, interval in profile.items()
    ]
    heads = ("figure", "value", "95 % interval", "from 0 to 1", "meaning", "based on")
    numbers = ("value", "95 % interval")
    head = tag("tr", *(tag("th", w, scope="col", class_="number" if w in numbers else None) for w in heads))
    notes = [tag("li", note + ".") for note in data.summary.notes]
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="heuristics")
    return join(
        tag("div", table, class_="scroll", tabindex="0"),
        tag("ul", *notes, class_="hint") if notes else None,
        command_line(data.study_command()),
    )


def _games(name: str) -> tuple[str, str]:
    if name in OF_RANDOM:
        return "random game", "random games"
    if name in OF_ORDER:
        return "game against random", "games against random"
    if name in OF_SKILL:
        return "deal, twice", "deals, twice"
    return "searching game", "searching games"


def bar(interval: Interval) -> Html:
    """A small drawing of a figure and its interval between 0 and 1."""

    def at(value: float) -> float:
        return 5 + 110 * min(1.0, max(0.0, value))

    drawn = [
        tag("path", d="M5 8H115", class_="scale"),
        tag("path", d="M5 4V12M60 6V10M115 4V12", class_="scale"),
    ]
    if interval.low is not None and interval.high is not None:
        drawn.append(tag("path", d=f"M{at(interval.low):.1f} 8H{at(interval.high):.1f}", class_="interval"))
    if interval.mean is not None:
        drawn.append(tag("circle", cx=at(interval.mean), cy=8.0, r=3.6))
    return tag("svg", *drawn, class_="mini", viewBox="0 0 120 16", aria_hidden="true")


def _skill(data: PageData) -> Html:
    missing = _missing(data)
    if missing is not None:
        return missing
    run, skill = data.study.skill, data.summary.skill
    if run is None or not run.results.deals:
        return tag("p", "The game has no opponents, so skill cannot be measured.")
    one, other = run.contest.labels
    (pair,) = run.results.pairs()
    first = (pair.ahead.mean or 0) >= 0
    ahead = pair.ahead if first else pair.turned.ahead
    sentences = (
        f"Two players, {one} and {other}, played {count_noun(run.results.deals, 'deal')} twice each, seats "
        f"exchanged; {one if first else other} came out ahead by {format_interval(ahead, 2)} points per deal."
    )
    if skill is None:
        return tag("p", sentences, " Every game had the same result, so there is no variance to explain.")
    shares = (
        ("who plays", skill.line_up, "c0"),
        ("the deal", skill.deal, "c1"),
        ("the rest", skill.rest, "c7"),
    )
    return join(
        tag(
            "p",
            sentences,
            " Skill (which player sits where) explains this share of the variance of results: ",
            format_share(skill.line_up),
            ".",
        ),
        tag(
            "figure",
            tag(
                "div",
                shares_bar([(words, interval.mean or 0.0, css) for words, interval, css in shares]),
                class_="frame",
            ),
            tag(
                "figcaption",
                tag(
                    "ul",
                    *(
                        tag(
                            "li",
                            tag("i", class_=f"key {css}"),
                            f"{words} {format_share(interval)}",
                        )
                        for words, interval, css in shares
                    ),
                    class_="inline key",
                ),
                tag(
                    "p",
                    "The rest is chance during play, and cards that suit one player better than the other.",
                ),
                command_line(data.study_command()),
            ),
        ),
    )


def shares_bar(shares: list[tuple[str, float, str]]) -> Html:
    drawn, x = [], 0.0
    for words, part, css in shares:
        width = 600 * part
        if width > 0:
            drawn.append(
                tag(
                    "rect",
                    tag("title", words),
                    class_=css,
                    x=x,
                    y=0.0,
                    width=max(0.5, width - 2),
                    height=34.0,
                )
            )
        x += width
    return tag(
        "svg",
        *drawn,
        class_="shares",
        viewBox="0 0 600 34",
        role="img",
        aria_label="; ".join(f"{words} {100 * part:.0f} %" for words, part, _ in shares),
    )
