"""Prints the record of a match line for line as the course does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from upcard.engine.api import Record, walk_records
from upcard.euchre.euchre_cards import Card
from upcard.match.seats import Seating

SEATS = 4


def chair(person: int) -> int:
    """The course's seat of a person of the match.

    In the course seat 0 deals first. In a match it is the last person, because the program's last seat deals.
    """
    return (person + 1) % SEATS


def person(chair: int) -> int:
    return (chair - 1) % SEATS


class CourseTranscript:
    """Prints the lines of a match's record and the records of its deals as they are added."""

    def __init__(self, names: Sequence[str], faces: Mapping[str, Card], tell: Callable[[str], None]) -> None:
        """`names` in the course's order of seats; `faces` the cards by id."""
        self._names = names
        self._teams = [f"{names[0]} and {names[2]}", f"{names[1]} and {names[3]}"]
        self._faces = faces
        self._tell = tell
        self._told = 0
        self._seating = Seating(SEATS, 0)
        self._up = self._trump = ""
        self._makers = 0
        self._in_trick = 0

    # --- lines of the match --------------------------------------------------------------------

    def deal(self, line: Record) -> None:
        self._seating = Seating(SEATS, line["sits"][0])
        self._told = self._in_trick = 0
        self._tell(f"Hand {line['number']}")
        self._tell(f"{self._name(SEATS - 1)} deals")

    def result(self, line: Record) -> None:
        """The scores are by the match's persons; the course names the team of its seats 0 and 2 first."""
        points = [line["scores"][person(team)] for team in (0, 1)]
        # the sides of a match are in the order of its persons: person 0 sits on the course's seat 1
        totals = list(reversed(line["totals"]))
        winners = 0 if points[0] else 1
        self._tell(f"{self._teams[winners]} win the hand")
        if winners != self._makers:
            self._tell("euchred!")
        elif points[winners] == 2:
            self._tell("march!")
        for team, total in zip(self._teams, totals, strict=True):
            self._tell(f"{team} have {total} points")
        self._tell("")

    def over(self, line: Record) -> None:
        (side,) = line["winners"]
        self._tell(f"{self._teams[1 - side]} win!")

    # --- records of the deal -------------------------------------------------------------------

    def follow(self, records: Sequence[Record]) -> None:
        """Print the records of the deal that were added since the last call."""
        for record in walk_records(records[self._told :]):
            if record["do"] == "move":
                self._moved(record)
            elif record["do"] == "set":
                self._set(record)
        self._told = len(records)

    def _moved(self, record: Record) -> None:
        card, to = record["card"], record["to"]
        if to == "table.vloc.UPCARD":
            self._up = self._faces[card].suit
            self._tell(f"{self._faces[card].text} turned up")
        elif to.endswith(".BURIED"):
            self._tell("")
        elif to.endswith(".vloc.TRICK"):
            how = "played" if self._in_trick else "led"
            self._in_trick += 1
            self._tell(f"{self._faces[card].text} {how} by {self._owner(to.split('.')[0])}")

    def _set(self, record: Record) -> None:
        name, value = record["name"], record["value"]
        if name == "TRUMP":
            self._trump = value
        elif name == "CALL":
            who = self._owner(record["owner"])
            if value == "PASS":
                self._tell(f"{who} passes")
                return
            self._makers = chair(self._seating.person(_seat(record["owner"]))) % 2
            # ordering up is recorded before the program sets trump
            self._tell(f"{who} orders up {(self._up if value == 'ORDER' else self._trump).capitalize()}")
            if value == "NAME":
                self._tell("")
        elif name == "TRICKS":
            self._in_trick = 0
            self._tell(f"{self._owner(record['owner'])} takes the trick")
            self._tell("")

    def _owner(self, owner: str) -> str:
        return self._name(_seat(owner))

    def _name(self, seat: int) -> str:
        return self._names[chair(self._seating.person(seat))]


def _seat(owner: str) -> int:
    return int(owner.removeprefix("seat"))
