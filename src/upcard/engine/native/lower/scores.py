"""Lowers scores of cards: sums, the best score, the best card with ties drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.builder import (
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    add,
    binary,
    const,
    negate,
)
from upcard.engine.native.lower.collections import AsSet, Cards, Collecting
from upcard.engine.native.lower.fast.score_tables import SHARED, ScoreTable
from upcard.engine.native.lower.runtime import AT
from upcard.recycle import program as p


class Scoring(Collecting):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._values |= {
            p.Sum: self._sum,
            p.Score: self._score,
            p.BestScore: self._best_score,
            p.BestCard: lambda n: self.best_card(n)[0],
        }

    # --- scores --------------------------------------------------------------------------------

    def score(self, node: p.Node, card: ir.Expr, using: ir.Expr) -> ir.Expr:
        """The score of a card that is there; `using` is the first word of the map."""
        self.look(card)
        if self.analysis.small_maps:
            return self.call("score", STATE, WORK, using, card)
        out = self.call("score", STATE, WORK, using, card)
        result = self.variable(out, "score")
        bad = self.word(AT["fault"], WORK)
        self.fail(node, "the result does not fit in 64 bits", bad)
        return result

    def map_of(self, node: p.Expr) -> ir.Expr:
        assert isinstance(node, p.MapStore)
        return self.store(node, self.layout.maps, self.layout.map_stride)

    def _score(self, node: p.Score) -> ir.Expr:
        card = self.keep(self.value(node.card))
        using = self.map_of(node.using)
        if not (isinstance(node.card, p.Var) and node.card.binding.how == "each"):
            self.fail(node, "there is no card to score", binary("slt", card, ZERO))
        return self.keep(self.score(node, card, using))

    def _sum(self, node: p.Sum) -> ir.Expr:
        total = self.variable(ZERO, "total")
        with self.each_card_then_map(node) as (card, using):
            amount = self.keep(self.score(node, card, using))
            self.fail(node, "the result does not fit in 64 bits", ir.Binary("sadd_over", total, amount))
            self.set(total, add(total, amount))
        return total

    @contextmanager
    def each_card_then_map(self, node: p.Sum | p.BestScore) -> Iterator[tuple[ir.Local, ir.Expr]]:
        """Cards are evaluated before the map; in order only where a sum could overflow midway."""
        source, using = node.cards, node.using
        in_order = not self.analysis.small_maps
        if self.analysis.safe(using):
            found = self.map_of(using)
            with self.each_card(source, in_order, form=node) as card:
                yield card, found
            return
        base = self.as_list(source, self.cards(source), copy=True)
        found = self.map_of(using)
        self.count_cards(node, self.word(0, base))
        with self.each_in_list(base) as card:
            yield card, found

    def _best_score(self, node: p.BestScore) -> ir.Expr:
        seen, best = self.variable(ZERO, "seen"), self.variable(ZERO, "best")
        with self.each_card_then_map(node) as (card, using):
            amount = self.keep(self.score(node, card, using))
            better = binary("sgt" if node.greatest else "slt", amount, best)
            self.set(best, ir.If(binary("or", negate(seen), better), amount, best))
            self.set(seen, ONE)
        self.fail(node, "there are no cards to score", negate(seen))
        return best

    def best_card(self, node: p.BestCard) -> tuple[ir.Expr, Cards, ir.Expr]:
        """The best card, ties drawn: counted on one walk, found on a second where there is a tie. Also its
        index where the collection may hold a card twice, else -2: it has to be looked for."""
        cards: Cards
        if not each_once(node.cards):
            cards = self.cards(node.cards)
            winner, at = self._best_of_list(node, cards)
            return winner, cards, at
        if isinstance(node.cards, p.Var | p.Location):
            cards = self.cards(node.cards)  # the very one: a card moved by this form leaves it
            words = tuple(self.keep(w) for w in self.set_of(cards))
        else:
            words = tuple(self.variable(w, "set") for w in self.set_from(node.cards))
            cards = AsSet(words)
        using = self.map_of(node.using)
        which = "greatest" if node.greatest else "least"
        empty = negate(self.count_set(words)) if len(words) > 1 else binary("eq", words[0], ZERO)
        self.fail(node, f"there are no cards to find the {which} of", empty)
        self.count_cards(node, self.count_set(words))
        if self.has_ranks and not self.noting_looks:
            return self._best_by_rank(node, words[0], using), cards, const(-2)
        if len(words) == 1 and self.analysis.small_maps:
            return self._best_of_word(node, words[0], using), cards, const(-2)
        best, winner, tied = (
            self.variable(ZERO, "best"),
            self.variable(MINUS, "winner"),
            self.variable(ZERO, "tied"),
        )
        with self.each_in_set(words) as card:
            amount = self.keep(self.score(node, card, using))
            better = binary("sgt" if node.greatest else "slt", amount, best)
            first = binary("eq", tied, ZERO)
            with self.block() as gain:
                self.set(best, amount)
                self.set(winner, card)
                self.set(tied, ONE)
            with self.block() as same, self.when(binary("eq", amount, best)):
                self.set(tied, add(tied, ONE))
            self.either(binary("or", first, better), gain, same)
        with self.when(binary("sgt", tied, ONE)):
            left = self.variable(self.call("draw", STATE, WORK, tied), "left")
            with self.each_in_set(words) as card:
                with self.when(binary("eq", self.score(node, card, using), best)):
                    with self.when(binary("eq", left, ZERO)):
                        self.set(winner, card)
                    self.set(left, binary("sub", left, ONE))
        return winner, cards, const(-2)

    def _best_of_word(self, node: p.BestCard, word: ir.Expr, using: ir.Expr) -> ir.Expr:
        """The best cards as a set. Which card is best cannot be foreseen, so nothing jumps."""
        best, found = self.variable(const(-(2**60)), "best"), self.variable(ZERO, "found")
        with self.each_in_set((word,)) as card:
            score = self.score(node, card, using)
            amount = self.keep(score if node.greatest else binary("sub", ZERO, score))
            bit = self.keep(binary("shl", ONE, card))
            same = ir.Select(binary("eq", amount, best), binary("or", found, bit), found)
            self.set(found, ir.Select(binary("sgt", amount, best), bit, same))
            self.set(best, ir.Select(binary("sgt", amount, best), amount, best))
        winner = self.variable(ir.Unary("ctz", found), "winner")
        with self.when(binary("and", found, binary("sub", found, ONE))):
            tied = ir.Unary("popcount", found)
            which = self.variable(self.call("draw", STATE, WORK, tied), "which")
            self.set(winner, self.nth_of_set((found,), which))
        return winner

    # --- ranks ---------------------------------------------------------------------------------

    score_tables: dict[p.SetPoints, ScoreTable]
    """The forms that set a map all of whose scores are known."""

    @property
    def has_ranks(self) -> bool:
        """Whatever form sets a map, each card's score is known to be above another's or not."""
        return self.layout.set_words == 1 and all(site in self.score_tables for site in self.map_sites)

    def write_ranks(self, wanted: set[bool]) -> None:
        """greatest_rank and least_rank(S, W, map, card), where wanted: a card's rank by its score."""
        at, card = ir.Local("at", "int"), ir.Local("card", "int")
        for greatest in sorted(wanted):
            which = "greatest" if greatest else "least"
            site = self.variable(self.word(at), "site")
            for number, node in enumerate(self.map_sites):
                data = f"{which}_ranks_{number}"
                ranks = self.score_tables[node].ranks(self.layout.room, greatest)
                self.module.data[data] = b"".join(rank.to_bytes(2, "little") for rank in ranks)
                with self.when(binary("eq", site, const(number + 1))):
                    row = self.word(add(at, ONE))
                    self.emit(ir.Return(ir.Load("u16", ir.Data(data), add(row, card))))
            # nobody has set it: all cards have the same score
            self.emit(ir.Return(binary("or", const(SHARED), card)))
            self.function(f"{which}_rank", (STATE, WORK, at, card))

    def _best_by_rank(self, node: p.BestCard, word: ir.Expr, using: ir.Expr) -> ir.Expr:
        """As `_best_of_word`, but for scores that are shared only where such a one is the best."""
        rank = "greatest_rank" if node.greatest else "least_rank"
        best = self.variable(ZERO, "best")
        with self.each_in_set((word,)) as card:
            here = self.keep(self.call(rank, STATE, WORK, using, card))
            self.set(best, ir.Select(binary("ugt", here, best), here, best))
        winner = self.variable(binary("and", best, const(SHARED - 1)), "winner")
        with self.when(binary("and", best, const(SHARED))):
            found = self.variable(ZERO, "found")
            with self.each_in_set((word,)) as card:
                here = binary("xor", self.call(rank, STATE, WORK, using, card), best)
                self.set(found, binary("or", found, binary("shl", binary("ult", here, const(SHARED)), card)))
            which = self.variable(self.call("draw", STATE, WORK, ir.Unary("popcount", found)), "which")
            self.set(winner, self.nth_of_set((found,), which))
        return winner

    def _best_of_list(self, node: p.BestCard, cards: Cards) -> tuple[ir.Expr, ir.Expr]:
        """A collection that may hold a card twice: each time counts, in card order."""
        base = self.as_list(node, cards, copy=True)
        using = self.map_of(node.using)
        count = self.keep(self.word(0, base))
        which = "greatest" if node.greatest else "least"
        self.fail(node, f"there are no cards to find the {which} of", binary("eq", count, ZERO))
        self.count_cards(node, count)
        best, tied = self.variable(ZERO, "best"), self.variable(ZERO, "tied")
        with self.each_in_list(base) as card:
            amount = self.keep(self.score(node, card, using))
            better = binary("sgt" if node.greatest else "slt", amount, best)
            with self.block() as gain:
                self.set(best, amount)
                self.set(tied, ONE)
            with self.block() as same, self.when(binary("eq", amount, best)):
                self.set(tied, add(tied, ONE))
            self.either(binary("or", binary("eq", tied, ZERO), better), gain, same)
        left = self.variable(self.call("draw", STATE, WORK, tied), "left")
        winner = self.variable(MINUS, "winner")
        last, at = self.variable(MINUS, "last"), self.variable(ZERO, "at")
        # card order: the least card above the last one, as often as the list holds it
        with self.loop(binary("slt", winner, ZERO)):
            following = self.variable(const(1 << 20), "following")
            with self.each_in_list(base) as card:
                with self.when(binary("and", binary("sgt", card, last), binary("slt", card, following))):
                    with self.when(binary("eq", self.score(node, card, using), best)):
                        self.set(following, card)
            self.set(last, following)
            i = self.variable(ZERO, "i")
            with self.loop(binary("slt", i, count)):
                with self.when(binary("eq", self.list_card(base, i), following)):
                    with self.when(binary("eq", left, ZERO)):
                        self.set(winner, following)
                        self.set(at, i)
                    self.set(left, binary("sub", left, ONE))
                self.set(i, add(i, ONE))
        return winner, at
