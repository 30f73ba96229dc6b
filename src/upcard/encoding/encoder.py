"""Encoding: a game's observations, actions and rewards as numbers of fixed size.

    encoding = upcard.load("euchre").encoding
    data = encoding.encode(observation)          # bytes, encoding.size of them, described by encoding.fields
    mask = encoding.mask(observation)            # a byte for each action, 1 if it is possible
    move = encoding.move_of(mask.index(1), observation)

Everything is made from observations, so nothing that a seat does not know can be in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.arguments import BadArgument, check_instance
from upcard.encoding.action_numbers import ActionNumbers
from upcard.encoding.content import content_of
from upcard.encoding.fields import Decoded, Field, Seen, seats_from, teams_from
from upcard.encoding.history import EVENT_BYTES, History, room_for_events
from upcard.encoding.parts import CardsPart, SeatPart, TeamsPart, parts_of
from upcard.encoding.phase import follow
from upcard.encoding.rewards import Rewards, rewards
from upcard.engine.api import Move, Observation, Outcome, Record
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.shared.game import LoadedGame
from upcard.lazy import lazy_property

if TYPE_CHECKING:
    from upcard.encoding.machine_code import MachineCode


KEY_BYTES = 16
MOST_EVENTS = (1 << 16) - 1
"""Of which an information state says the number."""


class Encoding:
    """A game's encoding; `Game.encoding` makes it.

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
        self._histories: dict[tuple[int, ...], History] = {}
        self.parts = [*parts_of(self.content)]
        fields, offset = [], 0
        for part in self.parts:
            fields.append(Field(part.name, offset, part.size, part.highest, part.meaning, part.values))
            offset += part.size
        self.fields: tuple[Field, ...] = tuple(fields)
        """What the bytes of an observation mean."""
        self.size: int = offset
        """Bytes of an encoded observation."""
        self.actions: int = self.numbers.count
        """Number of actions."""

    def __repr__(self) -> str:
        return f"<Encoding of {self.game.name}: {self.size} bytes, {self.actions} actions>"

    # --- observations --------------------------------------------------------------------------

    def encode(self, observation: Observation) -> bytes:
        """What the seat sees now, as `size` bytes; `fields` says what they mean.

        It has what lies on the table as the seat sees it, not what the seat remembers: that is in
        `information_state`. Raises `BadArgument` for an observation of another game, or without a record.
        """
        return self._write(self._seen(observation))

    def _write(self, seen: Seen) -> bytes:
        return b"".join([part.write(seen) for part in self.parts])

    def decode(self, data: bytes) -> Record:
        """What the bytes of an observation say, in the words of observations.

        `places` has the cards that the seat sees, bottom to top where order shows; `hidden` how many cards
        lie in places that it does not see, by their backs; `phase` which choice of the text is open.
        """
        data, content = self._checked(data), self.content
        pieces = [
            (part, data[field.offset : field.offset + field.size])
            for part, field in zip(self.parts, self.fields, strict=True)
        ]
        (seat,) = [piece.index(1) for part, piece in pieces if isinstance(part, SeatPart)]
        found = Decoded(seats_from(seat, content.seats), content.fixed_teams)
        # the order of storages depends on the teams
        pieces.sort(key=lambda pair: not isinstance(pair[0], TeamsPart))
        for part, piece in pieces:
            part.read(piece, found)
        return {
            "seat": seat,
            "to_move": found.to_move,
            "phase": found.phase,
            "teams": found.members,
            "places": self._places(found),
            "hidden": found.hidden,
            "integers": found.integers,
            "strings": found.strings,
            "cycles": {"seats": found.seat_cycles, "teams": found.team_cycles},
        }

    def _checked(self, data: bytes) -> bytes:
        if len(data) != self.size:
            raise BadArgument(
                f"an encoded observation of {self.game.name} has {self.size} bytes, not {len(data)}"
            )
        return bytes(data)

    def _places(self, found: Decoded) -> dict[str, list[str]]:
        """The cards that the seat sees, by place."""
        places = dict(found.memories)
        for part in self.parts:
            if not isinstance(part, CardsPart):
                continue
            texts, lying = part.places.texts(found.seats), found.lying[part.name]
            depths = found.depths.get(part.name, [0] * len(lying))
            cards = sorted(
                ((-depth, number) for number, depth in enumerate(depths) if lying[number] >= 0),
            )
            for _, number in cards:
                places.setdefault(texts[lying[number]], []).append(part.ids[number])
        return places

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

    @lazy_property
    def information_state_size(self) -> int:
        """Bytes of an information state."""
        return self.size + 2 + EVENT_BYTES * room_for_events(self.content) + KEY_BYTES

    def information_state(self, observation: Observation) -> bytes:
        """All that the seat knows, as `information_state_size` bytes: the observation, how many events there
        were, the last of them, oldest first, and the key of the information set.

        Two are equal exactly if the seat cannot tell the games apart, by the key; the events are for
        programs that learn (docs/reference/encoding.md).
        """
        seen = self._seen(observation)
        room = room_for_events(self.content)
        events = [*self._history(seen.seats, seen.teams).write(observation, iter(seen.decided))]
        number = min(len(events), MOST_EVENTS).to_bytes(2, "little")
        kept = b"".join(events[-room:]).ljust(EVENT_BYTES * room, b"\0")
        return self._write(seen) + number + kept + bytes.fromhex(observation.key)

    def decode_information_state(self, data: bytes) -> Record:
        """What the bytes of an information state say: `observation` as `decode` gives it, `events`, how many
        earlier events were `dropped`, and the `key` (`Observation.key`)."""
        if len(data) != self.information_state_size:
            raise BadArgument(
                f"an information state of {self.game.name} has {self.information_state_size} bytes, "
                f"not {len(data)}"
            )
        data = bytes(data)
        observation, at = self.decode(data[: self.size]), self.size + 2
        number, room = int.from_bytes(data[at - 2 : at], "little"), room_for_events(self.content)
        history = self._history(
            seats_from(observation["seat"], self.content.seats),
            teams_from(observation["seat"], observation["teams"]),
        )
        kept = data[at : at + EVENT_BYTES * min(number, room)]
        return {
            "observation": observation,
            "events": [*history.read(kept, self.numbers.named)],
            "dropped": max(0, number - room),
            "key": data[-KEY_BYTES:].hex(),
        }

    def _history(self, seats: list[int], teams: list[int]) -> History:
        key = seats[0], *teams
        known = self._histories.get(key)
        if known is None:
            known = self._histories[key] = History(self.content, self.numbers.numbers, seats, teams)
        return known

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
        ('item 1', 'item 2 J♠')
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

    # --- rewards -------------------------------------------------------------------------------

    def rewards(self, outcome: Outcome) -> Rewards:
        """What an outcome is worth to each seat.

        >>> outcome = upcard.Outcome("finished", scores=(0, 2, 0, 2), ranks=(2, 0, 2, 0))
        >>> upcard.load("euchre").encoding.rewards(outcome)
        Rewards(points=(0.0, 2.0, 0.0, 2.0), rank=(-1.0, 1.0, -1.0, 1.0))
        """
        check_instance("an outcome", outcome, Outcome)
        return rewards(outcome, self.content.sides, self.game.program.scoring.highest)

    def _check_action(self, action: object) -> None:
        if not isinstance(action, int) or isinstance(action, bool) or not 0 <= action < self.actions:
            raise BadArgument(
                f"there is no action {action!r:.60}; actions are numbered 0 to {self.actions - 1}"
            )
