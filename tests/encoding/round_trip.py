"""Compares encodings with the observations they are made from, and machine code with Python.

python -m tests.encoding.round_trip --deals 20 --seed 3          every game of the library
python -m tests.encoding.round_trip --generated 300 --seed 3     generated programs instead
"""

from __future__ import annotations

import argparse
import ctypes
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.games.noninterference import generated

from upcard.encoding import Encoding, NoEncoding
from upcard.encoding.event_history import EVENT_BYTES
from upcard.engine.api import Limits, Observation, Record, walk_records
from upcard.engine.loader import load
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.game import NativeGame
from upcard.engine.native.unlogged_state import UnloggedState
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.library import names

LIMITS = Limits(decisions=60, steps=2000)
GUARD = b"\xa5" * 8
"""Behind what machine code writes, where it must write nothing."""


@dataclass
class Compared:
    observations: int = 0
    states: int = 0
    """Observations that machine code encoded too."""
    masks: int = 0
    actions: int = 0
    """Actions whose alternatives were looked up."""


# --- what encodings must say ---------------------------------------------------------------------


def check_observation(encoding: Encoding, seen: Observation) -> bytes:
    """The encoded observation, decoded and compared field by field with the observation."""
    data = encoding.encode(seen)
    assert len(data) == encoding.size
    for field in encoding.fields:
        assert max(data[field.offset : field.offset + field.size], default=0) <= field.highest, field
    found = encoding.decode(data)
    assert (found["seat"], found["to_move"]) == (seen.seat, seen.to_move)
    assert [sorted(team) for team in found["teams"]] == [sorted(team) for team in seen.teams]
    assert {text: tuple(cards) for text, cards in found["places"].items()} == dict(seen_places(seen))
    assert found["hidden"] == dict(counts(seen))
    assert found["strings"] == seen.strings
    assert found["integers"] == {
        name: low for name, value in seen.integers.items() if (low := low_half(value))
    }
    assert found["cycles"]["seats"] == [list(cycle) for cycle in seen.cycles["seats"]]
    if encoding.content.team_levels:
        assert found["cycles"]["teams"] == list(seen.cycles["teams"])
    return data


def seen_places(seen: Observation) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    """The cards of each place that the seat sees; of a card that is remembered twice, the upper one."""
    for text, cards in seen.places.items():
        if is_memory(text):
            yield text, tuple(reversed(dict.fromkeys(reversed(cards))))
        elif text not in seen.backs:
            yield text, cards


def counts(seen: Observation) -> Iterator[tuple[str, dict[str, int]]]:
    for text, cards in seen.places.items():
        if is_memory(text):
            yield text, {"": len(cards)}
        elif text in seen.backs:
            backs = seen.backs[text]
            yield text, {back: backs.count(back) for back in set(backs)}


def is_memory(text: str) -> bool:
    return text.split(".")[1] == "mem"


def low_half(value: int) -> int:
    """A number in two bytes."""
    return (value + (1 << 15)) % (1 << 16) - (1 << 15)


def check_information(encoding: Encoding, seen: Observation) -> None:
    """The information state, decoded and compared with the record."""
    data = encoding.information_state(seen)
    assert len(data) == encoding.information_state_size
    found = encoding.decode_information_state(data)
    assert found["key"] == seen.key
    assert data[: encoding.size] == encoding.encode(seen)
    happened = [line for record in walk_records(seen.records) for line in told(record, seen.seat)]
    events = [plain_event(event, seen.seat) for event in found["events"]]
    assert found["dropped"] + len(events) == len(happened)
    assert events == happened[found["dropped"] :]
    assert len(data) - encoding.size - 18 >= EVENT_BYTES * len(events)


def told(record: Record, seat: int) -> Iterator[tuple[Any, ...]]:
    do = record["do"]
    if do == "decision":
        yield do, record["seat"], record["seat"] == seat
    elif do in ("move", "remember", "forget"):
        yield do, record["card"], record["from"], record.get("to")
    elif do == "swap" and "card" in record:
        yield "move", record["card"], record["from"], record["to"]
        yield "move", record["other"], record["to"], record["from"]
    elif do == "swap":
        yield do, record["from"], record["to"]
    elif do == "shuffle":
        yield do, record["place"]
    elif do == "set":
        value = record["value"]
        yield (
            "set",
            f"{record['owner']}.{record['name']}",
            value if isinstance(value, str) else low_half(value),
        )


def plain_event(event: dict[str, Any], seat: int) -> tuple[Any, ...]:
    do = event["do"]
    if do == "decision":
        return do, event["seat"], event["seat"] == seat
    if do in ("move", "remember", "forget"):
        return do, event["card"], event["from"], event["to"]
    if do in ("swap", "shuffle"):
        return (do, event["from"], event["to"]) if do == "swap" else (do, event["from"])
    return "set", event["storage"], event["value"]


def check_actions(encoding: Encoding, seen: Observation) -> bytes:
    """The mask, which has exactly the actions of the moves; numbers lead to moves and back."""
    mask = encoding.mask(seen)
    assert len(mask) == encoding.actions
    numbers = encoding.numbers.of(seen)
    assert {n for n, possible in enumerate(mask) if possible} == {n for n in numbers if n is not None}
    for move, number in zip(seen.moves, numbers, strict=True):
        if number is not None:
            assert encoding.action_of(move, seen) == number
            assert encoding.move_of(number, seen).action == move.action
    return mask


