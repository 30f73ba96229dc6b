"""Sections of a page with the results of a study. Sections without results are left out."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.site import choice_charts, lead_charts, result_charts
from upcard.site.chart import picture
from upcard.site.markup import Html, join, tag
from upcard.site.number_text import (
    count_noun,
    ends,
    format_interval,
    format_range,
    format_share,
    format_value,
)
from upcard.site.page_data import PageData
from upcard.site.page_frame import Section, command_line, figure
from upcard.stats.interval_text import percent
from upcard.stats.intervals import Interval
from upcard.study.choice_columns import columns, drawn_as_steps
from upcard.study.skill import FEWEST_DEALS
from upcard.study.statistics import Counted, Seen
from upcard.study.study_summary import MEANINGS
from upcard.terminal_text import capitalize_first

OF_RANDOM = ("fairness", "convergence", "forced", "ties")
OF_ORDER = ("order",)
OF_SKILL = ("skill", "luck")
PLAYER_WORDS = {
    "published": "the search player of the studies in which these figures were first published: it tries "
    "each move in ten random games, each with a fresh guess of the hidden cards, and plays the one with the "
    "best mean rank",
    "published-newer": "the later search player of the published studies: it tries each move in the same "
    "ten guesses of the hidden cards, two random games in each, and plays the one with the best mean score",
    "random": "a player that picks any move",
}
"""What players are, for readers who never saw their names."""


def number_sections(data: PageData) -> Iterator[Section]:
    bodies = (
        ("branching", "Branching factor", _branching(data)),
        ("leading", "Leader against followers", _leading(data)),
        ("length", "Length", _length(data)),
        ("scores", "Scores by seat", _scores(data)),
        ("spread", "Decision spread", _spread(data)),
        ("lead-history", "Lead history", _history(data)),
        ("heuristics", "Heuristics", _heuristics(data)),
        ("skill", "Skill against luck", _skill(data)),
    )
    for name, title, body in bodies:
        if body is not None:
            yield Section(name, title, body)


def chart_figure(data: PageData, name: str, drawn: Html, about: str, searching: bool = False) -> Html:
    """A chart with its caption and the command that draws the same figure to a file."""
    into = f"{data.files.name}/figures/{name}.svg"
    return figure(drawn, tag("p", about), data.study_command(searching), "charts", into)


def of_random(data: PageData, stats: Counted) -> str:
    return f"{count_noun(stats.played, data.study.plan.unit)} of random players"


def of_searching(data: PageData, stats: Counted) -> str:
    played = count_noun(stats.played, data.study.plan.unit)
    return f"{played} with the player “{data.study.plan.players[0].name}” in every seat"


def player_note(*names: str) -> Html | None:
    """What the players of these names are."""
    known = [f"“{name}” is {PLAYER_WORDS[name]}" for name in names if name in PLAYER_WORDS]
    return tag("p", "; ".join(known) + ".", class_="hint") if known else None


def names_of(data: PageData) -> list[str]:
    return [data.game.narrator.seat(seat) for seat in range(data.game.seats)]


# --- random players ------------------------------------------------------------------------------


def _branching(data: PageData) -> Html | None:
    stats = data.summary.random
    if stats is None or not stats.sums.choices:
        return None
    slope = stats.convergence.mean or 0.0
    unit = data.study.plan.unit
    flat = (
        "choices become fewer"
        if slope > 0.505
        else "choices increase"
        if slope < 0.495
        else "their number stays level"
    )
    drawn = choice_charts.branching(data.summary, names_of(data), f"{data.title}: choices at every decision")
    if drawn_as_steps(columns(stats.sums)):
        dots = min(len(data.summary.sample), choice_charts.SHOWN)
        key = (
            "line: the mean at each decision; shaded: from the 10 % to the 90 % quantile; "
            f"dots: the first {dots}, larger where several are equal"
        )
    else:
        key = "the stronger the colour, the more of them have that number of choices; line: the mean"
    return join(
        tag(
            "p",
            f"Random players had {format_interval(stats.choices, 2)} choices per decision, "
            f"and {percent(stats.forced)} of decisions were forced. As the {unit} goes on, {flat}: "
            f"convergence is {format_interval(stats.convergence, 3)}, where one half is flat. "
            f"{choice_charts.branching_finding(data.summary)}",
        ),
        chart_figure(data, "branching", drawn, f"{of_random(data, stats)}; {key}."),
    )


def _leading(data: PageData) -> Html | None:
    rounds = data.summary.rounds
    if rounds is None or not rounds.differ:
        return None
    drawn = choice_charts.leading(rounds, f"{data.title}: choices of the leader and of the followers")
    about = (
        f"{count_noun(rounds.games, data.study.plan.unit)} of random players. A round is one run of a stage "
        "inside another, such as a trick; its leader decides first in it."
    )
    return join(tag("p", choice_charts.leading_finding(rounds)), chart_figure(data, "leading", drawn, about))


def _length(data: PageData) -> Html | None:
    stats = data.summary.random
    if stats is None:
        return None
    unit = data.study.plan.unit
    searching = data.summary.searching
    both: list[tuple[str, Counted, str]] = [("length", stats, of_random(data, stats))]
    if searching is not None:
        both.append(("length-searching", searching, of_searching(data, searching)))
    low, high = min(one.ends[0] for _, one, _ in both), max(one.ends[1] for _, one, _ in both)
    sentence = f"Random players: {result_charts.length_finding(stats, unit)}"
    if searching is not None:
        sentence += f" Search players: {result_charts.length_finding(searching, unit)}"
    if low == high:
        return tag("p", f"Every {unit} has {count_noun(low, 'decision')}.")
    drawn = [
        result_charts.lengths(one, (low, high), name, number, f"{data.title}: length, {whose}", unit)
        for number, (name, one, whose) in enumerate(both)
    ]
    about = "; below: ".join(whose for _, _, whose in both) + "."
    return join(tag("p", sentence), chart_figure(data, "length", join(*drawn), about, searching is not None))


def _scores(data: PageData) -> Html | None:
    stats = data.summary.random
    if stats is None:
        return None
    names, unit = names_of(data), data.study.plan.unit
    labels = [" + ".join(names[seat] for seat in side) for side in stats.sides]
    drawn = [result_charts.scores(stats, names, f"{data.title}: scores by seat")]
    if len(stats.sides) > 1:
        drawn.append(result_charts.wins(stats, labels, unit, f"{data.title}: {unit}s won"))
    most = "highest" if data.study.plan.highest else "lowest"
    few = len({score for found in stats.sums.scores for score in found.counts}) <= result_charts.FEW
    key = (
        "the area of a disc is the share, also in %; the open mark is the mean"
        if few
        else "box: the middle half, gap: the median, line: 90 %, open mark: the mean"
    )
    about = f"{of_random(data, stats)}; the {most} score wins; {key}. Intervals are 95 %."
    edge = data.summary.dealer_edge
    sentences = [result_charts.scores_finding(stats, names)]
    if len(stats.sides) > 1:
        sentences.append(result_charts.wins_finding(stats, labels, unit))
    return join(
        tag("p", " ".join(sentences), f" {edge.sentence}." if edge else None),
        _seats(data, stats),
        chart_figure(data, "scores", join(*drawn), about),
    )


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
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="scroll", tabindex="0")


# --- search players ------------------------------------------------------------------------------


def why_missing(data: PageData) -> str:
    """Why sections with search players are left out; empty if none is."""
    if data.summary.searching is None:
        if data.why_unsearched:
            return f"There are no results of search players: {data.why_unsearched}"
        if not data.study.plan.players:
            return "There are no results of search players: this page was made with random players only"
    return ""


def _spread(data: PageData) -> Html | None:
    stats = data.summary.searching
    if stats is None or not any(one for game in stats.scored for one in game.spreads):
        return None
    about = (
        f"{of_searching(data, stats)}; in expected rank, from 0 to 1; shaded: the middle half of "
        "decisions in a stretch of the game."
    )
    drawn = lead_charts.spreads(stats, f"{data.title}: how much decisions matter")
    return join(
        tag(
            "p",
            "How much a decision matters: the estimated value of the best alternative minus that of the "
            "worst. The mean over all decisions, with forced ones counted as 0, is "
            f"{format_range(stats.spread)}. {lead_charts.spread_finding(stats)}",
        ),
        player_note(data.study.plan.players[0].name),
        chart_figure(data, "spread", drawn, about, True),
    )


def _history(data: PageData) -> Html | None:
    stats = data.summary.searching
    if stats is None or not stats.histories or len(stats.sides) < 2:
        return None
    who = "sides" if _partners(stats) else "players"
    about = (
        f"{of_searching(data, stats)}; {who} in the order in which they finished; line: the mean estimate of "
        "the player to move; shaded: the middle half."
    )
    return join(
        tag(
            "p",
            f"During the {data.study.plan.unit}: the expected ranks of the {who} that finished first, "
            f"second and so on. Winners were ahead for {percent(stats.security)} of the time (security); "
            f"drama is {format_range(stats.drama)}. {lead_charts.history_finding(stats)}",
        ),
        chart_figure(
            data, "lead-history", lead_charts.history(stats, f"{data.title}: lead history"), about, True
        ),
    )


def _partners(stats: Seen) -> bool:
    return any(len(side) > 1 for side in stats.sides)


# --- heuristics ----------------------------------------------------------------------------------


def _heuristics(data: PageData) -> Html | None:
    profile = data.summary.profile
    if not profile:
        return None
    skill = data.summary.skill
    few = OF_SKILL if skill is not None and not skill.enough else ()
    rows = [
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", "too few" if name in few else format_value(interval), class_="number"),
            tag("td", "–" if name in few else ends(interval), class_="number soft"),
            tag("td", None if name in few else bar(interval), class_="bar"),
            tag("td", MEANINGS[name]),
            tag("td", count_noun(interval.count, *_games(name, data.study.plan.unit)), class_="soft"),
        )
        for name, interval in profile.items()
    ]
    heads = ("figure", "value", "95 % interval", "from 0 to 1", "meaning", "based on")
    numbers = ("value", "95 % interval")
    head = tag("tr", *(tag("th", w, scope="col", class_="number" if w in numbers else None) for w in heads))
    missing = why_missing(data)
    shown = [missing] * bool(missing) + [note for note in data.summary.notes if "need --players" not in note]
    notes = [tag("li", capitalize_first(note) + ".") for note in shown]
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="heuristics")
    return join(
        tag("div", table, class_="scroll", tabindex="0"),
        tag("ul", *notes, class_="hint") if notes else None,
        command_line(data.study_command()),
    )


def _games(name: str, unit: str) -> tuple[str, str]:
    if name in OF_RANDOM:
        return f"random {unit}", f"random {unit}s"
    if name in OF_ORDER:
        return f"{unit} against random", f"{unit}s against random"
    if name in OF_SKILL:
        return "deal, twice", "deals, twice"
    return f"{unit} of search players", f"{unit}s of search players"


def bar(interval: Interval) -> Html:
    """A small drawing of a figure and its interval from 0 to 1; a value outside is an arrow at the end."""

    def at(value: float) -> float:
        return 8 + 104 * min(1.0, max(0.0, value))

    drawn = [
        tag("path", d="M8 8H112", class_="scale"),
        tag("path", d="M8 4V12M60 6V10M112 4V12", class_="scale"),
    ]
    mean, low, high = interval.mean, interval.low, interval.high
    if low is not None and high is not None and low < 1 and high > 0:
        drawn.append(tag("path", d=f"M{at(low):.1f} 8H{at(high):.1f}", class_="interval"))
    if mean is not None and mean < -5e-7:
        drawn.append(tag("path", d="M8 3.5V12.5L1 8Z", class_="beyond"))
    elif mean is not None and mean > 1 + 5e-7:
        drawn.append(tag("path", d="M112 3.5V12.5L119 8Z", class_="beyond"))
    elif mean is not None:
        drawn.append(tag("circle", cx=at(mean), cy=8.0, r=3.6))
    return tag("svg", *drawn, class_="mini", viewBox="0 0 120 16", aria_hidden="true")


def _skill(data: PageData) -> Html | None:
    run, skill = data.study.skill, data.summary.skill
    if data.summary.searching is None or run is None or not run.results.deals:
        return None
    one, other = run.contest.labels
    (pair,) = run.results.pairs()
    first = (pair.ahead.mean or 0) >= 0
    ahead = pair.ahead if first else pair.turned.ahead
    deals = run.results.deals
    sentences = (
        f"Two players, “{one}” and “{other}”, played {count_noun(deals, 'deal')} twice each, seats "
        f"exchanged; “{one if first else other}” came out ahead by {format_interval(ahead, 2)} points "
        "per deal."
    )
    names = [player.name for player in data.study.plan.players]
    note = player_note(*names)
    if skill is None:
        return join(
            tag("p", sentences, " Every deal had the same result, so there is no variance to explain."), note
        )
    if not skill.enough:
        few = f" {count_noun(deals, 'deal')} are too few to show the shares of skill and luck: at least "
        return join(tag("p", sentences, f"{few}{FEWEST_DEALS} are needed."), note)
    shares = (
        ("who plays", skill.line_up, "c0"),
        ("the deal", skill.deal, "c1"),
        ("the rest", skill.rest, "c7"),
    )
    key = [tag("li", tag("i", class_=f"key {css}"), f"{w} {format_share(one)}") for w, one, css in shares]
    drawn = shares_bar([(words, interval.mean or 0.0, css) for words, interval, css in shares])
    return join(
        tag(
            "p",
            sentences,
            " Skill (which player sits where) explains this share of the variance of results: ",
            format_share(skill.line_up),
            ".",
        ),
        note,
        tag(
            "figure",
            tag("div", drawn, class_="frame"),
            tag(
                "figcaption",
                tag("ul", *key, class_="inline key"),
                tag(
                    "p",
                    "The rest is chance during play, and cards that suit one player better than the other.",
                ),
                command_line(data.study_command()),
            ),
        ),
    )


def shares_bar(shares: list[tuple[str, float, str]]) -> Html:
    """One bar, divided by what explains the results."""
    drawn, x = [], 0.0
    for words, part, css in shares:
        width = 600 * part
        if width > 0:
            about = tag("title", words)
            drawn.append(tag("rect", about, class_=css, x=x, y=0.0, width=max(0.5, width - 2), height=34.0))
        x += width
    said = ", ".join(f"{words} {100 * part:.0f} %" for words, part, _ in shares)
    finding = f"What explains the variance of results: {said}."
    return picture("shares", 600, 34, "Skill against luck", finding, drawn, "shares")
