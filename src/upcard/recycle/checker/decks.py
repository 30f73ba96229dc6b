"""Checks the setup: players, teams and decks."""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.checker.context import MARKS, Context
from upcard.recycle.checker.values import integer, string, value
from upcard.recycle.constants import constant
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reserved_words import CLASSES
from upcard.recycle.source import Span

_DECK = p.CreateDeck.syntax.example
_TEAMS = p.CreateTeams.syntax.example
_SETUP = p.Setup.syntax.example


def setup(ctx: Context, form: Form) -> p.Setup | None:
    players: p.Expr | None = None
    made: p.CreateTeams | None = None
    cards: list[p.CreateDeck | p.Repeat] = []
    before, misread = ctx.found, False
    for node in form.items[1:]:
        what = _what(node)
        if what == "players" and isinstance(node, Form):
            if players is not None:
                ctx.report("E210", node.span, "the players are created twice", f"write {_SETUP}")
            if made is not None or cards:
                ctx.report("E210", node.span, "the players must be created first", f"write {_SETUP}")
            rest = ctx.operands(node, p.Setup)
            players = integer(ctx, rest[1], "create players") if rest else p.Bad(node.span)
        elif what == "teams" and isinstance(node, Form):
            if made is not None:
                ctx.report(
                    "E210", node.span, "the teams are created twice", f"put all teams in one form: {_TEAMS}"
                )
            elif cards:
                ctx.report("E210", node.span, "the teams must be created before the decks", f"write {_SETUP}")
            made = teams(ctx, node)
        elif what in ("deck", "repeat") and isinstance(node, Form):
            entry = _deck_line(ctx, node)
            if entry is not None:
                cards.append(entry)
        elif _is_bad(node) or (isinstance(node, Form) and any(map(_is_bad, node.items[:2]))):
            misread = True
        else:
            ctx.report(
                "E210", node.span, "a setup can contain only players, teams and decks", f"write {_SETUP}"
            )
    quiet = misread or ctx.found > before
    if players is None and not quiet:
        ctx.report("E210", form.span, "the setup does not create any players", f"write {_SETUP}")
    elif not cards and not quiet:
        ctx.report("E210", form.span, "the setup does not create a deck", f"write {_SETUP}")
    if players is None or not cards:
        return None
    return p.Setup(form.span, players, made, tuple(cards))


def _is_bad(node: Node) -> bool:
    return isinstance(node, Atom) and node.kind == "bad"


def _what(node: Node) -> str:
    if isinstance(node, Form) and node.head == "create" and len(node.items) > 1:
        word = node.items[1]
        return word.text if isinstance(word, Atom) and word.kind == "word" else ""
    return "repeat" if isinstance(node, Form) and node.head == "repeat" else ""


def _deck_line(ctx: Context, form: Form) -> p.CreateDeck | p.Repeat | None:
    """A deck, or (repeat n DECK)"""
    if form.head == "create":
        return deck(ctx, form)
    rest = ctx.operands(form, p.Repeat, f"(repeat 2 {_DECK})")
    if rest is None:
        return None
    count, inner = rest
    if isinstance(count, Atom) and count.is_word("all"):
        ctx.report(
            "E208", count.span, "repeat all has no meaning in a setup", f"give a number: (repeat 2 {_DECK})"
        )
        return None
    number = integer(ctx, count, "repeat")
    if _what(inner) not in ("deck", "repeat") or not isinstance(inner, Form):
        ctx.report("E210", inner.span, "only a deck can be repeated in a setup", f"write (repeat 2 {_DECK})")
        return None
    made = _deck_line(ctx, inner)
    return None if made is None else p.Repeat(form.span, number, made)


def teams(ctx: Context, form: Form) -> p.CreateTeams:
    """(create teams (0, 2) (1, 3))"""
    if len(form.items) < 3:
        ctx.report("E201", form.span, "create teams needs at least one team", f"write {_TEAMS}")
    made: list[tuple[p.Expr, ...]] = []
    mentioned: list[tuple[int, Span]] = []
    for node in form.items[2:]:
        if isinstance(node, Atom):
            if node.kind != "bad":
                ctx.report("E402", node.span, "a team must be a list of player numbers", f"write {_TEAMS}")
            continue
        members: list[p.Expr] = []
        for entry in listed(ctx, node, "player number", _TEAMS):
            number = integer(ctx, entry, "a team list")
            fixed = constant(number)
            if fixed is not None:
                mentioned.append((fixed, number.span))
            members.append(number)
        made.append(tuple(members))
    ctx.evidence.team_lists.append((form.span, mentioned))
    return p.CreateTeams(form.span, tuple(made))


