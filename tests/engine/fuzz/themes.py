"""Forms that chance alone would write too seldom: each program has one of them by its number.

A theme is a block that every program executes; a doom is something that fails, in one program of twelve,
once a round has been played.
"""

from __future__ import annotations

from tests.engine.fuzz.actions import Actions

KINDS = ("cards", "groups", "ints", "strs", "players", "teams")
WAYS = 7
DOOMS = (
    "(inc (game sto POT) (// 7 (size (game vloc NOWHERE))))",
    "(cycle next ((+ 9 (size player)) player))",
    "(move (max (game vloc NOWHERE) using (game points V)) (top (game vloc POOL)))",
    "(repeat 3 (move (top (game vloc NOWHERE)) (top (game vloc POOL))))",
    "(all (game vloc POOL) 'X (move 'X (top (filter (game vloc POOL) 'Y (== 'X 'Y)))))",
    "(set (game sto POT) (* 4000000000000000000 (+ 3 (size player))))",
    "(set (game sto POT) (size (bottom 3 (game vloc NOWHERE))))",
)


class Themes(Actions):
    def theme(self, number: int) -> str:
        kind = KINDS[number % len(KINDS)]
        way = number // len(KINDS) % WAYS
        source, inner = self.source_of(kind)
        action = self.action(1)  # outside the loop: it cannot see the loop's variable
        with self.binding(inner) as variable:
            test = self.test_of(variable, inner, 1)
            whole = (
                f"(all {source} {variable} {self.int_store(0)})",
                f"(size (all {source} {variable} {self.cards(1)}))",
                f"(size (filter {source} {variable} {test}))",
            )
            items = (
                *(f"(inc (game sto POT) (% {value} 50))" for value in whole),
                f"((all {source} {variable} {test}) {action})",
                f"((any {source} {variable} {test}) {action})",
                f"(any {source} {variable} {self.using(variable, inner, 1)})",
            )
        held = "lists" if kind == "groups" else kind
        with self.binding(held) as name:
            let = f"(let {source} {name} {self.using(name, held, 1)})"
        return f"(do ({(*items, let)[way]} {self._reference(number)} {self._held(number)}))"

    def held_choice(self, number: int) -> list[str]:
        """Every other program has a choice inside a let, of each kind in turn."""
        if number % 2:
            return []
        ways: tuple[tuple[str, str], ...] = (
            ("(size (game iloc STOCK))", "int"),
            (self.test(1), "bool"),
            (self.text(1), "str"),
            ("(top (game iloc STOCK))", "maybe"),
            ("(next player)", "player"),
            (self.team(0), "team"),
            (self.cards(2), "cards"),
            (self.groups(1), "lists"),
            ("(range 1..3)", "ints"),
            ("(RED, BLUE)", "strs"),
            ("(other player)", "players"),
            ("team", "teams"),
            (self.location(0), "place"),
        )
        source, kind = ways[number // 2 % len(ways)]
        with self.binding(kind) as variable:
            self.in_choice = True
            item = self.using(variable, kind, 1)
            self.in_choice = False
            return [f"(let {source} {variable} (choice ({item} (turn pass))))"]

    def source_of(self, kind: str) -> tuple[str, str]:
        """A collection of one kind, and the kind of its elements."""
        if kind == "cards":
            return self.cards(1), "card"
        if kind == "groups":
            return self._partition(1), "cards"
        if kind == "ints":
            return "(range 0..3)", "int"
        if kind == "strs":
            return "(RED, X, A)", "str"
        return (self.one(("player", "(other player)")), "player") if kind == "players" else ("team", "team")

    def _held(self, number: int) -> str:
        """Something bound, then what it was made from changes, then it is used."""
        place, other = self.location(0), self.location(0)
        take = f"((> (size {place}) 0) (move (top {place}) (top {other})))"
        some = f"(filter {place} 'X {self.test_of(chr(39) + 'X', 'card', 0)})"
        with self.binding("int") as held:
            ways = (
                f"(let (size {place}) {held} (do ({take} (inc (game sto POT) {held}))))",
                f"(let {some} {held} (do ((shuffle {held}) ((> (size {held}) 1) (move (top {held})"
                f" (top {other}))))))",
                f"(let (top {place}) {held} (do ({take} ((!= (cardatt N {held}) (cardatt N (top {place})))"
                f" (inc (game sto POT) 3)))))",
                f"(let {some} {held} (do ({take} (inc (game sto POT) (size {held})))))",
            )
        both = f"(union {place} {other})"
        power = f"(^ (% (size {place}) 5) {self.up_to(3)})"
        rest: tuple[str, ...] = (
            f"((> (size {place}) 1) (move (1 {place}) (top {other})))",
            f"((> (size {both}) 1) (move ({self.one(('top', 'bottom'))} {both}) (top (game vloc POOL))))",
            f"((> (size {both}) 1) (remember {both} (top (game mem SEEN))))",
            f"(inc (game sto POT) (% (+ {power} (fib {self.up_to(9)})) 50))",
        )
        if self.setting.newer:
            best = self.one(("scoremax", "scoremin"))
            number_of = f"(% (size {place}) 4)" if self.setting.numbered else ""
            rest += (
                f"((> (size {place}) 0) (set (game sto BID) ({best} {place} using (game points V))))",
                f"((> (size {place}) 0) (move (top {place}) (top (game vloc PILE {number_of}))))",
            )
        return (*ways, *rest)[number % (len(ways) + len(rest))]

    def _reference(self, number: int) -> str:
        """Memories filled and emptied in every way there is."""
        memory = "(game mem SEEN)"
        with self.binding("card") as card:
            by_variable = f"(all (game vloc POOL) {card} (remember {card} (top {memory})))"
        ways = (
            by_variable,
            f"((> (size (game iloc STOCK)) 1) (remember (1 (game iloc STOCK)) (bottom {memory})))",
            f"((> (size {memory}) 1) (forget (1 {memory})))",
            f"((> (size {memory}) 0) (forget (max {memory} using (game points V))))",
            f"((> (size (game vloc POOL)) 0) (remember (game vloc POOL) (top {memory})))",
            f"((> (size {memory}) 0) (forget (bottom {memory})))",
            f"(shuffle {memory})",
            f"(cycle current ({self.setting.base + self.up_to(self.setting.players - 1)} player))",
            f"(cycle next ({self.setting.base + self.up_to(self.setting.players - 1)} player))",
        )
        return ways[number // 2 % len(ways)]

    def doom(self, number: int) -> str:
        """Something that fails, for the programs that are to fail; nothing for the others."""
        if number % 12 != 11:
            return ""
        return f" ((> (game sto T) 0) {DOOMS[number // 12 % len(DOOMS)]})"
