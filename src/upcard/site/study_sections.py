"""Sections of a page with the results of a study."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.site.inline_figures import inline
from upcard.site.markup import Html, joined, tag
from upcard.site.number_text import capital, counted, ends, share, told
from upcard.site.page_data import Made
from upcard.site.page_frame import Section, figure, typed
from upcard.stats.interval_text import percent
from upcard.stats.intervals import Interval
from upcard.study.figures.figure_set import Drawing, parts
from upcard.study.figures.figure_style import LIGHT, as_svg
from upcard.study.statistics import Counted
from upcard.study.study_summary import MEANINGS

ACROSS = 5.4
"""Inches: narrower than in files, so that words can be read on a telephone."""
SHAPES = {"branching": 3.5, "leading": 3.2, "length": 2.6, "lead-history": 3.4, "spread": 3.3}
"""How high, in inches, where it does not depend on the game."""
NOT_COUNTED = "No game could be counted, so there is nothing to show."
OF_RANDOM = ("fairness", "convergence", "forced", "ties")
OF_ORDER = ("order",)
OF_SKILL = ("skill", "luck")


def number_sections(made: Made) -> Iterator[Section]:
    drawn = parts(made.summed)
    yield Section("branching", "Branching factor", _branching(made, drawn))
    yield Section("leading", "Leader against followers", _leading(made, drawn))
    yield Section("length", "Length", _length(made, drawn))
    yield Section("scores", "Scores by seat", _scores(made, drawn))
    yield Section("spread", "Decision spread", _spread(made, drawn))
    yield Section("lead-history", "Lead history", _history(made, drawn))
    yield Section("heuristics", "Heuristics", _heuristics(made))
    yield Section("skill", "Skill against luck", _skill(made))


def plot(made: Made, drawn: dict[str, Drawing], name: str, searching: bool) -> Html:
    """A figure of the study with its words and the command that draws it into a folder."""
    one = drawn[name]
    high = SHAPES.get(name, one.size[1] * 0.75)
    said: list[str] = []
    picture = as_svg(lambda figure, theme: said.append(one.into(figure, theme)), LIGHT, (ACROSS, high))
    about = said[0].replace("\n", "; " if "; " in said[0] else ", ").replace(",;", ";")
    shown = inline(picture, name, f"{one.title}. {about}")
    drawn_into = f"{made.found.name}/figures/{name}.svg"
    return figure(shown, tag("p", capital(about) + "."), made.study_command(searching), into=drawn_into)


# --- random players ------------------------------------------------------------------------------


def _branching(made: Made, drawn: dict[str, Drawing]) -> Html:
    seen = made.summed.random
    if seen is None:
        return tag("p", NOT_COUNTED)
    narrowing = seen.convergence.mean or 0.0
    flat = (
        "choices narrow"
        if narrowing > 0.505
        else "choices widen"
        if narrowing < 0.495
        else "choices stay level"
    )
    return joined(
        tag(
            "p",
            f"Random players had {told(seen.choices, 2)} choices a decision, and {percent(seen.forced)} of "
            f"decisions were forced. As the game goes on, {flat}: convergence is "
            f"{told(seen.convergence, 3)}, where one half is flat.",
        ),
        plot(made, drawn, "branching", False),
    )


def _leading(made: Made, drawn: dict[str, Drawing]) -> Html:
    if made.summed.random is None:
        return tag("p", NOT_COUNTED)
    if "leading" in drawn:
        return plot(made, drawn, "leading", False)
    if made.summed.rounds is None:
        return tag(
            "p",
            "This is no trick game, or not one that says so: no stage with decisions of several seats runs "
            "again and again inside another, so no rounds can be told.",
        )
    return tag("p", "In every round all have as many choices as whoever decides first.")


def _length(made: Made, drawn: dict[str, Drawing]) -> Html:
    seen = made.summed.random
    if seen is None:
        return tag("p", NOT_COUNTED)
    least, most = seen.ends
    said = f"A random game has {told(seen.length, 1)} decisions, from {least} to {most}."
    if least == most:
        said = f"Every random game has {counted(least, 'decision')}."
    searching = made.summed.searching
    if searching is not None:
        said += f" Between searching players it has {told(searching.length, 1)}."
    return joined(tag("p", said), plot(made, drawn, "length", searching is not None))


def _scores(made: Made, drawn: dict[str, Drawing]) -> Html:
    seen = made.summed.random
    if seen is None:
        return tag("p", NOT_COUNTED)
    return joined(_seats(made, seen), plot(made, drawn, "scores", False))


def _seats(made: Made, seen: Counted) -> Html:
    partners = any(len(side) > 1 for side in seen.sides)
    rows = []
    for seat in range(seen.seats):
        side = next(number for number, members in enumerate(seen.sides) if seat in members)
        rows.append(
            tag(
                "tr",
                tag("th", made.game.narrator.seat(seat), scope="row"),
                tag("td", told(seen.score(seat), 2), class_="number"),
                tag("td", percent(seen.first_place(side)), class_="number"),
            )
        )
    heads = ("seat", "mean score", "its side wins" if partners else "wins")
    head = tag(
        "tr", *(tag("th", word, scope="col", class_="number" if n else None) for n, word in enumerate(heads))
    )
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="scroll")


# --- searching players ---------------------------------------------------------------------------


def _missing(made: Made) -> Html | None:
    """Why there is nothing of searching players."""
    if made.summed.searching is not None:
        return None
    if made.unsearched:
        return tag("p", f"Nothing to show: {made.unsearched}.")
    if not made.study.plan.players:
        return tag("p", "Nothing to show: this page was made of random players only.")
    return tag("p", NOT_COUNTED)


def _spread(made: Made, drawn: dict[str, Drawing]) -> Html:
    missing = _missing(made)
    if missing is not None:
        return missing
    if "spread" not in drawn:
        return tag(
            "p", _silent(made, "no decision mattered: every alternative was thought as good as the other")
        )
    assert made.summed.searching is not None
    return joined(
        tag(
            "p",
            "How much a decision matters: what the best alternative was thought to be worth, less the "
            "worst. The mean over all decisions, forced ones counting nothing, is "
            f"{told(made.summed.searching.spread, 3)}.",
        ),
        plot(made, drawn, "spread", True),
    )


def _history(made: Made, drawn: dict[str, Drawing]) -> Html:
    missing = _missing(made)
    if missing is not None:
        return missing
    if "lead-history" not in drawn:
        alone = (
            "there is one player, and nobody to lead" if made.game.seats == 1 else "every decision was forced"
        )
        return tag("p", _silent(made, alone))
    seen = made.summed.searching
    assert seen is not None
    return joined(
        tag(
            "p",
            "How those who ended first, second, … had been expected to end, while the game went on. "
            f"Winners were ahead for {percent(seen.security)} of the time (security); drama is "
            f"{told(seen.drama, 3)}.",
        ),
        plot(made, drawn, "lead-history", True),
    )


def _silent(made: Made, otherwise: str) -> str:
    seen = made.summed.searching
    name = made.study.plan.players[0].name
    silent = seen is not None and seen.spread.mean is None
    return f"Nothing to show: {f'{name} tells no estimates' if silent else otherwise}."


# --- heuristics ----------------------------------------------------------------------------------


def _heuristics(made: Made) -> Html:
    profile = made.summed.profile
    if not profile:
        return tag("p", NOT_COUNTED)
    rows = [
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", f"{found.mean:.3f}".replace("-", "−"), class_="number"),
            tag("td", ends(found), class_="number soft"),
            tag("td", bar(found), class_="bar"),
            tag("td", MEANINGS[name]),
            tag("td", counted(found.count, *_games(name)), class_="soft"),
        )
        for name, found in profile.items()
    ]
    heads = ("figure", "value", "95 % interval", "from 0 to 1", "what it says", "from")
    numbers = ("value", "95 % interval")
    head = tag("tr", *(tag("th", w, scope="col", class_="number" if w in numbers else None) for w in heads))
    notes = [tag("li", note + ".") for note in made.summed.notes]
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="heuristics")
    return joined(
        tag("div", table, class_="scroll", tabindex="0"),
        tag("ul", *notes, class_="hint") if notes else None,
        typed(made.study_command()),
    )


def _games(name: str) -> tuple[str, str]:
    if name in OF_RANDOM:
        return "random game", "random games"
    if name in OF_ORDER:
        return "game against random", "games against random"
    if name in OF_SKILL:
        return "deal, twice", "deals, twice"
    return "searching game", "searching games"


def bar(found: Interval) -> Html:
    """Where a figure and its interval lie between 0 and 1."""

    def at(value: float) -> float:
        return 5 + 110 * min(1.0, max(0.0, value))

    drawn = [
        tag("path", d="M5 8H115", class_="scale"),
        tag("path", d="M5 4V12M60 6V10M115 4V12", class_="scale"),
    ]
    if found.low is not None and found.high is not None:
        drawn.append(tag("path", d=f"M{at(found.low):.1f} 8H{at(found.high):.1f}", class_="interval"))
    if found.mean is not None:
        drawn.append(tag("circle", cx=at(found.mean), cy=8.0, r=3.6))
    return tag("svg", *drawn, class_="mini", viewBox="0 0 120 16", aria_hidden="true")


def _skill(made: Made) -> Html:
    missing = _missing(made)
    if missing is not None:
        return missing
    run, skill = made.study.skill, made.summed.skill
    if run is None or not run.results.deals:
        return tag("p", "There is nobody to play against, so skill has nothing to show itself in.")
    one, other = run.contest.labels
    (pair,) = run.results.pairs()
    first = (pair.ahead.mean or 0) >= 0
    ahead = pair.ahead if first else pair.turned.ahead
    said = (
        f"Two players, {one} and {other}, played {counted(run.results.deals, 'deal')} twice each, seats "
        f"exchanged; {one if first else other} came out ahead by {told(ahead, 2)} points a deal."
    )
    if skill is None:
        return tag("p", said, " Every game came to the same, so there is nothing to explain.")
    shares = (
        ("who plays", skill.line_up, "c0"),
        ("the deal", skill.deal, "c1"),
        ("the rest", skill.rest, "c7"),
    )
    return joined(
        tag("p", said, " Of the variance of results, who plays explains ", share(skill.line_up), "."),
        tag(
            "figure",
            tag(
                "div",
                shares_bar([(words, found.mean or 0.0, css) for words, found, css in shares]),
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
                            f"{words} {share(found)}",
                        )
                        for words, found, css in shares
                    ),
                    class_="inline key",
                ),
                tag("p", "The rest is chance in play, and cards that suit one player more than the other."),
                typed(made.study_command()),
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
