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


def show(
    run: Run, seconds: float, rated: list[Rating] | None, unrated: str, ladder: bool, kept: bool
) -> None:
    """`kept`: whether there is a record."""
    contest, results = run.contest, run.results
    names = [shown(label) for label in contest.labels]
    sheet = contest.table.game.narrator.sheet
    title, deal = (sheet.title, sheet.deal_word) if sheet else (contest.table.game.name, "deal")
    word = "match" if contest.matches else deal
    won = f"{_plural(word)} won"
    say(f"{title}: {_many(results.deals, word)}, {_many(len(results.games), 'game')} in {seconds:.1f} s")
    if run.resumed:
        say(f"  {_many(run.resumed, 'game')} taken from the record")
    for line in trust_lines(contest.table, kept):
        say(f"  {line}")
    if not results.deals:
        _forfeits(run, word)
        return
    standings = [results.standing(player) for player in range(len(names))]
    if ladder:
        _rungs(names, results.pairs(), standings, deal, won)
    else:
        _standings(names, standings, deal, won)
        for pair in results.pairs():
            say(f"  {_compared(names, pair, deal)} on the same {_plural(word)}{_doubt(pair)}")
        _places(contest.places, names, standings)
    if rated is not None:
        told = ", ".join(
            f"{names[found.player]} {found.skill:.1f} ± {2 * found.doubt:.1f}" for found in rated
        )
        say(f"  ratings  {told}")
    if unrated:
        say(f"  {unrated}")
    if run.stopping is not None:
        _stopping(run, word)
    cut = [f"{count:,} {word}" for word, count in results.endings.items() if word in UNUSUAL]
    if cut:
        say(f"  endings  {', '.join(cut)}, scored as they stood")
    for s in standings:
        if s.guessed:
            how_often = f"{names[s.player]} at {s.guessed:,} of {s.decisions:,} decisions"
            say(f"  guessed  {how_often}: it found no deal that explains all it saw")
    _forfeits(run, word)


def _standings(names: list[str], standings: list[Standing], deal: str, won: str) -> None:
    width = max(len(name) for name in names)
    say(f"  {'':<{width}}  {f'points a {deal}':>18}  {won:>22}  decisions a second")
    for s in standings:
        points, share = _plus_minus(s.points), _percent(s.share)
        say(f"  {names[s.player]:<{width}}  {points:>18}  {share:>22}  {_speed(s):>18}")


def _rungs(names: list[str], pairs: list[Pair], standings: list[Standing], deal: str, won: str) -> None:
    """Each level against the one below it."""
    width = max(len(f"{a} over {b}") for a in names for b in names)
    say(f"  {'':<{width}}  {f'points a {deal} ahead':>21}  {won:>22}  decisions a second")
    for pair in pairs:
        below, above = pair.players
        rung = f"{names[above]} over {names[below]}"
        ahead, share = _plus_minus(pair.turned.ahead), _percent(pair.turned.share)
        say(f"  {rung:<{width}}  {ahead:>21}  {share:>22}  {_speed(standings[above]):>18}{_doubt(pair)}")


def _compared(names: list[str], pair: Pair, deal: str) -> str:
    ahead = pair.ahead
    assert ahead.mean is not None
    a, b = (names[player] for player in pair.players)
    doubt = "" if ahead.half is None else f" ± {ahead.half:.3f}"
    lead = f"{abs(ahead.mean):.3f}{doubt} points a {deal}"
    if ahead.mean == 0:
        return f"{a} and {b} are even, {lead},"
    return f"{a} is ahead of {b} by {lead}" if ahead.mean > 0 else f"{b} is ahead of {a} by {lead}"


def _doubt(pair: Pair) -> str:
    ahead = pair.ahead
    if not ahead.mean or (ahead.low is not None and ahead.high is not None and ahead.low * ahead.high > 0):
        return ""
    return "; that may be chance"


def _places(places: list[str], names: list[str], standings: list[Standing]) -> None:
    width = max(len(name) for name in (*names, "by seat"))
    columns = [max(len(place), 16) for place in places]
    heads = "  ".join(f"{place:>{column}}" for place, column in zip(places, columns, strict=True))
    say(f"  {'by seat':<{width}}  {heads}")
    for s in standings:
        cells = "  ".join(
            f"{_plus_minus(found):>{column}}" for found, column in zip(s.at_places, columns, strict=True)
        )
        say(f"  {names[s.player]:<{width}}  {cells}")


def _stopping(run: Run, word: str) -> None:
    from upcard.stats.sprt import BOUND

    found = run.stopping
    assert found is not None
    if found.decided is None:
        say(f"  sprt  undecided after {_many(found.after, word)}: {found.llr:+.2f} of ±{BOUND:.2f}")
    else:
        claim = found.high if found.decided == "high" else found.low
        say(f"  sprt  {found.decided} ({claim:g}) after {_many(found.after, word)}")


def _forfeits(run: Run, word: str) -> None:
    from upcard.arena.results import forfeit_json

    games = run.results.forfeits
    if not games:
        return
    say(f"  forfeited  {_many(len(games), 'game')}")
    for game in games[:SHOWN_FORFEITS]:
        assert game.forfeit is not None
        about = forfeit_json(run.contest, game)
        within = f", its deal {about['dealt'] - 1}" if run.contest.matches else ""
        where = f"{word} {game.deal}{within}, decision {about['decision']}"
        player = run.contest.labels[game.forfeit.player]
        say(f"    {where}: {player} ({about['place']}) {about['why']}")
    if len(games) > SHOWN_FORFEITS:
        say(f"    and {len(games) - SHOWN_FORFEITS:,} more; --json lists them all")


def _plus_minus(found: Interval) -> str:
    if found.mean is None:
        return "-"
    return shown(f"{found.mean:.3f}" + ("" if found.half is None else f" ± {found.half:.3f}"))


def _percent(found: Interval) -> str:
    if found.mean is None:
        return "-"
    if found.low is None or found.high is None:
        return f"{100 * found.mean:.1f} %"
    return f"{100 * found.mean:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"


def _speed(standing: Standing) -> str:
    return f"{standing.decisions / standing.seconds:,.0f}" if standing.seconds else "-"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word if count == 1 else _plural(word)}"


def _plural(word: str) -> str:
    return f"{word}es" if word.endswith("ch") else f"{word}s"
