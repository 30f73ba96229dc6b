"""Items: simple actions, guarded where they could fail, and the blocks around them."""

from __future__ import annotations

from collections.abc import Callable

from tests.engine.fuzz import decks
from tests.engine.fuzz.collections import ENDS, Collections
from tests.engine.fuzz.values import INTS, MAPS, STRS

HELD = {
    "card": "card",
    "cards": "cards",
    "place": "place",
    "int": "int",
    "str": "str",
    "player": "player",
    "team": "team",
}


class Actions(Collections):
    # --- places to put cards -------------------------------------------------------------------

    def spot(self, depth: int) -> str:
        cards, places = self.known("card"), self.known("place")
        return self.weighed(
            (8, lambda: f"(top {self.place(depth)})"),
            (4, lambda: f"(bottom {self.place(depth)})"),
            (1, lambda: f"(0 {self.place(depth)})"),
            (2, lambda: self._middle()),
            (2 * bool(places), lambda: self.one(places)),
            (2 * (bool(cards) and not self.in_declare), lambda: self.one(cards)),
            (9 * self.risky(), lambda: f"({self.number(1)} {self.place(0)})"),
            (9 * self.risky(), lambda: f"(top {self.cards(1)})"),
        )

    def _middle(self) -> str:
        place = self.location(0)
        return f"((// (size {place}) 2) {place})"

    # --- simple actions ------------------------------------------------------------------------

    def action(self, depth: int) -> str:
        newer = self.setting.newer
        return self.weighed(
            (8, lambda: self._move(depth)),
            (3, lambda: self._pour(depth)),
            (5, lambda: self._store_number(depth)),
            (3, lambda: f"(set ({self.owner(1)} str {self.name(STRS, 0)}) {self.text(depth)})"),
            (1, lambda: self._rename()),
            (3, lambda: self._set_points(depth)),
            (3, lambda: self._cycle(depth)),
            (2, lambda: f"(shuffle {self._shuffled(depth)})"),
            (3, lambda: self._remember(depth)),
            (3, lambda: self._forget()),
            (2, lambda: self._by_owner()),
            (3 * newer, lambda: self._swap(depth)),
            (1, lambda: "(turn pass)"),
            (1 * (not self.in_choice), lambda: decks.new_teams(self)),
            (1 * (not self.in_choice and self.odds(60)), self._deck),
        )

    def _move(self, depth: int) -> str:
        known, held = self.known("card"), self.known("cards", "place")
        return self.weighed(
            (4 * bool(known), lambda: f"(move {self.one(known)} {self.spot(depth)})"),
            (3 * bool(held), lambda: self._move_from(self.one(held), depth)),
            (6, lambda: self._move_from(self.place(depth), depth)),
            (2 * (depth > 0), lambda: self._move_from(self.cards(depth), depth)),
            (2, lambda: self._move_from(self._combined(0), depth)),
            (9 * self.risky(), lambda: f"(move {self.maybe_card(1)} {self.spot(depth)})"),
            (1 * (depth > 0), lambda: self._move_group(depth)),
        )

    def _move_from(self, cards: str, depth: int) -> str:
        """One card out of a collection, by an end, an index, its score, or as the collection itself."""
        if "mem" in cards and not self.risky():
            cards = self.place(0)
        index = self.one((0, 1, 1, 2))
        with self.knowing(cards):
            spot = self.spot(depth)
            source, need = self.one(
                (
                    (f"(top {cards})", 0),
                    (f"(bottom {cards})", 0),
                    (f"({index} {cards})", index),
                    (f"({index} {cards})", index),
                    (cards, 0),
                    (self._best(cards), 0),
                    (f"(actual (top {cards}))", 0),
                )
            )
        move = f"(move {source} {spot})"
        if "random" in cards or "shuffle" in cards or self.risky() or cards in self.full:
            return move
        return f"((> (size {cards}) {need}) {move})"

    def _move_group(self, depth: int) -> str:
        """The top card of a group, where a list stands for a card."""
        groups = self._partition(depth - 1)
        move = f"(move ({self.one(ENDS)} ({self.one(ENDS)} {groups})) {self.spot(depth)})"
        return move if self.risky() else f"((> (size {groups}) 0) {move})"

    def _pour(self, depth: int) -> str:
        held = self.known("cards", "place")
        cards = self.one(held) if held and self.odds(600) else self.place(depth)
        source = self.weighed((3, lambda: f"({self.one(ENDS)} {cards})"), (1, lambda: cards))
        return f"(repeat all (move {source} {self.spot(0)}))"

    def _store_number(self, depth: int) -> str:
        store = f"({self.owner(1)} sto {self.name(INTS, 1)})"
        newer = self.setting.newer
        return self.weighed(
            (3, lambda: f"(set {store} {self.small(depth)})"),
            (3, lambda: f"(inc {store} {self.small(depth)})"),
            (2, lambda: f"(dec {store} {self.small(depth)})"),
            (1 * newer, lambda: f"(inc {store})"),
            (1 * newer, lambda: f"(dec {store})"),
        )

    def _rename(self) -> str:
        """What computed names read: the name of a storage, of a map, of a key, of a place."""
        places = tuple(name for _, _, name in self.setting.families)
        if self.odds(100):
            return f"(set (game str {self.one(('NAME', 'MAP', 'KEY', 'TEXT', 'WHERE'))}) {self.text(1)})"
        which, names = self.one(
            (
                ("NAME", INTS),
                ("MAP", MAPS),
                ("KEY", ("N", "S", "H")),
                ("TEXT", STRS),
                ("WHERE", places if self.setting.computed else ("POOL",)),
            )
        )
        return f"(set (game str {which}) {self.one(names)})"

    def _set_points(self, depth: int) -> str:
        """Awards with fixed and with captured operands, of one pair and of two, of the older shape too."""
        awards = []
        for _ in range(1 + self.up_to(3)):
            pairs = [self._pair(depth) for _ in range(1 + self.odds(150))]
            if self.odds(300):
                pairs = [f"(N : {self.one(('A', 'B', 'C'))})", f"(S : {self.one(('X', 'Y'))})"]
            amount = str(1 + self.up_to(5))
            if not self.setting.plain_maps and self.odds(250):
                amount = self.number(1)
            awards.append(f"({' '.join(pairs)} {amount})")
        return f"(set ({self.owner(0)} points {self.one(MAPS)}) ({' '.join(awards)}))"

    def _pair(self, depth: int) -> str:
        rank = f"{self.one(('A', 'B', 'C', 'D', 'J'))}"
        return self.weighed(
            (6, lambda: f"(N : {rank})"),
            (2, lambda: f"(S : {self.one(('X', 'Y', 'Z'))})"),
            (1, lambda: f"(N ({rank}))"),
            (3, lambda: f"({self.key()} : {self.text(depth)})"),
        )

    def _cycle(self, depth: int) -> str:
        which = self.one(("next", "current", "next"))
        known = self.known("player")
        who = self.weighed(
            (3, lambda: self.one(("current", "next", "previous"))),
            (4 * bool(known), lambda: self.one(known)),
            (2 * self.setting.newer, lambda: self.player(depth)),
        )
        return f"(cycle {which} {who})"

    def _shuffled(self, depth: int) -> str:
        held = self.known("cards", "place")
        return self.weighed(
            (3, lambda: self.place(depth)),
            (3 * bool(held), lambda: self.one(held)),
            (1, self.memory),
            (1 * (depth > 0), lambda: self.cards(depth - 1)),
        )

    def _remember(self, depth: int) -> str:
        cards = self.place(depth)
        with self.knowing(cards):
            card = cards if self.odds(150) else self.card(depth)
        spot = self.weighed(
            (4, lambda: f"(top {self.memory()})"),
            (1, lambda: f"(bottom {self.memory()})"),
            (1, lambda: f"(0 {self.memory()})"),
            (9 * self.risky(), lambda: self.spot(0)),
        )
        remember = f"(remember {card} {spot})"
        return remember if self.risky() else f"((> (size {cards}) 0) {remember})"

    def _forget(self) -> str:
        memory = self.memory()
        end = self.one(ENDS)
        return self.weighed(
            (1, lambda: f"(repeat all (forget ({end} {memory})))"),
            (3, lambda: f"((> (size {memory}) 0) (forget ({end} {memory})))"),
            (1, lambda: f"((> (size {memory}) 1) (forget (1 {memory})))"),
            (1, lambda: f"((> (size {memory}) 0) (forget {self._best(memory)}))"),
            (9 * self.risky(), lambda: f"(forget ({end} {memory}))"),
        )

    def _swap(self, depth: int) -> str:
        known = self.known("card")
        a, b = self.place(depth), self.place(depth)
        with self.knowing(a):
            left = self.card(0)
        with self.knowing(b):
            right = self.card(0)
        return self.weighed(
            (3, lambda: f"(swap {a} {b})"),
            (3, lambda: f"((and (> (size {a}) 0) (> (size {b}) 0)) (swap (top {a}) (bottom {b})))"),
            (2 * bool(known), lambda: f"((> (size {a}) 0) (swap {self.one(known)} (top {a})))"),
            (1, lambda: f"((and (> (size {a}) 0) (> (size {b}) 0)) (swap (actual {left}) (actual {right})))"),
            (9 * self.risky(), lambda: f"(swap {self.cards(1)} {b})"),
            (9 * self.risky(), lambda: f"(swap (top {a}) (actual {right}))"),
        )

    def _by_owner(self) -> str:
        """Whom a card belongs to: its player is paid, or moves next."""
        _, cls, name = self.one([f for f in self.setting.families if f[0] == "player"])
        place = f"({self.player(0)} {cls} {name})"
        with self.binding("card") as variable:
            paid = f"(all {place} {variable} (inc ((owner {variable}) sto GOLD) 1))"
        which = self.one(("next", "current"))
        best = f"(owner (max {place} using {self.point_map(0)}))"
        return self.one((paid, f"((> (size {place}) 0) (cycle {which} {best}))"))

    def _deck(self) -> str:
        return f"(create deck {self.one(('', 'RED'))} {self.location(0)} (deck (N (A, B))))"

    # --- blocks --------------------------------------------------------------------------------

    def item(self, depth: int) -> str:
        deep = depth > 0 and self.left > 0
        return self.weighed(
            (6, lambda: self.action(depth)),
            (3 * deep, lambda: self.do(depth - 1)),
            (2 * deep, lambda: self._when(depth - 1)),
            (4 * deep, lambda: self._let(depth - 1)),
            (3 * deep, lambda: self._loop("all", depth - 1)),
            (1 * (deep and not self.in_choice), lambda: self._loop("any", depth - 1)),
            (6 * (deep and self.in_choice), lambda: self._loop("any", depth - 1)),
            (2 * deep, lambda: self._repeat(depth - 1)),
        )

    def do(self, depth: int) -> str:
        items = [self.item(depth) for _ in range(1 + self.up_to(2))]
        return f"(do ({' '.join(items)}))"

    def _when(self, depth: int) -> str:
        test = self.test(depth)
        if test.startswith("'") and self.odds(500):
            test = f"(not {test})"
        return f"({test} {self.item(depth)})"

    def _repeat(self, depth: int) -> str:
        count = self.weighed(
            (4, lambda: str(self.up_to(3))),
            (1, lambda: f"(% {self.number(1)} 4)"),
            (9 * self.risky(), lambda: self.one((self.number(1), "1000001", "(- 0 2)"))),
        )
        return f"(repeat {count} {self.item(depth)})"

    def bound(self, depth: int) -> tuple[str, str, list[str]]:
        """Something to bind with let: its text, its kind, and what it says to be full."""
        way = self.one(
            ("cards", "cards", "cards", "place", "card", "card", "int", "str", "bool", "more", "more", "more")
        )
        if way == "cards":
            return self.cards(depth), "cards", []
        if way == "place":
            return self.location(depth), "place", []
        if way == "card":
            return (self.card(depth), "card", []) if self.full else (self.maybe_card(depth), "maybe", [])
        if way == "int":
            return self.number(depth), "int", []
        if way == "str":
            return self.text(depth), "str", []
        if way == "bool":
            return self.test(depth), "bool", []
        way = self.one(("player", "team", "lists", "players", "ints", "places", "strs", "teams"))
        ways: dict[str, Callable[[], str]] = {
            "player": lambda: self.player(depth),
            "team": lambda: self.team(depth),
            "lists": lambda: self.groups(depth),
            "places": lambda: self.places(depth),
            "players": lambda: self.one(("player", "(other player)")),
            "teams": lambda: self.one(("team", "(other team)")),
            "ints": lambda: self._range(depth),
            "strs": lambda: "(RED, BLUE)",
        }
        return ways[way](), way, []

    def _let(self, depth: int) -> str:
        if self.odds(250):
            place = self.place(depth)
            with self.knowing(place):
                card = self.card(depth)
            with self.binding("card" if card != place else "cards") as variable:
                inner = self.item(depth)
            let = f"(let {card} {variable} {inner})"
            return let if self.risky() else f"((> (size {place}) 0) {let})"
        text, kind, _ = self.bound(depth)
        kind = "place" if self._is_place(text, kind) else kind
        with self.binding(kind) as variable:
            item = self.using(variable, kind, depth) if self.odds(600) else self.item(depth)
            return f"(let {text} {variable} {item})"

    def using(self, variable: str, kind: str, depth: int) -> str:
        """Something done with one variable."""
        store = f"({self.owner(0)} sto {self.name(INTS, 0)})"
        if kind == "int":
            return f"({self.one(('set', 'inc', 'dec'))} {store} (% {variable} 20))"
        if kind == "bool":
            return f"({variable} {self.action(depth)})"
        if kind == "str":
            return f"(set ({self.owner(0)} str {self.one(STRS)}) {variable})"
        if kind == "player":
            return self.one(
                (f"(cycle {self.one(('next', 'current'))} {variable})", f"(inc ({variable} sto BID) 2)")
            )
        if kind == "team":
            return f"(set ({variable} sto BID) (+ 1 (size {variable})))"
        if kind == "card":
            return f"(move {variable} {self.spot(depth)})"
        if kind == "maybe":
            return f"((== (cardatt S {variable}) {self.text(0)}) {self.action(depth)})"
        if kind in ("cards", "place"):
            return self._with_cards(variable, depth)
        inner = {"lists": "cards", "places": "place"}.get(kind, kind[:-1])
        head = "any" if self.in_choice and self.odds(700) else self.one(("all", "all", "any"))
        with self.binding(inner) as element:
            return f"({head} {variable} {element} {self.using(element, inner, depth)})"

    def _with_cards(self, variable: str, depth: int) -> str:
        """Cards held by a variable: poured, walked through, picked from, used after they changed."""
        spot = self.spot(0)
        head = "any" if self.in_choice and self.odds(700) else "all"
        with self.binding("card") as card:
            walk = (
                f"({head} {variable} {card} {self.one((f'(move {card} {self.spot(0)})', self.item(depth)))})"
            )
        take = f"((> (size {variable}) 0) (move ({self.one(ENDS)} {variable}) {spot}))"
        count = f"(inc (game sto POT) (size {variable}))"
        return self.weighed(
            (3, lambda: f"(repeat all (move ({self.one(ENDS)} {variable}) {spot}))"),
            (4, lambda: walk),
            (2, lambda: f"(do ({take} {count}))"),
            (1, lambda: f"(do ({take} {self.action(depth)} {take} {count}))"),
            (1, lambda: f"(do ((shuffle {variable}) {take} {count}))"),
        )

    def _is_place(self, text: str, kind: str) -> bool:
        """A location form bound as cards stays live, and may be a place to put cards."""
        return kind == "cards" and text.split(" ")[-2:-1] in (["vloc"], ["iloc"], ["hloc"], ["oloc"])

    def _loop(self, head: str, depth: int) -> str:
        source, kind = self.collection(depth, cards=self.odds(700))
        with self.binding(HELD[kind]) as variable:
            if kind == "card" and self.odds(400):
                body = f"(move {variable} {self.spot(0)})"
                if "mem" in source and not self.risky():
                    body = f"({self.test(1)} {body})"
            elif kind == "cards" and self.odds(400):
                body = f"(repeat all (move (top {variable}) {self.spot(0)}))"
            elif self.odds(400):
                body = self.using(variable, kind, depth)
            else:
                body = self.item(depth)
            return f"({head} {source} {variable} {body})"
