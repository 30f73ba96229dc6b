"""Limits that every engine enforces, when a game is loaded or in play.

They stand in one place because both engines must fail at the same form. `docs/language/limits-and-errors.md`
lists them for those who write games.
"""

from __future__ import annotations

MAX_COUNT = 1_000_000
"""Repeat counts, elements of a range, alternatives, groups, cards of a collection."""

MAX_NUMBER = 255
"""Locations are numbered from 0 to this."""

MAX_SUBSETS = 20
"""Cards whose subsets are asked for."""

MAX_GROUPED = 20 * MAX_COUNT
"""Cards in all groups of a list together: what the subsets of 20 cards come to, and as much again."""

MAX_CARDS = 10_000
"""More cards than this are refused: no table holds them."""

MAX_MADE = 512
"""Cards of a game whose text does not say how many there will be."""

MAX_REFERENCES = 1_024
"""References that one memory holds."""

MAX_PICKS = 1_024
"""Picks of one alternative, those that found nothing included."""

MAX_PICKS_LISTED = 4 * MAX_COUNT
"""Picks of all alternatives of a decision together."""

MAX_CARDS_PICKED = 20 * MAX_COUNT
"""Cards in all groups that are picked, over all alternatives of a decision."""

MAX_WORK = 10 * MAX_COUNT
"""Units of work from one decision to the next, and as many to list the alternatives of a decision: see
`work.py`."""

SUBSETS_A_UNIT = 8
"""A subset is made far quicker than anything else is done."""
ACTION_WORK = 5
"""Units that an action takes where work is counted. It bounds what engines have to note of a decision."""

FREE_WORK = 20_000
"""A block, a let, an end condition, the scoring or an item of a choice that its text bounds to so many units
counts nothing."""

FREE_LISTING = 100_000
"""A choice counts nothing where all its items together are bounded to so many units, with all their runs."""

FREE_CARDS = 1_000
"""A form that makes or reads a collection counts its cards only where there can be more than so many."""
