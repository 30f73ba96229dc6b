"""One game in progress as people use it: whose turn it is, the moves, playing, observing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from upcard.arguments import BadArgument
from upcard.engine.api import Limits, Move, Observation, Outcome, Record
from upcard.plugins import NOTEBOOK, load_entry

if TYPE_CHECKING:
    from upcard.engine.game import Game


NOT_RECORDED = "this game was dealt without recording; deal it with recording=True"


class State(ABC):
    """One game in progress. `Game.deal` makes one.

    A state is a value: `==` compares content, `copy` is cheap, and states can be pickled. `play` changes a
    state in place, because a game is mostly played forward. A state has no hash.

    Give players observations, not states: a state shows every card.

    >>> state = upcard.load("euchre").deal(seed=7)
    >>> state
    <State of euchre, seed 7, deal 0: decision 0, South to move, 3 moves>
    >>> state.moves[0]
    <Move pass: [0,[],0]>
    """

    game: Game
    """The game that is played."""
    seed: int
    """The seed it was dealt with."""
    number: int
    """The number of the deal."""
    limits: Limits
    """When it is stopped."""
    decisions: int
    """Number of decisions taken."""

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat whose decision it is; None when the game is over."""

    @property
    @abstractmethod
    def moves(self) -> Sequence[Move]:
        """The alternatives, in the order of listing. They show face-down cards; an observation's do not."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it continues."""

    @property
    @abstractmethod
    def records(self) -> Sequence[Record]:
        """The game so far, as a transcript. Raises `BadArgument` if it was dealt without recording."""

    @property
    @abstractmethod
    def recording(self) -> bool:
        """Whether the game keeps a record and what the seats remember."""

    @property
    @abstractmethod
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team; without partners every seat is a team."""

    @abstractmethod
    def play(self, move: Move | int) -> None:
        """Plays a move of this state or of an observation of it, or the alternative of this index.

        Raises `IllegalMove` for anything else, and when the game is over; the state is then as it was.

        >>> state = upcard.load("euchre").deal(seed=7)
        >>> state.play(state.moves[0])
        >>> state.decisions, state.to_move
        (1, 1)
        >>> state.play("nonsense")
        Traceback (most recent call last):
        upcard.engine.api.IllegalMove: 'nonsense' is not a move; give one of the moves, or its index
        """

    def after(self, move: Move | int) -> Self:
        """A copy of the state with a move played; the state itself stays as it is.

        Raises `IllegalMove` as `play` does.

        >>> state = upcard.load("kuhn-poker").deal(seed=1)
        >>> [len(state.after(move).moves) for move in state.moves]
        [2, 2]
        >>> state.decisions
        0
        """
        copy = self.copy()
        copy.play(move)
        return copy

    @abstractmethod
    def copy(self) -> Self:
        """An equal state that plays on by itself, also by `copy.copy` and `copy.deepcopy`.

        >>> state = upcard.load("euchre").deal(seed=7)
        >>> twin = state.copy()
        >>> twin.play(0)
        >>> state.decisions, twin.decisions
        (0, 1)
        """

    @abstractmethod
    def observe(self, seat: int, match: dict[str, Any] | None = None) -> Observation:
        """What a seat may know, as data. `match` is the match that the deal is part of.

        Raises `BadArgument` for a seat that does not exist.

        >>> state = upcard.load("euchre").deal(seed=7)
        >>> state.observe(0).places["seat1.iloc.HAND"]
        (None, None, None, None, None)
        >>> state.observe(4)
        Traceback (most recent call last):
        upcard.arguments.BadArgument: there is no seat 4; seats are 0 to 3
        """

    def infoset_key(self, seat: int) -> str:
        """The key of a seat's information set: equal for two states exactly if the seat cannot tell them
        apart by all that it has seen in the game.

        It is `observe(seat).key`. Raises `BadArgument` for a seat that does not exist, and in a game dealt
        without recording, because its observations have no past.

        >>> game = upcard.load("kuhn-poker")
        >>> keys = {game.deal(seed=1, number=n).infoset_key(0) for n in range(50)}
        >>> len(keys)  # jack, queen or king
        3
        """
        observation = self.observe(seat)
        if not self.recording:
            raise BadArgument(NOT_RECORDED)
        return observation.key

    @abstractmethod
    def sample(self, seat: int, k: int = 0, *, memory: bool = True) -> Self:
        """The k-th determinization for a seat at this decision: what the seat does not know is dealt anew.

        With `memory`, cards stay where the seat remembers them; play is not taken into account. A sample
        can be played on and observed, but its observations have no record of what happened before it.

        >>> state = upcard.load("euchre").deal(seed=7)
        >>> sample = state.sample(0)
        >>> sample.observe(0).places == state.observe(0).places
        True
        """

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __repr__(self) -> str:
        where = f"<State of {self.game.name}, seed {self.seed}, deal {self.number}"
        if self.outcome is not None:
            return f"{where}: {self.outcome.text} after {_count(self.decisions, 'decision')}>"
        moves = _count(self._choices_here, "move")
        return f"{where}: decision {self.decisions}, {self._mover} to move, {moves}>"

    @property
    @abstractmethod
    def _mover(self) -> str:
        """The name of the seat to move."""

    @property
    @abstractmethod
    def _choices_here(self) -> int:
        """Number of moves, without building them."""

    def _repr_html_(self) -> str | None:
        """The table in a notebook, as the seat to move sees it."""
        draw = load_entry(NOTEBOOK, "state")
        return None if draw is None else str(draw(self))


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