def listed(ctx: Context, form: Form, what: str, shape: str) -> list[Node]:
    """The entries of a list with commas between them."""
    entries: list[Node] = []
    expect = True
    for item in form.items:
        is_comma = isinstance(item, Atom) and item.is_mark(",")
        if is_comma and not expect:
            expect = True
        elif not is_comma and not (isinstance(item, Atom) and item.kind == "mark"):
            if not expect:
                ctx.report("E114", item.span, f"a comma is missing before this {what}", f"write {shape}")
                return entries
            entries.append(item)
            expect = False
        else:
            assert isinstance(item, Atom)
            mark = MARKS[item.text].removeprefix("a ")
            ctx.report("E114", item.span, f"a {what} is missing before this {mark}", f"write {shape}")
            return entries
    if expect:
        if entries:
            ctx.report("E114", form.items[-1].span, f"a {what} is missing after this comma", f"write {shape}")
        else:
            ctx.report("E114", form.span, f"a {what} is missing in this list", f"write {shape}")
    return entries


def deck(ctx: Context, form: Form) -> p.CreateDeck | None:
    """(create deck [BACK] LOCATION (deck ATTR+))"""
    rest = form.items[2:]
    if not 2 <= len(rest) <= 3 or (len(rest) == 2 and isinstance(rest[0], Atom) and _is_place(rest[1])):
        ctx.report("E213", ctx.gap(form), "a deck needs a place and its attributes", f"write {_DECK}")
        return None
    back = string(ctx, rest[0], "the back of a deck") if len(rest) == 3 else None
    place = value(ctx, rest[-2])
    if not isinstance(place, p.Location):
        if place.kind is not Kind.ANY:
            ctx.report("E213", rest[-2].span, "a deck must be created in a location", f"write {_DECK}")
        return None
    if place.cls == "mem":
        ctx.report("E213", rest[-2].span, "a deck cannot be created in a memory", f"write {_DECK}")
        return None
    body = rest[-1]
    if not (isinstance(body, Form) and body.head == "deck"):
        ctx.report(
            "E213", body.span, "the attributes of a deck must start with the word deck", f"write {_DECK}"
        )
        return None
    if len(body.items) < 2:
        ctx.report("E213", body.span, "a deck needs at least one attribute", f"write {_DECK}")
    attributes = [_attribute(ctx, node) for node in body.items[1:]]
    kept = tuple(a for a in attributes if a is not None)
    return p.CreateDeck(form.span, back, place, kept) if len(kept) == len(attributes) else None


def _is_place(node: Node) -> bool:
    words = node.items[1:2] if isinstance(node, Form) else ()
    return any(isinstance(word, Atom) and word.text in CLASSES for word in words)


def _attribute(ctx: Context, node: Node) -> p.Attribute | None:
    """(KEY CHILD+)"""
    if isinstance(node, Atom) or len(node.items) < 2:
        if not (isinstance(node, Atom) and node.kind == "bad"):
            ctx.report(
                "E213", node.span, "an attribute of a deck needs a key and a list of values", f"write {_DECK}"
            )
        return None
    key = string(ctx, node.items[0], "the key of an attribute")
    children: list[p.Child] = []
    for child in node.items[1:]:
        if isinstance(child, Atom):
            if child.kind != "bad":
                ctx.report(
                    "E213", child.span, "the values of an attribute must be in parentheses", f"write {_DECK}"
                )
            return None
        children.extend(_children(ctx, child))
    return p.Attribute(node.span, key, tuple(children))


def _children(ctx: Context, form: Form) -> list[p.Child]:
    """(V1, V2, ...), or one value with attributes below it: (V ATTR+)"""
    below = form.items[1:]
    if below and all(isinstance(item, Form) for item in below):
        top = string(ctx, form.items[0], "the value of an attribute")
        attributes = tuple(a for node in below if (a := _attribute(ctx, node)) is not None)
        return [p.Child(form.span, top, attributes)]
    return [
        p.Child(entry.span, string(ctx, entry, "the value of an attribute"), ())
        for entry in listed(ctx, form, "value", _DECK)
    ]
