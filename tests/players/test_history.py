"""The parts of a consistent history, each by itself: evidence, hypothesis, replay, repair and others."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.players.small_games import small
from tests.players.test_determinization import game

from upcard.engine.api import Limits, Record, walk_records
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state import NativeState
from upcard.engine.native.state_memory import read_table
from upcard.engine.record_view import view
from upcard.players.belief import action_match as k
from upcard.players.belief.card_exclusion import CardExclusion
from upcard.players.belief.decision_match import DecisionMatch
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.first_shuffle import opening_of, outcome_by
from upcard.players.belief.hill_climb import HillClimb
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.history_steps import Inconsistent, Step
from upcard.players.belief.hypothesis import Hypothesis
from upcard.players.belief.repair import Repair
from upcard.players.search.search_code import SearchCode


class Parts:
    """The parts of a history of one seat, with nothing read or assumed yet."""

    def __init__(self, played: NativeGame, seat: int) -> None:
        self.machine = SearchCode(played)
        self.evidence = Evidence(self.machine, seat)
        self.hypothesis = Hypothesis(self.evidence)
        self.replay = Replay(self.evidence, self.hypothesis, Limits())
        self.match = DecisionMatch(self.evidence, self.hypothesis, self.replay)
        self.exclusion = CardExclusion(self.hypothesis, self.replay, self.match)
        self.repair = Repair(self.evidence, self.hypothesis, self.replay)
        self.climb = HillClimb(self.evidence, self.hypothesis, self.replay)

    def read(self, state: NativeState) -> None:
        """Read what the seat has seen of a game."""
        for record in self.evidence.extend(state.records_seen_by(self.evidence.seat)):
            self.hypothesis.known.update(self.evidence.read(record))

    def assume(self, state: NativeState, change: dict[int, int] | None = None) -> None:
        """Assume the true outcomes of all shuffles, with some cards replaced by others."""
        for line in walk_records(state.records):
            if line["do"] == "shuffle":
                cards = [self.evidence.card(card) for card in line["cards"]]
                self.hypothesis.add_outcome([(change or {}).get(card, card) for card in cards])

    def places(self) -> dict[str, str]:
        """Per card the place where the replay has it."""
        return {card: self.machine.texts[self.replay.where[n]] for n, card in enumerate(self.machine.ids)}


def hand_of(state: NativeState, seat: int, numbers: Mapping[str, int]) -> list[int]:
    return [numbers[str(card)] for card in state.observe(seat).places[f"seat{seat}.iloc.HAND"]]


def dealt(played: NativeGame, deal: int) -> NativeState:
    return played.native_deal(3, deal, limits=Limits(), given={})


def decisions(state: NativeState, count: int) -> Iterator[tuple[int, Record]]:
    """Play at random: the index and the full record of each decision."""
    draw = random.Random(count)
    for _ in range(count):
        index, done = draw.randrange(state.choices), len(state.records)
        state.play(index)
        yield index, state.records[done]


# --- evidence ----------------------------------------------------------------------------------


def test_evidence_locates_cards_that_the_seat_sees() -> None:
    state, parts = dealt(game("euchre"), 1), Parts(game("euchre"), 2)
    parts.read(state)
    located = {
        parts.machine.ids[card]: parts.machine.texts[place]
        for card, place in enumerate(parts.evidence.located[: len(parts.machine.ids)])
        if place >= 0
    }
    seen = {
        card: text
        for text, cards in state.observe(2).places.items()
        for card in cards
        if card is not None and ".mem." not in text
    }
    assert len(seen) == 6, "a hand and the upcard"
    assert located == seen


def test_evidence_is_extended_by_what_is_new() -> None:
    state, parts = dealt(game("euchre"), 1), Parts(game("euchre"), 0)
    first = state.observe(0)
    assert parts.evidence.extend(first.records) == first.records
    state.play(0)
    later = state.observe(0)
    assert parts.evidence.continues_to(parts.machine, later)
    assert not parts.evidence.continues_to(parts.machine, state.observe(1))
    assert parts.evidence.extend(later.records) == later.records[len(first.records) :]


def test_evidence_finds_what_lies_before_a_decision() -> None:
    state, parts = dealt(game("euchre"), 1), Parts(game("euchre"), 0)
    for _ in decisions(state, 6):
        pass
    parts.read(state)
    evidence = parts.evidence
    assert evidence.decisions == 6
    for number in range(7):
        lines = evidence.before_decision(number)
        assert sum(line["do"] == "decision" for line in lines) == number
    assert {*hand_of(dealt(game("euchre"), 1), 0, parts.machine.numbers)} <= evidence.named_between(0, 0)
    assert evidence.named_between(0, 0) <= evidence.named_between(0, 6)
    assert not evidence.named_between(1, 6), "there is one shuffle"


@pytest.mark.parametrize(
    "line",
    [
        {"do": "move", "card": "nobody:1", "from": "table.iloc.STOCK", "to": "table.vloc.UPCARD"},
        {"do": "move", "card": None, "from": "nowhere", "to": "table.vloc.UPCARD"},
    ],
)
def test_evidence_of_another_game_is_inconsistent(line: Record) -> None:
    with pytest.raises(Inconsistent):
        Parts(game("euchre"), 0).evidence.read(line)


# --- hypothesis --------------------------------------------------------------------------------


def assumed(outcome: list[int]) -> Hypothesis:
    hypothesis = Parts(game("euchre"), 0).hypothesis
    hypothesis.add_outcome(outcome)
    return hypothesis


def test_cards_are_unknown_until_they_are_seen() -> None:
    hypothesis = assumed([4, 3, 2, 1, 0])
    assert [*hypothesis.unknown()] == [4, 3, 2, 1, 0]
    hypothesis.known.add(3)
    assert [*hypothesis.unknown()] == [4, 2, 1, 0]
    hypothesis.exclude(2, 0b11)
    hypothesis.add_outcome([3, 2])
    assert [*hypothesis.unknown()] == [4, 3, 2, 1, 0], "a shuffled card is unknown again"
    assert hypothesis.positions_of([2, 3, 4], 1) == {0, 1}
    assert not hypothesis.is_excluded(2, 0), "that was of its last shuffle"


def test_an_exchange_goes_round_what_is_excluded() -> None:
    hypothesis = assumed([0, 1, 2, 3])
    hypothesis.known.add(3)
    hypothesis.exclude(1, 0b0001)
    hypothesis.exchange(0, {1})
    assert hypothesis.outcomes == [[2, 0, 1, 3]], "1 cannot take the first position, but 2 can"
    assert hypothesis.position == {2: 0, 0: 1, 1: 2, 3: 3}


def test_an_exchange_without_a_way_changes_nothing() -> None:
    hypothesis = assumed([0, 1, 2])
    for card in (1, 2):
        hypothesis.exclude(card, 0b001)
    version = hypothesis.version
    with pytest.raises(Inconsistent):
        hypothesis.exchange(0, {1, 2})
    assert (hypothesis.outcomes, hypothesis.version) == ([[0, 1, 2]], version)


def test_hidden_picks_are_renamed_with_their_cards() -> None:
    hypothesis = assumed([0, 1, 2])
    for seen in (k.SEEN, k.TOKEN):
        hypothesis.add_step(Step(0, 0, k.CARD, 1, 1, 0, seen, [], []))
    snapshot = hypothesis.snapshot()
    hypothesis.rename({1: 2, 2: 1}, 0)
    assert [step.value for step in hypothesis.steps] == [1, 2], "what was seen stays"
    hypothesis.restore(snapshot)
    assert [step.value for step in hypothesis.steps] == [1, 1]
    assert hypothesis.outcomes == [[0, 1, 2]]


# --- openings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["euchre", "hearts", "cribbage"])
def test_one_deal_tells_how_another_opens(name: str) -> None:
    played = game(name)
    machine = SearchCode(played)
    opening = opening_of(dealt(played, 0).records, machine.numbers)
    for deal, seat in itertools.product(range(1, 4), range(played.seats)):
        state = dealt(played, deal)
        (shuffle,) = (line for line in walk_records(state.records) if line["do"] == "shuffle")
        seen = [*walk_records(state.records_seen_by(seat))]
        outcome = outcome_by(opening, seen, machine.numbers.__getitem__)
        assert outcome is not None
        assert sorted(outcome) == sorted(machine.numbers[card] for card in shuffle["cards"])
        hand = hand_of(state, seat, machine.numbers)
        true = [machine.numbers[card] for card in shuffle["cards"]]
        assert [card if card in hand else None for card in outcome] == [
            card if card in hand else None for card in true
        ]


def test_an_opening_with_one_card_twice_has_no_outcome() -> None:
    opening = ([0, 1, 2], [(0, "card", 0), (1, "card", 1)])
    lines: list[Record] = [{"do": "move", "card": "a"}, {"do": "move", "card": "a"}]
    assert outcome_by(opening, lines[:1], {"a": 2}.__getitem__) == [2, 1, 0]
    assert outcome_by(opening, lines, {"a": 2}.__getitem__) is None


# --- replay and match --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["euchre", "hearts", "rummy", "scarto"])
def test_the_true_hypothesis_is_replayed_to_the_true_state(name: str) -> None:
    played = game(name)
    state, parts = dealt(played, 2), Parts(played, 1)
    parts.assume(state)
    parts.replay.reach()
    for index, record in decisions(state, 12):
        step = parts.match.step(record)
        assert parts.match.find(step)
        assert step.index == index
        assert parts.replay.take(step)
        table = zip(state.table.cards, state.table.where, strict=True)
        assert parts.places() == {card.id: place.text for card, place in table}
    reached = list(parts.replay.state.words)
    parts.replay.retrace()
    assert list(parts.replay.state.words) == reached
    assert parts.replay.indices() == [step.index for step in parts.hypothesis.steps]
    assert view(parts.replay.narrated().records, 1)[1:] == view(state.records, 1)[1:]


def followed(state: NativeState, seat: int, count: int) -> Parts:
    """The true history of a game's next decisions."""
    parts = Parts(small("follow"), seat)
    parts.assume(state)
    parts.replay.reach()
    for _, record in decisions(state, count):
        step = parts.match.step(record)
        assert parts.match.find(step)
        assert parts.replay.take(step)
    return parts


