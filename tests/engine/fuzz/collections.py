"""Cards, places, computed collections, lists of collections, and everything else with elements."""

from __future__ import annotations

from tests.engine.fuzz.numbers import Numbers

ENDS = ("top", "bottom")


class Collections(Numbers):
    # --- places --------------------------------------------------------------------------------

    def place(self, depth: int) -> str:
        """A live location that owns its cards."""
        known = self.known("place")
        return self.weighed(
            (20, lambda: self.location(depth)),
            (8 * bool(known), lambda: self.one(known)),
            (1 * (depth > 0), lambda: f"({self.one(ENDS)} (all player 'P ('P vloc ROW)))"),
        )

    def location(self, depth: int) -> str:
        setting = self.setting
        kind, cls, name = self.one(setting.families)
        owner = "game" if kind == "game" else self.player(min(depth, 1))
        if setting.computed and self.odds(300):
            name = self.weighed(
                (3, lambda: "(game str WHERE)"),
                (1, lambda: self.one((*self.known("str"), "(game str WHERE)"))),
            )
        if name in setting.numbered and setting.newer:
            number = self.weighed(
                (6, lambda: f" {self.up_to(3)}"),
                (1, lambda: ""),
                (1 * (depth > 0), lambda: f" (% (size {self.stock()}) 4)"),
                (9 * self.risky(), lambda: self.one((" 256", " 255", " (- 0 1)", f" {self.number(1)}"))),
            )
            return f"({owner} {cls} {name}{number})"
        return f"({owner} {cls} {name})"

    def stock(self) -> str:
        return "(game iloc STOCK)"

    def memory(self) -> str:
        return self.weighed(
            (3, lambda: "(game mem SEEN)"),
            (1, lambda: f"({self.player(0)} mem MINE)"),
        )

    # --- cards ---------------------------------------------------------------------------------

    def card(self, depth: int) -> str:
        """A card that is there."""
        known = self.known("card")
        full = self.full
        if not known and not full:
            return self.maybe_card(depth)
        return self.weighed(
            (8 * bool(known), lambda: self.one(known)),
            (4 * bool(full), lambda: f"({self.one(ENDS)} {self.one(full)})"),
            (1 * bool(full), lambda: f"(0 {self.one(full)})"),
            (1 * bool(full), lambda: self.one(full)),
            (3 * (bool(full) and not self.quiet), lambda: self._best(self.one(full))),
            (1, lambda: f"(actual {self.one(known) if known else '(top ' + self.one(full) + ')'})"),
        )

    def _best(self, cards: str) -> str:
        return f"({self.one(('max', 'min'))} {cards} using {self.point_map(0)})"

    def maybe_card(self, depth: int) -> str:
        """A card, or none."""
        known = self.known("card", "maybe")
        held = self.known("cards", "place")
        deep = depth > 0 and self.left > 0
        return self.weighed(
            (8 * bool(known), lambda: self.one(known)),
            (3 * bool(held), lambda: f"({self.one(ENDS)} {self.one(held)})"),
            (4, lambda: f"({self.one(ENDS)} {self.place(depth - 1)})"),
            (2 * deep, lambda: f"({self.one(ENDS)} {self.cards(depth - 1)})"),
            (1, lambda: f"(top {self.memory()})"),
            (9 * self.risky(), lambda: f"({self.number(0)} {self.cards(depth - 1)})"),
        )

    # --- computed collections ------------------------------------------------------------------

    def cards(self, depth: int) -> str:
        known = self.known("cards", "place")
        deep = depth > 0 and self.left > 0
        return self.weighed(
            (6, lambda: self.place(depth)),
            (6 * bool(known), lambda: self.one(known)),
            (1, self.memory),
            (6 * deep, lambda: self._filtered(self.cards(depth - 1), "card", depth - 1)),
            (3 * deep, lambda: self._combined(depth - 1)),
            (2 * deep, lambda: f"(sort {self.cards(depth - 1)} using {self.point_map(0)})"),
            (2 * deep, lambda: self._some(depth - 1)),
            (2 * deep, lambda: self._end_run(depth - 1)),
            (1 * deep, lambda: self._of_list(depth - 1)),
        )

    def _filtered(self, source: str, kind: str, depth: int) -> str:
        with self.binding(kind) as variable, self.quietly():
            test = self.test_of(variable, kind, depth) if self.odds(600) else self.test(depth)
            return f"(filter {source} {variable} {test})"

    def _combined(self, depth: int) -> str:
        how = self.one(("union", "union", "intersect", "disjunction"))
        parts = [
            self.weighed((4, lambda: self.cards(depth)), (1, lambda: self.groups(depth)))
            for _ in range(self.one((1, 2, 2, 2, 3)))
        ]
        return f"({how} {' '.join(parts)})"

    def _some(self, depth: int) -> str:
        """(top n C), with no more than there are."""
        cards = self.cards(depth)
        if self.risky():
            count = self.number(depth)
        elif self.full and self.odds(400):
            count, cards = "1", self.one(self.full)
        else:
            return f"({self.one(ENDS)} (// (size {cards}) 2) {cards})" if "random" not in cards else cards
        return f"({self.one(ENDS)} {count} {cards})"

    def _end_run(self, depth: int) -> str:
        return f"(run {self.one(ENDS)} {self.up_to(3)} {self.cards(depth)} using {self.point_map(0)})"

    def _of_list(self, depth: int) -> str:
        """One of a list that is not empty: each seat has one entry."""
        if self.risky():
            return self.weighed(
                (2, lambda: f"({self.one(ENDS)} {self.groups(depth)})"),
                (1, lambda: f"({self.up_to(2)} {self.groups(depth)})"),
            )
        with self.binding("player") as variable:
            each = f"(all player {variable} {self.cards(depth)})"
        index = self.up_to(self.setting.players - 1)
        return self.weighed((2, lambda: f"({self.one(ENDS)} {each})"), (1, lambda: f"({index} {each})"))

    def few_cards(self, depth: int) -> str:
        """A collection small enough for all its subsets."""
        if self.risky():
            return self.cards(depth)
        small = [("player", "iloc", "HAND"), ("game", "vloc", "POOL"), ("player", "vloc", "ROW")]
        kind, cls, name = self.one(small)
        where = f"({'game' if kind == 'game' else self.player(0)} {cls} {name})"
        if self.odds(500):
            return where
        return f"(filter {where} 'X (== (cardatt {self.key()} 'X) {self.text(0)}))"

    # --- lists of collections ------------------------------------------------------------------

    def groups(self, depth: int) -> str:
        known = self.known("lists", "places")
        deep = depth > 0 and self.left > 0
        newer = self.setting.newer
        return self.weighed(
            (4 * bool(known), lambda: self.one(known)),
            (5, lambda: self._partition(depth - 1)),
            (3, lambda: f"(tuples {1 + self.up_to(1)} {self.cards(depth - 1)} using {self.point_map(0)})"),
            (2, lambda: f"(subsets {self.few_cards(depth - 1)})"),
            (3, lambda: self._runs(depth - 1)),
            (2 * deep, lambda: self._each(depth - 1)),
            (2 * (newer and not self.in_declare), self._indexed),
            (3 * deep, lambda: self._filtered(self.groups(depth - 1), "cards", depth - 1)),
        )

    def _partition(self, depth: int) -> str:
        parts = [self.cards(depth) for _ in range(1 + self.odds(200))]
        if self.odds(150):
            with self.binding("player") as variable:
                parts = [f"(all player {variable} {self.cards(depth)})"]
        if self.odds(120):
            return f"(partition {' '.join(parts)} {self.key()})"
        return f"(partition {self.key()} {' '.join(parts)})"

    def _runs(self, depth: int) -> str:
        which = self.one(("largest", "all"))
        return f"(runs {which} {self.up_to(2)} {self.cards(depth)} using {self.point_map(0)})"

    def _each(self, depth: int) -> str:
        source, kind = self.collection(depth, cards=self.odds(300))
        with self.binding(kind) as variable:
            return f"(all {source} {variable} {self.cards(depth)})"

    def _indexed(self) -> str:
        if self.setting.numbered:
            places = [family for family in self.setting.families if family[2] == "PILE"]
            kind, cls, name = self.one(places or self.setting.families)
        else:
            kind, cls, name = self.one(self.setting.families)
        return f"(indexed {'game' if kind == 'game' else self.player(0)} {cls} {name})"

    def places(self, depth: int) -> str:
        """A list of live locations."""
        if self.setting.newer and self.odds(400):
            return self._indexed()
        source = self.one(("player", "(other player)", "(current team)"))
        with self.binding("player") as variable:
            _, cls, name = self.one([f for f in self.setting.families if f[0] == "player"])
            return f"(all {source} {variable} ({variable} {cls} {name}))"

    # --- anything with elements ----------------------------------------------------------------

    def collection(self, depth: int, cards: bool = True) -> tuple[str, str]:
        ways = ["players", "players", "ints", "strs", "teams", "members", "groups", "groups", "places"]
        if cards:
            ways += ["cards"] * 6
        if self.in_declare:
            ways = ["ints", "strs"]
        way = self.one(ways)
        known = self.known(way)
        if known and self.odds(600):
            return self.one(known), {"cards": "card"}.get(way, way[:-1])
        if way == "cards":
            return self.cards(depth), "card"
        if way == "groups":
            return self.groups(depth), "cards"
        if way == "places":
            return self.places(depth), "place"
        if way == "members":
            return self.team(depth), "player"
        source, kind = {
            "players": (self.one(("player", "(other player)")), "player"),
            "teams": (self.one(("team", "(other team)")), "team"),
            "strs": (self.one(("(RED, BLUE)", "(X, Y, NONE)", "(A)")), "str"),
            "ints": ("", "int"),
        }[way]
        if way == "ints":
            source = self._range(depth)
        if depth > 0 and self.left > 0 and self.odds(200):
            source = self._filtered(source, kind, depth - 1)
        return source, kind

    def _range(self, depth: int) -> str:
        if self.risky():
            return f"(range {self.number(depth)}..{self.number(depth)})"
        return self.weighed(
            (3, lambda: f"(range {self.up_to(2)}..{self.up_to(3)})"),
            (1 * (depth > 0), lambda: f"(range 1..(% {self.number(depth - 1)} 5))"),
            (1 * (depth > 0), lambda: f"(range (% {self.number(depth - 1)} 3)..2)"),
        )