# --- machine code --------------------------------------------------------------------------------


class InMachineCode:
    """A deal in playing code beside the same deal in stepping code."""

    def __init__(self, encoding: Encoding, state: BaseState, limits: Limits) -> None:
        game = state.game
        assert isinstance(game, NativeGame)
        self.encoding, self.code = encoding, encoding.machine_code
        self.playing = game.playing
        self.state = UnloggedState(
            game.playing, game.words, state.seed, state.number, limits, (), state.given
        )

    def row(self, size: int) -> ctypes.Array[ctypes.c_char]:
        return ctypes.create_string_buffer(b"\x5a" * size + GUARD, size + len(GUARD))

    def encode(self, seat: int) -> bytes:
        row = self.row(self.encoding.size)
        self.code.encode(self.state.memory.address, seat, row)
        assert row.raw[self.encoding.size :] == GUARD, "it writes no more than its bytes"
        return row.raw[: self.encoding.size]

    def mask(self) -> bytes:
        """Of the decision that was listed last."""
        row = self.row(self.encoding.actions)
        self.code.mask(self.state.memory.address, self.playing.workspace.address, row)
        assert row.raw[self.encoding.actions :] == GUARD, "it writes no more than its bytes"
        return row.raw[: self.encoding.actions]

    def index(self, action: int, chance: int) -> int:
        work = self.playing.workspace.address
        return int(self.code.index_of_action(self.state.memory.address, work, action, chance))


def check_indices(beside: InMachineCode, state: BaseState, mask: bytes, draw: random.Random) -> int:
    """Possible actions lead to one of their alternatives, some others to none."""
    encoding = beside.encoding
    alternatives: dict[int | None, set[int]] = {}
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    for number, (_, index) in zip(encoding.numbers.of(seen), state.shown, strict=True):
        alternatives.setdefault(number, set()).add(index)
    possible = [n for n in range(encoding.actions) if mask[n]]
    others = [n for n in draw.sample(range(encoding.actions), min(20, encoding.actions)) if not mask[n]]
    for action in possible:
        assert beside.index(action, draw.getrandbits(64) - (1 << 63)) in alternatives[action]
    for action in (*others, encoding.actions):
        assert beside.index(action, 0) == -1
    return len(possible) + len(others)


def compare(game: LoadedGame, deals: range, seed: int, limits: Limits = LIMITS) -> Compared:
    """Random deals, all seats at every decision."""
    encoding, compared = game.encoding, Compared()
    native = isinstance(game, NativeGame) and has_machine_code(encoding)
    for deal in deals:
        draw = random.Random(f"{seed} {deal}")
        state = game.deal(seed, deal, limits=limits)
        beside = InMachineCode(encoding, state, limits) if native else None
        while True:
            failed = state.outcome is not None and state.outcome.failure is not None
            whole = draw.randrange(8) == 0
            for seat in range(game.seats):
                seen = state.observe(seat)
                data = check_observation(encoding, seen)
                compared.observations += 1
                if whole:
                    check_information(encoding, seen)
                assert encoding.observe(state, seat) == data
                if beside is not None and not failed:
                    assert beside.encode(seat) == data, difference(encoding, beside.encode(seat), data)
                    compared.states += 1
            if state.to_move is None:
                if beside is not None and not failed:
                    assert beside.mask() == bytes(encoding.actions)
                break
            mask = check_actions(encoding, state.observe(state.to_move))
            if beside is not None:
                assert beside.mask() == mask
                compared.masks += 1
                compared.actions += check_indices(beside, state, mask, draw)
                assert encoding.mask_of(state) == mask
            index = draw.randrange(state.choices)
            state.play(index)
            if beside is not None:
                beside.state.play(index)
    return compared


def has_machine_code(encoding: Encoding) -> bool:
    try:
        return encoding.machine_code is not None
    except NoMachineCode:
        return False


def difference(encoding: Encoding, got: bytes, wanted: bytes) -> str:
    spans = [(field.name, slice(field.offset, field.offset + field.size)) for field in encoding.fields]
    return "; ".join(
        f"{name}: {got[at].hex()}, not {wanted[at].hex()}" for name, at in spans if got[at] != wanted[at]
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.encoding.round_trip", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", nargs="+", choices=names(), default=names(), metavar="GAME")
    parser.add_argument("--generated", type=int, help="number of generated programs to test instead")
    parser.add_argument("--deals", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.generated is None:
        games: Iterator[LoadedGame] = (load(name) for name in asked.games)
    else:
        games = generated(asked.generated, asked.seed)
    total = failures = 0
    for game in games:
        try:
            compared = compare(game, range(asked.deals if asked.generated is None else 1), asked.seed)
        except NoEncoding:
            continue
        except AssertionError as error:
            failures += 1
            print(f"{game.name}: {error}")
            continue
        total += compared.observations
        if asked.generated is None:
            print(f"{game.name}: {compared}", flush=True)
    print(f"seed {asked.seed}: {total} observations compared, {failures} games with differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
