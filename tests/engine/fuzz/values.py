"""Strings, players, teams, owners and point maps."""

from __future__ import annotations

from tests.engine.fuzz.pen import Pen

INTS = ("GOLD", "BID", "POT")
STRS = ("HUE", "LEAD")
MAPS = ("V", "W")
WORDS = ("RED", "BLUE", "X", "Y", "A", "B", "C", "J", "NONE")


class Values(Pen):
    def key(self) -> str:
        """Of an attribute; one that no card has, now and then."""
        return self.weighed(
            (5, lambda: "N"),
            (5, lambda: "S"),
            (1, lambda: "H"),
            (1, lambda: "(game str KEY)"),
        )

    def text(self, depth: int) -> str:
        known = self.known("str")
        deep = depth > 0 and self.left > 0
        return self.weighed(
            (4, lambda: self.one(WORDS)),
            (4 * bool(known), lambda: self.one(known)),
            (2, lambda: self.str_store(depth - 1)),
            (4 * deep, lambda: f"(cardatt {self.key()} {self.maybe_card(depth - 1)})"),
        )

    def name(self, names: tuple[str, ...], depth: int) -> str:
        """The name of a storage; sometimes computed, out of the same names."""
        return self.weighed(
            (30, lambda: self.one(names)),
            (3 + (depth > 0), lambda: f"(game str {'NAME' if names is INTS else 'TEXT'})"),
        )

    def owner(self, depth: int, teams: bool = True) -> str:
        """Of a storage: the table, a player or a team."""
        if self.in_declare:
            return "game"
        return self.weighed(
            (4, lambda: "game"),
            (5, lambda: self.player(depth)),
            (3 * teams, lambda: self.team(depth)),
        )

    def int_store(self, depth: int) -> str:
        return f"({self.owner(depth)} sto {self.name(INTS, depth)})"

    def str_store(self, depth: int) -> str:
        return f"({self.owner(depth)} str {self.name(STRS, depth)})"

    def point_map(self, depth: int) -> str:
        return self.weighed(
            (8, lambda: f"(game points {self.one(MAPS)})"),
            (2, lambda: f"({self.owner(min(depth, 1))} points {self.one(MAPS)})"),
            (1, lambda: "(game points (game str MAP))"),
        )

    def player(self, depth: int) -> str:
        known = self.known("player")
        setting = self.setting
        deep = depth > 0 and self.left > 0
        return self.weighed(
            (5, lambda: "(current player)"),
            (3, lambda: "(next player)"),
            (3, lambda: "(previous player)"),
            (2, lambda: f"({setting.base + self.up_to(setting.players - 1)} player)"),
            (8 * bool(known), lambda: self.one(known)),
            (1 * deep, lambda: self._numbered(depth, "player", setting.players)),
            (9 * (deep and self.risky()), lambda: f"(owner {self.card(depth - 1)})"),
        )

    def _numbered(self, depth: int, what: str, there_are: int) -> str:
        if self.risky():
            return f"({self.number(depth - 1)} {what})"
        size = f"(size {self.collection(depth - 1)[0]})"
        return f"((+ {self.setting.base} (% {size} {there_are})) {what})"

    def team(self, depth: int) -> str:
        known = self.known("team")
        setting = self.setting
        deep = depth > 0 and self.left > 0
        return self.weighed(
            (4, lambda: f"(team {self.player(depth - 1)})"),
            (2, lambda: "(current team)"),
            (2, lambda: "(next team)"),
            (2, lambda: "(previous team)"),
            (2, lambda: f"({setting.base} team)"),
            (6 * bool(known), lambda: self.one(known)),
            (9 * (deep and self.risky()), lambda: self._numbered(depth, "team", setting.teams)),
        )
