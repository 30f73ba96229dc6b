"""Explains in sentences which cards become known to whom.

A seat that sees the target but not the source learns the card. A seat that saw the source but not the target
knows which card went there. A sentence covers all seats that do the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from upcard.engine.api import TABLE, Place
from upcard.graph.fold import Folded, Node, fold
from upcard.graph.movement import Movement, Way, kind_of
from upcard.graph.svg import place_name
from upcard.narration.narrator import Narrator

Relation: TypeAlias = Literal["table", "deal", "give up", "own", "other"]


class Flow(NamedTuple):
    """The similar moves of all seats, between blocks of places that are used alike."""

    source: int
    target: int
    relation: Relation
    remembered: bool


@dataclass(frozen=True)
class _Case:
    """One flow: the seats it concerns, how often it happens, and one of its moves."""

    flow: Flow
    pairs: Counter[tuple[int, int]]
    source: Place
    target: Place

    @property
    def count(self) -> int:
        return sum(self.pairs.values())


def explain(movement: Movement, narrator: Narrator) -> list[str]:
    """Sentences in the order in which cards reach the game's places."""
    folded = fold(movement)
    words = _Words(folded, narrator)
    cases = _cases(folded)
    learned = [words.sentence(case) for case in cases if words.learners(case)]
    kept = [words.sentence(case) for case in cases if not words.learners(case)]
    return [words.start(), *learned, *kept, *words.ending()]


def _cases(folded: Folded) -> list[_Case]:
    pairs: dict[Flow, Counter[tuple[int, int]]] = defaultdict(Counter)
    ends: dict[Flow, tuple[Place, Place]] = {}
    for line in folded.lines:
        source, target = line.source, line.target
        flow = Flow(source.block, target.block, _relation(source, target), _noted(line.way))
        pairs[flow][source.owner, target.owner] += line.count
        ends.setdefault(flow, (folded.nodes[source][0], folded.nodes[target][0]))
    depth = _depth(folded)
    flows = sorted(pairs, key=lambda flow: (depth[flow.source], depth[flow.target], flow))
    return [_Case(flow, pairs[flow], *ends[flow]) for flow in flows]


def _noted(way: Way) -> bool:
    return way == "remembered"


def _relation(source: Node, target: Node) -> Relation:
    if source.owner == target.owner:
        return "table" if source.owner == TABLE else "own"
    return "deal" if source.owner == TABLE else "give up" if target.owner == TABLE else "other"


def _depth(folded: Folded) -> dict[int, int]:
    """How many moves a block is away from where cards start; sentences are in this order."""
    begun = {place for place, _ in folded.movement.starts}
    depth = {node.block: 0 for node, places in folded.nodes.items() if begun & set(places)}
    frontier = set(depth)
    while frontier:
        reached = {line.target.block for line in folded.lines if line.source.block in frontier} - set(depth)
        depth |= dict.fromkeys(reached, max(depth.values()) + 1)
        frontier = reached
    return depth


