"""Liveness: which words of a state its future depends on, so that equal ones mean equal futures.

A transposition table should find a state again from one that differs only in words that are never read again:
counters, the pile of taken cards, the ranks of a finished trick. Left out are words that no later step reads
before writing them (a backward data-flow analysis over the steps) and, among the states that can follow one
state, words that no later step writes: those are equal in all of them. Words in doubt are kept.

The random stream is left out too, so equal words mean equal futures only where nothing is drawn; callers must
ensure that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from upcard.engine.native.lower import Lowered
from upcard.engine.shared.flat_program import Ask, Bind, Block, StageStep, Step, flatten
from upcard.recycle import program as p
from upcard.recycle.constants import text_of
from upcard.recycle.facts import owner_word
from upcard.recycle.walk import below, children

Cell: TypeAlias = tuple[str, str, str]
"""A family of storages or places: its kind (int, str, map, or a class of locations), owners, and name."""
TEAMS: Cell = ("teams", "", "")
DECKS: Cell = ("decks", "", "")
_STORES = {p.IntStore: "int", p.StrStore: "str", p.MapStore: "map"}
_PLACES = ("vloc", "iloc", "hloc", "oloc", "mem")


@dataclass(frozen=True)
class LiveWords:
    """The parts of a state at one decision that its future depends on."""

    words: tuple[int, ...]
    """Words of the state."""
    lists: tuple[int, ...]
    """Byte offsets of lists of cards: a count, then the cards; the bytes after them are meaningless."""


class Liveness:
    def __init__(self, lowered: Lowered) -> None:
        self.layout = lowered.layout
        self.depths = lowered.depths
        self.program = lowered.layout.program
        self.code: list[Step] = flatten(self.program.body)
        nodes = list(below(self.program))
        self._names = tuple(self.layout.strings)
        self._remembers = any(isinstance(n, p.PlaceForm) and n.cls == "mem" for n in nodes)
        self._all_places = frozenset(
            (cls, "table" if table else "player", name)
            for (table, cls), shelves in self.layout.shelves.items()
            for name in shelves
        )
        self._flows = [self._flow_of(step) for step in self.code]
        self._live = self._find_live()

    def after(self, step: int) -> dict[int, LiveWords]:
        """The live words of every decision that can follow the one at this step, by step."""
        reached = self._reachable(step)
        written: set[Cell] = set()
        for number in reached:
            written |= self._written(self.code[number])
        return {
            number: self._relevant(number, self._live[number] & written | {TEAMS, DECKS} & written)
            for number in sorted(reached)
            if number < len(self.code) and isinstance(self.code[number], Ask)
        }

    # --- data flow over the steps --------------------------------------------------------------

    def _next(self, number: int) -> Iterator[int]:
        step = self.code[number]
        if isinstance(step, StageStep) and step.what in ("test", "again"):
            yield step.target
            yield step.back if step.what == "again" else number + 1
        else:
            yield number + 1

    def _reachable(self, first: int) -> set[int]:
        found, waiting = set[int](), [first]
        while waiting:
            number = waiting.pop()
            if number not in found and number < len(self.code):
                found.add(number)
                waiting.extend(self._next(number))
        return found

    def _find_live(self) -> list[frozenset[Cell]]:
        """For each step, what it or a later step reads before it is certainly written.

        A stuck game may be scored at any step, so what scoring reads is always live.
        """
        scored = self._reads(self.program.scoring)
        live: list[frozenset[Cell]] = [scored] * (len(self.code) + 1)
        changed = True
        while changed:
            changed = False
            for number in reversed(range(len(self.code))):
                reads, sets = self._flows[number]
                behind = frozenset[Cell]().union(*(live[after] for after in self._next(number)))
                now = scored | reads | (behind - sets)
                if now != live[number]:
                    live[number], changed = now, True
        return live

    def _flow_of(self, step: Step) -> tuple[frozenset[Cell], frozenset[Cell]]:
        if isinstance(step, Block):
            return self._flow(step.item)
        return self._reads(*_nodes_of(step)), frozenset()

    def _flow(self, item: p.Item) -> tuple[frozenset[Cell], frozenset[Cell]]:
        """What an item reads before it sets it, and what it certainly sets."""
        if isinstance(item, p.Do):
            reads, sets = frozenset[Cell](), frozenset[Cell]()
            for inner in item.items:
                more, set_too = self._flow(inner)
                reads, sets = reads | (more - sets), sets | set_too
            return reads, sets
        if isinstance(item, p.SetInt | p.SetStr | p.SetPoints):
            cells = self._cells(item.store)
            certain = isinstance(item.store.owner, p.Table) and len(cells) == 1
            return self._reads(item), frozenset(cells if certain else ())
        return self._reads(item), frozenset()

    # --- what nodes mention --------------------------------------------------------------------

    def _cells(self, node: p.Node) -> list[Cell]:
        """The families that a storage or location can be one of."""
        assert isinstance(node, p.Named)
        sort = node.cls if isinstance(node, p.PlaceForm) else _STORES[type(node)]
        text = text_of(node.name)
        return [
            (sort, owner_word(node.owner), name) for name in ([text] if text is not None else self._names)
        ]

    def _mentioned(self, *nodes: p.Node, targets: bool) -> Iterator[Cell]:
        """Every family mentioned under these nodes, also through variables; those only written to if
        `targets`."""
        waiting, seen = list(nodes), set[p.Binding]()
        while waiting:
            node = waiting.pop()
            if isinstance(node, p.Var):
                # a place or map is read where its variable is used, so each use counts as its source
                if node.binding not in seen:
                    seen.add(node.binding)
                    waiting.append(node.binding.source)
            elif isinstance(node, p.Named):
                yield from self._cells(node)
            if isinstance(node, p.Move) and not targets:
                waiting.append(node.card)
                waiting.extend(_reads_of_target(node.place))
            elif isinstance(node, p.SetInt | p.SetStr | p.SetPoints) and not targets:
                waiting.extend(child for child in children(node) if child is not node.store)
                waiting.extend(children(node.store))
            else:
                waiting.extend(children(node))

    def _reads(self, *nodes: p.Node) -> frozenset[Cell]:
        """What nodes read. A program with memories can reach remembered cards anywhere, so all places
        count."""
        found = frozenset(self._mentioned(*nodes, targets=False))
        return found | self._all_places if self._remembers else found

    def _written(self, step: Step) -> set[Cell]:
        """What a step may change. Cards leave only places that are mentioned, or that hold remembered
        cards."""
        nodes = [node for part in _nodes_of(step) for node in below(part)]
        found = set[Cell](self._all_places if self._remembers else ())
        found.update(cell for cell in self._mentioned(*nodes, targets=True) if cell[0] in _PLACES)
        for node in nodes:
            if isinstance(node, p.Store):
                found.update(self._cells(node.store))
            elif isinstance(node, p.CreateTeams):
                found.add(TEAMS)
                for sort, space in zip(("int", "str", "map"), self._spaces, strict=True):
                    found.update((sort, kind, name) for kind, name in space if kind == "team")
            elif isinstance(node, p.CreateDeck):
                found.add(DECKS)
        return found

    # --- layout --------------------------------------------------------------------------------

    @property
    def _spaces(self) -> tuple[dict[tuple[str, str], int], ...]:
        return self.layout.ints, self.layout.strs, self.layout.maps

    def _relevant(self, number: int, cells: frozenset[Cell] | set[Cell]) -> LiveWords:
        layout, at = self.layout, self.layout.words
        depths = self.depths[number]
        words = [at["pc"]]
        # a stage sets its cycle when it is entered, so deeper cycles are left over from finished stages
        words += range(at["seat_index"], at["seat_index"] + depths.seat + 1)
        words += range(at["seat_queue"], at["seat_queue"] + depths.seat + 1)
        words += range(at["team_index"], at["team_index"] + depths.team + 1)
        if TEAMS in cells:
            words += range(at["teams"], at["scores"])
        if DECKS in cells:
            words += [at["cards"], *range(layout.faces_at // 8, layout.size // 8)]
        lists = []
        for sort, space in zip(("int", "str", "map"), self._spaces, strict=True):
            stride = layout.map_stride if sort == "map" else 1
            for (kind, name), first in space.items():
                if (sort, kind, name) in cells:
                    words += range(first, first + layout.owners(kind) * stride)
        for (table, cls), shelves in layout.shelves.items():
            for name, shelf in shelves.items():
                if (cls, "table" if table else "player", name) not in cells:
                    continue
                for place in range(shelf.first, shelf.first + shelf.places):
                    if layout.list_offsets[place] >= 0:
                        lists.append(layout.list_offsets[place])
                    else:
                        first = layout.sets_at // 8 + place * layout.set_words
                        words += range(first, first + layout.set_words)
        return LiveWords(tuple(words), tuple(lists))


def _nodes_of(step: Step) -> Iterable[p.Node]:
    if isinstance(step, Block):
        return (step.item,)
    if isinstance(step, Ask):
        return (step.choice,)
    if isinstance(step, Bind):
        return (step.node.value,)
    return (step.stage.end,) if step.what in ("test", "again") else ()


def _reads_of_target(place: p.Expr) -> Iterable[p.Node]:
    """What is read to find the target of a move, without the target itself."""
    if isinstance(place, p.EndCard) and isinstance(place.cards, p.Location):
        return children(place.cards)
    return (place,)
