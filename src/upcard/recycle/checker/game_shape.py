"""Checks the shape of a game: declarations, setup, stages, choices, scoring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from upcard.recycle import program as p
from upcard.recycle.checker import actions as _actions  # noqa: F401  (registers its forms)
from upcard.recycle.checker import decks
from upcard.recycle.checker.context import Context
from upcard.recycle.checker.items import bindable, item, items_of, let_head
from upcard.recycle.checker.overrides import overriding, unknown_override
from upcard.recycle.checker.values import condition, integer
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.source import Span

_GAME = p.Program.syntax.example
_STAGE = p.Stage.syntax.example


@dataclass
class Draft:
    """A game read as far as it goes; a part that is missing or wrong is None."""

    declares: tuple[p.Declare, ...] = ()
    setup: p.Setup | None = None
    body: tuple[p.Element, ...] = ()
    scoring: p.Scoring | None = None


def game(ctx: Context, form: Form, overrides: Mapping[str, str]) -> Draft:
    draft = Draft()
    if form.head != "game":
        ctx.report(
            "E113",
            Span(form.span.start, form.span.start + 1),
            "a program must start with (game",
            f"write {_GAME}",
        )
        return draft
    declares: list[p.Declare] = []
    body: list[p.Element] = []
    setup_seen = scoring_seen = False
    for node in form.items[1:]:
        head = node.head if isinstance(node, Form) else ""
        if scoring_seen and head != "scoring":
            ctx.report(
                "E210",
                node.span,
                "nothing can follow the scoring",
                "make (scoring ...) the last form of the game",
            )
        if head == "declare" and isinstance(node, Form):
            if setup_seen:
                ctx.report(
                    "E210",
                    node.span,
                    "a declare must come before the setup",
                    "write (game (declare 5 'CARDS) (setup ...) ...)",
                )
            declared = _declare(ctx, node, overrides)
            if declared is not None:
                declares.append(declared)
        elif head == "setup" and isinstance(node, Form):
            if setup_seen:
                ctx.report(
                    "E210",
                    node.span,
                    "there are two setups",
                    "put players, teams and decks in one setup: (setup (create players 4) ...)",
                )
            setup_seen = True
            draft.setup = decks.setup(ctx, node)
        elif head == "scoring" and isinstance(node, Form):
            if scoring_seen:
                ctx.report(
                    "E210",
                    node.span,
                    "there are two scorings",
                    "keep one, such as (scoring max ((current player) sto SCORE))",
                )
            scoring_seen = True
            draft.scoring = _scoring(ctx, node)
        else:
            if not setup_seen:
                setup_seen = True
                ctx.report(
                    "E210",
                    node.span,
                    "the setup must come before everything that is played",
                    f"write {_GAME}",
                )
            made = element(ctx, node)
            if made is not None:
                body.append(made)
    for missing, seen in (("setup", setup_seen), ("scoring", scoring_seen)):
        if not seen:
            ctx.report("E210", _last_mark(form), f"the game has no {missing}", f"write {_GAME}")
    if setup_seen and scoring_seen and not body and len(form.items) <= 3 + len(declares):
        ctx.report(
            "E210", _last_mark(form), "nothing is played between the setup and the scoring", f"write {_GAME}"
        )
    known = [d.binding.name for d in declares]
    for name in overrides:
        if name not in known and not any(f.code == "E404" for f in ctx.findings):
            unknown_override(ctx, name, known)
    draft.declares, draft.body = tuple(declares), tuple(body)
    return draft


def _last_mark(form: Form) -> Span:
    return Span(form.span.end - 1, form.span.end)


def _declare(ctx: Context, form: Form, overrides: Mapping[str, str]) -> p.Declare | None:
    rest = ctx.operands(form, p.Declare)
    variable = ctx.named(rest[1], "declare", p.Declare.syntax.example) if rest else None
    if rest is None or variable is None:
        ctx.lost_declare = True
        return None
    ctx.in_declare = True
    bound = bindable(ctx, rest[0], "declare")
    ctx.in_declare = False
    given = overrides.get(variable.text)
    if given is not None:
        bound = overriding(ctx, variable.text, given, bound, form.span)
    binding = ctx.bind(variable, bound.kind, "declare", bound)
    ctx.declare(binding)
    return p.Declare(form.span, bound, binding, overridden=given is not None)


def element(ctx: Context, node: Node) -> p.Element | None:
    """Something with a place of its own in the game or in a stage."""
    if ctx.trial is not None and isinstance(node, Form):
        return ctx.trial.made("element", _element, ctx, node)
    return _element(ctx, node)


def _element(ctx: Context, node: Node) -> p.Element | None:
    if isinstance(node, Atom):
        if node.kind != "bad":
            ctx.report("E203", node.span, f"{ctx.text(node)} does not belong here", f"write {_STAGE}")
        return None
    head = node.head
    if head == "stage":
        return _stage(ctx, node)
    if head == "choice":
        return _choice(ctx, node)
    if head == "let":
        return _let(ctx, node)
    if head in ("do", "all", "any"):
        return item(ctx, node)
    if head in ("declare", "setup", "scoring", "end"):
        place = "at the start of a stage" if head == "end" else "in the game itself"
        ctx.report(
            "E210", node.span, f"{head} belongs {place}", f"write {_STAGE if head == 'end' else _GAME}"
        )
        return None
    before = ctx.found
    made = item(ctx, node)
    if ctx.found == before:
        ctx.report(
            "E203",
            Span(node.span.start, node.items[0].span.end if node.items else node.span.end),
            "an action does not belong here on its own",
            "put it in a do, as in (do ((turn pass)))",
        )
    return made


def _stage(ctx: Context, form: Form) -> p.Stage | None:
    items = form.items[1:]
    of = items[0] if items else form
    if not (isinstance(of, Atom) and of.is_word("player", "team")):
        if not (isinstance(of, Atom) and of.kind == "bad"):
            span = of.span if isinstance(of, Atom) else Span(form.span.start, form.items[0].span.end)
            ctx.report("E201", span, "stage must be followed by player or team", f"write {_STAGE}")
        start = 0 if isinstance(of, Form) else 1
        kind = "player"
    else:
        start, kind = 1, of.text
    end: p.Expr | None = None
    rest = items[start:]
    if rest and isinstance(rest[0], Form) and rest[0].head == "end":
        tests = ctx.operands(rest[0], p.Stage)
        end = condition(ctx, tests[0], "end") if tests else p.Bad(rest[0].span)
        rest = rest[1:]
    else:
        # what stands in its place is pointed at; a misspelt (end ...) was reported when it was read
        here = rest[0].span if rest else ctx.gap(form)
        if rest and isinstance(rest[0], Form) and rest[0].items and _is_bad(rest[0].items[0]):
            rest = rest[1:]
        else:
            ctx.report("E201", here, "a stage needs an end condition before its body", f"write {_STAGE}")
        end = p.Bad(form.span)
    body = tuple(made for node in rest if (made := element(ctx, node)) is not None)
    if not rest:
        ctx.report(
            "E201",
            ctx.gap(form),
            "a stage needs at least one item after its end condition",
            f"write {_STAGE}",
        )
    return p.Stage(form.span, kind, end or p.Bad(form.span), body)  # type: ignore[arg-type]


def _is_bad(node: Node) -> bool:
    return isinstance(node, Atom) and node.kind == "bad"


def _choice(ctx: Context, form: Form) -> p.Choice:
    ctx.in_choice = True
    items = items_of(ctx, form, p.Choice)
    ctx.in_choice = False
    return p.Choice(form.span, items)


def _let(ctx: Context, form: Form) -> p.Element | None:
    """A let among elements may hold a choice."""
    parts = let_head(ctx, form)
    if parts is None:
        return None
    bound, binding, body = parts
    with ctx.scope(binding):
        inner: p.Element | None
        if isinstance(body, Form) and body.head == "choice":
            inner = _choice(ctx, body)
        elif isinstance(body, Form) and body.head == "let":
            inner = _let(ctx, body)
        else:
            inner = item(ctx, body)
    if isinstance(inner, p.Choice | p.LetChoice):
        return p.LetChoice(form.span, bound, binding, inner)
    return p.Let(form.span, bound, binding, inner) if isinstance(inner, p.Item) else None


def _scoring(ctx: Context, form: Form) -> p.Scoring | None:
    rest = ctx.operands(form, p.Scoring)
    if rest is None:
        return None
    word = rest[0]
    if not (isinstance(word, Atom) and word.is_word("min", "max")):
        if not (isinstance(word, Atom) and word.kind == "bad"):
            ctx.report(
                "E201",
                word.span,
                "scoring must be followed by min or max",
                f"write {p.Scoring.syntax.example}",
            )
        return None
    return p.Scoring(form.span, word.text == "max", integer(ctx, rest[1], "scoring"))
