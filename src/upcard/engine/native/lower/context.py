"""Lowering context: the program's facts, the function being written, and a function per node.

Functions that lower forms are registered by node and by result, as in the reference engine: `value_of` for a
value of one word, `cards_of` for a collection of cards, `groups_of` for a list of collections, `array_of` for
a list of values, `act_of` for an action, `item_of` for the forms around actions. `set_of_form` registers how
a collection becomes a set without a list, and `fast_item` a cheaper lowering of an item, tried first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import END
from upcard.engine.native.lower.analysis import Analysis, Orders, holds_places
from upcard.engine.native.lower.builder import (
    ONE,
    WORK,
    ZERO,
    Builder,
    Faults,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.fast.score_tables import ScoreTable
from upcard.engine.native.lower.runtime import ARENA, AT, where
from upcard.engine.native.lower.state_layout import FAILED, Layout, Shelf
from upcard.engine.native.lower.workspace_plan import WorkRoom
from upcard.engine.shared.flat_program import Ask, Depths, Step, flatten, stage_depths
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.order import Origins
from upcard.recycle.walk import below

Words: TypeAlias = tuple[ir.Expr, ...]
"""A set of cards, a bit for each card."""
ArenaMark: TypeAlias = tuple[ir.Expr, ir.Expr]
"""Where the arena's free bytes begin, and where the chunk that they lie in ends."""
NO_ROOM = "this needs more memory than the native engine has"
TOO_MUCH_TO_NOTE = "there are more effects at once than the native engine can record"


# --- collections of cards while code is written --------------------------------------------------


@dataclass
class InPlace:
    place: ir.Expr
    ordered: bool | None
    """None: only known when it runs."""
    memory: bool
    shelf: Shelf | None = None
    """The shelf of the place, where it is known: its lists lie one behind the other."""


@dataclass
class AsSet:
    words: Words
    """Locals when a variable holds it: cards moved through it are taken out of them."""


@dataclass
class AsList:
    base: ir.Expr


Cards: TypeAlias = InPlace | AsSet | AsList


# --- a function per node -------------------------------------------------------------------------

T = TypeVar("T")
Lower: TypeAlias = Callable[["Context", Any], T]

VALUES: dict[type[p.Node], Lower[ir.Expr]] = {}
CARDS: dict[type[p.Node], Lower[Cards]] = {}
GROUPS: dict[type[p.Node], Lower[ir.Expr]] = {}
ARRAYS: dict[type[p.Node], Lower[ir.Expr]] = {}
SETS: dict[type[p.Node], Lower[Words | None]] = {}
ACTIONS: dict[type[p.Node], Lower[None]] = {}
ITEMS: dict[type[p.Node], Lower[None]] = {}
FAST_ITEMS: dict[type[p.Node], Lower[bool]] = {}
"""Each says whether it wrote the item."""


def _registers(table: dict[type[p.Node], Lower[T]]) -> Callable[..., Callable[[Lower[T]], Lower[T]]]:
    """A decorator that enters a function for the nodes it is given."""

    def of(*nodes: type[p.Node]) -> Callable[[Lower[T]], Lower[T]]:
        def register(function: Lower[T]) -> Lower[T]:
            table.update(dict.fromkeys(nodes, function))
            return function

        return register

    return of


value_of = _registers(VALUES)
cards_of = _registers(CARDS)
groups_of = _registers(GROUPS)
array_of = _registers(ARRAYS)
set_of_form = _registers(SETS)
act_of = _registers(ACTIONS)
item_of = _registers(ITEMS)
fast_item = _registers(FAST_ITEMS)


