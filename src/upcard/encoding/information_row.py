"""The bytes of an information state: the observation, the events that the seat has seen, and a key."""

from __future__ import annotations

from upcard.encoding.action_numbers import ActionNumbers
from upcard.encoding.event_history import EVENT_BYTES, KINDS, History, room_for_events
from upcard.encoding.fields import BYTE, Field, Seen, in_row, seats_from, teams_from
from upcard.encoding.observation_row import ObservationRow
from upcard.engine.api import Record

KEY_BYTES = 16
MOST_EVENTS = (1 << 16) - 1
"""Of which an information state says the number."""


class InformationRow:
    """Writes and reads the information states of one game."""

    def __init__(self, observations: ObservationRow, actions: ActionNumbers) -> None:
        self.observations, self.actions = observations, actions
        self.content = observations.content
        self.room = room_for_events(self.content)
        kinds = ", ".join(f"{number} {kind}" for number, kind in enumerate(KINDS))
        events = (
            f"the last {self.room} events, oldest first, each of {EVENT_BYTES} bytes: kind ({kinds}), seat, "
            "and three numbers of two bytes, low byte first"
        )
        self.fields = in_row(
            [
                Field("observation", 0, observations.size, BYTE, "the encoded observation"),
                Field("number of events", 0, 2, BYTE, "how many events there were, low byte first"),
                Field("events", 0, EVENT_BYTES * self.room, BYTE, events),
                Field("key", 0, KEY_BYTES, BYTE, "the key of the information set (Observation.key)"),
            ]
        )
        self.size = sum(field.size for field in self.fields)
        self._histories: dict[tuple[int, ...], History] = {}

    def write(self, seen: Seen) -> bytes:
        events = [*self.history(seen.seats, seen.teams).write(seen.observation, iter(seen.decided))]
        number = min(len(events), MOST_EVENTS).to_bytes(2, "little")
        kept = b"".join(events[-self.room :]).ljust(EVENT_BYTES * self.room, b"\0")
        return self.observations.write(seen) + number + kept + bytes.fromhex(seen.observation.key)

    def read(self, data: bytes) -> Record:
        """What the bytes say. Bytes that no information state has raise `ValueError` or `LookupError`."""
        size = self.observations.size
        observation, at = self.observations.read(data[:size]), size + 2
        number = int.from_bytes(data[size:at], "little")
        seat, seats = observation["seat"], self.content.seats
        history = self.history(seats_from(seat, seats), teams_from(seat, observation["teams"]))
        kept = data[at : at + EVENT_BYTES * min(number, self.room)]
        return {
            "observation": observation,
            "events": [*history.read(kept, self.actions.named)],
            "dropped": max(0, number - self.room),
            "key": data[-KEY_BYTES:].hex(),
        }

    def history(self, seats: list[int], teams: list[int]) -> History:
        """Of the first of these seats, whose team is the first of the teams."""
        key = seats[0], *teams
        known = self._histories.get(key)
        if known is None:
            known = self._histories[key] = History(self.content, self.actions.numbers, seats, teams)
        return known
