"""Folds places into nodes: places that an owner uses alike become one.

The numbered places of one name are always one node. Where an owner has very many places, those of one class
whose cards mostly come and go alike are one node too: the six cards of a golf layout, say. Alike is judged
over all seats together, so that every seat's box looks the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from upcard.engine.api import TABLE, Place
from upcard.graph.movement import Kind, Movement, Way, in_table_order, kind_of

MANY = 7
"""With at least this many names, an owner's places that are used alike are drawn together."""


class Family(NamedTuple):
    """The places of one name and class, of the table or of all seats."""

    of_table: bool
    cls: str
    name: str


class Node(NamedTuple):
    """What is drawn as one node: one place, or several that are used alike."""

    owner: int
    block: int
    """Numbers the blocks of families. Every seat's node of a block has the same position in its box."""


@dataclass(frozen=True)
class Line:
    """An edge between nodes."""

    source: Node
    target: Node
    way: Way
    count: int


@dataclass(frozen=True)
class Folded:
    movement: Movement
    nodes: Mapping[Node, tuple[Place, ...]]
    lines: tuple[Line, ...]
    blocks: tuple[tuple[Family, ...], ...]

    def kind(self, node: Node) -> Kind:
        return kind_of(self.nodes[node][0])

    def of_owner(self, owner: int) -> list[Node]:
        return [node for node in self.nodes if node.owner == owner]


def fold(movement: Movement, every_place: bool = False) -> Folded:
    """The graph to draw. With `every_place` each name has a node, however many names there are."""
    families = sorted({family_of(place) for place in movement.places})
    block_of = _blocks(movement, families, every_place)
    members: dict[int, list[Family]] = defaultdict(list)
    for family in families:
        members[block_of[family]].append(family)
    nodes: dict[Node, list[Place]] = defaultdict(list)
    for place in sorted(movement.places, key=in_table_order):
        nodes[Node(place.owner, block_of[family_of(place)])].append(place)
    counts: Counter[tuple[Node, Node, Way]] = Counter()
    for edge, count in movement.ways():
        source = Node(edge.source.owner, block_of[family_of(edge.source)])
        target = Node(edge.target.owner, block_of[family_of(edge.target)])
        counts[source, target, edge.way] += count
    lines = tuple(Line(*key, count) for key, count in counts.items())
    blocks = tuple(tuple(members[number]) for number in sorted(members))
    return Folded(movement, {node: tuple(places) for node, places in nodes.items()}, lines, blocks)


def family_of(place: Place) -> Family:
    return Family(place.owner == TABLE, place.cls, place.name)


def _blocks(movement: Movement, families: list[Family], every_place: bool) -> dict[Family, int]:
    crowded = {of_table: _count(families, of_table) >= MANY and not every_place for of_table in (True, False)}
    signs: dict[Family, set[object]] = {family: set() for family in families}
    for edge in movement.edges:
        source, target = family_of(edge.source), family_of(edge.target)
        same = edge.source.owner == edge.target.owner
        signs[source].add(("to", edge.way, same, target[:2]))
        signs[target].add(("from", edge.way, same, source[:2]))
    blocks: list[tuple[Family, set[object]]] = []
    found: dict[Family, int] = {}
    for family in families:
        for number, (first, known) in enumerate(blocks):
            if crowded[family.of_table] and first[:2] == family[:2] and _alike(known, signs[family]):
                found[family] = number
                known |= signs[family]
                break
        else:
            found[family] = len(blocks)
            blocks.append((family, set(signs[family])))
    return found


def _alike(one: set[object], other: set[object]) -> bool:
    """At least half of their edges are common: in a few games not every place uses every edge."""
    return 2 * len(one & other) >= len(one | other)


def _count(families: list[Family], of_table: bool) -> int:
    return sum(family.of_table == of_table for family in families)
