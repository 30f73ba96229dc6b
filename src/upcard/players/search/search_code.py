"""Compiled search kernels bound to one game's functions and memory."""

from __future__ import annotations

import ctypes
import threading
import weakref
from array import array
from typing import Any, TypeAlias

from upcard.engine.native import machine_memory
from upcard.engine.native.backends.select import Backend, check_reach, once_per_backend
from upcard.engine.native.game import NativeGame
from upcard.engine.native.kernels import resample as sampling_kernels
from upcard.engine.native.kernels.loaded_kernels import load_kernels
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.runtime import (
    AT,
    BEGINS,
    ITEMS_AT,
    MASK_WORDS,
    MASKS_AT,
    SEATS_AT,
    STACK_AT,
    stack_words,
)
from upcard.engine.native.state_memory import Memory
from upcard.engine.native.workspace import Workspace
from upcard.players.belief import action_match as finding_kernels
from upcard.players.belief import constrained_deal as dealing_kernels
from upcard.players.belief import legality_inference as probing_kernels
from upcard.players.belief import move_likelihood as believing_kernels
from upcard.players.belief import world_sample as imagining_kernels
from upcard.players.belief import world_walk as retracing_kernels
from upcard.players.belief.kernel_structs import Game, WorldTally
from upcard.players.search import action_id as identity_kernels
from upcard.players.search import infoset_key as seeing_kernels
from upcard.players.search import mcts as mcts_kernels
from upcard.players.search import memoryless_rollouts as guessing_kernels
from upcard.players.search import quick_likelihood as likelihood_kernels
from upcard.players.search import quick_play as quick_kernels
from upcard.players.search import rollout as ending_kernels
from upcard.players.search import tree as tree_kernels
from upcard.players.search import tree_memory as tree_block_kernels
from upcard.players.search import world_rollouts as searching_kernels

INT, PTR, FLOAT = ctypes.c_int64, ctypes.c_void_p, ctypes.c_double

KERNELS = (
    *sampling_kernels.KERNELS,
    *dealing_kernels.KERNELS,
    *finding_kernels.KERNELS,
    *retracing_kernels.KERNELS,
    *probing_kernels.KERNELS,
    *ending_kernels.KERNELS,
    *believing_kernels.KERNELS,
    *imagining_kernels.KERNELS,
    *searching_kernels.KERNELS,
    *identity_kernels.KERNELS,
    *tree_block_kernels.KERNELS,
    *seeing_kernels.KERNELS,
    *tree_kernels.KERNELS,
    *guessing_kernels.KERNELS,
    *mcts_kernels.KERNELS,
    *quick_kernels.KERNELS,
    *likelihood_kernels.KERNELS,
)


Opening: TypeAlias = tuple[list[int], list[tuple[int, str, int]]]
"""See `history.py`."""

NEVER = 1 << 40
"""A shuffle that does not come: from there on a card would be exchanged that no shuffle hides."""


class Code:
    """One for all games."""

    def __init__(self, backend: Backend) -> None:
        check_reach(backend)
        self._loaded = load_kernels("search", KERNELS, apart=sampling_kernels.APART, backend=backend)
        function = self._loaded.function
        self.retrace = function("retrace", INT, *[PTR] * 7, INT)
        self.find = function("find", INT, *[PTR] * 8)
        self.probe_held = function("probe_held", INT, PTR)
        self.probe_picks = function("probe_picks", INT, PTR)
        self.stack = function("stack", INT, PTR, PTR, PTR, PTR)
        self.is_as_seen = function("is_as_seen", INT, PTR, PTR, PTR)
        self.agrees = function("agrees", INT, *[PTR] * 4, INT)
        self.take = function("take", INT, PTR, PTR, PTR, INT)
        self.note_arrivals = function("note_arrivals", INT, *[PTR] * 4, INT, INT, PTR)
        self.deal_cards = function("deal_cards", INT, PTR, INT, PTR, PTR)
        self.count_ways = function("count_ways", FLOAT, PTR)
        self.sample_world = function("sample_world", INT, PTR, PTR, PTR, INT)
        self.likelihood = function("likelihood", FLOAT, *[PTR] * 5)
        self.walk_worlds = function("walk_worlds", INT, PTR, PTR, INT, *[PTR] * 3, INT, INT)
        self.fresh_chance = function("fresh_chance", INT, PTR, PTR, INT)
        self.search_flat = function("search_flat", INT, PTR, INT, INT)
        self.search_trees = function("search_trees", INT, PTR, INT, INT)
        self.search_guesses = function("search_guesses", INT, PTR, INT, INT)
        self.rank_alternatives = function("rank_alternatives", INT, PTR, INT, INT)
        self.score_alternatives = function("score_alternatives", INT, PTR, INT, INT, INT)
        self.search_states = function("search_states", INT, PTR, INT, INT)
        self.weigh_states = function("weigh_states", FLOAT, PTR, INT)
        self.choose_now = function("choose_now", INT, PTR, PTR, INT)
        self.deal_quickly = function("deal_quickly", INT, PTR, PTR, INT, INT)
        self.play_quickly = function("play_quickly", INT, PTR, PTR, INT)
        self.likely_history = function("likely_history", FLOAT, PTR, PTR, INT, INT)
        self.value_to = function("value_to", FLOAT, PTR, PTR, INT)
        self.begin_move = function("begin_move", INT, PTR, PTR, INT)


