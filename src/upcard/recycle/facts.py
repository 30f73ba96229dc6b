"""Facts about a program, computed once when it is loaded and used by every engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from upcard.lazy import lazy_property
from upcard.recycle import program as p
from upcard.recycle.constants import Known, constant, text_of
from upcard.recycle.deck_sizes import cards_at_most, deck_size
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_CARDS, MAX_MADE
from upcard.recycle.order import Family, OrderFacts, Reason, family_of, order_facts
from upcard.recycle.source import Span
from upcard.recycle.walk import below, children
from upcard.recycle.work import Work, work_of


class TooManyCards(Exception):
    def __init__(self, span: Span, most: int) -> None:
        self.span = span
        why = "" if most == MAX_CARDS else ", the limit for games that create decks during play or by chance"
        super().__init__(f"this creates more than {most:,} cards{why}")


@dataclass(frozen=True)
class FamilyFact:
    family: Family
    numbered: bool
    ordered: Reason | None
    """Why its order can be seen; None when it cannot."""


@dataclass(frozen=True)
class ChanceFact:
    what: str
    span: Span
    in_choice: bool


@dataclass(frozen=True)
class Facts:
    players: int
    base: int
    cards: int | None
    """How many cards the setup makes; None when chance decides."""
    cards_at_most: int | None
    """A bound that no game passes; None where a stage, chance or play decides how many decks there are."""
    most_cards: int
    """More cards than this end a game as failed."""
    keys: dict[str, tuple[str, ...]]
    """Attribute keys with the values that some deck gives them; computed ones left out."""
    backs: tuple[str, ...]
    families: tuple[FamilyFact, ...]
    order: OrderFacts
    strings: tuple[str, ...]
    """Every string the game can know, the empty one first, the rest in order of appearance."""
    stores: dict[str, tuple[str, ...]]
    """Names of integer, string and point-map storages, as `owner name`; a computed name is `*`."""
    chance: tuple[ChanceFact, ...]
    bounds: dict[str, int]
    work: Work
    """Which forms count what they do."""

    @lazy_property
    def key_order(self) -> tuple[str, ...]:
        """Every string that can be an attribute's key, in the order in which cards list their attributes."""
        return tuple(dict.fromkeys((*self.keys, *self.strings)))

    def in_order(self, face: dict[str, str]) -> dict[str, str]:
        """A card's attributes as every engine lists them."""
        return {key: face[key] for key in sorted(face, key=self.key_order.index)}

    def to_json(self, program: p.Program) -> dict[str, Any]:
        line = program.source.line
        return {
            "players": self.players,
            "base": self.base,
            "cards": self.cards,
            "keys": {key: list(values) for key, values in self.keys.items()},
            "backs": list(self.backs),
            "locations": [
                {
                    "owner": f.family.owner,
                    "class": f.family.cls,
                    "name": f.family.name,
                    "numbered": f.numbered,
                    "ordered": f.ordered is not None,
                    "why": f.ordered.text if f.ordered else "nothing reads its order",
                    "line": line(f.ordered.span.start) if f.ordered else None,
                }
                for f in self.families
            ],
            "storages": {kind: list(names) for kind, names in self.stores.items()},
            "strings": list(self.strings),
            "chance": [
                {"what": c.what, "line": line(c.span.start), "in_choice": c.in_choice} for c in self.chance
            ],
            "bounds": self.bounds,
        }


def gather(program: p.Program) -> Facts:
    nodes = list(below(program))
    keys, backs = _attributes(nodes)
    order = order_facts(program)
    at_most = cards_at_most(program)
    most = MAX_MADE if at_most is None else MAX_CARDS
    cards = _setup_cards(program, most)
    return Facts(
        program.players,
        program.base,
        cards,
        at_most,
        most,
        keys,
        backs,
        _families(nodes, order),
        order,
        _strings(program, nodes),
        _stores(nodes),
        tuple(_chance(nodes)),
        _bounds(program, nodes, cards),
        work_of(program, most if at_most is None else at_most),
    )


# --- cards ---------------------------------------------------------------------------------------


