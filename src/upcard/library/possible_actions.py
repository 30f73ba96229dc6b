"""Possible actions: the actions that a program can record, found without playing it.

A sheet's phrases are compared with them. Where the text does not decide a name or a value, `ANY` stands for
it, so that nothing that can happen is missing; some of what is listed may never happen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice, product
from typing import Final, Literal, TypeAlias

from upcard.library.sheet import Action, Frame, HouseRule
from upcard.recycle import program as p
from upcard.recycle.facts import Facts, owner_word
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.attributes import DeckValues
from upcard.recycle.lints.lint_subject import Subject, element_source, meaning
from upcard.recycle.source import Span
from upcard.recycle.walk import below, children


class Unknown(Enum):
    """What the text of a program does not decide."""

    ANY = auto()
    """Any name."""
    NUMBER = auto()
    """Any number."""


ANY: Final = Unknown.ANY
NUMBER: Final = Unknown.NUMBER
Word: TypeAlias = str | Unknown | None
"""A name or value of an action; None if the action has none."""
Known: TypeAlias = Mapping[int, str]
"""What variables stand for, by slot, in one alternative of a choice."""

MAX_ACTIONS = 5_000
"""Of a program. Beyond that, only the first ones are compared with phrases."""
MAX_ALTERNATIVES = 256
"""Of one item of a choice that are looked at."""

OWNERS: Mapping[str, Literal["table", "seat", "team"]] = {"table": "table", "player": "seat", "team": "team"}


@dataclass(frozen=True)
class PossibleAction:
    """An action as phrases see it (`Phrase`)."""

    do: Action | Frame
    by: Literal["player", "game"]
    source: Word = None
    target: Word = None
    name: Word = None
    value: Word = None
    owner: Word = None


@dataclass(frozen=True)
class Alternative:
    """One way to take an item of a choice: which actions it can have."""

    item: p.Item
    actions: tuple[PossibleAction, ...]


class PossibleActions:
    """The actions of a program, with every choice of its house rules."""

    def __init__(self, program: p.Program, facts: Facts, rules: Sequence[HouseRule] = ()) -> None:
        self._subject = Subject(program, facts)
        self._decks = DeckValues(self._subject)
        self._choices: dict[str, set[str]] = {}
        for rule in rules:
            self._choices.setdefault(rule.sets, set()).update(rule.choices.values())
        self.all: list[PossibleAction] = list(islice(dict.fromkeys(self._of_program(program)), MAX_ACTIONS))
        self.is_complete = len(self.all) < MAX_ACTIONS

    def _of_program(self, program: p.Program) -> Iterator[PossibleAction]:
        frames: tuple[Frame, ...] = ("setup", "create", "stage", "score", "end")
        for frame in frames:
            yield PossibleAction(frame, "game", source=ANY if frame == "create" else None)
        yield PossibleAction("teams", "game")
        yield PossibleAction("hidden", "player")
        for element in (program.setup, *program.body):
            yield from self._below(element, "game", {}, _targets(element))

    def first_line(self, span: Span) -> Span:
        """The part of a span on its first line."""
        return self._subject.spot(span)

    # --- alternatives --------------------------------------------------------------------------

    def alternatives(self) -> Iterator[Alternative]:
        """Every alternative of every choice, one for each name that its `any` forms go through."""
        for element in self._subject.program.body:
            targets = _targets(element)
            for choice in below(element):
                if isinstance(choice, p.Choice):
                    for item in choice.items:
                        yield from self._unfolded(item, targets)

    def _unfolded(self, item: p.Item, targets: Sequence[p.Expr]) -> Iterator[Alternative]:
        """An item with each combination of names that its `any` forms can pick."""
        picked: dict[int, list[str]] = {}
        for node in below(item):
            if isinstance(node, p.ForAny):
                names = self._names(meaning(node.source))
                if names:
                    picked[node.binding.slot] = sorted(names)
        for chosen in islice(product(*picked.values()), MAX_ALTERNATIVES):
            known = dict(zip(picked, chosen, strict=True))
            actions = tuple(dict.fromkeys(self._below(item, "player", known, targets)))
            if actions or not known:
                yield Alternative(item, actions)

    def _names(self, source: p.Expr) -> set[str] | None:
        if isinstance(source, p.Names):
            return set(source.texts)
        if isinstance(source, p.Filter):
            return self._names(meaning(source.source))
        return None

    # --- actions -------------------------------------------------------------------------------

    def _below(
        self, node: p.Node, by: Literal["player", "game"], known: Known, targets: Sequence[p.Expr]
    ) -> Iterator[PossibleAction]:
        """The actions of a node and everything in it."""
        if isinstance(node, p.Action):
            yield from self._expanded(node, by, known, targets)
            return
        if isinstance(node, p.When) and self._truth(node.test, known) is False:
            return
        inner: Literal["player", "game"] = "player" if isinstance(node, p.Choice) else by
        for child in children(node):
            if not isinstance(child, p.Expr):
                yield from self._below(child, inner, known, targets)

    def _expanded(
        self, node: p.Action, by: Literal["player", "game"], known: Known, targets: Sequence[p.Expr]
    ) -> Iterator[PossibleAction]:
        nothing: list[Word] = [None]
        if isinstance(node, p.Move | p.Remember):
            sources = self._places(node.card, targets)
            for source, target in product(sources, self._places(node.place)):
                yield PossibleAction("move" if isinstance(node, p.Move) else "remember", by, source, target)
        elif isinstance(node, p.Forget):
            for source in self._places(node.card):
                yield PossibleAction("forget", by, source)
        elif isinstance(node, p.Shuffle):
            # a computed collection has no place
            for source in {*self._places(node.cards), None}:
                yield PossibleAction("shuffle", by, source)
        elif isinstance(node, p.Swap):
            left, right = self._places(node.left, targets), self._places(node.right, targets)
            for source, target in product(left, right):
                yield PossibleAction("swap", by, source, target)
        elif isinstance(node, p.Store):
            owner = OWNERS[owner_word(node.store.owner)]
            values = self._values(node, known) if not isinstance(node, p.SetPoints) else nothing
            do: Action = "points" if isinstance(node, p.SetPoints) else "set"
            for name, value in product(self._texts(node.store.name, known), values):
                yield PossibleAction(do, by, name=name, value=value, owner=owner)
        elif isinstance(node, p.Cycle):
            yield PossibleAction("cycle", by)
        elif isinstance(node, p.Pass):
            yield PossibleAction("pass", by)
        elif isinstance(node, p.CreateDeck):
            yield PossibleAction("create", by, ANY)

    def _places(self, expr: p.Expr, targets: Sequence[p.Expr] = ()) -> list[Word]:
        """Names of places where cards can lie. A card that a variable stands for may have been moved since it
        was named, to one of `targets`."""
        if any(isinstance(node, p.Var) and node.binding.kind is Kind.CARD for node in below(expr)):
            names = {name for target in targets for name in self._places(target)}
        else:
            names = set()
        for family in self._subject.origins.of(expr):
            names.add(family.name if family.name is not None and family.cls != "mem" else ANY)
            if family.cls == "mem" and family.name is not None:
                names.add(family.name)
        return sorted(names, key=str) if names else [ANY]

    # --- values --------------------------------------------------------------------------------

    def _values(self, node: p.Store, known: Known) -> list[Word]:
        if isinstance(node, p.SetStr):
            return self._texts(node.value, known)
        number = self._subject.number(node.value) if isinstance(node, p.SetInt) else None
        varies = any(isinstance(part, p.Var) for part in below(node))
        return [NUMBER] if number is None or varies else [str(number)]

    def _texts(self, expr: p.Expr, known: Known) -> list[Word]:
        """The strings that a value can be."""
        if isinstance(expr, p.Str):
            return [expr.text]
        if isinstance(expr, p.CardAtt):
            values = self._decks.of(self._subject.text(expr.key))
            return [*sorted(values)] if values else [ANY]
        if not isinstance(expr, p.Var):
            return [ANY]
        if expr.binding.slot in known:
            return [known[expr.binding.slot]]
        if expr.binding.how == "declare":
            texts = {self._subject.text(expr)} | self._choices.get(expr.binding.name, set())
            return [ANY] if None in texts else [*sorted(text for text in texts if text)]
        if expr.binding.how == "let":
            return self._texts(expr.binding.source, known)
        source = element_source(expr)
        names = self._names(source) if source is not None else None
        words: list[Word] = [*sorted(names)] if names else [ANY]
        return words

    def _truth(self, test: p.Expr, known: Known) -> bool | None:
        """Whether a condition holds, as far as the picked names decide it."""
        if isinstance(test, p.Logic):
            parts = [self._truth(part, known) for part in test.operands]
            decisive = test.operator == "or"
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        if isinstance(test, p.Not):
            inner = self._truth(test.of, known)
            return None if inner is None else not inner
        if isinstance(test, p.Same) and test.of is Kind.STR:
            left, right = self._texts(test.left, known), self._texts(test.right, known)
            if ANY in left or ANY in right or (set(left) & set(right) and len({*left, *right}) > 1):
                return None
            return (left == right) != test.negated
        return None


def _targets(element: p.Node) -> list[p.Expr]:
    """Where the moves of an element put cards."""
    return [node.place for node in below(element) if isinstance(node, p.Move)]
