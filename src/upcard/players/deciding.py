"""From a decision in a record to a step of a story."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from upcard.engine.contract import Record
from upcard.engine.native.lower.runtime import BEGINS, ITEMS_AT, MASK_WORDS, MASKS_AT
from upcard.engine.native.memory import MASK
from upcard.engine.native.state import EMPTY
from upcard.engine.shared.code import Bind
from upcard.players import finding_kernels as k
from upcard.players.laying import Laid
from upcard.players.steps import Inconsistent, Step, picked_cards, same_pick
from upcard.recycle.kinds import Kind


class Deciding(Laid):
    """A story whose decisions are found among the alternatives."""

    def _find(self, step: Step) -> bool:
        m = self.machine
        entry = step.packed().buffer_info()[0]
        step.index = m.code.find(m.base, m.work.address, entry, m.same, *m.spare, self.state.address, entry)
        return step.index >= 0

    def _step(self, record: Record) -> Step:
        m = self.machine
        pc = self.state.words[m.layout.words["pc"]]
        item, picks = record["item"], record["picks"]
        simple = m.lowered.simple_items.get(pc)
        if simple is None or item >= len(simple):
            raise Inconsistent("a decision was watched where the program asks for none")
        copy = record["copy"] or 0
        hidden = any(None in pick.values() for pick in picks)
        step = Step(pc, item, k.BIT, 0, len(self.orders), copy, k.SEEN, [], [])
        if simple[item]:
            rows = m.lowered.leaves.get((pc, item))
            if rows:
                values = tuple(self._plain(pick) for pick in picks)
                step.value = rows.index(values) if values in rows else -1
            elif picks:
                step.how = k.CARD
                step.value = (
                    self._hidden_card(step, record["seat"]) if hidden else self._card(picks[0]["card"])
                )
        else:
            step.how = k.RECORDED
            step.before = [i for i in range(item) if not simple[i]]
            if hidden:
                self._hidden_picks(step, picks)
            else:
                step.picks = [self._pick(pick) for pick in picks]
        if step.how == k.BIT and step.value < 0:
            raise Inconsistent("words were picked that the program does not offer")
        return step

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

    def _pick(self, pick: Mapping[str, Any]) -> tuple[int, int | list[int]]:
        if "card" in pick:
            return k.ONE_CARD, self._card(pick["card"])
        if "cards" in pick:
            return k.CARDS, [self._card(card) for card in pick["cards"]]
        return k.PLAIN, self._plain(pick)

    def _plain(self, pick: Mapping[str, Any]) -> int:
        ((word, value),) = pick.items()
        if word == "string":
            return self.machine.layout.strings.get(value, -1)
        return self._place(value) if word == "place" else int(value)

    def _is_secret(self, card: int) -> bool:
        """It can have been picked unseen, as far as is known."""
        return self.is_unknown(card) and not (self.before and card in self.before.known)

    def _hidden_card(self, step: Step, chooser: int) -> int:
        """A card for a pick that was not seen, out of the item's set. Where the story has none there, one
        that the chooser holds unseen: another card will have to take its part."""
        work = self.machine.work
        at = MASKS_AT + step.item * MASK_WORDS
        words = work.words(at, self.machine.layout.set_words)
        bits = sum((word & MASK) << (64 * w) for w, word in enumerate(words))
        cards = [card for card in range(bits.bit_length()) if bits >> card & 1]
        if not cards:
            secret = self.machine.secret_places(chooser, self.seat)
            cards = [card for card in self.unknown() if self.where[card] in secret]
        if not cards:
            raise Inconsistent("a pick was watched where there is nothing to pick from")
        unknown = [card for card in cards if self._is_secret(card)]
        step.seen = k.TOKEN if unknown else k.DRAWN
        return (unknown or cards)[0]

    def _hidden_picks(self, step: Step, picks: Sequence[Mapping[str, Any]]) -> None:
        """The picks of some alternative that looks to this seat like the one that was taken."""
        seen: list[tuple[int, int | list[int]] | None] = [
            None if None in pick.values() else self._pick(pick) for pick in picks
        ]
        best: list[tuple[int, int | list[int]]] | None = None
        for made in self._recorded(step):
            if len(made) != len(seen):
                continue
            if any(s is not None and not same_pick(s, m) for s, m in zip(seen, made, strict=True)):
                continue
            cards = [c for s, m in zip(seen, made, strict=True) if s is None for c in picked_cards(m)]
            filled = [(m[0] | (k.HIDDEN if s is None else 0), m[1]) for s, m in zip(seen, made, strict=True)]
            if cards and all(self._is_secret(card) for card in cards):
                step.picks, step.seen = filled, k.TOKEN
                return
            best = best or filled
        if best is None:
            raise Inconsistent("a pick was watched where there is nothing to pick from")
        step.picks, step.seen = best, k.DRAWN

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