def _setup_cards(program: p.Program, most: int) -> int | None:
    total: int | None = 0
    known: Known = {}
    for line in program.setup.decks:
        made = _made(line, known)
        if made is None or total is None:
            total = None
            continue
        total += made
        if total > most:
            raise TooManyCards(line.span, most)
    for node in below(program):
        if isinstance(node, p.CreateDeck) and deck_size(node) > most:
            raise TooManyCards(node.span, most)
    return total


def _made(line: p.Item, known: Known) -> int | None:
    times = 1
    while isinstance(line, p.Repeat):
        count = constant(line.count, known)
        if count is None:
            return None
        times *= max(count, 0)
        line = line.item
    assert isinstance(line, p.CreateDeck)
    return times * deck_size(line)


def _attributes(nodes: list[p.Node]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    keys: dict[str, dict[str, None]] = {}
    backs: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, p.Attribute):
            key = text_of(node.key)
            values = keys.setdefault(key, {}) if key is not None else {}
            for child in node.children:
                text = text_of(child.value)
                if text is not None:
                    values[text] = None
        elif isinstance(node, p.CreateDeck):
            back = text_of(node.back) if node.back is not None else "DEFAULT"
            if back is not None:
                backs[back] = None
    return {key: tuple(values) for key, values in keys.items()}, tuple(backs)


# --- names ---------------------------------------------------------------------------------------


def _families(nodes: list[p.Node], order: OrderFacts) -> tuple[FamilyFact, ...]:
    numbered: dict[Family, bool] = {}
    for node in nodes:
        if isinstance(node, p.PlaceForm):
            family = family_of(node)
            has_number = not isinstance(node, p.Location) or node.number is not None
            numbered[family] = numbered.get(family, False) or has_number
    return tuple(FamilyFact(f, n, order.reason(f)) for f, n in numbered.items())


def _strings(program: p.Program, nodes: list[p.Node]) -> tuple[str, ...]:
    found: dict[str, None] = {"": None}
    for node in nodes:
        if isinstance(node, p.Str):
            found[node.text] = None
        elif isinstance(node, p.Names):
            found.update(dict.fromkeys(node.texts))
        elif isinstance(node, p.CreateDeck) and node.back is None:
            found["DEFAULT"] = None
    return tuple(found)


def owner_word(owner: p.Owner) -> str:
    """`table`, `player` or `team`"""
    if isinstance(owner, p.Table):
        return "table"
    return "team" if owner.kind is Kind.TEAM else "player"


def _stores(nodes: list[p.Node]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {"sto": {}, "str": {}, "points": {}}
    for node in nodes:
        if isinstance(node, p.Storage):
            found[node.word][f"{owner_word(node.owner)} {text_of(node.name) or '*'}"] = None
    return {kind: tuple(names) for kind, names in found.items()}


# --- chance and bounds ---------------------------------------------------------------------------


def _chance(nodes: list[p.Node]) -> Iterator[ChanceFact]:
    choice_end = 0  # nodes come in the order of the text and choices do not nest
    for node in nodes:
        if isinstance(node, p.Choice):
            choice_end = node.span.end
        if node.draws:
            what = node.syntax.words[0] if node.syntax else ""
            if isinstance(node, p.BestCard):
                what = "a tie in max" if node.greatest else "a tie in min"
            yield ChanceFact(what, node.span, node.span.start < choice_end)


def _bounds(program: p.Program, nodes: list[p.Node], cards: int | None) -> dict[str, int]:
    return {
        "players": program.players,
        "cards": -1 if cards is None else cards,
        "variables": program.slots,
        "choices": sum(isinstance(n, p.Choice) for n in nodes),
        "stages": sum(isinstance(n, p.Stage) for n in nodes),
        "any_forms": sum(isinstance(n, p.ForAny) for n in nodes),
        "picks_nested": max((_any_depth(n) for n in nodes if isinstance(n, p.Choice)), default=0),
    }


def _any_depth(node: p.Node) -> int:
    inner = max((_any_depth(child) for child in children(node)), default=0)
    return inner + (1 if isinstance(node, p.ForAny) else 0)
