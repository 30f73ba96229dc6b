"""Random games in machine code with the stages they pass through, to tell rounds apart.

Stepping code logs every stage that is entered or left. Only that part of its event log is read, and no table
is kept, so this takes a twentieth of the time of a recorded game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from upcard.engine.api import ENDINGS, Limits, Record
from upcard.engine.native.event_log import read_events
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.lower.control import PAUSED
from upcard.engine.native.lower.runtime import AT, EFFECTS, STAGE
from upcard.engine.native.lower.state_layout import FAILED
from upcard.engine.native.state_memory import Memory, given_words
from upcard.engine.native.workspace import Workspace
from upcard.engine.rng import PLAYER, Stream
from upcard.engine.shared.flat_program import StageStep
from upcard.simulate.traces import Trace


class StagedTrace(NamedTuple):
    trace: Trace
    records: list[Record]
    """The part of a game's record that tells which stages are entered and left, and which seat decides."""


def staged_games(game: NativeGame, seed: int, start: int, end: int) -> Iterator[StagedTrace]:
    """Raises `NoMachineCode` at once if the native engine does not take the program."""
    stepping = game.stepping
    work, limits = Workspace(stepping.lowered.work), Limits()
    work.limits(limits.decisions, limits.steps)
    stages = {
        number: {"do": "stage", "what": step.what}
        for number, step in enumerate(game.code)
        if isinstance(step, StageStep) and step.what in ("enter", "leave")
    }
    return (_trace(game, work, stages, seed, deal) for deal in range(start, end))


def _trace(game: NativeGame, work: Workspace, stages: dict[int, Record], seed: int, deal: int) -> StagedTrace:
    stepping = game.stepping
    depths, at = stepping.lowered.depths, stepping.layout.words
    streams = [Stream((seed, deal, PLAYER, seat)) for seat in range(game.seats)]
    memory = Memory(stepping.size)
    words, here, space = memory.words, memory.address, work.address
    seats, choices, records = list[int](), list[int](), list[Record]()
    work.set_word(AT["effects"], 0)
    work.give(given_words(stepping.layout, game.given_outside_a_match(deal)))
    stepping.deal(here, space, signed(seed), signed(deal))
    failed = words[at["ending"]] == FAILED
    while not failed:
        work.set_word(AT["effects"], 0)
        paused = stepping.advance(here, space) == PAUSED
        for kind, values in read_events(work.table(EFFECTS, 0, work.word(AT["effects"]))):
            if kind == STAGE and values[0] in stages:
                records.append(stages[values[0]])
        if paused:
            continue
        if words[at["ending"]]:
            break
        failed = bool(stepping.relist(here, space))
        if failed:
            break
        seat = words[at["seat_index"] + depths[words[at["pc"]]].seat]
        seats.append(seat)
        choices.append(words[at["choices"]])
        records.append({"do": "decision", "seat": seat})
        stepping.apply(here, space, streams[seat].below(choices[-1]))
        failed = words[at["ending"]] == FAILED
    ending = ENDINGS[(FAILED if failed else words[at["ending"]]) - 1]
    first = at["scores"]
    scores = None if ending == "failed" else tuple(words[first : first + game.seats])
    return StagedTrace(Trace(ending, tuple(seats), tuple(choices), scores), records)