class Context(Builder):
    """One program being lowered, and the function that is being written."""

    def __init__(
        self,
        module: ir.Module,
        layout: Layout,
        analysis: Analysis,
        orders: Orders,
        map_sites: list[p.SetPoints],
        score_tables: dict[p.SetPoints, ScoreTable],
        logging: bool,
    ) -> None:
        super().__init__(module, turns_end=layout.words["cards"])
        self.layout = layout
        self.program = layout.program
        self.analysis = analysis
        self.orders = orders
        self.counts = layout.facts.work
        """Which forms count what they do."""
        self.origins = Origins()
        self.map_sites = map_sites
        """The forms that set point maps, by their number in the code."""
        self.score_tables = score_tables
        """Those of them that set a map all of whose scores are known."""
        self.team_sites = [node for node in below(self.program) if isinstance(node, p.CreateTeams)]
        self.code: list[Step] = flatten(self.program.body)
        self.depths = stage_depths(self.code)
        self.asks: list[tuple[int, Ask]] = [(i, s) for i, s in enumerate(self.code) if isinstance(s, Ask)]
        self.room = WorkRoom(layout)
        self.logging = logging
        """Stepping code: it notes every effect, and every look at a face. Playing code notes nothing."""

        self.faults = Faults()
        self.allocations = 0
        """How often the code written so far allocates."""
        self.allocating: set[int] = set()
        """The choices, by their steps, whose items make lists as they are carried out."""
        self.counted: dict[p.Item, bool] = {}
        """See `counted_items.is_counted`."""
        self._picks_lists: dict[p.Item, bool] = {}

        # the function being written
        self.env: dict[int, Any] = {}
        """What stands for each variable, by slot: a word, a pointer to a list, or `Cards`."""
        self.distances: dict[str, ir.Expr] = {}
        """How far into the workspace each list lies, by the local that points at it."""
        self.seat_depth = self.team_depth = 0
        """How many stages of each kind are open."""
        self.queued = True
        """The next player may be another than the next seat."""
        self.fresh = False
        """It begins with an empty arena."""
        self.allocates = False
        """It makes lists."""

        # the form being lowered
        self.before_teams = False
        """Declared values and the teams of the setup are computed: there are no teams yet."""
        self.chancy = False
        """The choice may draw."""
        self.counting_actions = False
        """Inside an item that alternatives are listed of, each action is counted."""
        self.blamed: p.Node | None = None
        """The item of a choice that is blamed for too much work; otherwise it is the form that counts."""
        self.counts_nothing = False
        """What is written was counted before."""
        self.sure: dict[int, InPlace] = {}
        """Cards in variables that certainly still lie in a place without order: the place, by slot."""

    # --- forms ---------------------------------------------------------------------------------

    def value(self, node: p.Expr) -> ir.Expr:
        """The value of a form; the statements that compute it are written first."""
        return VALUES[type(node)](self, node)

    def cards(self, node: p.Expr) -> Cards:
        """A collection of cards."""
        return CARDS[type(node)](self, node)

    def location(self, node: p.Expr) -> InPlace:
        """A collection that is certainly a location."""
        cards = self.cards(node)
        assert isinstance(cards, InPlace)
        return cards

    def groups(self, node: p.Expr) -> ir.Expr:
        """A list of collections in memory: a count, then a word each (see `cards.element`)."""
        return GROUPS[type(node)](self, node)

    def array(self, node: p.Expr) -> ir.Expr:
        """A list of values in memory: a count, then a word each."""
        return ARRAYS[type(node)](self, node)

    def act(self, node: p.Action) -> None:
        ACTIONS[type(node)](self, node)
        if not isinstance(node, p.SetInt | p.SetStr | p.AddInt | p.SetPoints | p.Pass):
            self.sure.clear()
        if self.counting_actions:
            self.set_word(AT["done"], ONE, WORK)

    def item(self, node: p.Item) -> None:
        """Lists made for it are freed behind it, but for those that are picked: they are recorded later."""
        with nullcontext() if self._picks_inside(node) else self.scratch():
            self._item(node)

    def _item(self, node: p.Item) -> None:
        fast = FAST_ITEMS.get(type(node))
        if isinstance(node, p.Action):
            self.act(node)
        elif fast is None or not fast(self, node):
            ITEMS[type(node)](self, node)

    def _picks_inside(self, node: p.Item) -> bool:
        known = self._picks_lists.get(node)
        if known is None:
            known = any(isinstance(inner, p.ForAny) and picks_lists(inner) for inner in below(node))
            self._picks_lists[node] = known
        return known

    def brief(self, node: p.Expr) -> ir.Expr:
        """A value of one word; lists made on the way to it are freed."""
        before = self.allocations
        with self.scratch():
            value = self.value(node)
            if self.allocations > before:
                value = self.keep(value)
        return value

    # --- functions -----------------------------------------------------------------------------

    def begin(self, depths: Depths, fresh: bool = True) -> None:
        """Start a function at a step with these stages open; see `variables.bind_again`."""
        self.seat_depth, self.team_depth, self.queued = depths.seat, depths.team, depths.queued
        self.env = {}
        self.distances = {}
        self.allocates = False
        self.fresh = fresh

    def function(
        self,
        name: str,
        parameters: tuple[ir.Local, ...],
        result: ir.Type = "int",
        exported: bool = False,
        rare: bool = False,
    ) -> None:
        if self.allocates and self.fresh:
            with self.block() as emptied:
                self.free_arena(self.room.arena_start)
            self.blocks[-1][:0] = emptied
        self.allocates = self.fresh = False
        super().function(name, parameters, result, exported, rare)

    # --- faults, work and effects --------------------------------------------------------------

    def fail(self, node: p.Node, message: str, test: ir.Expr = ONE, *numbers: ir.Expr) -> None:
        """Leave with a run-time error if the condition holds. `numbers` fill the braces of the message."""
        with self.when(test, rare=True):
            for i, value in enumerate(numbers):
                self.set_word(self.layout.words["said"] + i, value)
            self.emit(ir.Return(const(self.faults.number(node, message))))

    def note_fault(self, status: ir.Expr) -> None:
        """The game has failed."""
        self.set_word(self.layout.words["ending"], const(FAILED))
        self.set_word(self.layout.words["fault"], status)

    def count_work(self, node: p.Node, times: ir.Expr) -> None:
        """A form counts what it is about to do: elements, groups or runs; see `upcard.recycle.work`."""
        units = self.counts.units.get(node)
        if units is not None:
            self._add_work(node, scaled(times, units))

    def count_cards(self, node: p.Node, cards: ir.Expr) -> None:
        if node in self.counts.large:
            self._add_work(node, cards)

    def reset_work(self) -> None:
        """Nothing has been done yet."""
        if self.counts:
            self.set_work(ZERO)

    def work_word(self) -> ir.Expr:
        """Nothing else is of its kind, so it may stay in a register while it is added to."""
        return self.word(AT["work"], WORK, "work")

    def set_work(self, units: ir.Expr) -> None:
        self.set_word(AT["work"], units, WORK, "work")

    def _add_work(self, node: p.Node, units: ir.Expr) -> None:
        if self.counts_nothing:
            return
        total = self.variable(add(self.work_word(), units), "work")
        self.set_work(total)
        self.fail(self.blamed or node, self.counts.sentence, binary("sgt", total, const(self.counts.most)))

    def log(self, kind: int, *values: ir.Expr) -> None:
        """Note an effect: its number, how many words follow, and the words."""
        if not self.logging:
            return
        at = self.variable(self.call("note", WORK, const(2 + len(values))), "noted")
        self.fail(self.program, TOO_MUCH_TO_NOTE, negate(at))
        for i, value in enumerate((const(kind), const(len(values)), *values)):
            self.set_word(add(at, const(i)), value, WORK)

    def look(self, card: ir.Expr) -> None:
        """A face is looked at."""
        if self.logging and self.counting_actions:
            self.run("look", WORK, card)

    # --- the arena -----------------------------------------------------------------------------

    def allocate(self, node: p.Node, size: ir.Expr) -> ir.Local:
        """Bytes of the arena, rounded up to whole words."""
        self.allocates = True
        top = self.variable(self.word(AT["top"], WORK), "top")
        rounded = self.keep(binary("and", add(size, const(7)), const(-8)))
        with self.when(binary("sgt", add(top, rounded), self.word(ARENA + END, WORK)), rare=True):
            # they do not fit into this chunk: another one is used
            self.set(top, self.call("find_room", WORK, const(ARENA), top, rounded))
            self.fail(node, NO_ROOM, binary("eq", top, ZERO))
        self.set_word(AT["top"], add(top, rounded), WORK)
        self.allocations += 1
        made = self.variable(ir.Offset(WORK, top), "list")
        self.distances[made.name] = top
        return made

    def distance(self, base: ir.Expr) -> ir.Expr:
        """How far into the workspace a list lies; noted when it is made."""
        assert isinstance(base, ir.Local)
        return self.distances[base.name]

    def arena_mark(self) -> ArenaMark:
        """The first free byte of the arena and the end of its chunk, for `free_arena`."""
        top = self.variable(self.word(AT["top"], WORK), "top")
        return top, self.variable(self.word(ARENA + END, WORK), "end")

    def free_arena(self, mark: ArenaMark) -> None:
        """Free what was allocated since the mark, which may lie in an earlier chunk than the one in use."""
        self.set_word(AT["top"], mark[0], WORK)
        self.set_word(ARENA + END, mark[1], WORK)

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """What is allocated inside is freed behind it: a loop needs room for one round only."""
        before = self.allocations
        with self.block() as body:
            yield
        if self.allocations == before:
            self.blocks[-1].extend(body)
            return
        mark = self.arena_mark()
        self.blocks[-1].extend(body)
        self.free_arena(mark)

    # --- the table -----------------------------------------------------------------------------

    def where(self, card: ir.Expr) -> ir.Expr:
        """The place that a card lies in."""
        return where(self.layout, card)

    def seat(self, which: str) -> ir.Expr:
        """The current, next or previous player."""
        words = self.layout.words
        current = self.word(words["seat_index"] + self.seat_depth)
        if which == "current":
            return current
        seats = self.layout.seats
        if which == "previous":
            here = self.keep(current)
            return ir.If(binary("eq", here, ZERO), const(seats - 1), binary("sub", here, ONE))
        after = self.keep(add(current, ONE))
        following = ir.If(binary("eq", after, const(seats)), ZERO, after)
        if not self.queued:
            return following
        queue = self.keep(self.word(words["seat_queue"] + self.seat_depth))
        return ir.If(binary("sge", queue, ZERO), queue, following)

    @property
    def known_teams(self) -> list[list[int]] | None:
        """The seats of each team, where they never change: then nothing is looked up in the state."""
        return None if self.before_teams else self.analysis.teams

    def team_count(self) -> ir.Expr:
        if self.known_teams is not None:
            return const(len(self.known_teams))
        return self.word(self.layout.words["teams"])


def picks_lists(node: p.ForAny) -> bool:
    """What an any picks from are lists of cards, not places."""
    return node.source.kind is Kind.LISTS and not holds_places(node.source)