class _Words:
    def __init__(self, folded: Folded, narrator: Narrator) -> None:
        self.folded = folded
        self.movement = folded.movement
        self.narrator = narrator
        self.seats = range(folded.movement.seats)

    # --- who -----------------------------------------------------------------------------------

    def seers(self, place: Place) -> set[int]:
        return set(place.seats_that_see(self.movement.seats))

    def learners(self, case: _Case) -> set[int]:
        return self.seers(case.target) - self.seers(case.source)

    def whom(self, case: _Case, seats: set[int]) -> str:
        """The seats of one of the flow's moves, worded so that it holds for all its moves."""
        if len(seats) == len(self.seats):
            return "everybody" if len(seats) > 1 else self.narrator.seat(0)
        if len(case.pairs) == 1 or not seats:
            return listed([self.narrator.seat(seat) for seat in sorted(seats)]) or "nobody"
        gets, relation = {case.target.owner}, case.flow.relation
        if seats == gets and relation in ("deal", "other"):
            return "its new owner"
        if seats == {case.source.owner}:
            return "its old owner" if relation == "other" else "its owner"
        if relation == "other" and gets | {case.source.owner} == seats:
            return "both players"
        return "the others" if len(seats) > 1 else "the other player"

    # --- what ----------------------------------------------------------------------------------

    def place(self, block: int) -> str:
        """A name as people write it, such as `Hand`, or several names used alike, such as `6 hidden
        places`."""
        families = self.folded.blocks[block]
        if len(families) > 1:
            one = next(places[0] for node, places in self.folded.nodes.items() if node.block == block)
            return f"{len(families)} {kind_of(one)} places"
        return place_name(families[0].name, self.narrator)

    def whose(self, block: int, owners: Iterable[int], one: str = "a player") -> str:
        """`the Pack`, `East's Hand`, `a player's Trick`."""
        families, name = self.folded.blocks[block], self.place(block)
        several = "one of " if len(families) > 1 else ""
        if families[0].of_table:
            return f"{several}the {name}"
        seats = sorted(set(owners))
        if len(seats) == 1:
            return f"{several}{self.narrator.seat(seats[0])}'s {name}"
        if seats == list(self.seats):
            return f"{several}{one}'s {name}"
        return f"{several}the {name} of {listed([self.narrator.seat(seat) for seat in seats], 'or')}"

    def ends(self, case: _Case) -> tuple[str, str]:
        sources, targets = {s for s, _ in case.pairs}, {t for _, t in case.pairs}
        flow = case.flow
        if flow.relation == "other" and len(case.pairs) > 1:
            everyone = self.seats
            return self.whose(flow.source, everyone, "one player"), self.whose(
                flow.target, everyone, "another"
            )
        source = self.whose(flow.source, sources)
        if flow.relation == "own" and len(sources) > 1:
            return source, self.whose(flow.target, self.seats, "the same player")
        return source, self.whose(flow.target, targets)

    def times(self, count: int) -> str:
        games = self.movement.games
        if games == 1:
            return f"{count} card{'' if count == 1 else 's'}"
        mean = count / games
        if count == games:
            return "1 card per game"
        shown = "fewer than 0.01" if mean < 0.01 else f"{mean:.2f}" if mean < 1 else _number(mean)
        return f"{shown} cards per game"

    # --- sentences -----------------------------------------------------------------------------

    def sentence(self, case: _Case) -> str:
        source, target = self.ends(case)
        times = self.times(case.count)
        before, after = self.seers(case.source), self.seers(case.target)
        learn, lose = after - before, before - after
        if case.flow.remembered:
            how = "Everybody learns" if learn else "Everybody can look up"
            return f"{how} where a card of {source} lies when it is noted in {target} ({times})."
        if learn:
            told = f"A card of {source} becomes known to {self.whom(case, learn)} when it goes to {target}"
            who = self.whom(case, lose)
            also = f"; {who} {_verb('know', lose, who)} it too" if lose else ""
            return f"{told} ({times}){also}."
        if lose:
            who, still = self.whom(case, lose), self.whom(case, after)
            kept = f"; {still} still {_verb('see', after, still)} it" if after else ""
            return (
                f"When a card goes from {source} to {target} ({times}), {who} {_verb('lose', lose, who)} "
                f"sight of it but {_verb('know', lose, who)} which it is{kept}."
            )
        if not before:
            return f"A card goes from {source} to {target} without anybody seeing it ({times})."
        if len(before) == len(self.seats):
            return f"A card stays in everybody's sight from {source} to {target} ({times})."
        who = self.whom(case, before)
        return (
            f"A card goes from {source} to {target} and only {who} {_verb('see', before, who)} it ({times})."
        )

    def start(self) -> str:
        """Where cards are created, and who sees them there."""
        owners: dict[int, list[int]] = defaultdict(list)
        cards: Counter[int] = Counter()
        seen: dict[int, int] = {}
        for node, places in self.folded.nodes.items():
            made = sum(sum(self.movement.started(place).values()) for place in places)
            if made:
                owners[node.block].append(node.owner)
                cards[node.block] += made
                seen[node.block] = len(self.seers(places[0]))
        how = {0: "where nobody sees them", len(self.seats): "face up"}
        parts = [
            f"{_number(cards[block] / self.movement.games)} cards in {self.whose(block, owners[block])}, "
            f"{how.get(seen[block], 'where only the owner sees them')}"
            for block in owners
        ]
        return f"The game begins with {listed(parts)}." if parts else "The game creates no cards."

    def ending(self) -> list[str]:
        """How much of the pack each seat has seen by the end of the game."""
        movement = self.movement
        if not movement.cards:
            return []
        per_game = movement.cards / movement.games
        shares: dict[int, list[str]] = defaultdict(list)
        for seat in self.seats:
            shares[movement.seen[seat]].append(self.narrator.seat(seat))
        parts = []
        for seen, names in shares.items():
            who = "every player" if len(names) == len(self.seats) and len(names) > 1 else listed(names)
            verb = "have" if " and " in who else "has"
            parts.append(f"{who} {verb} seen {_number(seen / movement.games)}")
        return [f"By the end, of {_number(per_game)} cards, {listed(parts)}."]


def listed(parts: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _verb(verb: str, seats: set[int], who: str) -> str:
    """`East sees`, `everybody sees`, `South and West see`."""
    return f"{verb}s" if len(seats) == 1 or who == "everybody" else verb
