"""Prints the results of a contest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.cli.trust import trust_lines
from upcard.output import say, shown

if TYPE_CHECKING:
    from upcard.arena.contest_run import Run
    from upcard.arena.ratings import Rating
    from upcard.arena.results import Pair, Standing
    from upcard.stats.intervals import Interval

SHOWN_FORFEITS = 10
UNUSUAL = ("stuck", "cut_off", "unfinished")


def print_report(
    run: Run, seconds: float, ratings: list[Rating] | None, why_unrated: str, ladder: bool, recorded: bool
) -> None:
    """Print everything about a contest. `recorded`: whether its games are in a file."""
    contest, results = run.contest, run.results
    names = [shown(label) for label in contest.labels]
    sheet = contest.table.game.narrator.sheet
    title, deal = (sheet.title, sheet.deal_word) if sheet else (contest.table.game.name, "deal")
    unit = "match" if contest.matches else deal
    won_title = f"{_plural(unit)} won"
    say(f"{title}: {_count(results.deals, unit)}, {_count(len(results.games), 'game')} in {seconds:.1f} s")
    if run.resumed:
        say(f"  {_count(run.resumed, 'game')} taken from the record")
    for line in trust_lines(contest.table, recorded):
        say(f"  {line}")
    if not results.deals:
        _print_forfeits(run, unit)
        return
    standings = [results.standing(player) for player in range(len(names))]
    if ladder:
        _print_ladder(names, results.pairs(), standings, deal, won_title)
    else:
        _print_standings(names, standings, deal, won_title)
        for pair in results.pairs():
            say(f"  {_lead_sentence(names, pair, deal)} on the same {_plural(unit)}{_caveat(pair)}")
        _print_seats(contest.places, names, standings)
    if ratings is not None:
        rated = (f"{names[rating.player]} {rating.skill:.1f} ± {2 * rating.doubt:.1f}" for rating in ratings)
        say(f"  ratings  {', '.join(rated)}")
    if why_unrated:
        say(f"  {why_unrated}")
    if run.stopping is not None:
        _print_sprt(run, unit)
    unusual = [f"{count:,} {ending}" for ending, count in results.endings.items() if ending in UNUSUAL]
    if unusual:
        say(f"  endings  {', '.join(unusual)}, scored as they stood")
    for s in standings:
        if s.guessed:
            how_often = f"{names[s.player]} at {s.guessed:,} of {s.decisions:,} decisions"
            say(f"  guessed  {how_often}: it found no deal that fits all it saw")
    _print_forfeits(run, unit)


def _print_standings(names: list[str], standings: list[Standing], deal: str, won_title: str) -> None:
    width = max(len(name) for name in names)
    say(f"  {'':<{width}}  {f'points a {deal}':>18}  {won_title:>22}  decisions a second")
    for s in standings:
        points, share = _plus_minus(s.points), _percent(s.share)
        say(f"  {names[s.player]:<{width}}  {points:>18}  {share:>22}  {_speed(s):>18}")


def _print_ladder(
    names: list[str], pairs: list[Pair], standings: list[Standing], deal: str, won_title: str
) -> None:
    """Each level against the one below it."""
    width = max(len(f"{a} over {b}") for a in names for b in names)
    say(f"  {'':<{width}}  {f'points a {deal} ahead':>21}  {won_title:>22}  decisions a second")
    for pair in pairs:
        below, above = pair.players
        rung = f"{names[above]} over {names[below]}"
        ahead, share = _plus_minus(pair.turned.ahead), _percent(pair.turned.share)
        say(f"  {rung:<{width}}  {ahead:>21}  {share:>22}  {_speed(standings[above]):>18}{_caveat(pair)}")


def _lead_sentence(names: list[str], pair: Pair, deal: str) -> str:
    ahead = pair.ahead
    assert ahead.mean is not None
    a, b = (names[player] for player in pair.players)
    doubt = "" if ahead.half is None else f" ± {ahead.half:.3f}"
    lead = f"{abs(ahead.mean):.3f}{doubt} points a {deal}"
    if ahead.mean == 0:
        return f"{a} and {b} are even, {lead},"
    return f"{a} is ahead of {b} by {lead}" if ahead.mean > 0 else f"{b} is ahead of {a} by {lead}"


def _caveat(pair: Pair) -> str:
    ahead = pair.ahead
    if not ahead.mean or (ahead.low is not None and ahead.high is not None and ahead.low * ahead.high > 0):
        return ""
    return "; that may be chance"


def _print_seats(places: list[str], names: list[str], standings: list[Standing]) -> None:
    width = max(len(name) for name in (*names, "by seat"))
    columns = [max(len(place), 16) for place in places]
    heads = "  ".join(f"{place:>{column}}" for place, column in zip(places, columns, strict=True))
    say(f"  {'by seat':<{width}}  {heads}")
    for s in standings:
        cells = "  ".join(
            f"{_plus_minus(interval):>{column}}"
            for interval, column in zip(s.at_places, columns, strict=True)
        )
        say(f"  {names[s.player]:<{width}}  {cells}")


def _print_sprt(run: Run, unit: str) -> None:
    from upcard.stats.sprt import BOUND

    test = run.stopping
    assert test is not None
    if test.decided is None:
        say(f"  sprt  undecided after {_count(test.after, unit)}: {test.llr:+.2f} of ±{BOUND:.2f}")
    else:
        claim = test.high if test.decided == "high" else test.low
        say(f"  sprt  {test.decided} ({claim:g}) after {_count(test.after, unit)}")


def _print_forfeits(run: Run, unit: str) -> None:
    from upcard.arena.results import forfeit_json

    games = run.results.forfeits
    if not games:
        return
    say(f"  forfeited  {_count(len(games), 'game')}")
    for game in games[:SHOWN_FORFEITS]:
        assert game.forfeit is not None
        about = forfeit_json(run.contest, game)
        within = f", its deal {about['dealt'] - 1}" if run.contest.matches else ""
        where = f"{unit} {game.deal}{within}, decision {about['decision']}"
        player = run.contest.labels[game.forfeit.player]
        say(f"    {where}: {player} ({about['place']}) {about['why']}")
    if len(games) > SHOWN_FORFEITS:
        say(f"    and {len(games) - SHOWN_FORFEITS:,} more; --json lists them all")


def _plus_minus(interval: Interval) -> str:
    if interval.mean is None:
        return "-"
    return shown(f"{interval.mean:.3f}" + ("" if interval.half is None else f" ± {interval.half:.3f}"))


def _percent(interval: Interval) -> str:
    if interval.mean is None:
        return "-"
    if interval.low is None or interval.high is None:
        return f"{100 * interval.mean:.1f} %"
    return f"{100 * interval.mean:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def _speed(standing: Standing) -> str:
    return f"{standing.decisions / standing.seconds:,.0f}" if standing.seconds else "-"


def _count(count: int, unit: str) -> str:
    return f"{count:,} {unit if count == 1 else _plural(unit)}"


def _plural(unit: str) -> str:
    return f"{unit}es" if unit.endswith("ch") else f"{unit}s"
