"""`upcard verify`: runs both engines side by side and compares everything."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

import typer

from upcard.cli import options
from upcard.cli.cluster_workers import open_workers
from upcard.cli.console import (
    FAILURE,
    INTERRUPTED,
    MISUSE,
    Stop,
    load_game,
    parse_pairs,
    report_errors,
)
from upcard.cli.progress import progress
from upcard.output import say, say_lines

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.library.rule_combinations import Combination
    from upcard.parallel.workers import Workers
    from upcard.verify.engines import Difference

GAMES, GAMES_A_COMBINATION = 100, 5
Found = TypeVar("Found")


def verify(
    game: options.Game,
    games: options.VerifiedGames = None,
    seed: options.Seed = 0,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    base: options.Base = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    all_rules: bool = typer.Option(
        False, "--all-rules", help="Try every combination of the house rules that --rule leaves open."
    ),
    rule_pairs: bool = typer.Option(
        False, "--rule-pairs", help="Try a few combinations that contain every pair of choices."
    ),
) -> None:
    """Compare both engines at every decision of random games.

    The exit code is 1 if the engines differ.

    Examples:
        upcard verify euchre
        upcard verify euchre --rule-pairs --games 1
    """
    if all_rules and rule_pairs:
        raise Stop(MISUSE, "--all-rules includes every pair; leave out --rule-pairs")
    if not (all_rules or rule_pairs):
        with report_errors(), open_workers(workers, cluster) as opened:
            _verify_game(game, games or GAMES, seed, overrides, rules, base, opened)
        return
    if base is not None:
        raise Stop(MISUSE, "--base cannot be combined with --all-rules or --rule-pairs; leave it out")
    with report_errors(), open_workers(workers, cluster) as opened:
        _verify_house_rules(game, games or GAMES_A_COMBINATION, seed, overrides, rules, opened, all_rules)


def _verify_game(
    game: str,
    games: int,
    seed: int,
    overrides: list[str] | None,
    rules: list[str] | None,
    base: int | None,
    workers: Workers,
) -> None:
    from upcard.engine.native.game import NativeGame
    from upcard.verify.engines import PIECE
    from upcard.verify.engines import verify as compare

    workers = workers or (os.cpu_count() or 1 if games > 4 * PIECE else 1)
    loaded = load_game(game, overrides, rules, base)
    assert isinstance(loaded, NativeGame)
    loaded.stepping, loaded.playing  # noqa: B018  (compile once here; the workers find it in the cache)
    compared = compare(loaded, games, seed, workers)
    differences, _ = _first_difference(compared, games, PIECE, 2 * PIECE, f"{games} games", workers)
    if not differences:
        say(f"{loaded.name}: {games:,} games, no difference")
        return
    _print_difference(differences[0], loaded)


def _verify_house_rules(
    game: str,
    games: int,
    seed: int,
    overrides: list[str] | None,
    rules: list[str] | None,
    workers: Workers,
    all_rules: bool,
) -> None:
    from upcard.engine.native.game import NativeGame
    from upcard.library.rule_combinations import all_combinations, pairwise_combinations
    from upcard.parallel.workers import at_most
    from upcard.verify.engines import verify_rules

    loaded = load_game(game, overrides, rules, None)
    assert isinstance(loaded, NativeGame)
    sheet = loaded.narrator.sheet
    if sheet is None or not sheet.house_rules:
        raise Stop(MISUSE, f"{loaded.name} has no house rules; leave --all-rules and --rule-pairs out")
    fixed = parse_pairs(rules, "--rule")
    if all_rules:
        combinations = all_combinations(sheet.house_rules, fixed)
    else:
        combinations = pairwise_combinations(sheet.house_rules, seed, fixed)
    workers = at_most(workers or os.cpu_count() or 1, len(combinations))
    compared = verify_rules(loaded, combinations, games, seed, workers)
    what = f"{len(combinations):,} combinations of house rules"
    difference, done = _first_difference(compared, len(combinations), 1, 3, what, workers)
    if difference is None:
        each = f"{games:,} game{'s' if games != 1 else ''} each"
        say(f"{loaded.name}: {what}, {each}, no difference")
        return
    _print_difference(difference, loaded, combinations[done])


def _first_difference(
    compared: Iterable[Found], total: int, step: int, minimum: int, what: str, workers: Workers
) -> tuple[Found | None, int]:
    """The first result that is not empty, and how many comparisons before it found no difference.

    A result stands for `step` comparisons; more than `minimum` of them show a progress bar.
    """
    done = 0
    try:
        with progress("comparing", total, minimum, workers) as advance:
            for result in compared:
                if result:
                    return result, done
                size = min(step, total - done)
                done += size
                advance(size)
    except KeyboardInterrupt:
        say(f"upcard: interrupted after {done} of {what} without a difference", error=True)
        raise typer.Exit(INTERRUPTED) from None
    return None, done


def _print_difference(difference: Difference, loaded: LoadedGame, rules: Combination | None = None) -> None:
    say_lines(str(difference))
    line = loaded.program.source.text.split("\n")[difference.line - 1]
    say(f"  {difference.line:>4} | {line.expandtabs()}")
    if rules is not None:
        say("  with " + " ".join(f"--rule {shlex.quote(f'{k}={v}')}" for k, v in rules.items()))
    raise typer.Exit(FAILURE)
