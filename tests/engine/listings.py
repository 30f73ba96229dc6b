"""Watching every listing of alternatives: the state afterwards must be the state before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from upcard.engine.reference import choices
from upcard.engine.reference.evaluator import Evaluator
from upcard.engine.shared.alternatives import Alternative
from upcard.recycle import program as p


def whole(m: Evaluator) -> Any:
    """All of a machine, as plain data."""
    table = m.table
    return (
        table.content(),
        list(table.where),
        dict(table.made),
        table.trail,
        m.chance.state,
        m.shuffles,
        m.listing,
        list(m.effects),
        None if m.knowledge is None else m.knowledge.content(),
    )


@contextmanager
def watched() -> Iterator[list[int]]:
    """Inside, every listing is checked; the list that is handed out counts them."""
    counts: list[int] = []
    real = choices.alternatives

    def checked(m: Evaluator, choice: p.Choice, decision: int) -> list[Alternative]:
        before = whole(m)
        found = real(m, choice, decision)
        assert whole(m) == before, "listing changed the state"
        assert real(m, choice, decision) == found, "listing twice gave two lists"
        counts.append(len(found))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choices, "alternatives", checked)
        yield counts
