"""`kill -9` of a server at random moments while people play: no move is lost, none counts twice.

    python -m tests.web.kill --count 100 --seed 3

After every kill the server is started again on the same port, and everybody comes back with their token. What
they had been shown must still be so: the sentences of the deal that they had read are the beginning of those
that they read now, and the record of the match can be replayed (the server would refuse it otherwise).
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.web.browsers import Client, make_table
from tests.web.processes import Process
from websockets.exceptions import ConnectionClosed

GAME, SEATS = "german-whist", ("open", "open")
"""Two people, so that moves follow each other as fast as the server writes them."""


@dataclass
class Person:
    """Somebody at a table, who remembers what was shown last."""

    token: str
    draw: random.Random
    turn: str = ""
    log: dict[str, str] = field(default_factory=dict)
    played: int = 0

    def come_back(self, client: Client, person: int) -> None:
        """Everything that was shown must still be so."""
        assert client.document["you"] == person, "the token still holds the seat"
        if self.turn:
            before, now = (tuple(map(int, turn.split("."))) for turn in (self.turn, client.deal["turn"]))
            assert now >= before, f"{self.turn} was shown, and now it is {client.deal['turn']}"
            if now[:2] == before[:2]:
                kept = {at: client.deal["log"].get(at) for at in self.log}
                assert kept == self.log, "a sentence that was shown is gone"

    def play(self, client: Client) -> None:
        """Plays until the server is gone."""
        while True:
            self.turn, self.log = client.deal["turn"], dict(client.deal["log"])
            if client.options:
                client.send(
                    type="play", turn=client.deal["turn"], option=self.draw.randrange(len(client.options)) + 1
                )
                self.played += 1
            if "result" in client.document:
                client.send(type="continue", deal=client.document["result"]["deal"])
            if client.over:
                client.send(type="rematch")
            before = client.number
            client.until(lambda before=before: client.number != before)  # type: ignore[misc]


def rounds(count: int, seed: int, folder: Path) -> list[Person]:
    """Plays and kills; what everybody did."""
    draw = random.Random(seed)
    words = ["--no-browser", "--database", str(folder / "tables.db")]
    people: list[Person] = []
    port, code = 0, ""
    for number in range(count + 1):
        with Process([*words, "--port", str(port)], folder) as process:
            assert process.address, process.first_line
            port = process.port
            if not people:
                table = make_table(process.address, GAME, SEATS)
                code = table["code"]
                people = [Person(table["token"], random.Random(seed))]
                with Client(process.address, code) as guest:
                    guest.send(type="sit", person=1, name="Bob")
                    guest.until(lambda guest=guest: bool(guest.seated))  # type: ignore[misc]
                    people.append(Person(guest.seated[0]["token"], random.Random(seed + 1)))
                with Client(process.address, code, table["token"]) as host:
                    host.send(type="start")
                    host.until(lambda host=host: "deal" in host.document)  # type: ignore[misc]
            clients = [Client(process.address, code, person.token) for person in people]
            for at, (person, client) in enumerate(zip(people, clients, strict=True)):
                person.come_back(client, at)
            if number == count:
                for client in clients:
                    client.close()
                break
            threads = [
                threading.Thread(target=_play, args=pair) for pair in zip(people, clients, strict=True)
            ]
            for thread in threads:
                thread.start()
            time.sleep(draw.uniform(0.05, 1.0))
            process.kill()
            for thread in threads:
                thread.join()
            for client in clients:
                with suppress(ConnectionClosed):
                    client.close()
    return people


def _play(person: Person, client: Client) -> None:
    with suppress(ConnectionClosed):
        person.play(client)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.kill", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        people = rounds(asked.count, asked.seed, Path(folder))
    played = sum(person.played for person in people)
    print(
        f"seed {asked.seed}: {asked.count} kills, {played} moves sent, the table stands at {people[0].turn}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
