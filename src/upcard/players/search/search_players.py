"""Factory of search players; all of them need machine code."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from upcard.engine.native.backends.select import NoMachineCode, check_reach, choose_backend
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.game import LoadedGame
from upcard.library.sheet import SheetError
from upcard.players.levels import LEVELS, level_of
from upcard.players.protocol import Budget, Player
from upcard.players.registry import NoSuchPlayer, is_builtin, player_factory
from upcard.players.search.flat_search import PLAYOUTS
from upcard.players.search.ismcts import Ismcts
from upcard.players.search.memoryless import Blind, Mcts, MemorylessPlayer, Published, PublishedNewer
from upcard.players.search.pimc import Pimc
from upcard.players.search.quick_player import Quick
from upcard.players.search.weighted_pimc import WeightedPimc
from upcard.players.solver.exact import Blend, Exact
from upcard.recycle.diagnostics import Refused

KINDS: dict[str, type[Pimc | MemorylessPlayer]] = {
    "pimc": Pimc,
    "exact": Exact,
    "blend": Blend,
    "ismcts": Ismcts,
    "reader": WeightedPimc,
    "blind": Blind,
    "published": Published,
    "published-newer": PublishedNewer,
    "mcts": Mcts,
    "quick": Quick,
}
OWN_BUDGETS = ("published", "published-newer", "mcts", "quick")
"""They know by themselves how long to think, unless they are told."""


class NeedsMachineCode(Refused):
    """A searching player was asked for where there is none."""


@dataclass(frozen=True)
class Searcher:
    """Makes players of one kind; goes to other processes as it is."""

    kind: type[Pimc | MemorylessPlayer]
    game: NativeGame
    usual: Budget
    """What a decision is worth where no budget is given."""

    def __call__(self, seed: int, deal: int, seat: int) -> Player:
        return self.kind(self.game, seed, deal, seat, self.usual)


def searcher(name: str, game: LoadedGame) -> Searcher:
    """By kind, or by level."""
    if name in LEVELS:
        level = level_of(name, game)
        if not is_builtin(level.name):
            problem = f"names {level.name}, which another package provides; use that player's name instead"
            raise _wrong_level(name, game, problem)
        try:
            made = player_factory(level.name, game)
        except NeedsMachineCode:
            raise
        except NoSuchPlayer as error:
            raise _wrong_level(name, game, f"does not name a player: {error}") from None
        except Refused as error:
            raise _wrong_level(name, game, f"names a player of another game: {error}") from None
        if not isinstance(made, Searcher):
            raise _wrong_level(
                name, game, f'must name a player that searches, as in "pimc:1000", not {level.name}'
            )
        return replace(made, usual=level.budget)
    return searching(KINDS[name], name, game)


def _wrong_level(name: str, game: LoadedGame, problem: str) -> SheetError:
    sheet = game.narrator.sheet
    assert sheet is not None, "the usual levels are in order"
    return sheet.error(problem, "players", name)


def searching(kind: type[Pimc | MemorylessPlayer], name: str, game: LoadedGame) -> Searcher:
    """Players of a class that may be new; the name is for the sentence where there is no machine code."""
    if not isinstance(game, NativeGame):
        raise NeedsMachineCode(
            f"{name} searches with machine code, which the reference engine does not have; use "
            "--engine native"
        )
    with suppress(NoMachineCode):
        backend = choose_backend()
        try:
            check_reach(backend)
        except NoMachineCode as error:
            raise NeedsMachineCode(f"{name} searches: {error}") from None
    return Searcher(kind, game, Budget() if name in OWN_BUDGETS else Budget(PLAYOUTS))
