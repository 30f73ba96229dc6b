"""What the arena found, on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upcard.arena.figures import Interval
    from upcard.arena.ratings import Rating
    from upcard.arena.results import Standing
    from upcard.arena.running import Run

SHOWN_FORFEITS = 10


def show(run: Run, seconds: float, rated: list[Rating] | None, unrated: str) -> None:
    contest, results = run.contest, run.results
    names = contest.names
    sheet = contest.table.game.teller.sheet
    title, deal = (sheet.title, sheet.deal_word) if sheet else (contest.table.game.name, "deal")
    word = "match" if contest.matches else deal
    print(f"{title}: {_many(results.deals, word)}, {_many(len(results.games), 'game')} in {seconds:.1f} s")
    if run.resumed:
        print(f"  {_many(run.resumed, 'game')} taken from the record")
    if not results.deals:
        return
    standings = [results.standing(player) for player in range(len(names))]
    _standings(names, standings, deal, "matches won" if contest.matches else f"{deal}s won")
    for pair in results.pairs():
        _pair(names, pair.players, pair.ahead, pair.share, deal, word)
    _places(contest.places, names, standings, deal)
    if rated is not None:
        told = ", ".join(
            f"{names[found.player]} {found.skill:.1f} ± {2 * found.doubt:.1f}" for found in rated
        )
        print(f"  ratings  {told}")
    if unrated:
        print(f"  {unrated}")
    if run.stopping is not None:
        _stopping(run, word)
    _forfeits(run, word)


def _standings(names: list[str], standings: list[Standing], deal: str, won: str) -> None:
    width = max(len(name) for name in names)
    print(f"  {'':<{width}}  {f'points a {deal}':>18}  {won:>16}  decisions a second")
    for s in standings:
        speed = f"{s.decisions / s.seconds:,.0f}" if s.seconds else "-"
        print(
            f"  {names[s.player]:<{width}}  {_plus_minus(s.points):>18}  {_percent(s.share):>16}  {speed:>18}"
        )


def _pair(
    names: list[str], who: tuple[int, int], ahead: Interval, share: Interval, deal: str, word: str
) -> None:
    assert ahead.mean is not None
    a, b = names[who[0]], names[who[1]]
    lead = f"{abs(ahead.mean):.3f}" + ("" if ahead.half is None else f" ± {ahead.half:.3f}")
    if ahead.mean < 0:
        a, b = b, a
    if ahead.mean == 0:
        said = f"{a} and {b} are even: 0.000" + ("" if ahead.half is None else f" ± {ahead.half:.3f}")
    else:
        said = f"{a} is ahead of {b} by {lead}"
    clear = ahead.low is not None and ahead.high is not None and (ahead.low > 0 or ahead.high < 0)
    doubt = "" if clear or ahead.mean == 0 else "; that may be chance"
    print(f"  {said} points a {deal}, the same {word} compared{doubt}")


def _places(places: list[str], names: list[str], standings: list[Standing], deal: str) -> None:
    width = max(len(name) for name in names)
    columns = [max(len(place), 16) for place in places]
    heads = "  ".join(f"{place:>{column}}" for place, column in zip(places, columns, strict=True))
    print(f"  {'by seat':<{width}}  {heads}")
    for s in standings:
        cells = "  ".join(
            f"{_plus_minus(found):>{column}}" for found, column in zip(s.at_places, columns, strict=True)
        )
        print(f"  {names[s.player]:<{width}}  {cells}")


def _stopping(run: Run, word: str) -> None:
    found = run.stopping
    assert found is not None
    claim = {"low": found.low, "high": found.high}
    if found.decided is None:
        print(f"  sprt  undecided after {_many(found.after, word)}: {found.llr:+.2f} of ±2.94")
    else:
        print(f"  sprt  {found.decided} ({claim[found.decided]:g}) after {_many(found.after, word)}")


def _forfeits(run: Run, word: str) -> None:
    from upcard.arena.results import told

    games = run.results.forfeits
    if not games:
        return
    print(f"  forfeited  {_many(len(games), 'game')}")
    for game in games[:SHOWN_FORFEITS]:
        about = told(run.contest, game)
        within = f", {_ordinal(about['dealt'])} deal" if run.contest.matches else ""
        where = f"{word} {game.deal}{within}, decision {about['decision']}"
        print(f"    {where}: {about['player']} ({about['place']}) {about['why']}")
    if len(games) > SHOWN_FORFEITS:
        print(f"    and {len(games) - SHOWN_FORFEITS:,} more; --json lists them all")


def _plus_minus(found: Interval) -> str:
    if found.mean is None:
        return "-"
    return f"{found.mean:.3f}" + ("" if found.half is None else f" ± {found.half:.3f}")


def _percent(found: Interval) -> str:
    if found.mean is None:
        return "-"
    return f"{100 * found.mean:.1f}" + ("" if found.half is None else f" ± {100 * found.half:.1f}") + " %"


def _many(count: int, word: str) -> str:
    plural = f"{word}es" if word.endswith("ch") else f"{word}s"
    return f"{count:,} {word if count == 1 else plural}"


def _ordinal(number: int) -> str:
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"
