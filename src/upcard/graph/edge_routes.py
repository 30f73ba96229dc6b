"""Routes edges as curves, each the best of a few dozen candidates.

A curve runs over no place and no owner's name, keeps away from curves already drawn, and is short. Neighbours
in a box are joined by a straight line, other places of a box by an arc on its outer side.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from upcard.engine.api import TABLE
from upcard.graph.fold import Line, Node
from upcard.graph.movement import Way
from upcard.graph.node_layout import OUTWARD, Box, Layout, Point, Rect, arc_height

CELL = 7.0
"""Two curves are too close if they share a square of this size."""

_PORT = 9.0
"""Arcs touch a side at this distance from its middle; elsewhere points are twice as far apart."""

GOOD = 60.0
"""A direct curve that costs less than this crosses nothing, so no detour is needed."""

OUT, IN = 0, 1
_DIRECTIONS = (Point(0, -1), Point(0, 1), Point(-1, 0), Point(1, 0))

Cubic = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Route:
    """An edge and its curve: cubic pieces, each starting where the previous one ends."""

    line: Line
    pieces: tuple[Cubic, ...]

    def points(self, step: float = 5.0) -> list[Point]:
        """Points along the curve, about one step apart."""
        found = [self.pieces[0][0]]
        for piece in self.pieces:
            count = max(4, int(_length(piece) / step))
            found += [_at(piece, i / count) for i in range(1, count + 1)]
        return found


def route(lines: Sequence[Line], layout: Layout) -> list[Route]:
    """Routes all edges, those with the least freedom first."""
    return _Router(layout).all(lines)


def _at(piece: Cubic, t: float) -> Point:
    a, b, c, d = piece
    s = 1 - t
    p, q, r, u = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    return Point(p * a.x + q * b.x + r * c.x + u * d.x, p * a.y + q * b.y + r * c.y + u * d.y)


def _length(piece: Cubic) -> float:
    """The approximate length: the mean of the chord and the control polygon."""
    a, b, c, d = piece
    return (math.dist(a, d) + math.dist(a, b) + math.dist(b, c) + math.dist(c, d)) / 2


class _Router:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.taken: dict[tuple[int, int], list[Line]] = defaultdict(list)
        self.titles = [box.title.grown(3) for box in layout.boxes.values()]
        self.groups: dict[Node, dict[tuple[int, Way], Point]] = {}

    def all(self, lines: Sequence[Line]) -> list[Route]:
        def freedom(line: Line) -> tuple[int, float]:
            owners = (line.source.owner, line.target.owner)
            rank = 0 if owners[0] == owners[1] else 1 if TABLE in owners else 2
            ends = self.layout.nodes[line.source].middle, self.layout.nodes[line.target].middle
            return rank, math.dist(*ends)

        self.groups = _groups(lines, layout=self.layout)
        found: dict[Line, Route] = {}
        for line in sorted(lines, key=freedom):
            found[line] = self._best(line, lines)
            for cell in dict.fromkeys(_cell(point) for point in found[line].points()):
                self.taken[cell].append(line)
        return [found[line] for line in lines]

    def _best(self, line: Line, lines: Sequence[Line]) -> Route:
        if line.source.owner == line.target.owner:
            return Route(line, (self._inside(line, lines),))
        direct = [Route(line, (piece,)) for piece in self._direct(line)]
        best = min((self._cost(made), number) for number, made in enumerate(direct))
        if best[0] < GOOD:
            return direct[best[1]]
        # something is in the way: go round the table
        round_it = [direct[best[1]], *(Route(line, pieces) for pieces in self._round(line))]
        return round_it[min((self._cost(made), number) for number, made in enumerate(round_it))[1]]

    # --- inside a box --------------------------------------------------------------------------

    def _inside(self, line: Line, lines: Sequence[Line]) -> Cubic:
        box = self.layout.boxes[line.source.owner]
        source, target = self.layout.nodes[line.source], self.layout.nodes[line.target]
        span = box.nodes.index(line.target) - box.nodes.index(line.source)
        both = any(other.source == line.target and other.target == line.source for other in lines)
        along = Point(1, 0) if box.in_row else Point(0, 1)
        if abs(span) == 1:
            return _straight(source, target, along, 10.0 * span if both else 0.0)
        out = OUTWARD[box.side]
        if span == 0:
            shift, height = along.scaled(14), 44.0
            start, end = _side(source, out) + shift.scaled(-1), _side(target, out) + shift
        else:
            forward = 1 if span > 0 else -1
            start = _side(source, out) + along.scaled(_PORT * forward)
            end = _side(target, out) + along.scaled(-_PORT * forward)
            height = arc_height(abs(span)) * (4 / 3) - (14.0 if both and forward < 0 else 0.0)
        rise = out.scaled(height)
        return start, start + rise, end + rise, end

    # --- between boxes -------------------------------------------------------------------------

    def _direct(self, line: Line) -> Iterator[Cubic]:
        for start, away in self._ports(line.source, line, OUT):
            for end, into in self._ports(line.target, line, IN):
                far = math.dist(start, end)
                for pull in (0.25, 0.4, 0.6, 0.85):
                    reach = max(36.0, far * pull)
                    yield start, start + away.scaled(reach), end + into.scaled(reach), end

    def _round(self, line: Line) -> Iterator[tuple[Cubic, Cubic]]:
        for start, away in self._ports(line.source, line, OUT):
            for end, into in self._ports(line.target, line, IN):
                for corner in self._corners():
                    yield _through(start, away, corner, end, into)

    def _ports(self, node: Node, line: Line, turn: int) -> Iterator[tuple[Point, Point]]:
        """A point where a curve may touch a place, and the direction away from the place."""
        box, rect = self.layout.boxes[node.owner], self.layout.nodes[node]
        if node.owner != TABLE:
            sides = [OUTWARD[box.side].scaled(-1)]
        else:
            other = self.layout.nodes[line.target if turn == OUT else line.source].middle
            there = Point(other.x - rect.middle.x, other.y - rect.middle.y)
            sides = [
                away
                for away in _DIRECTIONS
                if away.x * there.x + away.y * there.y > -40 and _free(box, node, away)
            ]
        for away in sides:
            along = Point(abs(away.y), abs(away.x))
            yield _side(rect, away) + along.scaled(self._offset(node, line.way, turn, along, rect)), away

    def _offset(self, node: Node, way: Way, turn: int, along: Point, rect: Rect) -> float:
        """Each kind of edge has its own point on a side, so that arrowheads do not overlap."""
        where = self.groups[node]
        # in the order of the other ends, so that edges do not cross right away
        groups = sorted(where, key=lambda group: (where[group].x if along.x else where[group].y, group))
        length = rect.width if along.x else rect.height
        apart = min(2 * _PORT, (length - 16) / len(groups))
        return (groups.index((turn, way)) - (len(groups) - 1) / 2) * apart

    def _corners(self) -> Iterator[Point]:
        """Points around the table, for edges that go round it."""
        frame = self.layout.boxes[TABLE].frame
        for distance in (16.0, 36.0, 56.0, 76.0):
            around = frame.grown(distance)
            middle = around.middle
            for x in (around.x, around.x + around.width):
                yield Point(x, middle.y)
                for y in (around.y, around.y + around.height):
                    yield Point(x, y)
            for y in (around.y, around.y + around.height):
                yield Point(middle.x, y)

    def _cost(self, made: Route) -> float:
        points = made.points(8.0)
        line = made.line
        cost = sum(math.dist(a, b) for a, b in pairwise(points)) / 20
        cost += 3 * (len(made.pieces) - 1) + _bends(points)
        near = (points[0], points[-1])
        inner = [p for p in points[1:-1] if math.dist(p, near[0]) > 5 and math.dist(p, near[1]) > 5]
        reach = _bounds(points)
        ends = (line.source, line.target)
        for node, rect in self.layout.nodes.items():
            zone = rect if node in ends else rect.grown(7)
            if zone.overlaps(reach):
                cost += 90 * sum(zone.holds(point) for point in inner)
        for title in self.titles:
            if title.overlaps(reach):
                cost += 40 * sum(title.holds(point) for point in points)
        for owner, box in self.layout.boxes.items():
            if box.frame.overlaps(reach):
                cost += self._trespass(owner, box, line, points)
        outside = Rect(0, 0, self.layout.width, self.layout.height)
        cost += 60 * sum(not outside.holds(point) for point in inner)
        for point in inner:
            for other in self.taken.get(_cell(point), ()):
                cost += self._closeness(other, line, point, near)
        return cost

    def _trespass(self, owner: int, box: Box, line: Line, points: list[Point]) -> float:
        """Edges go round other owners' boxes and leave a player's own box at once."""
        inside = sum(box.frame.holds(point) for point in points)
        if owner not in (line.source.owner, line.target.owner):
            return 8 * inside
        return 0 if owner == TABLE else 5 * max(0, inside - 4)

    def _closeness(self, other: Line, line: Line, point: Point, near: tuple[Point, Point]) -> float:
        """Edges that start or end at the same point may share their first stretch."""
        shared = other.source == line.source, other.target == line.target
        for at, same in zip(near, shared, strict=True):
            if same and math.dist(point, at) < 60:
                return 0.0
        return 2.0 if any(shared) and other.way == line.way else 3.5


def _groups(lines: Sequence[Line], layout: Layout) -> dict[Node, dict[tuple[int, Way], Point]]:
    """For each place, the kinds of edges that leave its box, and the mean position of their other ends."""
    ends: dict[Node, dict[tuple[int, Way], list[Point]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if line.source.owner != line.target.owner:
            ends[line.source][OUT, line.way].append(layout.nodes[line.target].middle)
            ends[line.target][IN, line.way].append(layout.nodes[line.source].middle)
    return {node: {group: _mean(points) for group, points in found.items()} for node, found in ends.items()}


def _mean(points: Sequence[Point]) -> Point:
    return Point(sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points))


def _free(box: Box, node: Node, away: Point) -> bool:
    """Whether that side has no neighbour; the gap between neighbours is reserved for edges between them."""
    return not ((away.x < 0 and node != box.nodes[0]) or (away.x > 0 and node != box.nodes[-1]))


def _bounds(points: Sequence[Point]) -> Rect:
    left, top = min(p.x for p in points), min(p.y for p in points)
    right, bottom = max(p.x for p in points), max(p.y for p in points)
    return Rect(left, top, right - left + 0.1, bottom - top + 0.1)


def _bends(points: list[Point]) -> float:
    """The cost of turning; sharp turns cost most."""
    total = 0.0
    for a, b, c in zip(points[::2], points[2::2], points[4::2], strict=False):
        turn = math.atan2(c.y - b.y, c.x - b.x) - math.atan2(b.y - a.y, b.x - a.x)
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        total += 24 * turn * turn
    return total


def _cell(point: Point) -> tuple[int, int]:
    return int(point.x // CELL), int(point.y // CELL)


def _side(rect: Rect, towards: Point) -> Point:
    """The midpoint of the side that faces a direction."""
    return rect.middle + Point(towards.x * rect.width / 2, towards.y * rect.height / 2)


def _straight(source: Rect, target: Rect, along: Point, aside: float) -> Cubic:
    forward = along if (target.x, target.y) > (source.x, source.y) else along.scaled(-1)
    across = Point(along.y, along.x).scaled(-aside)
    start, end = _side(source, forward) + across, _side(target, forward.scaled(-1)) + across
    third = Point((end.x - start.x) / 3, (end.y - start.y) / 3)
    return start, start + third, end + third.scaled(-1), end


def _through(start: Point, away: Point, via: Point, end: Point, into: Point) -> tuple[Cubic, Cubic]:
    """Two pieces that meet smoothly."""
    first, second = math.dist(start, via), math.dist(via, end)
    chord = math.dist(start, end) or 1.0
    slope = Point((end.x - start.x) / chord, (end.y - start.y) / chord)
    return (
        (start, start + away.scaled(first * 0.45), via + slope.scaled(-first * 0.4), via),
        (via, via + slope.scaled(second * 0.4), end + into.scaled(second * 0.45), end),
    )


# --- numbers on the edges ------------------------------------------------------------------------


def place_counts(
    routes: Sequence[Route], sizes: Mapping[Line, tuple[float, float]], layout: Layout
) -> dict[Line, Rect]:
    """A free spot on each edge for its number; edges without one are left out."""
    taken = [rect.grown(2) for rect in layout.nodes.values()]
    taken += [box.title.grown(2) for box in layout.boxes.values()]
    cells: dict[tuple[int, int], set[int]] = defaultdict(set)
    for index, made in enumerate(routes):
        for point in made.points(3.0):
            cells[_cell(point)].add(index)
    found: dict[Line, Rect] = {}
    for index, made in sorted(enumerate(routes), key=lambda item: len(item[1].points())):
        width, height = sizes[made.line]
        points = made.points(3.0)
        best: tuple[float, Rect] | None = None
        for share in (0.5, 0.42, 0.58, 0.34, 0.66, 0.28, 0.72, 0.22, 0.78, 0.16, 0.84):
            at = points[round(share * (len(points) - 1))]
            spot = Rect(at.x - width / 2, at.y - height / 2, width, height)
            if any(spot.overlaps(rect) for rect in taken):
                continue
            strangers = sum(len(cells[cell] - {index}) for cell in _cells_of(spot.grown(1)))
            cost = 3 * strangers + 4 * abs(share - 0.5)
            if best is None or cost < best[0]:
                best = (cost, spot)
        if best is not None:
            found[made.line] = best[1]
            taken.append(best[1].grown(2))
    return found


def _cells_of(rect: Rect) -> Iterator[tuple[int, int]]:
    left, top = _cell(Point(rect.x, rect.y))
    right, bottom = _cell(Point(rect.x + rect.width, rect.y + rect.height))
    for x in range(left, right + 1):
        for y in range(top, bottom + 1):
            yield x, y
