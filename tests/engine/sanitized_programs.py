"""Programs under the sanitizers, compared with the reference engine.

    python -m tests.engine.sanitized_programs

plays every program of `tests/lang`, with code that logs and code that does not. The suite takes a third of
them without a log, and a sixth with one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.engine import sanitized
from tests.engine.fuzz.compare import LIMITS, IllTyped, NotLowered, TooLong, by_reference, load
from tests.engine.fuzz.shape import Written

from upcard.engine.native.lower import Lowered, lower
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.simulate.random_games import play_out
from upcard.simulate.summary import Row

ROOT = Path(__file__).resolve().parents[2]
LANG = sorted((ROOT / "tests" / "lang").rglob("*.rcy"))
DEALS = 2
PARTS = 4
"""Batches of the long run."""


def small_programs(part: int, of: int) -> list[LoadedGame]:
    """Every `of`-th program of `tests/lang` that can be played, from `part` on."""
    games: list[LoadedGame] = []
    for path in LANG[part::of]:
        try:  # those that repeat something a million times would take minutes under a sanitizer
            games.append(by_reference(load(Written(path.read_text(encoding="utf-8")))).game)
        except (IllTyped, TooLong):
            continue
    return games


def stepped(game: ReferenceGame, deal: int) -> Row:
    """The alternative of the number of decisions so far, round and round."""
    state = game.deal(3, deal, limits=LIMITS, recording=False)
    choices = forced = 0
    while state.outcome is None:
        choices += state.choices
        forced += state.choices == 1
        state.play(state.decisions % state.choices)
    done = state.outcome
    return Row(done.ending, state.decisions, choices, forced, done.scores, done.winners, done.failure)


def hold(games: Sequence[LoadedGame], folder: Path, logging: bool, deals: int = DEALS) -> None:
    """Every game that can be lowered, in one batch, against the reference engine."""
    taken: list[tuple[ReferenceGame, Lowered]] = []
    for loaded in games:
        game = ReferenceGame(loaded.name, loaded.program, loaded.facts)
        try:
            taken.append((game, lower(game.program, game.facts, logging)))
        except NotLowered:
            continue
    assert taken
    found = sanitized.rows([lowered for _, lowered in taken], folder, deals, LIMITS, logging)
    for (game, _), rows in zip(taken, found, strict=True):
        for deal, row in enumerate(rows):
            expected = stepped(game, deal) if logging else play_out(game, 3, deal, LIMITS)
            failure = expected.failure
            where = failure and (failure.line, failure.column)
            mine = (
                expected.ending,
                expected.decisions,
                expected.choices,
                expected.forced,
                expected.scores,
                where,
            )
            assert row == mine, f"{game.name}, deal {deal}"


def main() -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    reason = sanitized.why_not()
    if reason is not None:
        print(reason, file=sys.stderr)
        return 2
    for part in range(PARTS):
        games = small_programs(part, PARTS)
        for logging in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                hold(games, Path(folder), logging)
            how = "with a log" if logging else "without a log"
            print(f"part {part + 1} of {PARTS}, {how}: {len(games)} programs", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
