"""Prints what a match counted: how often, by which side, from which seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from upcard.match.deal_counts import share
from upcard.match.seats import names_of_sides
from upcard.output import shown

if TYPE_CHECKING:
    from upcard.library.sheet import Count
    from upcard.match import Table
    from upcard.match.match_series import Matches

WIDTH = 80
COLUMN = 17
"""A number and its share."""


def count_lines(table: Table, matches: Matches) -> Iterator[str]:
    """Lines of the table: each row is a share of the row above it that it is indented under.

    What never happened has no row.
    """
    rows = [row for row in _nested(table.rules.counts, "", 0) if matches.counted.all[row[0]]]
    if not rows:
        return
    counted, deals = matches.counted, matches.lengths.total
    counts = table.rules.counts
    numbers = {count.name: number for number, count in enumerate(counts)}
    sheet = table.game.narrator.sheet
    deal = sheet.deal_word if sheet else "deal"
    title = f"of {deals:,} {deal}{'' if deals == 1 else 's'}"
    label = max(len(title), *(2 * depth + len(counts[number].name) for number, depth in rows))
    names = names_of_sides(table.names, table.sides)
    sides = range(len(names)) if 4 + label + COLUMN + (COLUMN + 2) * len(names) <= WIDTH else range(0)
    heads = ["all", *(_fit(names[side]) for side in sides)]
    yield ""
    yield f"  {title:<{label}}  " + "  ".join(f"{head:>{COLUMN}}" for head in heads)
    for number, depth in rows:
        count = counts[number]
        parent = numbers[count.of] if count.of else None
        cells = [_cell(counted.all[number], deals if parent is None else counted.all[parent])]
        for side in sides if count.who != "game" else ():
            total = deals if parent is None else counted.sides[parent][side]
            cells.append(_cell(counted.sides[number][side], total))
        yield f"  {'  ' * depth + count.name:<{label}}  " + "  ".join(cells)
    yield from _by_seat(
        table, matches, [number for number, _ in rows if counts[number].by_seat], label, title
    )


def _nested(counts: tuple[Count, ...], under: str, depth: int) -> Iterator[tuple[int, int]]:
    for number, count in enumerate(counts):
        if count.of == under:
            yield number, depth
            yield from _nested(counts, count.name, depth + 1)


def _by_seat(table: Table, matches: Matches, rows: list[int], label: int, title: str) -> Iterator[str]:
    sheet, seats = table.game.narrator.sheet, table.game.seats
    places = sheet.place_names if sheet and len(sheet.place_names) == seats else ()
    places = places or tuple(f"seat {seat}" for seat in range(1, seats + 1))
    if not rows or 2 + label + 10 * seats > WIDTH:
        return
    yield ""
    yield f"  {title:<{label}}" + "".join(f"  {place:>8}" for place in places)
    for number in rows:
        count = table.rules.counts[number]
        shares = (share(count, matches.lengths.total) or 0.0 for count in matches.counted.seats[number])
        yield f"  {count.name:<{label}}" + "".join(f"  {100 * part:6.1f} %" for part in shares)


def _cell(count: int, total: int) -> str:
    part = share(count, total)
    return f"{count:>8,}  {100 * part:5.1f} %" if part is not None else f"{count:>8,}         "


def _fit(name: str) -> str:
    name, mark = shown(name), shown("…")
    return name if len(name) <= COLUMN else name[: COLUMN - len(mark)] + mark
