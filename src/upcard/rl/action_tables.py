"""Action numbers of fast decisions, as tables: what each entry is called, and which entry a number means.

A fast decision (`turn_code`) is listed as a set for each item. An action's number depends on the item and the
pick alone where the chooser sees every card that can be picked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.fast.counted_items import is_leafy, is_left_out, leaf_rows, picks_of_counted
from upcard.engine.native.lower.fast.listed_choices import home
from upcard.engine.shared.flat_program import Ask
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.rl.slice_kernels import PICK_BITS


@dataclass(frozen=True)
class ActionTable:
    """Of one decision."""

    numbers: tuple[tuple[int, ...], ...]
    """Per item, per pick the number of the action."""

    def entries(self, actions: int) -> list[int]:
        """Per action its entry, or -1."""
        found = [-1] * actions
        for item, numbers in enumerate(self.numbers):
            for pick, number in enumerate(numbers):
                found[number] = item << PICK_BITS | pick
        return found

    def runs(self, item: int) -> Iterator[tuple[int, int, int]]:
        """Picks one after the other whose numbers are, too: the first pick, the first number, how many."""
        numbers = self.numbers[item]
        first = 0
        for pick in range(1, len(numbers) + 1):
            whole = pick < len(numbers) and numbers[pick] == numbers[pick - 1] + 1 and pick % 64
            if not whole:
                yield first, numbers[first], pick - first
                first = pick


def action_table(ctx: Context, ask: Ask, numbers: Mapping[str, int]) -> ActionTable | None:
    """`numbers` are those of `Move.action`. None where the number of an alternative depends on more."""
    found = []
    for item, node in enumerate(ask.choice.items):
        picks = _picks(ctx, node)
        if picks is None:
            return None
        named = [numbers.get(f"[{item},[{pick}]]") for pick in picks]
        if any(number is None for number in named):
            return None
        found.append(tuple(number for number in named if number is not None))
    return ActionTable(tuple(found))


def _picks(ctx: Context, item: p.Item) -> list[str] | None:
    """What each pick of a counted item is, as in `Move.action`; None where the chooser may not see it."""
    if is_left_out(ctx, item):
        return []
    forms = _any_forms(item)
    if is_leafy(ctx, item):
        words = list(ctx.layout.strings)
        return [
            ",".join(_json(form, words, value) for form, value in zip(forms, row, strict=True))
            for row in leaf_rows(ctx, item)
        ]
    if not picks_of_counted(item):
        return [""]
    (form,) = forms
    place = home(ctx, form.source)
    if place is None or not _is_seen_by_chooser(place):
        return None
    return [
        json.dumps({"card": f"{card.back}:{card.number}"}, separators=(",", ":"))
        for card in ctx.layout.cards
    ]


def _any_forms(item: p.Item) -> list[p.ForAny]:
    forms = []
    while isinstance(item, p.When | p.ForAny):
        if isinstance(item, p.ForAny):
            forms.append(item)
        item = item.item
    return forms


def _json(form: p.ForAny, words: list[str], value: int) -> str:
    is_text = form.binding.kind is Kind.STR
    pick = {"string": words[value]} if is_text else {"number": value}
    return json.dumps(pick, separators=(",", ":"))


def _is_seen_by_chooser(place: p.Location) -> bool:
    """Whether the player to move sees the faces in a place, whoever that is."""
    if place.cls in ("vloc", "mem"):
        return True
    return place.cls == "iloc" and isinstance(place.owner, p.SeatAt) and place.owner.which == "current"
