"""Encoding: a game's observations, actions and rewards as numbers of fixed size.

    encoding = upcard.load("euchre").encoding
    data = encoding.encode(observation)          # bytes, encoding.size of them, described by encoding.fields
    mask = encoding.mask(observation)            # a byte for each action, 1 if it is possible
    move = encoding.move_of(mask.index(1), observation)

Everything is made from observations, so nothing that a seat does not know can be in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from upcard.arguments import BadArgument, check_instance, check_seat
from upcard.encoding.action_numbers import ActionNumbers
from upcard.encoding.content import content_of
from upcard.encoding.fields import Field, Seen, seats_from, teams_from
from upcard.encoding.information_row import InformationRow
from upcard.encoding.match_reward import MatchReward
from upcard.encoding.observation_row import ObservationRow
from upcard.encoding.phase import follow
from upcard.encoding.rewards import Rewards, rewards
from upcard.engine.api import Move, Observation, Outcome, Record
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.shared.game import LoadedGame
from upcard.engine.state import State
from upcard.lazy import lazy_property

if TYPE_CHECKING:
    from upcard.encoding.machine_code import MachineCode
    from upcard.engine.native.state import NativeState


class Encoding:
    """Observations, actions and rewards of a game as numbers; `Game.encoding` makes it.

    >>> encoding = upcard.load("euchre").encoding
    >>> encoding
    <Encoding of euchre: 181 bytes, 62 actions>
    >>> seen = upcard.load("euchre").deal(seed=7).observe(0)
    >>> data = encoding.encode(seen)
    >>> encoding.decode(data)["places"]["seat0.iloc.HAND"]
    ['DEFAULT:7', 'DEFAULT:8', 'DEFAULT:14', 'DEFAULT:18', 'DEFAULT:21']
    """

    def __init__(self, game: LoadedGame) -> None:
        self.game = game
        self.content = content_of(game)
        self.numbers = ActionNumbers(game, self.content)
        self._observations = ObservationRow(self.content)
        self._information = InformationRow(self._observations, self.numbers)
        self.fields: tuple[Field, ...] = self._observations.fields
        """What the bytes of an observation mean."""
        self.size: int = self._observations.size
        """Bytes of an encoded observation."""
        self.information_fields: tuple[Field, ...] = self._information.fields
        """What the bytes of an information state mean."""
        self.information_state_size: int = self._information.size
        """Bytes of an information state."""
        self.actions: int = self.numbers.count
        """Number of actions."""

    def __repr__(self) -> str:
        return f"<Encoding of {self.game.name}: {self.size} bytes, {self.actions} actions>"

    # --- observations --------------------------------------------------------------------------

    def encode(self, observation: Observation) -> bytes:
        """What the seat sees now, as `size` bytes; `fields` says what they mean.

        It has what lies on the table as the seat sees it, not what the seat remembers: that is in
        `information_state`. Raises `BadArgument` for an observation of another game, or without a record.

        >>> game = upcard.load("euchre")
        >>> data = game.encoding.encode(game.deal(seed=7).observe(0))
        >>> len(data), [card for card in range(24) if data[card]]  # the cards of the hand
        (181, [7, 8, 14, 18, 21])
        """
        return self._observations.write(self._seen(observation))

    def decode(self, data: bytes) -> Record:
        """What the bytes of an observation say, in the words of observations.

        `places` has the cards that the seat sees, bottom to top where order shows; `hidden` how many cards
        lie in places that it does not see, by their backs; `phase` which choice of the text is open.

        >>> game = upcard.load("euchre")
        >>> seen = game.deal(seed=7).observe(0)
        >>> game.encoding.decode(game.encoding.encode(seen))["strings"] == seen.strings
        True
        """
        return self._decoded(data, self._observations, "an encoded observation")

    def _decoded(self, data: bytes, row: ObservationRow | InformationRow, what: str) -> Record:
        if len(data) != row.size:
            raise BadArgument(f"{what} of {self.game.name} has {row.size} bytes, not {len(data)}")
        try:
            return row.read(bytes(data))
        except (LookupError, ValueError):
            raise BadArgument(f"these bytes are not {what} of {self.game.name}") from None

    def _seen(self, observation: Observation) -> Seen:
        check_instance("an observation", observation, Observation)
        if observation.game != self.game.identity:
            raise BadArgument(
                f"this is an observation of {observation.game['game']}, not of {self.game.name}"
            )
        if not observation.records:
            raise BadArgument(
                "an observation without a record cannot be encoded; deal the game with recording=True"
            )
        decided, at = follow(self.content.code, observation.records)
        phases = {step: number for number, step in enumerate(self.content.asks)}
        is_open = observation.to_move is not None
        return Seen(observation, phases[at] if is_open else None, [phases[step] for step in decided])

    # --- information states --------------------------------------------------------------------

    def information_state(self, observation: Observation) -> bytes:
        """All that the seat knows, as `information_state_size` bytes: the observation, how many events there
        were, the last of them, oldest first, and the key of the information set.

        Two are equal exactly if the seat cannot tell the games apart, by the key; the events are for
        programs that learn (docs/reference/encoding.md).

        >>> game = upcard.load("kuhn-poker")
        >>> deals = [game.deal(seed=1, number=number) for number in range(50)]
        >>> len({game.encoding.information_state(deal.observe(0)) for deal in deals})  # jack, queen or king
        3
        """
        return self._information.write(self._seen(observation))

    def decode_information_state(self, data: bytes) -> Record:
        """What the bytes of an information state say: `observation` as `decode` gives it, `events`, how many
        earlier events were `dropped`, and the `key` (`Observation.key`).

        >>> game = upcard.load("kuhn-poker")
        >>> data = game.encoding.information_state(game.deal(seed=1).observe(0))
        >>> [event["card"] for event in game.encoding.decode_information_state(data)["events"][-3::2]]
        ['DEFAULT:0', None]
        """
        return self._decoded(data, self._information, "an information state")

    # --- states ----------------------------------------------------------------------------------

    def observe(self, state: State, seat: int) -> bytes:
        """The same as `encode(state.observe(seat))`, by machine code where there is some: in ten
        microseconds, and also of games without a record.

        >>> game = upcard.load("euchre")
        >>> state = game.deal(seed=7)
        >>> game.encoding.observe(state, 0) == game.encoding.encode(state.observe(0))
        True
        """
        native = self._in_machine_code(state)
        if native is None:
            return self.encode(state.observe(seat))
        check_seat(seat, self.game.seats)
        return self.machine_code.observe(native, seat)

    def mask_of(self, state: State) -> bytes:
        """The mask of the seat to move, all 0 when the game is over: the same as
        `mask(state.observe(state.to_move))`, by machine code where there is some.

        >>> game = upcard.load("kuhn-poker")
        >>> list(game.encoding.mask_of(game.deal(seed=1)))
        [1, 1, 0, 0]
        """
        native = self._in_machine_code(state)
        if native is not None:
            return self.machine_code.mask_of(native)
        return bytes(self.actions) if state.to_move is None else self.mask(state.observe(state.to_move))

    def _in_machine_code(self, state: State) -> NativeState | None:
        """A state that machine code reads; None where observations are made in another way."""
        from upcard.engine.native.state import NativeState

        check_instance("a state", state, State)
        if state.game.identity != self.game.identity:
            raise BadArgument(f"this is a state of {state.game.name}, not of {self.game.name}")
        failed = state.outcome is not None and state.outcome.failure is not None
        if failed or not isinstance(state, NativeState) or not self._has_machine_code:
            return None
        return state

    @lazy_property
    def _has_machine_code(self) -> bool:
        try:
            return self.machine_code is not None
        except NoMachineCode:
            return False

    @lazy_property
    def machine_code(self) -> MachineCode:
        """Functions that write the same bytes from states of playing code. Raises `NoMachineCode`."""
        from upcard.encoding.machine_code import MachineCode
        from upcard.engine.native.game import NativeGame

        if not isinstance(self.game, NativeGame):
            raise NoMachineCode(f"{self.game.name} is played by the reference engine")
        return MachineCode(self.game, self)

    # --- actions -------------------------------------------------------------------------------

    def action_text(self, action: int) -> str:
        """What an action is, in words.

        >>> encoding = upcard.load("euchre").encoding
        >>> encoding.action_text(0), encoding.action_text(30)
        ('item 1', 'item 2, J♠')
        """
        self._check_action(action)
        return self.numbers.text(action)

    def mask(self, observation: Observation) -> bytes:
        """A byte for each action: 1 if the seat can take it now. All are 0 when another seat is to move.

        >>> seen = upcard.load("kuhn-poker").deal(seed=1).observe(0)
        >>> list(upcard.load("kuhn-poker").encoding.mask(seen))
        [1, 1, 0, 0]
        """
        check_instance("an observation", observation, Observation)
        mask = bytearray(self.actions)
        for number in self.numbers.of(observation):
            if number is not None:
                mask[number] = 1
        return bytes(mask)

    def action_of(self, move: Move, observation: Observation) -> int:
        """The number of a move of an observation. Moves that the seat cannot tell apart have the same number.

        Raises `IllegalMove` for a move that is not among those of the observation, and `BadArgument` for one
        that no number is left for (docs/reference/encoding.md).

        >>> game = upcard.load("kuhn-poker")
        >>> seen = game.deal(seed=1).observe(0)
        >>> [game.encoding.action_of(move, seen) for move in seen.moves]
        [0, 1]
        """
        check_instance("an observation", observation, Observation)
        return self.numbers.number(move, observation)

    def move_of(self, action: int, observation: Observation) -> Move:
        """The move of an observation that has this number; the first, if the seat cannot tell several apart.

        Raises `IllegalMove` if the action is not possible now.

        >>> encoding = upcard.load("kuhn-poker").encoding
        >>> encoding.move_of(1, upcard.load("kuhn-poker").deal(seed=1).observe(0)).text
        'bet'
        """
        self._check_action(action)
        check_instance("an observation", observation, Observation)
        return self.numbers.move(action, observation)

    def action_ranges(self) -> list[tuple[int, int, str]]:
        """The actions in brief: the first number of each range, how many numbers, and what they are.

        >>> upcard.load("kuhn-poker").encoding.action_ranges()
        [(0, 1, 'item 1'), (1, 1, 'item 2'), (2, 1, 'item 3'), (3, 1, 'item 4')]
        """
        return self.numbers.ranges()

    def to_json(self) -> Record:
        """Everything that describes the encoding, as data.

        >>> sorted(upcard.load("euchre").encoding.to_json())
        ['actions', 'fields', 'game', 'information_fields', 'information_state_size', 'size']
        """
        return {
            "game": self.game.identity,
            "size": self.size,
            "fields": [field.to_json() for field in self.fields],
            "actions": [self.numbers.text(action) for action in range(self.actions)],
            "information_state_size": self.information_state_size,
            "information_fields": [field.to_json() for field in self.information_fields],
        }

    # --- rewards -------------------------------------------------------------------------------

    def rewards(self, outcome: Outcome, match: Mapping[str, Any] | None = None) -> Rewards:
        """What an outcome is worth to each seat.

        `match` is the match that the deal was part of, as `Observation.match` has it, with the score before.

        >>> outcome = upcard.Outcome("finished", scores=(0, 2, 0, 2), ranks=(2, 0, 2, 0))
        >>> upcard.load("euchre").encoding.rewards(outcome)
        Rewards(points=(0.0, 2.0, 0.0, 2.0), rank=(-1.0, 1.0, -1.0, 1.0), match=None)
        """
        check_instance("an outcome", outcome, Outcome)
        found = rewards(outcome, self.content.sides, self.game.program.scoring.highest)
        return found if match is None else found._replace(match=self._match.chances(outcome, match))

    @lazy_property
    def _match(self) -> MatchReward:
        return MatchReward(self.game, self.content.sides)

    @property
    def alternatives_size(self) -> int:
        """Bytes of `alternatives`; 0 if every action has a number of its own."""
        return self.numbers.slots * self.numbers.slot_size

    def alternatives(self, observation: Observation) -> bytes:
        """What the alternatives without numbers of their own are, as a row of bytes for each number:
        1 + the item, for each card whether it is picked, the number that is picked (two bytes, low byte
        first), and the place (1 + its number in information states, two bytes). All are 0 where there is no
        alternative.

        >>> encoding = upcard.load("oh-hell").encoding
        >>> seen = upcard.load("oh-hell").deal(seed=1).observe(0)
        >>> row = encoding.alternatives_size // 64
        >>> [encoding.alternatives(seen)[n * row + 53] for n in range(len(seen.moves))]  # the bids
        [0, 1, 2, 3, 4, 5, 6, 7]
        """
        check_instance("an observation", observation, Observation)
        seats = seats_from(observation.seat, self.content.seats)
        history = self._information.history(seats, teams_from(observation.seat, observation.teams))
        return self.numbers.slot_rows(observation, history.number_of_place)

    def _check_action(self, action: object) -> None:
        if not isinstance(action, int) or isinstance(action, bool) or not 0 <= action < self.actions:
            raise BadArgument(
                f"there is no action {action!r:.60}; actions are numbered 0 to {self.actions - 1}"
            )
