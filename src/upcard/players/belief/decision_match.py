"""Matches a recorded decision with a step of a history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from upcard.engine.api import Record
from upcard.engine.native.lower.runtime import BEGINS, ITEMS_AT, MASK_WORDS, MASKS_AT
from upcard.engine.native.state import EMPTY
from upcard.engine.native.state_memory import MASK
from upcard.engine.shared.flat_program import Ask
from upcard.players.belief import action_match as k
from upcard.players.belief.candidates import Candidate, Value, candidates_of
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.history_steps import Inconsistent, Pick, Step, same_pick
from upcard.players.belief.hypothesis import Hypothesis
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

HiddenPicks: TypeAlias = list[int | list[int]]
"""A card, or the cards of a collection, for each hidden pick of a step."""


@dataclass(frozen=True)
class DecisionMatch:
    """Turns decisions of the record into steps, and finds steps among the alternatives of the replay."""

    evidence: Evidence
    hypothesis: Hypothesis
    replay: Replay

    def find(self, step: Step) -> bool:
        """Find a step among the listed alternatives and note its index; returns whether it is there."""
        m = self.replay.machine
        entry, state = step.packed().buffer_info()[0], self.replay.state.address
        step.index = m.code.find(m.base, m.work.address, entry, m.same, *m.spare, state, entry)
        return step.index >= 0

    def step(self, record: Record) -> Step:
        """The step that a decision of the record was, at the present decision of the replay. Raises
        `Inconsistent`."""
        pc = self.replay.pc
        if pc not in self.replay.machine.lowered.simple_items:
            raise Inconsistent("a decision was recorded where the program has none")
        if record["item"] is not None:
            picks = tuple(self._pick(pick) for pick in record["picks"])
            candidates, copy = [Candidate(record["item"], picks)], record["copy"] or 0
        else:
            candidates, copy = candidates_of(self.replay.machine).of(pc, record["actions"]), k.ANY_COPY
        steps = [step for candidate in candidates for step in self._ways(candidate, copy)]
        if not steps:
            raise Inconsistent("the recorded move is not one that the program offers")
        if any(step.seen != k.SEEN for step in steps):
            steps = self._fill_hidden(steps, record["seat"])
        first, *others = steps
        return replace(first, variants=others)

    def _ways(self, candidate: Candidate, copy: int) -> list[Step]:
        """Steps by one candidate; hidden cards are left open."""
        pc, item, picks = self.replay.pc, candidate.item, candidate.picks
        lowered = self.replay.machine.lowered
        simple, rows = lowered.simple_items[pc], lowered.leaves.get((pc, item))
        if item >= len(simple):
            raise Inconsistent("a recorded item does not exist in the program")
        step = Step(pc, item, k.BIT, 0, len(self.hypothesis.outcomes), copy, k.SEEN, [], [])
        if not simple[item]:
            step.how = k.RECORDED
            step.before = [i for i in range(item) if not simple[i]]
            step.picks = None if picks is None else [_left_open(*pick) for pick in picks]
            if any(kind & k.HIDDEN for kind, _ in step.picks or ()):
                step.seen = k.TOKEN
            return [step]
        if rows:
            fitting = [n for n, row in enumerate(rows) if _fits(row, picks)]
            known = picks is not None and all(value is not None for _, value in picks)
            return [replace(step, value=n) for n in (fitting[:1] if known else fitting)]
        if picks or (picks is None and self._picks_card(item)):
            step.how = k.CARD
            card = picks[0][1] if picks else None
            if isinstance(card, int):
                step.value = card
            else:
                step.value, step.seen = -1, k.TOKEN
        return [step]

    def _picks_card(self, item: int) -> bool:
        """Whether a simple item offers cards to pick one of."""
        ask = self.replay.machine.game.code[self.replay.pc]
        assert isinstance(ask, Ask)
        return any(isinstance(node, p.ForAny) for node in below(ask.choice.items[item]))

    def _fill_hidden(self, steps: list[Step], chooser: int) -> list[Step]:
        """Fill in hidden picks: cards that one of the steps can pick in the replay, for all of the steps.
        That step comes first."""
        hypothesis = self.hypothesis
        open_steps = [step for step in steps if step.seen == k.SEEN]
        hidden = [(step, *self._hidden_picks(step)) for step in steps if step.seen != k.SEEN]
        for seen in (k.TOKEN, k.DRAWN):
            for step, secret, any_cards in hidden:
                cards = secret if seen == k.TOKEN else any_cards
                if cards is not None:
                    return _filled(step, steps, cards, seen)
        if open_steps:
            return open_steps
        # nothing fits in the replay: take a card that the chooser holds unseen, and repair the rest later
        places, where = self.replay.machine.secret_places(chooser, self.evidence.seat), self.replay.where
        held = [card for card in hypothesis.unknown() if where[card] in places]
        single = next((step for step, *_ in hidden if step.how == k.CARD), None)
        if single is None or not held:
            raise Inconsistent("a pick was recorded where the program has no pick")
        secret_cards = [card for card in held if hypothesis.is_secret(card)]
        seen = k.TOKEN if secret_cards else k.DRAWN
        return _filled(single, steps, [(secret_cards or held)[0]], seen)

    def _pick(self, pick: Mapping[str, Any]) -> tuple[int, Value]:
        """A pick of the record; a hidden one has no value."""
        ((word, value),) = pick.items()
        if word in ("card", "cards"):
            kind = k.ONE_CARD if word == "card" else k.CARDS
            if value is None:
                return k.HIDDEN | kind, None
            card = self.evidence.card
            return kind, card(value) if word == "card" else tuple(map(card, value))
        if word == "string":
            return k.PLAIN, self.replay.machine.layout.strings.get(value, -1)
        return k.PLAIN, self.evidence.place(value) if word == "place" else int(value)

    def _hidden_picks(self, step: Step) -> tuple[HiddenPicks | None, HiddenPicks | None]:
        """The hidden picks of two alternatives that look to the seat like the one that was taken: the first
        whose hidden cards are all secret, and the first of any kind."""
        first: HiddenPicks | None = None
        for picks in self._set_of_item(step.item) if step.how == k.CARD else self._hidden_recorded(step):
            cards = [c for pick in picks for c in (pick if isinstance(pick, list) else [pick])]
            if cards and all(self.hypothesis.is_secret(card) for card in cards):
                return picks, first or picks
            first = first or picks
        return None, first

    def _set_of_item(self, item: int) -> Iterable[HiddenPicks]:
        """The cards of a simple item's set."""
        words = self.replay.machine.work.words(
            MASKS_AT + item * MASK_WORDS, self.replay.machine.layout.set_words
        )
        bits = sum((word & MASK) << (64 * w) for w, word in enumerate(words))
        return ([card] for card in range(bits.bit_length()) if bits >> card & 1)

    def _hidden_recorded(self, step: Step) -> Iterable[HiddenPicks]:
        """The hidden picks of those alternatives of an item whose other picks are as they were seen."""
        wanted = step.picks or []
        for made in self._recorded(step):
            if len(made) != len(wanted):
                continue
            pairs = list(zip(wanted, made, strict=True))
            if all(w[0] & k.HIDDEN or w[0] == k.ANY or same_pick(w, m) for w, m in pairs):
                yield [m[1] for w, m in pairs if w[0] & k.HIDDEN]

    def _recorded(self, step: Step) -> Iterable[list[Pick]]:
        """The recorded alternatives of an item, each as its picks."""
        work = self.replay.machine.work
        starts = [0, *work.words(ITEMS_AT + 1, step.item + 1)]
        before = sum(starts[i + 1] - starts[i] for i in step.before)
        count = starts[step.item + 1] - starts[step.item]
        for offset in work.table(BEGINS, before, count):
            made = work.word(offset // 8)
            pairs = work.words(offset // 8 + 1, 2 * made)
            yield [
                self._read_pick(pairs[2 * i], pairs[2 * i + 1])
                for i in range(made)
                if pairs[2 * i + 1] != EMPTY
            ]

    def _read_pick(self, site: int, value: int) -> Pick:
        kind, as_place = self.replay.machine.lowered.sites[site]
        if kind is Kind.CARD:
            return k.ONE_CARD, value
        if kind is Kind.CARDS and not as_place:
            work, width = self.replay.machine.work, self.replay.machine.layout.card_bytes
            raw = work.bytes_at(value + 8, work.word(value // 8) * width)
            return k.CARDS, [int.from_bytes(raw[i : i + width], "little") for i in range(0, len(raw), width)]
        return k.PLAIN, value


def _left_open(kind: int, value: Value) -> Pick:
    """A pick as a step has it; hidden cards are filled in later."""
    if value is not None:
        return kind, value if isinstance(value, int) else list(value)
    if not kind & k.HIDDEN:
        return k.ANY, 0
    return kind, -1 if kind & 3 == k.ONE_CARD else []


def _fits(row: tuple[int, ...], picks: Sequence[tuple[int, Value]] | None) -> bool:
    """Whether words written in the program are those that were picked, as far as that is known."""
    if picks is None:
        return True
    if len(picks) != len(row):
        return False
    return all(value in (None, word) for word, (_, value) in zip(row, picks, strict=True))


def _filled(first: Step, steps: list[Step], cards: HiddenPicks, seen: int) -> list[Step]:
    """The steps with these cards as hidden picks, a certain one first."""
    order = [first, *(step for step in steps if step is not first)]
    return [_with_hidden(step, cards, seen) for step in order]


def _with_hidden(step: Step, cards: HiddenPicks, seen: int) -> Step:
    """A step with these cards as hidden picks; where its hidden picks are of other kinds, with any."""
    if step.how == k.CARD and step.seen != k.SEEN:
        (card, *_) = cards
        return replace(step, value=card if isinstance(card, int) else card[0], seen=seen)
    left = list(cards)
    kinds = [kind for kind, _ in step.picks or () if kind & k.HIDDEN]
    if kinds != [k.HIDDEN | (k.CARDS if isinstance(pick, list) else k.ONE_CARD) for pick in left]:
        picks = step.picks and [(k.ANY, 0) if pick[0] & k.HIDDEN else pick for pick in step.picks]
    else:
        picks = step.picks and [(pick[0], left.pop(0)) if pick[0] & k.HIDDEN else pick for pick in step.picks]
    return replace(step, picks=picks, seen=seen)