def someone_elses(parts: Parts, seat: int) -> int:
    """A card that another seat holds."""
    return next(
        parts.evidence.card(card)
        for card, place in parts.places().items()
        if place.endswith("HAND") and place != f"seat{seat}.iloc.HAND"
    )


def test_an_attempt_that_fails_is_undone() -> None:
    parts = followed(dealt(small("follow"), 1), 0, 2)
    hypothesis, reached = parts.hypothesis, list(parts.replay.state.words)
    card, other, before = hypothesis.steps[0].value, someone_elses(parts, 0), hypothesis.snapshot()
    assert not parts.replay.attempt(lambda: hypothesis.rename({card: other, other: card}, 0))
    assert hypothesis.snapshot() == before
    assert list(parts.replay.state.words) == reached
    assert not parts.replay.attempt(lambda: False), "nothing was changed"


# --- repair, climbing, inference ---------------------------------------------------------------


@pytest.mark.parametrize("seat", range(4))
def test_repair_gives_the_seat_the_hand_that_it_saw(seat: int) -> None:
    state, parts = dealt(game("euchre"), 4), Parts(game("euchre"), seat)
    hand = hand_of(state, seat, parts.machine.numbers)
    rest = [card for card in range(24) if card not in hand]
    wrong = dict(zip([*hand[:2], *rest[:2]], [*rest[:2], *hand[:2]], strict=True))
    parts.read(state)
    parts.evidence.keep_view()
    parts.assume(state, wrong)
    parts.replay.reach()
    assert not parts.replay.agrees()
    parts.repair.repair()
    assert parts.replay.agrees()
    assert {parts.places()[parts.machine.ids[card]] for card in hand} == {f"seat{seat}.iloc.HAND"}


