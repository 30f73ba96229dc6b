"""One deal after another, played by the numbers of actions: what environments have in common."""

from __future__ import annotations

from upcard.arguments import check_whole
from upcard.engine.api import Move, Observation, Outcome
from upcard.engine.state import State
from upcard.rl.game_codes import GameCodes
from upcard.rl.vector import EnvironmentMisuse


class DealPlay:
    """A game in progress, with the observations of its present decision."""

    def __init__(self, codes: GameCodes) -> None:
        self.codes = codes
        self.seed = self.number = 0
        self._state: State | None = None
        self._is_closed = self._is_over = False
        self._seen: dict[int, Observation] = {}

    # --- deals ---------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """Raises `EnvironmentMisuse` if there is none."""
        self._check_open()
        if self._state is None:
            raise EnvironmentMisuse("this environment has no game yet; call reset() first")
        return self._state

    @property
    def is_dealt(self) -> bool:
        return self._state is not None

    def close(self) -> None:
        self._is_closed, self._state = True, None

    def end(self) -> None:
        """Ends the game where it is."""
        self._is_over = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise EnvironmentMisuse("this environment is closed; make a new one")

    def deal(self, seed: int | None, number: int | None, drawn: int) -> None:
        """Deals what a reset asks for: deal 0 of a new seed, a deal of this number, or the next one.

        `drawn` is the seed if none was ever given.
        """
        self._check_open()
        if seed is not None:
            check_whole("a seed", seed)
        if number is not None:
            check_whole("the number of a deal", number)
        is_first = not self.is_dealt
        if number is None:
            number = 0 if is_first or seed is not None else self.number + 1
        if seed is None:
            seed = drawn if is_first else self.seed
        self._state = self.codes.game.deal(seed, number, limits=self.codes.limits)
        self.seed, self.number, self._seen = seed, number, {}
        self._is_over = False

    # --- play ----------------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        return None if self._is_over else self.state.to_move

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome

    def observation(self, seat: int) -> Observation:
        """What a seat sees now."""
        state = self.state
        if seat not in self._seen:
            self._seen[seat] = state.observe(seat)
        return self._seen[seat]

    def play(self, action: object) -> None:
        """Plays an action of the seat to move. Raises `IllegalMove`, and `BadArgument` for no action."""
        seat = self.to_move
        if seat is None:
            raise EnvironmentMisuse("the game is over; call reset() to deal the next one")
        self.play_move(self.codes.move(action, self.observation(seat)))

    def play_move(self, move: Move | int) -> None:
        """Plays a move, or the alternative of an index."""
        self.state.play(move)
        self._seen = {}

    def go_back(self, state: State) -> None:
        """Returns to an earlier state of the same deal."""
        self._state, self._seen = state, {}