code = once_per_backend(Code)


class SearchCode:
    """What a thread needs to think about one game."""

    def __init__(self, game: NativeGame) -> None:
        self._game = weakref.ref(game)  # it is kept as long as its game is: see `machine_of`
        compiled = self.compiled = game.playing
        self.code = code(compiled.backend)
        self.lowered = compiled.lowered
        self.layout = layout = compiled.layout
        at = layout.words
        functions = {
            name: compiled.address(name) for name in ("deal", "advance", "apply", "relist", "playout")
        }
        self._relist = compiled.relist
        words = {name: at[name] for name in ("pc", "ending", "choices", "decisions", "scores", "name")}
        self.facts = Game.pack(
            **functions,
            **words,
            chance=at["c0"],
            state_words=layout.size // 8,
            seats=layout.seats,
            items_at=ITEMS_AT,
            masks_at=MASKS_AT,
            mask_words=MASK_WORDS,
            stack_at=STACK_AT,
            stack_words=stack_words(layout),
            stacked=AT["stacked"],
            recorded_at=BEGINS + BASE,
            sets_at=layout.sets_at // 8,
            set_words=layout.set_words,
            where_at=layout.where_at // layout.where_bytes,
            where_bytes=layout.where_bytes,
            streams_at=SEATS_AT,
            card_bytes=layout.card_bytes,
            lists=layout.list_offsets,
        )
        self.work = Workspace(self.lowered.work, compiled.backend)
        self.opening: Opening | None = None
        """How deals of this game begin, once one has been followed."""
        self.listed: object = None
        """Whose alternatives the workspace has."""
        self.room = Memory(3 * layout.size)
        self.stream = machine_memory.words(4)
        self.tally = WorldTally.pack()
        self.same_swaps = array("q", [word for card in range(layout.room) for word in (card, NEVER)])
        """They leave every card as it is."""
        self.ids = [f"{card.back}:{card.number}" for card in layout.cards]
        self.numbers = {card: n for n, card in enumerate(self.ids)}
        self.texts = [place.text for place in layout.places]
        self.places = {text: n for n, text in enumerate(self.texts)}
        self.base = self.facts.address
        self.same = self.same_swaps.buffer_info()[0]
        self.spare = (ctypes.addressof(self.stream), self.tally.address)
        """A stream and a tally for kernels that need them and whose results nobody reads."""
        self.set_words = layout.set_words
        self.utilities: dict[object, ending_kernels.Utility] = {}
        """Of ends of deals, by what they depend on (`flat_search`)."""
        self.trees: dict[object, ctypes.Array[ctypes.c_int64]] = {}
        """Blocks for tree search, as they are before it (`tree_buffer`)."""
        self.watches: dict[int, Any] = {}
        """Per seat what it has seen before anything happens (`observed_table`)."""
        self.probe: Any = None
        """For inferences from legality (`history`), once one is made."""
        self.candidates: Any = None
        """The candidates of observed decisions (`candidates`), once they are needed."""
        self._seen_by: dict[int, list[bool]] = {}
        self._secret: dict[tuple[int, int], list[int]] = {}
        self._storages: dict[tuple[str, str, bool], int | None] = {}

    @property
    def game(self) -> NativeGame:
        found = self._game()
        assert found is not None, "the game was freed while it is searched"
        return found

    def relist(self, state: Memory) -> None:
        """List the alternatives of a state."""
        self._relist(state.address, self.work.address)

    def seen_by(self, seat: int) -> list[bool]:
        """Per place whether a seat looks at it."""
        if seat not in self._seen_by:
            self._seen_by[seat] = [place.seen_by(seat) for place in self.layout.places]
        return self._seen_by[seat]

    def secret_places(self, chooser: int, seat: int) -> list[int]:
        """Where the chooser looks and the seat does not."""
        key = chooser, seat
        if key not in self._secret:
            theirs, mine = self.seen_by(chooser), self.seen_by(seat)
            self._secret[key] = [n for n, seen in enumerate(theirs) if seen and not mine[n]]
        return self._secret[key]

    def storage(self, owner: str, name: str, is_number: bool) -> int | None:
        """The word of a state that holds a storage."""
        key = owner, name, is_number
        if key not in self._storages:
            kind = owner.rstrip("0123456789")
            space = self.layout.ints if is_number else self.layout.strs
            first = space.get(({"table": "table", "seat": "player", "team": "team"}[kind], name))
            self._storages[key] = None if first is None else first + int(owner[len(kind) :] or 0)
        return self._storages[key]


_machines = threading.local()


def machine_of(game: NativeGame) -> SearchCode:
    """The thread's machine for a game."""
    known: weakref.WeakKeyDictionary[NativeGame, SearchCode] | None = getattr(_machines, "known", None)
    if known is None:
        known = _machines.known = weakref.WeakKeyDictionary()
    if game not in known:
        known[game] = SearchCode(game)
    return known[game]
