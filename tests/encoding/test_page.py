"""docs/reference/encoding.md agrees with the code: its example runs, and its tables list what there is."""

from __future__ import annotations

import re
from typing import Any

from tests.docs.steps import DOCS

import upcard
from upcard.encoding.action_numbers import SLOTS
from upcard.encoding.event_history import EVENTS_PER_CARD, KINDS, MAX_EVENTS
from upcard.encoding.rewards import Rewards

PAGE = (DOCS / "reference" / "encoding.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    known: dict[str, Any] = {}
    exec(code, known)
    assert repr(known["encoding"]) == "<Encoding of euchre: 181 bytes, 62 actions>"
    assert known["state"].decisions == 1
    assert (len(known["data"]), len(known["mask"])) == (181, 62)


def test_every_kind_of_event_and_every_reward_is_listed() -> None:
    assert re.findall(r"^\| (\d \w+(?: \w+)?) \|", PAGE, re.MULTILINE) == [
        f"{number} {kind}" for number, kind in enumerate(KINDS) if number
    ]
    rewards = PAGE.partition("\n## Rewards\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", rewards, re.MULTILINE) == list(Rewards._fields)
    assert (
        f"room for {EVENTS_PER_CARD} events for each card of the game, and for {MAX_EVENTS} at most" in PAGE
    )


def test_the_games_without_a_bound_are_named() -> None:
    unbounded = [name for name in upcard.games() if upcard.load(name).encoding.alternatives_size]
    assert sorted(unbounded) == ["cribbage", "oh-hell", "president", "rummy", "scopa"]
    assert f"share the last {SLOTS} numbers" in PAGE
