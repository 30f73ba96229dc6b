"""Matches a recorded decision with a step of a history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from upcard.engine.api import Record
from upcard.engine.native.lower.runtime import BEGINS, ITEMS_AT, MASK_WORDS, MASKS_AT
from upcard.engine.native.state import EMPTY
from upcard.engine.native.state_memory import MASK
from upcard.engine.shared.flat_program import Ask, Bind
from upcard.players.belief import action_match as k
from upcard.players.belief.candidates import Candidate, Candidates, Value, candidates_of
from upcard.players.belief.history_steps import Inconsistent, Step, same_pick
from upcard.players.belief.repair import Laid
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


class Deciding(Laid):
    """A history whose decisions are found among the alternatives."""

    @cached_property
    def _candidates(self) -> Candidates:
        return candidates_of(self.machine)

    def _find(self, step: Step) -> bool:
        m = self.machine
        entry = step.packed().buffer_info()[0]
        step.index = m.code.find(m.base, m.work.address, entry, m.same, *m.spare, self.state.address, entry)
        return step.index >= 0

    def _step(self, record: Record) -> Step:
        pc = self.pc
        if pc not in self.machine.lowered.simple_items:
            raise Inconsistent("a decision was watched where the program asks for none")
        if record["item"] is not None:
            picks = tuple(self._pick(pick) for pick in record["picks"])
            return self._one_of([Candidate(record["item"], picks)], record["seat"], record["copy"] or 0)
        found = self._candidates.of(pc, record["actions"])
        return self._one_of(found, record["seat"], k.ANY_COPY)

    def _one_of(self, candidates: Sequence[Candidate], chooser: int, copy: int) -> Step:
        """A step by any of these candidates."""
        first, *others = self._steps_of(candidates, chooser, copy)
        return replace(first, variants=others)

    def _steps_of(self, candidates: Sequence[Candidate], chooser: int, copy: int) -> list[Step]:
        """A step for each way to find one of these candidates among alternatives; there is one at least."""
        steps = [step for candidate in candidates for step in self._ways(candidate, copy)]
        if not steps:
            raise Inconsistent("what was watched is nothing that the program offers")
        if any(step.seen != k.SEEN for step in steps):
            return self._hide(steps, chooser)
        return steps

    def _ways(self, candidate: Candidate, copy: int) -> list[Step]:
        """Steps by one candidate; hidden cards are left open."""
        pc, item, picks = self.pc, candidate.item, candidate.picks
        lowered = self.machine.lowered
        simple, rows = lowered.simple_items[pc], lowered.leaves.get((pc, item))
        if item >= len(simple):
            raise Inconsistent("an item was watched that the program does not have")
        step = Step(pc, item, k.BIT, 0, len(self.orders), copy, k.SEEN, [], [])
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
        ask = self.machine.game.code[self.pc]
        assert isinstance(ask, Ask)
        return any(isinstance(node, p.ForAny) for node in below(ask.choice.items[item]))

    def _hide(self, steps: list[Step], chooser: int) -> list[Step]:
        """Fill in what was picked unseen: cards that the history lets one of the steps pick, in all of them.
        That step comes first."""
        open_steps = [step for step in steps if step.seen == k.SEEN]
        found = [(step, *self._hidden_picks(step)) for step in steps if step.seen != k.SEEN]
        for seen in (k.TOKEN, k.DRAWN):
            for step, secret, any_cards in found:
                cards = secret if seen == k.TOKEN else any_cards
                if cards is not None:
                    return self._filled(step, steps, cards, seen)
        if open_steps:
            return open_steps
        # the history has none there: one that the chooser holds unseen, and another will have to take its
        # part
        places = self.machine.secret_places(chooser, self.seat)
        held = [card for card in self.unknown() if self.where[card] in places]
        single = next((step for step, *_ in found if step.how == k.CARD), None)
        if single is None or not held:
            raise Inconsistent("a pick was watched where there is nothing to pick from")
        known = [card for card in held if self._is_secret(card)]
        return self._filled(single, steps, [(known or held)[0]], k.TOKEN if known else k.DRAWN)

    def _filled(self, first: Step, steps: list[Step], cards: list[int | list[int]], seen: int) -> list[Step]:
        order = [first, *(step for step in steps if step is not first)]
        return [_with_hidden(step, cards, seen) for step in order]

    def _named(self, actions: Iterable[Record]) -> list[tuple[int, int, bool]]:
        """Cards that a decision shows, where they were before it, and whether taken by position."""
        first: dict[str, tuple[str, bool]] = {}
        for action in actions:
            for key, place in (("card", "from"), ("other", "to")):
                if action["do"] in ("move", "swap") and action.get(key) is not None:
                    first.setdefault(action[key], (action[place], "by_position" in action))
        return [(self._card(card), self._place(place), flag) for card, (place, flag) in first.items()]

    def begin(self, pc: int) -> int:
        """The first let around a choice: what it holds depends on the cards too."""
        code = self.machine.game.code
        while pc > 0 and isinstance(code[pc - 1], Bind):
            pc -= 1
        return pc

    def _pick(self, pick: Mapping[str, Any]) -> tuple[int, Value]:
        """A pick of a record; one that was not seen has no value."""
        ((word, value),) = pick.items()
        if word in ("card", "cards") and value is None:
            return k.HIDDEN | (k.ONE_CARD if word == "card" else k.CARDS), None
        if word == "card":
            return k.ONE_CARD, self._card(value)
        return (k.CARDS, tuple(map(self._card, value))) if word == "cards" else (k.PLAIN, self._plain(pick))

    def _plain(self, pick: Mapping[str, Any]) -> int:
        ((word, value),) = pick.items()
        if word == "string":
            return self.machine.layout.strings.get(value, -1)
        return self._place(value) if word == "place" else int(value)

    def _is_secret(self, card: int) -> bool:
        """It can have been picked unseen, as far as is known."""
        return self.is_unknown(card) and not (self.before and card in self.before.known)

    def _hidden_picks(self, step: Step) -> tuple[list[int | list[int]] | None, list[int | list[int]] | None]:
        """The hidden picks of two alternatives of the history that look to this seat like the one that was
        taken: one whose hidden cards are all secret, and any."""
        some: list[int | list[int]] | None = None
        for made in self._set_of_item(step.item) if step.how == k.CARD else self._hidden_recorded(step):
            cards = [c for pick in made for c in (pick if isinstance(pick, list) else [pick])]
            if cards and all(self._is_secret(card) for card in cards):
                return made, some or made
            some = some or made
        return None, some

    def _set_of_item(self, item: int) -> Iterable[list[int | list[int]]]:
        """The cards of a simple item's set."""
        words = self.machine.work.words(MASKS_AT + item * MASK_WORDS, self.machine.layout.set_words)
        bits = sum((word & MASK) << (64 * w) for w, word in enumerate(words))
        return ([card] for card in range(bits.bit_length()) if bits >> card & 1)

    def _hidden_recorded(self, step: Step) -> Iterable[list[int | list[int]]]:
        """What alternatives of an item have for its hidden picks, where the others are as they were seen."""
        wanted = step.picks or []
        for made in self._recorded(step):
            if len(made) != len(wanted):
                continue
            pairs = list(zip(wanted, made, strict=True))
            if all(w[0] & k.HIDDEN or w[0] == k.ANY or same_pick(w, m) for w, m in pairs):
                yield [m[1] for w, m in pairs if w[0] & k.HIDDEN]

    def _recorded(self, step: Step) -> Iterable[list[tuple[int, int | list[int]]]]:
        """The alternatives of an item that were recorded, each as its picks."""
        work = self.machine.work
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

    def _read_pick(self, site: int, value: int) -> tuple[int, int | list[int]]:
        kind, as_place = self.machine.lowered.sites[site]
        if kind is Kind.CARD:
            return k.ONE_CARD, value
        if kind is Kind.CARDS and not as_place:
            work, width = self.machine.work, self.machine.layout.card_bytes
            raw = work.bytes_at(value + 8, work.word(value // 8) * width)
            return k.CARDS, [int.from_bytes(raw[i : i + width], "little") for i in range(0, len(raw), width)]
        return k.PLAIN, value


def _left_open(kind: int, value: Value) -> tuple[int, int | list[int]]:
    """A pick as a step has it; hidden cards are filled in later."""
    if value is not None:
        return kind, value if isinstance(value, int) else list(value)
    if not kind & k.HIDDEN:
        return k.ANY, 0
    return kind, -1 if kind & 3 == k.ONE_CARD else []


def _fits(row: tuple[int, ...], picks: Sequence[tuple[int, Value]] | None) -> bool:
    """Whether words that the program writes out are those that were picked, as far as that is known."""
    if picks is None:
        return True
    if len(picks) != len(row):
        return False
    return all(value in (None, word) for word, (_, value) in zip(row, picks, strict=True))


def _with_hidden(step: Step, cards: Sequence[int | list[int]], seen: int) -> Step:
    """A step with these cards picked unseen; where its hidden picks are of another sort, with any."""
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
