"""A whole program: stages that end, choices that can be made, and a score in which every card counts.

A number names a program: `program(seed, number)`. Most programs play several decisions and come to an end; a
counter of its own ends each stage, and nearly every choice can be passed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.engine.fuzz.decks import opening
from tests.engine.fuzz.themes import Themes
from tests.engine.fuzz.values import INTS, MAPS

from upcard.engine.rng import Stream

COUNTERS = ("T", "TT", "TTT")


@dataclass(frozen=True)
class Written:
    text: str
    overrides: dict[str, str] = field(default_factory=dict)


class Shape(Themes):
    which = 0
    """The number of the program."""
    length = 25
    """About how many forms a block or a choice has."""

    def body(self) -> str:
        elements = [self._deal(), self.theme(self.which)]
        if self.odds(300):
            elements.append(self._block())
        if self.odds(200):
            elements.append(self._asked(2))
        elements += self.held_choice(self.which)
        elements.append(self._stage(0))
        if self.odds(100):
            elements.append(self._stage(0))
        if self.odds(150):
            elements.append(self._block())
        if self.which % 30 == 13:
            elements.append("(stage player (end (== 1 2)) (do ((inc (game sto POT) 1))))")
        return "\n ".join(elements)

    def _deal(self) -> str:
        """Points, a shuffled stock, some cards for everybody."""
        each = 1 + self.up_to(1)
        parts = [
            "(set (game points V) (((N : A) 1) ((N : B) 2) ((N : C) 3) ((N : D) 4)))",
            "(set (game points ID) (((N : A) 3) ((N : B) 7) ((N : C) 17) ((N : D) 29) ((N : J) 53)"
            " ((S : X) 101) ((S : Z) 211) ((H : RED) 401)))",
            f"(all player 'P (repeat {each} (move (top (game iloc STOCK)) (top ('P iloc HAND)))))",
            "(set (game str NAME) GOLD)",
            "(set (game str KEY) S)",
            "(set (game str MAP) V)",
            "(set (game str TEXT) HUE)",
        ]
        if self.odds(200):
            parts = [part for part in parts if not part.startswith("(set (game str")]
        if self.odds(400):
            parts.insert(0, "(remember (top (game iloc STOCK)) (top (game mem SEEN)))")
            parts.append("(remember (bottom (game iloc STOCK)) (top (game mem SEEN)))")
        if self.odds(700):
            parts.insert(0, "(shuffle (game iloc STOCK))")
        if self.setting.players * each < 8 and self.odds(500):
            parts.append("(move (top (game iloc STOCK)) (top (game vloc POOL)))")
        if self.setting.computed:
            parts.append("(set (game str WHERE) POOL)")
        return f"(do ({' '.join(parts)}))"

    def _block(self) -> str:
        self.in_choice = False
        self.left = self.length
        return self.weighed(
            (5, lambda: self.do(3)),
            (1, lambda: self._loop("all", 3)),
            (1, lambda: self._loop("any", 3)),
            (1, lambda: self._plain_let()),
        )

    def _plain_let(self) -> str:
        text, kind, _ = self.bound(1)
        with self.binding(kind) as variable:
            return f"(let {text} {variable} {self.using(variable, kind, 3)})"

    def _asked(self, depth: int) -> str:
        """A choice, sometimes inside one let or two."""
        if self.odds(300):
            text, kind, _ = self.bound(1)
            with self.binding(kind) as variable:
                if self.odds(200):
                    again, other, _ = self.bound(1)
                    with self.binding(other) as inner:
                        return f"(let {text} {variable} (let {again} {inner} {self.choice(depth)}))"
                return f"(let {text} {variable} {self.choice(depth, variable, kind)})"
        return self.choice(depth)

    def choice(self, depth: int, variable: str = "", kind: str = "") -> str:
        self.in_choice = True
        self.left = self.length + 10
        items = [self._loop("any", depth) if self.odds(500) else self.item(depth)]
        items += [self.item(depth) for _ in range(self.up_to(2))]
        if self.odds(250):
            both = f"(union {self.place(0)} {self.cards(1)})"
            with self.binding("card") as card:
                items.append(f"(any {both} {card} (move {card} (top {self.place(0)})))")
        if variable and self.odds(700):
            items[-1] = self.using(variable, kind, depth - 1)
        if not self.odds(40):
            items.append("(turn pass)")
        self.in_choice = False
        return f"(choice ({' '.join(items)}))"

    def _stage(self, level: int) -> str:
        counter = f"(game sto {COUNTERS[level]})"
        of = "team" if self.odds(200) else "player"
        rounds = 2 + self.up_to(6 - 2 * level)
        end = f"(>= {counter} {rounds})"
        if self.risky() and self.odds(300):
            end = self.test(1)
        elif level and self.odds(30):
            return f"(stage {of} (end (== {counter} (- 0 1))) (do ((inc (game sto POT) 1) {self._cycle(1)})))"
        elif self.odds(250):
            end = f"(or {end} {self.test(1)})" if self.odds(300) else f"(and {end} (== (size (RED)) 1))"
        body = [self._asked(4 if self.odds(300) else 3)]
        if self.odds(250):
            body.append(self._asked(3))
        if level < 2 and self.odds(250):
            body.append(self._stage(level + 1))
        if self.odds(600):
            body.insert(self.up_to(len(body)), self._block())
        step = self.one((f"(inc {counter} 1)", f"(set {counter} (+ {counter} 1))"))
        turn = " " + self._cycle(1) if self.odds(250) else ""
        doom = "" if level else self.doom(self.which)
        body.append(f"(do ({step}{turn}{doom}))")
        if not level:
            body.append(self.digest())
        inner = "\n  ".join(body)
        begin = f"(do ((set {counter} 0)))\n "
        return f"{begin}(stage {of} (end {end})\n  {inner})"

    def digest(self) -> str:
        """A number in which every card and every storage counts, taken once a round, so that a difference
        that would go away again is found too. None of this lets the order of cards be seen."""
        setting = self.setting
        total = "(game sto SUM)"

        def stir(number: str) -> str:
            return f"(set {total} (% (+ (* {total} 31) {number}) 1000003))"

        table = [f for f in setting.families if f[0] == "game"]
        own = [f for f in setting.families if f[0] == "player"]
        parts = [stir(f"(sum (game {cls} {name}) using (game points ID))") for _, cls, name in table]
        parts += [stir(f"(sum (game vloc POOL) using (game points {name}))") for name in MAPS]
        parts += [stir(f"(% (game sto {name}) 99991)") for name in INTS]
        parts.append(stir("(sum (game mem SEEN) using (game points ID))"))
        if setting.numbered and setting.newer:
            parts.append(stir("(sum (union (indexed game vloc PILE)) using (game points ID))"))
        parts.append(stir("(size (filter (RED, BLUE, X, Y) 'Q (== 'Q (game str HUE))))"))
        each = [stir(f"(sum ('P {cls} {name}) using (game points ID))") for _, cls, name in own]
        each += [stir("(sum ('P iloc HAND) using (game points V))"), stir("(% ('P sto GOLD) 99991)")]
        parts.append(f"(all player 'P (do ({' '.join(each)})))")
        bid = stir("(% ('P sto BID) 99991)")
        parts.append(f"(all team 'P {bid})")
        return f"(do ({' '.join(parts)}))"

    def scoring(self) -> str:
        """The sum of all rounds, and whether the streams are where they should be."""
        setting = self.setting
        parts = [
            "(game sto SUM)",
            "(% ((current player) sto GOLD) 99991)",
            "(sum ((current player) iloc HAND) using (game points ID))",
            f"(size (filter ({setting.base} team) 'Q (== 'Q (current player))))",
            # a literal that settles from what players are counted
            f"(% (({setting.base and setting.players} player) sto POT) 99991)",
        ]
        if self.odds(800):
            parts.append("(random 1000000)")
        if self.odds(200):
            parts.append("(size (filter (RED, X, Y) 'Q (== 'Q (cardatt S (top (game vloc POOL))))))")
        total = parts[0]
        for part in parts[1:]:
            total = f"(+ {total} {part})"
        return f"(scoring {self.one(('max', 'min'))} {total})"


def program(seed: int, number: int) -> Written:
    """The program of a number: always the same one."""
    begin = opening(Stream((seed, number, 0)))
    risk = (0, 5, 10, 20, 150)[Stream((seed, number, 1)).below(5)]
    pen = Shape((seed, number, 2), begin.setting, risk)
    pen.which = number
    pen.length = (10, 15, 25, 45)[Stream((seed, number, 3)).below(4)]
    body = pen.body()
    declares = "".join(f"\n {line}" for line in begin.declares)
    text = f"(game{declares}\n (setup {begin.setup})\n {body}\n {pen.scoring()})\n"
    return Written(text, begin.overrides)