def test_a_card_that_no_shuffle_hides_cannot_be_put_elsewhere() -> None:
    parts = Parts(game("euchre"), 0)
    with pytest.raises(Inconsistent, match="cannot have moved to"):
        parts.repair.put(0, 1)


def test_climbing_finds_cards_with_which_all_moves_are_possible() -> None:
    parts = followed(dealt(small("follow"), 1), 2, 2)
    hypothesis = parts.hypothesis
    card, other = hypothesis.steps[0].value, someone_elses(parts, 0)
    hypothesis.rename({card: other, other: card}, 0)
    with pytest.raises(Inconsistent):
        parts.replay.reach()
    parts.climb.climb()
    parts.replay.retrace()
    assert len(parts.replay.indices()) == 2


def test_a_seat_that_does_not_follow_suit_has_none_of_it() -> None:
    played, checked = small("follow"), 0
    for deal in range(20):
        state = dealt(played, deal)
        parts = followed(state, 2, 1)
        suits = {
            card.id: card.attributes["SUIT"] for card in read_table(played.words, parts.replay.state).cards
        }
        led = suits[parts.machine.ids[parts.hypothesis.steps[0].value]]
        hand = [
            n
            for n in parts.hypothesis.outcomes[0]
            if parts.places()[parts.machine.ids[n]] == "seat1.iloc.HAND"
        ]
        if any(suits[parts.machine.ids[card]] == led for card in hand):
            continue
        positions = parts.hypothesis.positions_of(hand, 0)
        ((_, record),) = decisions(state, 1)
        step = parts.match.step(record)
        assert parts.match.find(step)
        parts.hypothesis.known.update((parts.hypothesis.steps[0].value, step.value))
        places = parts.machine.secret_places(1, 2)
        assert parts.exclusion.exclude_held(step, places, True)
        for card in parts.hypothesis.unknown():
            excluded = {p for p in positions if parts.hypothesis.is_excluded(card, p)}
            left = positions - {parts.hypothesis.position[step.value]}
            assert excluded == (left if suits[parts.machine.ids[card]] == led else set())
        checked += 1
    assert checked > 2
