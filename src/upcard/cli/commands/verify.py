"""`upcard verify`: runs both engines side by side and compares everything."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import typer

from upcard.cli.console import MISUSE, NO, Stop, load, pairs, path_or_name, sentences
from upcard.cli.options import Base, Game, Given, Rules, Seed, Workers, at_least
from upcard.cli.progress import progress
from upcard.output import say, say_lines

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.library.rule_combinations import Combination
    from upcard.verify.engines import Difference

GAMES, GAMES_A_COMBINATION = 100, 5


def verify(
    game: Game,
    games: int = typer.Option(
        None,
        "--games",
        callback=at_least(1),
        help=f"How many games: {GAMES}, or {GAMES_A_COMBINATION} a combination of house rules.",
    ),
    seed: Seed = 0,
    given: Given = None,
    rules: Rules = None,
    base: Base = None,
    workers: Workers = None,
    all_rules: bool = typer.Option(
        False, "--all-rules", help="Every combination of the house rules; those given with --rule stay."
    ),
    rule_pairs: bool = typer.Option(
        False, "--rule-pairs", help="Few combinations that have every pair of choices among them."
    ),
) -> None:
    """Play both engines side by side and compare everything at every decision. Exit 1 at a difference."""
    if all_rules and rule_pairs:
        raise Stop(MISUSE, "--all-rules has every pair already; leave --rule-pairs out")
    if not (all_rules or rule_pairs):
        _verify_one(game, games or GAMES, seed, given, rules, base, workers)
        return
    if base is not None:
        raise Stop(MISUSE, "--base goes with one game; leave it out to verify its house rules")
    _verify_house(game, games or GAMES_A_COMBINATION, seed, given, rules, workers, all_rules)


def _verify_one(
    game: str,
    games: int,
    seed: int,
    given: list[str] | None,
    rules: list[str] | None,
    base: int | None,
    workers: int | None,
) -> None:
    from upcard.engine.native.game import NativeGame
    from upcard.verify.engines import PIECE
    from upcard.verify.engines import verify as compare

    workers = workers or (os.cpu_count() or 1 if games > 4 * PIECE else 1)
    done = 0
    with sentences():
        loaded = load(game, given, rules, base)
        assert isinstance(loaded, NativeGame)
        loaded.stepping, loaded.playing  # noqa: B018  (compiled once here, found in the cache by every worker)
        try:
            with progress("comparing", games, least=2 * PIECE) as advance:
                for differences in compare(loaded, games, seed, workers):
                    if differences:
                        break
                    size = min(PIECE, games - done)
                    done += size
                    advance(size)
                else:
                    say(f"{loaded.name}: {games:,} games, no difference")
                    return
        except KeyboardInterrupt:
            say(f"upcard: interrupted after {done} of {games} games without a difference", error=True)
            raise typer.Exit(130) from None
    _tell(differences[0], loaded)


def _verify_house(
    game: str,
    games: int,
    seed: int,
    given: list[str] | None,
    rules: list[str] | None,
    workers: int | None,
    all_rules: bool,
) -> None:
    from upcard.library.rule_combinations import all_combinations, pairwise_combinations
    from upcard.verify.engines import verify_rules

    done = 0
    with sentences():
        loaded = load(game, given, rules, None)
        sheet = loaded.narrator.sheet
        if sheet is None or not sheet.house_rules:
            raise Stop(MISUSE, f"{loaded.name} has no house rules; leave --all-rules and --rule-pairs out")
        fixed = pairs(rules, "--rule")
        if all_rules:
            combinations = all_combinations(sheet.house_rules, fixed)
        else:
            combinations = pairwise_combinations(sheet.house_rules, seed, fixed)
        workers = workers or (os.cpu_count() or 1)
        compared = verify_rules(
            path_or_name(game),
            combinations,
            games,
            seed,
            min(workers, len(combinations)),
            given=pairs(given, "--set"),
        )
        what = f"{len(combinations):,} combinations of house rules"
        try:
            with progress("comparing", len(combinations), least=3) as advance:
                for difference in compared:
                    if difference is not None:
                        break
                    done += 1
                    advance(1)
                else:
                    each = f"{games:,} game{'s' if games != 1 else ''} each"
                    say(f"{loaded.name}: {what}, {each}, no difference")
                    return
        except KeyboardInterrupt:
            say(f"upcard: interrupted after {done} of {what} without a difference", error=True)
            raise typer.Exit(130) from None
    _tell(difference, loaded, combinations[done])


def _tell(difference: Difference, loaded: LoadedGame, rules: Combination | None = None) -> None:
    say_lines(str(difference))
    line = loaded.program.source.text.split("\n")[difference.line - 1]
    say(f"  {difference.line:>4} | {line.expandtabs()}")
    if rules is not None:
        say("  with " + " ".join(f"--rule {shlex.quote(f'{k}={v}')}" for k, v in rules.items()))
    raise typer.Exit(NO)
