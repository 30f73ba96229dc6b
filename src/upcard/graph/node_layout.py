"""Layout of nodes: the table in the middle, players around it, an owner's places in a line.

A player's line lies along the side of the table that the player sits at, so no place stands between another
one and the table. Ways inside a box use its outer side, ways between boxes the inner one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal, NamedTuple, TypeAlias

from upcard.engine.api import TABLE
from upcard.graph.fold import Folded, Line, Node

Side: TypeAlias = Literal["bottom", "left", "top", "right", "middle"]

NAME_SIZE, SMALL_SIZE, OWNER_SIZE, COUNT_SIZE = 14, 11, 15, 11
NODE_HEIGHT = 44
GAP = {"row": 62, "column": 46}
PADDING = 16
OWNER_HEIGHT = 24
LONGEST_TO_TRY = 7
"""Up to this many places are arranged in the order with the shortest edges; more keep their first order."""


class Point(NamedTuple):
    x: float
    y: float

    def __add__(self, other: tuple[float, ...]) -> Point:  # type: ignore[override]  # adds, not appends
        return Point(self.x + other[0], self.y + other[1])

    def scaled(self, by: float) -> Point:
        return Point(self.x * by, self.y * by)


class Rect(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def moved(self, x: float, y: float) -> Rect:
        return Rect(self.x + x, self.y + y, self.width, self.height)

    def grown(self, by: float) -> Rect:
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def holds(self, point: Point) -> bool:
        return self.x < point.x < self.x + self.width and self.y < point.y < self.y + self.height

    def overlaps(self, other: Rect) -> bool:
        apart_x = self.x + self.width <= other.x or other.x + other.width <= self.x
        apart_y = self.y + self.height <= other.y or other.y + other.height <= self.y
        return not (apart_x or apart_y)


OUTWARD: Mapping[Side, Point] = {
    "bottom": Point(0, 1),
    "top": Point(0, -1),
    "left": Point(-1, 0),
    "right": Point(1, 0),
    "middle": Point(0, 1),
}


@dataclass(frozen=True)
class Box:
    """The places of one owner."""

    owner: int
    side: Side
    frame: Rect
    title: Rect
    nodes: tuple[Node, ...]
    """In drawing order."""

    @property
    def in_row(self) -> bool:
        return self.side in ("bottom", "top", "middle")


@dataclass(frozen=True)
class Layout:
    width: float
    height: float
    boxes: Mapping[int, Box]
    nodes: Mapping[Node, Rect]


class Words(NamedTuple):
    """The labels of nodes and the names of owners."""

    name: str
    below: str


def lay_out(folded: Folded, words: Mapping[Node, Words], owners: Mapping[int, str]) -> Layout:
    order = _orders(folded)
    seats = folded.movement.seats
    sides = _sides(seats)
    made: dict[int, tuple[Box, dict[Node, Rect]]] = {}
    for owner in (TABLE, *range(seats)):
        nodes = sorted(folded.of_owner(owner), key=lambda node: order[node.block])
        made[owner] = _box(owner, sides[owner], nodes, folded.lines, words, owners[owner])
    return _around(made, sides, _corridor(folded.lines))


# --- seats ---------------------------------------------------------------------------------------


def _sides(seats: int) -> dict[int, Side]:
    """The side of each seat, clockwise from the bottom; long sides take more players than short ones."""
    usual: dict[int, tuple[int, int, int, int]] = {
        1: (1, 0, 0, 0),
        2: (1, 0, 1, 0),
        3: (1, 1, 0, 1),
        4: (1, 1, 1, 1),
        5: (1, 1, 2, 1),
        6: (2, 1, 2, 1),
        7: (2, 1, 3, 1),
    }
    quarter, rest = divmod(seats, 4)
    counts = usual.get(seats, (quarter + (rest > 1), quarter, quarter + (rest > 0), quarter + (rest > 2)))
    names: tuple[Side, ...] = ("bottom", "left", "top", "right")
    sides: dict[int, Side] = {TABLE: "middle"}
    for side, count in zip(names, counts, strict=True):
        for _ in range(count):
            sides[len(sides) - 1] = side
    return sides


def _corridor(lines: Sequence[Line]) -> float:
    """The gap between the table and the players, for edges between owners."""
    across = [_owners(line) for line in lines if line.source.owner != line.target.owner]
    between = sum(TABLE not in owners for owners in across)
    return min(200, 84 + 7 * between + 2 * (len(across) - between))


def _owners(line: Line) -> tuple[int, int]:
    return line.source.owner, line.target.owner


# --- the order of places in a box ----------------------------------------------------------------


def _orders(folded: Folded) -> dict[int, int]:
    """The position of each block in its box, the same for all seats."""
    near: dict[tuple[int, int], int] = defaultdict(int)
    for line in folded.lines:
        if line.source.owner == line.target.owner and line.source != line.target:
            near[line.source.block, line.target.block] += 1
    order: dict[int, int] = {}
    for of_table in (True, False):
        blocks = [number for number, block in enumerate(folded.blocks) if block[0].of_table == of_table]
        best = tuple(_by_flow(blocks, near))
        if len(blocks) <= LONGEST_TO_TRY:
            tries = permutations(best)
            best = min(tries, key=lambda tried: _stretch(tried, near))
        order |= {block: place for place, block in enumerate(best)}
    return order


def _by_flow(blocks: list[int], near: Mapping[tuple[int, int], int]) -> list[int]:
    """The sources of cards first."""
    into = {b: sum(n for (_, target), n in near.items() if target == b) for b in blocks}
    out_of = {b: sum(n for (source, _), n in near.items() if source == b) for b in blocks}
    return sorted(blocks, key=lambda b: (into[b] - out_of[b], b))


def _stretch(blocks: tuple[int, ...], near: Mapping[tuple[int, int], int]) -> float:
    """The cost of an order: edges between neighbours are free, backward edges cost a little, and edges used
    by more seats weigh more."""
    at = {block: place for place, block in enumerate(blocks)}
    cost = 0.0
    for (source, target), seats in near.items():
        if source in at and target in at:
            span = at[target] - at[source]
            cost += seats * ((abs(span) - 1) + (0.3 if span < 0 else 0))
    return cost


# --- one box -------------------------------------------------------------------------------------


def arc_height(span: int) -> float:
    """How far an edge between places that are not neighbours bulges out."""
    return 18 + 14 * span


def _box(
    owner: int, side: Side, nodes: list[Node], lines: Sequence[Line], words: Mapping[Node, Words], name: str
) -> tuple[Box, dict[Node, Rect]]:
    at = {node: place for place, node in enumerate(nodes)}
    spans = [abs(at[a] - at[b]) for a, b in ((x.source, x.target) for x in lines) if a in at and b in at]
    arcs = max((arc_height(span) + 16 for span in spans if span != 1), default=0.0)
    title_width = text_width(name, OWNER_SIZE, bold=True) + 4
    sizes = [_node_size(words[node]) for node in nodes]
    placed: dict[Node, Rect] = {}
    if side in ("left", "right"):
        width = max([wide for wide, _ in sizes] + [title_width])
        y = float(PADDING + OWNER_HEIGHT)
        x = PADDING + (arcs if side == "left" else 0.0)
        for node in nodes:
            placed[node] = Rect(x, y, width, NODE_HEIGHT)
            y += NODE_HEIGHT + GAP["column"]
        bottom = y - GAP["column"] if nodes else y
        frame = Rect(0, 0, width + arcs + 2 * PADDING, bottom + PADDING)
        title = Rect(x, PADDING - 4, title_width, OWNER_SIZE + 5)
        return Box(owner, side, frame, title, tuple(nodes)), placed
    x = float(PADDING)
    if side == "middle" and sizes:
        # edges go up from the middle of the first place: past the name, not over it
        x = max(x, PADDING + title_width + 14 - sizes[0][0] / 2)
    y = float(PADDING)
    if side != "bottom":
        y += OWNER_HEIGHT + (arcs if side == "top" else 0.0)
    for node, (wide, _) in zip(nodes, sizes, strict=True):
        placed[node] = Rect(x, y, wide, NODE_HEIGHT)
        x += wide + GAP["row"]
    right = max(x - GAP["row"] if nodes else x, PADDING + title_width)
    bottom = y + NODE_HEIGHT + PADDING
    title = Rect(PADDING, PADDING - 4, title_width, OWNER_SIZE + 5)
    if side == "bottom":
        bottom += arcs + OWNER_HEIGHT
        title = title._replace(y=bottom - PADDING - OWNER_SIZE)
    elif side == "middle":
        bottom += arcs
    frame = Rect(0, 0, right + PADDING, bottom)
    return Box(owner, side, frame, title, tuple(nodes)), placed


def _node_size(words: Words) -> tuple[float, float]:
    wide = max(text_width(words.name, NAME_SIZE, bold=True), text_width(words.below, SMALL_SIZE))
    return max(72.0, wide + 22), NODE_HEIGHT


# --- boxes around the table ----------------------------------------------------------------------


def _around(
    made: Mapping[int, tuple[Box, dict[Node, Rect]]], sides: Mapping[int, Side], corridor: float
) -> Layout:
    """Seat 0 is at the bottom and the others follow clockwise: bottom boxes from right to left, left boxes
    upwards."""
    table = made[TABLE][0].frame
    on: dict[Side, list[int]] = {
        side: [seat for seat in made if sides[seat] == side] for side in ("bottom", "left", "top", "right")
    }
    on["bottom"].reverse()
    on["left"].reverse()
    between = 30.0

    def widths(side: Side) -> list[float]:
        return [made[seat][0].frame.width for seat in on[side]]

    def heights(side: Side) -> list[float]:
        return [made[seat][0].frame.height for seat in on[side]]

    def total(sizes: list[float]) -> float:
        return sum(sizes) + between * (len(sizes) - 1) if sizes else 0.0

    middle_width = max(table.width + 2 * corridor, total(widths("top")), total(widths("bottom")))
    middle_height = max(table.height + 2 * corridor, total(heights("left")), total(heights("right")))
    left, right = max(widths("left"), default=0.0), max(widths("right"), default=0.0)
    top, bottom = max(heights("top"), default=0.0), max(heights("bottom"), default=0.0)
    centre = Point(left + middle_width / 2, top + middle_height / 2)
    corner: dict[int, Point] = {
        TABLE: Point(centre.x - table.width / 2, centre.y - table.height / 2),
    }
    rows: tuple[Side, ...] = ("bottom", "top")
    columns: tuple[Side, ...] = ("left", "right")
    for side in rows:
        x = centre.x - total(widths(side)) / 2
        for seat in on[side]:
            frame = made[seat][0].frame
            corner[seat] = Point(x, top + middle_height if side == "bottom" else top - frame.height)
            x += frame.width + between
    for side in columns:
        y = centre.y - total(heights(side)) / 2
        for seat in on[side]:
            frame = made[seat][0].frame
            corner[seat] = Point(left - frame.width if side == "left" else left + middle_width, y)
            y += frame.height + between
    boxes: dict[int, Box] = {}
    nodes: dict[Node, Rect] = {}
    for owner, (box, placed) in made.items():
        by = corner[owner]
        boxes[owner] = Box(owner, box.side, box.frame.moved(*by), box.title.moved(*by), box.nodes)
        nodes |= {node: rect.moved(*by) for node, rect in placed.items()}
    return Layout(left + middle_width + right, top + middle_height + bottom, boxes, nodes)


# --- text ----------------------------------------------------------------------------------------

_NARROW = "iljtfrI.,:;'|!()[]-"
_WIDE = "mwMWOQGDH@%&"


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text: an upper estimate for common sans-serif fonts, since no font can be measured."""
    units = 0.0
    for letter in text:
        if letter in _NARROW:
            units += 0.40
        elif letter in _WIDE or ord(letter) > 0x2000:
            units += 0.90
        else:
            units += 0.70 if letter.isupper() else 0.62
    return units * size * (1.08 if bold else 1.0)
