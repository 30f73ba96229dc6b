"""Compares the names in a sheet with those of the program: E605, E606, W703 and W705 to W708."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from upcard.files.decode import Mismatch, shown
from upcard.files.toml_lines import TomlSpans
from upcard.library.possible_actions import PossibleActions
from upcard.library.program_storages import not_given, storages_of, uncountable, untallied
from upcard.library.sheet import HouseRule, Sheet
from upcard.library.sheet_phrases import BRACES, MAX_PHRASES, fit
from upcard.recycle import program as p
from upcard.recycle.constants import constant, text_of
from upcard.recycle.diagnostics import Diagnostic, suggest
from upcard.recycle.facts import Facts
from upcard.recycle.frontend import check

MAX_CHOICES = 50
"""Of a house rule that the program is checked with."""


@dataclass(frozen=True)
class SheetNames:
    """A sheet beside the program that it belongs to."""

    sheet: Sheet
    spans: TomlSpans
    program: p.Program
    facts: Facts

    def check(self, actions: PossibleActions) -> Iterator[Diagnostic]:
        yield from self._match()
        players = [self.program.players]
        for number, rule in enumerate(self.sheet.house_rules):
            yield from self._rule(number, rule, players)
        yield from self._seats(max(players))
        yield from self._table()
        yield from self._totals()
        yield from self._words()
        yield from self._cards()
        yield from self._missing_words(actions)

    # --- E605, W707: house rules ---------------------------------------------------------------

    def _rule(self, number: int, rule: HouseRule, players: list[int]) -> Iterator[Diagnostic]:
        """Also collects the numbers of players that its choices bring."""
        declares = {declare.binding.name: declare for declare in self.program.declares}
        declare = declares.get(rule.sets)
        if declare is None:
            meant = suggest(rule.sets, sorted(declares))
            hint = f"did you mean {meant}?" if meant else f"declare it: (declare {_usual(rule)} '{rule.sets})"
            yield self._at(
                "E605", f"the program declares no value {shown(rule.sets)}", hint, "rule", number, "set"
            )
            return
        for choice, value in islice(rule.choices.items(), MAX_CHOICES):
            checked = check(self.program.source, {rule.sets: value}, lint=False)
            if checked.program is not None:
                players.append(checked.program.players)
            elif checked.errors:
                wrong = checked.errors[0]
                yield self._at(
                    "E605",
                    f"the program cannot be played with {choice}: {wrong.message}",
                    wrong.hint,
                    *("rule", number, "choices", choice),
                )
        declared = _written(declare)
        if declared is not None and declared != rule.choices[rule.default].replace(" ", ""):
            usual = rule.choices[rule.default]
            yield self._at(
                "W707",
                f"the default {rule.default} is {usual}, but the program declares {declared}",
                "make them agree: without --rule, the program's own value is played",
                *("rule", number, "default"),
            )

    # --- E606: what a match needs --------------------------------------------------------------

    def _match(self) -> Iterator[Diagnostic]:
        known, rules = storages_of(self.program), self.sheet.match
        wrong = [not_given(known, name, what) for name, what in rules.given]
        wrong += [untallied(known, number, tally) for number, tally in enumerate(rules.tallies)]
        for number, count in enumerate(rules.counts):
            wrong += [uncountable(known, number, count, wish) for wish in count.when]
        for mismatch in filter(None, wrong):
            yield self._diagnostic("E606", mismatch)

    # --- W705: names that the program does not have --------------------------------------------

    def _table(self) -> Iterator[Diagnostic]:
        known = self._places() | self._stored("sto", "str")
        for name in self.sheet.table:
            if name not in known:
                yield self._unknown("place or storage", name, known, "table", name)

    def _places(self) -> set[str]:
        names = {family.family.name for family in self.facts.families}
        return self._known("" if name is None else name for name in names)

    def _stored(self, *kinds: str) -> set[str]:
        found = {name.split(" ", 1)[1] for kind in kinds for name in self.facts.stores[kind]}
        return self._known("" if name == "*" else name for name in found)

    def _known(self, names: Iterable[str]) -> set[str]:
        """Names, and if one is computed ("") everything that it can be."""
        known = set(names)
        return known | set(self.facts.strings) if "" in known else known

    def _totals(self) -> Iterator[Diagnostic]:
        places, maps, keys = self._places(), self._stored("points"), set(self.facts.key_order)
        for number, total in enumerate(self.sheet.totals):
            if total.of not in places:
                yield self._unknown("place", total.of, places, "total", number, "of")
            if total.points not in maps:
                yield self._unknown("point map", total.points, maps, "total", number, "points")
            if total.by and total.by not in keys:
                yield self._unknown("attribute of cards", total.by, self.facts.keys, "total", number, "by")
            texts: dict[tuple[str | int, ...], str] = {("total", number, "tell"): total.tell}
            if total.extra is not None:
                key, value = total.extra.key, total.extra.value
                texts["total", number, "extra", "tell"] = total.extra.tell
                at = "total", number, "extra"
                if key not in keys:
                    yield self._unknown("attribute of cards", key, self.facts.keys, *at, "key")
                elif value not in self._strings():
                    known = self.facts.keys.get(key, ())
                    yield self._unknown(f"card with the {key}", value, known, *at, "value")
            for path, text in texts.items():
                for part in set(BRACES.findall(text)) - {"total"}:
                    message = f"{{{part[:24]}}} means nothing in the words for a total"
                    yield self._at("W703", message, "it replaces {total}", *path)

    def _words(self) -> Iterator[Diagnostic]:
        known = self._strings()
        for name in self.sheet.words:
            if name not in known:
                yield self._unknown("string", name, known, "words", name)

    def _cards(self) -> Iterator[Diagnostic]:
        keys, values = set(self.facts.key_order) - {""}, self._strings()
        for part in BRACES.findall(self.sheet.face):
            if part not in keys:
                yield self._unknown("attribute of cards", part, self.facts.keys, "cards", "face")
        for key, prints in self.sheet.prints.items():
            yield from self._prints(key, prints, keys, values, "cards", key)
            missing = [value for value in self.facts.keys.get(key, ()) if value not in prints]
            if missing:
                yield self._at(
                    "W706",
                    f"there is no print for the {key} {_few(missing)}",
                    f"add it to {key}, as in {missing[0]} = {shown(missing[0][:1])}",
                    *("cards", key),
                )
        for key, prints in self.sheet.ascii_prints.items():
            yield from self._prints(key, prints, keys, values, "cards", "ascii", key)

    def _prints(
        self, key: str, prints: Mapping[str, str], keys: set[str], values: set[str], *path: str
    ) -> Iterator[Diagnostic]:
        """A table of `[cards]`: its key and its values are those of some card."""
        if key not in keys:
            yield self._unknown("attribute of cards", key, self.facts.keys, *path)
            return
        for value in prints:
            if value not in values:
                known = self.facts.keys.get(key, ())
                yield self._unknown(f"card with the {key}", value, known, *path, value)

    def _strings(self) -> set[str]:
        """Every string of the program, with every choice of its house rules."""
        chosen = {value for rule in self.sheet.house_rules for value in rule.choices.values()}
        parts = {part.strip() for value in chosen for part in value.split(",")}
        return set(self.facts.strings) | parts

    # --- W706: values without words ------------------------------------------------------------

    def _missing_words(self, actions: PossibleActions) -> Iterator[Diagnostic]:
        """Values that a phrase would print as the program writes them."""
        phrases = self.sheet.phrases[:MAX_PHRASES]
        bare: dict[int, set[str]] = {}
        for action in actions.all:
            value = action.value
            if isinstance(value, str) and value.isupper() and value not in self.sheet.words:
                first = next((at for at, phrase in enumerate(phrases) if fit(phrase, action)), None)
                if first is not None:
                    bare.setdefault(first, set()).add(value)
        for number, values in bare.items():
            key = next((key for key in ("tell", "pick") if "{value}" in getattr(phrases[number], key)), None)
            if key is not None:
                names = sorted(values)
                yield self._at(
                    "W706",
                    f"this phrase prints {_few(names)}, as the program writes it",
                    f"add it to [words], as in {names[0]} = {shown(names[0].lower())}",
                    *("say", number, key),
                )

    # --- W708: seats ---------------------------------------------------------------------------

    def _seats(self, players: int) -> Iterator[Diagnostic]:
        for key, names in (("seats", self.sheet.seat_names), ("places", self.sheet.place_names)):
            if names and len(names) < players:
                yield self._at(
                    "W708",
                    f"names.{key} has {len(names)}, but up to {players} can play",
                    "name the others too, or remove the key",
                    *("names", key),
                )

    # -------------------------------------------------------------------------------------------

    def _unknown(self, what: str, name: str, known: Iterable[str], *path: str | int) -> Diagnostic:
        names = sorted(word for word in known if word and word != "*")
        meant = suggest(name, names)
        hint = f"did you mean {meant}?" if meant else f"it has {_few(names, 8)}" if names else ""
        return self._at("W705", f"the program has no {what} {shown(name)}", hint, *path)

    def _diagnostic(self, code: str, mismatch: Mismatch) -> Diagnostic:
        return Diagnostic(code, self.spans.of(mismatch.path), mismatch.message("the sheet"), mismatch.hint)

    def _at(self, code: str, message: str, hint: str, *path: str | int) -> Diagnostic:
        return Diagnostic(code, self.spans.of(path), message, hint)


def _few(names: Sequence[str], most: int = 4) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def _usual(rule: HouseRule) -> str:
    return rule.choices[rule.default]


def _written(declare: p.Declare) -> str | None:
    """A declared value as a sheet writes it; None if it is computed, or given from outside."""
    if declare.overridden:
        return None
    value = declare.value
    if isinstance(value, p.Names):
        return ",".join(value.texts)
    number = constant(value)
    return str(number) if number is not None else text_of(value)
