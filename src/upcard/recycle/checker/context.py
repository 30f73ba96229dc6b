"""Checker context: findings, scopes, and evidence for the counting base."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic, suggest
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.kinds import Kind
from upcard.recycle.reader import read
from upcard.recycle.source import Source, Span

MAX_FINDINGS = 100

MARKS = {",": "a comma", ":": "a colon", "..": "a pair of dots"}

MAX_REACH = 500
"""How deep values may be nested through variables: later passes follow a variable to what it stands for."""


@dataclass
class Evidence:
    """What the text says about counting from 0 or from 1 (the checker decides once it has seen it all)."""

    newer: Span | None = None
    """The first form that only the newer dialect has."""
    team_lists: list[tuple[Span, list[tuple[int, Span]]]] = field(default_factory=list)
    """Each team list with the literal numbers in it."""
    players: list[tuple[int, Span]] = field(default_factory=list)
    """Literal (n player)."""
    teams: list[tuple[int, Span]] = field(default_factory=list)
    """Literal (n team)."""


T = TypeVar("T")


@dataclass
class Trial:
    """A check that only counts errors, of one of many trees that share most of their forms.

    Trees are tried when a parenthesis was lost. What a shared form gave the first time is kept, so that
    another tree costs only the forms in which it differs. A form with an error is looked at again: it may
    stand in the scope of other variables by then.
    """

    errors: int = 0
    known: dict[tuple[int, str], Any] = field(default_factory=dict)
    forms: list[Node] = field(default_factory=list)
    """Keeps every form that was seen alive: forms are told apart by identity."""

    def made(self, what: str, maker: Callable[[Context, Node], T], ctx: Context, node: Node) -> T:
        key = (id(node), what)
        ctx.steps += 1
        if key in self.known:
            return self.known[key]  # type: ignore[no-any-return]
        before = self.errors
        result = maker(ctx, node)
        if self.errors == before:
            self.known[key] = result
            self.forms.append(node)
        return result


class Context:
    def __init__(self, source: Source, trial: Trial | None = None) -> None:
        self.source = source
        self.trial = trial
        self.findings: list[Diagnostic] = []
        self.evidence = Evidence()
        self._found = 0
        self.reach = self.last_reach = 0
        """How deep the value at hand is nested, with what its variables stand for; and the last one."""
        self._reaches: list[int] = []
        """The same of each variable, by slot."""
        self.lost_declare = False
        """A declare could not be read, so an unknown variable may be the one that it was to declare."""
        self.blamed: set[int] = set()
        """Variables that were reported to be of the wrong kind."""
        self.slots = 0
        self.sites = 0
        self.steps = 0
        self.in_choice = False
        self.in_declare = False
        self._scope: dict[str, list[p.Binding]] = {}

    # --- findings ------------------------------------------------------------------------------

    def report(self, code: str, span: Span, message: str, hint: str = "") -> None:
        if self.trial is not None:
            self.trial.errors += 1
            return
        self._found += 1
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Diagnostic(code, span, message, hint))

    @property
    def found(self) -> int:
        """How many errors so far, those that were not kept included."""
        return self._found if self.trial is None else self.trial.errors

    def bad(self, code: str, span: Span, message: str, hint: str = "") -> p.Bad:
        self.report(code, span, message, hint)
        return p.Bad(span)

    def expected(self, node: Node, message: str, hint: str) -> p.Bad:
        """A certain word should stand here; silent when what does was reported already."""
        if not (isinstance(node, Atom) and node.kind == "bad"):
            self.report("E201", node.span, message, hint)
        return p.Bad(node.span)

    def newer_form(self, span: Span) -> None:
        if self.evidence.newer is None:
            self.evidence.newer = span

    def text(self, node: Node) -> str:
        """The writer's own words, shortened for a message."""
        # a form may be as long as the file; its start is all that is shown
        end = min(node.span.end, node.span.start + 200)
        text = " ".join(self.source.text[node.span.start : end].split())
        return text if len(text) <= 32 else text[:29] + "..."

    # --- variables -----------------------------------------------------------------------------

    def bind(self, name: Atom, kind: Kind, how: str, source: p.Expr) -> p.Binding:
        """A binding that no scope holds yet."""
        assert how in ("declare", "let", "each")
        self._reaches.append(self.last_reach)
        if self.last_reach > MAX_REACH:
            self._reaches[-1] = 0
            source = self.bad(
                "E306",
                name.span,
                f"'{name.text[:24]} refers to too many other values",
                f"at most {MAX_REACH} forms can be nested, counted through variables",
            )
            kind = Kind.ANY
        binding = p.Binding(self.slots, name.text, kind, name.span, how, source)  # type: ignore[arg-type]
        self.slots += 1
        return binding

    @contextmanager
    def scope(self, binding: p.Binding) -> Iterator[None]:
        self.declare(binding)
        try:
            yield
        finally:
            self._scope[binding.name].pop()

    def declare(self, binding: p.Binding) -> None:
        self._scope.setdefault(binding.name, []).append(binding)

    def named(self, node: Node, what: str, shape: str) -> Atom | None:
        """The variable that a form binds. A plain name in its place is taken for one, once that was said."""
        if isinstance(node, Atom) and node.kind in ("variable", "bad"):
            return node if node.kind == "variable" else None
        if isinstance(node, Atom) and node.kind == "name":
            self.report("E201", node.span, f"{what} needs a variable here", f"write '{node.text[:24]}")
            return node
        self.report("E201", node.span, f"{what} needs a variable here", f"write {shape}")
        return None

    def variable(self, atom: Atom) -> p.Expr:
        bindings = self._scope.get(atom.text)
        if bindings:
            self.reach = max(self.reach, self._reaches[bindings[-1].slot])
            return p.Var(atom.span, bindings[-1])
        if self.lost_declare:
            return p.Bad(atom.span)
        if self.trial is not None or len(self.findings) >= MAX_FINDINGS:
            return self.bad("E301", atom.span, "")  # nobody reads it, so no likely name is looked for
        known = [name for name, stack in self._scope.items() if stack]
        meant = suggest(atom.text, sorted(known))
        if meant:
            hint = f"did you mean '{meant}?"
        elif known:
            hint = "variables known here: " + ", ".join("'" + name for name in sorted(known)[:6])
        else:
            hint = f"bind it first, as in (let (top (game vloc PILE)) '{atom.text[:12]} ...)"
        return self.bad("E301", atom.span, f"the variable '{atom.text} has no value here", hint)

    # --- shapes --------------------------------------------------------------------------------

    def operands(self, form: Form, of: p.Syntax | type[p.Node], shape: str = "") -> tuple[Node, ...] | None:
        """The items behind the head, if their number is right and no mark stands among them."""
        syntax = of if isinstance(of, p.Syntax) else p.syntax_of(of, form.head)
        assert syntax.bounds is not None, "asked of forms whose items are counted"
        least, most = syntax.bounds
        shape = shape or syntax.shown(form.head)
        rest = form.items[1:]
        for item in rest:
            if isinstance(item, Atom) and item.kind == "mark":
                self.report("E114", item.span, f"{MARKS[item.text]} does not belong here", f"write {shape}")
                return None
        if least <= len(rest) <= most:
            return rest
        if any(isinstance(item, Atom) and item.kind == "bad" for item in form.items):
            return None  # who knows what was meant, and how many operands it would have been
        if self.trial is not None:
            self.trial.errors += 1
            return None
        head = form.head or self.text(form.items[0])
        if len(rest) < least:
            wanted = _count(least) if least == most else f"at least {_count(least)}"
            span, missing = self._hole(form, shape)
            message = (
                f"{head} needs {missing}" if missing else f"{head} needs {wanted}, but it has {len(rest)}"
            )
            self.report("E201", span, message, f"write {shape}")
        else:
            wanted = _count(most) if least == most else f"at most {_count(most)}"
            self.report(
                "E201", rest[most].span, f"{head} takes {wanted}, but it has {len(rest)}", f"write {shape}"
            )
        return None

    def gap(self, form: Form) -> Span:
        """Where something is missing at the end of a form: the whole of a short form, the end of a long one.

        A form over several lines is closed on the line that lacks something, not on the one that opens it.
        """
        if self._broken(form.span.start, form.span.end):
            # a line that ends behind the first word, or parenthesis, lost what should follow there
            opening = form.items[0].span.end if form.items and isinstance(form.items[0], Atom) else 0
            opening = max(opening, form.span.start + 1)
            second = form.items[1:2] if opening > form.span.start + 1 else form.items[:1]
            if second and self._broken(opening, second[0].span.start):
                return Span(form.span.start, opening)
            return Span(form.span.end - 1, form.span.end)
        return form.span

    def _broken(self, start: int, end: int) -> bool:
        return self.source.text.find("\n", start, end) >= 0

    def _hole(self, form: Form, shape: str) -> tuple[Span, str]:
        """Where an operand is missing, and which if that can be told.

        The example shows where variables and words such as using belong.
        """
        rest = form.items[1:]
        example = read(Source("", shape)).form
        marks = [_slot(item) for item in example.items[1:]] if example else []
        if len(marks) != len(rest) + 1 or not rest:
            return self.gap(form), ""
        have = [_slot(item) for item in rest]
        fits = [
            sum(a == b for a, b in zip(have, marks[:i] + marks[i + 1 :], strict=True))
            for i in range(len(marks))
        ]
        hole = max(range(len(marks)), key=lambda i: (fits[i], i))
        if marks[hole] == "'":
            end = form.items[hole].span.end
            return Span(end - 1, end), f"a variable after {self.text(form.items[hole])}"
        if marks[hole] == "using":
            return rest[hole].span, f"the word using before {self.text(rest[hole])}"
        return (rest[hole].span if hole < len(rest) else self.gap(form)), ""


def _slot(node: Node) -> str:
    """What can be told of an operand at a glance: it is a variable, or a certain word, or a value."""
    if isinstance(node, Atom) and node.kind in ("variable", "word"):
        return "'" if node.kind == "variable" else node.text
    return ""


def _count(n: int) -> str:
    return "1 operand" if n == 1 else f"{n} operands"
