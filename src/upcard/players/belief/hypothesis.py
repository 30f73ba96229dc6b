"""Hypothesis: the hidden part of a history, that is outcomes of shuffles, hidden picks and other draws.

A card has a *position*: its index in the outcome of the last shuffle that it took part in. The card is
*known* if the seat has seen it since; its position is then fixed. All other cards are unknown and may
exchange their positions, except for positions that are excluded for them.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, KeysView, Mapping
from typing import TypeAlias

from upcard.players.belief import action_match as k
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.history_steps import Inconsistent, Step

Snapshot: TypeAlias = tuple[list[list[int]], dict[int, int], list[Step]]


class Hypothesis:
    """What a history assumes about hidden events, and what is inferred about each card."""

    def __init__(self, evidence: Evidence, earlier: Hypothesis | None = None) -> None:
        self.evidence = evidence
        self.earlier = earlier
        """A failed attempt: its outcomes are tried first, and no hidden pick is a card that it came to
        know."""
        self.steps: list[Step] = []
        self.outcomes: list[list[int]] = []
        """Per shuffle its cards in order."""
        self.deal = 0
        """The number of the deal that all other draws are taken from."""
        self.shuffle_of: dict[int, int] = {}
        """Per card the last shuffle that it took part in."""
        self.position: dict[int, int] = {}
        """Per card its index in the outcome of that shuffle."""
        self.known: set[int] = set()
        """Cards that the seat has seen since they were last shuffled."""
        self.surfaced: set[int] = set()
        """Known cards that were seen to leave a hidden place: their position was not seen."""
        self.excluded: dict[int, int] = {}
        """Per unknown card the positions that it cannot have had, as a set of bits."""
        self.arrivals: dict[int, dict[tuple[int, int], int]] = {}
        """Per place that a card surfaced from, where it is open when that card had come: for all unseen cards
        there (shuffle, position) the number of decisions before each came."""
        self.version = 0
        """Counts the changes that a replay depends on."""
        self._learned = 0
        """How often an outcome was added: then other cards are unknown."""
        self._unknown_for = (-1, -1, -1)
        self._unknown: dict[int, None] = {}
        self._swaps_for = -1
        self._swaps = array("q")

    # --- cards ---------------------------------------------------------------------------------

    def unknown(self) -> KeysView[int]:
        """Cards that the seat has not seen since they were last shuffled."""
        # nothing else changes the result without changing one of these numbers
        state = (len(self.known), len(self.evidence.shuffles_seen), self._learned)
        if state != self._unknown_for:
            self._unknown_for = state
            seen = {n for n, seen in enumerate(self.evidence.shuffles_seen) if seen}
            shuffled = self.shuffle_of.items()
            self._unknown = {c: None for c, n in shuffled if c not in self.known and n not in seen}
        return self._unknown.keys()

    def is_secret(self, card: int) -> bool:
        """Whether the card can have been picked unseen, as far as is known."""
        return card in self.unknown() and not (self.earlier and card in self.earlier.known)

    def movable(self) -> list[int]:
        """Cards whose position the seat did not see."""
        either = self.unknown() | self.surfaced
        return [card for card in self.shuffle_of if card in either]

    def positions_of(self, cards: Iterable[int], shuffle: int) -> set[int]:
        """The positions of those of the cards whose last shuffle this was."""
        return {self.position[card] for card in cards if self.shuffle_of.get(card) == shuffle}

    def eligible(self, number: int) -> list[int]:
        """Cards that a hidden pick may have been although their positions are not exchanged: they were seen
        before that step, and not since."""
        unknown, named, shuffles = self.unknown(), self.evidence.last_named, self.steps[number].shuffles
        return [
            card
            for card in range(len(self.evidence.machine.layout.cards))
            if card not in unknown
            and named.get(card, 0) <= number
            and self.shuffle_of.get(card, -1) < shuffles
        ]

    def exclude(self, card: int, positions: int) -> None:
        """A card cannot have had any of these positions (a set of bits)."""
        self.excluded[card] = self.excluded.get(card, 0) | positions

    def is_excluded(self, card: int, position: int) -> bool:
        return bool(self.excluded.get(card, 0) >> position & 1)

    # --- shuffles ------------------------------------------------------------------------------

    def add_outcome(self, outcome: list[int]) -> None:
        """The next shuffle has this outcome: its cards are unknown again, unless they have been seen
        since."""
        number, shuffles_seen = len(self.outcomes), self.evidence.shuffles_seen
        self._learned += 1
        self.version += 1
        self.outcomes.append(outcome)
        if number < len(shuffles_seen) and shuffles_seen[number]:
            seen = set(outcome)
        else:
            seen = self.evidence.named_between(number, len(self.steps))
        for i, card in enumerate(outcome):
            self.shuffle_of[card], self.position[card] = number, i
            self.excluded.pop(card, None)
            if card in seen:
                self.known.add(card)
            else:
                self.known.discard(card)
            self.surfaced.discard(card)

    def swaps(self) -> array[int]:
        """The exchange that leaves every card its own position, as kernels read it."""
        if self._swaps_for != self._learned:
            self._swaps, self._swaps_for = array("q", self.evidence.machine.same_swaps), self._learned
            for card, shuffle in self.shuffle_of.items():
                self._swaps[2 * card + 1] = shuffle
        return self._swaps[:]

    def rename(self, takers: Mapping[int, int], shuffle: int) -> None:
        """Give the positions of cards in a shuffle to others: from each card to the one that takes its
        position."""
        self.position.update({taker: self.position[card] for card, taker in takers.items()})
        self.outcomes[shuffle] = [takers.get(card, card) for card in self.outcomes[shuffle]]
        for number, step in enumerate(self.steps):
            if step.seen == k.TOKEN and step.shuffles > shuffle:
                self.steps[number] = step.renamed(takers)
        self.version += 1

    def exchange(self, card: int, positions: Iterable[int], astray: Collection[int] = ()) -> None:
        """Give a card one of these positions, and the card that had it another one, and so on, by an
        augmenting path that respects exclusions. `astray`: known cards that may be exchanged, too, because
        they do not lie where they were seen yet. Raises `Inconsistent` where there is no way."""
        shuffle = self.shuffle_of[card]
        free = {c for c in (*self.unknown(), *astray) if self.shuffle_of.get(c) == shuffle}
        owner = {self.position[c]: c for c in free}
        takers: dict[int, int] = {}
        tried: set[int] = set()
        last = self.position[card]

        def settle(moving: int, wanted: Iterable[int]) -> bool:
            """Find a position for a card, and for the card that had it, until one takes the last position."""
            excluded = self.excluded.get(moving, 0)
            for position in wanted:
                if position in tried or excluded >> position & 1:
                    continue
                tried.add(position)
                if position == last or settle(owner[position], owner):
                    takers[owner[position]] = moving
                    return True
            return False

        if not settle(card, sorted(positions)):
            raise Inconsistent(f"no other card can take the place of {self.evidence.machine.ids[card]}")
        self.rename(takers, shuffle)

    # --- steps and draws -----------------------------------------------------------------------

    def add_step(self, step: Step) -> None:
        self.steps.append(step)
        self.version += 1

    def replace_step(self, number: int, step: Step) -> None:
        self.steps[number] = step
        self.version += 1

    def redraw(self) -> None:
        """Take all draws other than shuffles from another deal."""
        self.deal += 1
        self.version += 1

    def snapshot(self) -> Snapshot:
        return self.outcomes[:], dict(self.position), self.steps[:]

    def restore(self, snapshot: Snapshot) -> None:
        self.outcomes, self.position, self.steps = snapshot
        self.version += 1
