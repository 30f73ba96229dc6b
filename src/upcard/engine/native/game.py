"""A loaded program played by machine code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.engine.api import Given, Limits, Stacked
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.fork import ForkSafeLock
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.lazy import lazy_property

if TYPE_CHECKING:
    from upcard.engine.native.event_log import Words
    from upcard.engine.native.seat_view.view_code import SeatViews
    from upcard.engine.native.state import NativeState
    from upcard.engine.native.stepping_code import Compiled
    from upcard.engine.reference import ReferenceGame


class NativeGame(LoadedGame):
    """Compiles its code, or takes it from the cache, on first use.

    The compiler is imported only then: cached random games do without it.
    """

    engine = "native"
    _compiling = ForkSafeLock()
    """Threads that need a game's code at the same time compile it once."""

    @lazy_property
    def stepping(self) -> Compiled:
        """Code that logs events, for playing one decision at a time."""
        return self._compile("stepping", logging=True)

    @lazy_property
    def playing(self) -> Compiled:
        """Code without a log, for playing whole games. The state layout is that of `stepping`."""
        return self._compile("playing", logging=False)

    def _compile(self, name: str, logging: bool) -> Compiled:
        from upcard.engine.native.stepping_code import Compiled

        with self._compiling:
            known: Compiled | None = self.__dict__.get(name)  # another thread may have compiled it meanwhile
            return known or self.__dict__.setdefault(name, Compiled(self.program, self.facts, logging))

    @lazy_property
    def words(self) -> Words:
        from upcard.engine.native.event_log import Words

        return Words(self.stepping.lowered)

    @lazy_property
    def seat_views(self) -> SeatViews:
        """Steps of recorded games, and views of their seats."""
        from upcard.engine.native.seat_view.view_code import SeatViews

        return SeatViews(self)

    @lazy_property
    def reference_game(self) -> ReferenceGame:
        """The same game, played by the reference engine."""
        from upcard.engine.reference import ReferenceGame

        return ReferenceGame(self.name, self.program, self.facts, self.narrator)

    def deal(
        self,
        seed: int = 0,
        number: int = 0,
        *,
        stacked: Stacked = (),
        limits: Limits | None = None,
        recording: bool = True,
        given: Given | None = None,
    ) -> BaseState:
        limits = Limits() if limits is None else limits
        try:
            return self.native_deal(
                seed, number, stacked=stacked, limits=limits, recording=recording, given=given
            )
        except NoMachineCode as error:
            self.note = f"using the reference engine: {error}"
        return self.reference_game.deal(
            seed, number, stacked=stacked, limits=limits, recording=recording, given=given
        )

    def native_deal(
        self,
        seed: int,
        number: int,
        *,
        stacked: Stacked = (),
        limits: Limits,
        recording: bool = True,
        given: Given | None = None,
    ) -> NativeState:
        """The same, but raises `NoMachineCode` instead of falling back to the reference engine."""
        from upcard.engine.native.state import NativeState

        return NativeState(self, seed, number, stacked, limits, recording, given)
