"""A game in progress in machine code, one decision at a time.

Stepping code logs its effects. Playing keeps the log; what is read of a state is made when it is read: moves
from what machine code listed, the table, the record and the seats' knowledge by following the log
(`event_follower`), observations from what machine code wrote for a seat (`seat_view`). A game dealt without
recording has no log: its table is read from memory.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from upcard.arguments import BadArgument, check_seat, check_whole
from upcard.engine.api import ENDINGS, Failure, Given, Limits, Move, Observation, Record, Stacked
from upcard.engine.native import machine_memory
from upcard.engine.native.event_follower import Entry, EventFollower
from upcard.engine.native.event_log import Words, apply_event, read_events
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.control import PAUSED
from upcard.engine.native.lower.runtime import AT, BEGINS, EFFECTS, MASK_WORDS, WATCHED_AT
from upcard.engine.native.lower.state_layout import FAILED
from upcard.engine.native.resample_plan import make_plan, sampling
from upcard.engine.native.seat_view.compact_view import CompactView
from upcard.engine.native.seat_view.record_chain import RecordLink
from upcard.engine.native.seat_view.step import NO_ROOM, PAUSE, UNREAD
from upcard.engine.native.seat_view.view_code import HISTORY_AT, LOG_WORDS, ViewBuffer, view_buffer
from upcard.engine.native.state_memory import MASK, Memory, given_words, read_table
from upcard.engine.native.stepping_code import card_numbers
from upcard.engine.record_view import view
from upcard.engine.rng import DETERMINISATION, GAME, LISTING, Stream
from upcard.engine.shared.alternatives import NOTHING, Alternative, Picked
from upcard.engine.shared.flat_program import Ask
from upcard.engine.shared.given import given_storages
from upcard.engine.shared.knowledge import Effect, Knowledge
from upcard.engine.shared.state import BaseState
from upcard.engine.shared.table import Table, single_seats
from upcard.engine.state import NOT_RECORDED
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
        self._log: list[Entry] | None = [] if recording else None
        """Everything that happened: words, and records that are not in the words."""
        super().__init__(game, seed, number, stacked, limits, recording, given)
        self._stacked = tuple(tuple(order) if order is not None else None for order in stacked)
        self._given = given_storages(self.given)
        self._chance_words: tuple[int, ...] = (seed, number, GAME)
        self._memory = Memory(game.stepping.size)
        self._known = Memory(game.seat_views.known_bytes) if recording else None
        """What the seats know (`seat_view/seat_knowledge.py`)."""
        self._follower: EventFollower | None = None
        """The game as far as its log has been followed; its copies may have the same."""
        self._links: dict[int, tuple[int, RecordLink | None]] = {}
        """Per seat how much of the log it has seen, and its record."""
        self._played: list[int] | None = []
        """The indices played so far; None for a sample, which they do not lead to."""
        self._choices = 0
        self._token = object()
        self._alternatives: list[Alternative] | None = None
        self._read: Table | None = None
        self._set_up()

    # --- implemented by engines -----------------------------------------------------------------

    @property
    def table(self) -> Table:
        if self._log is not None:
            return self._followed().table
        if self._read is None:
            self._read = read_table(self._words, self._memory)
        return self._read

    @property
    def knowledge(self) -> Knowledge | None:
        return None if self._log is None else self._followed().knowledge

    @property
    def records(self) -> list[Record]:
        if self._log is None:
            raise BadArgument(NOT_RECORDED)
        return self._followed().records

    @property
    def recording(self) -> bool:
        return self._log is not None

    def records_seen_by(self, seat: int) -> tuple[Record, ...]:
        return () if self._log is None else tuple(view(self.records, seat))

    def _followed(self) -> EventFollower:
        """The game as it is now, of this state alone: it may be changed for a moment."""
        log, follower = self._log, self._follower
        assert log is not None, "a game dealt without recording is not followed"
        if follower is None:
            follower = self._follower = EventFollower(self.game, self.given)
        elif follower.owner is not self._token:
            follower = self._follower = follower.copy()
        follower.owner = self._token
        if follower.is_behind(log):
            follower.follow(log, self._words.lowered.layout.cards_of(self._memory.bytes))
        return follower

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
        if self._log is None:
            self._list(hidden)
        alternatives = self.alternatives
        work = self._listed_here()
        stream = Stream((*self._chance_words, LISTING, self.decisions))
        if work.word(AT["seeded"]):
            stream.set_state([word & MASK for word in work.words(AT["l0"], 4)])
        return alternatives, stream

    def _find(self, move: Move) -> int | None:
        if self._log is None or not self.game.seat_views.fits:
            return super()._find(move)
        kernels = self.game.seat_views
        try:
            words = kernels.reader.move_words(move)
            named = struct.pack(f"<{len(words)}q", *words)
        except (AttributeError, KeyError, TypeError, ValueError, struct.error):
            return super()._find(move)  # it has face-down cards, or is no move of this game
        work = self._listed_here()
        index: int = kernels.find_move(kernels.address, self._memory.address, work.address, named)
        return index if index >= 0 else super()._find(move)

    # --- playing -------------------------------------------------------------------------------

    def play(self, move: Move | int) -> None:
        index = self._index_of(move)
        work = self._listed_here()
        self._moves = self._shown = self._alternatives = self._read = None
        self._choices = 0
        self.decisions += 1
        if self._played is not None:
            self._played.append(index)
        work.listed = None
        if self._log is None:
            work.set_word(AT["effects"], 0)
            self.game.stepping.apply(self._memory.address, work.address, index)
            self._advance(work)
            return
        kernels, buffer = self.game.seat_views, view_buffer(work)
        here = kernels.address, self._memory.address, work.address, self._known_address
        status = kernels.step(*here, buffer.address, index)
        if status == NO_ROOM:
            buffer.enlarge(2 * buffer.words[LOG_WORDS])
            status = kernels.step(*here, buffer.address, index)
        self._after_step(work, buffer, status)

    def copy(self) -> Self:
        if self._follower is not None:
            self._follower.owner = None  # whichever follows its log first makes a copy
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._token = object()
        other._memory = self._memory.copy()
        other._known = None if self._known is None else self._known.copy()
        other._played = None if self._played is None else list(self._played)
        other._log = None if self._log is None else list(self._log)
        other._links = dict(self._links)
        other._moves = other._shown = None
        return other

    def sample(self, seat: int, k: int = 0, *, memory: bool = True) -> Self:
        check_seat(seat, self.game.seats)
        check_whole("k", k)
        if memory and self._log is None:
            raise BadArgument(NOT_RECORDED)
        words = (self.seed, self.number, DETERMINISATION, self.decisions, k)
        plan = make_plan(self._words, self._memory, self.table, self.knowledge if memory else None, seat)
        other = self.copy()
        other._log = other._known = other._follower = other._played = other._read = None
        other._links = {}
        other._stacked = ()
        other._alternatives = None
        other._chance_words = words
        # the sample is drawn from the stream with which its game continues
        at = self._words.lowered.layout.words
        stream = Stream(words)
        chance = machine_memory.words_of([signed(word) for word in stream.state])
        sampling(self.game.stepping.backend).resample(
            other._memory.address, plan.base.address, plan.address, ctypes.addressof(chance)
        )
        other._memory.words[at["name"]] = signed(stream.name)
        other._memory.words[at["c0"] : at["c0"] + 4] = list(chance)
        if other._outcome is None:
            other._list()
        return other

    def __getstate__(self) -> dict[str, Any]:
        """The memory as bytes, with what it depends on; alternatives are listed anew."""
        kept = super().__getstate__()
        for name in ("_token", "_alternatives", "_read", "_links"):
            del kept[name]
        if not self._has_failed:  # what a failed game's record and table are is not in its log
            kept["_follower"] = None
        known = None if self._known is None else bytes(self._known.words)
        return {**kept, "_memory": bytes(self._memory.words), "_known": known}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        self._memory = Memory.of(kept["_memory"])
        self._known = None if kept["_known"] is None else Memory.of(kept["_known"])
        self._token = object()
        self._alternatives = self._read = None
        self._links = {}
        if self._follower is not None:
            self._follower.table.attach(self.game.facts.order, all_ordered=False)

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
            None if self._log is None else self._followed().knowledge.content(),
        )

    # --- observing -----------------------------------------------------------------------------

    def observe(self, seat: int, match: dict[str, Any] | None = None) -> Observation:
        if self._known is None or self._log is None or self._has_failed or not self.game.seat_views.fits:
            return super().observe(seat, match)
        self._check_observer(seat, match)
        game, to_move = self.game, self.to_move
        kernels = game.seat_views
        # its moves are written as they are listed
        work = self._listed_here() if to_move == seat else self._workspace()
        buffer = view_buffer(work)
        link, events, lines = self._unseen(seat)
        here = kernels.address, self._memory.address, work.address, self._known.address
        words = kernels.observe(*here, buffer.address, seat, events, len(events) // 8)
        if words < 0:
            buffer.enlarge(-words)
            words = kernels.observe(*here, buffer.address, seat, events, len(events) // 8)
        data, events_at = ctypes.string_at(buffer.view_address, 8 * words), 8 * buffer.words[HISTORY_AT]
        if events:
            link = RecordLink(link, data[events_at:])
        if lines:
            link = RecordLink(link, b"", tuple(view(lines, seat)))
        self._links[seat] = len(self._log), link
        compact = CompactView(kernels.reader, seat, data[:events_at], link, self._given)
        return Observation._lazy(
            compact.fields,
            game=game.identity,
            seat=seat,
            seats=game.seats,
            decision=self.decisions,
            to_move=to_move,
            match=match,
        )

    def _unseen(self, seat: int) -> tuple[RecordLink | None, bytes, list[Record]]:
        """A seat's record so far; what is new in the log: words, and the lines behind them."""
        assert self._log is not None
        read, link = self._links.get(seat, (0, None))
        new = self._log[read:]
        if len(new) == 1 and isinstance(new[0], bytes):
            return link, new[0], []
        # lines come before the setup and behind the end
        words = [n for n, entry in enumerate(new) if isinstance(entry, bytes)]
        first = words[0] if words and read == 0 else 0
        if first:
            link = RecordLink(link, b"", tuple(view(_lines(new[:first]), seat)))
        return link, b"".join(entry for entry in new if isinstance(entry, bytes)), _lines(new[first:])

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

    @property
    def memory(self) -> Memory:
        """The state as machine code sees it; it changes when the game goes on."""
        return self._memory

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
    def _has_failed(self) -> bool:
        return self._outcome is not None and self._outcome.failure is not None

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
        if self._log is None:
            work.give(())
            self._advance(work)
            return
        self._record({"do": "setup", "seats": self.game.seats})
        if self.game.program.setup.teams is None:
            self._record({"do": "teams", "teams": [list(team) for team in single_seats(self.game.seats)]})
        self._log.append(work.bytes_at(8 * work.word(EFFECTS + BASE), 8 * work.word(AT["effects"])))
        work.give(())
        kernels, buffer = self.game.seat_views, view_buffer(work)
        here = kernels.address, self._memory.address, work.address, self._known_address
        self._after_step(work, buffer, kernels.begin(*here, buffer.address))

    def _after_step(self, work: Workspace, buffer: ViewBuffer, status: int) -> None:
        """Logs what was done, and goes on if machine code stopped for that."""
        log, kernels = self._log, self.game.seat_views
        assert log is not None
        here = kernels.address, self._memory.address, work.address, self._known_address
        ending = self._ending
        while status in (PAUSE, UNREAD) and ending != FAILED:
            words, first = buffer.words[LOG_WORDS : LOG_WORDS + 2]
            effects, base = work.word(AT["effects"]), work.word(EFFECTS + BASE)
            done = work.bytes_at(8 * (base + first), 8 * (effects - first))
            log.append(ctypes.string_at(buffer.log_address, 8 * words) + done)
            buffer.words[LOG_WORDS : LOG_WORDS + 2] = [0, 0]
            work.set_word(AT["effects"], 0)
            if status == PAUSE:
                status = kernels.go_on(*here, buffer.address)
                ending = self._ending
            else:
                status = 0 if ending else kernels.list_moves(*here[:3])
        if ending == FAILED:
            self._fail()
            return
        if words := buffer.words[LOG_WORDS]:
            log.append(ctypes.string_at(buffer.log_address, 8 * words))
        if ending:
            self._score(ending)
        else:
            self._listed(work, status)

    @property
    def _known_address(self) -> int:
        assert self._known is not None
        return self._known.address

    def _advance(self, work: Workspace) -> None:
        """Advances a game without a log to the next decision or the end."""
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
        if ending:
            self._score(ending)
        else:
            self._list()

    def _score(self, ending: int) -> None:
        at = self._words.lowered.layout.words["scores"]
        scores = self._memory.words[at : at + self.game.seats]
        for seat, score in enumerate(scores):
            self._record({"do": "score", "seat": seat, "score": score})
        self._end(ENDINGS[ending - 1], scores, None)

    def _record(self, entry: Record) -> None:
        if self._log is not None:
            self._log.append(entry)

    # --- alternatives --------------------------------------------------------------------------

    def _list(self, hidden: frozenset[int] | None = None) -> None:
        work = self._workspace()
        self._alternatives = None
        if self._log is not None:
            kernels = self.game.seat_views
            self._listed(work, kernels.list_moves(kernels.address, self._memory.address, work.address))
            return
        work.set_word(AT["watching"], int(hidden is not None))
        if hidden is not None:
            bits = sum(1 << card for card in hidden)
            for w in range(MASK_WORDS):
                work.set_word(WATCHED_AT + w, signed(bits >> (64 * w) & MASK))
        self._listed(work, self.game.stepping.relist(self._memory.address, work.address))

    def _listed(self, work: Workspace, status: int) -> None:
        """The workspace has this decision's alternatives, unless listing failed."""
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
                if self._log is not None:
                    assert replay.knowledge is not None, "it was dealt with recording"
                    follower = EventFollower(self.game, self.given)
                    follower.replace(replay.table, replay.knowledge, replay.records, len(self._log))
                    self._follower = follower
                return
        source, span = self.game.program.source, node.span
        line, column = source.line(span.start), source.column(span.start)
        failure = Failure(message, line, column, source.shown(span), line, self.decisions, {})
        self._end("failed", None, failure)


def _lines(log: Sequence[Entry]) -> list[Record]:
    """What a log has beside words."""
    return [entry for entry in log if not isinstance(entry, bytes)]
