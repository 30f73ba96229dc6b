"""A game in progress in machine code, one decision at a time.

Stepping code logs its effects; the log is applied to a table that follows the state (`event_log`), from which
moves, records, knowledge and views are built as for the reference engine. A game dealt without recording has
no such table: it is read from memory on demand.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Self

from upcard.arguments import BadArgument, check_seat, check_whole
from upcard.engine.api import ENDINGS, Failure, Given, Limits, Move, Record, Stacked
from upcard.engine.native.event_log import Words, apply_event, read_events
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.lower.control import PAUSED
from upcard.engine.native.lower.runtime import AT, BEGINS, EFFECTS, MASK_WORDS, STAGE, WATCHED_AT
from upcard.engine.native.lower.state_layout import FAILED
from upcard.engine.native.resample_plan import make_plan, sampling
from upcard.engine.native.state_memory import MASK, Memory, given_words, read_table
from upcard.engine.native.stepping_code import card_numbers
from upcard.engine.rng import DETERMINISATION, GAME, LISTING, Stream
from upcard.engine.shared import views
from upcard.engine.shared.alternatives import NOTHING, Alternative, Picked
from upcard.engine.shared.flat_program import Ask, StageStep
from upcard.engine.shared.given import given_storages
from upcard.engine.shared.knowledge import Effect, Knowledge
from upcard.engine.shared.state import BaseState
from upcard.engine.shared.table import Table
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind

if TYPE_CHECKING:
    from upcard.engine.native.game import NativeGame
    from upcard.engine.native.workspace import Workspace

EMPTY = -(2**63)


class NativeState(BaseState):
    """Played by machine code."""

    def __init__(
        self,
        game: NativeGame,
        seed: int,
        number: int,
        stacked: Stacked,
        limits: Limits,
        recording: bool,
        given: Given | None = None,
    ) -> None:
        self.game: NativeGame = game
        super().__init__(game, seed, number, stacked, limits, recording, given)
        self._stacked = tuple(tuple(order) if order is not None else None for order in stacked)
        self._chance_words: tuple[int, ...] = (seed, number, GAME)
        self._memory = Memory(game.stepping.size)
        self._played: list[int] | None = []
        """The indices played so far; None for a sample, which they do not lead to."""
        self._choices = 0
        self._token = object()
        self._alternatives: list[Alternative] | None = None
        self._knowledge = Knowledge(game.seats) if recording else None
        self._following: Table | None = None
        self._read: Table | None = None
        if recording:
            self._following = Table(game.seats, 0, game.facts.order, all_ordered=False)
        self._set_up()

    # --- implemented by engines -----------------------------------------------------------------

    @property
    def table(self) -> Table:
        if self._following is not None:
            return self._following
        if self._read is None:
            self._read = read_table(self._words, self._memory)
        return self._read

    @property
    def knowledge(self) -> Knowledge | None:
        return self._knowledge

    @property
    def choices(self) -> int:
        return self._choices

    @property
    def alternatives(self) -> list[Alternative]:
        if self._alternatives is None:
            self._alternatives = self._decode() if self._outcome is None else []
        return self._alternatives

    @property
    def to_move(self) -> int | None:
        if self._outcome is not None:
            return None
        at = self._words.lowered
        depth = at.depths[self._position].seat
        return self._memory.words[at.layout.words["seat_index"] + depth]

    @property
    def ask(self) -> Ask:
        step = self.game.code[self._position]
        assert isinstance(step, Ask), "only asked for while a decision is open"
        return step

    def list_watching(self, hidden: frozenset[int]) -> tuple[list[Alternative], Stream]:
        """Recorded games always list with the chooser's hidden cards watched."""
        if self._following is None:
            self._list(hidden)
        alternatives = self.alternatives
        work = self._listed_here()
        stream = Stream((*self._chance_words, LISTING, self.decisions))
        if work.word(AT["seeded"]):
            stream.set_state([word & MASK for word in work.words(AT["l0"], 4)])
        return alternatives, stream

    # --- playing -------------------------------------------------------------------------------

    def play(self, move: Move | int) -> None:
        index = self._index_of(move)
        entry: Record | None = None
        picked: list[Any] = []
        if self._records is not None:
            alternative = self.alternatives[index]
            entry = views.decision_record(self, alternative, index)
            self._records.append(entry)
            picked = views.pick_places(self.table, alternative)
        work = self._listed_here()
        self._moves = self._shown = self._alternatives = self._read = None
        self._choices = 0
        self.decisions += 1
        if self._played is not None:
            self._played.append(index)
        work.set_word(AT["effects"], 0)
        work.listed = None
        self.game.stepping.apply(self._memory.address, work.address, index)
        if entry is not None and self._ending != FAILED:
            effects = self._apply_log(work, entry)
            entry["seen"] = views.picks_seen(self.game.seats, picked, effects)
        self._advance(work)

    def copy(self) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._token = object()
        other._memory = self._memory.copy()
        other._played = None if self._played is None else list(self._played)
        other._following = None if self._following is None else self._following.copy()
        other._knowledge = None if self._knowledge is None else self._knowledge.copy()
        other._records = None if self._records is None else list(self._records)
        other._views = {seat: list(seen) for seat, seen in self._views.items()}
        other._moves = other._shown = None
        return other

    def sample(self, seat: int, k: int = 0, *, memory: bool = True) -> Self:
        check_seat(seat, self.game.seats)
        check_whole("k", k)
        if memory and self._knowledge is None:
            raise BadArgument("this game was dealt without recording; deal it with recording=True")
        words = (self.seed, self.number, DETERMINISATION, self.decisions, k)
        plan = make_plan(self._words, self._memory, self.table, self._knowledge if memory else None, seat)
        other = self.copy()
        other._records = other._played = other._knowledge = other._following = other._read = None
        other._stacked = ()
        other._alternatives = None
        other._chance_words = words
        # the sample is drawn from the stream with which its game continues
        at = self._words.lowered.layout.words
        stream = Stream(words)
        chance = (ctypes.c_int64 * 4)(*map(signed, stream.state))
        sampling().resample(other._memory.address, plan.base.address, plan.address, ctypes.addressof(chance))
        other._memory.words[at["name"]] = signed(stream.name)
        other._memory.words[at["c0"] : at["c0"] + 4] = list(chance)
        if other._outcome is None:
            other._list()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The memory as bytes, with what it depends on; alternatives are listed anew."""
        kept = super().__getstate__()
        for name in ("_token", "_alternatives", "_read"):
            del kept[name]
        return {**kept, "_memory": bytes(self._memory.words)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        self._memory = Memory.of(kept["_memory"])
        self._token = object()
        self._alternatives = self._read = None
        if self._following is not None:
            self._following.attach(self.game.facts.order, all_ordered=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeState) and self.content() == other.content()

    __hash__ = None  # type: ignore[assignment]

    def content(self) -> tuple[Any, ...]:
        """Everything that this game's future depends on."""
        at, words = self._words.lowered.layout.words, self._memory.words
        return (
            self.game.identity,
            self.table.content(),
            self._chance_words,
            self.chance,
            words[at["shuffles"]],
            self._position,
            words[at["steps"]],
            self.decisions,
            self._outcome,
            self.alternatives,
            None if self._knowledge is None else self._knowledge.content(),
        )

    # --- for comparisons of engines ------------------------------------------------------------

    @property
    def chance(self) -> tuple[int, ...]:
        """The state of the game's random stream."""
        first = self._words.lowered.layout.words["c0"]
        return tuple(self._memory.words[first + i] & MASK for i in range(4))

    @property
    def fault(self) -> tuple[p.Node, str] | None:
        """The fault that machine code reported, if any."""
        return self._words.lowered.fault_of(self._memory.bytes)

    def memory_table(self) -> Table:
        """The table read from memory, independent of the event log."""
        return read_table(self._words, self._memory)

    # --- from decision to decision -------------------------------------------------------------

    @property
    def _words(self) -> Words:
        return self.game.words

    @property
    def _position(self) -> int:
        return self._memory.words[self._words.lowered.layout.words["pc"]]

    @property
    def _ending(self) -> int:
        return self._memory.words[self._words.lowered.layout.words["ending"]]

    def _workspace(self) -> Workspace:
        """The calling thread's workspace, set up for this game."""
        work = self.game.stepping.workspace
        layout = self._words.lowered.layout
        # where decks are created in play, a card has no number before
        if work.owner is not self._token or (layout.moving_faces and self._stacked):
            work.owner = self._token
            work.limits(self.limits.decisions, self.limits.steps)
            work.stack(card_numbers(layout.cards_of(self._memory.bytes), self._stacked))
        return work

    def _set_up(self) -> None:
        work = self._workspace()
        work.set_word(AT["effects"], 0)
        stepping = self.game.stepping
        work.give(given_words(self._words.lowered.layout, self.given))
        stepping.deal(self._memory.address, work.address, signed(self.seed), signed(self.number))
        if self._ending == FAILED:
            self._fail()
            return
        if self._following is not None:
            self._record({"do": "setup", "seats": self.game.seats})
            if self.game.program.setup.teams is None:
                alone = tuple((seat,) for seat in range(self.game.seats))
                self._following.make_teams(alone)
                self._record_effects([("teams", alone)], None)
            self._apply_log(work, None)
            self._following.ints.update(given_storages(self.given))
        work.give(())
        self._advance(self._workspace())

    def _advance(self, work: Workspace) -> None:
        """Advances to the next decision or the end."""
        if self._ending == FAILED:
            self._fail()
            return
        paused = True
        while paused:
            work.set_word(AT["effects"], 0)
            paused = self.game.stepping.advance(self._memory.address, work.address) == PAUSED
            self._read = None
            ending = self._ending
            if ending == FAILED:
                self._fail()
                return
            if self._following is not None:
                self._apply_log(work, None)
        if not ending:
            self._list()
            return
        at = self._words.lowered.layout.words["scores"]
        scores = self._memory.words[at : at + self.game.seats]
        self._record_scores(scores)
        self._end(ENDINGS[ending - 1], scores, None)

    def _apply_log(self, work: Workspace, decision: Record | None) -> list[Effect]:
        """Applies the event log to the table, the knowledge and the record."""
        table, knowledge = self._following, self._knowledge
        assert table is not None
        effects = []
        faces = self._words.lowered.layout.cards_of(self._memory.bytes)
        for kind, values in read_events(work.table(EFFECTS, 0, work.word(AT["effects"]))):
            if kind == STAGE:
                self._apply_stage(values[0])
                continue
            effect = apply_event(self._words, table, kind, values, faces)
            if knowledge is not None:
                knowledge.learn(effect, table)
            self._record_effects([effect], decision)
            effects.append(effect)
        return effects

    def _apply_stage(self, number: int) -> None:
        step = self.game.code[number]
        table = self._following
        assert isinstance(step, StageStep)
        assert table is not None
        if step.what == "enter":
            table.enter(step.stage.of)
        elif step.what == "leave":
            table.leave_stage(step.stage.of)
        elif step.what == "again":
            table.advance(step.stage.of)
        self._record_stage(step, step.what if step.what in ("enter", "leave") else "round")

    # --- alternatives --------------------------------------------------------------------------

    def _list(self, hidden: frozenset[int] | None = None) -> None:
        work = self._workspace()
        self._alternatives = None
        if hidden is None and self._following is not None:
            chooser = self._following.current
            hidden = frozenset(
                card for card, place in enumerate(self._following.where) if not place.seen_by(chooser)
            )
        work.set_word(AT["watching"], int(hidden is not None))
        if hidden is not None:
            bits = sum(1 << card for card in hidden)
            for w in range(MASK_WORDS):
                work.set_word(WATCHED_AT + w, signed(bits >> (64 * w) & MASK))
        status = self.game.stepping.relist(self._memory.address, work.address)
        if status:
            self._fail(status)
            return
        work.listed = self._token
        self._choices = self._memory.words[self._words.lowered.layout.words["choices"]]

    def _listed_here(self) -> Workspace:
        """The workspace, with this decision's alternatives listed in it."""
        work = self._workspace()
        if work.listed is not self._token:
            self._list()
        return work

    def _decode(self) -> list[Alternative]:
        work = self._listed_here()
        begins = work.table(BEGINS, 0, 2 * self._choices)
        return [self._alternative(work, *pair) for pair in zip(begins[::2], begins[1::2], strict=True)]

    def _alternative(self, work: Workspace, begin: int, end: int) -> Alternative:
        made = work.word(begin // 8)
        pairs = work.words(begin // 8 + 1, 2 * made)
        picks = tuple(self._pick(work, pairs[2 * i], pairs[2 * i + 1]) for i in range(made))
        item, peeked, size = work.words(end // 8, 3)
        table = self.table
        table.trail = []
        effects: list[Effect] = []
        effects_before_peek, at = None, 0
        for kind, values in read_events(work.words(end // 8 + 3, size)):
            if effects_before_peek is None and 0 <= peeked <= at:
                effects_before_peek = len(effects)
            effects.append(apply_event(self._words, table, kind, values))
            at += 2 + len(values)
        if effects_before_peek is None and peeked >= 0:
            effects_before_peek = len(effects)
        table.roll_back(0)
        table.trail = None
        return Alternative(item, picks, tuple(effects), effects_before_peek)

    def _pick(self, work: Workspace, site: int, value: int) -> Picked:
        kind, as_place = self._words.lowered.sites[site]
        element: Any = value
        if value == EMPTY:
            element = NOTHING
        elif kind is Kind.STR:
            element = self._words.strings[value]
        elif kind is Kind.CARDS:
            element = self._words.places[value] if as_place else self._listed_cards(work, value)
        return Picked(site, element, kind)

    def _listed_cards(self, work: Workspace, at: int) -> tuple[int, ...]:
        count, width = work.word(at // 8), self._words.lowered.layout.card_bytes
        raw = work.bytes_at(at + 8, count * width)
        return tuple(int.from_bytes(raw[i : i + width], "little") for i in range(0, len(raw), width))

    # --- failing -------------------------------------------------------------------------------

    def _fail(self, status: int | None = None) -> None:
        """Describes a failure: the reference engine replays the game, because it knows every variable."""
        at = self._words.lowered.layout.words
        if status is not None:
            self._memory.words[at["fault"]] = status
            self._memory.words[at["ending"]] = FAILED
        fault = self.fault
        assert fault is not None
        node, message = fault
        self._choices = 0
        self._alternatives = []
        if self._played is not None:
            replay = self.game.reference_game.deal(
                self.seed,
                self.number,
                stacked=self._stacked,
                limits=self.limits,
                recording=self.recording,
                given=self.given,
            )
            for index in self._played:
                replay.play(index)
            if replay.outcome is not None and replay.outcome.failure is not None:
                self._outcome = replay.outcome
                if self._records is not None:
                    self._records, self._following, self._views = replay.records, replay.table, {}
                    self._knowledge = replay.knowledge
                return
        source, span = self.game.program.source, node.span
        line, column = source.line(span.start), source.column(span.start)
        failure = Failure(message, line, column, source.shown(span), line, self.decisions, {})
        self._end("failed", None, failure)
