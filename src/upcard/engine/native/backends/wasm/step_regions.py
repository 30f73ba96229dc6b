"""Plans how steps, which jump to each other, become nested blocks and loops.

WebAssembly has no goto. Steps that only jump forward follow each other, each behind the end of a block that
jumps leave for it. Steps that can reach each other in a circle become a loop, which begins with its head;
without the jumps to the head, what is inside is arranged in the same way. Only where a loop is entered at
another step than its head, a local says which: the entry sets it, every loop on the way looks at it, and the
step resets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Graph = dict[int, tuple[int, ...]]


@dataclass
class Region:
    """A loop around steps and further regions, or all steps of a function."""

    head: int
    """The step that a loop begins with; -1 for all steps."""
    items: list[int | Region] = field(default_factory=list)
    """In an order in which every jump leads forward, except those to the head."""
    members: frozenset[int] = frozenset()
    entries: tuple[int, ...] = ()
    """The steps where it is entered from outside, except the head."""
    place: dict[int, int] = field(default_factory=dict)
    """The item that each member belongs to."""

    def first_of(self, item: int) -> int:
        """The step that an item begins with."""
        found = self.items[item]
        return found.head if isinstance(found, Region) else found


def plan(jumps: Sequence[tuple[int, ...]], starts: Sequence[int]) -> Region:
    """Arranges the steps that can be reached. `jumps` has the targets of each step."""
    reached = _reached(jumps, starts)
    graph = {step: tuple(to for to in dict.fromkeys(jumps[step])) for step in sorted(reached)}
    region = Region(-1, members=frozenset(reached))
    _arrange(region, graph, frozenset(starts))
    return region


def _reached(jumps: Sequence[tuple[int, ...]], starts: Sequence[int]) -> set[int]:
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        step = waiting.pop()
        if step not in found:
            found.add(step)
            waiting.extend(jumps[step])
    return found


def _arrange(region: Region, graph: Graph, entered: frozenset[int]) -> None:
    """`graph` has the jumps inside the region that do not lead to its head; `entered`: steps where control
    arrives otherwise."""
    regions = [(region, graph, entered)]
    while regions:
        region, graph, entered = regions.pop()
        parts = _components(graph)
        part_of = {step: n for n, part in enumerate(parts) for step in part}
        arriving: list[dict[int, int]] = [{} for _ in parts]
        for step in entered:
            if step in part_of:
                arriving[part_of[step]].setdefault(step, 1)
        for step, targets in graph.items():
            for to in targets:
                if part_of[to] != part_of[step]:
                    found = arriving[part_of[to]]
                    found[to] = found.get(to, 0) + 1
        for number, part in enumerate(parts):
            for step in part:
                region.place[step] = number
            if len(part) == 1 and part[0] not in graph[part[0]]:
                region.items.append(part[0])
                continue
            head = max(arriving[number], key=lambda step: (arriving[number][step], -step))
            others = tuple(sorted(step for step in arriving[number] if step != head))
            inner = Region(head, members=frozenset(part), entries=others)
            region.items.append(inner)
            inside = {
                step: tuple(to for to in graph[step] if to in inner.members and to != head) for step in part
            }
            regions.append((inner, inside, frozenset((head, *others))))


def _components(graph: Graph) -> list[list[int]]:
    """Strongly connected components, so that every jump leads to the same or a later one (Tarjan)."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    open_steps: list[int] = []
    is_open: set[int] = set()
    found: list[list[int]] = []
    for root in graph:
        if root in number:
            continue
        path: list[tuple[int, int]] = [(root, 0)]
        while path:
            step, at = path.pop()
            if at == 0:
                number[step] = lowest[step] = len(number)
                open_steps.append(step)
                is_open.add(step)
            targets = graph[step]
            while at < len(targets):
                to = targets[at]
                at += 1
                if to not in number:
                    path += [(step, at), (to, 0)]
                    break
                if to in is_open:
                    lowest[step] = min(lowest[step], number[to])
            else:
                if lowest[step] == number[step]:
                    part: list[int] = []
                    while not part or part[-1] != step:
                        part.append(open_steps.pop())
                        is_open.discard(part[-1])
                    found.append(sorted(part))
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[step])
    return found[::-1]
