"""Playthroughs: what every seat sees of one deal of each game, kept as text. A change of view is a diff.

    python -m tests.games.playthroughs                    compare with the files kept, both engines
    python -m tests.games.playthroughs --games euchre
    python -m tests.games.playthroughs --write            write the files anew; then read the diff

A file has one fact a line. At every decision it says who decides among which moves, and then who (`all`, or
some seats) was shown which lines of the record (`|`) and what has changed in their observations since the
decision before: `+` for a fact that is new or changed, `-` for one that is gone. Of what a seat knows about
cards that it does not see, changes are written: cards that a set of places has gained or lost. A digest of
each seat's whole observation comes last, so that nothing can change unnoticed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from upcard.engine.api import Limits, Observation, Record
from upcard.engine.loader import load
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.library import names

KEPT = Path(__file__).with_name("playthroughs")
SEED, NUMBER = 1, 0
DECISIONS = 64
CUT = {"go-fish": 40, "golf-six": 48, "scarto": 40}
"""Longer deals are cut off: files stay small enough to read, below 100 kB."""
CARD = re.compile(r'"?([A-Za-z_]+:\d+)"?')


def playthrough(game: LoadedGame) -> str:
    """One deal, played at random, as text."""
    limits = Limits(decisions=CUT.get(game.name, DECISIONS))
    if isinstance(game, NativeGame):
        state: BaseState = game.native_deal(SEED, NUMBER, limits=limits)
    else:
        state = game.deal(SEED, NUMBER, limits=limits)
    return "\n".join(_Writer(state).lines()) + "\n"


class _Writer:
    def __init__(self, state: BaseState) -> None:
        self.state = state
        self.seats = range(state.game.seats)
        self._before: list[dict[str, str]] = [{} for _ in self.seats]
        self._told = 0
        self._faces: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        state, draw = self.state, random.Random(SEED)
        yield f"{state.game.name}, deal {NUMBER} of seed {SEED}, {state.game.seats} seats"
        self._name_cards()
        yield from self._observed()
        while state.to_move is not None:
            seat = state.to_move
            yield ""
            yield f"decision {state.decisions}: seat {seat}"
            for move in state.observe(seat).moves:
                yield f"  may {move.text}  {self._named(move.key)}"
            index = draw.randrange(state.choices)
            yield f"  takes {state.moves[index].text}"
            state.play(index)
            yield from self._observed()
        yield ""
        outcome = state.outcome
        assert outcome is not None
        yield f"{outcome.ending}: scores {outcome.scores}, ranks {outcome.ranks}"

    def _observed(self) -> Iterator[str]:
        """What each seat was shown and what has changed for it; what is the same for several is one line."""
        views = [self.state.observe(seat) for seat in self.seats]
        for lines in zip(*(view.records[self._told :] for view in views), strict=True):
            yield from self._together([[f"| {self._record(line)}"] for line in lines])
        self._told = len(views[0].records)
        yield from self._together([list(self._changes(view)) for view in views])
        texts = [json.dumps(view.to_json(), sort_keys=True) for view in views]
        yield f"  digests {' '.join(hashlib.sha256(text.encode()).hexdigest()[:8] for text in texts)}"

    def _together(self, lines: list[list[str]]) -> Iterator[str]:
        """Lines of each seat, each line once with the seats that have it."""
        seats: dict[str, list[int]] = {}
        for seat, own in enumerate(lines):
            for line in own:
                seats.setdefault(line, []).append(seat)
        for line, who in seats.items():
            yield f"  {'all' if len(who) == len(self.seats) else ','.join(map(str, who))} {line}"

    def _record(self, record: Record) -> str:
        """A line of the record in brief: what is null in it is left out but for cards."""
        parts = [record["do"]]
        for key, value in record.items():
            if key == "actions":
                parts.append("; ".join(self._record(action) for action in value))
            elif key in ("card", "other"):
                parts.append("?" if value is None else self._faces[value])
            elif key == "cards":
                hidden = value is None or None in value
                parts.append("hidden" if hidden else " ".join(self._faces[card] for card in value))
            elif key not in ("do", "awards", "limits", "digest") and value is not None:
                parts.append(f"{key}={value if isinstance(value, str) else self._named(json.dumps(value))}")
        return " ".join(parts)

    def _changes(self, view: Observation) -> Iterator[str]:
        before, now = self._before[view.seat], dict(self._facts(view))
        for name, value in now.items():
            if name.startswith("knows") and name in before and before[name] != value:
                was, has = before[name].split(), value.split()
                gained, lost = [c for c in has if c not in was], [c for c in was if c not in has]
                yield f"+ {name}: {' '.join([*(f'+{c}' for c in gained), *(f'-{c}' for c in lost)])}"
            elif before.get(name) != value:
                yield f"+ {name}: {value}"
        for name in before:
            if name not in now:
                yield f"- {name}"
        self._before[view.seat] = now

    def _facts(self, observation: Observation) -> Iterator[tuple[str, str]]:
        """An observation as named facts; what stands in the record or in the moves is left out."""
        for place, cards in observation.places.items():
            seen = [self._faces[card] for card in cards if card is not None]
            yield place, " ".join(seen) if len(seen) == len(cards) else f"{len(cards)} hidden"
        for place, backs in observation.backs.items():
            if len(set(backs)) > 1:
                yield f"backs of {place}", " ".join(backs)
        for group in (observation.integers, observation.strings, observation.points):
            for name, value in group.items():
                yield name, json.dumps(value)
        known: dict[str, list[str]] = {}
        for card, memory in observation.memory.items():
            where = " or ".join(memory["where"]) + (", placed" if memory["placed"] else "")
            known.setdefault(where, []).append(self._faces[card])
        for where, faces in known.items():
            yield f"knows in {where}", " ".join(faces)
        for name in ("teams", "cycles", "to_move", "match"):
            yield name, json.dumps(getattr(observation, name))

    def _name_cards(self) -> None:
        """Cards by their faces; by number as well where several have the same face."""
        narrator = self.state.game.narrator
        faces = {card: narrator.card(card, self.state.faces).replace(" ", "_") for card in self.state.faces}
        often = Counter(faces.values())
        self._faces = {
            c: face if often[face] == 1 else f"{face}#{c.split(':')[1]}" for c, face in faces.items()
        }

    def _named(self, text: str) -> str:
        """JSON with faces in place of the ids of cards."""
        return CARD.sub(lambda found: self._faces.get(found[1], found[0]), text)


def compared(name: str, game: LoadedGame) -> str | None:
    """The first line that differs from what is kept, if there is one."""
    path = KEPT / f"{name}.txt"
    kept = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    found = playthrough(game).splitlines()
    for number, (mine, theirs) in enumerate(zip(found, kept, strict=False), 1):
        if mine != theirs:
            return f"{path.name}, line {number}:\n  kept  {theirs}\n  found {mine}"
    if len(found) != len(kept):
        return f"{path.name}: {len(kept)} lines kept, {len(found)} found"
    return None


def engines(name: str) -> list[LoadedGame]:
    game: Any = load(name, engine="native")
    return [game.reference_game, game]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.games.playthroughs", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", nargs="+", choices=names(), default=names(), metavar="GAME")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    differ = 0
    for name in asked.games:
        reference, native = engines(name)
        if asked.write:
            KEPT.mkdir(exist_ok=True)
            (KEPT / f"{name}.txt").write_text(playthrough(reference), encoding="utf-8")
        for game in (reference, native):
            difference = compared(name, game)
            if difference is not None:
                differ += 1
                print(f"{game.engine}: {difference}")
    print(f"{len(asked.games)} games, {differ} differences")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
