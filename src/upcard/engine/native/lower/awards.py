"""Lowers awards: a card's score by a point map."""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.lower.blocks import Depths
from upcard.engine.native.lower.builder import ONE, STATE, WORK, ZERO, add, binary, const
from upcard.engine.native.lower.initial_state import Starting
from upcard.engine.native.lower.runtime import AT, bit_parts
from upcard.engine.native.lower.storage_actions import captures, keeps_sets, loose_awards
from upcard.recycle import program as p


class Awards(Starting):
    def write_score(self) -> None:
        """score(S, W, map, card): the sum of the awards that match, by the form that set the map."""
        at, card = ir.Local("at", "int"), ir.Local("card", "int")
        self.begin(Depths(0, 0), [], fresh=False)
        site = self.keep_now(self.word(at))
        total = self.variable(ZERO, "total")
        if not self.analysis.small_maps:
            self.set_word(AT["fault"], ZERO, WORK)
        for number, node in enumerate(self.map_sites):
            with self.when(binary("eq", site, const(number + 1))):
                self._awards(node, number, at, card, total)
                self.emit(ir.Return(total))
        self.emit(ir.Return(ZERO))
        self.function("score", (STATE, WORK, at, card))

    def _awards(self, node: p.SetPoints, number: int, at: ir.Expr, card: ir.Expr, total: ir.Local) -> None:
        table = self.score_tables.get(node)
        if table is not None:
            data = f"scores_{number}"
            self.module.data[data] = b"".join(score.to_bytes(2, "little") for score in table.scores)
            self.set(total, ir.Load("u16", ir.Data(data), add(self.word(add(at, ONE)), card)))
            return
        fixed = [a for a in node.awards if not captures(p.SetPoints(node.span, node.store, (a,)))]
        tabled = self.maps_as_sets
        if tabled and fixed:
            data = f"awards_{number}"
            rows = [
                sum(_amount(a) for a in fixed if _matches(a, face.attributes)) for face in self.layout.cards
            ]
            self.module.data[data] = b"".join(row.to_bytes(8, "little", signed=True) for row in rows)
            self.set(total, ir.Load("i64", ir.Data(data), card))
        if tabled and keeps_sets(node):
            for i, award in enumerate(loose_awards(node)):
                word, bit = bit_parts(self, self.layout, card)
                mask = self.word(add(add(at, const(1 + i * self.layout.set_words)), word))
                self.set(total, add(total, ir.If(binary("and", mask, bit), const(_amount(award)), ZERO)))
            return
        slot = 1
        for award in node.awards:
            test: ir.Expr = ONE
            loose = captures(p.SetPoints(node.span, node.store, (award,)))
            for key, value in award.pairs:
                operands: list[ir.Expr] = []
                for part in (key, value):
                    if isinstance(part, p.Str):
                        operands.append(const(self.layout.strings[part.text]))
                    else:
                        operands.append(self.keep(self.word(add(at, const(slot)))))
                        slot += 1
                test = binary("and", test, binary("eq", self.attribute(operands[0], card), operands[1]))
            amount: ir.Expr
            if isinstance(award.amount, p.Int):
                amount = const(award.amount.value)
            else:
                amount = self.keep(self.word(add(at, const(slot))))
                slot += 1
            if not loose and tabled:
                continue  # in the table already
            if self.analysis.small_maps:
                self.set(total, add(total, ir.If(test, amount, ZERO)))
                continue
            with self.when(test):
                with self.when(ir.Binary("sadd_over", total, amount)):
                    self.set_word(AT["fault"], ONE, WORK)
                    self.emit(ir.Return(ZERO))
                self.set(total, add(total, amount))


def _amount(award: p.Award) -> int:
    assert isinstance(award.amount, p.Int)
    return award.amount.value


def _matches(award: p.Award, face: dict[str, str]) -> bool:
    return all(
        isinstance(key, p.Str) and isinstance(value, p.Str) and face.get(key.text, "") == value.text
        for key, value in award.pairs
    )
