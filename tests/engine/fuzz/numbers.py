"""Numbers and conditions."""

from __future__ import annotations

from tests.engine.fuzz.values import Values

BIG = ("9223372036854775807", "4000000000000000000", "2000000", "1000001")


class Numbers(Values):
    def number(self, depth: int) -> str:
        known = self.known("int")
        deep = depth > 0 and self.left > 0
        newer = self.setting.newer
        full = bool(self.full or self.known("card"))
        return self.weighed(
            (5, lambda: str(self.up_to(4))),
            (1, lambda: f"(- 0 {1 + self.up_to(8)})"),
            (6 * bool(known), lambda: self.one(known)),
            (3 * (not self.in_declare), lambda: self.int_store(depth - 1)),
            (4 * deep, lambda: f"(size {self.collection(depth - 1)[0]})"),
            (4 * deep, lambda: f"(sum {self.cards(depth - 1)} using {self.point_map(0)})"),
            (6 * (deep and full), lambda: f"(score {self.card(depth - 1)} using {self.point_map(0)})"),
            (4 * (deep and newer and bool(self.full)), lambda: self._best_score()),
            (2 * (newer and not self.in_declare), lambda: f"(pid {self.player(depth - 1)})"),
            (5 * deep, lambda: self._arithmetic(depth - 1)),
            (1 * deep, lambda: f"(tri {self._not_negative(depth - 1)})"),
            (1 * deep, lambda: f"(fib {self._not_negative(depth - 1)})"),
            (2 * (not self.quiet), lambda: self._random(depth - 1)),
            (5 * deep, lambda: self._sum_over(depth - 1)),
            (9 * self.risky(), lambda: self._strange(self.one((*BIG, "3")), depth - 1)),
        )

    def small(self, depth: int) -> str:
        """A number that stays small however often it is added up."""
        if self.risky() or self.odds(300):
            return self.number(depth)
        return self.weighed(
            (3, lambda: str(self.up_to(4))),
            (2, lambda: f"(% {self.number(depth)} {self.one((7, 11, 20))})"),
            (1 * (not self.quiet), lambda: "(random 3)"),
            (1, lambda: f"(// {self.number(depth)} {self.one(('2', '3', '(- 0 2)', '(- 0 1)'))})"),
        )

    def _not_negative(self, depth: int) -> str:
        if self.risky():
            return self.number(depth)
        return self.weighed(
            (2, lambda: str(self.up_to(12))),
            (2, lambda: f"(size {self.collection(depth)[0]})"),
        )

    def _best_score(self) -> str:
        head = self.one(("scoremax", "scoremin"))
        return f"({head} {self.one(self.full)} using {self.point_map(0)})"

    def _arithmetic(self, depth: int) -> str:
        operator = self.one(("+", "+", "-", "-", "*", "//", "%", "^"))
        first = self.number(depth)
        if self.risky():
            return self._strange(first, depth)
        elif operator == "*":
            others = [self.one(("2", "3", "(- 0 1)"))]
            first = f"(% {first} 1000)"
        elif operator in ("//", "%"):
            others = [self.one(("2", "3", "7", "(- 0 3)", "(- 0 1)"))]
        elif operator == "^":
            first, others = f"(% {first} 5)", [self.one(("0", "1", "2", "3"))]
        else:
            others = [self.number(depth)]
        if self.setting.newer and self.odds(400):
            others.append(str(1 + self.up_to(2)))
        return f"({operator} {first} {' '.join(others)})"

    def _strange(self, first: str, depth: int) -> str:
        """Arithmetic that fails, or comes close to it."""
        return self.one(
            (
                f"(// {first} (size (game vloc NOWHERE)))",
                f"(% {first} (- {first} {first}))",
                f"(* {self.one(BIG)} (* {first} 3))",
                f"(- (- 0 {BIG[0]}) {first})",
                f"(// (- (- 0 {BIG[0]}) 1) (- 0 1))",
                f"(^ {first} {self.number(depth)})",
                f"(^ (- 0 1) {self.one(BIG)})",
                f"(^ 2 {self.one(('62', '63', '64'))})",
                f"(fib {self.one(('92', '93', first))})",
                f"(tri {self.one(('4294967295', '4294967296', first))})",
                f"(random (- 0 {BIG[0]}) .. {self.one(('0', '1', first))})",
                f"(size (range 1..{self.one(BIG)}))",
            )
        )

    def _random(self, depth: int) -> str:
        if self.risky():
            return f"(random {self.number(depth)} .. {self.number(depth)})"
        return self.weighed(
            (3, lambda: f"(random {self.up_to(4)})"),
            (2, lambda: f"(random {self.up_to(2)} .. {2 + self.up_to(3)})"),
            (1, lambda: f"(random (size {self.place(0)}))"),
        )

    def _sum_over(self, depth: int) -> str:
        source, kind = self.collection(depth, cards=self.odds(300))
        with self.binding(kind) as variable:
            return f"(all {source} {variable} {self.int_store(depth)})"

    # --- conditions ----------------------------------------------------------------------------

    def test(self, depth: int) -> str:
        known = self.known("bool")
        deep = depth > 0 and self.left > 0
        return self.weighed(
            (5, lambda: self._compare(depth - 1)),
            (5, lambda: self._same(depth - 1)),
            (3 * bool(known), lambda: self.one(known)),
            (3 * deep, lambda: self._logic(depth - 1)),
            (2, lambda: self._on_full(depth - 1)),
            (2 * deep, lambda: f"(not {self.test(depth - 1)})"),
            (6 * deep, lambda: self._quantified(depth - 1)),
        )

    def _compare(self, depth: int) -> str:
        operator = self.one(("<", ">", "<=", ">="))
        return f"({operator} {self.number(depth)} {self.number(depth - 1)})"

    def _same(self, depth: int) -> str:
        operator = self.one(("==", "!="))
        card = self.known("card", "maybe")
        sides = self.weighed(
            (4, lambda: f"{self.number(depth)} {self.number(0)}"),
            (4, lambda: f"{self.text(depth)} {self.text(1)}"),
            (3 + 3 * bool(card), lambda: self._two_cards(depth)),
            (2 * (not self.in_declare), lambda: f"{self.player(depth)} {self.player(depth)}"),
            (2 * (not self.in_declare), lambda: f"{self.team(depth)} {self.team(depth)}"),
        )
        return f"({operator} {sides})"

    def _two_cards(self, depth: int) -> str:
        """Of two cards, one may be written as a collection, whose top card is meant."""
        left, right = self.maybe_card(depth), self.maybe_card(depth)
        return self.weighed(
            (4, lambda: f"{left} {right}"),
            (1, lambda: f"{self.place(0)} {right}"),
            (1, lambda: f"{left} {self.cards(0)}"),
        )

    def _on_full(self, depth: int) -> str:
        """A test of the best card, behind a test that there is one."""
        place = self.place(depth)
        using = self.point_map(0)
        best = self.one(
            (f"(scoremax {place} using {using})", f"(scoremin {place} using {using})")
            if self.setting.newer
            else (
                f"(score (top {place}) using {using})",
                f"(score (max {place} using {using}) using {using})",
            )
        )
        return f"(and (> (size {place}) 0) ({self.one(('<', '>', '=='))} {best} {self.number(depth)}))"

    def _logic(self, depth: int) -> str:
        """Later operands may rest on earlier ones: a top card is looked at only where there is one."""
        operator = self.one(("and", "or"))
        if self.odds(400):
            place = self.place(depth)
            with self.knowing(place):
                inner = self.test(depth)
            guard = f"(> (size {place}) 0)" if operator == "and" else f"(== (size {place}) 0)"
            return f"({operator} {guard} {inner})"
        count = 2 + self.odds(200)
        return f"({operator} {' '.join(self.test(depth) for _ in range(count))})"

    def _quantified(self, depth: int) -> str:
        source, kind = self.collection(depth, cards=self.odds(600))
        with self.binding(kind) as variable, self.quietly():
            test = self.test_of(variable, kind, depth) if self.odds(600) else self.test(depth)
            return f"({self.one(('all', 'any'))} {source} {variable} {test})"

    def test_of(self, variable: str, kind: str, depth: int) -> str:
        """A condition on one variable."""
        number = self.number(min(depth, 0))
        compare = self.one(("<", ">", "<=", ">=", "==", "!="))
        same = self.one(("==", "!="))
        if kind == "int":
            return f"({compare} {variable} {number})"
        if kind == "str":
            return f"({same} {variable} {self.text(depth)})"
        if kind in ("player", "team"):
            other = self.player(depth) if kind == "player" else self.team(depth)
            return self.weighed(
                (2, lambda: f"({same} {variable} {other})"),
                (2, lambda: f"({compare} ({variable} sto {self.name(('GOLD', 'BID'), 0)}) {number})"),
                (1, lambda: f"({compare} (size {self._of_player(variable, kind)}) {number})"),
            )
        if kind in ("cards", "place"):
            return self.weighed(
                (3, lambda: f"({compare} (size {variable}) {number})"),
                (2, lambda: f"({compare} (sum {variable} using {self.point_map(0)}) {number})"),
                (1, lambda: f"({same} {self.text(0)} (cardatt {self.key()} (top {variable})))"),
            )
        return self.weighed(
            (3, lambda: f"({same} (cardatt {self.key()} {variable}) {self.text(depth)})"),
            (3, lambda: f"({compare} (score {variable} using {self.point_map(0)}) {number})"),
            (1, lambda: f"({same} {variable} {self.maybe_card(0)})"),
        )

    def _of_player(self, variable: str, kind: str) -> str:
        return variable if kind == "team" else f"({variable} iloc HAND)"
