"""A loaded game as people use it: what it is, its deals, its simulations."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from upcard.arguments import BadArgument
from upcard.engine.api import Given, Limits, Move, Record, Stacked
from upcard.engine.state import State
from upcard.plugins import NOTEBOOK, load_entry

if TYPE_CHECKING:
    from upcard.encoding import Encoding
    from upcard.parallel.workers import Workers
    from upcard.recycle.facts import Facts
    from upcard.recycle.program import Program
    from upcard.simulate.summary import Summary


class Game(ABC):
    """A game with its rules fixed; it deals states. `upcard.load` makes one.

    Games can be pickled: another process reads the program again and finds the machine code in the cache.

    >>> game = upcard.load("euchre", rules={"stick": "no"})
    >>> game
    <Game euchre (STICK FALSE): 4 seats, native engine>
    >>> game.title, game.seats
    ('Euchre', 4)
    """

    name: str
    """The game's name: in the library, or of the file without its ending."""
    engine: str
    """The engine that plays: native or reference."""
    note: str = ""
    """A message for the user about the engine that plays, or empty."""
    program: Program
    """The checked program."""
    facts: Facts
    """What is known about the program: cards, places, where chance matters."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name that people know the game by; the plain name if it has no sheet (`game.toml`)."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """Number of players."""

    @property
    @abstractmethod
    def identity(self) -> Record:
        """Name, digest of the text, overrides and base: equal for equal games."""

    @property
    @abstractmethod
    def actions(self) -> tuple[str, ...] | None:
        """Every action that a move of this game can be (`Move.action`), in a fixed order, if there is a
        bounded number; otherwise None.

        It is None if a move can pick several cards as one, a number from a range that depends on play, or a
        place; if play decides which cards there are; and if there are more than 65,536 actions. The list may
        have actions that no position offers. Every pick of a card is
        listed for each card and once more with null, for a card that its chooser does not see: a player who
        draws from another hand picks `[0,[{"card":null}]]`.

        >>> actions = upcard.load("kuhn-poker").actions
        >>> len(actions), actions[:2]
        (4, ('[0,[]]', '[1,[]]'))
        >>> upcard.load("scopa").actions is None
        True
        """

    def action_id(self, move: Move) -> int:
        """The number of a move's action in `actions`: the same in every position, deal and process.

        Moves that their chooser cannot tell apart have the same number. Give moves of an observation, because
        moves of a state name face-down cards. Raises `BadArgument` for a move of another game, and if the
        game has no bounded set of actions.

        >>> game = upcard.load("euchre")
        >>> [game.action_id(move) for move in game.deal(seed=7).observe(0).moves]
        [0, 26, 27]
        """
        numbers = self._action_numbers
        if numbers is None:
            raise BadArgument(f"{self.name} has no bounded set of actions; name moves by Move.key")
        if not isinstance(move, Move):
            raise BadArgument(f"{move!r:.60} is not a move; give one of the moves of an observation")
        if move.action not in numbers:
            raise BadArgument(f"{move.text or move.key} is not a move of {self.name}")
        return numbers[move.action]

    @property
    @abstractmethod
    def _action_numbers(self) -> dict[str, int] | None:
        """The number of every action."""

    @property
    @abstractmethod
    def encoding(self) -> Encoding:
        """Observations, actions and rewards as numbers of fixed size, for programs that learn.

        Raises `NoEncoding` if chance or play decides which cards there are.

        >>> upcard.load("euchre").encoding
        <Encoding of euchre: 181 bytes, 62 actions>
        """

    @abstractmethod
    def deal(
        self,
        seed: int = 0,
        number: int = 0,
        *,
        stacked: Stacked = (),
        limits: Limits | None = None,
        recording: bool = True,
        given: Given | None = None,
    ) -> State:
        """The game at its first decision. The same seed and number give the same deal everywhere.

        `stacked` gives the outcomes of shuffles, `limits` says when to stop a game that goes on too long.
        Without `recording` the state plays faster, but has no record, no memory and no information-set key.
        `given` sets storages after the setup: a match tells a program the score by it. Without it, the
        program learns the number of the deal if its sheet asks for that (`[match.given]`).
        A wrong argument raises `BadArgument`.

        >>> game = upcard.load("euchre")
        >>> game.deal(seed=7, number=3) == game.deal(seed=7, number=3)
        True
        >>> game.deal(seed="seven")
        Traceback (most recent call last):
        upcard.arguments.BadArgument: a seed is a whole number, not 'seven'
        """

    @abstractmethod
    def simulate(
        self,
        games: int,
        seed: int = 0,
        *,
        workers: Workers = None,
        limits: Limits | None = None,
        rows: str | os.PathLike[str] | None = None,
    ) -> Summary:
        """Plays random games and sums them up. Deal i of a seed is the same game for any number of workers.

        `rows` is a folder for parquet files with a row for each game; rows that are there already are kept
        (`Summary.from_rows` reads them). A wrong argument raises `BadArgument`.

        >>> summary = upcard.load("kuhn-poker").simulate(1000, seed=1)
        >>> summary.games, summary.ends["finished"]
        (1000, 1000)
        """

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __repr__(self) -> str:
        rules = ", ".join(f"{name} {value}" for name, value in self.program.overrides)
        named = f"{self.name} ({rules})" if rules else self.name
        seats = "1 seat" if self.seats == 1 else f"{self.seats} seats"
        return f"<Game {named}: {seats}, {self.engine} engine>"

    def _repr_html_(self) -> str | None:
        """The game's card in a notebook."""
        draw = load_entry(NOTEBOOK, "game")
        return None if draw is None else str(draw(self))
