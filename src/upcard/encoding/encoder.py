"""Encoding: a game's observations, actions and rewards as numbers of fixed size.

    encoding = upcard.load("euchre").encoding
    data = encoding.encode(observation)          # bytes, encoding.size of them, described by encoding.fields
    mask = encoding.mask(observation)            # a byte for each action, 1 if it is possible
    move = encoding.move_of(mask.index(1), observation)

Everything is made from observations, so nothing that a seat does not know can be in it.
"""

from __future__ import annotations

from upcard.arguments import BadArgument, check_instance
from upcard.encoding.action_numbers import ActionNumbers
from upcard.encoding.content import content_of
from upcard.encoding.fields import Decoded, Field, Seen, seats_from
from upcard.encoding.parts import CardsPart, SeatPart, TeamsPart, parts_of
from upcard.encoding.phase import open_step
from upcard.encoding.rewards import Rewards, rewards
from upcard.engine.api import Move, Observation, Outcome, Record
from upcard.engine.shared.game import LoadedGame


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
        self._numbers = ActionNumbers(game, self.content)
        self._parts = [*parts_of(self.content)]
        fields, offset = [], 0
        for part in self._parts:
            fields.append(Field(part.name, offset, part.size, part.highest, part.meaning, part.values))
            offset += part.size
        self.fields: tuple[Field, ...] = tuple(fields)
        """What the bytes of an observation mean."""
        self.size: int = offset
        """Bytes of an encoded observation."""
        self.actions: int = self._numbers.count
        """Number of actions."""

    def __repr__(self) -> str:
        return f"<Encoding of {self.game.name}: {self.size} bytes, {self.actions} actions>"

    # --- observations --------------------------------------------------------------------------

    def encode(self, observation: Observation) -> bytes:
        """What the seat sees now, as `size` bytes; `fields` says what they mean.

        It has what lies on the table as the seat sees it, not what the seat remembers: that is in
        `information_state`. Raises `BadArgument` for an observation of another game, or without a record.
        """
        seen = self._seen(observation)
        return b"".join([part.write(seen) for part in self._parts])

    def decode(self, data: bytes) -> Record:
        """What the bytes of an observation say, in the words of observations.

        `places` has the cards that the seat sees, bottom to top where order shows; `hidden` how many cards
        lie in places that it does not see, by their backs; `phase` which choice of the text is open.
        """
        data, content = self._checked(data), self.content
        pieces = [
            (part, data[field.offset : field.offset + field.size])
            for part, field in zip(self._parts, self.fields, strict=True)
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
        places: dict[str, list[str]] = {}
        for part in self._parts:
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
        phase = None
        if observation.to_move is not None:
            if not observation.records:
                raise BadArgument(
                    "an observation without a record cannot be encoded; deal the game with recording=True"
                )
            phase = self.content.asks.index(open_step(self.content.code, observation.records))
        return Seen(observation, phase)

    # --- actions -------------------------------------------------------------------------------

    def action_text(self, action: int) -> str:
        """What an action is, in words.

        >>> encoding = upcard.load("euchre").encoding
        >>> encoding.action_text(0), encoding.action_text(30)
        ('item 1', 'item 2 J♠')
        """
        self._check_action(action)
        return self._numbers.text(action)

    def mask(self, observation: Observation) -> bytes:
        """A byte for each action: 1 if the seat can take it now. All are 0 when another seat is to move.

        >>> seen = upcard.load("kuhn-poker").deal(seed=1).observe(0)
        >>> list(upcard.load("kuhn-poker").encoding.mask(seen))
        [1, 1, 0, 0]
        """
        check_instance("an observation", observation, Observation)
        mask = bytearray(self.actions)
        for number in self._numbers.of(observation):
            if number is not None:
                mask[number] = 1
        return bytes(mask)

    def action_of(self, move: Move, observation: Observation) -> int:
        """The number of a move of an observation. Moves that the seat cannot tell apart have the same number.

        Raises `IllegalMove` for a move that is not among those of the observation, and `BadArgument` for one
        that no number is left for (docs/reference/encoding.md).
        """
        check_instance("an observation", observation, Observation)
        return self._numbers.number(move, observation)

    def move_of(self, action: int, observation: Observation) -> Move:
        """The move of an observation that has this number; the first, if the seat cannot tell several apart.

        Raises `IllegalMove` if the action is not possible now.

        >>> encoding = upcard.load("kuhn-poker").encoding
        >>> encoding.move_of(1, upcard.load("kuhn-poker").deal(seed=1).observe(0)).text
        'bet'
        """
        self._check_action(action)
        check_instance("an observation", observation, Observation)
        return self._numbers.move(action, observation)

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
